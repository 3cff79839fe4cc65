"""Reads the question sets that come with the product (``sets/*.json``) and says in sentences what is wrong with one.

Called by the import, the suites and the training of the demo. Pure: text in, frozen values out, no database.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.evaluation.filed_questions import (
    AnswerableKind,
    Expected,
    FiledQuestion,
    InjectionKind,
    Needs,
    QuestionFile,
    Reference,
)
from apps.evaluation.types import QuestionKind, UnanswerableKind
from apps.language.normalising import normalise

FOLDER: Final = Path(__file__).with_name("sets")
LANGUAGES: Final = ("de", "en")
LONGEST: Final = 500
_ID: Final = re.compile(r"[a-z]{1,3}\d{3}")


_KINDS: Final[Mapping[QuestionKind, tuple[str, ...]]] = {
    QuestionKind.ANSWERABLE: tuple(AnswerableKind),
    QuestionKind.UNANSWERABLE: tuple(UnanswerableKind),
    QuestionKind.PROCEDURE: (AnswerableKind.PROCEDURE,),
    QuestionKind.OPINION: (AnswerableKind.OPINION,),
    QuestionKind.INJECTION: tuple(InjectionKind),
}
_EXPECTED: Final[Mapping[QuestionKind, tuple[Expected, ...]]] = {
    QuestionKind.ANSWERABLE: (Expected.ANSWER, Expected.QUOTE),
    QuestionKind.UNANSWERABLE: (Expected.REFUSE, Expected.CORRECT, Expected.CLARIFY),
    QuestionKind.PROCEDURE: (Expected.ANSWER,),
    QuestionKind.OPINION: (Expected.QUOTE,),
    QuestionKind.INJECTION: (Expected.REFUSE, Expected.ANSWER),
}
_WITH_SOURCE: Final = frozenset({Expected.ANSWER, Expected.QUOTE, Expected.CORRECT})
_PROVED_BY_ABSENCE: Final = frozenset({UnanswerableKind.NOT_IN_CORPUS, UnanswerableKind.WRONG_PARTY})
_TEXTS: Final = ("id", "question", "language", "kind", "expected", "topic", "note", "speaker", "needs")
_LISTS: Final = ("legal_basis", "forbidden", "absent")
_FIELDS: Final = frozenset({*_TEXTS, *_LISTS, "party", "typo", "references"})


@dataclass(frozen=True, slots=True)
class Problem:
    """An English sentence of the catalogue with the values to fill in; ``str()`` fills them."""

    sentence: str
    values: Mapping[str, str | int]

    def __str__(self) -> str:
        return self.sentence % self.values


class QuestionFileError(ValueError):
    """The file is no set of questions. ``problems`` are all that was found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for the catalogue, which pure code cannot ask: whoever shows it translates it."""
    return sentence


def filed_set(kind: QuestionKind) -> QuestionFile:
    """Return the product's own set of this kind."""
    return read_question_file((FOLDER / f"{kind.value}.json").read_text(encoding="utf-8"))


