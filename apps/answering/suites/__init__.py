"""What is measured on answers: a suite for the citations, a bench for the speed."""

from apps.answering.suites import citations, speed  # noqa: F401
