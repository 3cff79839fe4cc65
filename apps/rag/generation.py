"""The answer of a model: drafts are cut into sentences, each passes the gate before it is shown, one retry."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from enum import StrEnum

from apps.language.normalising import normalise
from apps.rag.citations import Fault, Gate
from apps.rag.deadlines import within
from apps.rag.events import Restart, Sentence
from apps.rag.floor import Floor, party_by_party
from apps.rag.markers import SentenceCutter, WrittenSentence
from apps.rag.model_types import Deadlines, LanguageModel, ModelError, ModelRequest
from apps.rag.prompt_texts import UNSUPPORTED, Prompts, prompt_language
from apps.rag.prompting import Numbered, Rejection, answer_messages
from apps.rag.rewriting.types import PastTurn
from apps.rag.tracing import Drafted, Trace
from apps.rag.types import Passage, Question
from apps.rag.understanding import PartyDirectory
from apps.rag.verifying import Embed, Floors, ModelGate

logger = logging.getLogger(__name__)


class Grounding(StrEnum):
    """What became of a model's answer; a turn stores it. The states are told apart on purpose.

    ``FELL_BACK`` is no verdict: the model did not answer and something else has to.
    """

    GROUNDED = "grounded"
    REFUSED = "refused"
    DECLARED_UNSUPPORTED = "declared_unsupported"
    FORGOT_TO_CITE = "forgot_to_cite"
    FELL_BACK = "fell_back"


@dataclass(frozen=True, slots=True)
class WriterSettings:
    """Limits of a model's answer, and what it is told. The deadlines are those of both drafts together."""

    passages: int = 8
    retry_passages: int = 3
    sentences: int = 6
    most_tokens: int = 700
    deadlines: Deadlines = field(default_factory=Deadlines)
    floors: Floors = field(default_factory=Floors)
    prompts: Prompts = field(default_factory=Prompts)


@dataclass(frozen=True, slots=True)
class Written:
    """The end of a model's answer. ``faults`` has one entry per rejected draft, ``failure`` the code of a ModelError.

    ``is_partial`` when sentences stand but the rest was rejected or never came.
    """

    grounding: Grounding
    sentences: tuple[Sentence, ...] = ()
    faults: tuple[Fault, ...] = ()
    failure: str = ""
    is_partial: bool = False
    model: str = ""
    prompt: str = ""

    @property
    def record(self) -> dict[str, str]:
        """Return what a turn keeps of it, without a word of the answer."""
        return {
            "model": self.model,
            "prompt": self.prompt,
            "grounding": self.grounding.value,
            "faults": " ".join(fault.value for fault in self.faults),
            "failure": self.failure,
        }


@dataclass(slots=True)
class _Attempt:
    """How one draft ended."""

    fault: Fault | None = None
    failure: str = ""
    declared: bool = False
    cited: bool = False


