"""What a question is about: its language, the parties it names, and one sub-question for each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise
from typing import Final

from apps.language.guessing import guess_language
from apps.language.parties import PartyMention, PartyRecogniser
from apps.rag.aspects import Aspect, aspects_of
from apps.rag.election_day import stated_instead
from apps.rag.opinion_words import asks_for_opinion, names_commentary, without_opinion_words
from apps.rag.party_order import party_place
from apps.rag.time_frames import TimeFrame, read_times
from apps.rag.types import WantedTime
from apps.rag.wanting import silent_spans, wanted_time, without_times
from apps.rag.words import content_words

ALL_PARTIES: Final = re.compile(
    r"\b(?:(?:alle[nr]?|die|den|einzelnen|verschiedenen|welche) )?parteien\b"
    r"|\b(?:all|the|different|which) parties\b|\bwelche partei\b|\bwhich party\b",
    re.IGNORECASE,
)
# A question about how the parties stand to each other: no party's own words answer it.
_AS_ONE: Final = re.compile(
    r"\b(?:umfragen?|gemeinsam\w*|zusammen|miteinander|gegeneinander|vorn|führt|führte|gleichauf|stärksten?"
    r"|polls?|leads?|leading|ahead|together|each other)\b",
    re.IGNORECASE,
)
# What holds for parties, not what they want: "Wie viele Parteien treten an?", "Parteien unter fünf Prozent".
_RULES_FOR_PARTIES: Final = re.compile(
    r"\bwie ?viele? (?:\w+ ){0,2}parteien\b|\bhow many (?:\w+ ){0,2}parties\b"
    r"|\b(?:parteien|parties) (?:unter|über|mit|ohne|under|below|above|with|without)\b"
    r"|\b(?:dürfen|können|müssen|brauchen|bekommen|erhalten|kriegen|kommen|ziehen|treten|gibt es"
    r"|may|can|must|do|get|receive)\s+(?:\w+\s+){0,2}?(?:parteien|parties)\b"
    r"|\b(?:parteien|parties)\b.*\b(?:stimmzettel|zugelassen|antreten|gegründet|ballot|run for)\b",
    re.IGNORECASE,
)
_VIEWS: Final = re.compile(
    r"\b(?:sag(?:en|t)|woll(?:en|t)|will|plan(?:en|t|ned)?|forder\w*|versprech\w*|versprich\w*|lehn\w*|vertr[ei]t\w*"
    r"|positio\w*|haltung\w*|mein(?:en|t|ung\w*)|plän\w*|vergleich\w*|unterschied\w*|unterscheid\w*|programm\w*"
    r"|steh(?:en|t) (?:die |welche )?parteien zu\w?|say|want|propos\w*|promis\w*|stance|stand|think|compar\w*"
    r"|differ\w*)\b",
    re.IGNORECASE,
)
# "Was hält A vom Plan von B?" asks one party about another; A and B of a comparison stand side by side.
_ON_ANOTHER: Final = re.compile(
    r"\b(?:hält|halten|hielt|sagt|sagte|denkt|dachte|meint|meinte|findet|fand|urteilt\w*|bewertet\w*|kritisiert\w*"
    r"|lobt\w*|spottet\w*|nannte|nennt|reagiert\w*|sieht|sah|äußert\w*)\s+"
    r"(?:die |der |das )?ONE\b(?P<between>.*)\bOTHER\b"
    r"|\b(?:does|did|do) (?:the )?ONE\s+(?:think|say|make|feel|criticise|criticize|react|call|see)\b"
    r"(?P<after>.*)\bOTHER\b",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"\b(?:von|vom|über|zu|zum|zur|an|am|auf|gegen|bei|beim|des|der|of|about|on|to|at|by)\b", re.IGNORECASE
)
_ARTICLE: Final = re.compile(r"\b(?:die|de[rnms]|the)\s+\Z", re.IGNORECASE)
# "Alle außer der Auenpartei": everybody but those who are named.
_BUT: Final = re.compile(
    r"\b(?:(?P<sure>außer|ausser|mit ausnahme (?:von|der|des)|except(?: for)?|other than)|abgesehen von|bis auf|neben"
    r"|apart from|besides)\s+(?:der |dem |die |den |das |the )?$",
    re.IGNORECASE,
)
_EVERYBODY: Final = re.compile(r"\b(?:wer|alle[nr]?|jede[rn]?|who|all|every(?:one|body))\b", re.IGNORECASE)
_BESIDE: Final = re.compile(r"[,;?]|\b(?:und|oder|sowie|vs|versus|and|or)\b", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    r"(?:[\s,/&-]|\b(?:und|oder|sowie|die|der|den|dem|das|von|bei|mit|vs|versus|and|or|the)\b\.?)*", re.IGNORECASE
)
# "Findet ... statt": says that something is, and no source that tells when and where repeats it.
_HAPPENS: Final = re.compile(
    r"\b(?:findet|finden|fanden?)\b(?=.*\bstatt\b)|\bstatt(?:finde[nt]|fand)?\b(?=\W*$)|\b(?:takes?|took) place\b",
    re.IGNORECASE,
)
_SPOKEN: Final = ("de", "en")


@dataclass(frozen=True, slots=True)
class PartyName:
    """A party as the pipeline knows it; ``name`` is printed above its sentences."""

    slug: str
    name: str


class PartyDirectory:
    """The parties in their order with the names that readers use, and people by theirs. Built once, used per question.

    ``people`` are the names of public people with other ways to write them.
    """

    def __init__(
        self,
        parties: Sequence[PartyName],
        aliases: Mapping[str, Sequence[str]],
        people: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.parties = tuple(parties)
        self.names = {slug: tuple(names) for slug, names in aliases.items()}
        self._recogniser = PartyRecogniser(aliases)
        self._people = PartyRecogniser({name: (name, *others) for name, others in (people or {}).items()})

    def mentions(self, text: str) -> list[PartyMention]:
        """Return where ``text`` names parties; keys are slugs."""
        return self._recogniser.find(text)

    def named_in(self, text: str) -> tuple[PartyName, ...]:
        """Return the parties that ``text`` names, in the order of the directory."""
        slugs = {mention.key for mention in self.mentions(text)}
        return tuple(party for party in self.parties if party.slug in slugs)

    def people_in(self, text: str) -> tuple[str, ...]:
        """Return the people that ``text`` names, by their full names, in its order."""
        return tuple(dict.fromkeys(mention.key for mention in self._people.find(text)))


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """What is searched once: for one party, or for nobody in particular (``party`` is None)."""

    text: str
    party: PartyName | None = None


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was understood. ``topic`` is the question without parties and bare times: what is judged.

    ``aspects`` are its parts: what a whole answer speaks of. ``people`` are those it names. ``times`` are absolute,
    ``wanted`` says from when sources are wanted, ``today`` is the reader's day (None where it is not known).
    ``wants_opinion`` says that somebody's opinion is asked for, ``wants_commentary`` that a commentary is.
    ``is_stated`` says that ``topic`` is what a source must say, and not what the reader said.
    ``party_draw`` names the draw by which parties stand; empty: by name.
    """

    language: str
    parties: tuple[PartyName, ...]
    topic: str
    sub_questions: tuple[SubQuestion, ...]
    aspects: tuple[Aspect, ...] = ()
    people: tuple[str, ...] = ()
    times: tuple[TimeFrame, ...] = ()
    wanted: WantedTime = field(default_factory=WantedTime)
    today: date | None = None
    wants_opinion: bool = False
    wants_commentary: bool = False
    is_stated: bool = False
    party_draw: str = ""

    @property
    def compares(self) -> bool:
        """Say whether several parties are asked about."""
        return len(self.sub_questions) > 1


