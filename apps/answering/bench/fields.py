"""Names of the values that a trace holds, and the values in words: features, signals, limits, versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.answering.bench.plain import Plain

NAMES: Final[Mapping[str, Promise]] = {
    # What the decision on the evidence sees
    "top": gettext_lazy("best passage, without age and party"),
    "cosine": gettext_lazy("closest sentence"),
    "passage": gettext_lazy("closest passage"),
    "local": gettext_lazy("first passage above the middle of its neighbours"),
    "margin": gettext_lazy("first passage before the next"),
    "coverage": gettext_lazy("words found in one place"),
    "actions": gettext_lazy("words of what is done, found there"),
    "subject": gettext_lazy("words of the subject, found there"),
    "pairs": gettext_lazy("neighbouring words found together"),
    "lacks_counted": gettext_lazy("a number of what is to be counted is missing (1) or there (0)"),
    "lacks_subject": gettext_lazy("the subject is missing (1) or there (0)"),
    "lacks_main": gettext_lazy("the word that tells most is missing (1) or there (0)"),
    "lacks_figure": gettext_lazy("a number of the question is missing (1) or there (0)"),
    "lacks_name": gettext_lazy("a name of the question is missing (1) or there (0)"),
    "lacks_type": gettext_lazy("the kind of answer is missing (1) or there (0)"),
    "off_topic_below": gettext_lazy("on another subject below"),
    "refuse_below": gettext_lazy("refused below this probability"),
    "foreign_cosine_below": gettext_lazy("in another language, refused below this closeness"),
    "missing": gettext_lazy("missing"),
    "outcome": gettext_lazy("outcome"),
    # Signals
    "confidence_score": gettext_lazy("Confidence"),
    "source_diversity": gettext_lazy("Sources"),
    "domains": gettext_lazy("publishers and sites"),
    "timestamps": gettext_lazy("dates"),
    "kinds": gettext_lazy("kinds"),
    "parties": gettext_lazy("parties"),
    "coverage_signals": gettext_lazy("Coverage"),
    "question_aspects_covered": gettext_lazy("covered"),
    "question_aspects_missing": gettext_lazy("missing"),
    "coverage_ratio": gettext_lazy("share covered"),
    "retrieval_metadata": gettext_lazy("Retrieval"),
    "embedding_model": gettext_lazy("embedder"),
    "chunk_size": gettext_lazy("largest passage, in tokens"),
    "top_k": gettext_lazy("passages per search"),
    "reranker_applied": gettext_lazy("ranked again"),
    "filters": gettext_lazy("limits"),
    "rule": gettext_lazy("rule"),
    "recommendation": gettext_lazy("Recommendation"),
    # Limits of a search
    "on": gettext_lazy("valid on"),
    "includes_desk": gettext_lazy("with what only the desk may see"),
    "party_slugs": gettext_lazy("only these parties"),
    "languages": gettext_lazy("only these languages"),
    "collection_slugs": gettext_lazy("only these collections"),
    "regions": gettext_lazy("only these regions"),
    "aspects": gettext_lazy("aspects"),
    "published_from": gettext_lazy("published from"),
    "published_until": gettext_lazy("published until"),
    # From which time sources are preferred
    "as_of": gettext_lazy("as it stood on"),
    "wants_earlier": gettext_lazy("what stood before the newest"),
    "words": gettext_lazy("searched with"),
    # Versions
    "release": gettext_lazy("release of the rules"),
    "settings": gettext_lazy("settings"),
    "settings_digest": gettext_lazy("settings, check sum"),
    "index": gettext_lazy("state of the sources"),
    "embedder": gettext_lazy("embedder"),
    "model": gettext_lazy("model"),
    "writing_model": gettext_lazy("model that wrote"),
    "writing_prompt": gettext_lazy("prompt"),
    "writing_grounding": gettext_lazy("what became of its answer"),
    "writing_faults": gettext_lazy("faults of its drafts"),
    "writing_failure": gettext_lazy("why it stopped"),
    # What may differ between two answers
    "failure": gettext_lazy("what broke"),
    "decision": gettext_lazy("decision"),
    "reason": gettext_lazy("reason"),
    "query": gettext_lazy("stand-alone query"),
    "notices": gettext_lazy("notices"),
    "order": gettext_lazy("order of the sentences"),
    "total": gettext_lazy("in all"),
    # What became of a rule
    "uid": gettext_lazy("short name"),
    "version": gettext_lazy("version"),
    "stage": gettext_lazy("stage"),
    "score": gettext_lazy("score"),
    "cuts": gettext_lazy("cut"),
    "answer": gettext_lazy("curated answer"),
    "failed_sentence": gettext_lazy("sentence that no source holds"),
    "searched": gettext_lazy("search was asked too"),
    "added": gettext_lazy("passages added by search"),
    "stands_in": gettext_lazy("search stands in"),
}
_MOST_DECIMALS: Final = 3


@dataclass(frozen=True, slots=True)
class Field:
    """A value with its name; ``fields`` where it has parts of its own."""

    name: str
    text: str
    fields: tuple[Field, ...] = ()


def fields_of(values: Mapping[str, Plain]) -> list[Field]:
    """Return the values with their names, in their order."""
    return list(_fields(values))


def _fields(values: Mapping[str, Plain]) -> Iterator[Field]:
    for name, value in values.items():
        known = NAMES.get(name)
        label = str(known) if known is not None else name.replace("_", " ")
        if isinstance(value, dict):
            yield Field(label, "" if value else _("none"), tuple(_fields(value)))
        else:
            yield Field(label, settings_words(value) if name == "settings" else in_words(value))


def settings_words(name: Plain) -> str:
    """Return what a version of the settings is called."""
    return _("as shipped") if name == "shipped" else in_words(name)


def in_words(value: Plain) -> str:
    """Return a plain value as the page shows it: numbers in the page's form, an empty list as "none"."""
    if value is None or value == "":
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        return number_format(round(value, _MOST_DECIMALS), decimal_pos=_MOST_DECIMALS)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_item(each) for each in value) or _("none")
    return str(value)


def _item(value: Plain) -> str:
    if isinstance(value, dict):
        # What has words of its own, such as an aspect, is called by them.
        return (
            str(value["text"])
            if value.get("text")
            else "; ".join(f"{field.name}: {field.text}" for field in _fields(value))
        )
    return in_words(value)
