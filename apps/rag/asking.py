"""What only the reader can complete is asked back; a party that nobody knows is named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from apps.language.normalising import fold
from apps.rag.rewriting.types import Rewriting
from apps.rag.types import AnswerContext, Decision, Question
from apps.rag.understanding import PartyDirectory
from apps.rag.unsaid import is_underspecified

# The reason of a decision to ask back.
WHICH_SUBJECT: Final = "which_subject"
_PARTY_NAMES: Final = (
    re.compile(r"\b(?P<name>[A-ZÄÖÜ][\wäöüß-]{2,}[Pp]artei)\b"),
    re.compile(r"\bPartei\s+(?:[„“\"»‚'])?(?P<name>(?!Deutschlands?\b)[A-ZÄÖÜ][\wäöüß-]+)"),
    re.compile(r"\b[Tt]he\s+(?P<name>[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)\s+[Pp]arty\b"),
)
# Kinds of parties, not names.
_KINDS_OF_PARTY: Final = frozenset(
    (  # noqa: SIM905
        "regierungspartei oppositionspartei volkspartei kleinpartei koalitionspartei mitgliederpartei bundespartei"
        " schwesterpartei protestpartei lieblingspartei splitterpartei nachfolgepartei kanzlerpartei arbeiterpartei"
        " umweltpartei wirtschaftspartei landespartei"
    ).split()
)


def asked_back(
    rewriting: Rewriting, question: Question, directory: PartyDirectory, *, is_complete: bool, context: AnswerContext
) -> Rewriting:
    """Return the decision with what only the reader can complete asked back.

    ``is_complete`` says that editors have named this very question. Where a page or a rule limits the parties, the
    reader need not name one.
    """
    if is_complete:
        split = rewriting.decision in (Decision.CLARIFY, Decision.DECOMPOSE)
        return Rewriting(Decision.SEARCH_AS_IS, question.text, "rule") if split else rewriting
    as_is = rewriting.decision is Decision.SEARCH_AS_IS and not rewriting.turns_used
    if context.party_slugs or not as_is or not is_underspecified(question.text, question.language, directory):
        return rewriting
    return Rewriting(Decision.CLARIFY, question.text, WHICH_SUBJECT)


def unknown_parties(question: str, directory: PartyDirectory, sources: Sequence[str]) -> tuple[str, ...]:
    """Return what a question calls a party and neither the directory nor a source knows, as it is written."""
    known = [question[mention.start : mention.end] for mention in directory.mentions(question)]
    written = fold("\n".join(sources))
    found = [match["name"] for pattern in _PARTY_NAMES for match in pattern.finditer(question)]
    return tuple(
        dict.fromkeys(
            name
            for name in found
            if not any(name in each or each in name for each in known)
            and fold(name) not in _KINDS_OF_PARTY
            and fold(name) not in written
        )
    )
