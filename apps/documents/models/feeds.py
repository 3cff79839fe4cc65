"""Feeds: addresses that bring new articles every night."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel
from apps.documents.models.documents import Document


class Feed(TimestampedModel):
    """An RSS or Atom feed whose articles become documents of one collection."""

    address = models.URLField(_("address"), max_length=500, unique=True, help_text=_("Of the RSS or Atom feed."))
    title = models.CharField(_("title"), max_length=200, blank=True, help_text=_("Empty: as the feed calls itself."))
    collection = models.ForeignKey(
        "documents.Collection", models.PROTECT, related_name="feeds", verbose_name=_("collection")
    )
    kind = models.CharField(
        _("kind"),
        max_length=12,
        choices=Document.Kind.choices,
        default=Document.Kind.NEWS,
        help_text=_("What its articles are. Opinion pieces belong in a feed of their own."),
    )
    publisher = models.CharField(_("publisher"), max_length=120, blank=True, help_text=_("Who publishes the articles."))
    party = models.ForeignKey(
        "documents.Party",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="feeds",
        verbose_name=_("party"),
        help_text=_("Only when the party itself speaks in it."),
    )
    language = models.CharField(
        _("language"), max_length=8, blank=True, help_text=_("Two letters, e.g. de. Empty: told from each text.")
    )
    is_active = models.BooleanField(_("fetched every night"), default=True)
    fetched_at = models.DateTimeField(_("last fetched"), null=True, blank=True, editable=False)
    # What the server wants to hear again, so that an unchanged feed costs nothing.
    etag = models.CharField(max_length=200, blank=True, editable=False)
    last_modified = models.CharField(max_length=60, blank=True, editable=False)
    error = models.TextField(_("what went wrong"), blank=True, editable=False)

    class Meta:
        ordering = ("title", "address")
        verbose_name = _("feed")
        verbose_name_plural = _("feeds")

    def __str__(self) -> str:
        return self.title or self.address
