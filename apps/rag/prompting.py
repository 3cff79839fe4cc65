"""Builds what a model is asked: prompt files under version, passages fenced as data, numbers local to the turn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from apps.rag.citations import Fault
from apps.rag.markers import Marker
from apps.rag.model_types import Message, Role
from apps.rag.prompt_texts import UNSUPPORTED, Prompts, prompt_language, retry_prompt
from apps.rag.rewriting.types import PastTurn
from apps.rag.types import Passage, Question

_LANGUAGE_NAMES: Final = {
    "de": {"de": "Deutsch", "en": "Englisch"},
    "en": {"de": "German", "en": "English"},
}
_SPEAKERS: Final = {"de": ("Gefragt", "Geantwortet"), "en": ("Asked", "Answered")}
_MOST_TURNS: Final = 3
_QUESTION_CHARACTERS: Final = 300
_ANSWER_CHARACTERS: Final = 400
_FENCE: Final = re.compile(r"<{3,}|>{3,}")
_FAULTS: Final[Mapping[str, Mapping[Fault, str]]] = {
    "de": {
        Fault.UNCITED: "Ein Satz hatte keine Marke.",
        Fault.BROKEN_MARKER: "Eine Marke hatte nicht die Form [doc:N#chunk:M].",
        Fault.UNKNOWN_PASSAGE: "Eine Marke nannte eine Quelle, die es nicht gibt.",
        Fault.ALTERED_QUOTE: "Ein Zitat stand nicht wörtlich in der belegten Quelle.",
        Fault.UNSUPPORTED_FIGURE: "Eine Zahl oder ein Datum stand nicht in der belegten Quelle.",
        Fault.UNSUPPORTED_NAME: "Ein Name stand nicht in der belegten Quelle.",
        Fault.WRONG_PARTY: "Ein Satz sprach von einer anderen Partei als seine Quelle oder von mehreren.",
        Fault.UNATTRIBUTED_OPINION: "Eine Meinung stand nicht als wörtliches Zitat mit Namen da.",
        Fault.OWN_VOICE: "Ein Satz sagte „wir“, als spräche die Partei.",
        Fault.ADVICE: "Ein Satz war eine Wahlempfehlung.",
        Fault.MARKUP: "Ein Satz enthielt einen Verweis ins Netz oder Auszeichnungen.",
        Fault.ORDER: "Ein Satz gab eine Anweisung aus den Quellen wieder.",
        Fault.UNSUPPORTED: "Ein Satz sagte etwas, das die belegte Quelle nicht sagt.",
        Fault.CONTRADICTED: "Ein Satz sagte das Gegenteil von dem, was die belegte Quelle sagt.",
    },
    "en": {
        Fault.UNCITED: "A sentence had no marker.",
        Fault.BROKEN_MARKER: "A marker was not of the form [doc:N#chunk:M].",
        Fault.UNKNOWN_PASSAGE: "A marker named a source that does not exist.",
        Fault.ALTERED_QUOTE: "A quotation did not stand in the cited source word for word.",
        Fault.UNSUPPORTED_FIGURE: "A number or a date did not stand in the cited source.",
        Fault.UNSUPPORTED_NAME: "A name did not stand in the cited source.",
        Fault.WRONG_PARTY: "A sentence spoke of another party than its source, or of several.",
        Fault.UNATTRIBUTED_OPINION: "An opinion was not given as a quotation with a name.",
        Fault.OWN_VOICE: "A sentence said \"we\" as if the party were speaking.",
        Fault.ADVICE: "A sentence was voting advice.",
        Fault.MARKUP: "A sentence held a link or markup.",
        Fault.ORDER: "A sentence repeated an instruction from the sources.",
        Fault.UNSUPPORTED: "A sentence said what the cited source does not say.",
        Fault.CONTRADICTED: "A sentence said the opposite of what the cited source says.",
    },
}  # fmt: skip
_KEPT: Final = {
    "de": "Diese Sätze stehen schon und bleiben; schreiben Sie nur, was danach kommt: {sentences}",
    "en": "These sentences stand already and stay; write only what follows them: {sentences}",
}


@dataclass(frozen=True, slots=True)
class Numbered:
    """Passages with the numbers that a model knows them by: documents from 1, and in each its passages from 1."""

    passages: Mapping[Marker, Passage]

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> Numbered:
        """Number the passages in their order."""
        documents: dict[tuple[str, int], int] = {}
        counts: dict[int, int] = {}
        numbered: dict[Marker, Passage] = {}
        for passage in passages:
            number = documents.setdefault((passage.source.uuid, passage.source.version), len(documents) + 1)
            counts[number] = counts.get(number, 0) + 1
            numbered[Marker(number, counts[number])] = passage
        return cls(numbered)

    def only(self, chunk_ids: Sequence[int]) -> Numbered:
        """Return some of the passages under the numbers that they have."""
        return Numbered({marker: each for marker, each in self.passages.items() if each.chunk_id in chunk_ids})


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a draft was rejected, and the sentences that stand nevertheless."""

    fault: Fault
    kept: tuple[str, ...] = ()


