"""What a question claims before it asks, held against the sources: its figures, its names, its "why"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from apps.language.numbers import Value, figures, values
from apps.language.thesaurus import term_stem, thesaurus
from apps.language.tokenising import tokenise
from apps.rag.answer_types import AnswerType
from apps.rag.naming import unknown_names
from apps.rag.reading import Evidence
from apps.rag.windows import Window, around

# A window that holds this much less of the question than the best one speaks of something else.
_NEAR_THE_BEST: Final = 0.25
_NEGATED: Final = re.compile(
    r"\b(?:nicht|nie|niemals|kein\w*|ohne|weder|statt|ablehn\w*|abgelehnt|abgeschafft|entfallen|entfällt|verzichte\w*"
    r"|bleib\w*|behalten|beibehalten|halten|festhalten|im gegenteil|gegen"
    r"|not|no|never|without|neither|reject\w*|oppose\w*|abolished|instead|keep|keeps|remains?|stays?|free)\b"
    r"|\blehn\w*\b.*\bab\b|n't\b",
    re.IGNORECASE,
)
_ASKED_NEGATED: Final = re.compile(
    r"\b(?:nicht|kein\w*|nie|ohne|gegen|lehn\w*|not|no|never|against|reject\w*|oppose\w*)\b|n't\b", re.I
)
_IN_A_PLACE: Final = re.compile(r"\b(?:in|aus|nach|from)\s+(?P<name>[A-ZÄÖÜ][\w-]{3,})")
# A number inside a name claims nothing: "49-Euro-Ticket", "18-Jährige".
_PART_OF_A_NAME: Final = re.compile(r"\b\d+-(?=[A-Za-zÄÖÜäöü])")
_ASKS: Final = re.compile(
    r"\b(?:was|wie|welche[rsnm]?|wer|wen|wem|wo|wohin|woher|wann|womit|wofür|what|how|which|who|where|when)\b",
    re.IGNORECASE,
)
# What is asked for is a position: a figure beside it names the subject, "Rente nach 40 Jahren", and claims nothing.
_ASKS_FOR_POSITION: Final = re.compile(
    r"\b(?:zum thema|zu den themen|haltung|position|meinung|standpunkt|ansicht|stance|view|topic of)\b"
    r"|^\W*(?:was (?:sag|mein|denk|hält|halt)|wie steh|how do(?:es)?\b.*\bstand\b|what do(?:es)?\b.*\b(?:say|think)\b)",
    re.IGNORECASE,
)
_IS_IT_TRUE: Final = re.compile(
    r"\b(?:stimmt es|ist es (?:wahr|richtig)|trifft es zu|is it true|is it right)\b", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)\d\d")
_SCALES: Final = frozenset({"mill", "mrd", "mio", "taus", "tsd", "bill", "tril", "thou"})
_GONE: Final = re.compile(r"\b(?:kein\w*|nicht mehr|abgeschafft|entfallen|no longer|abolished|no)\b", re.I)
# From this share of the question on, a sentence speaks of its subject.
_SPEAKS_OF_IT: Final = 0.4
_EXISTING: Final = frozenset({AnswerType.NUMBER, AnswerType.DATE, AnswerType.PLACE})
# "Welche Ausnahmen gibt es?" takes for granted that there are some; "Welche Pläne hat ...?" is an open question.
_ASKS_WHICH: Final = re.compile(
    r"^\W*(?:welche[rsnm]?|which)\b(?!\W+(?:pläne|plan|position|haltung|meinung|ansicht|standpunkt|idee|ziel|vorschl|forderung"
    r"|vorhaben|maßnahme|konzept|politik|rolle|linie|aussage|versprech|plans?\b|polic|stance|view|idea|proposal|goal|measure))",
    re.IGNORECASE,
)


Figure = tuple[str, frozenset[Value]]


class Premise(StrEnum):
    """What of a question's premises the sources do not bear out."""

    # They have another figure.
    VALUE = "premise_value"
    # They say otherwise, or nothing, on what the question takes for granted.
    UNCONFIRMED = "premise_unconfirmed"


@dataclass(frozen=True, slots=True)
class Claims:
    """``figures`` and ``names`` of a question that the best windows and their sources do not have, as written.

    ``premise`` is set where the sources can correct what was claimed; then ``figures`` are what they correct.
    """

    figures: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    premise: Premise | None = None


def is_claim(question: str) -> bool:
    """Say whether a question can be answered with yes or no: what it says may be wrong."""
    return bool(_IS_IT_TRUE.search(question)) or not _ASKS.search(question)


def best_windows(windows: Sequence[Window]) -> list[Window]:
    """Return the windows that speak of the question about as much as the best one."""
    best = max((window.share for window in windows), default=0.0)
    return [window for window in windows if window.share >= best - _NEAR_THE_BEST]


def check_claims(evidence: Evidence, windows: Sequence[Window]) -> Claims:
    """Hold the figures, names and the "why" of a question against what was read."""
    near = best_windows(windows)
    claimed = _unfounded_figures(evidence, _on_subject(windows, evidence))
    names = _unknown_names(evidence)
    if claimed and _can_be_corrected(evidence, near):
        return Claims(claimed, names, Premise.VALUE)
    if claimed or names or not near:
        return Claims(claimed, names)
    return Claims(premise=Premise.UNCONFIRMED if _is_unconfirmed(evidence, near) else None)


