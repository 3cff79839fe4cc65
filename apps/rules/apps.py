"""Registers the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RulesConfig(AppConfig):
    """The editors' rules: the tree, the matching engine, releases, the desk."""

    name = "apps.rules"
    label = "rules"
    verbose_name = _("Assisted Retrieval")
