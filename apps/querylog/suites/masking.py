"""How well masking hides what tells who asked, and how little else it touches."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.answering.suites.routing import question_lines
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.language.masking import mask
from apps.language.normalising import fold
from apps.language.public_people import public_people
from apps.querylog.suites.masking_cases import Marked, Sentence, own_sentences, own_statements

STRUCTURED: Final = frozenset({"email", "phone", "iban", "tax", "insurance", "id", "card", "address"})
# The labels of the public cases that the placeholders cover.
LABELLED: Final = {
    "iban": "[IBAN]",
    "credit_card": "[Kartennummer]",
    "de_tax_id": "[Steuernummer]",
    "de_tax_number": "[Steuernummer]",
    "de_social_security": "[Versicherungsnummer]",
    "de_health_insurance": "[Versicherungsnummer]",
    "de_id_card": "[Ausweisnummer]",
    "de_passport": "[Ausweisnummer]",
    "email": "[E-Mail]",
    "phone": "[Telefon]",
}
_STATEMENT: Final = "[persönliche Angabe]"
_WORD: Final = re.compile(r"\w+")
_SHOWN: Final = 12
# Lists and patterns were written while looking at the first half of the sentences; the other one is what counts.
_SEEN, _UNSEEN = 0, 1


@dataclass(frozen=True, slots=True)
class Found:
    """One marked stretch and whether it was treated as it should be."""

    kind: str
    is_right: bool
    half: int
    words: str


@suite("masking:pii-de")
def pii(context: SuiteContext) -> SuiteResult:
    """Numbers and contacts of the public German test cases: those that are valid, and look-alikes that are not."""
    hits: list[Found] = []
    spared: list[bool] = []
    for line in (context.folder("pii-de") / "presidio-cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        placeholder = LABELLED.get(case["entity"])
        if placeholder is None:
            continue
        count = mask(case["text"]).kinds[placeholder]
        if case["expected"]:
            hits.append(Found(case["entity"], count > 0, 0, case["text"]))
        else:
            spared.append(count == 0)
    figures: dict[str, Figure] = {
        "recall_structured": _share(hits),
        "look_alikes_spared": sum(spared) / len(spared),
        "look_alikes": len(spared),
    }
    return SuiteResult(n=len(hits) + len(spared), figures=figures, notes=_by_kind(hits))


@suite("masking:own")
def own(context: SuiteContext) -> SuiteResult:
    """300 sentences with invented names, addresses and numbers, 100 statements about oneself, ordinary questions."""
    names = public_people()
    sentences, statements = own_sentences(), own_statements()
    found = [each for sentence in sentences for each in judged(sentence, names)]
    told = [each for sentence in statements for each in judged(sentence, names)]
    structured = [each for each in found if each.kind in STRUCTURED]
    private = [each for each in found if each.kind == "name"]
    public = [each for each in found if each.kind == "public"]
    plain = [sentence.text for sentence in statements if not sentence.marked]
    harmless = list(question_lines(context.folder))
    changed = [line for line in harmless if mask(line.text, known_names=names).text != line.text]
    sources = _paragraphs(context)
    left = [
        line for line in changed if mask(line.text, known_names=names, is_public=sources.__contains__).text != line.text
    ]
    figures: dict[str, Figure] = {
        **_halves("recall_structured", structured),
        **_halves("recall_names", private),
        **_halves("recall_statements", told),
        "politicians_masked": 1 - _share(public),
        "politicians_masked_unseen": 1 - _share([each for each in public if each.half == _UNSEEN]),
        # Questions about people of the encyclopedia: once without, once with their articles among the sources.
        "harmless_changed": len(changed) / len(harmless),
        "harmless_changed_with_sources": len(left) / len(harmless),
        "harmless": len(harmless),
        "plain_statements_changed": sum(mask(text, known_names=names).text != text for text in plain) / len(plain),
    }
    if "show" in context.options:
        _show(context.say, [*found, *told], [line.text for line in changed])
    sets = Counter(line.source for line in harmless)
    touched = Counter(line.source for line in changed)
    notes = [
        *_by_kind([*found, *told]),
        *(f"{name}: {touched[name]} of {count} changed" for name, count in sets.items()),
    ]
    return SuiteResult(n=len(sentences) + len(statements), figures=figures, notes=notes)


def _paragraphs(context: SuiteContext) -> str:
    """The articles that the encyclopedia's questions are about."""
    articles = json.loads((context.folder("xquad-de") / "xquad.de.json").read_text(encoding="utf-8"))["data"]
    return " ".join(paragraph["context"] for article in articles for paragraph in article["paragraphs"])


def judged(sentence: Sentence, names: Sequence[str]) -> Iterator[Found]:
    """Yield whether each marked stretch of a sentence is hidden, or stands where it is public."""
    masked = mask(sentence.text, known_names=names).text
    elsewhere = sentence.text
    for each in sentence.marked:
        elsewhere = elsewhere.replace(each.words, " ", 1)
    left = Counter(_words(masked)) - Counter(_words(elsewhere))
    for each in sentence.marked:
        yield Found(each.kind, _is_right(each, masked, left), sentence.half, f"{sentence.text} => {masked}")


def _is_right(each: Marked, masked: str, left: Counter[str]) -> bool:
    if each.kind == "public":
        return each.words in masked
    if each.kind == "statement":
        return _STATEMENT in masked and fold(each.telling) not in fold(masked)
    # A title is nobody's name, a town alone nobody's address.
    telling = [word for word in _words(each.words) if len(word) > 1 and word not in {"dr", "frau", "herr", "und"}]
    return not any(left[word] for word in telling) if each.kind != "address" else _is_hidden_address(each, masked)


def _is_hidden_address(each: Marked, masked: str) -> bool:
    """Say whether street and number, or the postal code, are gone: a town's name alone tells little."""
    numbers = re.findall(r"\d+", each.words)
    return not any(re.search(rf"(?<!\d){number}(?!\d)", masked) for number in numbers)


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text)]


def _share(found: Sequence[Found]) -> float:
    return sum(each.is_right for each in found) / max(1, len(found))


def _halves(name: str, found: Sequence[Found]) -> dict[str, Figure]:
    """Return a share over all, over the half that was looked at, and over the one that was not."""
    return {
        name: _share(found),
        f"{name}_seen": _share([each for each in found if each.half == _SEEN]),
        f"{name}_unseen": _share([each for each in found if each.half == _UNSEEN]),
    }


def _by_kind(found: Iterable[Found]) -> list[str]:
    whole, right = Counter[str](), Counter[str]()
    for each in found:
        whole[each.kind] += 1
        right[each.kind] += each.is_right
    return [f"{kind}: {right[kind]} of {count}" for kind, count in sorted(whole.items())]


def _show(say: Callable[[str], None], found: Sequence[Found], changed: Sequence[str]) -> None:
    """Print what went wrong in the half that may be looked at."""
    for each in found:
        if not each.is_right and each.half == _SEEN:
            say(f"{each.kind}: {each.words}")
    for text in changed[:_SHOWN]:
        say(f"harmless: {text}")
