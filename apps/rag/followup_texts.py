"""The words of follow-up questions: about all parties, about a heading. German and English, at most seven words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from apps.language.normalising import fold
from apps.rag.rewriting import forms
from apps.rag.rewriting.subjects import subject_of
from apps.rag.types import Source
from apps.rag.understanding import PartyDirectory
from apps.rag.words import content_words

MOST_WORDS: Final = 7
# "3.1 Eigentum", "IV. Verkehr", "b) Kosten": how a heading is counted is not what it is called.
_NUMBERING: Final = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2})+[.)]?|\d{1,2}[.)]|[IVX]+\.|[A-Za-z]\)|(?:Kapitel|Teil|Chapter|Part)\s+\w+[.:]?)\s+(?=\D)"
)
# "Steuern, die lenken", but no list: "Straße, Schiene, Dorfbus".
_CLAUSE: Final = re.compile(r",\s+(?:die|der|das|den|dem|wo|wenn|wer|wie|was|auf|damit|that|which|who|where)\b.*")
_END: Final = " .,;:!–-"
_LETTER: Final = re.compile(r"[^\W\d_]")
# A preposition that a question may have before its subject, and the one after "sagen": the case is the same.
_SAID_ABOUT: Final[Mapping[str, str]] = {
    "zu": "zu", "zum": "zum", "zur": "zur", "zu den": "zu den", "zu der": "zur", "zu dem": "zum",
    "beim": "zum", "bei der": "zur", "bei den": "zu den", "bei dem": "zum",
    "im": "zum", "in der": "zur", "in den": "zu den", "vom": "zum", "von der": "zur", "von den": "zu den",
}  # fmt: skip
_PREPOSITION: Final = re.compile(r"\b(?P<words>\w+(?:\s+(?:der|dem|den))?)\s+$")
_PARTIES_DE: Final = "Was sagen die Parteien {subject}?"
_PARTIES_EN: Final = ("What do the parties say about {subject}?", "How do the parties see {subject}?")
# Who speaks in the reader's own words: "will die Auenpartei", "fordern die Grünen", "plant Kompass".
_SINGULAR: Final = frozenset(
    "will sagt plant fordert meint findet verspricht moechte haelt steht lehnt schlaegt unterstuetzt tut macht".split()  # noqa: SIM905
)
_PLURAL: Final = frozenset(
    "wollen sagen planen fordern meinen finden versprechen moechten halten stehen lehnen schlagen tun machen".split()  # noqa: SIM905
)
# "So läuft die Stimmabgabe ab" is a sentence of its own.
_CLAUSE_FIRST: Final = re.compile(r"so\b", re.IGNORECASE)
# What may stand at the end of an indirect question and is the same in a direct one.
_LAST_VERBS: Final = frozenset(
    "muss muessen darf duerfen kann koennen soll sollen ist sind wird werden hat haben gilt gelten kostet".split()  # noqa: SIM905
)
_BEFORE_NAME: Final = re.compile(r"(?P<verb>\w+)\s+(?P<article>die|der|das)?\s*$", re.IGNORECASE)
_NO_QUESTION_EN: Final = re.compile(r"^(?:what|why|when|where|which|how|whose|whom)\b", re.IGNORECASE)


def fits(text: str) -> bool:
    """Say whether a question is short enough to be read on a button."""
    return 0 < len([word for word in text.split() if re.search(r"\w", word)]) <= MOST_WORDS


def about_all_parties(query: str, language: str, directory: PartyDirectory) -> str:
    """Return the question what all parties say about the subject of ``query``; "" where it cannot be put shortly."""
    subject = subject_of(query, language, directory)
    if not subject or not _LETTER.search(subject):
        return ""
    if language == "de" and " " not in subject:
        # Typed without capitals: a single word that names a subject is a noun.
        query, subject = query.replace(subject, capital(subject)), capital(subject)
    if language == "en":
        drafts = [text.format(subject=subject) for text in _PARTIES_EN]
    else:
        drafts = [
            _PARTIES_DE.format(subject=phrase) for phrase in (_said_about(subject, query), f"zum Thema {subject}")
        ]
    return next((text for text in drafts if "  " not in text and fits(text)), "")


def _said_about(subject: str, query: str) -> str:
    """ "zur Rente" where the reader has written "zur Rente" or "bei der Rente"; " " where the case is not known."""
    found = _PREPOSITION.search(query[: query.find(subject)])
    if found is None:
        return " "
    words = fold(found["words"])
    return f"{_SAID_ABOUT[words]} {subject}" if words in _SAID_ABOUT else " "


def about_heading(path: Sequence[str], source: Source, query: str, language: str, directory: PartyDirectory) -> str:
    """Return a question about a section; "" for a heading that gives none.

    A party's heading is its own wording: it is quoted, and the party named as the reader has named it.
    """
    heading = _asked_directly(heading_words(path[-1]), language) if path else ""
    if heading.endswith("?"):
        return heading if fits(heading) and not source.party_slug else ""
    if not _names_a_subject(heading, language) or directory.mentions(heading):
        return ""
    if source.party_slug:
        drafts = _of_party(heading, source, query, language, directory)
    else:
        drafts = _of_guide(heading, heading_words(path[-2]) if len(path) > 1 else "", language)
    return next((text for text in drafts if fits(text)), "")


def capital(text: str) -> str:
    """Return a text with a capital first."""
    return text[:1].upper() + text[1:]


def heading_words(heading: str) -> str:
    """Return a heading without its number and the mark at its end."""
    return re.sub(r"\s+", " ", _NUMBERING.sub("", heading)).strip(_END)


def _asked_directly(heading: str, language: str) -> str:
    """ "Wer wählen darf" is "Wer darf wählen?": the verb at the end goes behind the question word."""
    word = forms.QUESTION_WORD.match(heading) if language == "de" else None
    rest = heading[word.end() :].split() if word else []
    if word is None or len(rest) < 2 or fold(rest[-1]) not in _LAST_VERBS or fold(word.group()).startswith("welche"):
        return heading
    return f"{word.group()} {rest[-1]} {' '.join(rest[:-1])}?"


def _names_a_subject(heading: str, language: str) -> bool:
    """ "Umzug vor der Wahl", not "Wie wir das bezahlen" and not "2025"."""
    if not _LETTER.search(heading) or not content_words(heading, language):
        return False
    if language == "en":
        return not _NO_QUESTION_EN.match(heading) or heading.lower().startswith("how to ")
    return not forms.QUESTION_WORD.match(heading) and not _CLAUSE_FIRST.match(heading)


def _of_guide(heading: str, chapter: str, language: str) -> Iterator[str]:
    """ "Briefwahl, Rückweg und Kosten: Was gilt?": below a chapter of one word, a heading may say nothing alone."""
    needs_chapter = chapter and fold(chapter) not in fold(heading)
    named = needs_chapter and len(chapter.split()) <= (3 if language == "en" else 1)
    if language == "en":
        low = heading[:1].lower() + heading[1:]
        if low.startswith("how to "):
            yield f"{chapter}: {low}?" if named else f"{heading}?"
        else:
            yield f"{chapter}, {low}: what applies?" if named else f"{heading}: what applies?"
        return
    yield f"{chapter}, {heading}: Was gilt?" if named else f"{heading}: Was gilt?"
    yield f"{heading.partition(':')[0]}: Was gilt?"


def _of_party(heading: str, source: Source, query: str, language: str, directory: PartyDirectory) -> Iterator[str]:
    speaker = _speaker(query, source.party_slug, directory)
    for words in dict.fromkeys((heading, heading.partition(":")[0], _CLAUSE.sub("", heading))):
        if language == "en":
            yield f"“{words}”: what does {source.party_name} plan?"
        elif speaker:
            yield f"„{words}“: Was {speaker}?"
        else:
            yield f"„{words}“: Was gilt laut {source.party_name}?"
    yield f"What does “{heading}” mean?" if language == "en" else f"Was heißt „{heading}“?"


def _speaker(query: str, slug: str, directory: PartyDirectory) -> str:
    """Return "plant die Auenpartei" or "planen die Grünen" as in the reader's sentence; "" where it does not say."""
    for mention in directory.mentions(query):
        before = _BEFORE_NAME.search(query[: mention.start])
        if mention.key != slug or before is None:
            continue
        verb, article = fold(before["verb"]), before["article"]
        name = f"{article.lower()} {mention.text}" if article else mention.text
        if verb in _SINGULAR:
            return f"plant {name}"
        if verb in _PLURAL:
            return f"planen {name}"
    return ""
