"""What fields, choices and quantifiers of a rule are called at the desk."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.rules.types import Need, Slot, TokenList, WordMode

Words = dict[str, str | Promise]

LISTS: Final[Words] = {
    "core": gettext_lazy("core words"),
    "anchor": gettext_lazy("anchor words"),
    "exclude": gettext_lazy("excluded words"),
}
STATUSES: Final[Words] = {
    "draft": gettext_lazy("draft"),
    "active": gettext_lazy("active"),
    "paused": gettext_lazy("paused"),
    "archived": gettext_lazy("archived"),
}
STAGES: Final[Words] = {
    "exact": gettext_lazy("exact"),
    "fuzzy": gettext_lazy("similar"),
    "token": gettext_lazy("by words"),
}
FIELDS: Final[Words] = {
    "title": gettext_lazy("Title"),
    "parent": gettext_lazy("Below"),
    "position": gettext_lazy("Position"),
    "status": gettext_lazy("Status"),
    "priority": gettext_lazy("Priority"),
    "valid_from": gettext_lazy("Valid from"),
    "valid_until": gettext_lazy("Valid until"),
    "languages": gettext_lazy("Languages"),
    "audiences": gettext_lazy("Audiences"),
    "builder_choices": gettext_lazy("Choices in the question builder"),
    "hit_policy": gettext_lazy("When other rules match too"),
    "extra": gettext_lazy("Search for more"),
    "fill_up_to": gettext_lazy("Fill up to"),
    "threshold": gettext_lazy("Similarity in percent"),
    "phrases": gettext_lazy("Phrases"),
    "core": gettext_lazy("Core words"),
    "anchor": gettext_lazy("Anchor words"),
    "exclude": gettext_lazy("Excluded words"),
    "documents": gettext_lazy("Documents"),
    "links": gettext_lazy("Links to read on"),
    "answer": gettext_lazy("Curated answer"),
    "examples": gettext_lazy("Examples"),
    "tags": gettext_lazy("Tags"),
    "owner": gettext_lazy("Owner"),
    "reason": gettext_lazy("Why"),
}
PARTS: Final[Words] = {
    "need": gettext_lazy("how many"),
    "text": gettext_lazy("text"),
    "is_desk_text": gettext_lazy("the desk's own text"),
    "owner": gettext_lazy("signed by"),
    "checked": gettext_lazy("as of"),
    "expires": gettext_lazy("show until"),
}
CHOICES: Final[dict[tuple[str, str], str | Promise]] = {
    **{("status", value): words for value, words in STATUSES.items()},
    **{("stage", value): words for value, words in STAGES.items()},
    ("hit_policy", "stop"): gettext_lazy("only this rule's documents"),
    ("hit_policy", "collect"): gettext_lazy("further matching rules add theirs"),
    ("extra", "off"): gettext_lazy("no: only what is linked here"),
    ("extra", "on"): gettext_lazy("yes: always add what search finds"),
    ("extra", "fill"): gettext_lazy("fill up with what search finds"),
    ("audiences", "readers"): gettext_lazy("readers on our page"),
    ("audiences", "embed"): gettext_lazy("readers of the embedded widget"),
    ("audiences", "api"): gettext_lazy("programs that ask over the API"),
    ("audiences", "desk"): gettext_lazy("the desk itself"),
}
_MODES: Final[dict[WordMode, str | Promise]] = {
    WordMode.EXACTLY: gettext_lazy("exactly so"),
    WordMode.STARTS: gettext_lazy("starts with"),
    WordMode.ENDS: gettext_lazy("ends with"),
}


def need_words(tokens: TokenList) -> str:
    """Return how many of a list are needed, for example "at least 2 of"."""
    if tokens.need is Need.ALL:
        return _("all of")
    if tokens.need is Need.ANY:
        return _("any of")
    amount = tokens.amount or 0
    if tokens.need is Need.PERCENT:
        return _("at least half of") if amount == 50 else _("at least %(amount)s percent of") % {"amount": amount}
    return ngettext("at least one of", "at least %(amount)s of", amount) % {"amount": amount}


def slot_words(slot: Slot) -> str:
    """Return a word of a list with how it is compared, for example “wahl” (ends with)."""
    mode = _MODES.get(slot.mode)
    return f"“{slot.text}” ({mode})" if mode else f"“{slot.text}”"
