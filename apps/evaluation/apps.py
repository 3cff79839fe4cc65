"""Names the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvaluationConfig(AppConfig):
    name = "apps.evaluation"
    verbose_name = _("Quality")
