"""The pages of releases: what would change and publishing it, what a release was, and rolling back to it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apps.core.cleaning import clean_line
from apps.rules.admin.people import author_of
from apps.rules.checking import Code, Finding, Level
from apps.rules.differences import rule_contents
from apps.rules.listing import changed_since
from apps.rules.loading import live_release
from apps.rules.models import Release, ReleaseRule, Rule
from apps.rules.release_reads import MOST_IN_WORDS, set_differences
from apps.rules.services import (
    ChecksFailedError,
    ReleaseOvertakenError,
    ReleasePreview,
    RuleDifference,
    RuleRefusedError,
    release_preview,
    release_publish,
    release_rollback,
)
from apps.rules.services.locking import rules_lock
from apps.rules.texts import change_text, finding_text

if TYPE_CHECKING:
    from apps.rules.admin.releases import ReleaseAdmin

_UID: Final = re.compile(r"[-\w]{1,80}", re.ASCII)
_EXAMPLES: Final = frozenset({Code.EXAMPLE_LOST, Code.EXAMPLE_UNMATCHED, Code.EXAMPLE_MATCHES, Code.EXAMPLE_STAGE})
# Of what a new rule says.
_MOST_OF_NEW: Final = 12
# Of the rules that a release holds, as a list of names.
_MOST_NAMED: Final = 500


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """One rule of a review: what changes, or what a new one says, in words.

    ``above`` is the new rule that it cannot go without. ``more`` sentences were left out. ``rule_id`` is None for a
    rule that is not on the desk any more.
    """

    difference: RuleDifference
    sentences: tuple[str, ...]
    above: str
    is_chosen: bool
    more: int = 0
    rule_id: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A finding in words, with the rule it is about."""

    finding: Finding
    sentence: str
    title: str
    rule_id: int | None


def review_view(desk: ReleaseAdmin, request: HttpRequest) -> HttpResponse:
    """Show what would change and, to whoever may, publish it. Unticked rules stay as they are live."""
    _require(desk.has_view_permission(request))
    posted = request.POST if request.method == "POST" else None
    error = ""
    if posted is not None and "publish" in posted:
        _require(request.user.has_perm("rules.publish_rule"))
        released, error = _published(request)
        if released is not None:
            said = _("Release %(number)s is live. Every reader gets it within five seconds.")
            messages.success(request, said % {"number": released.number})
            return redirect("admin:rules_rule_changelist")
    everything = release_preview()
    chosen = _chosen(request, everything)
    try:
        preview = everything if chosen is None else release_preview(uids=chosen)
    except RuleRefusedError as refused:
        preview, chosen, error = everything, None, str(refused)
    context = {
        **_findings(preview),
        "preview": preview,
        "rules": _changed_rules(everything, chosen),
        "is_partial": chosen is not None,
        "is_nothing_chosen": chosen is not None and not chosen,
        "names": preview.names,
        "limits": _limits(preview.limits),
        "live": live_release(),
        "state": _state_seen([difference.uid for difference in everything.differences]),
        "comment": clean_line(request.POST.get("comment", ""), limit=300),
        "error": error,
        "may_publish": request.user.has_perm("rules.publish_rule"),
    }
    if request.headers.get("HX-Target") == "release-check":
        return render(request, "admin/rules/release/_check.html", context)
    title = _("Review and publish")
    return render(request, "admin/rules/release/review.html", _page(desk, request, {**context, "title": title}))


def release_page(desk: ReleaseAdmin, request: HttpRequest, object_id: str) -> HttpResponse:
    """Show one release: who, when, why, what it changed, and which rules it holds."""
    _require(desk.has_view_permission(request))
    if not re.fullmatch("[0-9]{1,15}", object_id):
        raise Http404
    release = get_object_or_404(Release.objects.select_related("restored_from"), pk=object_id)
    before = Release.objects.filter(number__lt=release.number).order_by("-number").first()
    entries = ReleaseRule.objects.filter(release=release).order_by("version__uid")
    context = {
        **_in_words(set_differences(before, release)),
        "release": release,
        "before": before,
        "title": _("Release %(number)s") % {"number": release.number},
        "is_live": not Release.objects.filter(number__gt=release.number).exists(),
        "held": entries.values_list("version__uid", "version__data__title", "version__number")[:_MOST_NAMED],
        "held_count": entries.count(),
        "may_publish": request.user.has_perm("rules.publish_rule"),
    }
    return render(request, "admin/rules/release/release.html", _page(desk, request, context))


def rollback_view(desk: ReleaseAdmin, request: HttpRequest, number: int) -> HttpResponse:
    """Show what going back would change, then ask why and do it."""
    _require(desk.has_view_permission(request) and request.user.has_perm("rules.publish_rule"))
    if number > 2**31 - 1:
        raise Http404
    release = get_object_or_404(Release, number=number)
    live = live_release()
    error = ""
    if live is None or live.number == release.number:
        messages.info(request, _("This release is live already."))
        return redirect("admin:rules_release_changelist")
    if request.method == "POST" and request.POST.get("live") != str(live.number):
        error = _("Another release went live meanwhile. Look again at what going back would change.")
    elif request.method == "POST":
        try:
            made = release_rollback(number=number, author=author_of(request), comment=request.POST.get("comment", ""))
        except RuleRefusedError as refused:
            error = str(refused)
        else:
            facts = {"old": release.number, "number": made.number}
            said = _("Readers get the rules of release %(old)s again, as release %(number)s. The draft is the same.")
            messages.success(request, said % facts)
            return redirect("admin:rules_release_changelist")
    context = {
        **_in_words(set_differences(live, release)),
        "release": release,
        "live": live,
        "title": _("Back to release %(number)s") % {"number": release.number},
        "comment": clean_line(request.POST.get("comment", ""), limit=300),
        "error": error,
    }
    return render(request, "admin/rules/release/rollback.html", _page(desk, request, context))


