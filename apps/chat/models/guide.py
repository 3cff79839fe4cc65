"""The page "How it works": its sections, written by editors."""

from __future__ import annotations

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.chat.guide_words import unknown_placeholders
from apps.core.models import TimestampedModel

_TEXT_HELP = _(
    "An empty line begins a paragraph, “- ” a point of a list. Placeholders: {programmes}, {articles}, {as_of}, "
    "{days} (how long questions are kept), {characters} (the longest question), {name} (this page’s name)."
)


class GuideSection(TimestampedModel):
    """One section of the page, in both languages."""

    class Adds(models.TextChoices):
        NOTHING = "nothing", _("nothing")
        FIGURES = "figures", _("how good the answers are: figures of the newest evaluation")
        SOURCES = "sources", _("which sources there are")
        CONTACT = "contact", _("how to reach the newsroom")

    slug = models.SlugField(_("short name"), unique=True, help_text=_("Part of the address, e.g. privacy."))
    order = models.PositiveSmallIntegerField(_("order"), default=0, help_text=_("The lower number stands first."))
    is_active = models.BooleanField(_("switched on"), default=True, help_text=_("Off: readers do not see it."))
    title = models.CharField(_("heading"), max_length=120)
    title_en = models.CharField(_("heading, English"), max_length=120)
    text = models.TextField(_("text"), help_text=_TEXT_HELP)
    text_en = models.TextField(_("text, English"), help_text=_TEXT_HELP)
    adds = models.CharField(
        _("below it"),
        max_length=8,
        choices=Adds.choices,
        default=Adds.NOTHING,
        help_text=_("What the page itself fills in below the text."),
    )

    class Meta:
        ordering: ClassVar = ["order", "slug"]
        verbose_name = _("section of “How it works”")
        verbose_name_plural = _("sections of “How it works”")

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        for field in ("text", "text_en"):
            wrong = unknown_placeholders(getattr(self, field))
            if wrong:
                names = ", ".join(f"{{{name}}}" for name in wrong)
                raise ValidationError({field: _("Nothing can be filled in for %(names)s.") % {"names": names}})

    def shown_title(self, language: str) -> str:
        return self.title_en if language == "en" else self.title

    def shown_text(self, language: str) -> str:
        return self.text_en if language == "en" else self.text
