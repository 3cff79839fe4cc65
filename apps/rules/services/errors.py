"""Why a write of the rule desk was refused. Each message is a sentence for the person who asked."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from apps.rules.checking import Finding
from apps.rules.models import Release, RuleVersion
from apps.rules.texts import finding_text


class RuleRefusedError(Exception):
    """A write was refused and nothing was changed; repeating it does not help."""

    permanent = True


class ChecksFailedError(RuleRefusedError):
    """What was to be written can never be right, or may not be released; ``findings`` say why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(" ".join(finding_text(finding) for finding in self.findings))


class OvertakenError(RuleRefusedError):
    """Somebody else saved the rule since; ``latest`` is what they saved, with author and time.

    It is None for a rule that was deleted and left no history.
    """

    def __init__(self, uid: str, latest: RuleVersion | None) -> None:
        self.uid, self.latest = uid, latest
        name = latest.author_name if latest else ""
        super().__init__(
            _("%(name)s has changed the rule meanwhile. Look at both versions and decide what stays.")
            % {"name": name or _("Somebody")}
        )


class ReleaseOvertakenError(RuleRefusedError):
    """Another release went live since the review; ``live`` is that release."""

    def __init__(self, live: Release | None) -> None:
        self.live = live
        super().__init__(
            _("Release %(number)s by %(name)s went live meanwhile. Look through the changes again.")
            % {"number": live.number if live else 0, "name": (live.author_name if live else "") or _("somebody")}
        )


class CommentMissingError(RuleRefusedError):
    """A release needs a reason."""

    def __init__(self) -> None:
        super().__init__(_("Say in one sentence why you publish: colleagues find it in the history."))


class NothingToPublishError(RuleRefusedError):
    """The draft and the live release are the same."""

    def __init__(self) -> None:
        super().__init__(_("Nothing has changed since the last release, so there is nothing to publish."))


class UnknownRuleError(RuleRefusedError):
    """There is no such rule, version or release."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(_("“%(name)s” is not there any more. Reload the page.") % {"name": name})


class NotLiveError(RuleRefusedError):
    """The rule is in no release that readers get."""

    def __init__(self, uid: str) -> None:
        self.uid = uid
        super().__init__(_("The rule “%(name)s” is not live, so there is nothing to pause at once.") % {"name": uid})