def _on_subject(windows: Sequence[Window], evidence: Evidence) -> list[Window]:
    """Return the windows that speak of the question about as much as the best one, figures left out.

    What has "2031" and nothing else of a question is not on its subject.
    """
    numbers = evidence.coverage.numbers
    if not any(numbers) or all(numbers):
        return best_windows(windows)
    shares = [
        evidence.coverage.share(
            tuple(0.0 if is_number else match for match, is_number in zip(each.matches, numbers, strict=True))
        )
        for each in windows
    ]
    least = max(shares, default=0.0) - _NEAR_THE_BEST
    return [window for window, share in zip(windows, shares, strict=True) if share >= least]


def _unfounded_figures(evidence: Evidence, near: Sequence[Window]) -> tuple[str, ...]:
    """The figures that no window on the subject has, nor what stands above it, nor the day it was published."""
    if evidence.asked is AnswerType.ANY and _ASKS_FOR_POSITION.search(evidence.question):
        return ()
    question = _PART_OF_A_NAME.sub("", evidence.question)
    asked = figures(question, evidence.language)
    if not asked:
        return ()
    stated: list[Figure] = []
    for window in near:
        passage = evidence.passages[window.rank]
        stated += figures(f"{window.text}\n{around(passage)}", passage.source.language)
        # A year is said once, for all that follows.
        stated += [each for each in figures(passage.text, passage.source.language) if _is_year(each)]
        if passage.source.published:
            stated += figures(passage.source.published.isoformat(), "de")
    return tuple(
        text for text, claimed in asked if claimed and not any(_bears_out((text, claimed), each) for each in stated)
    )


def _is_year(figure: Figure) -> bool:
    return bool(_YEAR.fullmatch(figure[0]))


def _bears_out(asked: Figure, stated: Figure) -> bool:
    """Say whether two figures are the same: a day needs its day, 18 Euro are not 18 years."""
    days = {value for value in asked[1] if value.kind in ("date", "day")}
    months = {value for value in asked[1] if value.kind == "month"}
    if not (days or months or asked[1]) & stated[1]:
        return False
    units = {_unit(asked[0]), _unit(stated[0])}
    return len(units) == 1 or "" in units


def _unit(figure: str) -> str:
    """The beginning of a figure's unit: Jahr and Jahren are one, a scale is none."""
    word = figure.split()[-1].casefold() if " " in figure or figure.endswith("%") else ""
    return "proz" if word.endswith(("%", "percent")) else word[:4] if word.isalpha() and word[:4] not in _SCALES else ""


def _can_be_corrected(evidence: Evidence, near: Sequence[Window]) -> bool:
    """Say whether a question claims its figure ("Sind es 20 Euro?") and the sources have another one.

    Where it asks for a number or date itself, its own figure is a frame ("im Jahr 2031"): another frame is no answer.
    """
    if not near or not (evidence.asked is AnswerType.REASON or is_claim(evidence.question)):
        return False
    best = max(near, key=lambda window: (window.share, max(each.cosine for each in window.sentences)))
    return bool(values(best.text, evidence.passages[best.rank].source.language))


def _unknown_names(evidence: Evidence) -> tuple[str, ...]:
    """Names and places of the question that nothing of what was read has."""
    sources = [
        text for passage in evidence.passages for text in (passage.text, around(passage), passage.source.party_name)
    ]
    names = unknown_names(evidence.question, evidence.language, sources, evidence.passages[0].source.language)
    ideas = thesaurus().ideas_of([term_stem(name, evidence.language) for name in names], evidence.language)
    found = [name for name, known in zip(names, ideas, strict=True) if not known]
    places = [match["name"] for match in _IN_A_PLACE.finditer(evidence.question)]
    return tuple(dict.fromkeys([*found, *(place for place in places if _is_unknown_place(place, evidence))]))


def _is_unknown_place(place: str, evidence: Evidence) -> bool:
    """Say whether what stands behind "in" is of no idea and no source: in German, any noun may stand there."""
    if thesaurus().ideas_of([term_stem(place, evidence.language)], evidence.language)[0]:
        return False
    missing = evidence.coverage.missing(*(sentence.matches for sentence in evidence.sentences))
    written = {token.folded for passage in evidence.passages for token in tokenise(around(passage))}
    return place in missing and tokenise(place)[0].folded not in written


def _is_unconfirmed(evidence: Evidence, near: Sequence[Window]) -> bool:
    """Say whether a question takes for granted what the best window denies or does not speak of."""
    presupposes = evidence.asked in _EXISTING or _ASKS_WHICH.search(evidence.question)
    if evidence.asked is not AnswerType.REASON and not presupposes:
        return False
    best = max(near, key=lambda window: (window.share, max(each.cosine for each in window.sentences)))
    denies = bool(_NEGATED.search(best.text)) is not bool(_ASKED_NEGATED.search(evidence.question))
    if evidence.asked is AnswerType.REASON:
        return denies or min(best.matches, default=1.0) < 0.5
    # "Nicht mehr" denies what its own sentence speaks of, not what the heading above it names.
    language = evidence.passages[best.rank].source.language
    gone = [each.text for each in best.sentences if _GONE.search(each.text)]
    shares = [evidence.coverage.share(evidence.coverage.matches(text, language)) for text in gone]
    return denies and max(shares, default=0.0) >= _SPEAKS_OF_IT
