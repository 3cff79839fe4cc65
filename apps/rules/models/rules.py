"""The rule tree as editors write it: the draft. Readers never meet these rows, only a release made of them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
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


class TriggerPhrase(models.Model):
    """A question as readers ask it. ``keys`` are its spellings as the engine compares them."""

    rule = models.ForeignKey(Rule, models.CASCADE, related_name="phrases")
    order = models.PositiveIntegerField(default=0)
    text = models.CharField(_("phrase"), max_length=512)
    is_fuzzy = models.BooleanField(_("similar questions too"), default=True)
    # apps.language.normalising.normalised_forms(text), hyphens split and joined: two phrases are the same question
    # where one spelling is. Written by the services; the trigger of migration 0003 compares them.
    keys = ArrayField(models.CharField(max_length=1100), default=list, editable=False)

    class Meta:
        ordering = ("order", "id")
        verbose_name = _("phrase")
        verbose_name_plural = _("phrases")
        constraints = [
            models.UniqueConstraint(fields=["rule", "keys"], name="phrase_once_per_rule"),
            models.CheckConstraint(condition=~Q(keys=[]) & ~Q(keys__contains=[""]), name="phrase_has_words"),
        ]
        indexes = [
            # For the trigger that refuses a phrase in two rules. No pending list: each phrase of a bulk is looked up.
            GinIndex(fields=["keys"], name="phrase_keys", fastupdate=False),
        ]

    def __str__(self) -> str:
        return self.text


class TokenList(models.Model):
    """Words of which some must be said (core, anchor) or must not (exclude)."""

    class Role(models.TextChoices):
        CORE = "core", _("core")
        ANCHOR = "anchor", _("anchor")
        EXCLUDE = "exclude", _("exclude")

    class Need(models.TextChoices):
        ALL = "all", _("all of")
        ANY = "any", _("any of")
        COUNT = "count", _("at least so many of")
        PERCENT = "percent", _("at least so many percent of")

    rule = models.ForeignKey(Rule, models.CASCADE, related_name="token_lists")
    role = models.CharField(max_length=7, choices=Role.choices)
    need = models.CharField(max_length=7, choices=Need.choices, default=Need.ALL)
    amount = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("rule", "role")
        verbose_name = _("token list")
        verbose_name_plural = _("token lists")
        constraints = [
            models.UniqueConstraint(fields=["rule", "role"], name="token_list_once_per_role"),
            models.CheckConstraint(
                condition=Q(need__in=["all", "any"], amount__isnull=True)
                | Q(need="count", amount__gte=1)
                | Q(need="percent", amount__gte=1, amount__lte=100),
                name="token_list_amount_fits_need",
            ),
        ]

    def __str__(self) -> str:
        return self.role


class TokenSlot(models.Model):
    """One thing that must be said: a word or several in a row; alternatives stand between ``|``."""

    class Mode(models.TextChoices):
        FORM = "form", _("in any form")
        EXACTLY = "exactly", _("exactly so")
        STARTS = "starts", _("starts with")
        ENDS = "ends", _("ends with")

    list = models.ForeignKey(TokenList, models.CASCADE, related_name="slots")
    order = models.PositiveIntegerField(default=0)
    text = models.CharField(_("word"), max_length=200)
    mode = models.CharField(max_length=7, choices=Mode.choices, default=Mode.FORM)
    # The normalised alternatives, joined: two slots that are the same word.
    key = models.CharField(max_length=440, editable=False)

    class Meta:
        ordering = ("order", "id")
        verbose_name = _("word")
        verbose_name_plural = _("words")
        constraints = [
            models.UniqueConstraint(fields=["list", "key"], name="slot_once_per_list"),
            models.CheckConstraint(condition=~Q(key=""), name="slot_has_words"),
        ]

    def __str__(self) -> str:
        return self.text


class RuleDocument(models.Model):
    """A document that the rule hands over, how much of it, and in which order."""

    class Scope(models.TextChoices):
        FULL = "full", _("the whole document")
        FIRST = "first", _("the first passages")
        RANGE = "range", _("passages from … to …")
        SECTION = "section", _("one section")

    rule = models.ForeignKey(Rule, models.CASCADE, related_name="documents")
    # A document that is deleted leaves its name, so that the desk sees what is missing.
    document = models.ForeignKey("documents.Document", models.SET_NULL, null=True, related_name="+")
    document_uuid = models.UUIDField(editable=False)
    document_title = models.CharField(max_length=300, editable=False)
    # The document's version that the editor had before them: a newer one is flagged.
    seen_version = models.PositiveIntegerField(null=True, editable=False)
    order = models.PositiveIntegerField(default=0)
    scope = models.CharField(_("how much"), max_length=7, choices=Scope.choices, default=Scope.FULL)
    first = models.PositiveIntegerField(_("from passage"), null=True, blank=True)
    last = models.PositiveIntegerField(_("to passage"), null=True, blank=True)
    path = ArrayField(models.CharField(max_length=300), verbose_name=_("section"), default=list, blank=True)
    most_tokens = models.PositiveIntegerField(_("at most tokens"), null=True, blank=True)

    class Meta:
        ordering = ("order", "id")
        verbose_name = _("linked document")
        verbose_name_plural = _("linked documents")
        constraints = [
            models.CheckConstraint(
                condition=Q(scope="full")
                | Q(scope="first", last__gte=1)
                | Q(scope="range", first__gte=1, last__gte=F("first"))
                | (Q(scope="section") & ~Q(path=[])),
                name="rule_document_scope_complete",
            ),
        ]
        indexes = [
            # Which rules rest on a document that has changed.
            models.Index(fields=["document_uuid"], name="rule_document_uuid"),
        ]

    def __str__(self) -> str:
        return self.document_title


class RuleLink(models.Model):
    """A curated link that the rule offers to read on."""

    rule = models.ForeignKey(Rule, models.CASCADE, related_name="links")
    link = models.ForeignKey("documents.CuratedLink", models.CASCADE, related_name="+", verbose_name=_("curated link"))
    order = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("order", "id")
        verbose_name = _("link to read on")
        verbose_name_plural = _("links to read on")
        constraints = [models.UniqueConstraint(fields=["rule", "link"], name="rule_link_once")]

    def __str__(self) -> str:
        return str(self.link)


class Example(models.Model):
    """A question that the rule must win, or must not: a failing one blocks the release."""

    class Stage(models.TextChoices):
        EXACT = "exact", _("exact")
        FUZZY = "fuzzy", _("similar")
        TOKEN = "token", _("by words")

    rule = models.ForeignKey(Rule, models.CASCADE, related_name="examples")
    order = models.PositiveIntegerField(default=0)
    question = models.CharField(_("question"), max_length=512)
    must_match = models.BooleanField(_("must match"), default=True)
    stage = models.CharField(_("at stage"), max_length=5, choices=Stage.choices, blank=True, default="")

    class Meta:
        ordering = ("order", "id")
        verbose_name = _("example")
        verbose_name_plural = _("examples")
        constraints = [models.CheckConstraint(condition=~Q(question=""), name="example_has_question")]

    def __str__(self) -> str:
        return self.question