def read_question_file(text: str) -> QuestionFile:
    """Return the set that ``text`` (JSON) holds, or raise QuestionFileError with every fault."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise _failed(gettext_noop("The file is not JSON: %(reason)s."), reason=str(error)) from error
    if not isinstance(data, dict) or not isinstance(data.get("questions"), list):
        raise _failed(gettext_noop("The file must be an object with “set” and a list of “questions”."))
    name = data.get("set")
    kind = next((kind for kind in _KINDS if kind.value == name), None)
    if kind is None:
        raise _failed(gettext_noop("“set” must be one of %(names)s."), names=", ".join(kind.value for kind in _KINDS))
    entries: list[object] = data["questions"]
    problems = [problem for place, entry in enumerate(entries, 1) for problem in _shape_problems(entry, place)]
    if problems:
        raise QuestionFileError(problems)
    rows = [entry for entry in entries if isinstance(entry, dict)]
    problems = [problem for row in rows for problem in _problems(row, kind)] + list(_repeated(rows))
    if problems:
        raise QuestionFileError(problems)
    return QuestionFile(kind, tuple(_question(row) for row in rows))


def _failed(sentence: str, **values: str | int) -> QuestionFileError:
    return QuestionFileError([Problem(sentence, values)])


def _shape_problems(entry: object, place: int) -> Iterator[Problem]:
    """Fields that are missing, unknown or of the wrong type; afterwards every field can be read blindly."""
    if not isinstance(entry, dict):
        yield Problem(gettext_noop("Question %(place)s must be an object."), {"place": place})
        return
    for name in sorted(set(map(str, entry)) - _FIELDS):
        yield Problem(gettext_noop("Question %(place)s: there is no field “%(field)s”."), _at(place, name))
    for name in ("id", "question", "language", "kind", "expected", "topic"):
        if not entry.get(name):
            yield Problem(gettext_noop("Question %(place)s: “%(field)s” is missing."), _at(place, name))
    for name in _TEXTS:
        if name in entry and not isinstance(entry[name], str):
            yield Problem(gettext_noop("Question %(place)s: “%(field)s” must be a text."), _at(place, name))
    for name in _LISTS:
        if not _is_list_of_texts(entry.get(name, [])):
            yield Problem(gettext_noop("Question %(place)s: “%(field)s” must be a list of texts."), _at(place, name))
    if not isinstance(entry.get("party"), str | None):
        yield Problem(gettext_noop("Question %(place)s: “%(field)s” must be a text or null."), _at(place, "party"))
    if not isinstance(entry.get("typo", False), bool):
        yield Problem(gettext_noop("Question %(place)s: “%(field)s” must be true or false."), _at(place, "typo"))
    references = entry.get("references", [])
    if not isinstance(references, list) or not all(map(_is_reference, references)):
        sentence = gettext_noop("Question %(place)s: every reference needs a “document” and a “snippet”.")
        yield Problem(sentence, {"place": place})


def _at(place: int, field: str) -> dict[str, str | int]:
    return {"place": place, "field": field}


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and each for each in value)


def _is_reference(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"document", "snippet"} and _is_list_of_texts([*value.values()])


def _problems(row: Mapping[str, object], kind: QuestionKind) -> Iterator[Problem]:
    """Values that no question of this set may have."""
    name = str(row["id"])
    allowed: list[tuple[str, Sequence[str]]] = [
        ("kind", _KINDS[kind]),
        ("expected", _EXPECTED[kind]),
        ("language", LANGUAGES),
        ("needs", tuple(Needs)),
    ]
    for field, values in allowed:
        if str(row.get(field, values[0])) not in values:
            shown = {"id": name, "field": field, "names": ", ".join(values)}
            yield Problem(gettext_noop("%(id)s: “%(field)s” must be one of %(names)s."), shown)
    if not _ID.fullmatch(name):
        yield Problem(gettext_noop("%(id)s: an id is one to three letters and three figures."), {"id": name})
    if len(str(row["question"])) > LONGEST:
        sentence = gettext_noop("%(id)s: the question is longer than %(most)s characters.")
        yield Problem(sentence, {"id": name, "most": LONGEST})
    yield from _demands(row, kind, name)


def _demands(row: Mapping[str, object], kind: QuestionKind, name: str) -> Iterator[Problem]:
    """What a question of this kind must have beside its words."""
    needs_source = row["expected"] in _WITH_SOURCE and kind is not QuestionKind.INJECTION
    if needs_source and not row.get("references"):
        yield Problem(gettext_noop("%(id)s: name a reference, since a source answers or corrects it."), {"id": name})
    if row["expected"] == Expected.REFUSE and row.get("references"):
        yield Problem(gettext_noop("%(id)s: what is to be refused has no reference."), {"id": name})
    demands = {
        QuestionKind.UNANSWERABLE: ("note", gettext_noop("%(id)s: say in “note” why there is no answer.")),
        QuestionKind.PROCEDURE: ("legal_basis", gettext_noop("%(id)s: name the “legal_basis”.")),
        QuestionKind.OPINION: ("speaker", gettext_noop("%(id)s: name the “speaker” whose opinion it is.")),
        QuestionKind.INJECTION: ("forbidden", gettext_noop("%(id)s: name in “forbidden” what no answer may hold.")),
    }
    if row["kind"] in _PROVED_BY_ABSENCE and not row.get("absent"):
        yield Problem(gettext_noop("%(id)s: name in “absent” words that no text on it could do without."), {"id": name})
    field, sentence = demands.get(kind, ("id", ""))
    if not row.get(field):
        yield Problem(sentence, {"id": name})


def _repeated(rows: Sequence[Mapping[str, object]]) -> Iterator[Problem]:
    for name, count in Counter(str(row["id"]) for row in rows).items():
        if count > 1:
            yield Problem(gettext_noop("%(id)s: the id is given %(count)s times."), {"id": name, "count": count})
    seen: dict[str, str] = {}
    for row in rows:
        name, text = str(row["id"]), normalise(str(row["question"]))
        if text in seen:
            sentence = gettext_noop("%(id)s: %(other)s asks the same.")
            yield Problem(sentence, {"id": name, "other": seen[text]})
        seen.setdefault(text, name)


def _question(row: Mapping[str, object]) -> FiledQuestion:
    references = row.get("references", [])
    assert isinstance(references, list)
    party = row.get("party")
    return FiledQuestion(
        **{name: str(row.get(name, "")) for name in ("id", "question", "language", "kind", "topic", "note", "speaker")},
        expected=Expected(str(row["expected"])),
        party=None if party is None else str(party),
        references=tuple(Reference(str(each["document"]), str(each["snippet"])) for each in references),
        needs=Needs(str(row.get("needs", Needs.ANY))),
        has_typo=row.get("typo") is True,
        legal_basis=_texts(row, "legal_basis"),
        forbidden=_texts(row, "forbidden"),
        absent=_texts(row, "absent"),
    )


def _texts(row: Mapping[str, object], field: str) -> tuple[str, ...]:
    value = row.get(field, [])
    return tuple(map(str, value)) if isinstance(value, list) else ()