def asked_parties(text: str, directory: PartyDirectory) -> tuple[PartyName, ...]:
    """Return the parties that a question is about: those it names, or all where it speaks of "the parties"."""
    named = directory.named_in(text)
    if named and all_but_span(text, directory):
        return tuple(party for party in directory.parties if party not in named)
    if not named and ALL_PARTIES.search(text) and not _AS_ONE.search(text) and not _is_on_rules(text):
        return directory.parties
    speaker = _speaker_on_another(text, directory)
    return (speaker,) if speaker else named


def _is_on_rules(text: str) -> bool:
    return bool(_RULES_FOR_PARTIES.search(text)) and not _VIEWS.search(text)


def all_but_span(text: str, directory: PartyDirectory) -> tuple[int, int] | None:
    """Return where a text sets the parties that it names apart from all others: from "außer" to the last of them."""
    mentions = directory.mentions(text)
    match = _BUT.search(text[: mentions[0].start]) if mentions else None
    if match is None or not (ALL_PARTIES.search(text) or (match["sure"] and _EVERYBODY.search(text[: match.start()]))):
        return None
    gaps = (text[left.end : right.start] for left, right in pairwise(mentions))
    return (match.start(), mentions[-1].end) if all(_BETWEEN.fullmatch(gap) for gap in gaps) else None


