"""The app over the log of questions."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TopicsConfig(AppConfig):
    name = "apps.topics"
    label = "topics"
    verbose_name = _("What readers ask")
