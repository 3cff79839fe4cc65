"""What ``evaluate topics:…``, ``evaluate gaps`` and ``bench topics`` measure."""

from apps.topics.suites import clustering, gaps, keeping, small, speed, streaming

__all__ = ["clustering", "gaps", "keeping", "small", "speed", "streaming"]
