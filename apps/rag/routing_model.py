"""Two linear models over words and pieces of words: is it small talk, and which reply fits? Plain numbers, no library.

``manage.py train_routing`` trains them on utterances of our own and writes routing_weights.json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from apps.language.normalising import normalise

WEIGHTS_FILE: Final = Path(__file__).with_name("routing_weights.json")
# Weights are stored as whole numbers.
SCALE: Final = 100
# Longer texts are hardly ever small talk, and the models have not seen any.
MOST_WORDS: Final = 30
# The reply to what has no other: weather, riddles, the meaning of life.
ASIDE: Final = "aside"
_ASIDE_MORE: Final = 1.0
# Nobody shall be told off for a kind word.
_LIKELY: Final = {"insult": 0.0}
_ANY_LIKELY: Final = -1.0
_PIECES: Final = (3, 4, 5)
# Small talk is between the reader and the bot.
_SOMEBODY: Final = frozenset({
    "ich", "mich", "mir", "mein", "meine", "meinen", "meiner", "meinem", "du", "dich", "dir", "dein", "deine",
    "deinen", "deiner", "deinem", "sie", "ihnen", "ihr", "ihre", "ihren", "ihrer", "ihrem", "wir", "uns", "unser",
    "unsere", "euch", "i", "me", "my", "you", "your", "yours", "we", "us", "our", "im",
})  # fmt: skip


def features(text: str) -> set[str]:
    """Return what the models read of a text.

    Words, pairs and triples of the normalised text; pieces of three to five letters, with _ at the edges of words; and
    marks: its length, a question, nobody spoken of.
    """
    words = normalise(text).split()
    padded = ["^", *words, "$"]
    length = min(len(words) // 2, 6)
    found = {f"length:{length}", *words}
    if text.rstrip().endswith("?"):
        found.add("?")
    if not _SOMEBODY.intersection(words):
        found.add(f"nobody:{length}")
    for size in (2, 3):
        found |= {" ".join(padded[start : start + size]) for start in range(len(padded) - size + 1)}
    for edged in (f"_{word}_" for word in words):
        for size in _PIECES:
            found |= {f"~{edged[start : start + size]}" for start in range(len(edged) - size + 1)}
    return found


@dataclass(frozen=True, slots=True)
class RoutingModel:
    """Weights in hundredths. ``gate`` maps a feature to its weight; ``codes`` maps it to one weight for each code.

    A text is small talk where the gate's score is over ``threshold``. Each feature counts ``1 / sqrt(number)``, unknown
    ones too: a text of words that the model has never seen is in doubt.
    """

    threshold: float
    gate_intercept: float
    gate: Mapping[str, int]
    names: tuple[str, ...]
    intercepts: tuple[float, ...]
    codes: Mapping[str, Mapping[str, int]]

    def score(self, text: str) -> float:
        """Return how much speaks for small talk: a log-odds, 0 is even."""
        found = features(text)
        return self.gate_intercept + sum(self.gate.get(feature, 0) for feature in found) / SCALE / math.sqrt(len(found))

    def code(self, text: str) -> tuple[str, float]:
        """Return the code of the likeliest reply and its log-odds, whether the text is small talk or not."""
        found = features(text)
        share = 1 / SCALE / math.sqrt(len(found))
        sums = dict(zip(self.names, self.intercepts, strict=True))
        for feature in found:
            for place, weight in self.codes.get(feature, {}).items():
                sums[self.names[int(place)]] += weight * share
        best = max(self.names, key=lambda name: sums[name])
        return best, sums[best]

    def read(self, text: str) -> str:
        """Return the code of the reply, or "" where it shall be searched; ASIDE where no reply is likely."""
        if not 0 < len(normalise(text).split()) <= MOST_WORDS:
            return ""
        score = self.score(text)
        if score <= self.threshold:
            return ""
        code, likely = self.code(text)
        if code == ASIDE:
            # What is neither about the bot nor about the reader may be a question after all.
            return ASIDE if score > self.threshold + _ASIDE_MORE else ""
        return code if likely > _LIKELY.get(code, _ANY_LIKELY) else ASIDE


def model_from_json(content: Mapping[str, object]) -> RoutingModel:
    """Read what ``model_to_json`` has written."""
    names, intercepts = content["names"], content["intercepts"]
    gate, codes = content["gate"], content["codes"]
    if not (isinstance(names, Sequence) and isinstance(intercepts, Sequence)):
        raise TypeError("names and intercepts must be lists.")
    if not (isinstance(gate, Mapping) and isinstance(codes, Mapping)):
        raise TypeError("gate and codes must be mappings.")
    threshold, intercept = content["threshold"], content["gate_intercept"]
    return RoutingModel(float(str(threshold)), float(str(intercept)), gate, tuple(names), tuple(intercepts), codes)


def model_to_json(model: RoutingModel) -> str:
    """Return the model as JSON, one line for each letter that features begin with, so that changes can be read."""
    head = {
        "threshold": model.threshold,
        "gate_intercept": model.gate_intercept,
        "names": model.names,
        "intercepts": model.intercepts,
        "gate": dict(sorted(model.gate.items())),
        "codes": dict(sorted(model.codes.items())),
    }
    return json.dumps(head, ensure_ascii=False, separators=(",", ":")).replace('"codes"', '\n"codes"') + "\n"


@lru_cache(maxsize=1)
def shipped_model() -> RoutingModel:
    """Return the model of this version, read once per process."""
    return model_from_json(json.loads(WEIGHTS_FILE.read_text(encoding="utf-8")))
