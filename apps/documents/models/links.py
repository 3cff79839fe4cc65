"""Curated links: articles that the desk recommends to read on."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel


class CuratedLink(TimestampedModel):
    """An article the desk recommends; parties, rules and topics point to it."""

    title = models.CharField(_("title"), max_length=200)
    address = models.URLField(_("address"), max_length=500, unique=True)
    teaser = models.CharField(
        _("teaser"), max_length=300, blank=True, help_text=_("One sentence that says what a reader finds there.")
    )
    valid_from = models.DateField(_("valid from"), null=True, blank=True, help_text=_("Empty: at once."))
    valid_until = models.DateField(_("valid until"), null=True, blank=True, help_text=_("Empty: for good."))
    parties = models.ManyToManyField(
        "documents.Party",
        verbose_name=_("parties"),
        blank=True,
        related_name="curated_links",
        help_text=_("Shown when a question is about one of these."),
    )

    class Meta:
        ordering = ("title",)
        verbose_name = _("curated link")
        verbose_name_plural = _("curated links")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(valid_from__isnull=True)
                | models.Q(valid_until__isnull=True)
                | models.Q(valid_from__lte=models.F("valid_until")),
                name="curated_link_valid_in_order",
            )
        ]

    def __str__(self) -> str:
        return self.title
