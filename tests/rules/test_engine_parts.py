"""The parts of the engine one by one: reading, slots, the fuzzy index, the index of slots."""

from __future__ import annotations

import gc
import weakref
from datetime import UTC, datetime
from random import Random

import pytest
from rapidfuzz.distance import LCSseq

from apps.language.normalising import fold, normalised_forms
from apps.language.tokenising import rule_tokens
from apps.rules.engine.fuzzy import PhraseIndex
from apps.rules.engine.reading import _is_ordinary, _read_any, _read_ordinary, read, read_written
from apps.rules.engine.slot_index import SlotIndex
from apps.rules.engine.slots import needed, slot_test
from apps.rules.engine.words import met_tokens, places
from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.suites.synthetic import made_up_rules
from apps.rules.types import MatchContext, Need, Slot, TokenList, WordMode
from tests.rules.generating import WORDS, some_text

LETTERS = " abcßäöüÄÖÜ12.-_§§AB,?–…€1.'’\u00ad\u0308"


def scrambled(random: Random) -> str:
    return "".join(random.choice(LETTERS) for _ in range(random.randint(0, 16)))


def test_questions_are_read_alike_on_the_fast_and_on_the_slow_path():
    random = Random(1)
    ordinary = [text for text in (scrambled(random) for _ in range(5_000)) if _is_ordinary(text)]
    assert len(ordinary) > 500
    for text in ordinary:
        assert _read_ordinary(text) == _read_any(text)


def test_rules_and_questions_are_read_alike():
    random = Random(2)
    for text in (scrambled(random) for _ in range(5_000)):
        assert read(text) == read_written(text).reading
        assert len(read_written(text).words) == len(read(text).tokens)


def test_forms_and_tokens_are_those_of_the_shared_normaliser():
    random = Random(3)
    for text in (some_text(random, 6) for _ in range(500)):
        assert tuple(form for form in read(text).forms() if form) == tuple(filter(None, normalised_forms(text)))
        whole = [*read(text).tokens, *("".join(read(text).tokens[start:end]) for start, end in read(text).runs)]
        assert whole == [token.folded for token in rule_tokens(text)]


def test_words_as_written_fold_to_their_tokens():
    written = read_written("„Wäh\u00adler“ in Nordrhein-Westfalen: §§5, Straße’s ½")
    assert written.words == ("Wäh\u00adler", "in", "Nordrhein", "Westfalen", "§§", "5", "Straße’s", "½", "½")
    assert [fold(word) for word in written.words[:4]] == list(written.reading.tokens[:4])


@pytest.mark.parametrize(
    ("need", "amount", "slots", "expected"),
    [
        (Need.ALL, None, 3, 3),
        (Need.ALL, None, 0, 1),
        (Need.ANY, None, 3, 1),
        (Need.ANY, None, 0, 1),
        (Need.COUNT, 2, 3, 2),
        (Need.COUNT, 4, 3, 4),
        (Need.COUNT, 0, 3, 4),
        (Need.COUNT, None, 3, 4),
        (Need.PERCENT, 50, 3, 2),
        (Need.PERCENT, 1, 3, 1),
        (Need.PERCENT, 100, 3, 3),
        (Need.PERCENT, 34, 3, 2),
        (Need.PERCENT, 33, 3, 1),
        (Need.PERCENT, None, 3, 4),
    ],
)
def test_how_many_slots_are_needed(need, amount, slots, expected):
    assert needed(TokenList((), need, amount), slots) == expected


def test_the_index_of_slots_meets_what_testing_each_slot_meets():
    random = Random(4)
    for _ in range(150):
        wanted = [
            Slot(" ".join(random.choices(WORDS, k=random.choice((1, 1, 2)))), random.choice(tuple(WordMode)))
            for _ in range(8)
        ]
        index = SlotIndex()
        numbers = {index.number(slot, ("de",)): slot for slot in wanted}
        asked = places(read_written(some_text(random, 8)), "de")
        found = index.found(asked)
        for number, slot in numbers.items():
            test = slot_test(slot, ("de",))
            assert found.get(number, 0) == met_tokens(test, asked), slot


@pytest.mark.parametrize("longest", [4, 60])
def test_the_fuzzy_index_finds_what_comparing_every_phrase_finds(longest):
    random = Random(longest)
    keys = ["".join(random.choice("ab c1é") for _ in range(random.randint(1, longest * 8))) for _ in range(400)]
    keys += [key[:5] + "x" + key[6:] for key in keys[:100]]
    thresholds = [random.choice((0, 30, 60, 70, 84, 85, 90, 100, 101)) for _ in keys]
    index = PhraseIndex()
    for number, (key, threshold) in enumerate(zip(keys, thresholds, strict=True)):
        index.add(key, number, 0, threshold)
    index.finish()
    for question in (*random.sample(keys, 30), "a", "a" * 300, "zzz"):
        for lowered in (0, 15):
            found = {each.rule: each.common for each in index.similar((question,), lowered)}
            assert found == {
                number: common
                for number, (key, threshold) in enumerate(zip(keys, thresholds, strict=True))
                if 200 * (common := LCSseq.similarity(key, question))
                >= max(0, threshold - lowered) * (len(key) + len(question))
            }


def test_an_index_goes_with_its_last_user_without_a_collector():
    index = compile_index(made_up_rules(50))
    match(["Was ist mit der Rente?"], MatchContext(datetime(2026, 1, 1, tzinfo=UTC)), index)
    assert index.sleeping is not None
    seen = weakref.ref(index)
    gc.disable()
    try:
        del index
        assert seen() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(("rules", "is_left_alone"), [(50, False), (1_000, True)])
def test_only_a_large_index_is_kept_from_the_collector(rules: int, is_left_alone: bool):
    gc.unfreeze()
    index = compile_index(made_up_rules(rules))
    assert (gc.get_freeze_count() > len(index)) is is_left_alone
    gc.unfreeze()
