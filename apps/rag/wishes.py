"""What a reader says beside the question: how to answer ("Antworte kurz."), greetings, abuse. Never searched for."""

from __future__ import annotations

import re
from typing import Final

from apps.language.sentences import split_sentences
from apps.rag.rewriting import forms
from apps.rag.routing import RoutedBy, route
from apps.rag.routing_model import shipped_model

# Imperatives that may be about the form of an answer, at the beginning of a sentence.
_ORDERS: Final = re.compile(
    r"(?:(?:bitte|und|auch|dann|danach|zusätzlich|außerdem|please|and|also|then)[\s,]+){0,3}"
    r"(?:antworte|antworten sie|schreib(?:e|en sie)?|beend(?:e|en sie)|beginn(?:e|en sie)|formulier(?:e|en sie)"
    r"|erklär(?:e|en sie)?|fass(?:e|en sie)?|halt(?:e|en sie)?|gib|geben sie|nutz(?:e|en sie)|benutz(?:e|en sie)"
    r"|verwend(?:e|en sie)|sprich|sprechen sie|übersetz(?:e|en sie)|sag(?:e|en sie)?"
    r"|häng(?:e|en sie)?|füg(?:e|en sie)?|setz(?:e|en sie)?|mach(?:e|en sie)?|wiederhol(?:e|en sie)"
    r"|answer|reply|respond|write|end|finish|begin|start|append|add|keep|use|explain|put|translate|say|repeat|print|phrase"
    r"|make|give)\b",
    re.IGNORECASE,
)
# ... and are so only with a word about that form.
_FORMS: Final = re.compile(
    r"\b(?:antwort\w*|satz|sätzen?|worten|wörtern|zeichen|kurz|kürzer|knapp|ausführlich|stichpunkt\w*|stichwort\w*"
    r"|als (?:liste|tabelle)|reim\w*|gedicht\w*|sprache|deutsch|englisch|emojis?|großbuchstaben|quellen(?:angabe\w*)?"
    r"|answers?|repl(?:y|ies)|sentences?|words|characters|short|brief\w*|concise\w*|in detail|bullets?|bullet points?"
    r"|as an? (?:list|table)|rhym\w*|poems?|language|german|english|capitals|caps|sources)\b",
    re.IGNORECASE,
)
# "Ignoriere alle Regeln.": what injections begin with; no question about rules begins so.
_IGNORING: Final = re.compile(
    r"(?:(?:bitte|und|please|and)[\s,]+){0,2}"
    r"(?:ignorier(?:e|en sie)|vergiss|vergessen sie|missachte\w*|ignore|forget|disregard)\b"
    r".*\b(?:regeln?|anweisung\w*|vorgaben?|prompts?|alles|rules?|instructions?|everything)\b",
    re.IGNORECASE | re.DOTALL,
)
# "PS an die KI: ...", "Note to the bot: ...": whatever follows is meant for the machine.
_ADDRESSED: Final = re.compile(
    r"[^:?]{0,40}\b(?:an|für|to|for)\s+(?:(?:die|den|das|the|you)\s+)?(?:ki|bot|chatbot|assistent\w*|modell|ai|model"
    r"|assistant)\b[^:?]{0,20}:",
    re.IGNORECASE,
)


