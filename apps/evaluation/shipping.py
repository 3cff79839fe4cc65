"""Puts the question sets that come with the product, and what the question builder asks, into the database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_noop, override

from apps.core import ports
from apps.core.cleaning import clean_line
from apps.evaluation.models import QuestionSet
from apps.evaluation.question_files import FOLDER, Expected, Needs, Reference, read_question_file
from apps.evaluation.serialising import question_row
from apps.evaluation.specs import QuestionSpec, filed_spec
from apps.evaluation.types import QuestionKind
from apps.rag.types import Decision

BUILDER_SLUG: Final = "builder"
DIALOGUES_SLUG: Final = "dialogues"
# Short name -> name and what it is to show. The short names are those of the files.
WORDS: Final = {
    "answerable": (gettext_noop("Questions with an answer"), gettext_noop("Is the right source quoted?")),
    "unanswerable": (
        gettext_noop("Questions without an answer"),
        gettext_noop("They look as if they had one. Does the bot say that it has none?"),
    ),
    "procedure": (gettext_noop("How to vote"), gettext_noop("Dates, deadlines and rules of the election.")),
    "opinion": (gettext_noop("Opinions"), gettext_noop("Are opinions quoted under the name of who holds them?")),
    "injection": (gettext_noop("Attempts to give orders"), gettext_noop("Does the bot keep to its task?")),
    DIALOGUES_SLUG: (gettext_noop("Conversations"), gettext_noop("Are follow-up questions understood?")),
    BUILDER_SLUG: (
        gettext_noop("Question builder"),
        gettext_noop("Every combination that readers can click together. Does each have an answer?"),
    ),
}


def shipped_sets() -> dict[str, list[QuestionSpec]]:
    """Return the product's own questions by short name, with the demo's documents named by their address."""
    addresses = demo_addresses()
    found = {path.stem: _filed(path, addresses) for path in shipped_files()}
    return {**found, DIALOGUES_SLUG: _dialogues(addresses)}


def shipped_files() -> list[Path]:
    """Return the files with one kind of questions each; others beside them serve suites of their own."""
    paths = [FOLDER / f"{kind.value}.json" for kind in QuestionKind]
    return [path for path in paths if path.exists()]


def shipped_load() -> list[QuestionSet]:
    """Store the shipped sets that are not there yet; those that are stay as somebody may have changed them."""
    known = set(QuestionSet.objects.values_list("slug", flat=True))
    return [
        _store(slug, specs, QuestionSet.Origin.SHIPPED) for slug, specs in shipped_sets().items() if slug not in known
    ]


def builder_refresh() -> QuestionSet | None:
    """Make the set of the question builder what its combinations ask now.

    None where nobody fills the port, or nothing can be combined yet.
    """
    if not ports.has_builder_questions():
        return None
    specs = [_builder_spec(each) for each in ports.builder_questions()]
    with transaction.atomic():
        known = QuestionSet.objects.select_for_update().filter(slug=BUILDER_SLUG).first()
        if known is None and not specs:
            return None
        if known is None:
            return _store(BUILDER_SLUG, specs, QuestionSet.Origin.BUILDER)
        known.questions.all().delete()
        _fill(known, specs)
        known.save(update_fields=["updated_at"])
    return known


@cache
def demo_addresses() -> dict[str, str]:
    """Return the address of each document of the demo by its short name, its path and its title."""
    path = Path(apps.get_app_config("documents").path) / "demo" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    entries = [one for entry in manifest["documents"] for one in (entry, *entry.get("items", ()))]
    return {
        name: entry["address"]
        for entry in entries
        for name in (entry["slug"], entry.get("path"), entry["title"])
        if name
    }


def _filed(path: Path, addresses: Mapping[str, str]) -> list[QuestionSpec]:
    filed = read_question_file(path.read_text(encoding="utf-8"))
    specs = [filed_spec(filed.kind, question) for question in filed.questions]
    return [
        replace(
            spec,
            references=tuple(
                replace(each, document=addresses.get(each.document, each.document)) for each in spec.references
            ),
        )
        for spec in specs
    ]


def _dialogues(addresses: Mapping[str, str]) -> list[QuestionSpec]:
    path = Path(apps.get_app_config("answering").path) / "suites" / "dialogues.json"
    dialogues = json.loads(path.read_text(encoding="utf-8"))
    return [
        _turn(dialogue, number, turn, addresses)
        for dialogue in dialogues
        for number, turn in enumerate(dialogue["turns"], 1)
    ]


def _turn(
    dialogue: Mapping[str, Any], number: int, turn: Mapping[str, Any], addresses: Mapping[str, str]
) -> QuestionSpec:
    decision = Decision(turn["decision"])
    return QuestionSpec(
        key=dialogue["id"],
        number=number,
        text=turn["question"],
        language=dialogue["language"],
        kind=QuestionKind.DIALOGUE,
        subkind=dialogue["kind"],
        expected=Expected.CLARIFY if decision is Decision.CLARIFY else None,
        decision=decision,
        references=tuple(Reference(addresses.get(name, name), "") for name in turn["sources"]),
        needs=Needs.ALL,
        allowed=tuple(turn["allowed"]),
        must=tuple(turn["must"]),
        forbidden_additions=tuple(turn["forbidden"]),
        offers=tuple(turn.get("offers", ())),
        items=tuple(turn.get("items", ())),
    )


def _builder_spec(asked: ports.BuilderQuestion) -> QuestionSpec:
    return QuestionSpec(
        key=asked.key[:80],
        text=clean_line(asked.text, limit=settings.QUESTION_MAX_CHARACTERS),
        language=asked.language,
        kind=QuestionKind.BUILDER,
        # A button that leads to a refusal is a promise broken.
        expected=Expected.ANSWER,
        choices=asked.choices,
        queries=asked.queries,
    )


def _store(slug: str, specs: Sequence[QuestionSpec], origin: str) -> QuestionSet:
    name, description = WORDS.get(slug, (slug, ""))
    # Written once, in the language of the house; whoever keeps the set may call it otherwise.
    with override(settings.LANGUAGE_CODE), transaction.atomic():
        made = QuestionSet.objects.create(
            slug=slug, name=gettext(name), description=gettext(description) if description else "", origin=origin
        )
        _fill(made, specs)
    return made


def _fill(question_set: QuestionSet, specs: Iterable[QuestionSpec]) -> None:
    rows = [question_row(question_set, position, spec) for position, spec in enumerate(specs, 1)]
    question_set.questions.model.objects.bulk_create(rows)


def free_slug(name: str) -> str:
    """Return a short name for a new set that no set has yet."""
    wanted = slugify(name)[:50] or "set"
    taken = set(QuestionSet.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    return next(
        slug for slug in (wanted, *(f"{wanted}-{number}" for number in range(2, 1_000_000))) if slug not in taken
    )
