"""The back office's pages on what readers ask."""

from apps.topics.admin import gaps, runs, topics

__all__ = ["gaps", "runs", "topics"]
