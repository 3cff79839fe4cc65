"""What ``evaluate topics:…`` and ``bench topics`` measure."""

from apps.topics.suites import clustering, streaming

__all__ = ["clustering", "streaming"]
