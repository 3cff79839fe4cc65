"""Writes of the rule desk: every change of a rule is a version, every publication a release."""

from apps.rules.services.errors import (
    ChecksFailedError,
    CommentMissingError,
    NothingToPublishError,
    NotLiveError,
    OvertakenError,
    ReleaseOvertakenError,
    RuleRefusedError,
    UnknownRuleError,
)
from apps.rules.services.releases import (
    ReleasePreview,
    RuleDifference,
    release_preview,
    release_proposal,
    release_publish,
    release_rollback,
    rule_pause_now,
)
from apps.rules.services.rules import (
    next_position,
    rule_copy,
    rule_delete,
    rule_documents_see,
    rule_move,
    rule_restore,
    rule_save,
    rule_status_set,
    rules_save,
)

__all__ = [
    "ChecksFailedError",
    "CommentMissingError",
    "NotLiveError",
    "NothingToPublishError",
    "OvertakenError",
    "ReleaseOvertakenError",
    "ReleasePreview",
    "RuleDifference",
    "RuleRefusedError",
    "UnknownRuleError",
    "next_position",
    "release_preview",
    "release_proposal",
    "release_publish",
    "release_rollback",
    "rule_copy",
    "rule_delete",
    "rule_documents_see",
    "rule_move",
    "rule_pause_now",
    "rule_restore",
    "rule_save",
    "rule_status_set",
    "rules_save",
]
