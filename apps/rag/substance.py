"""What a model's sentence says beyond names, numbers and codes, and whether it is its source's own sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise
from apps.rag.extracting import QuotedSpan
from apps.rag.types import Passage

# Shorter ones are no sentences of a source but words of it.
_FEWEST_WORDS: Final = 4
_FEWEST_BESIDE_A_CODE: Final = 3
# Letters and digits in one word.
_CODE: Final = re.compile(r"\b[^\W\d_]+[-_/]?\d[\w-]*")


def ordinary_words(text: str, language: str) -> frozenset[str]:
    """Return the stems of words that say something: no stop words, no numbers, nothing in capitals only."""
    left_out = stop_words(language)
    return frozenset(
        stem(token.folded, language)
        for token in tokenise(text)
        if token.kind == "word"
        and token.folded not in left_out
        and len(token.text) > 1
        and token.text != token.text.upper()
    )


def only_names_a_code(text: str, language: str, sources: Sequence[str], source_language: str) -> bool:
    """Say whether a text gives a code ("QX-17") and hardly anything else that a source says.

    Whoever plants an order asks for a word of their own, and since it stands in the source it is borne out. A code is
    shown inside a statement of the source only: three words at least, most of them the source's where both have one
    language.
    """
    if not _CODE.search(text):
        return False
    said = ordinary_words(text, language)
    if len(said) < _FEWEST_BESIDE_A_CODE or language != source_language:
        return len(said) < _FEWEST_BESIDE_A_CODE
    known = frozenset[str]().union(*(ordinary_words(each, source_language) for each in sources))
    return 2 * len(said & known) <= len(said)


def copied_from(text: str, passages: Sequence[Passage]) -> tuple[Passage, QuotedSpan] | None:
    """Return where the text stands word for word, spaces aside; None where it does not or is too short to be quoted."""
    words = text.split()
    if len(words) < _FEWEST_WORDS:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    for passage in passages:
        match = pattern.search(passage.text)
        if match:
            span = QuotedSpan(passage.chunk_id, passage.start + match.start(), passage.start + match.end())
            return passage, span
    return None
