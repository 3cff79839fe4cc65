"""A document as an editor sees it, its versions, and the sections and pages of a version."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.core.models import TimestampedModel
from apps.documents.querysets import DocumentQuerySet


def upload_path(version: DocumentVersion, filename: str) -> str:
    """Store a file under its checksum: the name that somebody gave it is kept in a column, not in a path."""
    return f"documents/{version.checksum[:2]}/{version.checksum}"


class Document(TimestampedModel):
    """One source: a programme, an article, a law, a list of questions, a table.

    queued -> parsing -> indexing -> ready; rejected with a reason from parsing or indexing; a new file or a
    re-index starts again at queued. A document with a ready version stays searchable while the next one is read.
    """

    class Kind(models.TextChoices):
        PROGRAMME = "programme", _("programme")
        NEWS = "news", _("news")
        OPINION = "opinion", _("opinion")
        EXPLAINER = "explainer", _("explainer")
        LAW = "law", _("law")
        FAQ = "faq", _("questions and answers")
        DATA = "data", _("data")

    class Status(models.TextChoices):
        QUEUED = "queued", _("queued")
        PARSING = "parsing", _("parsing")
        INDEXING = "indexing", _("indexing")
        REVIEW = "review", _("waits for review")
        READY = "ready", _("ready")
        REJECTED = "rejected", _("rejected")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(_("title"), max_length=300, help_text=_("As readers see it under an answer."))
    sort_key = models.CharField(max_length=300, editable=False, default="")
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.NEWS)
    collection = models.ForeignKey(
        "documents.Collection", models.PROTECT, related_name="documents", verbose_name=_("collection")
    )
    publisher = models.CharField(_("publisher"), max_length=120, blank=True, help_text=_("Who published it."))
    author = models.CharField(_("author"), max_length=120, blank=True, help_text=_("Needed for opinion pieces."))
    party = models.ForeignKey(
        "documents.Party",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="documents",
        verbose_name=_("party"),
        help_text=_("Only when the party itself speaks, as in its programme."),
    )
    language = models.CharField(_("language"), max_length=8, default="de", help_text=_("Two letters, e.g. de or en."))
    region = models.CharField(_("region"), max_length=80, blank=True, help_text=_("State or town; empty: everywhere."))
    aspects = ArrayField(
        models.CharField(max_length=60),
        verbose_name=_("aspects"),
        default=list,
        blank=True,
        help_text=_("What it is about, proposed when it was read; separated by commas."),
    )
    published = models.DateField(_("published"), null=True, blank=True)
    valid_from = models.DateField(_("valid from"), null=True, blank=True, help_text=_("Empty: at once."))
    valid_until = models.DateField(_("valid until"), null=True, blank=True, help_text=_("Empty: for good."))
    superseded_by = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="supersedes",
        verbose_name=_("superseded by"),
        help_text=_(
            "The newer document on the same matter. It answers first; this one where readers ask what was before."
        ),
    )
    address = models.URLField(_("address"), max_length=500, blank=True, help_text=_("Where readers find the original."))
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.QUEUED, editable=False)
    reason_code = models.CharField(max_length=40, blank=True, editable=False)
    reason = models.TextField(_("reason"), blank=True, editable=False)
    progress = models.PositiveSmallIntegerField(_("progress in percent"), default=0, editable=False)
    # RESTRICT, not SET_NULL: a document that is deleted would lose it first and break the rule below.
    current_version = models.ForeignKey(
        "documents.DocumentVersion", models.RESTRICT, null=True, blank=True, editable=False, related_name="+"
    )
    # What is being read. The run that finds another version here, or none, has been overtaken and changes nothing.
    pending_version = models.ForeignKey(
        "documents.DocumentVersion", models.RESTRICT, null=True, blank=True, editable=False, related_name="+"
    )
    # Fields that a person set: what a file says about itself never overwrites them.
    edited_fields = ArrayField(models.CharField(max_length=40), default=list, blank=True, editable=False)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ("sort_key", "id")
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(valid_from__isnull=True)
                | models.Q(valid_until__isnull=True)
                | models.Q(valid_from__lte=models.F("valid_until")),
                name="document_valid_in_order",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="rejected") | ~models.Q(reason=""), name="document_rejected_with_reason"
            ),
            models.CheckConstraint(
                condition=~models.Q(status="ready") | models.Q(current_version__isnull=False),
                name="document_ready_has_version",
            ),
            # Longer circles are kept out by a trigger: see migration 0014.
            models.CheckConstraint(
                condition=models.Q(superseded_by__isnull=True) | ~models.Q(superseded_by=models.F("id")),
                name="document_not_superseded_by_itself",
            ),
            # One document per original address: feeds and re-fetches find it again.
            models.UniqueConstraint(
                fields=["address"], condition=~models.Q(address=""), name="document_address_unique"
            ),
        ]
        indexes = [
            # The admin's list filtered by status, newest first.
            models.Index(fields=["status", "-updated_at"], name="document_status_updated"),
        ]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """Check what supersedes it, with the error beside the field."""
        super().clean()
        newer = self.superseded_by
        if newer is None:
            return
        if newer.pk == self.pk or (self.pk and self.pk in newer.superseding_line()):
            raise ValidationError(
                {"superseded_by": _("That document is superseded by this one. Choose the newest of them.")}
            )
        if self.published and newer.published and newer.published < self.published:
            raise ValidationError({"superseded_by": _("That document was published earlier than this one.")})

    def superseding_line(self) -> list[int]:
        """Return the ids of all documents that supersede this one, the next first."""
        line: list[int] = []
        following = self.superseded_by_id
        while following is not None and following not in line:
            line.append(following)
            following = Document.objects.filter(pk=following).values_list("superseded_by", flat=True).first()
        return line


class DocumentVersion(models.Model):
    """One file of a document. Its text never changes, so that addresses into it stay right."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    file = models.FileField(_("file"), upload_to=upload_path, max_length=200)
    filename = models.CharField(_("file name"), max_length=255)
    content_type = models.CharField(max_length=100, blank=True)
    checksum = models.CharField(max_length=64)
    # Blocks in reading order, joined by blank lines. Every character span of this project points into it.
    text = models.TextField(blank=True, default="")
    # [kind, level, start, end, page_from, page_to, header_rows] per block; what the source page is drawn from.
    blocks = models.JSONField(default=list)
    warnings = ArrayField(models.TextField(), default=list, blank=True)
    # Readers saw it. What was rejected or overtaken before that stays with the desk.
    was_current = models.BooleanField(default=False, editable=False)
    needs_review = models.BooleanField(_("text was recognised and waits for review"), default=False)
    # A page from the web: menus and teasers stand around its text.
    is_crawled = models.BooleanField(default=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="version_number_unique"),
            models.UniqueConstraint(fields=["document", "checksum"], name="version_checksum_unique"),
        ]
        indexes = [
            # "The same file twice: nothing happens" looks here first.
            models.Index(fields=["checksum"], name="version_checksum"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}/{self.number}"


class Page(models.Model):
    """One printed page of a version and where its lines stand."""

    version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField()
    width = models.FloatField(help_text=_("In PDF points."))
    height = models.FloatField(help_text=_("In PDF points."))
    # [start, end, x0, y0, x1, y1] per line: characters of the version's text, points from the top left.
    lines = models.JSONField(default=list)
    is_recognised = models.BooleanField(default=False)

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["version", "number"], name="page_number_unique")]


class Figure(models.Model):
    """A picture with a caption; kept as a record, searched through its caption."""

    version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="figures")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    caption = models.TextField(blank=True)

    class Meta:
        ordering = ("start",)


class Section(models.Model):
    """A part of a version with its heading path and page range."""

    version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="sections")
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="children")
    order = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField(default=0)
    heading = models.TextField(blank=True)
    path = ArrayField(models.TextField(), default=list)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page_from = models.PositiveIntegerField(null=True)
    page_to = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ("order",)
        verbose_name = _("section")
        verbose_name_plural = _("sections")
        constraints = [
            models.UniqueConstraint(fields=["version", "order"], name="section_order_unique"),
            models.CheckConstraint(condition=models.Q(start__lte=models.F("end")), name="section_span_in_order"),
        ]

    def __str__(self) -> str:
        return self.heading
