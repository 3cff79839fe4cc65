"""What became of a question, in the desk's words: every sentence that "Try a question" shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.rules.reading import protected_words
from apps.rules.reports import LevelReport, ListReport, RuleReport, Verdict
from apps.rules.types import Cut, LostBy, Outside, ProtectedName, Role, Stage

_PER_PERCENT: Final = 10
# As far below its threshold a phrase counts as near for the engine.
_NEAR_POINTS: Final = 15


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence; ``kind`` is good, bad or plain."""

    text: str
    kind: str = "plain"


_STAGES: Final = {
    Stage.EXACT: gettext_lazy("answers: the question is exactly one of its phrases"),
    Stage.FUZZY: gettext_lazy("answers: the question is similar enough to one of its phrases"),
    Stage.TOKEN: gettext_lazy("answers: the question holds its words"),
}
_LOST: Final = {
    LostBy.STAGE: gettext_lazy("matches too, but only at a later stage"),
    LostBy.PRIORITY: gettext_lazy("matches too, but its priority number is higher"),
    LostBy.DEPTH: gettext_lazy("matches too, but stands higher in the tree and is less specific"),
    LostBy.WORDS: gettext_lazy("matches too, but with fewer words of the question"),
    LostBy.SCORE: gettext_lazy("matches too, but less well"),
    LostBy.VALIDITY: gettext_lazy("matches too, but is valid for a longer time and is less specific"),
    LostBy.UID: gettext_lazy(
        "matches just as well; the short name decided, so give one of the two a lower priority number"
    ),
}
_OUTSIDE: Final = {
    Outside.TIME: gettext_lazy("does not count at this moment"),
    Outside.LANGUAGE: gettext_lazy("does not count in this language"),
    Outside.AUDIENCE: gettext_lazy("does not count for this audience"),
    Outside.BUILDER: gettext_lazy("does not count without a certain choice in the question builder"),
    Outside.STATUS: gettext_lazy("is switched off, or a rule above it is"),
}
_ROLES: Final = {
    Role.CORE: gettext_lazy("core"),
    Role.ANCHOR: gettext_lazy("anchor"),
    Role.EXCLUDE: gettext_lazy("exclude"),
}


def percent(per_mille: int) -> str:
    """Return per mille as percent that never rounds up: 896 is 89.6, not 90."""
    return number_format(per_mille / _PER_PERCENT, decimal_pos=1 if per_mille % _PER_PERCENT else 0)


def verdict_words(report: RuleReport, names: Sequence[ProtectedName] = ()) -> str:
    """Return what became of a rule, to stand behind its title."""
    if report.verdict is Verdict.LOST and report.lost_by:
        return str(_LOST[report.lost_by])
    if report.verdict is Verdict.OUTSIDE:
        outside = next((level.outside for level in report.levels if level.outside), None)
        return str(_OUTSIDE[outside]) if outside else _("does not count here")
    if report.verdict is Verdict.GATED:
        gate = next((level for level in report.levels[:-1] if not level.passes), None)
        said = _("would match, but the rule above it, “%(title)s”, does not let the question through")
        return said % {"title": gate.title if gate else ""}
    own = report.levels[-1] if report.levels else None
    if report.verdict is Verdict.VETOED and own:
        return _("keeps silent because of: %(words)s") % {"words": ", ".join(own.vetoed_by)}
    words = {
        Verdict.WON: str(_STAGES[own.stage]) if own and own.stage else _("answers"),
        Verdict.COLLECTED: _("adds its documents"),
        Verdict.NEAR: _near(own, names),
        Verdict.NO_MATCH: _("does not match"),
        Verdict.VETOED: _("keeps silent because of an excluded word"),
    }
    return words.get(report.verdict, _("matches too"))


def _near(level: LevelReport | None, names: Sequence[ProtectedName]) -> str:
    """Return what little was missing: the phrase that came near, else the words."""
    missing = (
        [slot.slot.text for each in level.lists if _is_short(each) for slot in each.slots if not slot.found]
        if level
        else []
    )
    if level and level.best_phrase and level.score >= (level.threshold - _NEAR_POINTS) * _PER_PERCENT:
        return _("came close: %(what)s") % {"what": _phrase_line(level, names).text}
    if missing:
        said = ngettext("came close: only %(words)s is missing", "came close: missing are %(words)s", len(missing))
        return said % {"words": ", ".join(missing)}
    return _("came close")


