"""Why questions of a gap are still answered badly after the desk has done something, and what helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.answering.trace_words import OUTCOMES
from apps.rules.models import Rule
from apps.topics.models import Gap, QueryText

NO_RULE: Final = "no_rule"
OTHER_RULE: Final = "other_rule"
NOTHING_LINKED: Final = "nothing_linked"
NOT_READ: Final = "not_read"
NOT_SAID: Final = "not_said"
BROKE: Final = "broke"
_BY_TYPE: Final[Mapping[str, Promise]] = {
    "no_date": gettext_lazy("The rule's documents speak of it and name no date."),
    "no_number": gettext_lazy("The rule's documents speak of it and name no figure."),
    "no_person": gettext_lazy("The rule's documents speak of it and name nobody."),
    "no_place": gettext_lazy("The rule's documents speak of it and name no place."),
    "no_reason": gettext_lazy("The rule's documents speak of it and give no reason."),
    "unknown_party": gettext_lazy("It asks about a party that neither the list of parties nor a source knows."),
    "wrong_party": gettext_lazy("The rule's documents hold nothing of the party that is asked about."),
}
_WHY: Final[Mapping[str, Promise]] = {
    NO_RULE: gettext_lazy("No rule matched it, and search found nothing that answers it."),
    OTHER_RULE: gettext_lazy("Another rule matched it, whose documents do not answer it."),
    NOTHING_LINKED: gettext_lazy("The rule matched it, but hands over no document and has no answer."),
    NOT_READ: gettext_lazy("The rule matched it, but none of its documents could be read."),
    NOT_SAID: gettext_lazy("The rule's documents do not say it closely enough to be quoted as an answer."),
    BROKE: gettext_lazy("It could not be answered: something broke on the way."),
}
_HELPS: Final[Mapping[str, Promise]] = {
    NO_RULE: gettext_lazy(
        "Readers put it in words that no rule knows: add them to the rule as a phrase, or ask for fewer words."
    ),
    OTHER_RULE: gettext_lazy("Give your rule a higher priority, or exclude these words in the other one."),
    NOTHING_LINKED: gettext_lazy("Add a document that answers, or write an answer into the rule."),
    NOT_READ: gettext_lazy(
        "Look at the documents of the rule: they are still being read, taken back, or not for this day and language."
    ),
    NOT_SAID: gettext_lazy(
        "Choose the passage that does answer, link another document, or write an answer into the rule."
    ),
    BROKE: gettext_lazy("It is asked again with the next release; the server's log says what broke."),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question asked again, in words: its text, how it ended, whether badly, the rule, and why it stays weak."""

    text: str
    outcome: str
    is_weak: bool
    rule: str
    why: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What keeps some of the questions weak, and what helps: no reader's words."""

    number: int
    why: str
    helps: str


def replayed(gap: Gap) -> list[Asked]:
    """Return each question that was asked again. For those who may read readers' words."""
    rows = gap.after.get("rows", [])
    texts = QueryText.objects.in_bulk([row[0] for row in rows])
    titles = dict(Rule.objects.filter(uid__in={row[3] for row in rows}).values_list("uid", "title"))
    links = _links(gap)
    return [
        Asked(texts[row[0]].text, str(OUTCOMES.get(row[1], row[1])), row[2], titles.get(row[3], row[3]),
              _why(row, gap, texts[row[0]].text, links=links))
        for row in rows
        if row[0] in texts
    ]  # fmt: skip


def advice(gap: Gap) -> list[Advice]:
    """Return why questions stay weak, the commonest reason first."""
    links, counts = _links(gap), dict.fromkeys(_WHY, 0)
    for row in gap.after.get("rows", []):
        if row[2]:
            counts[_reason(row, gap, links=links)] += 1
    order = sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])
    return [Advice(counts[name], str(_WHY[name]), str(_HELPS[name])) for name in order]


def advice_sentence(gap: Gap) -> str:
    """Say in a sentence how many are still weak; "" where none are."""
    rows = gap.after.get("rows", [])
    weak = sum(1 for row in rows if row[2])
    if not weak:
        return ""
    return ngettext(
        "%(weak)d of %(all)d questions is still answered badly:",
        "%(weak)d of %(all)d questions are still answered badly:",
        weak,
    ) % {"weak": weak, "all": len(rows)}


def _links(gap: Gap) -> bool:
    """Say whether the gap's rule hands anything over."""
    rule = Rule.objects.filter(uid=gap.rule_uid).first() if gap.rule_uid else None
    return rule is not None and (rule.documents.exists() or bool(rule.answer_text))


def _reason(row: Sequence[Any], gap: Gap, *, links: bool) -> str:
    if row[1] == "failed":
        return BROKE
    if not row[3]:
        return NO_RULE
    if row[3] != gap.rule_uid:
        return OTHER_RULE
    if not links:
        return NOTHING_LINKED
    # A replay of before this was noted says nothing about it.
    return NOT_SAID if len(row) < 7 or row[6] else NOT_READ


def _why(row: Sequence[Any], gap: Gap, text: str, *, links: bool) -> str:
    if not row[2]:
        return ""
    reason = _reason(row, gap, links=links)
    if reason != NOT_SAID or len(row) < 7:
        return str(_WHY[reason])
    missing = [text[start : start + length] for start, length in row[5]]
    if row[4] in _BY_TYPE:
        return str(_BY_TYPE[row[4]])
    if missing:
        return _("The rule's documents do not say: %(words)s.") % {"words": ", ".join(missing)}
    return str(_WHY[NOT_SAID])
