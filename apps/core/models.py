"""The base of every table of ours."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class TimestampedModel(models.Model):
    """Keeps when a row was made and last changed."""

    created_at = models.DateTimeField(_("created"), auto_now_add=True, editable=False)
    updated_at = models.DateTimeField(_("changed"), auto_now=True, editable=False)

    class Meta:
        abstract = True
