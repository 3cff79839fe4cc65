"""What the buttons of the rule list and a drop do: order, place in the tree, status."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core.cleaning import clean_line
from apps.rules.admin.people import author_of
from apps.rules.listing import visible
from apps.rules.loading import live_release
from apps.rules.models import Rule
from apps.rules.services import RuleRefusedError, rule_move, rule_pause_now, rule_status_set
from apps.rules.tree_filters import TreeState
from apps.rules.types import Status

if TYPE_CHECKING:
    from apps.rules.admin.tree import TreeMixin

_COMMAND: Final = re.compile(r"([a-z]{1,8}):([-\w]{1,80})(?:@([0-9]{1,9}))?", re.ASCII)
_CHOSEN: Final = re.compile(r"([-\w]{1,80})@([0-9]{1,9})", re.ASCII)
_STATUSES: Final = {"pause": Status.PAUSED, "resume": Status.ACTIVE}
# As many as one page shows with some levels open.
MOST_CHOSEN: Final = 300


class RefusedMoveError(Exception):
    """A move that leads nowhere; the message is the sentence that the editor reads."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened, in a sentence. ``opens`` is the rule that must be open to see what was moved."""

    said: str
    is_refused: bool = False
    opens: str = ""


def arrange(desk: TreeMixin, request: HttpRequest, show: Callable[..., HttpResponse]) -> HttpResponse:
    """Do what the pressed button says; a script gets the new list, a plain browser a redirect with a message."""
    outcome = _done(request)
    if getattr(request, "htmx", False):
        return show(desk, request, outcome)
    (messages.error if outcome.is_refused else messages.success)(request, outcome.said)
    query = TreeState.read(request.GET).showing(outcome.opens).query()
    return HttpResponseRedirect(reverse("admin:rules_rule_changelist") + (f"?{query}" if query else ""))


def _done(request: HttpRequest) -> Outcome:
    wanted = request.POST.get("do", "")
    if wanted == "status":
        return _set_statuses(request)
    command = _COMMAND.fullmatch(wanted)
    rule = Rule.objects.select_related("parent__parent").filter(uid=command[2]).first() if command else None
    if command is None or rule is None:
        return Outcome(_("This rule is gone. The list shows what there is now."), is_refused=True)
    step, version = command[1], command[3]
    try:
        if step in _STATUSES:
            rule_status_set(
                uid=rule.uid, status=_STATUSES[step], author=author_of(request), expected_version=_number(version)
            )
            return Outcome(_status_said(rule, _STATUSES[step]))
        parent, position = _target(request, rule, step)
        rule_move(uid=rule.uid, parent=parent.uid if parent else None, position=position, author=author_of(request))
    except RefusedMoveError as error:
        return Outcome(str(error), is_refused=True)
    except RuleRefusedError as error:
        return Outcome(f"{rule}: {error}", is_refused=True)
    return Outcome(_moved_said(rule), opens=parent.uid if parent else "")


def _set_statuses(request: HttpRequest) -> Outcome:
    status = request.POST.get("status", "")
    chosen = [match for text in request.POST.getlist("chosen")[:MOST_CHOSEN] if (match := _CHOSEN.fullmatch(text))]
    if not chosen or status not in Rule.Status.values:
        return Outcome(_("No rule is chosen. Tick the rules first, then set their status."), is_refused=True)
    done, refused = 0, []
    for match in chosen:
        rule = Rule.objects.filter(uid=match[1]).first()
        if rule is None:
            continue
        try:
            rule_status_set(
                uid=rule.uid, status=Status(status), author=author_of(request), expected_version=_number(match[2])
            )
            done += 1
        except RuleRefusedError as error:
            refused.append(f"{rule}: {error}")
    said = ngettext(
        "%(count)s rule has its new status. It goes live with the next release.",
        "%(count)s rules have their new status. They go live with the next release.",
        done,
    )
    return Outcome(" ".join([said % {"count": done}, *refused] if done else refused), is_refused=not done)


