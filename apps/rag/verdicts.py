"""What the second stage says about the evidence for one question: five outcomes, and what each rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from apps.rag.events import Notice
from apps.rag.refusal import RefusalCode


class Sufficiency(StrEnum):
    """The five outcomes of judging what was read. ``sufficiency.judge`` decides all but CONFLICT."""

    # The passages answer this question.
    ANSWER = "answer"
    # They answer it, with something to be said first or left open: a premise they contradict, an aspect they lack.
    CAVEAT = "caveat"
    # On the subject, but aspects of the question stand nowhere: worth one more search for ``Verdict.missing``. A
    # verdict is settled afterwards: nobody is shown a gap.
    GAP = "gap"
    # Sources that each would suffice contradict each other. Set by ``Verdict.in_conflict`` where they are compared.
    CONFLICT = "conflict"
    # Nothing here answers it; ``Verdict.refusal`` says why.
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the evidence of one sub-question was judged.

    ``refusal`` says why there is no answer; None when there is one. A GAP has it where nothing can be quoted unless
    the gap is closed. ``probability`` is the model's, 0 to 1. ``missing`` are the words of the question that no
    passage holds, as the reader wrote them, ``other_words`` what sources may call the same: both are worth a search.
    ``subjects`` are what a refusal names, ``caveat`` is what has to be said before the first sentence. ``features`` is
    what the decision saw, with its thresholds, for the trace.
    """

    outcome: Sufficiency
    probability: float
    refusal: RefusalCode | None = None
    missing: tuple[str, ...] = ()
    other_words: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    caveat: Notice | None = None
    features: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)

    @property
    def suffices(self) -> bool:
        """Say whether something may be quoted."""
        return self.refusal is None

    def settled(self) -> Self:
        """Return the verdict that stands when no search closes the gap: an answer with a caveat, or a refusal."""
        if self.outcome is not Sufficiency.GAP:
            return self
        return replace(self, outcome=Sufficiency.CAVEAT if self.suffices else Sufficiency.REFUSE)

    def in_conflict(self) -> Self:
        """Return the verdict for sources that contradict each other; what does not suffice stays refused."""
        return replace(self, outcome=Sufficiency.CONFLICT) if self.suffices else self
