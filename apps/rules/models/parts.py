"""What belongs to a rule: phrases, token lists, linked documents, links to read on, examples."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.rules.models.rules import Rule


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
