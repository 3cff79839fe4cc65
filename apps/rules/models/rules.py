"""The rule tree as editors write it: the draft. Readers never meet these rows, only a release made of them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel
from apps.rules.querysets import RuleQuerySet
from apps.rules.types import DEFAULT_FILL, DEFAULT_PRIORITY, MOST_LEVELS


class Rule(TimestampedModel):
    """One node of the tree: when readers ask this, use these documents."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft: not ready, left out of releases")
        ACTIVE = "active", _("active: goes live with the next release")
        PAUSED = "paused", _("paused: kept, but never matches, nor do the rules below it")
        ARCHIVED = "archived", _("archived: out of the way, can come back")

    class Audience(models.TextChoices):
        READERS = "readers", _("readers on our page")
        EMBED = "embed", _("readers of the embedded widget")
        API = "api", _("programs that ask over the API")
        DESK = "desk", _("the desk itself")

    class HitPolicy(models.TextChoices):
        STOP = "stop", _("only this rule's documents")
        COLLECT = "collect", _("further matching rules add theirs")

    class Extra(models.TextChoices):
        OFF = "off", _("no: only what is linked here")
        ON = "on", _("yes: always add what search finds")
        FILL = "fill", _("fill up with what search finds")

    uid = models.SlugField(
        _("short name"),
        max_length=80,
        unique=True,
        help_text=_("How logs and files call the rule, for example postal-vote. Stays when the title changes."),
    )
    title = models.CharField(_("title"), max_length=200, help_text=_("As colleagues find it in the list."))
    parent = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="children",
        verbose_name=_("below"),
        help_text=_("This rule only counts where the rule above it holds too."),
    )
    position = models.PositiveIntegerField(_("position"), default=0, editable=False)
    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.DRAFT)
    priority = models.PositiveIntegerField(
        _("priority"),
        default=DEFAULT_PRIORITY,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text=_("When several rules match in the same way, the lower number wins. 100 is usual."),
    )
    valid_from = models.DateTimeField(_("valid from"), null=True, blank=True, help_text=_("Empty: at once."))
    valid_until = models.DateTimeField(
        _("valid until"),
        null=True,
        blank=True,
        help_text=_("From this moment on it no longer counts. Empty: for good."),
    )
    languages = ArrayField(
        models.CharField(max_length=8),
        verbose_name=_("languages"),
        default=list,
        blank=True,
        help_text=_("Two letters each, such as de, en. Empty: every language."),
    )
    audiences = ArrayField(
        models.CharField(max_length=10, choices=Audience.choices),
        verbose_name=_("audiences"),
        default=list,
        blank=True,
        help_text=_("Who must be asking. Nothing chosen: everybody."),
    )
    builder_choices = ArrayField(
        models.SlugField(max_length=80),
        verbose_name=_("choices in the question builder"),
        default=list,
        blank=True,
        help_text=_("The reader must have clicked one of these. Empty: no matter."),
    )
    hit_policy = models.CharField(
        _("when other rules match too"), max_length=7, choices=HitPolicy.choices, default=HitPolicy.STOP
    )
    extra = models.CharField(
        _("search for more"),
        max_length=4,
        choices=Extra.choices,
        default=Extra.FILL,
        help_text=_("Whether ordinary search adds passages to those of this rule."),
    )
    fill_up_to = models.PositiveSmallIntegerField(
        _("fill up to"),
        default=DEFAULT_FILL,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text=_("So many passages in all."),
    )
    threshold = models.PositiveSmallIntegerField(
        _("similarity in percent"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(100)],
        help_text=_("From how much on a question is similar to a phrase. Empty: as the rule above, else 90."),
    )
    answer_text = models.TextField(
        _("curated answer"), blank=True, help_text=_("Shown above what the sources say. Empty: none.")
    )
    answer_is_desk_text = models.BooleanField(
        _("is the desk's own text"),
        default=False,
        help_text=_("Shown as the desk's words, with its name and date. Otherwise every sentence must be in a source."),
    )
    answer_owner = models.CharField(
        _("signed by"), max_length=120, blank=True, help_text=_("As readers see it, for example: Politics desk.")
    )
    answer_checked = models.DateField(_("as of"), null=True, blank=True)
    answer_expires = models.DateField(
        _("show until"), null=True, blank=True, help_text=_("The last day. Empty: for good.")
    )
    tags = ArrayField(models.CharField(max_length=40), verbose_name=_("tags"), default=list, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="rules",
        verbose_name=_("owner"),
        help_text=_("Whom to ask about it."),
    )
    reason = models.TextField(
        _("why"), blank=True, help_text=_("Why this rule exists, for whoever finds it in a year.")
    )
    # Counts saves; the number of the newest RuleVersion. A form that began with another number has been overtaken.
    version = models.PositiveIntegerField(default=0, editable=False)

    objects = RuleQuerySet.as_manager()

    class Meta:
        ordering = ("position", "uid")
        verbose_name = _("rule")
        verbose_name_plural = _("rules")
        permissions = [("publish_rule", _("May publish rules, pause them at once and roll back"))]
        constraints = [
            models.CheckConstraint(condition=~Q(parent=F("id")), name="rule_not_its_own_parent"),
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True) | Q(valid_until__isnull=True) | Q(valid_from__lt=F("valid_until")),
                name="rule_valid_in_order",
            ),
            models.CheckConstraint(condition=Q(threshold__isnull=True) | Q(threshold__lte=100), name="rule_threshold"),
            models.CheckConstraint(condition=Q(priority__gte=1, priority__lte=1000), name="rule_priority"),
            models.CheckConstraint(condition=Q(fill_up_to__gte=1, fill_up_to__lte=20), name="rule_fill_up_to"),
            models.CheckConstraint(
                condition=~Q(answer_is_desk_text=True) | Q(answer_text="") | ~Q(answer_owner=""),
                name="rule_desk_text_is_signed",
            ),
        ]
        indexes = [
            # The tree: the children of a rule in their order.
            models.Index(fields=["parent", "position"], name="rule_parent_position"),
        ]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """Refuse cycles and trees that are too deep, with the error at the field."""
        if self.parent is None:
            return
        above = [self.parent]
        while above[-1].parent is not None and len(above) <= MOST_LEVELS:
            if above[-1].pk == self.pk and self.pk is not None:
                break
            above.append(above[-1].parent)
        if self.pk is not None and any(rule.pk == self.pk for rule in above):
            raise ValidationError({"parent": _("A rule cannot stand below itself. Choose another rule.")})
        if len(above) + self._levels_below() > MOST_LEVELS:
            message = _("A tree of rules has at most %(most)s levels. Choose a rule further up.")
            raise ValidationError({"parent": message % {"most": MOST_LEVELS}})

    def _levels_below(self) -> int:
        """Count the levels from here down, this one included."""
        levels, here = 0, {self.pk}
        while here and levels <= MOST_LEVELS:
            levels += 1
            here = set(Rule.objects.filter(parent__in=here - {None}).values_list("pk", flat=True))
        return levels
