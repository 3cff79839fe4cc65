"""Curated links: articles that the desk recommends to read on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel

# Below an answer on several parties.
_MOST_LINKS = 4


def picture_path(link: CuratedLink, filename: str) -> str:
    """Store a picture under the name that its content gave it (see ``link_pictures``)."""
    return f"links/{filename}"


class CuratedLinkQuerySet(models.QuerySet[Any]):
    """Links by who may see them."""

    def shown(self, on: date) -> CuratedLinkQuerySet:
        """What readers may be shown on a day: in its time, and not known to lead nowhere."""
        has_begun = Q(valid_from__isnull=True) | Q(valid_from__lte=on)
        goes_on = Q(valid_until__isnull=True) | Q(valid_until__gte=on)
        return self.filter(has_begun, goes_on).exclude(state="dead")

    def by_address(self, addresses: Collection[str]) -> dict[str, CuratedLink]:
        """Return the link of each of these addresses, also of one that a link had before; without those of none."""
        wanted = set(addresses)
        if not wanted:
            return {}
        found: dict[str, CuratedLink] = {}
        links = list(self.filter(Q(address__in=wanted) | Q(former_addresses__overlap=list(wanted))).order_by("pk"))
        for link in links:
            found |= {address: link for address in link.former_addresses if address in wanted}
        # An address in use counts before one that was given up.
        return found | {link.address: link for link in links if link.address in wanted}

    def of_parties(self, slugs: Sequence[str], *, most: int) -> list[CuratedLink]:
        """Return at most ``most`` links of a party, the newest first.

        Of several parties: what is on all of them, else as many of the one as of the other, and none where that would
        be a list of links for each of many.
        """
        rows = self.filter(parties__slug__in=slugs).annotate(party_slug=F("parties__slug"))
        of_party: dict[str, list[CuratedLink]] = {slug: [] for slug in slugs}
        for link in rows.order_by("-created_at", "pk"):
            of_party[link.party_slug].append(link)
        if not of_party:
            return []
        first, *others = of_party.values()
        common = [link for link in first if all(link in links for links in others)]
        if common or not others:
            return common[:most]
        each = min(most, *(len(links) for links in of_party.values()), _MOST_LINKS // len(of_party))
        return list({link.pk: link for links in of_party.values() for link in links[:each]}.values())


class CuratedLink(TimestampedModel):
    """An article the desk recommends; parties, rules and topics point to it."""

    class State(models.TextChoices):
        UNKNOWN = "unknown", _("not known")
        ALIVE = "alive", _("alive")
        DEAD = "dead", _("dead: readers do not see it")

    title = models.CharField(_("title"), max_length=200)
    address = models.URLField(_("address"), max_length=500, unique=True)
    teaser = models.CharField(
        _("teaser"), max_length=300, blank=True, help_text=_("One sentence that says what a reader finds there.")
    )
    # Where it led before, kept by a trigger: a release names links by address and must find one that has moved since.
    former_addresses = ArrayField(models.CharField(max_length=500), default=list, blank=True, editable=False)
    picture = models.FileField(
        _("picture"),
        upload_to=picture_path,
        max_length=200,
        blank=True,
        help_text=_("JPEG, PNG or WebP of up to 5 MB. It is made small and shown from our own pages."),
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
    # What the nightly check found. It never deletes: a site may come back.
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.UNKNOWN, editable=False)
    checked_at = models.DateTimeField(_("last checked"), null=True, editable=False)
    # Nights in a row on which it could not be reached.
    failures = models.PositiveSmallIntegerField(default=0, editable=False)
    reason_code = models.CharField(max_length=40, blank=True, default="", editable=False)
    reason = models.TextField(_("reason"), blank=True, default="", editable=False)

    objects = CuratedLinkQuerySet.as_manager()

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
            ),
            models.CheckConstraint(
                condition=~models.Q(state="dead") | ~models.Q(reason=""), name="curated_link_dead_with_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def picture_address(self) -> str:
        """Where our own pages get the picture, or empty. Another picture has another address."""
        if not self.picture.name:
            return ""
        return reverse("documents:link-picture", args=[self.pk, PurePosixPath(self.picture.name).stem])
