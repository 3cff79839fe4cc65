"""Documents: what the bot may read."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DocumentsConfig(AppConfig):
    name = "apps.documents"
    verbose_name = _("Documents")

    def ready(self) -> None:
        """Register the system checks."""
        from apps.documents import checks  # noqa: F401
