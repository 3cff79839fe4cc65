"""The question builder as the editors keep it: buttons, what combinations of them become, and which have sources."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.chat import composing
from apps.chat.composing import FacetKind, missing_placeholders, wrong_placeholders
from apps.core.models import TimestampedModel
from apps.documents.models import Party

_PLACEHOLDER_HELP = _("Placeholders: {role}, {topic}, {party}.")


class ValidQuerySet(models.QuerySet[Any]):
    """Rows that are switched on and within their dates."""

    def shown(self, on: object) -> ValidQuerySet:
        """Return what readers see on a day."""
        begun = models.Q(valid_from__isnull=True) | models.Q(valid_from__lte=on)
        not_over = models.Q(valid_until__isnull=True) | models.Q(valid_until__gte=on)
        return self.filter(begun & not_over, is_active=True)


class Shown(TimestampedModel):
    """What both buttons and templates have: a switch, dates, an order."""

    is_active = models.BooleanField(_("switched on"), default=True, help_text=_("Off: readers do not see it."))
    order = models.PositiveSmallIntegerField(_("order"), default=0, help_text=_("The lower number stands first."))
    valid_from = models.DateField(_("valid from"), null=True, blank=True, help_text=_("First day. Empty: at once."))
    valid_until = models.DateField(_("valid until"), null=True, blank=True, help_text=_("Last day. Empty: for good."))

    objects = ValidQuerySet.as_manager()

    class Meta:
        abstract = True

    def clean(self) -> None:
        if self.valid_from and self.valid_until and self.valid_until < self.valid_from:
            raise ValidationError({"valid_until": _("The last day is before the first.")})


class Facet(Shown):
    """One button of the question builder: a role, a topic or a party."""

    class Kind(models.TextChoices):
        ROLE = FacetKind.ROLE.value, _("role: who is asking")
        TOPIC = FacetKind.TOPIC.value, _("topic")
        PARTY = FacetKind.PARTY.value, _("party")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    slug = models.SlugField(
        _("short name"), unique=True, help_text=_("What rules know the choice by, e.g. pensioners. Never changed.")
    )
    label = models.CharField(_("button"), max_length=40, help_text=_("What stands on the button, e.g. Rentnerin."))
    label_en = models.CharField(_("button, English"), max_length=40, blank=True, help_text=_("Empty: as in German."))
    phrase = models.CharField(
        _("in a question"),
        max_length=80,
        blank=True,
        help_text=_("How it stands in a question, e.g. Rentnerinnen und Rentner. Empty: as on the button."),
    )
    phrase_en = models.CharField(
        _("in a question, English"), max_length=80, blank=True, help_text=_("Empty: as on the English button.")
    )
    party = models.ForeignKey(
        Party,
        models.CASCADE,
        null=True,
        blank=True,
        verbose_name=_("party"),
        help_text=_("For buttons of the kind party only."),
    )

    class Meta:
        ordering: ClassVar = ["kind", "order", "slug"]
        verbose_name = _("button of the question builder")
        verbose_name_plural = _("buttons of the question builder")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(kind="party", party__isnull=False)
                | (~models.Q(kind="party") & models.Q(party=None)),
                name="facet_party_with_kind",
            ),
            models.UniqueConstraint(fields=["party"], name="facet_party_once"),
            models.CheckConstraint(condition=~models.Q(label=""), name="facet_has_label"),
        ]

    def __str__(self) -> str:
        return self.label

    def clean(self) -> None:
        super().clean()
        if (self.kind == self.Kind.PARTY) != (self.party_id is not None):
            raise ValidationError({"party": _("A button of the kind party needs a party; the others have none.")})

    def shown_label(self, language: str) -> str:
        """Return what stands on the button."""
        return (self.label_en if language == "en" else "") or self.label

    def shown_phrase(self, language: str) -> str:
        """Return how the choice stands in a question."""
        own = self.phrase_en if language == "en" else self.phrase
        return own or self.shown_label(language)


class BuilderTemplate(Shown):
    """What a kind of combination becomes: the question in the reader's field, and the queries behind it."""

    class Takes(models.TextChoices):
        NONE = composing.Takes.NONE.value, _("none")
        ONE = composing.Takes.ONE.value, _("exactly one")
        SEVERAL = composing.Takes.SEVERAL.value, _("two or more")

    name = models.CharField(_("name"), max_length=80, unique=True, help_text=_("For the desk only."))
    roles = models.CharField(_("roles"), max_length=8, choices=Takes.choices, default="none")
    topics = models.CharField(_("topics"), max_length=8, choices=Takes.choices, default="none")
    parties = models.CharField(_("parties"), max_length=8, choices=Takes.choices, default="none")
    only = models.ManyToManyField(
        Facet,
        verbose_name=_("only with"),
        blank=True,
        help_text=_("Counts only where all of these are chosen, and then before templates for any choice."),
    )
    question = models.CharField(
        _("question"),
        max_length=300,
        help_text=_("What readers see and may change, e.g. “Was plant {party} beim Thema {topic}?”"),
    )
    question_en = models.CharField(_("question, English"), max_length=300, help_text=_PLACEHOLDER_HELP)

    class Meta:
        ordering: ClassVar = ["order", "name"]
        verbose_name = _("template of the question builder")
        verbose_name_plural = _("templates of the question builder")

    def __str__(self) -> str:
        return self.name

    @property
    def takes(self) -> list[tuple[FacetKind, composing.Takes]]:
        """Return how many of each kind the template is for."""
        return [(kind, composing.Takes(count)) for kind, count in zip(FacetKind, self._counts(), strict=True)]

    def _counts(self) -> tuple[str, str, str]:
        return self.roles, self.topics, self.parties

    def clean(self) -> None:
        super().clean()
        if set(self._counts()) == {"none"}:
            raise ValidationError(_("A template is for at least one role, topic or party."))
        if self.roles == "several":
            raise ValidationError({"roles": _("Readers choose one role at most.")})
        for name in ("question", "question_en"):
            check_placeholders(getattr(self, name), self.takes, field=name, is_whole=True)


