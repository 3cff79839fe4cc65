"""From a received file to searchable chunks: parse, cut, embed, swap. Called by the Celery task and the commands."""

from apps.documents.indexing.running import Outcome, Report, index_version

__all__ = ["Outcome", "Report", "index_version"]
