"""Collections: documents that share visibility, chunking and ranking."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel


class Collection(TimestampedModel):
    """A shelf: who may see it, how its documents are cut, and how they rank."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public: readers' answers may quote it")
        DESK = "desk", _("desk only: found in the back office, never quoted to readers")

    class Chunking(models.TextChoices):
        SECTIONS = "sections", _("by section")
        SEMANTIC = "semantic", _("by meaning")

    slug = models.SlugField(_("short address"), unique=True, help_text=_("Used by the command ingest."))
    name = models.CharField(_("name"), max_length=120, unique=True)
    visibility = models.CharField(_("visibility"), max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC)
    lexical_weight = models.FloatField(
        _("weight of words"),
        default=1.0,
        validators=[MinValueValidator(0.0), MaxValueValidator(5.0)],
        help_text=_("1 is the measured balance of words and meaning; more favours exact words, 0 ignores them."),
    )
    recency_half_life_days = models.PositiveIntegerField(
        _("half-life in days"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("For news: after so many days a document's age bonus has halved. Empty: age does not matter."),
    )
    chunking = models.CharField(_("cutting"), max_length=10, choices=Chunking.choices, default=Chunking.SECTIONS)
    section_limit = models.PositiveIntegerField(
        _("whole section up to"),
        default=500,
        validators=[MinValueValidator(50), MaxValueValidator(2000)],
        help_text=_("In tokens. A section up to this size stays in one piece."),
    )
    window = models.PositiveIntegerField(
        _("window"),
        default=400,
        validators=[MinValueValidator(50), MaxValueValidator(2000)],
        help_text=_("In tokens. Longer sections are cut into windows of this size."),
    )
    overlap = models.PositiveIntegerField(
        _("overlap"),
        default=80,
        validators=[MaxValueValidator(500)],
        help_text=_("In tokens. So much of a window is repeated in the next."),
    )

    class Meta:
        ordering = ("name",)
        verbose_name = _("collection")
        verbose_name_plural = _("collections")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(lexical_weight__gte=0, lexical_weight__lte=5), name="collection_lexical_weight_range"
            ),
            models.CheckConstraint(
                condition=models.Q(overlap__lt=models.F("window")), name="collection_overlap_below_window"
            ),
            models.CheckConstraint(
                condition=models.Q(recency_half_life_days__isnull=True) | models.Q(recency_half_life_days__gt=0),
                name="collection_half_life_positive",
            ),
        ]

    def __str__(self) -> str:
        return self.name
