"""Answers."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnsweringConfig(AppConfig):
    name = "apps.answering"
    verbose_name = _("Answers")

    def ready(self) -> None:
        """Register the system checks."""
        from apps.answering import checks  # noqa: F401
