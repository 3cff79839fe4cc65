"""What the rules did in a turn, in the desk's words: sentences made of a stored RuleRecord."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

_STAGES: Final = {
    "exact": gettext_lazy("word for word"),
    "fuzzy": gettext_lazy("by similarity"),
    "token": gettext_lazy("by its words"),
}
_LOST: Final = {
    "stage": gettext_lazy("it matched at a later stage"),
    "priority": gettext_lazy("it has the higher number as its priority"),
    "depth": gettext_lazy("it stands higher in the tree"),
    "words": gettext_lazy("fewer words matched"),
    "score": gettext_lazy("it matched less well"),
    "validity": gettext_lazy("it is valid for longer"),
    "uid": gettext_lazy("nothing but the short name decided"),
}
_TEXTS: Final = {
    "query": gettext_lazy("Not the reader's own words matched, but the stand-alone query made of them."),
    "sub_question": gettext_lazy("Not the whole question matched, but its part on one party."),
}
_ANSWERS: Final = {
    "desk_text": gettext_lazy("Its answer was shown as the desk's own text."),
    "cited": gettext_lazy("Its answer was found in the sources sentence by sentence, and shown with them."),
    "expired": gettext_lazy("Its answer has expired and was not shown."),
}
_CUTS: Final = {
    "unavailable": gettext_lazy(
        "“%(title)s” could not be quoted: it is gone, out of its time, kept by the desk or waits for review."
    ),
    "empty_scope": gettext_lazy("“%(title)s” holds nothing at the place that the rule names."),
}


def rule_words(record: Mapping[str, Any], release: int, *, with_words: bool) -> list[str]:
    """Return the sentences; ``with_words`` names the reader's words that matched and the text that they matched."""
    if not record.get("hits"):
        if not release:
            return [_("No rule matched: no release of rules was live.")]
        return [_("No rule matched."), _("Release %(number)s was live.") % {"number": release}]
    return list(_lines(record, release, with_words=with_words))


def _lines(record: Mapping[str, Any], release: int, *, with_words: bool) -> Iterator[str]:
    winner, *collected = record["hits"]
    said = {
        "title": winner["title"],
        "uid": winner["uid"],
        "version": winner["version"],
        "release": release,
        "stage": _STAGES.get(winner["stage"], winner["stage"]),
        "score": _percent(winner["score"]),
    }
    yield _("%(title)s (%(uid)s, version %(version)s) of release %(release)s matched %(stage)s: %(score)s %%.") % said
    if with_words and record["words"]:
        yield _("Words that matched: %(words)s.") % {"words": ", ".join(record["words"])}
    if with_words and record["phrase"]:
        yield _("Its phrase: “%(phrase)s”.") % {"phrase": record["phrase"]}
    if record["text_kind"] in _TEXTS:
        yield str(_TEXTS[record["text_kind"]])
    if record["cut_characters"] or record["cut_tokens"]:
        yield _("The question was longer than what is matched; its end was left out.")
    for hit in collected:
        yield _("%(title)s (%(uid)s, version %(version)s) added its documents.") % hit
    for rival in record["rivals"]:
        reason = _LOST.get(rival["lost_by"], rival["lost_by"])
        yield _("%(title)s (%(uid)s) matched too and lost: %(reason)s.") % {**rival, "reason": reason}
    for cut in record.get("cuts", []):
        yield _cut_words(cut)
    yield from _outcome(record)


def _outcome(record: Mapping[str, Any]) -> Iterator[str]:
    answer = record.get("answer", "none")
    if answer in _ANSWERS:
        yield str(_ANSWERS[answer])
    if answer == "not_in_sources":
        yield _("Its answer was not shown: sentence %(number)s stands in none of its passages.") % {
            "number": record["failed_sentence"]
        }
    if record.get("stands_in"):
        yield _("None of its documents can be read now, so search answered although the rule wants none.")
    if record.get("searched") is False:
        yield _("Nothing else was searched for.")
    elif record.get("added"):
        added = record["added"]
        yield ngettext("Search added %(count)s passage.", "Search added %(count)s passages.", added) % {"count": added}


def _cut_words(cut: Mapping[str, Any]) -> str:
    if cut["cut_by"] in _CUTS:
        return str(_CUTS[cut["cut_by"]]) % cut
    return ngettext(
        "Of “%(title)s”, %(left_out)s passage with %(tokens_left_out)s tokens was left out: too much for one answer.",
        "Of “%(title)s”, %(left_out)s passages with %(tokens_left_out)s tokens were left out: too much for one answer.",
        cut["left_out"],
    ) % dict(cut)


def _percent(per_mille: int) -> str:
    """Never rounded up: 896 is 89.6, not 90."""
    return number_format(per_mille / 10, decimal_pos=1 if per_mille % 10 else 0)
