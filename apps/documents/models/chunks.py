"""Chunks: what is searched."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from apps.documents.querysets import ChunkQuerySet


class Chunk(models.Model):
    """The stored, embedded, searchable unit. Only a document's current version has chunks.

    ``text`` is exactly ``version.text[start:end]``. ``context`` (title, heading path, header rows of a table) is
    searched and embedded with it, but is not part of the span.

    A chunk whose text gives orders to a machine waits for an editor: until it is approved, no search finds it and
    nothing quotes it (``ChunkQuerySet.quotable``).
    """

    class Review(models.TextChoices):
        FREE = "free", _("nothing suspicious")
        WAITING = "waiting", _("waits for an editor")
        APPROVED = "approved", _("approved")
        KEPT_OUT = "kept_out", _("kept out")

    document = models.ForeignKey("documents.Document", models.CASCADE, related_name="chunks")
    version = models.ForeignKey("documents.DocumentVersion", models.CASCADE, related_name="chunks")
    section = models.ForeignKey("documents.Section", models.CASCADE, related_name="chunks")
    order = models.PositiveIntegerField()
    text = models.TextField()
    context = models.TextField(blank=True, default="")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page_from = models.PositiveIntegerField(null=True)
    page_to = models.PositiveIntegerField(null=True)
    token_count = models.PositiveIntegerField()
    language = models.CharField(max_length=8)
    content_hash = models.CharField(max_length=64)
    # No fixed dimension: it belongs to the embedder. The index casts (see the migration).
    vector = VectorField(null=True)
    embedding_model = models.CharField(max_length=120, blank=True, default="")
    # Character spans of the sentences, relative to the chunk's text: [[start, end], ...].
    sentence_spans = models.JSONField(default=list)
    # float16 rows, one per sentence, in the order of the spans; empty until computed.
    sentence_vectors = models.BinaryField(default=bytes)
    review = models.CharField(
        _("review"), max_length=10, choices=Review.choices, default=Review.FREE, db_default="free"
    )
    # [[start, end, kinds, key], ...]: see documents/suspicion.
    suspicions = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ("version", "order")
        verbose_name = _("chunk")
        verbose_name_plural = _("chunks")
        constraints = [
            models.UniqueConstraint(fields=["version", "order"], name="chunk_order_unique"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="chunk_span_not_empty"),
            models.CheckConstraint(
                condition=models.Q(vector__isnull=True) | ~models.Q(embedding_model=""), name="chunk_vector_has_model"
            ),
            models.CheckConstraint(
                condition=models.Q(review="free") | ~models.Q(suspicions=[]), name="chunk_review_has_suspicion"
            ),
        ]
        indexes = [
            # A new version takes over the vectors of chunks that did not change.
            models.Index(fields=["content_hash"], name="chunk_content_hash"),
            # Read by every search, which leaves them out, and by the list of documents; hardly ever has a row.
            models.Index(
                fields=["document", "review"],
                name="chunk_held_back",
                condition=models.Q(review__in=["waiting", "kept_out"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}#{self.order}"


class EmbeddedText(models.Model):
    """A vector that a running index has paid for; gone once its chunks are stored.

    A worker that is killed finds its work here again, so that no text is embedded twice.
    """

    version = models.ForeignKey("documents.DocumentVersion", models.CASCADE, related_name="embedded_texts")
    text_hash = models.CharField(max_length=64)
    # float32, as long as the embedder's dimension.
    vector = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "text_hash"], name="embedded_text_unique")]

    def __str__(self) -> str:
        return self.text_hash
