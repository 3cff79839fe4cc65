"""What differs between two answers to the same question, made with two versions of the settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.answering.bench.plain import Plain
from apps.answering.bench.report import DecisionRow, PassageRow, Report


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact that differs. ``name`` is its code; ``kind`` says what its values name: "" where they are plain."""

    name: str
    kind: str
    left: Plain
    right: Plain


@dataclass(frozen=True, slots=True)
class ComparedSentence:
    """A sentence of either answer, in the left one's order first."""

    text: str
    is_left: bool
    is_right: bool


@dataclass(frozen=True, slots=True)
class MovedPassage:
    """A passage whose place differs; None where it was not found at all."""

    passage: PassageRow
    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class ComparedTime:
    """How long a stage took, in milliseconds; None where it never began."""

    stage: str
    left: float | None
    right: float | None


@dataclass(frozen=True, slots=True)
class Differences:
    """Everything that differs, and the sentences and times of both."""

    facts: tuple[ChangedFact, ...]
    sentences: tuple[ComparedSentence, ...]
    passages: tuple[MovedPassage, ...]
    times: tuple[ComparedTime, ...]

    @property
    def is_same_answer(self) -> bool:
        """Say whether readers would see the same sentences in the same order."""
        return not self.facts and all(each.is_left and each.is_right for each in self.sentences)

    @property
    def only_in_one(self) -> int:
        return sum(each.is_left != each.is_right for each in self.sentences)


def differences(left: Report, right: Report) -> Differences:
    """Compare two reports on one question."""
    return Differences(
        facts=tuple(_facts(left, right)),
        sentences=_sentences(left, right),
        passages=_passages(left, right),
        times=_times(left, right),
    )


def _facts(left: Report, right: Report) -> Iterator[ChangedFact]:
    pairs: tuple[tuple[str, str, Plain, Plain], ...] = (
        ("outcome", "outcome", left.outcome, right.outcome),
        ("failure", "failure", left.failure, right.failure),
        ("decision", "decision", _decision(left).decision, _decision(right).decision),
        ("reason", "reason", _decision(left).reason, _decision(right).reason),
        ("query", "", _decision(left).query, _decision(right).query),
        ("notices", "", _notices(left), _notices(right)),
        ("confidence_score", "", left.signals.get("confidence_score"), right.signals.get("confidence_score")),
    )
    for name, kind, one, other in pairs:
        if one != other:
            yield ChangedFact(name, kind, one, other)
    if left.sentences != right.sentences and set(left.sentences) == set(right.sentences):
        yield ChangedFact("order", "", " / ".join(left.sentences), " / ".join(right.sentences))
    for name in dict.fromkeys((*left.versions, *right.versions)):
        if left.versions.get(name) != right.versions.get(name):
            yield ChangedFact(name, "", left.versions.get(name), right.versions.get(name))


def _decision(report: Report) -> DecisionRow:
    return report.decision or DecisionRow("", "", "", (), (), (), (), (), "")


def _notices(report: Report) -> str:
    return ", ".join(notice.code for notice in report.notices)


def _sentences(left: Report, right: Report) -> tuple[ComparedSentence, ...]:
    texts = dict.fromkeys((*left.sentences, *right.sentences))
    return tuple(ComparedSentence(text, text in left.sentences, text in right.sentences) for text in texts)


def _passages(left: Report, right: Report) -> tuple[MovedPassage, ...]:
    ours, theirs = _places(left), _places(right)
    moved = []
    for chunk, passage in {**_rows(right), **_rows(left)}.items():
        if ours.get(chunk) != theirs.get(chunk):
            moved.append(MovedPassage(passage, ours.get(chunk), theirs.get(chunk)))
    return tuple(sorted(moved, key=lambda each: (each.left or 10_000, each.right or 10_000)))


def _rows(report: Report) -> Mapping[int, PassageRow]:
    return {row.chunk: row for found in report.found for row in found.passages if row.number}


def _places(report: Report) -> Mapping[int, int]:
    return {chunk: row.number for chunk, row in _rows(report).items()}


def _times(left: Report, right: Report) -> tuple[ComparedTime, ...]:
    ours = {stage.name: stage.ms for stage in left.stages} | {"total": left.total}
    theirs = {stage.name: stage.ms for stage in right.stages} | {"total": right.total}
    return tuple(ComparedTime(name, ours.get(name), theirs.get(name)) for name in {**ours, **theirs})
