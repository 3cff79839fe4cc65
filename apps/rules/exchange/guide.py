"""What the columns of a table of rules hold, for the page and whoever fills a table in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class ColumnGuide:
    """Columns that are written alike, what they hold, and an example as it stands in a cell."""

    names: tuple[str, ...]
    meaning: Promise
    example: str = ""


GUIDE: Final = (
    ColumnGuide(("uid",), _("The rule's short name. A rule that is known is changed, another is new."), "briefwahl"),
    ColumnGuide(("title", "reason", "owner"), _("Text; the owner is a user name."), "Briefwahl beantragen"),
    ColumnGuide(("parent", "position"), _("The rule it stands below, and its place there."), "waehlen"),
    ColumnGuide(("status",), _("draft, active, paused or archived. A new rule without one is active."), "active"),
    ColumnGuide(
        ("phrases",),
        _("One per line. “only exactly:” before one that similar questions must not match."),
        "Wie beantrage ich Briefwahl?\nonly exactly: Briefwahl",
    ),
    ColumnGuide(
        ("core", "anchor", "exclude"),
        _("One word per line, alternatives with | between; “exactly:”, “starts:” or “ends:” before it as needed."),
        "Briefwahl | Wahlschein\nstarts: antrag",
    ),
    ColumnGuide(
        ("core_need", "anchor_need", "exclude_need"),
        _("How many of these words: all, any, at least 2, at least 50 %."),
        "at least 50 %",
    ),
    ColumnGuide(
        ("documents",),
        _("One per line: the document's UUID, its title, then as needed how much of it, with | between."),
        "3f2a… | Wahlleitfaden | first 3 | at most 2000 tokens\n"
        "8c1d… | Programm | section Wirtschaft > Mindestlohn\n9b7e… | Satzung | passages 2-5",
    ),
    ColumnGuide(("links",), _("Addresses of curated links, one per line."), "https://zeitung.example/briefwahl"),
    ColumnGuide(("extra", "fill_up_to"), _("Search for more: off, on, or fill up to so many passages."), "fill"),
    ColumnGuide(
        ("answer", "answer_is_desk_text", "answer_owner", "answer_checked", "answer_expires"),
        _("The curated answer, yes or no for the desk's own text, who signs it, and its two days."),
        "2027-01-31",
    ),
    ColumnGuide(
        ("valid_from", "valid_until"),
        _("Day and time; without a time zone the newsroom's counts."),
        "2027-01-31 18:00",
    ),
    ColumnGuide(("languages", "audiences", "builder_choices", "tags"), _("Words with commas between."), "de, en"),
    ColumnGuide(
        ("priority", "threshold", "hit_policy"),
        _("Numbers; an empty threshold is the rule's above. The policy is stop or collect."),
        "100",
    ),
    ColumnGuide(
        ("examples",),
        _("One question per line after “yes:” or “no:”, with the stage in brackets where it matters."),
        "yes: Wo gibt es Briefwahl?\nyes (exact): Briefwahl\nno: Briefwahl in Österreich?",
    ),
)
