"""One indexing run of one version: safe when delivered twice, when killed anywhere, and when the row is gone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import StrEnum

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils import timezone

from apps.core.locks import held_alone
from apps.documents.embedding import get_embedder
from apps.documents.indexing.reading import read_version
from apps.documents.indexing.storing import OvertakenError, store_chunks
from apps.documents.indexing.vectors import VectorStore
from apps.documents.models import Document, DocumentVersion
from apps.documents.parsing.types import ParsingError
from apps.documents.versions import StoredFileError

logger = logging.getLogger(__name__)

# Told after every step: status, percent.
Report = Callable[[str, int], None]

# Marks our advisory locks among those of others on the same server.
_LOCK_SPACE = 0x5765_0000_0000_0000


class Outcome(StrEnum):
    """How a run ended."""

    READY = "ready"
    REVIEW = "review"
    REJECTED = "rejected"
    DONE = "done"  # nothing was left to do: done before, overtaken by a newer version, or the row is gone
    BUSY = "busy"  # another run is at work on this document


def index_version(version_id: int, *, report: Report | None = None) -> Outcome:
    """Read a version if it is the one its document waits for, and make it the current one.

    The old version stays searchable until the last transaction. Raises what may pass by itself (DatabaseError, an
    EmbeddingError that is not permanent); everything else ends as ``rejected`` with a sentence.
    """
    version = DocumentVersion.objects.select_related("document__collection").filter(pk=version_id).first()
    if version is None or version.document.pending_version_id != version.pk:
        return Outcome.DONE
    with held_alone(_LOCK_SPACE + version.document_id) as is_alone:
        if not is_alone:
            return Outcome.BUSY
        # The run that held the lock a moment ago may have finished this work.
        version.document.refresh_from_db(fields=["pending_version"])
        if version.document.pending_version_id != version.pk:
            return Outcome.DONE
        return _guarded(version, report or (lambda status, percent: None))


def reject_version(version: DocumentVersion, code: str, reason: str) -> None:
    """End a version with a sentence. The document's current version, if there is one, stays searchable."""
    Document.objects.filter(pk=version.document_id, pending_version=version).update(
        status=Document.Status.REJECTED,
        reason_code=code,
        reason=reason,
        progress=0,
        pending_version=None,
        updated_at=timezone.now(),
    )


def _guarded(version: DocumentVersion, report: Report) -> Outcome:
    try:
        return _run(version, report)
    except OvertakenError:
        return Outcome.DONE
    except (ParsingError, StoredFileError) as error:
        code, reason = getattr(error, "code", "storage"), str(error)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        if getattr(error, "permanent", True) is False:
            raise
        if not Document.objects.filter(pk=version.document_id, pending_version=version).exists():
            return Outcome.DONE  # deleted meanwhile
        logger.exception("Indexing version %s failed.", version.pk)
        is_ours = hasattr(error, "permanent") and not isinstance(error, DatabaseError)
        code = "embedding" if is_ours else "failed"
        reason = (
            str(error)
            if is_ours
            else "Reading failed for a reason that was not foreseen. The operator finds it in the log."
        )
    reject_version(version, code, reason)
    report(Document.Status.REJECTED, 0)
    return Outcome.REJECTED


def _run(version: DocumentVersion, report: Report) -> Outcome:
    def progress(status: str, percent: int) -> None:
        changed = Document.objects.filter(pk=version.document_id, pending_version=version).update(
            status=status, progress=percent, updated_at=timezone.now()
        )
        if not changed:
            raise OvertakenError
        report(status, percent)

    progress(Document.Status.PARSING, 5)
    text = read_version(version)
    if version.needs_review:
        progress(Document.Status.REVIEW, 50)
        return Outcome.REVIEW
    progress(Document.Status.INDEXING, 20)
    vectors = VectorStore(version, get_embedder())
    store_chunks(version, text, vectors, lambda share: progress(Document.Status.INDEXING, 20 + round(75 * share)))
    report(Document.Status.READY, 100)
    return Outcome.READY