def _is_short(report: ListReport) -> bool:
    return report.role is not Role.EXCLUDE and not report.is_met


def level_lines(level: LevelReport, names: Sequence[ProtectedName] = ()) -> tuple[Line, ...]:
    """Return how a question met one rule on the way from the root."""
    lines: list[Line] = []
    if level.outside:
        lines.append(Line(str(_OUTSIDE[level.outside]), "bad"))
    if level.is_folder:
        lines.append(Line(_("is a folder and lets everything through"), "good"))
    if level.best_phrase:
        lines.append(_phrase_line(level, names))
    lines.extend(line for each in level.lists for line in list_lines(each, level))
    if not lines:
        lines.append(Line(_("has neither phrases nor words that could match"), "bad"))
    return tuple(lines)


def _phrase_line(level: LevelReport, names: Sequence[ProtectedName] = ()) -> Line:
    given = {"phrase": level.best_phrase, "score": percent(level.score), "needed": level.threshold}
    if level.stage is Stage.EXACT:
        return Line(_("exactly the phrase “%(phrase)s”") % given, "good")
    if level.stage is Stage.FUZZY:
        return Line(_("similar to “%(phrase)s”: %(score)s %%, needs %(needed)s %%") % given, "good")
    mine, asked = level.protected
    if mine != asked:
        differ = {"mine": _named(mine, names), "asked": _named(asked, names)}
        said = _("%(score)s %% like “%(phrase)s”, but never the same: there %(mine)s, here %(asked)s")
        return Line(said % {**given, **differ}, "bad")
    return Line(_("similar to “%(phrase)s”: only %(score)s %%, needs %(needed)s %%") % given, "bad")


def _named(terms: Iterable[str], names: Sequence[ProtectedName]) -> str:
    return ", ".join(_("“%(word)s”") % {"word": word} for word in protected_words(terms, names)) or _(
        "nothing of that kind"
    )


def list_lines(report: ListReport, level: LevelReport) -> tuple[Line, ...]:
    """Return which words of a list were found and which are missing."""
    found = [each for each in report.slots if each.found]
    missing = [each.slot.text for each in report.slots if not each.found]
    if report.role is Role.EXCLUDE:
        if not (report.slots and report.is_met):
            return (Line(_("no excluded word"), "good"),)
        words = ", ".join(word for each in found for word in each.found)
        kind = "plain" if level.stage is Stage.EXACT else "bad"
        return (Line(_("excluded word found: %(words)s") % {"words": words}, kind),)
    given = {"role": _ROLES[report.role], "found": len(found), "needed": report.needed, "all": len(report.slots)}
    said = _("%(role)s: %(found)s of %(all)s words found, needs %(needed)s") % given
    lines = [Line(said, "good" if report.is_met else "bad")]
    if found:
        pairs = ", ".join(_met(each.slot.text, each.found) for each in found)
        lines.append(Line(_("found: %(words)s") % {"words": pairs}))
    if missing:
        lines.append(Line(_("missing: %(words)s") % {"words": ", ".join(missing)}))
    return tuple(lines)


def _met(slot: str, words: tuple[str, ...]) -> str:
    said = " ".join(words)
    return slot if said.casefold() == slot.casefold() else f"{slot} ({said})"


def cut_words(cut: Cut) -> str:
    """Return what of a question was left unread; empty if nothing was."""
    if not (cut.characters or cut.tokens):
        return ""
    characters = ngettext("%(count)s character", "%(count)s characters", cut.characters) % {"count": cut.characters}
    tokens = ngettext("%(count)s word", "%(count)s words", cut.tokens) % {"count": cut.tokens}
    parts = [text for text, count in ((characters, cut.characters), (tokens, cut.tokens)) if count]
    what = _("%(one)s and %(other)s") % {"one": parts[0], "other": parts[1]} if len(parts) == 2 else parts[0]
    return _("The question is too long: at its end, %(what)s are not matched.") % {"what": what}
