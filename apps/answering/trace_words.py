"""The desk's words for the codes and numbers of a turn: in the log, where it is stored, and on the bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

REFERENCE: Final = gettext_lazy("“%(said)s” stood for “%(means)s” (turn %(turn)s).")
OUTCOMES: Final[Mapping[str, Promise]] = {
    "answered": gettext_lazy("answered"),
    "refused": gettext_lazy("refused"),
    "chatted": gettext_lazy("small talk"),
    "clarified": gettext_lazy("asked back"),
    "failed": gettext_lazy("failed"),
    "interrupted": gettext_lazy("interrupted"),
}
DECISIONS: Final[Mapping[str, Promise]] = {
    "CHAT": gettext_lazy("answer without a search"),
    "SEARCH_AS_IS": gettext_lazy("search as it stands"),
    "REWRITE": gettext_lazy("search a question that stands alone"),
    "CLARIFY": gettext_lazy("ask back"),
    "DECOMPOSE": gettext_lazy("take apart and search each part"),
}
REASONS: Final = {
    "first_turn": gettext_lazy("It is the first question of the conversation: it stays as it is."),
    "complete": gettext_lazy("It can be understood without the turns before: it stays as it is."),
    "would_add": gettext_lazy("Another wording would have added something that nobody said: it stays as it is."),
    "continued": gettext_lazy("It goes on from the question before."),
    "referred": gettext_lazy("A word in it pointed at an earlier turn."),
    "corrected": gettext_lazy("It corrects the question before."),
    "returned": gettext_lazy("It returns to an earlier subject."),
    "accepted": gettext_lazy("It accepts something that was offered."),
    "more": gettext_lazy("It asks for more on the same."),
    "several_questions": gettext_lazy("It asks several things, which are answered one after the other."),
    "wishes_left_out": gettext_lazy("What it says on how to answer is not searched for."),
    "several_parties": gettext_lazy("It compares parties: each is searched on its own."),
    "cannot_widen": gettext_lazy("It wanted to search where readers may not: the limits stayed."),
    "which_party": gettext_lazy("It could mean several parties: the reader was asked."),
    "which_offer": gettext_lazy("It could mean several offers: the reader was asked."),
    "which_reading": gettext_lazy("It could be read in several ways: the reader was asked."),
    "which_one": gettext_lazy("It could mean several things in the answer before: the reader was asked."),
    "contract_broken": gettext_lazy("The model's wording was not fit for use: it stays as it is."),
    "rule": gettext_lazy("A rule names this very question: it stays as it is."),
}
STAGES: Final = {
    "start": gettext_lazy("read the words"),
    "match": gettext_lazy("ask the rules"),
    "rewrite": gettext_lazy("make it stand alone"),
    "route": gettext_lazy("tell small talk"),
    "understand": gettext_lazy("understand"),
    "retrieve": gettext_lazy("search"),
    "judge": gettext_lazy("read and judge"),
    "requery": gettext_lazy("search for what is missing"),
    "write": gettext_lazy("write or choose sentences"),
    "verify": gettext_lazy("check sentences"),
    "offer": gettext_lazy("find follow-up questions"),
}
RECOMMENDATIONS: Final = {
    "answer": gettext_lazy("The passages answer the question."),
    "caveat": gettext_lazy("The passages answer the question, with something left to be said."),
    "gap": gettext_lazy("Something is missing that another search may find."),
    "conflict": gettext_lazy("Sources contradict each other: the conflict is named."),
    "refuse": gettext_lazy("The passages do not answer the question: it is refused."),
}
_REQUERIES: Final = {
    "searched": gettext_lazy(
        "It was searched once more for: %(aspects)s. Covered before: %(before)s %%, now: %(after)s %%."
    ),
    "nothing_new": gettext_lazy("It was searched once more, but nothing new was found. Covered: %(after)s %%."),
    "failed": gettext_lazy("The second search broke or took too long; the first one's passages stood."),
    "rule_forbids": gettext_lazy("A rule wants no search here, so what is missing was not searched for."),
}
# Enough of the question was covered, and yet something of it stood nowhere.
_GAPS: Final = {
    "searched": gettext_lazy("Something stood nowhere, so it was searched once more, and more was found: %(aspects)s."),
    "nothing_new": gettext_lazy(
        "Something stood nowhere, so it was searched once more, but nothing new was found: %(aspects)s."
    ),
    "no_better": gettext_lazy(
        "Something stood nowhere, so it was searched once more, but what was found answers no better: %(aspects)s."
    ),
    "failed": _REQUERIES["failed"],
}
GROUNDINGS: Final = {
    "grounded": gettext_lazy("The model's sentences passed."),
    "refused": gettext_lazy("The model's sentences did not pass the check."),
    "declared_unsupported": gettext_lazy("The model said that the passages do not answer the question."),
    "forgot_to_cite": gettext_lazy("The model did not cite its sources."),
    "fell_back": gettext_lazy("The model did not answer: the sources were quoted instead."),
}
NOTICES: Final = {
    "coverage_low": gettext_lazy("Names what the sources leave open."),
    "party_silent": gettext_lazy("Names the parties that say nothing."),
    "part_unanswered": gettext_lazy("Names the part that has no answer."),
    "off_topic": gettext_lazy("Says that the question is not about what is collected here."),
    "not_enough": gettext_lazy("Says that the sources do not answer the question."),
    "wrong_party": gettext_lazy("Says that the sources hold nothing of this party."),
    "desk_answer": gettext_lazy("The desk's own text."),
    "read_on": gettext_lazy("Articles that the desk recommends."),
    "only_the_desk": gettext_lazy("Says that the sources add nothing to the desk's text."),
    "cut_short": gettext_lazy("Says that the answer may lack something."),
    "no_advice": gettext_lazy("Says that there is no voting advice."),
}


def reason_word(code: str, *, with_words: bool) -> str:
    """Return why the query is what it is. A model gives reasons of its own, in which the reader may be quoted."""
    return str(REASONS.get(code, code if with_words else ""))


def stage_word(name: str) -> str:
    return str(STAGES.get(name, name))


def notice_word(code: str) -> str:
    return str(NOTICES.get(code, code))


def signal_words(signals: Mapping[str, Any], *, with_words: bool) -> Iterator[str]:
    """Yield what the signals say, in sentences. ``with_words`` names aspects, which are the reader's words."""
    if not signals:
        return
    recommendation = signals.get("recommendation", "")
    yield str(RECOMMENDATIONS.get(recommendation, recommendation))
    yield _("The answer is right with a probability of %(percent)s %%.") % {
        "percent": percent(signals.get("confidence_score", 0.0))
    }
    yield from _coverage(signals.get("coverage_signals", {}), with_words=with_words)
    metadata = signals.get("retrieval_metadata", {})
    yield from _requery(metadata.get("requeried"), with_words=with_words)
    yield from _diversity(signals.get("source_diversity", {}))
    yield from _metadata(metadata)


