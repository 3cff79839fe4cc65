"""A question as JSON, in the words of the product's own files, and as a row of the database. Nothing gets lost.

An object has ``id``, ``question`` and ``set`` (the kind), and of the rest what differs from its default. The files of
``sets/`` name the kind once for all their questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from apps.evaluation.models import Question, QuestionSet
from apps.evaluation.question_files import Expected, Needs, Reference
from apps.evaluation.specs import QuestionSpec
from apps.evaluation.types import QuestionKind
from apps.rag.types import Decision

# What holds lines of words; ``allowed`` is another such list, of which an empty one means something.
LISTS: Final = (
    *("forbidden", "must", "forbidden_additions", "offers", "items", "choices", "queries"),
    *("legal_basis", "absent"),
)
FORMAT: Final = "wegweiser-questions"
# Name in files -> name in the code. Everything else is called alike.
RENAMED: Final = {
    "id": "key",
    "turn": "number",
    "question": "text",
    "set": "kind",
    "kind": "subkind",
    "typo": "has_typo",
}
_BACK: Final = {attribute: name for name, attribute in RENAMED.items()}
ATTRIBUTES: Final = tuple(field.name for field in fields(QuestionSpec))
# In the order of a table: what is asked, what is expected, what a conversation adds, notes.
NAMES: Final = (
    *("id", "turn", "question", "language", "set", "kind"),
    *("expected", "decision", "references", "needs", "speaker", "forbidden"),
    *("allowed", "must", "forbidden_additions", "offers", "items", "choices", "queries"),
    *("topic", "party", "legal_basis", "absent", "typo", "note"),
)

Json = Any


def attribute_of(name: str) -> str:
    """Return what the code calls a column."""
    return RENAMED.get(name, name)


def spec_to_json(spec: QuestionSpec) -> dict[str, Json]:
    """Return the question as an object without what is as by default."""
    plain = QuestionSpec(key="", text="", kind=QuestionKind.ANSWERABLE)
    written = {"key", "text", "kind"}
    return {
        name: _to_json(getattr(spec, attribute_of(name)))
        for name in NAMES
        if attribute_of(name) in written or getattr(spec, attribute_of(name)) != getattr(plain, attribute_of(name))
    }


def _to_json(value: Json) -> Json:
    if isinstance(value, tuple):
        return [_to_json(each) for each in value]
    if isinstance(value, Reference):
        return {"document": value.document, "snippet": value.snippet}
    return value.value if isinstance(value, QuestionKind | Expected | Needs | Decision) else value


def spec_from_json(row: Mapping[str, Json]) -> QuestionSpec:
    """Return the question of an object that ``spec_to_json`` has made."""
    return _spec({attribute_of(name): value for name, value in row.items()})


def question_spec(question: Question) -> QuestionSpec:
    """Return a row as a question of a set."""
    return _spec({name: getattr(question, name) for name in ATTRIBUTES})


def _spec(values: Mapping[str, Json]) -> QuestionSpec:
    known: dict[str, Json] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items() if name in ATTRIBUTES
    }
    known["kind"] = QuestionKind(known["kind"])
    known["needs"] = Needs(known.get("needs") or Needs.ANY)
    known["expected"] = Expected(known["expected"]) if known.get("expected") else None
    known["decision"] = Decision(known["decision"]) if known.get("decision") else None
    known["references"] = tuple(Reference(each["document"], each["snippet"]) for each in known.get("references") or ())
    return QuestionSpec(**known)


def question_row(question_set: QuestionSet, position: int, spec: QuestionSpec) -> Question:
    """Return a question as a new row of a set; nothing is written."""
    values = {name: _to_json(getattr(spec, name)) for name in ATTRIBUTES}
    # Columns of choices are empty where nothing is expected.
    values |= {name: values[name] or "" for name in ("expected", "decision")}
    return Question(question_set=question_set, position=position, **values)
