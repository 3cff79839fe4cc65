"""Versions of the settings of answers: drafts that editors write, and activated ones that never change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.answering.querysets import AnswerSettingsQuerySet
from apps.answering.settings_ranges import RANGES
from apps.core.models import TimestampedModel
from apps.rag.prompt_texts import MARKER_FORM

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def _validators(name: str) -> list[Any]:
    return [MinValueValidator(RANGES[name].least), MaxValueValidator(RANGES[name].most)]


def _count(name: str, label: _StrPromise, help_text: _StrPromise) -> models.PositiveSmallIntegerField[Any, Any]:
    """A whole number; empty is what the product ships."""
    return models.PositiveSmallIntegerField(
        label, null=True, blank=True, help_text=help_text, validators=_validators(name)
    )


def _number(name: str, label: _StrPromise, help_text: _StrPromise) -> models.FloatField[Any, Any]:
    """A number; empty is what the product ships or has measured."""
    return models.FloatField(label, null=True, blank=True, help_text=help_text, validators=_validators(name))


def _has_what_code_needs(name: str) -> models.CheckConstraint:
    """Without the form of markers, or without the word for "the sources do not say", no answer could pass the gate."""
    needed = Q(**{f"{name}__contains": MARKER_FORM}) & Q(**{f"{name}__contains": "{unsupported}"})
    return models.CheckConstraint(condition=Q(**{name: ""}) | needed, name=f"answer_settings_{name}_complete")


def _in_range(name: str) -> models.CheckConstraint:
    limits = {f"{name}__gte": RANGES[name].least, f"{name}__lte": RANGES[name].most}
    condition = Q(**{f"{name}__isnull": True}) | Q(**limits)
    return models.CheckConstraint(condition=condition, name=f"answer_settings_{name}_range")


class AnswerSettings(TimestampedModel):
    """One version. A draft until it is activated; the activated one with the highest number is in force.

    An empty number or prompt is what the product ships: a version says only what it changes.
    """

    class Model(models.TextChoices):
        CONFIGURED = "configured", _("the first model, and the second when it fails")
        FIRST = "first", _("the first model only")
        SECOND = "second", _("the second model only")
        NONE = "none", _("none: answers are quoted from the sources")

    number = models.PositiveIntegerField(_("number"), null=True, unique=True, editable=False)
    title = models.CharField(
        _("title"), max_length=120, help_text=_("What this version is for, for example: shorter answers.")
    )
    comment = models.CharField(_("comment"), max_length=300, blank=True, default="", editable=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("author"),
        editable=False,
    )
    # Stays when the account goes.
    author_name = models.CharField(_("author"), max_length=150, blank=True, default="", editable=False)
    activated_at = models.DateTimeField(_("activated"), null=True, editable=False)
    restored_from = models.ForeignKey("self", models.PROTECT, null=True, related_name="+", editable=False)

    model = models.CharField(
        _("model"),
        max_length=10,
        choices=Model.choices,
        default=Model.CONFIGURED,
        help_text=_("Which of the models that the operator has set up may write answers."),
    )
    rewrites = models.BooleanField(
        _("the model rewrites follow-up questions"),
        default=True,
        help_text=_("Off, or without a model: rules make follow-up questions stand alone."),
    )
    answer_prompt_de = models.TextField(_("rules for answers, German"), blank=True, default="")
    answer_prompt_en = models.TextField(_("rules for answers, English"), blank=True, default="")
    rewrite_prompt_de = models.TextField(_("rules for rewriting, German"), blank=True, default="")
    rewrite_prompt_en = models.TextField(_("rules for rewriting, English"), blank=True, default="")

    turns = _count(
        "turns", _("turns to lean on"), _("How many of the last questions and answers a new question may lean on.")
    )
    top_k = _count("top_k", _("passages found"), _("How many passages each search returns."))
    passages_read = _count(
        "passages_read", _("passages read"), _("How many of them are read closely for the sentences of an answer.")
    )
    desk_passages_read = _count(
        "desk_passages_read", _("passages read of a rule"), _("The same for the documents that a rule links.")
    )
    passages_nearest = _count(
        "passages_nearest", _("nearest articles"), _("How many articles a refusal offers. 0 offers none.")
    )
    parties_compared = _count(
        "parties_compared", _("parties compared"), _("How many parties one answer compares at most.")
    )
    links_per_party = _count(
        "links_per_party", _("links of a party"), _("How many curated links of a party stand below an answer on it.")
    )
    search_seconds = _number(
        "search_seconds", _("seconds for a search"), _("A search that takes longer is given up, and readers are told.")
    )

    sentences = _count(
        "sentences", _("sentences quoted"), _("How many sentences answer a question on one party, or on none.")
    )
    sentences_per_party = _count(
        "sentences_per_party",
        _("sentences of each party"),
        _("The same for each of several parties that are compared."),
    )
    shown_sentences = _count(
        "shown_sentences", _('sentences before "more"'), _("What is quoted beyond that stands behind a button.")
    )
    shown_words = _count("shown_words", _('words before "more"'), _("The same, counted in words."))

    sufficient = _number(
        "sufficient",
        _("evidence suffices from"),
        _("Probability that the passages answer the question. Higher refuses more, lower answers more wrongly."),
    )
    on_topic = _number(
        "on_topic",
        _("on the topic from"),
        _("Score of the best passage below which a question is taken to be on something else."),
    )
    other_language = _number(
        "other_language",
        _("source in another language from"),
        _("Closeness of meaning that decides where the source has another language than the question."),
    )
    support_floor = _number(
        "support_floor",
        _("a model's sentence is supported from"),
        _("How far its source must bear it out. Higher rejects more of what a model writes."),
    )
    other_language_floor = _number(
        "other_language_floor",
        _("the same across languages from"),
        _("Closeness of meaning, where the sentence has another language than its source."),
    )

    model_passages = _count("model_passages", _("passages for the model"), _("How many passages a model is given."))
    model_sentences = _count("model_sentences", _("sentences of the model"), _("How many it may write."))
    model_tokens = _count("model_tokens", _("tokens of the model"), _("How long its reply may be at most."))
    first_token_seconds = _number(
        "first_token_seconds",
        _("seconds until it begins"),
        _("A model that has not begun by then is given up: the next one takes over, or the sources are quoted."),
    )
    whole_seconds = _number(
        "whole_seconds", _("seconds until it is done"), _("What stands by then is kept, the rest is cut off.")
    )
    rewrite_seconds = _number(
        "rewrite_seconds", _("seconds for rewriting"), _("After that the rules rewrite the question.")
    )
    cache_minutes = _count(
        "cache_minutes",
        _("minutes in the cache"),
        _("How long the answer to a first question serves others who ask the same. 0: never."),
    )

    objects = AnswerSettingsQuerySet.as_manager()

    class Meta:
        ordering = (F("number").desc(nulls_first=True), "-pk")
        verbose_name = _("answer settings")
        verbose_name_plural = _("answer settings")
        permissions = [
            ("activate_answersettings", _("May activate answer settings and roll back")),
            ("view_bench", _("May try questions on the bench")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(number__isnull=True, activated_at__isnull=True)
                | Q(number__isnull=False, activated_at__isnull=False),
                name="answer_settings_activated_with_time",
            ),
            models.CheckConstraint(
                condition=Q(number__isnull=True) | ~Q(comment=""), name="answer_settings_activated_with_comment"
            ),
            models.CheckConstraint(
                condition=Q(model__in=["configured", "first", "second", "none"]), name="answer_settings_model_known"
            ),
            models.CheckConstraint(
                condition=Q(passages_read__isnull=True) | Q(top_k__isnull=True) | Q(passages_read__lte=F("top_k")),
                name="answer_settings_reads_what_is_found",
            ),
            models.CheckConstraint(
                condition=Q(first_token_seconds__isnull=True)
                | Q(whole_seconds__isnull=True)
                | Q(first_token_seconds__lte=F("whole_seconds")),
                name="answer_settings_seconds_in_order",
            ),
            *map(_has_what_code_needs, ("answer_prompt_de", "answer_prompt_en")),
            *map(_in_range, RANGES),
        ]

    def __str__(self) -> str:
        return str(self.number) if self.number is not None else self.title

    @property
    def is_draft(self) -> bool:
        return self.number is None

    def clean(self) -> None:
        """Refuse what contradicts itself, with the error on the field."""
        from apps.answering.settings_checks import settings_errors

        errors: Mapping[str, Any] = settings_errors(self)
        if errors:
            raise ValidationError(dict(errors))


class SourceChange(models.Model):
    """That what answers may be made from has changed; the sum is the version of the index. Written by triggers.

    A single counter row would make every worker wait for the others until commit. Rows are added up now and then.
    """

    changes = models.PositiveIntegerField(default=1)


class CachedAnswer(models.Model):
    """An answer that serves others who ask the same. Nobody's question is in the key: it is a keyed hash."""

    key = models.CharField(max_length=64, primary_key=True)
    # As apps/answering/event_json.py writes them: masked words only, gone with the conversation they came from.
    events = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [
            # What has expired, and the oldest when there are too many.
            models.Index(fields=["expires_at"], name="cached_answer_expires"),
        ]


class CacheDay(models.Model):
    """How often a day's questions found an answer in the cache. ``asked`` are those that might have."""

    day = models.DateField(_("day"), primary_key=True)
    asked = models.PositiveIntegerField(_("first questions"), default=0)
    hits = models.PositiveIntegerField(_("answered from the cache"), default=0)
    stored = models.PositiveIntegerField(_("answers stored"), default=0)

    class Meta:
        ordering = ("-day",)
        verbose_name = _("day of the cache")
        verbose_name_plural = _("days of the cache")

    @property
    def percent(self) -> int:
        """Of a hundred first questions, so many were answered from the cache."""
        return round(100 * self.hits / self.asked) if self.asked else 0
