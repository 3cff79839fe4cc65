"""The unique masked texts of the log, when and how each was asked, and the frozen middle of their vectors."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.topics.querysets import AskedQuerySet, QueryTextQuerySet


class QueryText(models.Model):
    """One masked text, however often it was asked. Goes with the last question that had it (a trigger sees to that)."""

    class Kind(models.TextChoices):
        TEXT = "text", _("question")
        TOO_SHORT = "too_short", _("too short")
        NO_TEXT = "no_text", _("without text")
        SMALL_TALK = "small_talk", _("small talk")
        BLOCKED = "blocked", _("blocked")

    # See apps/topics/text_keys.py.
    key = models.CharField(max_length=64, unique=True)
    text = models.TextField(_("question"))
    language = models.CharField(_("language"), max_length=8, default="de")
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.TEXT)
    # Slugs of the parties that it names.
    parties = ArrayField(models.CharField(max_length=50), verbose_name=_("parties"), default=list, blank=True)
    # float16; empty until embedded. Read by the thousand and multiplied: never searched in the database.
    vector = models.BinaryField(default=bytes)
    embedder = models.CharField(max_length=120, blank=True, default="")
    # Of what it is about (apps/topics/modelling/gist.py): texts with one gist have one vector and one topic.
    gist_key = models.CharField(max_length=64, blank=True, default="")
    first_asked = models.DateTimeField()
    # When it came into these tables: what the last full run has seen it does not look at again.
    taken_in = models.DateTimeField(auto_now_add=True)

    objects = QueryTextQuerySet.as_manager()

    class Meta:
        verbose_name = _("text")
        verbose_name_plural = _("texts")
        indexes = [
            # What waits for its vector, each minute.
            models.Index(fields=["id"], condition=models.Q(kind="text", embedder=""), name="querytext_without_vector"),
        ]

    def __str__(self) -> str:
        return self.text


class Asked(models.Model):
    """One turn of the log as topics count it. Goes with its turn."""

    class QuestionType(models.TextChoices):
        REMEMBER = "remember", _("remember")
        UNDERSTAND = "understand", _("understand")
        APPLY = "apply", _("apply")
        ANALYSE = "analyse", _("analyse")
        EVALUATE = "evaluate", _("evaluate")
        CREATE = "create", _("create")

    turn = models.OneToOneField("querylog.Turn", models.CASCADE, related_name="asked")
    text = models.ForeignKey(QueryText, models.CASCADE, related_name="asked")
    # Of the conversation: distinct sessions are what is counted.
    session = models.CharField(max_length=64)
    # In Berlin.
    day = models.DateField()
    asked_at = models.DateTimeField()
    outcome = models.CharField(max_length=12, blank=True, default="")
    # Refused because the sources hold nothing: not for asking for voting advice.
    is_refused = models.BooleanField(default=False)
    is_disliked = models.BooleanField(default=False)
    # Small talk, blocked input, refused voting advice: no gap, no answer either.
    is_left_out = models.BooleanField(default=False)
    # How close the sources came to it (modelling/closeness.py); null where nothing was searched or not measured yet.
    closeness = models.FloatField(null=True)
    is_measured = models.BooleanField(default=False)
    # Judged by a model on a sample: 1 to 3 each. Null where nobody has measured.
    clear_intent = models.PositiveSmallIntegerField(null=True)
    clear_subject = models.PositiveSmallIntegerField(null=True)
    clear_names = models.PositiveSmallIntegerField(null=True)
    question_type = models.CharField(max_length=12, choices=QuestionType.choices, blank=True, default="")
    # Model and prompt version, e.g. "gpt-4o-mini/question-quality-1".
    judged_by = models.CharField(max_length=120, blank=True, default="")

    objects = AskedQuerySet.as_manager()

    class Meta:
        verbose_name = _("asked question")
        verbose_name_plural = _("asked questions")
        indexes = [
            # Counting the days that have changed.
            models.Index(fields=["day"], name="asked_day"),
            # The typical questions and sessions of one topic.
            models.Index(fields=["text", "day"], name="asked_text_day"),
            # What waits to be measured, each minute.
            models.Index(fields=["id"], condition=models.Q(is_measured=False), name="asked_not_measured"),
            # The few that a model has judged, of a period.
            models.Index(fields=["day"], condition=~models.Q(judged_by=""), name="asked_judged"),
        ]

    def __str__(self) -> str:
        return str(self.turn_id)


class VectorSpace(models.Model):
    """What belongs to one embedder: the frozen mean of all vectors, and which scores are weak."""

    embedder = models.CharField(max_length=120, unique=True)
    # float32, frozen: distances of today and of last month must be the same thing.
    mean = models.BinaryField(default=bytes)
    texts = models.PositiveIntegerField(default=0)
    # Of the closeness of answered questions; null below 20 of them. Fitted anew every week.
    tau = models.FloatField(null=True)
    spread = models.FloatField(null=True)
    fitted_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("vector space")
        verbose_name_plural = _("vector spaces")

    def __str__(self) -> str:
        return self.embedder