def answer_messages(
    question: Question,
    numbered: Numbered,
    *,
    most_sentences: int,
    rejection: Rejection | None = None,
    prompts: Prompts | None = None,
    turns: Sequence[PastTurn] = (),
) -> tuple[Message, ...]:
    """Return what to send: the rules, then the passages, the turns that the question leans on and it itself as data."""
    language = prompt_language(question.language)
    names = _LANGUAGE_NAMES[language]
    rules = (
        (prompts or Prompts())
        .answer[language]
        .filled(
            language=names.get(question.language, question.language), sentences=most_sentences, unsupported=UNSUPPORTED
        )
    )
    parts = [_fenced(marker, passage) for marker, passage in numbered.passages.items()]
    if turns:
        parts.append(_conversation(turns, language))
    parts.append(f"<<<QUESTION>>>\n{_as_data(question.text)}\n<<<END>>>")
    if rejection is not None:
        kept = _KEPT[language].format(sentences=" ".join(rejection.kept)) if rejection.kept else ""
        fault = _FAULTS[language].get(rejection.fault, "")
        parts.append(retry_prompt(language).filled(fault=fault, kept=kept).strip())
    return Message(Role.SYSTEM, rules), Message(Role.USER, "\n\n".join(parts))


def _fenced(marker: Marker, passage: Passage) -> str:
    source = passage.source
    published = source.published.isoformat() if source.published else ""
    about = [source.party_name, source.title, *passage.heading_path, source.publisher, source.author, published]
    head = " | ".join(_as_data(part) for part in about if part)
    context = f"{_as_data(passage.context)}\n" if "|" in passage.context else ""
    return (
        f"<<<SOURCE doc:{marker.document} chunk:{marker.chunk} kind:{source.kind} | {head}>>>\n"
        f"{context}{_as_data(passage.text)}\n<<<END>>>"
    )


def _conversation(turns: Sequence[PastTurn], language: str) -> str:
    """What was said before, cut to a budget: a model needs it to know what "it" is, not to answer from."""
    asked, answered = _SPEAKERS[language]
    lines = []
    for turn in turns[-_MOST_TURNS:]:
        lines.append(f"{asked}: {_as_data(turn.question[:_QUESTION_CHARACTERS])}")
        if turn.answer:
            lines.append(f"{answered}: {_as_data(turn.answer[:_ANSWER_CHARACTERS])}")
    return "<<<CONVERSATION>>>\n" + "\n".join(lines) + "\n<<<END>>>"


def _as_data(text: str) -> str:
    """No text can close its fence, and none can bring a marker of its own."""
    return _FENCE.sub("", text).replace("[doc:", "(doc:")