def _speaker_on_another(text: str, directory: PartyDirectory) -> PartyName | None:
    """Return the party that is asked what it says of another one."""
    mentions = directory.mentions(text)
    if len(mentions) != 2 or mentions[0].key == mentions[1].key:
        return None
    first, second = mentions
    marked = f"{text[: first.start]}ONE{text[first.end : second.start]}OTHER{text[second.end :]}"
    match = _ON_ANOTHER.search(marked)
    between = (match["between"] or match["after"] or "") if match else ""
    if not _ABOUT.search(between) or _BESIDE.search(between):
        return None
    return next(party for party in directory.parties if party.slug == first.key)


def understand(
    text: str,
    language: str,
    directory: PartyDirectory,
    *,
    at_most: int,
    now: datetime | None = None,
    election_day: date | None = None,
    party_draw: str = "",
) -> Understanding:
    """Read a question. At most ``at_most`` parties are compared: the directory's first, heard by name or as drawn.

    ``now`` is aware of the reader's zone; without it no time is made absolute.
    """
    mentions = directory.mentions(text)
    # As the page groups them, so that the numbers of sources ascend from the first line to the last.
    asked = asked_parties(text, directory)[:at_most]
    parties = tuple(sorted(asked, key=lambda party: party_place(party.name, party_draw)))
    guessed = guess_language(text, language)
    spoken = guessed if guessed in _SPOKEN else language
    times = read_times(text, now, election_day) if now else ()
    names = [(each.start, each.end) for each in mentions] + [each.span() for each in ALL_PARTIES.finditer(text)]
    stated = "" if parties else stated_instead(text, spoken, election_day)
    spoken_of = (stated, ()) if stated else _spoken_of(text, mentions, directory)
    return Understanding(
        language=spoken,
        parties=parties,
        topic=stated or _topic(text, times, mentions, spoken),
        sub_questions=_sub_questions(*spoken_of, parties),
        aspects=aspects_of(text, spoken, [*names, *silent_spans(times)]),
        people=directory.people_in(text),
        times=times,
        wanted=wanted_time(times, now.date()) if now else WantedTime(),
        today=now.date() if now else None,
        wants_opinion=asks_for_opinion(text),
        wants_commentary=names_commentary(text),
        is_stated=bool(stated),
        party_draw=party_draw,
    )


def _spoken_of(
    text: str, mentions: Sequence[PartyMention], directory: PartyDirectory
) -> tuple[str, Sequence[PartyMention]]:
    """The text and the parties that it names, without those that it leaves out."""
    span = all_but_span(text, directory)
    return (text[: span[0]].rstrip(" ,") + text[span[1] :], ()) if span else (text, mentions)


def _sub_questions(
    text: str, mentions: Sequence[PartyMention], parties: Sequence[PartyName]
) -> tuple[SubQuestion, ...]:
    if len(parties) > 1:
        return tuple(SubQuestion(_for_party(text, mentions, party), party) for party in parties)
    return (SubQuestion(text, parties[0] if parties else None),)


def _topic(text: str, times: Sequence[TimeFrame], mentions: Sequence[PartyMention], language: str) -> str:
    """The question without parties and times, as long as anything is left that it is about."""
    timeless = _HAPPENS.sub(" ", without_opinion_words(without_times(text, times)))
    choices = (_without(timeless, mentions), timeless if mentions else "", _without(text, mentions))
    return next((each for each in choices if content_words(each, language)), text)


def _without(text: str, mentions: Sequence[PartyMention]) -> str:
    """Blank out the names of parties with their articles, and the word "parties" itself."""
    for mention in mentions:
        article = _ARTICLE.search(text, 0, mention.start)
        start = article.start() if article else mention.start
        text = text[:start] + " " * (mention.end - start) + text[mention.end :]
    return re.sub(r"\s+", " ", ALL_PARTIES.sub(" ", text)).strip()


def _for_party(text: str, mentions: Sequence[PartyMention], party: PartyName) -> str:
    """Put one party's name in the place of an enumeration; a question of another shape stays as it is."""
    if not mentions:
        return ALL_PARTIES.sub(party.name, text, count=1)
    gaps = (text[left.end : right.start] for left, right in pairwise(mentions))
    if not all(_BETWEEN.fullmatch(gap) for gap in gaps):
        return text
    return text[: mentions[0].start] + party.name + text[mentions[-1].end :]
