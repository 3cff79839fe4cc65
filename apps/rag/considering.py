"""What a question's people, time and kind of answer make of the sentences that were read, in one call for judging."""

from __future__ import annotations

from apps.rag.attributing import about_people
from apps.rag.conflicts import Conflict, conflict_in, with_newer_first
from apps.rag.continuing import continued
from apps.rag.opinions import facts_first, views_only
from apps.rag.people import People
from apps.rag.reading import Evidence
from apps.rag.settings import PipelineSettings
from apps.rag.timely import in_time
from apps.rag.understanding import PartyDirectory, Understanding


def considered(
    evidence: Evidence, people: People, understood: Understanding, directory: PartyDirectory, settings: PipelineSettings
) -> tuple[Evidence, Conflict | None]:
    """Return the evidence as it may be quoted, and the contradiction of sources on what is asked, if there is one.

    ``people`` are those whom the question names.
    """
    evidence = continued(about_people(evidence, people), settings)
    conflict = conflict_in(evidence, understood, directory)
    evidence = facts_first(views_only(in_time(evidence, understood, settings), understood), understood)
    if conflict is not None:
        evidence = with_newer_first(evidence, conflict, understood)
    return evidence, conflict
