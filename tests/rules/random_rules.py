"""Random rules for property tests: every field, with texts that break formats."""

from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from apps.core.cleaning import clean_text
from apps.rules.services.cleaning import cleaned
from apps.rules.types import (
    CuratedAnswer,
    Example,
    Extra,
    HitPolicy,
    LinkedDocument,
    Need,
    Phrase,
    RuleSpec,
    Scope,
    ScopeKind,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)

# Pieces that mean something to a format, between random letters.
_PIECES = st.sampled_from(
    [
        *("a", "Wähler", ",", ";", '"', '""', "\n", "\t", "'", "=", "+", "-", "@", "|", " | ", ": ", "yes: "),
        *("no (exact): ", "only exactly: ", "exactly: ", "starts: ", "{", "}", "[", "\\", "first 3", " > "),
        *("at most 2 tokens", "section ", "1.0", "2027-01-31", "31.01.2027", "TRUE", "#", "%", "50 %", "＝"),
        *("_x0041_", "\u2028", "\u00a0", "ﬁ", "👍🏿"),
    ]
)


def _stored(text: str) -> str:
    """As the desk keeps a text: clean, in one normal form."""
    return unicodedata.normalize("NFC", clean_text(text)).strip()


texts = st.lists(_PIECES | st.text(max_size=5), max_size=6).map("".join).map(_stored)
lines = texts.map(lambda text: " ".join(text.split()))
filled = texts.filter(bool)
filled_lines = lines.filter(bool)
words = st.lists(filled_lines, max_size=3, unique=True).map(tuple)
moments = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
days = st.dates(date(1990, 1, 1), date(2100, 1, 1))
scopes = st.one_of(
    st.just(Scope()),
    st.builds(Scope, st.just(ScopeKind.FIRST), st.none() | st.integers(1, 9), st.integers(1, 99)),
    st.builds(Scope, st.just(ScopeKind.RANGE), st.integers(1, 9), st.integers(9, 99)),
    st.builds(Scope, st.just(ScopeKind.SECTION), path=st.lists(filled_lines, min_size=1, max_size=3).map(tuple)),
)
token_lists = st.one_of(
    st.builds(
        TokenList, _slots := st.lists(st.builds(Slot, filled_lines, st.sampled_from(WordMode)), max_size=3).map(tuple)
    ),
    st.builds(TokenList, _slots, st.just(Need.ANY)),
    st.builds(TokenList, _slots, st.just(Need.COUNT), st.integers(1, 9)),
    st.builds(TokenList, _slots, st.just(Need.PERCENT), st.integers(1, 100)),
)
documents = st.builds(
    LinkedDocument,
    st.integers(0, 2**128 - 1).map(lambda number: str(UUID(int=number))),
    lines,
    scopes,
    st.none() | st.integers(1, 99_999),
)


def rule_specs(uids: Any = None) -> st.SearchStrategy[RuleSpec]:
    """Return rules as the desk could hold them, each field at random."""
    return st.builds(
        RuleSpec,
        uid=uids or st.from_regex(r"[a-z0-9][-a-z0-9_]{0,20}", fullmatch=True),
        title=lines,
        parent=st.none() | st.from_regex(r"[a-z][-a-z0-9]{0,9}", fullmatch=True),
        position=st.integers(0, 2**31 - 1),
        status=st.sampled_from(Status),
        priority=st.integers(1, 1000),
        valid_from=st.none() | moments,
        valid_until=st.none() | moments,
        languages=words.map(lambda found: tuple(dict.fromkeys(word.lower() for word in found))),
        audiences=words,
        builder_choices=words,
        hit_policy=st.sampled_from(HitPolicy),
        extra=st.sampled_from(Extra),
        fill_up_to=st.integers(1, 20),
        threshold=st.none() | st.integers(0, 100),
        phrases=st.lists(st.builds(Phrase, filled, st.booleans()), max_size=3).map(tuple),
        core=st.none() | token_lists,
        anchor=st.none() | token_lists,
        exclude=st.none() | token_lists,
        documents=st.lists(documents, max_size=2).map(tuple),
        links=st.lists(filled_lines, max_size=2).map(tuple),
        answer=st.none() | st.builds(CuratedAnswer, filled, st.booleans(), lines, st.none() | days, st.none() | days),
        examples=st.lists(
            st.builds(Example, filled, st.booleans(), st.none() | st.sampled_from(Stage)), max_size=3
        ).map(tuple),
        tags=words,
        owner=lines,
        reason=texts,
    ).map(cleaned)
