"""Parties: the political actors whose words are kept apart."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel


class Party(TimestampedModel):
    """A political actor with all the names that readers use for it."""

    slug = models.SlugField(_("short address"), unique=True, help_text=_("Used in addresses and imports, e.g. spd."))
    name = models.CharField(_("name"), max_length=200, unique=True, help_text=_("The full name."))
    short_name = models.CharField(_("short name"), max_length=40, unique=True, help_text=_("As printed in answers."))
    aliases = ArrayField(
        models.CharField(max_length=80),
        verbose_name=_("other names"),
        default=list,
        blank=True,
        help_text=_("Names that readers use, inflected and colloquial forms too; separated by commas."),
    )
    colour = models.CharField(
        _("colour"),
        max_length=7,
        default="#777777",
        validators=[RegexValidator(r"^#[0-9a-fA-F]{6}$", _("Give the colour as # and six digits, e.g. #1a5fb4."))],
        help_text=_("A small mark beside the name, never a judgement."),
    )
    order = models.PositiveSmallIntegerField(_("order"), default=0, help_text=_("The lower number stands first."))

    class Meta:
        ordering = ("order", "slug")
        verbose_name = _("party")
        verbose_name_plural = _("parties")
        constraints = [
            models.CheckConstraint(condition=~models.Q(short_name=""), name="party_has_short_name"),
            models.CheckConstraint(condition=models.Q(colour__regex=r"^#[0-9a-fA-F]{6}$"), name="party_colour_is_hex"),
        ]

    def __str__(self) -> str:
        return self.short_name
