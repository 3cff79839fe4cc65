"""How far a sentence is borne out, part by part."""

import numpy as np
import pytest

from apps.rag.support import COSINE, Scale, SupportParts, idf_of, nearest, support, support_parts

PASSAGE = "Die Morgenpartei will den Mindestlohn zum 1. Juli 2026 auf 15 Euro erhöhen. Die Rente bleibt bei 48 Prozent."
IDF = idf_of([PASSAGE, "Die Rente und der Mindestlohn.", "Die Rente."], "de")


def parts(text: str) -> SupportParts:
    return support_parts(text, "de", [PASSAGE], IDF)


def test_the_same_words_are_borne_out_whole() -> None:
    assert parts(PASSAGE) == SupportParts(1.0, 1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("better", "worse", "part"),
    [
        ("Der Mindestlohn steigt.", "Die Autobahn steigt.", "words"),
        ("Die Rente fällt, der Mindestlohn bleibt.", "Die Rente, der Bus, die Bahn.", "rare_words"),
        ("Die Rente bleibt bei 48 Prozent.", "Bei 48 Prozent bleibt die Rente.", "bigrams"),
        ("Der Mindestlohn steigt auf 15 Euro.", "Der Mindestlohn steigt auf 16 Euro.", "figures"),
        ("Nun will die Morgenpartei den Mindestlohn.", "Nun will die Talpartei den Mindestlohn.", "names"),
    ],
)
def test_each_part_tells_better_from_worse(better: str, worse: str, part: str) -> None:
    assert getattr(parts(better), part) > getattr(parts(worse), part)


def test_a_rare_word_weighs_more_than_a_frequent_one() -> None:
    rare, frequent = parts("Mindestlohn Autobahn"), parts("Rente Autobahn")
    assert rare.words == frequent.words
    assert rare.rare_words > frequent.rare_words


def test_every_part_raises_the_score() -> None:
    low = SupportParts(0.5, 0.5, 0.5, 0.5, 0.5, COSINE.mean)
    for part in ("rare_words", "bigrams", "figures", "names", "cosine"):
        values = {name: getattr(low, name) for name in SupportParts.__slots__}
        assert support(SupportParts(**{**values, part: 1.0})) > support(low), part


def test_a_cosine_of_an_unmeasured_embedder_does_not_count() -> None:
    near, far = (SupportParts(0.5, 0.5, 0.5, 0.5, 0.5, cosine) for cosine in (0.9, 0.1))
    assert support(near, None) == support(far, None)
    assert support(near, Scale(0.5, 0.2)) > support(far, Scale(0.5, 0.2))


def test_nearest_is_the_mean_over_the_sentences() -> None:
    rows = np.eye(2, dtype=np.float32)
    assert nearest(rows, rows[:1]) == pytest.approx(0.5)
    assert nearest(rows[:0], rows) is None
