"""What readers asked and what they got. Only masked text is ever stored here."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.answering.trace_words import DECISIONS, OUTCOMES
from apps.querylog.access_models import AccessEntry
from apps.querylog.day_models import LogDay
from apps.querylog.demo_models import DemoLoad
from apps.querylog.feedback_models import AnswerFeedback, SentenceReport, SourceReport
from apps.querylog.kinds import QuestionKind
from apps.querylog.querysets import ConversationQuerySet, HandoverQuerySet, TurnQuerySet
from apps.rag.aspects import LOW_COVERAGE
from apps.rag.types import Decision, Outcome

__all__ = [
    "AccessEntry",
    "AnswerFeedback",
    "Conversation",
    "DailyKey",
    "DemoLoad",
    "Handover",
    "LogDay",
    "SentenceReport",
    "SourceReport",
    "Turn",
]

# A question that has nothing to do with what is collected here is nothing for the desk either.
_NOT_FOR_THE_DESK = frozenset({"off_topic", "empty_corpus", "search_down"})


class DailyKey(models.Model):
    """The key that makes one day's session hashes. Destroyed when the day is over: yesterday's hashes mean nothing."""

    day = models.DateField(primary_key=True)
    key = models.BinaryField()

    class Meta:
        verbose_name = _("daily key")
        verbose_name_plural = _("daily keys")


class Conversation(models.Model):
    """A reader's chat. Owned through the hash of a random cookie; no address, no browser name."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # SHA-256 of the reader's cookie token; never used in analytics.
    owner = models.CharField(max_length=64, editable=False)
    # Keyed hash of the token under the day's key; what analytics counts.
    session_day = models.CharField(max_length=64, editable=False)
    language = models.CharField(_("language"), max_length=8, default="de")
    created_at = models.DateTimeField(_("begun"), auto_now_add=True)
    # Written for the demo, by nobody.
    is_demo = models.BooleanField(_("demo"), default=False, editable=False)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at",)
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes = [
            # The reader's own conversations, newest first.
            models.Index(fields=["owner", "-created_at"], name="conversation_owner_created"),
            # The nightly job that forgets.
            models.Index(fields=["created_at"], name="conversation_created"),
            # The demo's, to date them anew and to take them out.
            models.Index(fields=["is_demo"], condition=models.Q(is_demo=True), name="conversation_demo"),
        ]

    def __str__(self) -> str:
        return str(self.uuid)


