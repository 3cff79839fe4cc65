"""Names that never match another by similarity. Parties are in by themselves."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel


class ProtectedTerm(TimestampedModel):
    """A person, place or organisation that a phrase may name: a question about another one is another question."""

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        PLACE = "place", _("place")
        ORGANISATION = "organisation", _("organisation")
        OTHER = "other", _("other")

    name = models.CharField(_("name"), max_length=120, unique=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.PERSON)
    aliases = ArrayField(
        models.CharField(max_length=120),
        verbose_name=_("also called"),
        default=list,
        blank=True,
        help_text=_("Other ways to write it, separated by commas: they count as the same name."),
    )
    note = models.CharField(_("note"), max_length=300, blank=True)

    class Meta:
        ordering = ("name",)
        verbose_name = _("protected term")
        verbose_name_plural = _("protected terms")
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="protected_term_has_name")]

    def __str__(self) -> str:
        return self.name
