"""What kind of answer a question word asks for, and whether a sentence has one that the question does not."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from apps.language.numbers import values
from apps.rag.time_names import MONTHS, PARTS, SEASONS


class AnswerType(StrEnum):
    """What would be an answer."""

    DATE = "date"
    NUMBER = "number"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    ANY = "any"


_ASKS: Final = (
    (
        AnswerType.DATE,
        r"\b(?:wann|welche[mns]? (?:jahr|datum|tag|monat|jahrhundert|jahrzehnt)\w*|when|wh(?:at|ich) year)\b",
    ),
    (
        AnswerType.NUMBER,
        r"\b(?:wie ?viele?[rn]?|wie (?:hoch|lange?|gro(?:ß|ss)|weit|alt|oft|teuer|schwer|stark|tief|schnell)"
        r"|welcher (?:anteil|prozentsatz)|how (?:many|much|high|long|old|large|big|far|often)"
        r"|what (?:share|percentage|proportion))\b|\bwas (?:\w+ ){0,8}(?:kostet|kosten|verdient|verdienen)\b",
    ),
    (AnswerType.PERSON, r"\b(?:wer|wen|wem|wessen|who|whom|whose)\b"),
    (AnswerType.PLACE, r"\b(?:wo|wohin|woher|where|welche[mnrs]? (?:ort|stadt|land|staat|fluss|gegend|region))\b"),
    (AnswerType.REASON, r"\b(?:warum|weshalb|wieso|weswegen|why)\b"),
)
_TYPES: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _ASKS)
_NAME: Final = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÄÖÜ][\w’'-]+")
# "Wer ist Bundeskanzler?" asks for a name beside the office; "Wer darf wählen?" for nobody in particular.
_OFFICE: Final = re.compile(
    r"\b(?:wer|who)(?:['’]s|\s+(?:ist|war|wird|wurde|is|was|will be))\s+(?:[\w-]+\s+){0,3}?\w*?"
    r"(?P<office>kanzler|präsident|minister|bürgermeister|könig|papst|chancellor|president|mayor|king|pope)"
    r"|\b(?:wer|who)\s+(?:(?P<task>moderiert|moderates)\b|(?P<post>leitet)\b.*(?:ministerium|behörde|amt|anstalt)\b)",
    re.IGNORECASE,
)
_OFFICE_STEM: Final = 5
# Two words in capitals beside each other: a full name, or an office with a surname.
_FULL_NAME: Final = re.compile(r"\b[A-ZÄÖÜ][\w’'-]+\s(?:(?:von|van|de|zu)\s)?[A-ZÄÖÜ][\w’'-]+")
_REASON: Final = re.compile(
    r"\b(?:weil|da|denn|wegen|aufgrund|auf grund|um|damit|deshalb|daher|darum|deswegen|sodass|so dass|durch|because"
    r"|due|since|therefore|in order|grund|gruende|gründe|anlass|ursachen?|reasons?)\b",
    re.IGNORECASE,
)
# What a number has to be of, where the question says so.
_UNITS: Final = tuple(
    (re.compile(rf"\b(?:{asked})\b", re.IGNORECASE), re.compile(unit, re.IGNORECASE))
    for asked, unit in (
        (
            r"wie alt|how old",
            r"\balt\b|jährig|geboren|\bborn\b|\bold\b|\baged?\b|\balter|\(\d\d\)"
            r"|\b(?:mindestens|ab|mit|unter|über|at least|over|under|from) \d\d\b"
            r"(?! ?(?:%|prozent|euro|uhr|percent|am|pm))",
        ),
        (r"wie ?viel uhr|welche[rn]? uhrzeit|what time", r"\buhr\b|\d:\d\d|\d ?[ap]\.?m\b"),
        (
            r"wie teuer|was kosten?t?|wie ?viel (?:geld|euro)|wie ?viel (?:\w+ ){0,3}(?:kosten?t?|verdien(?:t|en))"
            r"|how expensive|how much money",
            r"euro|€|\bcents?\b|dollar|\$|\bkostenlos|\bkostenfrei|gebührenfrei|\bgratis|umsonst|free of charge",
        ),
        (r"wie weit|how far", r"meter|kilometer|\bkm\b|\bmiles?\b|metre"),
        (
            r"wie ?viele? prozent|welcher (?:anteil|prozentsatz)|what (?:share|percentage|proportion)",
            r"%|prozent|per ?cent|hälfte|drittel|viertel|fünftel|zehntel|\bhalf|third|quarter",
        ),
        (
            r"wie ?lange?|how long",
            r"\btage?n?\b|woche|monat|jahr|stunde|minute|sekunde|\bdays?\b|weeks?\b|month|year|hour|second|decade|centur"
            r"|\bbis\b|\buntil\b|meter|\bkm\b|\bm\b|miles?\b|fuß\b|\bfeet\b",
        ),
    )
)
# "Wie viele Mitglieder hat ...": a number of anything else is no answer. What everybody counts has many names.
_COUNTED: Final = re.compile(r"\b(?:wie ?viele?|how many)\s+(?P<noun>[^\W\d_][\w-]{3,})", re.IGNORECASE)
_COUNTED_BY_ANY_NAME: Final = re.compile(
    r"mensch|leute|person|bürger|einwohner|prozent|punkte?\b|geld|euro|jahre?n?\b|tage?n?\b|woche|monat|stunde|meter|mal\b"
    r"|people|percent|points?\b|money|years?\b|days?\b|weeks?\b|months?\b|hours?\b|times\b",
    re.IGNORECASE,
)
_YEAR_OR_DATE: Final = re.compile(
    r"\b1\d{3}\b|\b20\d\d\b|jahrhundert|century"
    rf"|\b(?:{'|'.join(PARTS)}|im|in|next|nächsten?)[ -](?:{'|'.join((*MONTHS, *SEASONS))})\b",
    re.IGNORECASE,
)


def asked_type(question: str) -> AnswerType:
    """Return what the question word asks for; ANY when it does not say."""
    return next((kind for kind, pattern in _TYPES if pattern.search(question)), AnswerType.ANY)


def asked_types(question: str) -> tuple[AnswerType, ...]:
    """Return every kind that a question asks for, in the order of its words: "wie hoch ... und ab wann"."""
    found = {kind: match.start() for kind, pattern in _TYPES if (match := pattern.search(question))}
    return tuple(sorted(found, key=lambda kind: found[kind]))


def without_question_word(question: str) -> str:
    """Return the question without the words that only say what is asked for: "Wie hoch", "In welchem Jahr"."""
    for _, pattern in _TYPES:
        question = pattern.sub(" ", question)
    return question


def has_answer_type(kind: AnswerType, sentence: str, question: str, language: str) -> bool:
    """Say whether the sentence has something of the kind that is not already in the question. True for ANY."""
    if kind is AnswerType.ANY:
        return True
    if kind is AnswerType.REASON:
        return bool(_REASON.search(sentence))
    office = _OFFICE.search(question) if kind is AnswerType.PERSON else None
    if office:
        return _names_who_holds(office["office"] or office["task"] or office["post"], sentence)
    if kind in (AnswerType.PERSON, AnswerType.PLACE):
        known = question.casefold()
        return any(match.group().casefold() not in known for match in _NAME.finditer(sentence))
    new = values(sentence, language) - values(question, language)
    if kind is AnswerType.DATE:
        return any(value.kind in ("date", "month", "day", "time") for value in new) or bool(
            set(_YEAR_OR_DATE.findall(sentence)) - set(_YEAR_OR_DATE.findall(question))
        )
    return bool(new) and _is_of_unit(sentence, question)


def is_strict(question: str) -> bool:
    """Say whether a question asks for an age, a time of day or who holds an office: nothing else is an answer to it."""
    return any(asked.search(question) for asked, _ in _UNITS[:2]) or bool(_OFFICE.search(question))


def _names_who_holds(office: str, sentence: str) -> bool:
    """Say whether a sentence has the office, or the task, and a name."""
    return office[:_OFFICE_STEM].casefold() in sentence.casefold() and bool(_FULL_NAME.search(sentence))


def counted_noun(question: str) -> str:
    """Return what is to be counted ("Mitglieder"), "" where nothing is or where it goes by many names."""
    match = _COUNTED.search(question)
    return match["noun"] if match and not _COUNTED_BY_ANY_NAME.match(match["noun"]) else ""


def _is_of_unit(sentence: str, question: str) -> bool:
    """Say whether a sentence has the unit that the question asks for: an age, a time of day, a share."""
    unit = next((unit for asked, unit in _UNITS if asked.search(question)), None)
    return unit is None or bool(unit.search(sentence))
