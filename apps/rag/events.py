"""What ``stream()`` yields: the single source of truth for page, API, bench and evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from apps.rag.desk import DeskLink, RuleMatch, RuleUse
from apps.rag.rewriting.types import Reference, Rewriting
from apps.rag.types import Citation, Decision, NoticeKind, Outcome, Passage, Signals
from apps.rag.understanding import Understanding


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision before the search, with the stand-alone query (the question itself when it is as-is).

    ``rule`` is what the editors' rules say; None where nobody asked them. ``references`` are what the reader's words
    stood for, ``choices`` the readings of a CLARIFY, ``sub_queries`` the questions that are answered one after the
    other, ``turns_used`` the numbers of the turns that were leaned on. ``versions`` name what the answer is made with:
    settings, index, model, prompts. ``understood`` is what was read out of each query before it was searched; empty
    where nothing is.
    """

    decision: Decision
    query: str
    reason: str = ""
    rule: RuleMatch | None = None
    references: tuple[Reference, ...] = ()
    choices: tuple[str, ...] = ()
    sub_queries: tuple[str, ...] = ()
    turns_used: tuple[int, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    understood: tuple[Understanding, ...] = ()


def decided(
    rewriting: Rewriting,
    rule: RuleMatch | None,
    versions: Mapping[str, str],
    understood: Sequence[Understanding] = (),
) -> Decided:
    """Return the event for what a rewriter has decided."""
    return Decided(
        rewriting.decision,
        rewriting.standalone_query,
        rewriting.reason,
        rule,
        rewriting.resolved_references,
        rewriting.choices,
        rewriting.sub_queries,
        rewriting.turns_used,
        versions,
        tuple(understood),
    )


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The passages that may be quoted and the signals about them: a rule's in the editors' order, then best first.

    ``use`` says what became of the rule; None without one.
    """

    passages: tuple[Passage, ...]
    signals: Signals | None = None
    use: RuleUse | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence that passed the gate. ``group`` is the party's name wherever a party speaks, else empty.

    ``is_more`` marks sentences that stand behind "more". ``language`` is the quotation's own.
    """

    text: str
    citations: tuple[Citation, ...]
    group: str = ""
    is_quote: bool = True
    is_more: bool = False
    language: str = "de"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that is not a cited sentence. ``code`` names the template text, ``choices`` become buttons.

    ``subjects`` are what the text speaks of, such as the parties that say nothing. ``nearest`` is offered, never cited.
    ``links`` are what the desk recommends to read on. The desk's own text is ``signed`` and dated with ``as_of``.
    ``evidence`` are the chunks behind follow-up questions.
    """

    kind: NoticeKind
    code: str
    text: str = ""
    choices: tuple[str, ...] = ()
    nearest: tuple[Passage, ...] = ()
    subjects: tuple[str, ...] = ()
    links: tuple[DeskLink, ...] = ()
    signed: str = ""
    as_of: date | None = None
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Restart:
    """The first ``kept`` sentences stand; what came after them is replaced."""

    kept: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a turn, with how long each stage took in milliseconds.

    ``writing`` says what a model did, for the record: its name, the version of the prompt, the grounding and the faults
    of rejected drafts. Empty where no model was asked. ``is_whole`` is False where follow-ups may be missing only
    because there was no time or room to look for them.
    """

    outcome: Outcome
    timings: Mapping[str, float] = field(default_factory=dict)
    writing: Mapping[str, str] = field(default_factory=dict)
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Failed:
    """The end of a turn that broke. ``code`` is for the log and the message, never a reader's words."""

    code: str
    versions: Mapping[str, str] = field(default_factory=dict)


Event = Decided | Retrieved | Sentence | Notice | Restart | Done | Failed
