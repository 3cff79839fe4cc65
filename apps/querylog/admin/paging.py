"""Pages of a list that may be of any size: counted as far as anybody turns them, and no further."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.utils.functional import cached_property

MOST_LISTED: Final = 2_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts at most so many rows: an exact number of a million costs more than the page."""

    @cached_property
    def count(self) -> int:
        rows = self.object_list.order_by()[: MOST_LISTED + 1]  # type: ignore[attr-defined]
        return min(MOST_LISTED, rows.count())