def _coverage(coverage: Mapping[str, Any], *, with_words: bool) -> Iterator[str]:
    covered = coverage.get("question_aspects_covered", [])
    missing = coverage.get("question_aspects_missing", [])
    yield _("The passages speak of %(covered)s of %(total)s aspects (%(percent)s %%).") % {
        "covered": len(covered),
        "total": len(covered) + len(missing),
        "percent": percent(coverage.get("coverage_ratio", 1.0)),
    }
    if with_words and covered:
        yield _("Covered: %(aspects)s.") % {"aspects": _listed(covered)}
    if with_words and missing:
        yield _("Missing: %(aspects)s.") % {"aspects": _listed(missing)}


def _requery(requery: Mapping[str, Any] | None, *, with_words: bool) -> Iterator[str]:
    known = _GAPS if requery and requery.get("cause") == "gap" else _REQUERIES
    if not requery or requery.get("outcome") not in known:
        return
    aspects = requery.get("aspects", [])
    named = _listed(aspects)
    if not with_words:
        named = ngettext("%(count)s aspect", "%(count)s aspects", len(aspects)) % {"count": len(aspects)}
    yield str(known[requery["outcome"]]) % {
        "aspects": named,
        "before": percent(requery.get("before", 0.0)),
        "after": percent(requery.get("after", 0.0)),
    }


def _diversity(diversity: Mapping[str, Any]) -> Iterator[str]:
    domains, parties = diversity.get("domains", []), diversity.get("parties", [])
    if domains:
        yield _("Sources: %(names)s.") % {"names": ", ".join(domains)}
    if parties:
        yield _("Parties: %(names)s.") % {"names": ", ".join(parties)}
    kinds = diversity.get("kinds", [])
    if kinds:
        yield _("Kinds: %(names)s.") % {"names": ", ".join(kinds)}
    days = diversity.get("timestamps", [])
    if days:
        yield _("Published between %(first)s and %(last)s.") % {"first": min(days), "last": max(days)}


def _metadata(metadata: Mapping[str, Any]) -> Iterator[str]:
    if not metadata:
        return
    yield _("Searched with %(embedder)s, the best %(count)s passages, the longest of %(tokens)s tokens.") % {
        "embedder": metadata.get("embedding_model", "–"),
        "count": metadata.get("top_k", "–"),
        "tokens": metadata.get("chunk_size", "–"),
    }
    filters = metadata.get("filters") or {}
    if filters.get("on"):
        yield _("Valid on %(day)s.") % {"day": filters["on"]}
    if filters.get("party_slugs"):
        yield _("Only these parties: %(names)s.") % {"names": ", ".join(filters["party_slugs"])}
    if metadata.get("reranker_applied"):
        yield _("The best candidates were read once more and put in order.")


def gist_of_writing(writing: Mapping[str, str]) -> Iterator[str]:
    """Yield what a model did, in sentences; nothing where none was asked."""
    if not writing:
        return
    yield _("Model: %(model)s, prompt %(prompt)s.") % {
        "model": writing.get("model") or "–",
        "prompt": writing.get("prompt") or "–",
    }
    grounding = writing.get("grounding", "")
    yield str(GROUNDINGS.get(grounding, grounding))
    if writing.get("faults"):
        yield _("Drafts were rejected for: %(faults)s.") % {"faults": writing["faults"]}
    if writing.get("failure"):
        yield _("The model failed: %(code)s.") % {"code": writing["failure"]}


def percent(share: float) -> str:
    """Return 0 to 1 as whole per cent."""
    return number_format(round(100 * share))


def _listed(names: Sequence[str]) -> str:
    return "; ".join(names)
