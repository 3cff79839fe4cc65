"""The rule form: what an editor fills in, and the RuleSpec that it says. Saving and Try read the same form."""

from apps.rules.forms.posted import posted_rule, stored_rule
from apps.rules.forms.rule import RuleForm
from apps.rules.forms.spec import initial_from, named, spec_from

__all__ = ["RuleForm", "initial_from", "named", "posted_rule", "spec_from", "stored_rule"]
