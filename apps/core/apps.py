"""Core: what every app may use and no app owns."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    name = "apps.core"
    verbose_name = _("Core")

    def ready(self) -> None:
        from apps.core import checks  # noqa: F401