class Turn(models.Model):
    """One question with its answer. new -> running -> done, interrupted or failed."""

    class State(models.TextChoices):
        NEW = "new", _("new")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        INTERRUPTED = "interrupted", _("interrupted")
        FAILED = "failed", _("failed")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns", verbose_name=_("conversation"))
    number = models.PositiveIntegerField(_("number"))
    question = models.TextField(_("question"))
    language = models.CharField(_("language"), max_length=8, default="de")
    # Names of the buttons of the question builder that were pressed for it.
    builder_choices = models.JSONField(_("question builder"), default=list)
    masked_kinds = models.JSONField(_("masked"), default=dict)
    # Noted when it is stored (apps/querylog/marking.py), so that counting reads no words.
    kind = models.CharField(_("kind"), max_length=12, choices=QuestionKind.choices, default=QuestionKind.TEXT)
    # Slugs of the parties and full names of the public people that it names.
    parties = ArrayField(models.SlugField(max_length=50), verbose_name=_("parties named"), default=list, blank=True)
    people = ArrayField(models.CharField(max_length=120), verbose_name=_("people named"), default=list, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.NEW)
    decision = models.CharField(
        _("decision"), max_length=16, blank=True, default="", choices=[(d.value, DECISIONS[d.value]) for d in Decision]
    )
    outcome = models.CharField(
        _("outcome"), max_length=12, blank=True, default="", choices=[(o.value, OUTCOMES[o.value]) for o in Outcome]
    )
    # The code of the notice that a turn without an answer ended with: why it was refused, asked back or talked.
    ended_with = models.CharField(_("ended with"), max_length=40, blank=True, default="")
    query = models.TextField(_("stand-alone query"), blank=True, default="")
    # How the query came about: RewritingRecord in apps/querylog/records.py. The reader's words are in it.
    rewriting = models.JSONField(default=dict)
    # What was understood of it: UnderstoodRecord in apps/querylog/records.py. The reader's words are in it.
    understood = models.JSONField(default=list)
    # Everything shown, in the order it was shown: see apps/querylog/records.py for the shapes.
    shown = models.JSONField(default=list)
    passages = models.JSONField(default=list)
    signals = models.JSONField(default=dict)
    # Two of the signals, as columns since lists filter by them. Null where nothing was searched.
    confidence = models.FloatField(_("confidence"), null=True, blank=True)
    coverage = models.FloatField(_("coverage"), null=True, blank=True)
    timings = models.JSONField(default=dict)
    versions = models.JSONField(default=dict)
    # The rule that won: a column of its own, since lists filter by it. Empty where none matched.
    rule_uid = models.CharField(_("rule"), max_length=80, blank=True, default="")
    # How it matched and what it brought: RuleRecord in apps/querylog/records.py.
    rule = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    # Its reader has come back to another process than the one that answers it, which therefore goes on.
    watched_at = models.DateTimeField(null=True, editable=False)
    # The reader asked the desk to look at it: once, see Handover.
    handed_over_at = models.DateTimeField(_("handed to the desk"), null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering = ("conversation", "number")
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        permissions = [("view_question", _("May read the masked words of readers"))]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "number"], name="turn_number_unique"),
            models.CheckConstraint(condition=~models.Q(question=""), name="turn_has_question"),
            models.CheckConstraint(
                condition=models.Q(state__in=["new", "running"], finished_at__isnull=True)
                | models.Q(state__in=["done", "interrupted", "failed"], finished_at__isnull=False),
                name="turn_finished_with_time",
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__isnull=True) | models.Q(confidence__gte=0, confidence__lte=1),
                name="turn_confidence_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(coverage__isnull=True) | models.Q(coverage__gte=0, coverage__lte=1),
                name="turn_coverage_is_a_share",
            ),
        ]
        indexes = [
            # The log's list by period, and retention.
            models.Index(fields=["-created_at"], name="turn_created"),
            # Who is asked about: the counts of parties and people, and the questions behind them.
            GinIndex(fields=["parties"], name="turn_parties"),
            GinIndex(fields=["people"], name="turn_people"),
            # What one rule has answered, newest first.
            models.Index(
                fields=["rule_uid", "-created_at"], condition=~models.Q(rule_uid=""), name="turn_rule_created"
            ),
            # What readers have handed to the desk, newest first.
            models.Index(
                fields=["-handed_over_at"], condition=models.Q(handed_over_at__isnull=False), name="turn_handed_over"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}/{self.number}"

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.DONE, self.State.INTERRUPTED, self.State.FAILED}

    @property
    def days_kept(self) -> int:
        """How long questions live, with all that belongs to them."""
        return int(settings.QUESTION_RETENTION_DAYS)

    @property
    def may_be_handed_over(self) -> bool:
        """Say whether the reader may hand the question to the desk: the sources left a good part of it open."""
        if self.handed_over_at is not None or self.state != self.State.DONE or self.coverage is None:
            return False
        if self.outcome not in {Outcome.ANSWERED, Outcome.REFUSED} or self.coverage >= LOW_COVERAGE:
            return False
        return not any(item.get("code") in _NOT_FOR_THE_DESK for item in self.shown)


class Handover(models.Model):
    """A question that a reader has handed to the desk, and who works on it. Goes with its turn."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        TAKEN = "taken", _("taken")
        ANSWERED = "answered", _("answered")
        DISMISSED = "dismissed", _("dismissed")

    turn = models.OneToOneField(
        Turn, models.CASCADE, related_name="handover", verbose_name=_("question"), editable=False
    )
    state = models.CharField(
        _("state"),
        max_length=12,
        choices=State.choices,
        default=State.OPEN,
        help_text=_(
            "“Answered” tells the reader that asking again is worth it; nothing else of this is shown to them."
        ),
    )
    editor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("editor"),
        help_text=_("Who works on it, or who has closed it."),
    )
    note = models.TextField(
        _("note"), blank=True, default="", help_text=_("For colleagues: what was found, written or decided.")
    )
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = HandoverQuerySet.as_manager()

    class Meta:
        ordering = ("-turn__handed_over_at",)
        verbose_name = _("handed-over question")
        verbose_name_plural = _("handed-over questions")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="open") | models.Q(editor__isnull=True), name="handover_open_is_nobodys"
            )
        ]
        indexes = [
            # The number in the menu: on every page of the back office.
            models.Index(fields=["state"], condition=models.Q(state="open"), name="handover_open")
        ]

    def __str__(self) -> str:
        return str(self.turn)

    @property
    def is_closed(self) -> bool:
        return self.state in {self.State.ANSWERED, self.State.DISMISSED}
