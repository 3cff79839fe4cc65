"""What figures, verdicts and changes are called, in the language of whoever looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.answering.trace_words import OUTCOMES
from apps.evaluation.comparing import Change
from apps.evaluation.metrics import EVERYTHING
from apps.evaluation.models import Question
from apps.evaluation.types import UnanswerableKind

FIGURES: Final[Mapping[str, Promise]] = {
    "right": _("as expected in everything"),
    "answered": _("answered"),
    "right_refusals": _("rightly not answered"),
    "wrong_refusals": _("wrongly refused"),
    "decision": _("right decision before the search"),
    "resolved": _("references understood"),
    "source_found": _("right source found"),
    "right_source": _("right source quoted"),
    "right_place": _("right words quoted"),
    "marked": _("opinion marked with its speaker"),
    "cited": _("sentences with a source"),
    "verbatim": _("sentences word for word"),
    "known": _("sentences from what was found"),
    "right_party": _("sentences under the right party"),
    "citations_per_answer": _("citations per answer"),
    "documents_per_answer": _("documents quoted per answer"),
    "documents_found": _("documents found per question"),
    "forbidden_additions": _("queries with something that nobody said"),
    "reached_reader": _("forbidden words shown to readers"),
    "failed": _("failed"),
    "first_p50_ms": _("first words, half of them within"),
    "first_p95_ms": _("first words, 95 of 100 within"),
    "whole_p50_ms": _("whole answer, half of them within"),
    "whole_p95_ms": _("whole answer, 95 of 100 within"),
}
# What each part of a verdict says when it is right, and when it is wrong.
VERDICTS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "outcome": (_("ended as expected"), _("ended otherwise than expected")),
    "decision": (_("right decision"), _("wrong decision")),
    "resolved": (_("the query holds what it must"), _("the query lacks what it must hold")),
    "nothing_added": (_("nothing was added to the query"), _("something was added to the query")),
    "source_found": (_("an expected source was found"), _("an expected source was not found")),
    "right_source": (_("an expected source is quoted"), _("an expected source is not quoted")),
    "right_place": (_("the expected words are quoted"), _("other words are quoted")),
    "marked": (_("the opinion is marked"), _("the opinion is not marked with its speaker")),
    "unsaid": (_("nothing forbidden was shown"), _("something forbidden was shown")),
}
SUBKINDS: Final[Mapping[str, Promise]] = {
    UnanswerableKind.NOT_IN_CORPUS: _("not in the sources"),
    UnanswerableKind.WRONG_PARTY: _("of another party"),
    UnanswerableKind.WRONG_VALUE: _("another number or date"),
    UnanswerableKind.FALSE_PREMISE: _("false premise"),
    UnanswerableKind.UNDERSPECIFIED: _("too little said"),
    UnanswerableKind.OFF_TOPIC: _("off topic"),
    "fact": _("fact"),
    "number": _("number"),
    "date": _("date"),
    "procedure": _("procedure"),
    "position": _("position"),
    "comparison": _("comparison"),
    "opinion": _("opinion"),
    "reference": _("reference"),
    "ellipsis": _("left out words"),
    "correction": _("correction"),
    "acceptance": _("acceptance"),
    "return": _("return to a topic"),
    "ambiguous": _("ambiguous"),
    "place_time": _("place and time"),
    "multi_part": _("several parts"),
    "widening": _("attempt to widen the search"),
    "long": _("long history"),
    "override": _("forget your rules"),
    "role": _("be somebody else"),
    "reveal": _("show what is hidden"),
    "widen": _("search elsewhere"),
    "slander": _("say this of a party"),
    "format": _("markup and marks"),
    "smuggle": _("beside an honest question"),
}
CHANGES: Final[Mapping[Change, Promise]] = {
    Change.BETTER: _("better"),
    Change.WORSE: _("worse"),
    Change.OTHER: _("otherwise, but neither better nor worse"),
}
VERSIONS: Final[Mapping[str, Promise]] = {
    "release": _("release of the rules"),
    "settings": _("answer settings"),
    "settings_digest": _("mark of the settings"),
    "index": _("state of the sources"),
    "questions": _("questions of the sets"),
    "passages": _("passages searched"),
    "embedder": _("embedding model"),
    "reranker": _("second ranking"),
    "model": _("language model"),
}


def kind_word(kind: str) -> str:
    """Return what a group of questions is called: a kind, one of the unanswerable ones, or everything."""
    if kind == EVERYTHING:
        return str(_("All questions"))
    first, _colon, sub = kind.partition(":")
    word = str(dict(Question.Kind.choices).get(first, first))
    return f"{word}: {subkind_word(sub)}" if sub else word


def subkind_word(subkind: str) -> str:
    """Return what a subkind is called; one that somebody made up stays as it is."""
    return str(SUBKINDS.get(subkind, subkind))


def figure_word(name: str) -> str:
    """Return what a figure is called."""
    return str(FIGURES.get(name, name))


def outcome_word(outcome: str) -> str:
    """Return what an end of a turn is called."""
    return str(OUTCOMES.get(outcome, outcome))
