"""The desk's words for codes of the pipeline, by what they name; those that the log needs too are in trace_words.py.

A code without words is shown as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.answering.trace_words import DECISIONS, GROUNDINGS, NOTICES, REASONS, RECOMMENDATIONS, STAGES
from apps.rag.citations import Fault
from apps.rules.models import Rule

Names = Mapping[str, Promise]

OUTCOMES: Final[Names] = {
    "answered": _("answered"),
    "refused": _("refused: the sources hold no answer"),
    "chatted": _("answered without a search"),
    "clarified": _("asked back"),
    "failed": _("broke down"),
    "interrupted": _("was interrupted"),
    "late": _("stopped: it took too long"),
}
FAILURES: Final[Names] = {
    "search_down": _("The search does not answer, or took too long. Are database and embedder there?"),
    "match_failed": _("The rules broke down."),
    "rewrite_failed": _("Rewriting broke down."),
    "route_failed": _("Routing broke down."),
    "understand_failed": _("Understanding broke down."),
    "judge_failed": _("Judging the passages broke down."),
    "write_failed": _("Writing broke down."),
    "verify_failed": _("Verifying broke down."),
}
ROUTED: Final[Names] = {
    "advice": _("It asks for voting advice, which is never given."),
    "pattern": _("From end to end it consists of known phrases."),
    "model": _("The small model of this version takes it for small talk."),
    "doubt": _("Nothing speaks clearly for small talk, and in doubt it is searched."),
}
REFUSALS: Final[Names] = {
    "off_topic": _("Nothing in the sources is near the question."),
    "not_enough": _("There is something on the subject, but nothing that answers this question."),
    "wrong_party": _("Nothing comes from the party that is asked about."),
    "empty_corpus": _("There are no documents that could be searched."),
}
FAULTS: Final[Names] = {
    Fault.UNCITED: _("names no source"),
    Fault.UNKNOWN_PASSAGE: _("names a source that does not exist"),
    Fault.OUTSIDE_PASSAGE: _("quotes beyond its passage"),
    Fault.ALTERED_QUOTE: _("a quotation is not word for word"),
    Fault.UNSUPPORTED_FIGURE: _("a number or date does not stand in the source"),
    Fault.WRONG_PARTY: _("speaks of another party than its source"),
    Fault.UNATTRIBUTED_OPINION: _("gives an opinion without saying whose"),
    Fault.BROKEN_MARKER: _("its marker is broken"),
    Fault.UNSUPPORTED_NAME: _("a name does not stand in the source"),
    Fault.OWN_VOICE: _("speaks as if it were the party"),
    Fault.ADVICE: _("gives voting advice"),
    Fault.MARKUP: _("holds a link or markup"),
    Fault.ORDER: _("repeats an order to a machine"),
    Fault.UNSUPPORTED: _("says what the source does not say"),
    Fault.CONTRADICTED: _("says the opposite of what the source says"),
}
PLACES: Final[Names] = {
    "rule": _("from a rule"),
    "search": _("from search"),
    "elsewhere": _("near, but of nobody who is asked about: only offered"),
    "aside": _("from a rule, of a party nobody asked about: put aside"),
}
TIMES: Final[Names] = {
    "content": _("what is asked about"),
    "publication": _("when the source was published"),
}
AUDIENCES: Final[Names] = {str(value): label for value, label in Rule.Audience.choices}
EVERYTHING: Final[Mapping[str, Names]] = {
    "stage": STAGES,
    "outcome": OUTCOMES,
    "failure": FAILURES,
    "decision": DECISIONS,
    "reason": REASONS,
    "routed": ROUTED,
    "verdict": RECOMMENDATIONS,
    "grounding": GROUNDINGS,
    "notice": NOTICES,
    "refusal": REFUSALS,
    "fault": FAULTS,
    "place": PLACES,
    "time": TIMES,
    "audience": AUDIENCES,
}
