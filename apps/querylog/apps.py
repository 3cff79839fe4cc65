"""Questions."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class QuerylogConfig(AppConfig):
    name = "apps.querylog"
    verbose_name = _("Questions")
