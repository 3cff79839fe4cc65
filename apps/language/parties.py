"""Party names in running text, found by the aliases that editors keep; built once, used per question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

from apps.language.lemmas import is_known
from apps.language.normalising import fold
from apps.language.stopwords import stop_words
from apps.language.tokenising import Token, tokenise

_ARTICLES: Final = frozenset({"die", "der", "den", "dem", "des"})
# Before a party in lower case: "die grünen", "bei den linken", never "aus dem linken Spektrum".
_PARTY_ARTICLES: Final = frozenset({"die", "der", "den"})
_INTRODUCING: Final = _PARTY_ARTICLES | {"von", "bei", "mit", "fuer", "gegen", "zwischen", "wollen", "sagen", "waehle"}
_ADJECTIVAL: Final = ("e", "en", "er", "em", "es")
_MEMBER_ENDINGS: Final = ("s", "ler", "lers", "lern", "lerin", "lerinnen")
# Heads of compounds that still name the party: Grünenchef, Linkenpolitikerin, Unionsfraktion.
_HEADS: Final = (
    "chef", "politik", "fraktion", "partei", "abgeordnet", "vorsitz", "wahl", "spitze", "waehler", "mitglied",
    "minister", "kandidat", "programm", "landes", "bundes", "verband",
)  # fmt: skip
_JOINERS: Final = frozenset(" \t\n\u00a0-‐‑–/.&+,'’")
_LONGEST_ACRONYM: Final = 4
_SHORTEST_IN_HANDLE: Final = 3


@dataclass(frozen=True, slots=True)
class PartyMention:
    """A party named in a text: its key, where, and the words as written."""

    key: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Alias:
    key: str
    words: tuple[str, ...]  # as written by the editor
    ordinary: bool  # every word of it is also an everyday word


# Keys of the parties, tokens used up, start and end in characters.
_Found = tuple[tuple[str, ...], int, int, int]


class PartyRecogniser:
    """Finds parties by their aliases, inflected and in any spelling of umlauts; safe in threads."""

    def __init__(self, aliases: Mapping[str, Sequence[str]]) -> None:
        self._index: dict[str, list[tuple[tuple[str, ...], _Alias]]] = {}
        self._function_words = stop_words("de")
        for key, names in aliases.items():
            for name in names:
                self._add(key, name)
        for entries in self._index.values():
            entries.sort(key=lambda entry: (-len(entry[0]), entry[0], entry[1].ordinary))

    def find(self, text: str) -> list[PartyMention]:
        """Return the parties that `text` names, in order; the longest alias wins.

        An alias that several parties share ("Ampel") gives one mention for each, over the same words.
        """
        tokens = tokenise(text)
        mentions: list[PartyMention] = []
        position = 0
        while position < len(tokens):
            keys, length, start, end = self._at(text, tokens, position)
            mentions.extend(PartyMention(key, start, end, text[start:end]) for key in keys)
            position += length
        return mentions

    def _add(self, key: str, name: str) -> None:
        words = [token.text for token in tokenise(name)]
        content = [word for word in words if fold(word) not in _ARTICLES] or words
        if not content:
            return
        ordinary = len(content) < 3 and all(_is_ordinary(word) for word in content)
        spellings = [words] if words == content else [words, content]
        for spelling in spellings:
            alias = _Alias(key, tuple(spelling), ordinary)
            for forms in product(*(_forms(word) for word in spelling)):
                self._index.setdefault(forms[0], []).append((forms, alias))
            if len(spelling) > 1:
                joined = "".join(fold(word) for word in spelling)
                self._index.setdefault(joined, []).append(((joined,), _Alias(key, (joined,), False)))

    def _at(self, text: str, tokens: list[Token], position: int) -> _Found:
        """The parties named at a token, with the tokens used up and the characters covered."""
        token = tokens[position]
        matched: tuple[str, ...] | None = None
        keys: list[str] = []
        for forms, alias in self._index.get(token.folded, ()):
            if matched is not None and forms != matched:
                continue
            run = tokens[position : position + len(forms)]
            if tuple(word.folded for word in run) != forms or not _adjacent(text, run):
                continue
            if alias.ordinary and not self._is_name(text, tokens, position, run, alias):
                continue
            matched = forms
            keys.append(alias.key)
        if matched is not None:
            length = len(matched)
            return tuple(dict.fromkeys(keys)), length, token.start, tokens[position + length - 1].end
        return self._inside(text, token) or ((), 1, token.start, token.end)

    def _inside(self, text: str, token: Token) -> _Found | None:
        """A name within one word: a hump of a hashtag (#NoAfD), a handle (@spdbt), a compound (Grünenchefin)."""
        in_handle = text[max(0, token.start - 1) : token.start] in {"#", "@"}
        for start, end in _humps(token.text):
            keys = self._single(fold(token.text[start:end]), capital=in_handle and token.text[start].isupper())
            if keys:
                return keys, 1, token.start + start, token.start + end
        if in_handle:
            for cut in range(len(token.folded) - 1, _SHORTEST_IN_HANDLE - 1, -1):
                keys = self._single(token.folded[:cut]) or self._single(token.folded[-cut:])
                if keys:
                    return keys, 1, token.start, token.end
        if token.text[0].isupper():
            for cut in range(4, len(token.folded) - 3):
                if token.folded.startswith(_HEADS, cut):
                    keys = self._single(token.folded[:cut], capital=True)
                    if keys:
                        return keys, 1, token.start, token.end
        return None

    def _single(self, piece: str, *, capital: bool = False) -> tuple[str, ...]:
        entries = self._index.get(piece, ())
        keys = (alias.key for forms, alias in entries if len(forms) == 1 and (capital or not alias.ordinary))
        return tuple(dict.fromkeys(keys))

    def _is_name(self, text: str, tokens: list[Token], position: int, run: list[Token], alias: _Alias) -> bool:
        """Tell the party from the everyday words that it is called by."""
        named = [
            (token.text, word) for token, word in zip(run, alias.words, strict=True) if token.folded not in _ARTICLES
        ]
        before = tokens[position - 1] if position else None
        after = tokens[position + len(run)] if position + len(run) < len(tokens) else None
        if before and (before.kind == "number" or before.folded.rstrip("enrms").endswith("isch")):
            return False
        adjectival = all(_is_adjectival(word) for _, word in named)
        if all(written[0].isupper() for written, _ in named):
            if any(word.isupper() and not _is_adjectival(word) and written != word for written, word in named):
                return False
            # "Grüne Energie" opens with an adjective, "Grüne fordern" and "Grünen-Chefin" with the party.
            opens = before is None and run[0].folded not in _ARTICLES
            noun_follows = after is not None and after.text[0].isupper() and not after.text.isupper()
            return not (opens and adjectival and noun_follows and after and text[run[-1].end : after.start].isspace())
        if before is None and after is None:
            return True
        introduced = run[0].folded in _PARTY_ARTICLES or (before is not None and before.folded in _INTRODUCING)
        return adjectival and introduced and (after is None or after.folded in self._function_words)


def _is_adjectival(word: str) -> bool:
    return fold(word).endswith(("e", "en"))


def _is_ordinary(word: str) -> bool:
    capitals = sum(letter.isupper() for letter in word)
    if word.isdigit() or (capitals > 1 and (len(word) <= _LONGEST_ACRONYM or not word.isupper())):
        return False
    return is_known(word, "de") or is_known(word.lower(), "de")


def _forms(word: str) -> tuple[str, ...]:
    """The folded word with the endings that German may give it."""
    folded = fold(word)
    if folded in _ARTICLES:
        return tuple(sorted(_ARTICLES))
    if not folded.isalpha():
        return (folded,)
    is_acronym = not (word.islower() or word.istitle() or _is_ordinary(word))
    if is_acronym:
        return (folded, *(folded + ending for ending in _MEMBER_ENDINGS))
    if len(folded) > 4 and folded.endswith("e"):
        return tuple(folded[:-1] + ending for ending in _ADJECTIVAL)
    if len(folded) > 5 and folded.endswith("en"):
        return (folded, *(folded[:-2] + ending for ending in _ADJECTIVAL if ending != "en"))
    return (folded, folded + "s")


def _adjacent(text: str, run: list[Token]) -> bool:
    return all(
        right.start - left.end <= 3 and set(text[left.end : right.start]) <= _JOINERS for left, right in pairwise(run)
    )


def _humps(word: str) -> Iterator[tuple[int, int]]:
    """Prefixes and suffixes of a CamelCase word that begin and end at a hump."""
    if not 4 <= len(word) <= 60 or word.isupper() or word.islower():
        return
    edges = [
        index
        for index in range(1, len(word))
        if word[index].isupper() != word[index - 1].isupper() or word[index].isdigit() != word[index - 1].isdigit()
    ]
    for edge in edges:
        if edge >= 2:
            yield 0, edge
        if len(word) - edge >= 2:
            yield edge, len(word)
