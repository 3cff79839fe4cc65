"""Topics with a lasting identity, their members, and what editors did to them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.topics.querysets import MemberQuerySet, TopicQuerySet


class Topic(models.Model):
    """A group of questions. Runs only propose: its id, name, pin and members outlive every one of them."""

    class State(models.TextChoices):
        CANDIDATE = "candidate", _("candidate")
        ACTIVE = "active", _("active")
        DORMANT = "dormant", _("dormant")
        RETIRED = "retired", _("retired")
        MERGED = "merged", _("merged into another")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    label_editor = models.CharField(
        _("name"),
        max_length=80,
        blank=True,
        default="",
        help_text=_("What the desk calls it. No run ever changes it; empty: the machine's words are shown."),
    )
    label_auto = models.CharField(_("name by machine"), max_length=80, blank=True, default="", editable=False)
    keywords = ArrayField(models.CharField(max_length=80), verbose_name=_("keywords"), default=list, blank=True)
    # The model's proposal passed its checks; else words by machine.
    label_source = models.CharField(max_length=120, blank=True, default="", editable=False)
    needs_check = models.BooleanField(_("check name"), default=False, editable=False)
    # What a name was given for: the 64 smallest keys of the members then. Their overlap with today's tells drift.
    named_for = ArrayField(models.CharField(max_length=64), default=list, blank=True, editable=False)
    central = models.ForeignKey(
        "topics.QueryText", models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.CANDIDATE)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="parts", editable=False)
    split_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="splits", editable=False
    )
    # An editor has cut it off: never one group again.
    is_split_by_hand = models.BooleanField(default=False, editable=False)
    is_pinned = models.BooleanField(_("pinned"), default=False, help_text=_("Stands first and never goes dormant."))
    is_hidden = models.BooleanField(_("hidden"), default=False, help_text=_("Left out of lists, charts and notices."))
    is_public = models.BooleanField(
        _("approved for readers"),
        default=False,
        help_text=_("May appear among what others ask, once enough different people ask it."),
    )
    public_question = models.CharField(
        _("question for readers"),
        max_length=200,
        blank=True,
        default="",
        help_text=_("A neutral question that the panel offers; empty: the name stands without a link."),
    )
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    # Until when the brake holds it back from readers; an editor may let it go on.
    held_until = models.DateTimeField(null=True, blank=True, editable=False)
    held_reason = models.CharField(max_length=40, blank=True, default="", editable=False)
    # float32 of unit length, in the centred space of the embedder.
    centre = models.BinaryField(default=bytes, editable=False)
    embedder = models.CharField(max_length=120, blank=True, default="", editable=False)
    floor = models.FloatField(default=0.45, editable=False)
    # On the map; null before the first one was drawn.
    map_x = models.FloatField(null=True, editable=False)
    map_y = models.FloatField(null=True, editable=False)
    runs_seen = models.PositiveIntegerField(default=0, editable=False)
    first_seen = models.DateField(_("first asked"), null=True, blank=True, editable=False)
    last_seen = models.DateField(_("last asked"), null=True, blank=True, editable=False)
    # Kept by the nightly rollup, so that lists need no sums: sessions of the last seven whole days, and more.
    sessions_week = models.PositiveIntegerField(_("sessions in 7 days"), default=0, editable=False)
    sessions_before = models.FloatField(_("usual week"), default=0.0, editable=False)
    answered_share = models.FloatField(_("answered"), null=True, editable=False)
    movement = models.CharField(_("trend"), max_length=10, blank=True, default="", editable=False)
    trend_z = models.FloatField(default=0.0, editable=False)
    gap_score = models.FloatField(_("gap"), default=0.0, editable=False)
    was_weak = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TopicQuerySet.as_manager()

    class Meta:
        ordering = ("-is_pinned", "-sessions_week", "id")
        verbose_name = _("topic")
        verbose_name_plural = _("topics")
        permissions = [("approve_topic", _("May show topics to readers"))]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="merged", merged_into__isnull=False)
                | (~Q(state="merged") & Q(merged_into__isnull=True)),
                name="topic_merged_into_something",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("id")), name="topic_not_merged_into_itself"
            ),
            # Readers only ever see a name that a person gave or approved.
            models.CheckConstraint(condition=Q(is_public=False) | ~Q(label_editor=""), name="topic_public_has_name"),
        ]
        indexes = [
            # The list and the overview.
            models.Index(fields=["state", "-sessions_week"], name="topic_state_sessions"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Return what it is called: the desk's name, else the machine's words."""
        return self.label_editor or self.label_auto or "–"

    @property
    def is_kept(self) -> bool:
        """Say whether a person's work hangs on it: then no run may merge it away."""
        return bool(self.label_editor or self.is_pinned or self.is_public or self.is_hidden or self.is_split_by_hand)


