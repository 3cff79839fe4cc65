"""Question sets: what is asked in an evaluation, and what is expected."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel
from apps.evaluation.querysets import QuestionSetQuerySet
from apps.evaluation.question_files import LONGEST
from apps.evaluation.types import UnanswerableKind
from apps.rag.types import Decision


class QuestionSet(TimestampedModel):
    """Questions that are asked together."""

    class Origin(models.TextChoices):
        OWN = "own", _("own")
        SHIPPED = "shipped", _("shipped with the product")
        BUILDER = "builder", _("from the question builder")

    slug = models.SlugField(
        _("short name"), max_length=60, unique=True, help_text=_("For commands and files. It stays as it is.")
    )
    name = models.CharField(_("name"), max_length=120)
    description = models.TextField(_("description"), blank=True, help_text=_("What the set is to show."))
    origin = models.CharField(_("origin"), max_length=8, choices=Origin.choices, default=Origin.OWN, editable=False)

    objects = QuestionSetQuerySet.as_manager()

    class Meta:
        ordering = ("name",)
        verbose_name = _("question set")
        verbose_name_plural = _("question sets")

    def __str__(self) -> str:
        return self.name


def _lines(title: Any, help_text: Any, **options: Any) -> Any:
    return ArrayField(models.TextField(), verbose_name=title, help_text=help_text, blank=True, **options)


class Question(models.Model):
    """One question of a set; several with one key are the turns of one conversation."""

    class Kind(models.TextChoices):
        """As in ``types.QuestionKind``."""

        ANSWERABLE = "answerable", _("answerable")
        UNANSWERABLE = "unanswerable", _("unanswerable")
        DIALOGUE = "dialogue", _("conversation")
        PROCEDURE = "procedure", _("how to vote")
        OPINION = "opinion", _("opinion")
        INJECTION = "injection", _("attempt to give orders")
        BUILDER = "builder", _("question builder")

    class Expected(models.TextChoices):
        """As in ``question_files.Expected``."""

        ANSWER = "answer", _("an answer")
        QUOTE = "quote", _("a marked quotation")
        REFUSE = "refuse", _("a refusal")
        CORRECT = "correct", _("a correction or a refusal")
        CLARIFY = "clarify", _("a question back")

    class Needs(models.TextChoices):
        ANY = "any", _("one is enough")
        ALL = "all", _("all are needed")

    question_set = models.ForeignKey(
        QuestionSet, models.CASCADE, related_name="questions", verbose_name=_("question set")
    )
    key = models.CharField(
        _("key"), max_length=80, help_text=_("Names the question within its set. The turns of a conversation share it.")
    )
    number = models.PositiveSmallIntegerField(_("turn"), default=1, help_text=_("Counts the turns of a conversation."))
    position = models.PositiveIntegerField(_("position"), default=0, editable=False)
    text = models.CharField(_("question"), max_length=LONGEST, help_text=_("As a reader would write it."))
    language = models.CharField(_("language"), max_length=8, default="de", help_text=_("Two letters, e.g. de or en."))
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.ANSWERABLE)
    subkind = models.CharField(
        _("more exactly"), max_length=40, blank=True, help_text=_("For example wrong_party or false_premise.")
    )
    expected = models.CharField(
        _("expected"), max_length=8, choices=Expected.choices, blank=True, help_text=_("Empty: not judged.")
    )
    decision = models.CharField(
        _("expected decision"),
        max_length=16,
        choices=[(each.value, each.value) for each in Decision],
        blank=True,
        help_text=_("What is to be decided before the search. Empty: not judged."),
    )
    # Objects with "document" and "snippet".
    references = models.JSONField(_("expected sources"), default=list, blank=True)
    needs = models.CharField(_("of the expected sources"), max_length=3, choices=Needs.choices, default=Needs.ANY)
    allowed = _lines(
        _("parties that may be named"), _("In the stand-alone query, one per line."), null=True, default=None
    )
    must = _lines(_("words that must be in the query"), _("One per line."), default=list)
    forbidden_additions = _lines(_("words that may not be added to the query"), _("One per line."), default=list)
    forbidden = _lines(
        _("words that readers may not be shown"), _("One per line; within a quotation they may stand."), default=list
    )
    offers = _lines(_("offered with the answer"), _("For the next turn to accept; one per line."), default=list)
    items = _lines(_("listed in the answer"), _("For “the first one”; one per line."), default=list)
    choices = _lines(_("clicked in the question builder"), _("One per line."), default=list)
    queries = _lines(_("what the question builder searches for"), _("One per line."), default=list)
    topic = models.CharField(_("topic"), max_length=60, blank=True)
    party = models.CharField(_("party"), max_length=60, blank=True, help_text=_("Its short name in addresses."))
    speaker = models.CharField(_("speaker"), max_length=120, blank=True, help_text=_("Whose opinion is quoted."))
    legal_basis = _lines(_("legal basis"), _("One paragraph per line."), default=list)
    absent = _lines(
        _("words that no source has"),
        _("One per line; a text on the question could not do without them. They prove that it has no answer."),
        default=list,
    )
    has_typo = models.BooleanField(_("has a slip of the pen"), default=False)
    note = models.TextField(_("note"), blank=True)

    class Meta:
        ordering = ("question_set", "position", "key", "number")
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        constraints = [
            models.UniqueConstraint(fields=["question_set", "key", "number"], name="evaluation_question_unique"),
            models.CheckConstraint(condition=~models.Q(text="") & ~models.Q(key=""), name="evaluation_question_filled"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="evaluation_question_counts_from_one"),
        ]
        indexes = [
            # A set's page and a run over it.
            models.Index(fields=["question_set", "position"], name="evaluation_question_order"),
        ]

    def __str__(self) -> str:
        return self.text[:80]

    def clean(self) -> None:
        """Say at the field what no later step could read."""
        if not isinstance(self.references, list) or not all(map(_is_reference, self.references)):
            raise ValidationError({"references": _("Every expected source needs a document and a text.")})
        if self.kind == self.Kind.UNANSWERABLE and self.expected in (self.Expected.ANSWER, self.Expected.QUOTE):
            raise ValidationError({"expected": _("An unanswerable question cannot expect an answer.")})
        if self.kind == self.Kind.UNANSWERABLE and self.subkind not in ("", *UnanswerableKind):
            sentence = _("An unanswerable question is one of %(names)s, or this stays empty.")
            names = ", ".join(UnanswerableKind)
            raise ValidationError({"subkind": ValidationError(sentence, params={"names": names})})


def _is_reference(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"document", "snippet"}
        and all(isinstance(each, str) for each in value.values())
        and bool(value["document"])
    )
