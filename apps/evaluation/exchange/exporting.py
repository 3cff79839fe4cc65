"""A set as a file that can be imported again and gives the same questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from apps.evaluation.exchange.resource import QuestionResource
from apps.evaluation.models import QuestionSet
from apps.evaluation.serialising import FORMAT, question_spec, spec_to_json


class FileKind(StrEnum):
    """The formats, by their file name's ending."""

    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Export:
    """A file ready to be sent."""

    data: bytes
    content_type: str


def questions_export(question_set: QuestionSet, kind: FileKind, *, delimiter: str = ";") -> Export:
    """Return the set in a file. CSV has semicolons, as German spreadsheet programs expect, unless told otherwise."""
    questions = question_set.questions.order_by("position", "key", "number")
    if kind is FileKind.CSV:
        text = QuestionResource().export(questions).export("csv", delimiter=delimiter)
        # The byte order mark tells spreadsheet programs that it is UTF-8.
        return Export(text.encode("utf-8-sig"), "text/csv; charset=utf-8")
    document = {
        "format": FORMAT,
        "slug": question_set.slug,
        "name": question_set.name,
        "description": question_set.description,
        "questions": [spec_to_json(question_spec(question)) for question in questions],
    }
    return Export(json.dumps(document, ensure_ascii=False, indent=1).encode(), "application/json")
