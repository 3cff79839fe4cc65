"""The desk's words for the codes of the pipeline, by what they name. A code without words is shown as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.rag.citations import Fault
from apps.rules.models import Rule

Names = Mapping[str, Promise]

STAGES: Final[Names] = {
    "start": _("Reading the words"),
    "match": _("Match: the editors' rules"),
    "route": _("Route: small talk or search"),
    "rewrite": _("Rewrite: a question that stands alone"),
    "understand": _("Understand: parties, time, subject"),
    "retrieve": _("Retrieve: rules' documents and search"),
    "judge": _("Judge: is the evidence enough?"),
    "requery": _("Search again for what is missing"),
    "write": _("Write the answer"),
    "verify": _("Verify every sentence"),
    "offer": _("Offer further questions"),
}
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
DECISIONS: Final[Names] = {
    "CHAT": _("answer without a search"),
    "SEARCH_AS_IS": _("search as it stands"),
    "REWRITE": _("search a question that stands alone"),
    "CLARIFY": _("ask back"),
    "DECOMPOSE": _("take apart and search each part"),
}
REASONS: Final[Names] = {
    "first_turn": _("It is the first question of its conversation."),
    "complete": _("It leans on nothing that was said before."),
    "would_add": _("Rewriting would have added what nobody said, so it stays as it stands."),
    "contract_broken": _("The model twice gave no valid reply, so it stays as it stands."),
    "cannot_widen": _("The reader wants to search where readers may not; the last question is searched again."),
    "corrected": _("The reader corrects the question before."),
    "returned": _("The reader returns to an earlier question."),
    "continued": _("It goes on with the question before."),
    "referred": _("A word stands for something said before."),
    "accepted": _("The reader takes up what was offered."),
    "several_questions": _("It asks several things."),
    "several_parties": _("It asks about several parties."),
    "which_party": _("More than one party could be meant."),
    "which_offer": _("More than one offer could be meant."),
    "which_one": _("More than one thing could be meant."),
    "which_reading": _("It can be read in more than one way."),
    "rule": _("An editor's rule names this very question, so it is complete."),
}
ROUTED: Final[Names] = {
    "advice": _("It asks for voting advice, which is never given."),
    "pattern": _("From end to end it consists of known phrases."),
    "model": _("The small model of this version takes it for small talk."),
    "doubt": _("Nothing speaks clearly for small talk, and in doubt it is searched."),
}
VERDICTS: Final[Names] = {
    "answer": _("The evidence answers the question."),
    "caveat": _("The evidence answers it, with something to be said or left open."),
    "gap": _("Part of the question stands nowhere."),
    "conflict": _("Sources that would each suffice contradict each other."),
    "refuse": _("The evidence does not answer it."),
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
}
PLACES: Final[Names] = {
    "rule": _("from a rule"),
    "search": _("from search"),
    "elsewhere": _("near, but of nobody who is asked about: only offered"),
    "aside": _("from a rule, of a party nobody asked about: put aside"),
}
AUDIENCES: Final[Names] = {str(value): label for value, label in Rule.Audience.choices}
EVERYTHING: Final[Mapping[str, Names]] = {
    "stage": STAGES,
    "outcome": OUTCOMES,
    "failure": FAILURES,
    "decision": DECISIONS,
    "reason": REASONS,
    "routed": ROUTED,
    "verdict": VERDICTS,
    "refusal": REFUSALS,
    "fault": FAULTS,
    "place": PLACES,
    "audience": AUDIENCES,
}