@dataclass(slots=True)
class _Answer:
    floor: Floor
    passed: list[Sentence] = field(default_factory=list)
    shown: list[Sentence] = field(default_factory=list)
    attempts: list[_Attempt] = field(default_factory=list)
    model: str = ""
    trace: Trace | None = None
    turns: tuple[PastTurn, ...] = ()
    # When the last draft must have ended, by the clock of the event loop.
    until: float = 0.0

    def set_model(self, name: str) -> None:
        self.model = name

    def note(self, text: str, fault: Fault | None) -> None:
        if self.trace is not None:
            self.trace.note(Drafted(text, len(self.attempts), fault))

    def show(self, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """Note that the sentences are shown, and return them."""
        self.shown.extend(sentences)
        return sentences

    def has(self, text: str) -> bool:
        """Say whether the sentence stands already: a second draft likes to begin anew."""
        return normalise(text) in {normalise(sentence.text) for sentence in self.passed}


class ModelWriter:
    """Writes answers with a model. Holds no state of a turn."""

    def __init__(
        self,
        model: LanguageModel,
        directory: PartyDirectory,
        *,
        embed: Embed | None = None,
        settings: WriterSettings | None = None,
    ) -> None:
        self._model = model
        self._directory = directory
        self._embed = embed
        self._settings = settings or WriterSettings()

    async def write(
        self,
        question: Question,
        passages: Sequence[Passage],
        gate: Gate | None = None,
        trace: Trace | None = None,
        turns: Sequence[PastTurn] = (),
        party_draw: str = "",
    ) -> AsyncGenerator[Sentence | Restart | Written, None]:
        """Yield the sentences that pass, a Restart before a second draft, and Written at the end.

        Several parties speak in their order, by name or as drawn, also where the model mixes them.

        ``question`` has the reader's own words, ``passages`` come best first. ``gate`` numbers the sources of the turn
        where something else is shown beside; ``trace`` is told of every draft. ``turns`` are those that the question
        leans on, oldest first. Raises nothing but cancellation.
        """
        numbered = Numbered.of(party_by_party(passages[: self._settings.passages], party_draw))
        checks = ModelGate(
            numbered,
            self._directory,
            question.language,
            embed=self._embed,
            floors=self._settings.floors,
            gate=gate,
        )
        floor = Floor(list(numbered.passages.values()), party_draw)
        until = asyncio.get_running_loop().time() + self._settings.deadlines.whole
        answer = _Answer(floor, trace=trace, turns=tuple(turns), until=until)
        async with aclosing(self._draft(question, numbered, checks, answer, None)) as first:
            async for sentence in first:
                yield sentence
        fault = answer.attempts[0].fault
        if fault is not None:
            logger.info("A draft was rejected: %s.", fault.value)
            yield Restart(len(answer.shown), fault.value)
            best = numbered.only([passage.chunk_id for passage in passages[: self._settings.retry_passages]])
            rejection = Rejection(fault, tuple(sentence.text for sentence in answer.passed))
            async with aclosing(self._draft(question, best, checks, answer, rejection)) as second:
                async for sentence in second:
                    yield sentence
            if answer.attempts[1].fault is not None:
                yield Restart(len(answer.shown), answer.attempts[1].fault.value)
        for sentence in answer.show(floor.close()):
            yield sentence
        yield self._written(answer, question.language)

    async def _draft(
        self,
        question: Question,
        numbered: Numbered,
        gate: ModelGate,
        answer: _Answer,
        rejection: Rejection | None,
    ) -> AsyncGenerator[Sentence, None]:
        """Yield the sentences of one draft that pass, until the first that does not."""
        attempt = _Attempt()
        answer.attempts.append(attempt)
        request = ModelRequest(
            answer_messages(
                question,
                numbered,
                most_sentences=self._settings.sentences,
                rejection=rejection,
                prompts=self._settings.prompts,
                turns=answer.turns,
            ),
            self._left(answer),
            self._settings.most_tokens,
            answered_by=answer.set_model,
        )
        async with aclosing(self._sentences(request, question.language, attempt)) as written:
            async for each in written:
                if each.text.startswith(UNSUPPORTED):
                    attempt.declared = True
                    return
                attempt.cited = attempt.cited or bool(each.markers) or each.is_broken
                if answer.has(each.text):
                    continue
                sentence = await gate.admit(each)
                answer.note(each.text, sentence if isinstance(sentence, Fault) else None)
                if isinstance(sentence, Fault):
                    attempt.fault = sentence
                    return
                answer.passed.append(sentence)
                for each_shown in answer.show(answer.floor.hear(sentence)):
                    yield each_shown
                if len(answer.passed) >= self._settings.sentences:
                    return

    def _left(self, answer: _Answer) -> Deadlines:
        """What is left of the time: a second draft gets what the first has not used."""
        return replace(self._settings.deadlines, whole=max(0.0, answer.until - asyncio.get_running_loop().time()))

    async def _sentences(
        self, request: ModelRequest, language: str, attempt: _Attempt
    ) -> AsyncGenerator[WrittenSentence, None]:
        cutter = SentenceCutter(language)
        # When the first piece is due is the model's affair: a second model may have to take over.
        whole = replace(request.deadlines, first_token=request.deadlines.whole)
        try:
            async with aclosing(within(self._model.stream(request), whole)) as pieces:
                async for piece in pieces:
                    for sentence in cutter.feed(piece):
                        yield sentence
        except ModelError as error:
            # What had begun is thrown away: half a sentence may say the opposite.
            attempt.failure = error.code
            return
        for sentence in cutter.close():
            yield sentence

    def _written(self, answer: _Answer, language: str) -> Written:
        attempts, last = answer.attempts, answer.attempts[-1]
        faults = tuple(attempt.fault for attempt in attempts if attempt.fault)
        cut_short = bool(last.fault or last.failure)
        if answer.passed:
            grounding = Grounding.GROUNDED
        elif last.declared:
            grounding = Grounding.DECLARED_UNSUPPORTED
        elif last.failure or not last.fault:
            grounding = Grounding.FELL_BACK
        elif set(faults) == {Fault.UNCITED} and not any(attempt.cited for attempt in attempts):
            grounding = Grounding.FORGOT_TO_CITE
        else:
            grounding = Grounding.REFUSED
        return Written(
            grounding,
            tuple(answer.shown),
            faults,
            last.failure or ("" if answer.passed or last.fault or last.declared else "empty_reply"),
            is_partial=bool(answer.passed) and cut_short,
            model=answer.model or self._model.name,
            prompt=self._settings.prompts.answer[prompt_language(language)].version,
        )
