"""Random small rule sets and questions for property tests: few words, so that rules and questions meet often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import strategies as st

from apps.rules.types import (
    HitPolicy,
    MatchContext,
    Need,
    Phrase,
    ProtectedName,
    RuleSet,
    RuleSpec,
    Slot,
    Status,
    TokenList,
    WordMode,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
NAMES = (ProtectedName("kompass", ("Kompass", "Kompasspartei")), ProtectedName("auen", ("Auenpartei", "die Auen")))
_TEXT = (
    "Wahl Wahlen Wähler Miete Mieten Klima München Muenchen Wahl-O-Mat Wahlomat Mat Nordrhein-Westfalen Westfalen O-Mat"
    " nicht keine 2021 2025 § die Kompass Kompasspartei Auenpartei Briefwahl Briefwahlen beantragen beantrage"
    " election elections schön schon Erststimme Zweitstimme"
)
WORDS = tuple(_TEXT.split())
UIDS = ("a", "b", "c", "d", "e", "f", "g", "h")


@dataclass(frozen=True)
class Case:
    """A set of rules with questions for it and a reader's context."""

    rule_set: RuleSet
    texts: tuple[str, ...]
    context: MatchContext
    random: Random


def case(seed: int) -> Case:
    """Return the case of a seed, always the same one."""
    random = Random(seed)
    uids = random.sample(UIDS, random.randint(2, 8))
    pool = [some_text(random) for _ in range(3)]
    rule_set = RuleSet(tuple(_rule(random, uid, pool) for uid in uids), NAMES, random.choice((90, 80)))
    texts = tuple(_question(random, rule_set) for _ in range(random.choice((1, 1, 1, 2))))
    context = MatchContext(
        NOW,
        random.choice(("de", "de", "de", "en")),
        "readers",
        frozenset(random.choice(((), ("first",), ("second", "third")))),
    )
    return Case(rule_set, texts, context, random)


cases = st.integers(0, 2**40).map(case)


def some_text(random: Random, most: int = 4) -> str:
    """A few words with a joint between them, sometimes with a slip of the finger."""
    text = random.choice(WORDS)
    for _ in range(random.randint(0, most - 1)):
        text += random.choice((" ", " ", " ", "-", ", ")) + random.choice(WORDS)
    return _slip(random, text) if random.random() < 0.2 else text


def _slip(random: Random, text: str) -> str:
    at = random.randint(0, len(text) - 1)
    return text[:at] + text[at + 1 :] if random.random() < 0.5 else text[:at] + text[at] + text[at:]


def _slot(random: Random) -> Slot:
    parts = [" ".join(random.choices(WORDS, k=random.choice((1, 1, 2)))) for _ in range(random.choice((1, 1, 2)))]
    if random.random() < 0.05:
        parts.append("?")
    part = random.choice(parts)
    if random.random() < 0.2 and len(part) > 4:
        return random.choice((Slot(part[:4], WordMode.STARTS), Slot(part[-4:], WordMode.ENDS)))
    modes = (WordMode.FORM, WordMode.FORM, WordMode.FORM, WordMode.EXACTLY, WordMode.STARTS, WordMode.ENDS)
    return Slot(random.choice(("|", " | ")).join(parts), random.choice(modes))


def _list(random: Random, share: float, needs: tuple[Need, ...] = tuple(Need)) -> TokenList | None:
    if random.random() > share:
        return None
    slots = [_slot(random) for _ in range(random.choice((0, 1, 1, 2, 2, 3, 4)))]
    if slots and random.random() < 0.2:
        slots.append(slots[0])
    need = random.choice(needs)
    amount = {Need.COUNT: random.randint(0, 3), Need.PERCENT: random.choice((1, 34, 50, 67, 100, 150))}.get(need)
    return TokenList(tuple(slots), need, amount)


def _rule(random: Random, uid: str, pool: list[str]) -> RuleSpec:
    def day() -> datetime | None:
        return NOW + timedelta(days=random.randint(-3, 3)) if random.random() < 0.1 else None

    def seldom(*values: tuple[str, ...]) -> tuple[str, ...]:
        return random.choice(values) if random.random() < 0.1 else ()

    return RuleSpec(
        uid=uid,
        parent=random.choice((None, None, *UIDS)) if random.random() < 0.5 else None,
        status=Status.PAUSED if random.random() < 0.07 else Status.ACTIVE,
        priority=random.choice((100, 100, 50)),
        valid_from=day(),
        valid_until=day(),
        languages=seldom(("de",), ("en", "de")),
        audiences=seldom(("readers",), ("pupils",)),
        builder_choices=seldom(("first",), ("first", "second"), ("second", "third")),
        hit_policy=random.choice(tuple(HitPolicy)),
        threshold=random.choice((None, None, None, 0, 60, 75, 85, 95, 100)),
        phrases=tuple(
            Phrase(random.choice((*pool, some_text(random))), random.random() < 0.8)
            for _ in range(random.choice((0, 0, 1, 1, 2)))
        ),
        core=_list(random, 0.5),
        anchor=_list(random, 0.25),
        exclude=_list(random, 0.15, (Need.ANY, Need.ALL)),
    )


def _question(random: Random, rule_set: RuleSet) -> str:
    """Words at random, or what some rules ask for, perhaps with a slip or a word more."""
    said = []
    for rule in random.sample(rule_set.rules, min(len(rule_set.rules), random.choice((1, 1, 2)))):
        lists = [each for each in (rule.core, rule.anchor) if each]
        wanted = " ".join(slot.text.split("|")[0] for each in lists for slot in each.slots)
        said.append(random.choice([phrase.text for phrase in rule.phrases] or [wanted]))
        if lists and random.random() < 0.4:
            said.append(wanted)
    text = " ".join(said) if random.random() < 0.85 else some_text(random, 7)
    if random.random() < 0.3:
        text = f"{text} {random.choice(WORDS)}"
    if random.random() < 0.2 and text:
        text = _slip(random, text)
    return random.choice((str, str.lower, str.upper))(text) + random.choice(("", "?", " ?!"))
