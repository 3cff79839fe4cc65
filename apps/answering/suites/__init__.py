"""What is measured on answers: suites for citations and planted orders, a bench for the speed."""

from apps.answering.suites import citations, dialogues, injection, rewriting  # noqa: F401
from apps.answering.suites import speed, streaming, support, trying  # noqa: F401
from apps.answering.suites import neutrality, routing  # noqa: F401