class TopicMember(models.Model):
    """Which topic a text belongs to: exactly one. ``part`` is the topic it came with, where topics were merged."""

    class How(models.TextChoices):
        ONLINE = "online", _("placed at once")
        RUN = "run", _("by a run")
        EDITOR = "editor", _("by an editor")

    text = models.OneToOneField("topics.QueryText", models.CASCADE, related_name="member", primary_key=True)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="members")
    part = models.ForeignKey(Topic, models.CASCADE, related_name="part_members")
    similarity = models.FloatField()
    how = models.CharField(max_length=6, choices=How.choices, default=How.ONLINE)
    # Put there by an editor: stays whatever a run proposes.
    is_locked = models.BooleanField(default=False)

    objects = MemberQuerySet.as_manager()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        indexes = [
            # The typical questions of a topic.
            models.Index(fields=["topic", "-similarity"], name="member_topic_similarity"),
        ]

    def __str__(self) -> str:
        return f"{self.text_id} in {self.topic_id}"


class MergeProposal(models.Model):
    """Two topics that may be one subject: a run proposes, an editor decides, and what was declined stays so."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("brought together")
        DECLINED = "declined", _("left apart")

    # By their numbers, so that a pair stands here once.
    one = models.ForeignKey(Topic, models.CASCADE, related_name="+", verbose_name=_("topic"))
    other = models.ForeignKey(Topic, models.CASCADE, related_name="+", verbose_name=_("other topic"))
    # Cosine of the two centres.
    similarity = models.FloatField(_("similarity"))
    shared = ArrayField(models.CharField(max_length=80), verbose_name=_("words in common"), default=list)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.OPEN)
    editor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("editor")
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    created_at = models.DateTimeField(_("proposed"), auto_now_add=True)

    class Meta:
        ordering = ("-similarity", "id")
        verbose_name = _("proposal to merge")
        verbose_name_plural = _("proposals to merge")
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="mergeproposal_once_per_pair"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="mergeproposal_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} {self.other_id}"


class TopicEdit(models.Model):
    """What an editor did to a topic, with all that is needed to undo it."""

    class Kind(models.TextChoices):
        RENAME = "rename", _("renamed")
        MERGE = "merge", _("merged")
        SPLIT = "split", _("split")
        PIN = "pin", _("pinned or let go")
        HIDE = "hide", _("hidden or shown")
        PUBLIC = "public", _("approved for readers or not")

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="edits")
    kind = models.CharField(_("what"), max_length=8, choices=Kind.choices)
    # Names before and after, ids of topics and texts that were moved.
    data = models.JSONField(default=dict)
    editor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("editor")
    )
    created_at = models.DateTimeField(_("when"), auto_now_add=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")
        verbose_name = _("change of a topic")
        verbose_name_plural = _("changes of topics")
        indexes = [
            # The history on a topic's page.
            models.Index(fields=["topic", "-created_at"], name="topicedit_topic_created")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.topic_id}"
