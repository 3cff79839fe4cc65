"""When is a run too bad to be taken? Then the topics of yesterday stay."""

from __future__ import annotations

from typing import Final

from apps.topics.modelling.types import Discovery

FEWEST: Final = 3
LARGEST_SHARE: Final = 0.5
UNPLACED_SHARE: Final = 0.6
SURVIVAL: Final = 0.7


def refusal(found: Discovery) -> str:
    """Return the code of what is wrong with a proposal, empty for nothing."""
    if found.count < FEWEST:
        return "too_few_topics"
    if found.largest_share > LARGEST_SHARE:
        return "one_topic_swallows_all"
    if found.unplaced_share > UNPLACED_SHARE:
        return "too_many_unplaced"
    return ""


def survival_refusal(survival: float, active: int) -> str:
    """Return the code where too many active topics would lose their identity; with a handful, chance decides."""
    return "too_many_lost" if active >= FEWEST and survival < SURVIVAL else ""