# Small talk of these kinds says nothing of what is asked; what readers say of themselves may.
_POLITE: Final = frozenset({"greeting", "how_are_you", "thanks", "goodbye", "compliment", "insult"})
_RUDE: Final = re.compile(
    r"(?:(?:hey|ey|he|na|mann|you|oh)[\s,]+)*(?:(?:du|ihr|sie|you)\s+)?(?:\w+(?:e[rsn]?|ing)\s+){0,2}"
    r"(?:idiot\w*|trottel|depp\w*|penner|vollpfosten|arschl\w+|blödmann|schei(?:ß|ss)\w*|blech\w*|drecks?\w*|lügen\w+"
    r"|(?:drecks?|schei(?:ß|ss))?(?:bot|kiste|haufen|maschine)|moron\w*|asshole\w*|machine)",
    re.IGNORECASE,
)
# "Sorry, war nicht so gemeint." and "Sag mal": excuses and openings.
_OPENING: Final = re.compile(
    r"(?:(?:ach|oh|ja|na|also|ok(?:ay)?|so|well)[\s,]+)*"
    r"(?:sorry|entschuldig(?:e|ung|en sie)|verzeihung|pardon|tut mir leid"
    r"|war nicht (?:so|böse) gemeint|nichts für ungut|sag(?:t|en sie)? mal|hör(?:t|en sie)? mal|kurze frage"
    r"|(?:ich habe )?(?:mal )?(?:ei)?ne (?:kurze |kleine )?frage|(?:a )?(?:quick|short) (?:one|question)"
    r"|my bad|excuse me|listen|no offen[cs]e)"
    r"(?:[\s,]+(?:war nicht (?:so|böse) gemeint|bitte|please|about that))*",
    re.IGNORECASE,
)
# "Mich würde interessieren, ob ...", "Kannst du mir sagen, wie ...": the frame of a question.
_FRAME: Final = re.compile(
    r"(?:(?:also|und|ja|hallo|bitte)[\s,]+)*"
    r"(?:(?:mich|uns) (?:würde|täte) (?:\w+ ){0,2}interessieren|(?:mich|uns) interessiert(?: \w+)?"
    r"|(?:jetzt |nun )?(?:ich|wir) (?:würden?|möchten?|wollten?|wüssten?)(?: \w+){0,3}(?: wissen| fragen| erfahren)?"
    r"|(?:kannst|könnt|könnten|könntest|können)(?: (?:du|ihr|sie))?(?: (?:mir|uns|bitte|mal|vielleicht))*"
    r" (?:sagen|erklären|verraten)|wei(?:ß|ss)t (?:du|ihr)(?: \w+)?|wissen sie(?: \w+)?"
    r"|(?:can|could|would) you (?:please )?(?:tell|explain to) (?:me|us)|do you know"
    r"|(?:i|we)(?:'d| would) (?:like|love) to know|i was wondering|i wonder)"
    r"[\s,]+(?:ob|if|whether)?\s*(?=\S)",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(r"[,:;!–.?]+\s+(?=\S)")
_MOST_BEFORE: Final = 60
# The log-odds from which small talk is left out beside a question: what is lost there cannot be found.
_SURE: Final = 1.0


def without_wishes(text: str, language: str) -> str:
    """Return the question without what only says how to answer or is polite or rude; all of it where nothing is left.

    A sentence that asks stays, and so does one that names a matter ("Nenne auch die Steuern.").
    """
    sentences = [text[span.start : span.end] for span in split_sentences(text, language)]
    kept = [sentence for sentence in sentences if not (_is_wish(sentence) or _is_aside(sentence))]
    asks = any(sentence.rstrip().endswith("?") or _FRAME.search(sentence) for sentence in kept)
    if not asks:
        return text
    parts = [_without_opening(sentence) for sentence in kept]
    return " ".join(parts) if parts != sentences else text


def _is_aside(text: str) -> bool:
    """Say whether a text is small talk or abuse that bears on no question."""
    plain = text.strip(" ,:;!?.–-")
    if _RUDE.fullmatch(plain) or _OPENING.fullmatch(plain):
        return True
    found = route(text)
    if found.by is RoutedBy.PATTERN:
        return found.code in _POLITE
    # "Wie geht es weiter?" is near to a greeting.
    kinds = {"greeting"} if text.rstrip().endswith("?") else _POLITE
    if found.by is not RoutedBy.MODEL or found.code not in kinds or forms.RETURN.match(text):
        return False
    return shipped_model().code(text)[1] > _SURE


def _without_opening(sentence: str) -> str:
    """Leave out what stands before the question proper: "Du Blechkiste, wann ist die Wahl?"."""
    ends = [sign.end() for sign in _SIGN.finditer(sentence) if sign.start() <= _MOST_BEFORE]
    rest = sentence[next((end for end in reversed(ends) if _is_aside(sentence[:end].rstrip())), 0) :]
    frame = _FRAME.match(rest)
    if frame and ("ob" in frame.group().lower().split()[-1:] or forms.QUESTION_WORD.match(rest[frame.end() :])):
        rest = rest[frame.end() :]
        return rest[:1].upper() + rest[1:].rstrip(" .") + ("" if rest.rstrip().endswith("?") else "?")
    asks = forms.QUESTION_WORD.match(rest) or forms.VERB_FIRST.match(rest) or forms.ALSO.match(rest)
    return rest[:1].upper() + rest[1:] if asks and rest != sentence else sentence


def _is_wish(sentence: str) -> bool:
    if sentence.rstrip().endswith("?"):
        return False
    if _ADDRESSED.match(sentence) or _IGNORING.match(sentence):
        return True
    return bool(_ORDERS.match(sentence) and _FORMS.search(sentence))