class BuilderQuery(models.Model):
    """One query behind a combination. With several topics it is asked once for each."""

    template = models.ForeignKey(BuilderTemplate, models.CASCADE, related_name="queries", verbose_name=_("template"))
    text = models.CharField(_("query"), max_length=300, help_text=_PLACEHOLDER_HELP)
    text_en = models.CharField(_("query, English"), max_length=300, help_text=_PLACEHOLDER_HELP)
    order = models.PositiveSmallIntegerField(_("order"), default=0)

    class Meta:
        ordering: ClassVar = ["order", "pk"]
        verbose_name = _("query")
        verbose_name_plural = _("queries")

    def __str__(self) -> str:
        return self.text


class BuilderPair(models.Model):
    """Whether a topic together with a party or a role has an answer in the sources. Written by a task."""

    topic = models.ForeignKey(Facet, models.CASCADE, related_name="+", verbose_name=_("topic"))
    other = models.ForeignKey(Facet, models.CASCADE, related_name="+", verbose_name=_("party or role"))
    is_sourced = models.BooleanField(_("has sources"))
    checked_at = models.DateTimeField(_("checked"), auto_now=True)

    class Meta:
        ordering: ClassVar = ["topic", "other"]
        verbose_name = _("checked combination")
        verbose_name_plural = _("checked combinations")
        constraints: ClassVar = [models.UniqueConstraint(fields=["topic", "other"], name="builder_pair_once")]

    def __str__(self) -> str:
        return f"{self.topic} + {self.other}"


def check_placeholders(
    text: str, takes: list[tuple[FacetKind, composing.Takes]], *, field: str, is_whole: bool = False
) -> None:
    """Raise ValidationError on the field where a placeholder has nothing to hold; ``is_whole``: or one is missing."""
    wrong = wrong_placeholders(text, takes)
    if wrong:
        names = ", ".join(f"{{{name}}}" for name in wrong)
        raise ValidationError({field: _("Nothing is chosen for %(names)s in this template.") % {"names": names}})
    missing = missing_placeholders(text, takes) if is_whole else ()
    if missing:
        names = ", ".join(f"{{{name}}}" for name in missing)
        raise ValidationError({field: _("%(names)s is chosen and must stand in the question.") % {"names": names}})
