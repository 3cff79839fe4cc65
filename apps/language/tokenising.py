"""Words with their place in the original text; used by rules, search, parties and highlighting."""

from dataclasses import dataclass
from typing import Final, Literal

from apps.language.normalising import HYPHENS, TOKEN, fold_with_offsets, token_text

TokenKind = Literal["word", "number", "sign"]

RULE_CHARACTERS: Final = 512
RULE_TOKENS: Final = 64


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or §; `text` as written, `folded` as compared, offsets in the original text."""

    text: str
    start: int
    end: int
    kind: TokenKind
    folded: str


def tokenise(text: str) -> list[Token]:
    """Return the tokens of `text` in order; parts of hyphenated words are tokens of their own."""
    folded, offsets = fold_with_offsets(text)
    tokens: list[Token] = []
    for match in TOKEN.finditer(folded):
        start, end = offsets[match.start()], _end(text, offsets, match.end())
        spelled = token_text(match)
        tokens.append(Token(text[start:end], start, end, _kind(match.lastgroup, spelled), spelled))
    return tokens


def _end(text: str, offsets: list[int], folded_end: int) -> int:
    """The end after the last character that left a trace, so that a closing quotation mark stays outside."""
    last = offsets[folded_end - 1]
    if folded_end < len(offsets) - 1 and offsets[folded_end] == last:
        return last + 1
    end = min(offsets[folded_end], len(text))
    while end > last + 1 and not fold_with_offsets(text[end - 1])[0]:
        end -= 1
    return end


def _kind(group: str | None, spelled: str) -> TokenKind:
    if group == "sign":
        return "sign"
    return "number" if spelled.isdigit() else "word"


def rule_tokens(text: str) -> list[Token]:
    """Return what a rule may match: split tokens in order, then hyphenated words joined.

    Only the first 512 characters and 64 split tokens count. The joined words come last, so that a slot of
    several words still finds its neighbours.
    """
    text = text[:RULE_CHARACTERS]
    tokens = tokenise(text)[:RULE_TOKENS]
    joined: list[Token] = []
    run: list[Token] = []
    for token in tokens:
        if run and not _hyphenated(text, run[-1], token):
            joined.extend(_joined(text, run))
            run = []
        run.append(token)
    return tokens + joined + _joined(text, run)


def _hyphenated(text: str, left: Token, right: Token) -> bool:
    if left.kind == "number" and right.kind == "number":
        return False
    gap = fold_with_offsets(text[left.end : right.start])[0]
    return len(gap) == 1 and gap in HYPHENS and "sign" not in (left.kind, right.kind)


def _joined(text: str, run: list[Token]) -> list[Token]:
    if len(run) < 2:
        return []
    start, end = run[0].start, run[-1].end
    return [Token(text[start:end], start, end, "word", "".join(token.folded for token in run))]
