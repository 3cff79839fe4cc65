"""The back office's pages on what readers ask."""

from apps.topics.admin import gaps, merges, runs, topics

__all__ = ["gaps", "merges", "runs", "topics"]
