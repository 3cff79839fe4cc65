"""One click from a gap to a draft rule: words, phrases and examples are filled in from what readers asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.contrib.auth.models import User
from django.utils.text import slugify

from apps.language.normalising import fold
from apps.rules.models import Rule, RuleVersion
from apps.rules.services import next_position, rule_save
from apps.rules.types import Example, Need, Phrase, RuleSpec, Slot, Status, TokenList
from apps.topics.models import Gap, QueryText, Topic
from apps.topics.services.gaps import gap_move, weak_texts
from apps.topics.services.replaying import standing_before

_PHRASES: Final = 5
_EXAMPLES: Final = 8
_WORDS: Final = 3
_LONGEST_PHRASE: Final = 300
_MOSTLY: Final = 0.5
_NEARLY_ALL: Final = 0.8


def rule_draft(*, gap: Gap, editor: User | None) -> Rule:
    """Make a draft rule for the gap's topic and take the gap. A second click returns the rule of the first.

    A draft is part of no release: the desk adds documents, tries it, and publishes. Raises RuleRefusedError.
    """
    known = Rule.objects.filter(uid=gap.rule_uid).first() if gap.rule_uid else None
    if known is not None:
        return known
    spec = draft_spec(gap.topic)
    rule = rule_save(spec=spec, author=editor, expected_version=0)
    before = gap.before or standing_before(gap, weak_texts(gap.topic))
    gap_move(
        gap, (Gap.State.OPEN, Gap.State.TAKEN, Gap.State.REOPENED), Gap.State.TAKEN, editor, "rule",
        {"rule": rule.uid}, rule_uid=rule.uid, before=before,
    )  # fmt: skip
    return rule


def draft_spec(topic: Topic) -> RuleSpec:
    """Return the draft: the topic's main words, the questions that were answered worst, examples to prove it."""
    weak = weak_texts(topic)
    texts = _plain(weak)
    phrases = tuple(Phrase(text) for text in texts[:_PHRASES])
    return RuleSpec(
        uid=_free_uid(topic),
        title=topic.name[:200],
        position=next_position(None),
        status=Status.DRAFT,
        phrases=phrases,
        core=_core(topic, [text.text for text in weak]),
        examples=tuple(Example(text) for text in texts[:_PHRASES] if text) or (),
        tags=("gap",),
        reason="",
    )


def _core(topic: Topic, weak: Sequence[str]) -> TokenList | None:
    """Return the words that make the rule match: one of those that are the topic's own, else two of its main words.

    Words that readers use elsewhere too ("verboten") say nothing alone; two of three leave out whoever says
    "Spielsucht" where others say "Glücksspiel". So one is enough where it is asked on hardly anything else, and where
    most of the weak questions have one.
    """
    words = topic.keywords[:_WORDS]
    own = [word for word in words if _is_own(word, topic)]
    having = sum(1 for text in weak if any(word.casefold() in text.casefold() for word in own))
    if own and having >= _MOSTLY * len(weak):
        return TokenList(tuple(Slot(word) for word in own), Need.COUNT, 1)
    return TokenList(tuple(Slot(word) for word in words), Need.COUNT, min(2, len(words))) if words else None


def _is_own(word: str, topic: Topic) -> bool:
    """Say whether nearly all questions of the log with this word are on the topic."""
    having = QueryText.objects.filter(kind=QueryText.Kind.TEXT, text__icontains=word)
    return having.filter(member__topic=topic).count() >= _NEARLY_ALL * having.count() > 0


def _plain(texts: list[QueryText]) -> list[str]:
    """Return the questions as phrases: none that masking has touched, none twice."""
    found: dict[str, str] = {}
    for text in texts:
        words = " ".join(text.text.split())
        if "[" not in words and len(words) <= _LONGEST_PHRASE:
            found.setdefault(fold(words).strip(" ?!."), words)
    return list(found.values())[:_EXAMPLES]


def _free_uid(topic: Topic) -> str:
    base = slugify(fold(topic.name))[:60].strip("-") or f"topic-{topic.pk}"
    uid, number = base, 2
    while Rule.objects.filter(uid=uid).exists() or RuleVersion.objects.filter(uid=uid).exists():
        uid, number = f"{base}-{number}", number + 1
    return uid