def _target(request: HttpRequest, rule: Rule, step: str) -> tuple[Rule | None, int]:
    """Return the parent and the position that a step or a drop means."""
    if step == "drop":
        return _dropped(request, rule)
    siblings = _siblings(rule.parent, without=rule)
    shown = set(visible(Rule.objects.filter(parent=rule.parent)).values_list("pk", flat=True))
    place = (rule.position, rule.uid)
    before = [other for other in siblings if (other.position, other.uid) < place and other.pk in shown]
    after = [other for other in siblings if (other.position, other.uid) > place and other.pk in shown]
    if step == "up" and before:
        return rule.parent, siblings.index(before[-1])
    if step == "down" and after:
        return rule.parent, siblings.index(after[0]) + 1
    if step == "in" and before:
        return before[-1], len(_siblings(before[-1]))
    if step == "out" and rule.parent is not None:
        return rule.parent.parent, _siblings(rule.parent.parent).index(rule.parent) + 1
    raise RefusedMoveError(_cannot(step))


def _dropped(request: HttpRequest, rule: Rule) -> tuple[Rule | None, int]:
    uid = clean_line(request.POST.get("target", ""), limit=80)
    target = Rule.objects.select_related("parent").filter(uid=uid).first()
    place = request.POST.get("place")
    if target is None or place not in ("before", "after", "into"):
        raise RefusedMoveError(_("The rule was dropped where none is. Nothing was moved."))
    if target == rule:
        raise RefusedMoveError(_("The rule was dropped on itself. Nothing was moved."))
    if place == "into":
        return target, len(_siblings(target, without=rule))
    here = _siblings(target.parent, without=rule).index(target)
    return target.parent, here + (place == "after")


def _siblings(parent: Rule | None, without: Rule | None = None) -> list[Rule]:
    """Return the rules below one in their order, archived ones too, since they keep their place."""
    found = Rule.objects.filter(parent=parent).order_by("position", "uid")
    return list(found.exclude(pk=without.pk) if without else found)


def _number(text: str | None) -> int | None:
    return int(text) if text else None


# --- sentences ---


def _cannot(step: str) -> str:
    sentences = {
        "up": _("The rule stands first already. Nothing was moved."),
        "down": _("The rule stands last already. Nothing was moved."),
        "in": _("There is no rule above it on its level that it could go below. Nothing was moved."),
        "out": _("The rule stands on the top level already. Nothing was moved."),
    }
    return sentences.get(step, _("This is nothing that a rule can do. Nothing was changed."))


def _moved_said(rule: Rule) -> str:
    moved = Rule.objects.select_related("parent").get(pk=rule.pk)
    place = sum(
        (other.position, other.uid) < (moved.position, moved.uid)
        for other in visible(Rule.objects.filter(parent=moved.parent)).only("position", "uid")
    )
    facts = {"title": moved, "place": place + 1, "parent": moved.parent}
    if moved.parent is None:
        return _("“%(title)s” now stands on the top level, place %(place)s.") % facts
    return _("“%(title)s” now stands below “%(parent)s”, place %(place)s.") % facts


def _status_said(rule: Rule, status: Status) -> str:
    if status is Status.PAUSED:
        return _("“%(title)s” will be paused with the next release, and the rules below it.") % {"title": rule}
    return _("“%(title)s” will be active again with the next release.") % {"title": rule}


# --- pausing what is live ---


def pause_now_view(desk: TreeMixin, request: HttpRequest, uid: str) -> HttpResponse:
    """Ask why, then take one rule out of what readers get, and nothing else."""
    if not request.user.has_perm("rules.publish_rule"):
        raise PermissionDenied
    rule = Rule.objects.filter(uid=uid).first()
    if rule is None:
        raise Http404
    comment = clean_line(request.POST.get("comment", ""), limit=300)
    error = ""
    if request.method == "POST" and not comment:
        error = _("Say why, in a few words. It stands in the history of releases.")
    elif request.method == "POST":
        try:
            rule_pause_now(uid=rule.uid, author=author_of(request), comment=comment)
        except RuleRefusedError as refused:
            error = str(refused)
        else:
            messages.success(
                request, _("“%(title)s” is paused. Readers get no more answers from it.") % {"title": rule}
            )
            return redirect("admin:rules_rule_changelist")
    context: dict[str, Any] = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Pause at once"),
        "rule": rule,
        "release": live_release(),
        "below": Rule.objects.filter(parent=rule).count(),
        "comment": comment,
        "error": error,
    }
    return render(request, "admin/rules/rule/pause_now.html", context)
