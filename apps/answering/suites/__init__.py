"""What is measured on answers: suites for citations and planted orders, a bench for the speed."""

from apps.answering.suites import citations, injection, speed, streaming, support, trying  # noqa: F401
