"""Chunks: nothing is lost, nothing is cut that must stay whole."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from apps.documents.chunking import LONGEST_UNIT, ChunkSize, ChunkSpan, chunk_document
from apps.documents.parsing.types import Block, BlockKind, LineBox, Page, ParsedDocument
from apps.documents.sectioning import SectionedDocument, section_document
from apps.language.sentences import split_sentences

H, P, T = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE
SIZE = ChunkSize(section_limit=50, window=40, overlap=10)
WORDS = ["Rente", "Wohnung", "Klima", "Straße", "Bahn", "steigt", "sinkt", "bleibt", "mehr", "im", "nächsten", "Jahr"]


def _count(text: str) -> int:
    """Count words, plus three that a model adds to every text."""
    return len(text.split()) + 3


def _embed(texts):
    """Two subjects, one axis each."""
    return np.array([[1.0, 0.0] if "Rente" in text else [0.0, 1.0] for text in texts], dtype=np.float32)


def _chunks(*blocks: Block, size: ChunkSize = SIZE, pages=(), embed=None, title="Programm"):
    document = section_document(ParsedDocument(blocks, pages=pages))
    return document, chunk_document(document, title=title, count_tokens=_count, size=size, embed=embed)


def _sentence(dice: random.Random, words: int = 0) -> str:
    words = words or dice.randint(3, 14)
    return " ".join(["Die", *dice.choices(WORDS, k=words)]) + "."


def _random_blocks(dice: random.Random) -> list[Block]:
    blocks = []
    for _ in range(dice.randint(1, 30)):
        kind = dice.choice([H, H, P, P, P, P, BlockKind.LIST_ITEM, BlockKind.QUOTE, BlockKind.FIGURE, T])
        page = dice.choice([None, dice.randint(1, 5)])
        if kind is H:
            blocks.append(Block(H, f"Kapitel {dice.randint(1, 99)}", dice.randint(1, 4), page, page))
        elif kind is T:
            rows = [" | ".join(dice.choices(WORDS, k=3)) for _ in range(dice.randint(1, 20))]
            blocks.append(Block(T, "\n".join(rows), 0, page, page, min(len(rows), dice.randint(0, 2))))
        else:
            text = " ".join(_sentence(dice, dice.choice([0, 0, 0, 60])) for _ in range(dice.randint(1, 12)))
            blocks.append(Block(kind, text, 0, page, page))
    return blocks


def _units(document: SectionedDocument) -> list[tuple[int, int]]:
    """Sentences, rows and headings by their own rule, independent of the code under test."""
    units = []
    for block in document.blocks:
        text = document.text[block.start : block.end]
        if block.kind is H:
            units.append((block.start, block.end))
        elif block.kind is T:
            position = block.start
            for row in text.split("\n"):
                units.append((position, position + len(row)))
                position += len(row) + 1
        else:
            units += [(block.start + span.start, block.start + span.end) for span in split_sentences(text)]
    return units


def _check(document: SectionedDocument, chunks: list[ChunkSpan]) -> None:
    covered = set()
    units = _units(document)
    headings = {(block.start, block.end) for block in document.blocks if block.kind is H}
    for chunk in chunks:
        assert chunk.text == document.text[chunk.start : chunk.end]
        assert chunk.text.strip()
        inside = [unit for unit in units if unit[0] < chunk.end and unit[1] > chunk.start]
        assert inside[0][0] == chunk.start, "begins inside a unit"
        assert inside[-1][1] == chunk.end, "ends inside a unit"
        covered.update(inside)
        assert set(inside) - headings or set(units) <= headings, "only a heading"
        spans = [(chunk.start + start, chunk.start + end) for start, end in chunk.sentences]
        assert spans
        assert spans == sorted(set(spans) & set(inside))
    assert covered == set(units), "text was lost"
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts)), "out of order or repeated"
    assert all(first.end < second.end for first, second in pairwise(chunks))


@pytest.mark.parametrize("seed", range(60))
def test_any_document_is_covered_and_nothing_is_cut(seed):
    dice = random.Random(seed)
    document, chunks = _chunks(*_random_blocks(dice))
    _check(document, chunks)


@pytest.mark.parametrize("seed", range(30))
def test_cutting_by_meaning_keeps_the_same_promises_and_never_overlaps(seed):
    dice = random.Random(1000 + seed)
    document, chunks = _chunks(*_random_blocks(dice), embed=_embed)
    _check(document, chunks)
    assert all(first.end <= second.start for first, second in pairwise(chunks))


@pytest.mark.parametrize("seed", range(20))
def test_only_a_single_long_unit_exceeds_the_window(seed):
    document, chunks = _chunks(*_random_blocks(random.Random(2000 + seed)))
    limit = max(SIZE.section_limit, SIZE.window)
    for chunk in chunks:
        if chunk.token_count > limit:
            heads = [block for block in document.blocks if block.kind is H]
            heading_words = sum(2 for head in heads if chunk.start <= head.start < chunk.end)
            assert len(chunk.sentences) == 1 or chunk.token_count - heading_words <= limit


def test_a_short_section_is_one_chunk():
    _, chunks = _chunks(Block(H, "Rente", 1), Block(P, "Sie steigt. Sie bleibt."))
    assert [chunk.text for chunk in chunks] == ["Rente\n\nSie steigt. Sie bleibt."]


def test_windows_overlap_and_start_again_at_every_section():
    dice = random.Random(1)
    long = " ".join(_sentence(dice, 7) for _ in range(12))
    document, chunks = _chunks(Block(H, "Rente", 1), Block(P, long), Block(H, "Klima", 1), Block(P, long))
    by_section = {number: [chunk for chunk in chunks if chunk.section == number] for number in (0, 1)}
    assert all(len(found) >= 2 for found in by_section.values())
    assert all(second.start < first.end for first, second in pairwise(by_section[0]))
    assert by_section[1][0].start == document.sections[1].start
    assert by_section[0][-1].end == document.sections[0].end


def test_a_bare_heading_goes_to_what_follows_and_at_the_end_to_what_precedes():
    _, chunks = _chunks(Block(H, "Soziales", 1), Block(H, "Rente", 2), Block(P, "Sie steigt."), Block(H, "Anhang", 1))
    assert [chunk.text for chunk in chunks] == ["Soziales\n\nRente\n\nSie steigt.\n\nAnhang"]
    assert chunks[0].context == "Programm\nSoziales › Rente"


def test_a_document_of_headings_alone_is_still_searchable():
    _, chunks = _chunks(Block(H, "Rente", 1), Block(H, "Klima", 1))
    assert [chunk.text for chunk in chunks] == ["Rente\n\nKlima"]
    assert chunks[0].sentences == ((0, 5), (7, 12))


def test_a_heading_is_not_left_alone_before_a_long_sentence():
    _, chunks = _chunks(Block(H, "Rente", 1), Block(P, _sentence(random.Random(3), 70) + " Sie steigt."))
    assert chunks[0].text.startswith("Rente\n\nDie")
    assert len(chunks) == 2


def test_the_header_of_a_table_travels_with_its_rows():
    rows = "\n".join(f"Ort {number} | {number} Euro im Monat" for number in range(20))
    _, chunks = _chunks(Block(H, "Mieten", 1), Block(T, f"Stadt | Miete\n{rows}", header_rows=1))
    assert len(chunks) > 2
    assert "Stadt | Miete" in chunks[0].text
    assert chunks[0].context == "Programm\nMieten"
    assert all(chunk.context == "Programm\nMieten\nStadt | Miete" for chunk in chunks[1:])
    assert all("Stadt | Miete" not in chunk.text[start:end] for chunk in chunks for start, end in chunk.sentences)


def test_text_without_any_full_stop_is_cut_at_a_blank_only_beyond_the_cap():
    text = "wort " * (LONGEST_UNIT // 2)
    document, chunks = _chunks(Block(P, text.strip()))
    assert all(len(chunk.text) <= LONGEST_UNIT for chunk in chunks)
    assert " ".join(chunk.text for chunk in chunks).split() == document.text.split()


def test_a_word_longer_than_the_cap_is_cut_hard():
    document, chunks = _chunks(Block(P, "ü" * (2 * LONGEST_UNIT + 10)))
    assert "".join(chunk.text for chunk in chunks) == document.text


def test_the_title_is_not_repeated_as_a_heading():
    _, chunks = _chunks(Block(H, "Programm", 1), Block(H, "Rente", 2), Block(P, "Sie steigt."))
    assert chunks[0].context == "Programm\nRente"


def test_pages_of_a_chunk_come_from_its_lines():
    lines = (LineBox(0, 11, 4, 0, 0, 1, 1), LineBox(12, 23, 5, 0, 0, 1, 1))
    pages = (Page(4, 595, 842), Page(5, 595, 842))
    block = Block(P, "Sie steigt. Sie bleibt.", page_from=1, page_to=9, lines=lines)
    _, chunks = _chunks(block, pages=pages)
    assert (chunks[0].page_from, chunks[0].page_to) == (4, 5)
    _, chunks = _chunks(block, pages=pages, size=ChunkSize(section_limit=2, window=2, overlap=0))
    assert [(chunk.page_from, chunk.page_to) for chunk in chunks] == [(4, 4), (5, 5)]


def test_a_change_of_subject_is_where_the_meaning_cuts():
    pensions = " ".join("Die Rente steigt im nächsten Jahr." for _ in range(4))
    trains = " ".join("Die Bahn fährt im nächsten Jahr." for _ in range(4))
    _, chunks = _chunks(
        Block(H, "Ziele", 1), Block(P, f"{pensions} {trains}"), embed=_embed, size=ChunkSize(500, 100, 0)
    )
    assert [chunk.text.startswith("Die Bahn") for chunk in chunks] == [False, True]


def test_the_language_is_guessed_for_each_chunk():
    english = "You may vote by post if you ask for the ballot papers in good time before the day of the election."
    german = "Sie können per Brief wählen, wenn Sie die Unterlagen rechtzeitig vor dem Tag der Wahl beantragen."
    _, chunks = _chunks(Block(H, "Vote", 1), Block(P, english), Block(H, "Wahl", 1), Block(P, german))
    assert [chunk.language for chunk in chunks] == ["en", "de"]


def test_token_counts_leave_out_what_the_model_adds():
    _, chunks = _chunks(Block(P, "Sie steigt bald wieder."))
    assert chunks[0].token_count == 4
