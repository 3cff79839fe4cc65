"""When a second search is worth its time: aspects of the question that nothing found so far speaks of."""

from __future__ import annotations

from typing import Final

# The share of the aspects under which the missing ones are searched for once more.
LOW_COVERAGE: Final = 0.7
