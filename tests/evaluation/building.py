"""Questions, answers and runs for the tests of the evaluation, in as few words as possible."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client

from apps.evaluation.models import QuestionSet
from apps.evaluation.question_files import Expected, Reference
from apps.evaluation.running import Asker
from apps.evaluation.serialising import question_row
from apps.evaluation.services import Progress, run_advance, run_order
from apps.evaluation.specs import QuestionSpec
from apps.evaluation.types import QuestionKind
from apps.rag.events import Decided, Done, Event, Failed, Notice, Retrieved, Sentence
from apps.rag.types import (
    AnswerContext,
    Citation,
    Decision,
    HistoryTurn,
    NoticeKind,
    Outcome,
    Passage,
    PassageScores,
    Question,
    Source,
)

TEXT = "Der Mindestlohn steigt. Er steigt auf 15 Euro. Mehr steht hier nicht."
QUOTE = "Er steigt auf 15 Euro."
PROGRAMME = Source(
    uuid="6f1c2a52-0000-4000-8000-000000000001",
    version=1,
    title="Programm",
    kind="programme",
    party_slug="bund",
    party_name="Talbund",
    address="https://example.org/programm",
)
ARTICLE = replace(
    PROGRAMME,
    uuid="6f1c2a52-0000-4000-8000-000000000002",
    title="Kommentar",
    kind="opinion",
    party_slug="",
    party_name="",
    author="Lena Harms",
    address="https://example.org/kommentar",
)
RIGHT = Reference(PROGRAMME.address, QUOTE)


def spec(key: str = "a001", **values: Any) -> QuestionSpec:
    """A question that expects the programme to be quoted, unless told otherwise."""
    plain: dict[str, Any] = {
        "text": f"Wie hoch ist der Mindestlohn ({key})?",
        "kind": QuestionKind.ANSWERABLE,
        "expected": Expected.ANSWER,
        "references": (RIGHT,),
    }
    return QuestionSpec(key=key, **{**plain, **values})


def unanswerable(key: str = "u001", **values: Any) -> QuestionSpec:
    """A question that has to be refused."""
    return spec(
        key,
        **{
            "kind": QuestionKind.UNANSWERABLE,
            "subkind": "not_in_corpus",
            "expected": Expected.REFUSE,
            "references": (),
            **values,
        },
    )


def passage(source: Source = PROGRAMME, chunk_id: int = 7) -> Passage:
    """The whole text as one chunk."""
    return Passage(chunk_id, source, TEXT, 0, len(TEXT), scores=PassageScores(cosine=0.8, fused=0.9))


def sentence(text: str = QUOTE, source: Source = PROGRAMME, chunk_id: int = 7, **values: Any) -> Sentence:
    """A sentence quoted from where it stands in the text; at the beginning where it does not."""
    start = max(0, TEXT.find(text))
    citation = Citation(1, chunk_id, source, start, start + len(text), text)
    return Sentence(text, (citation,), **{"group": source.party_name, **values})


def answered(*sentences: Sentence, query: str = "", decision: Decision = Decision.SEARCH_AS_IS) -> list[Event]:
    """The events of an answer."""
    shown = sentences or (sentence(),)
    found = {each.chunk_id: each.source for one in shown for each in one.citations}
    return [
        Decided(decision, query, reason="first_turn"),
        Retrieved(tuple(passage(source, number) for number, source in found.items())),
        *shown,
        Done(Outcome.ANSWERED, {"search": 12.0}),
    ]


def refused() -> list[Event]:
    """The events of a refusal that found something all the same."""
    return [
        Decided(Decision.SEARCH_AS_IS, ""),
        Retrieved((passage(),)),
        Notice(NoticeKind.REFUSAL, "not_enough"),
        Done(Outcome.REFUSED, {}),
    ]


def failed() -> list[Event]:
    """The events of a turn that broke."""
    return [Failed("search_down")]


@dataclass(slots=True)
class FakeAsk:
    """Answers by the beginning of the question, and remembers how it was asked."""

    answers: Mapping[str, Sequence[Event]] = field(default_factory=dict)
    otherwise: Callable[[], list[Event]] = answered
    asked: list[tuple[Question, tuple[HistoryTurn, ...], AnswerContext]] = field(default_factory=list)
    between: Callable[[int], None] | None = None

    async def __call__(
        self, *, question: Question, history: Sequence[HistoryTurn], context: AnswerContext
    ) -> AsyncGenerator[Event, None]:
        self.asked.append((question, tuple(history), context))
        if self.between is not None:
            self.between(len(self.asked))
        known = next((events for start, events in self.answers.items() if question.text.startswith(start)), None)
        for event in self.otherwise() if known is None else known:
            yield event


def stored(uuid: str, version: int) -> str:
    """What the store holds of every document of these tests."""
    return TEXT


def asker(fake: FakeAsk | None = None) -> Asker:
    """Asks the fake, and reads the tests' text instead of the store."""
    return Asker(fake or FakeAsk(), stored=stored)


def question_set(slug: str = "own", specs: Sequence[QuestionSpec] | None = None, **values: Any) -> QuestionSet:
    """A stored set; of two questions, one answerable and one not, unless told otherwise."""
    made = QuestionSet.objects.create(slug=slug, name=values.pop("name", slug.title()), **values)
    rows = [question_row(made, place, each) for place, each in enumerate(specs or [spec(), unanswerable()], 1)]
    made.questions.model.objects.bulk_create(rows)
    return made


def finished_run(*sets: QuestionSet, fake: FakeAsk | None = None, **values: Any) -> Any:
    """A run that is over."""
    run = run_order(author=None, sets=sets or [question_set()], **values)
    assert run_advance(pk=run.pk, asker=asker(fake)) in (Progress.DONE, Progress.FAILED)
    run.refresh_from_db()
    return run


def login(client: Client, *groups: str) -> Client:
    """Sign somebody in who belongs to these groups."""
    user = User.objects.create_user("evi", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=groups))
    client.force_login(user)
    return client
