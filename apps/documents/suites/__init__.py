"""Quality suites of the documents app. Importing this package registers them for ``manage.py evaluate``."""

from apps.documents.suites import formats, ingesting, parsing, retrieval, sources, speed

__all__ = ["formats", "ingesting", "parsing", "retrieval", "sources", "speed"]
