"""What a model writes is cut into sentences the same way however its pieces are cut."""

import pytest

from apps.rag.markers import Marker, SentenceCutter, WrittenSentence

ONE, TWO, OTHER = Marker(1, 1), Marker(1, 2), Marker(2, 1)
CASES = [
    ("marker before the full stop", "Die Rente steigt [doc:1#chunk:1].", [("Die Rente steigt.", (ONE,))]),
    ("marker behind it", "Die Rente steigt. [doc:1#chunk:1]", [("Die Rente steigt.", (ONE,))]),
    ("marker in the next line", "Die Rente steigt.\n[doc:1#chunk:1]\n", [("Die Rente steigt.", (ONE,))]),
    (
        "markers in a row, with and without a blank",
        "Die Rente steigt.[doc:1#chunk:1] [doc:2#chunk:1][doc:1#chunk:1] Das gilt. [doc:1#chunk:2]",
        [("Die Rente steigt.", (ONE, OTHER)), ("Das gilt.", (TWO,))],
    ),
    (
        "marker inside a sentence",
        "Die Rente steigt [doc:1#chunk:1] und der Lohn auch [doc:2#chunk:1].",
        [("Die Rente steigt und der Lohn auch.", (ONE, OTHER))],
    ),
    (
        "years and editorial brackets",
        "Im Jahr [2024] galt das [sic] noch. [doc:1#chunk:1]",
        [("Im Jahr [2024] galt das [sic] noch.", (ONE,))],
    ),
    (
        "a quotation at the end",
        "Sie schreibt: „Wir heben an.“ [doc:1#chunk:1] Das gilt.",
        [("Sie schreibt: „Wir heben an.“", (ONE,)), ("Das gilt.", ())],
    ),
    (
        "a list",
        "- Die Rente steigt [doc:1#chunk:1]\n- Der Lohn auch [doc:1#chunk:2]",
        [("Die Rente steigt", (ONE,)), ("Der Lohn auch", (TWO,))],
    ),
    (
        "one marker for a paragraph",
        "Sie will 15 Euro anheben (Stand 2025). Das Programm nennt das Jahr 2026. Sie verweist auf § 5 GG. Der Antrag "
        "stammt von der SPD. Laut Dr. Muster gilt das z. B. ab dem 1. Juli. [doc:1#chunk:1]",
        [
            ("Sie will 15 Euro anheben (Stand 2025).", ()),
            ("Das Programm nennt das Jahr 2026.", ()),
            ("Sie verweist auf § 5 GG.", ()),
            ("Der Antrag stammt von der SPD.", ()),
            ("Laut Dr. Muster gilt das z. B. ab dem 1. Juli.", (ONE,)),
        ],
    ),
    ("nothing", "  \n ", []),
]
BROKEN = [
    "Die Rente steigt [doc:1].",
    "Die Rente steigt [doc:1#chunk:x].",
    "Die Rente steigt [doc:1#chunk:1, doc:2#chunk:1].",
    "Die Rente steigt 【doc:1#chunk:1】.",
    "Die Rente steigt (doc 1, chunk 2).",
    "Die Rente steigt. [doc:1#ch",
    "Die Rente steigt. [do",
    "[doc:1#chunk:1]",
]


def cut(*pieces: str) -> list[WrittenSentence]:
    cutter = SentenceCutter("de")
    return [sentence for piece in pieces for sentence in cutter.feed(piece)] + cutter.close()


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_sentence_has_the_markers_that_stand_in_or_behind_it(text: str, expected: list[tuple[str, object]]) -> None:
    assert [(each.text, each.markers) for each in cut(text)] == expected
    assert not any(each.is_broken for each in cut(text))


@pytest.mark.parametrize("text", [*(case[1] for case in CASES), *BROKEN])
def test_every_cut_gives_the_same_sentences(text: str) -> None:
    whole = cut(text)
    assert cut(*text) == whole
    for position in range(len(text) + 1):
        assert cut(text[:position], text[position:]) == whole


@pytest.mark.parametrize("text", BROKEN)
def test_what_only_looks_like_a_marker_is_told_apart(text: str) -> None:
    assert cut(text)[-1].is_broken
    assert not cut(text)[-1].markers


def test_a_sentence_is_given_as_soon_as_it_is_sure() -> None:
    cutter = SentenceCutter("de")
    assert cutter.feed("Die Rente steigt. [doc:1#chunk:1] ") == []
    assert [each.text for each in cutter.feed("D")] == ["Die Rente steigt."]
