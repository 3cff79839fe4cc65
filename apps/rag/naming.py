"""Which words of a model's sentence are names, and whether a source has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from apps.language.lemmas import is_known, lemma_set
from apps.language.normalising import fold
from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.tokenising import Token, tokenise

_OPENS: Final = ".!?:\n"
_QUOTES: Final = " \"'„“”»«‚‘(["
# "Zum Thema Abschaffung der Quote", "zum Thema Fossile Brennstoffe": what stands behind these is a subject, no name.
_INTRODUCING: Final = frozenset({
    "thema", "themen", "stichwort", "stichworte", "punkt", "frage", "bereich", "gebiet", "kapitel", "begriff", "wort",
    "komplex", "schlagwort", "politikfeld", "themenfeld", "rubrik", "abschnitt", "forderung", "projekt",
})  # fmt: skip
_SHORTEST_COMPOUND: Final = 8
_SHORTEST_PART: Final = 4


def names_in(text: str, language: str) -> list[str]:
    """Return the words that are likely names, as written: abbreviations, words of no dictionary, pairs of capitals.

    In German every noun has a capital, so a single noun that a dictionary knows is no name.
    """
    tokens = tokenise(text)
    return [token.text for place, token in enumerate(tokens) if _is_name(text, tokens, place, language)]


def unknown_names(text: str, language: str, sources: Sequence[str], source_language: str) -> list[str]:
    """Return the names of ``text`` that no text of ``sources`` has, in any inflection or compound.

    Across languages only words that the text's own language does not know can be compared: Brussels is Brüssel.
    """
    names = names_in(text, language)
    if source_language != language:
        names = [name for name in names if name.isupper() or not is_known(name, language)]
    if not names:
        return []
    written = {token.folded for source in sources for token in tokenise(source)}
    stems = {stem(word, source_language) for word in written}
    return [name for name in names if not _is_written(name, written, stems, source_language)]


def _is_name(text: str, tokens: Sequence[Token], place: int, language: str) -> bool:
    token = tokens[place]
    if token.kind != "word" or not token.text[0].isupper() or token.folded in stop_words(language):
        return False
    if len(token.text) > 1 and token.text.isupper():
        return True
    if not is_known(token.text, language) and not _is_compound(token.text, language):
        return True
    if _opens(text, token):
        return False
    if any(before.folded in _INTRODUCING for before in tokens[max(0, place - 2) : place + 1]):
        return False
    # English writes only names with a capital inside a sentence.
    return language == "en" or any(_capital(text, token, other) for other in _neighbours(tokens, place))


def _is_compound(word: str, language: str) -> bool:
    """Say whether a German noun that no dictionary has is made of two that it has."""
    if language != "de" or len(word) < _SHORTEST_COMPOUND:
        return False
    cuts = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    return any(
        is_known(word[cut:], language)
        and (is_known(word[:cut], language) or is_known(word[:cut].removesuffix("s"), language))
        for cut in cuts
    )


def _neighbours(tokens: Sequence[Token], place: int) -> Iterator[Token]:
    yield from tokens[max(0, place - 1) : place]
    yield from tokens[place + 1 : place + 2]


def _capital(text: str, token: Token, other: Token) -> bool:
    """Two capitals with nothing but a blank between are a name ("Anna Muster"), unless the first opens a sentence."""
    left, right = sorted((token, other), key=lambda each: each.start)
    between = text[left.end : right.start]
    return between == " " and other.kind == "word" and other.text[0].isupper() and not _opens(text, left)


def _opens(text: str, token: Token) -> bool:
    before = text[: token.start].rstrip(_QUOTES)
    return not before or before[-1] in _OPENS


def _is_written(name: str, written: set[str], stems: set[str], language: str) -> bool:
    folded = fold(name)
    if folded in written or stem(folded, language) in stems:
        return True
    if lemma_set(name, language) & written or folded.removesuffix("s") in written:
        return True
    # "Mindestlohnkommission" of a source that speaks of the "Mindestlohn" and a "Kommission".
    if len(folded) < _SHORTEST_COMPOUND or name.isupper():
        return False
    return any(
        folded[:cut].removesuffix("s") in written | stems
        and (folded[cut:] in written or stem(folded[cut:], language) in stems)
        for cut in range(_SHORTEST_PART, len(folded) - _SHORTEST_PART + 1)
    )
