"""The words of an evaluation. Pure."""

from __future__ import annotations

from enum import StrEnum


class QuestionKind(StrEnum):
    """What a question is asked for; it decides which figures count it."""

    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"
    DIALOGUE = "dialogue"
    PROCEDURE = "procedure"
    OPINION = "opinion"
    INJECTION = "injection"
    BUILDER = "builder"


class UnanswerableKind(StrEnum):
    """Why a question that looks answerable is not."""

    NOT_IN_CORPUS = "not_in_corpus"
    WRONG_PARTY = "wrong_party"
    WRONG_VALUE = "wrong_value"  # a number or date that the sources have for something else
    FALSE_PREMISE = "false_premise"
    UNDERSPECIFIED = "underspecified"
    OFF_TOPIC = "off_topic"