def _published(request: HttpRequest) -> tuple[Release | None, str]:
    """Publish what is ticked, or say why not."""
    expected = request.POST.get("live", "")
    if not re.fullmatch("[0-9]{1,9}", expected):
        return None, _("The page was not complete. Look through the changes again.")
    live = live_release()
    if int(expected) != (live.number if live else 0):
        return None, str(ReleaseOvertakenError(live))
    every, ticked = set(_uids(request, "shown")), set(_uids(request, "rule"))
    uids = None if every == ticked else ticked
    try:
        with transaction.atomic():
            # Under the lock, so that nothing changes between the comparison and the release.
            rules_lock()
            if request.POST.get("state") != _state_seen(every):
                return None, _("Somebody changed rules since you opened this page. Look through the changes again.")
            release = release_publish(
                author=author_of(request),
                comment=request.POST.get("comment", ""),
                uids=uids,
                expected_release=int(expected),
            )
    except ChecksFailedError:
        return None, _("Nothing was published: put right what blocks the release first, or take those rules out.")
    except RuleRefusedError as error:
        return None, str(error)
    return release, ""


def _state_seen(shown: Collection[str]) -> str:
    """Return what differs once a waiting rule is saved again: nobody publishes what they were not shown."""
    waiting = changed_since(Rule.objects.all(), live_release()).order_by("uid").values_list("uid", "version")
    return sha256(repr([list(waiting), sorted(shown)]).encode()).hexdigest()


def _chosen(request: HttpRequest, everything: ReleasePreview) -> frozenset[str] | None:
    """Return the ticked rules, None for all of them."""
    if request.method != "POST":
        return None
    offered = {difference.uid for difference in everything.differences}
    ticked = offered & set(_uids(request, "rule"))
    return None if ticked == offered else frozenset(ticked)


def _uids(request: HttpRequest, name: str) -> list[str]:
    return [uid for uid in request.POST.getlist(name) if _UID.fullmatch(uid)]


def _changed_rules(everything: ReleasePreview, chosen: Collection[str] | None) -> list[ChangedRule]:
    """Return the rules with their changes in words, by title; each knows the new rule it cannot go without."""
    differences = everything.differences
    entering = {difference.uid for difference in differences if difference.enters}
    new = {rule.uid: rule for rule in everything.rule_set.rules if rule.uid in entering}
    rows = Rule.objects.filter(uid__in=[difference.uid for difference in differences])
    known = {uid: (pk, parent or "") for uid, pk, parent in rows.values_list("uid", "pk", "parent__uid")}
    changed = []
    for difference in sorted(differences, key=lambda each: (each.title.casefold(), each.uid)):
        uid = difference.uid
        # A first release may hold thousands of rules with hundreds of phrases each.
        said = rule_contents(new[uid]) if uid in new else difference.changes
        most = _MOST_OF_NEW if uid in new else len(said)
        pk, parent = known.get(uid, (None, ""))
        changed.append(
            ChangedRule(
                difference,
                tuple(change_text(change) for change in said[:most]),
                parent if parent in entering else "",
                chosen is None or uid in chosen,
                more=max(0, len(said) - most),
                rule_id=pk,
            )
        )
    return changed


def _findings(preview: ReleasePreview) -> dict[str, Any]:
    """Return what blocks the release and what to know before it, with the rules they are about."""
    rows = Rule.objects.filter(uid__in={finding.uid for finding in preview.findings})
    known = {uid: (title, pk) for uid, title, pk in rows.values_list("uid", "title", "pk")}

    def found(finding: Finding) -> Found:
        title, pk = known.get(finding.uid, (finding.uid, None))
        return Found(finding, finding_text(finding), title or finding.uid, pk)

    blockers = set(map(id, preview.blockers))
    others = [one for one in preview.findings if id(one) not in blockers and one.level is not Level.NOTE]
    return {
        "blockers": [found(finding) for finding in preview.blockers],
        "warnings": [found(finding) for finding in others[:MOST_IN_WORDS]],
        "warnings_left": max(0, len(others) - MOST_IN_WORDS),
        "examples_failing": sum(finding.code in _EXAMPLES for finding in preview.findings),
    }


def _in_words(differences: Sequence[RuleDifference]) -> dict[str, Any]:
    shown = differences[:MOST_IN_WORDS]
    return {
        "rules": [ChangedRule(each, tuple(map(change_text, each.changes)), "", True) for each in shown],
        "rules_left": len(differences) - len(shown),
    }


def _limits(limits: Sequence[tuple[str, int, int]]) -> list[str]:
    sentences = {
        "threshold": _("Similarity from which questions match: %(before)s → %(after)s percent"),
        "token_budget": _("Tokens that linked documents may use: %(before)s → %(after)s"),
    }
    return [sentences[name] % {"before": before, "after": after} for name, before, after in limits]


def _page(desk: ReleaseAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    return {**desk.admin_site.each_context(request), "opts": desk.opts, **context}


def _require(is_allowed: bool) -> None:
    if not is_allowed:
        raise PermissionDenied
