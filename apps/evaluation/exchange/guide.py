"""What a table of questions holds, column by column, for the page of the import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class GuideLine:
    """One line of the guide."""

    names: tuple[str, ...]
    meaning: Promise
    example: str


GUIDE: Final = (
    GuideLine(("id", "turn"), _("names the question; the turns of a conversation share the id"), "a001, 1"),
    GuideLine(("question", "language"), _("what a reader asks, and in which language"), "Was kostet Briefwahl?, de"),
    GuideLine(
        ("set", "kind"),
        _(
            "what it is asked for (answerable, unanswerable, dialogue, procedure, opinion, injection), and more "
            "exactly, such as wrong_party"
        ),
        "unanswerable, wrong_party",
    ),
    GuideLine(("expected",), _("answer, quote, refuse, correct or clarify; empty: not judged"), "answer"),
    GuideLine(
        ("decision",),
        _("what is decided before the search: CHAT, SEARCH_AS_IS, REWRITE, CLARIFY or DECOMPOSE"),
        "REWRITE",
    ),
    GuideLine(
        ("references", "needs"),
        _("the documents that answer it, one per line with words of each; any of them is enough, or all are needed"),
        "https://example.org/programm | 16,50 Euro",
    ),
    GuideLine(("speaker",), _("whose opinion has to be named"), "Lena Harms"),
    GuideLine(("forbidden",), _("what readers may not be shown, one per line"), "HACKED"),
    GuideLine(
        ("allowed", "must", "forbidden_additions"),
        _("parties that the stand-alone query may name (“-” for none), words it must hold, words nobody may add"),
        "Brückenbund",
    ),
    GuideLine(("offers", "items"), _("what the answer offered and listed, for the next turn"), "Briefwahl"),
    GuideLine(
        ("choices", "queries"),
        _("what was clicked in the question builder, one per line, and what it searches for"),
        "wohnen",
    ),
    GuideLine(("absent",), _("words without which no source could answer, and which none has"), "Zeitumstellung"),
    GuideLine(("topic", "party", "legal_basis", "typo", "note"), _("notes of whoever wrote it"), "rente"),
)
