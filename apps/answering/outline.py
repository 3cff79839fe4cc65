"""How documents are divided, for follow-up questions that lead to the next section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from apps.documents.models import Section
from apps.documents.search.retriever import run_search
from apps.rag.types import Source

_MOST: Final = 2
# A longer chapter goes through many subjects: what comes next there has nothing to do with the question.
_LONGEST_CHAPTER: Final = 8


class SectionOutline:
    """Implements ``rag.protocols.Outline`` over the sections of documents."""

    async def following(self, source: Source, path: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """Return the heading paths of the sections behind one in the same chapter, on a search thread."""
        return await run_search(lambda: sections_following(source, path))


def sections_following(source: Source, path: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the paths of at most two sections; none in a long chapter or outside of one."""
    sections = Section.objects.filter(version__document__uuid=source.uuid, version__number=source.version)
    here = sections.filter(path=list(path), parent__isnull=False).first()
    if here is None:
        return []
    chapter = list(sections.filter(parent=here.parent_id).values_list("order", "path"))
    if len(chapter) > _LONGEST_CHAPTER:
        return []
    return [tuple(each) for order, each in chapter if order > here.order][:_MOST]
