"""What the checks found and what changed, in the desk's words."""

from apps.rules.texts.changes import change_text
from apps.rules.texts.findings import finding_text

__all__ = ["change_text", "finding_text"]
