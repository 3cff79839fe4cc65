"""The tables of what readers ask about."""

from apps.topics.models.days import StoredChart, TopicDay
from apps.topics.models.gaps import Gap, GapNotice, GapStep
from apps.topics.models.runs import TopicLineage, TopicRun
from apps.topics.models.texts import Asked, QueryText, VectorSpace
from apps.topics.models.topics import MergeProposal, Topic, TopicEdit, TopicMember

__all__ = [
    "Asked",
    "Gap",
    "GapNotice",
    "GapStep",
    "MergeProposal",
    "QueryText",
    "StoredChart",
    "Topic",
    "TopicDay",
    "TopicEdit",
    "TopicLineage",
    "TopicMember",
    "TopicRun",
    "VectorSpace",
]
