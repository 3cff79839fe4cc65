"""One line for each folded part of the rule form: what it says while it is closed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.rules.models import Rule
from apps.rules.types import (
    DEFAULT_PRIORITY,
    Extra,
    HitPolicy,
    Need,
    RuleSpec,
    TokenList,
)

_HALF: Final = 50
_SHOWN: Final = 6


def summaries(rule: RuleSpec, parent_title: str = "") -> dict[str, str]:
    """Return the lines by part: words, also, limits, examples, why."""
    return {
        "words": _words(rule),
        "also": _also(rule),
        "limits": _limits(rule, parent_title or rule.parent or ""),
        "examples": _examples(rule),
        "why": _why(rule),
    }


def quantifier(tokens: TokenList) -> str:
    """Return how many slots are needed, in words that a list of words can follow."""
    if tokens.need is Need.ANY:
        return _("any of")
    if tokens.need is Need.COUNT:
        return _("at least %(count)s of") % {"count": tokens.amount}
    if tokens.need is Need.PERCENT and tokens.amount == _HALF:
        return _("at least half of")
    if tokens.need is Need.PERCENT:
        return _("at least %(percent)s %% of") % {"percent": tokens.amount}
    return _("all of")


def list_words(tokens: TokenList) -> str:
    """Return a list in words: at least half of climate, energy, heating."""
    names = [slot.text for slot in tokens.slots[:_SHOWN]]
    more = len(tokens.slots) - len(names)
    if more:
        names.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    joined = ", ".join(names)
    return joined if len(tokens.slots) == 1 else f"{quantifier(tokens)} {joined}"


def _words(rule: RuleSpec) -> str:
    parts = [list_words(tokens) for tokens in (rule.core, rule.anchor) if tokens]
    said = _("%(one)s and %(other)s") % {"one": parts[0], "other": parts[1]} if len(parts) == 2 else "".join(parts)
    if rule.exclude:
        said = _sentence([said, _("but not at %(words)s") % {"words": list_words(rule.exclude)}])
    return said or _("no words yet")


def _also(rule: RuleSpec) -> str:
    extra = {
        Extra.OFF: _("no further search"),
        Extra.ON: _("search always adds passages"),
        Extra.FILL: _("search fills up to %(count)s passages") % {"count": rule.fill_up_to},
    }[rule.extra]
    links = len(rule.links)
    answer = ""
    if rule.answer:
        answer = _("the desk's own text") if rule.answer.is_desk_text else _("a curated answer")
    return _sentence(
        [extra, ngettext("%(count)s link", "%(count)s links", links) % {"count": links} * bool(links), answer]
    )


def _limits(rule: RuleSpec, parent: str) -> str:
    names = dict(Rule.Audience.choices)
    zone = timezone.get_current_timezone()
    moments = [
        (text % {"moment": date_format(moment.astimezone(zone), "SHORT_DATETIME_FORMAT")})
        for text, moment in ((_("from %(moment)s"), rule.valid_from), (_("until %(moment)s"), rule.valid_until))
        if moment
    ]
    said = [
        _("below “%(title)s”") % {"title": parent} if rule.parent else "",
        " ".join(moments),
        _("only in %(languages)s") % {"languages": ", ".join(rule.languages)} if rule.languages else "",
        ", ".join(str(names.get(each, each)) for each in rule.audiences),
        _("after a choice in the question builder") if rule.builder_choices else "",
        _("priority %(number)s") % {"number": rule.priority} if rule.priority != DEFAULT_PRIORITY else "",
        _("others may add documents") if rule.hit_policy is HitPolicy.COLLECT else "",
        _("similar from %(percent)s %%") % {"percent": rule.threshold} if rule.threshold is not None else "",
    ]
    return _sentence(said) or _("always, for everybody")


def _examples(rule: RuleSpec) -> str:
    wanted = sum(each.must_match for each in rule.examples)
    others = len(rule.examples) - wanted
    said = [
        _("%(count)s that must match") % {"count": wanted} if wanted else "",
        _("%(count)s that must not") % {"count": others} if others else "",
    ]
    return _sentence(said) or _("none yet: one or two keep the rule from breaking unnoticed")


def _why(rule: RuleSpec) -> str:
    reason = " ".join(rule.reason.split())
    return _sentence([reason[:80] + "…" * (len(reason) > 80), rule.owner, ", ".join(rule.tags)]) or _("not said yet")


def _sentence(parts: Iterable[str]) -> str:
    return "; ".join(part for part in parts if part)
