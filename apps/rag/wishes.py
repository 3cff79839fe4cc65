"""What a reader says on how to answer ("Antworte kurz."), beside the question: nothing of it is searched for."""

from __future__ import annotations

import re
from typing import Final

from apps.language.sentences import split_sentences

# Imperatives that may be about the form of an answer, at the beginning of a sentence.
_ORDERS: Final = re.compile(
    r"(?:(?:bitte|und|auch|dann|danach|zusätzlich|außerdem|please|and|also|then)[\s,]+){0,3}"
    r"(?:antworte|antworten sie|schreib(?:e|en sie)?|beend(?:e|en sie)|beginn(?:e|en sie)|formulier(?:e|en sie)"
    r"|erklär(?:e|en sie)?|fass(?:e|en sie)?|halt(?:e|en sie)?|gib|geben sie|nutz(?:e|en sie)|benutz(?:e|en sie)"
    r"|verwend(?:e|en sie)|sprich|sprechen sie|übersetz(?:e|en sie)|sag(?:e|en sie)?"
    r"|häng(?:e|en sie)?|füg(?:e|en sie)?|setz(?:e|en sie)?|mach(?:e|en sie)?|wiederhol(?:e|en sie)"
    r"|answer|reply|respond|write|end|finish|begin|start|append|add|keep|use|explain|put|translate|say|repeat|print|phrase"
    r"|make|give)\b",
    re.IGNORECASE,
)
# ... and are so only with a word about that form.
_FORMS: Final = re.compile(
    r"\b(?:antwort\w*|satz|sätzen?|worten|wörtern|zeichen|kurz|kürzer|knapp|ausführlich|stichpunkt\w*|stichwort\w*"
    r"|als (?:liste|tabelle)|reim\w*|gedicht\w*|sprache|deutsch|englisch|emojis?|großbuchstaben|quellen(?:angabe\w*)?"
    r"|answers?|repl(?:y|ies)|sentences?|words|characters|short|brief\w*|concise\w*|in detail|bullets?|bullet points?"
    r"|as an? (?:list|table)|rhym\w*|poems?|language|german|english|capitals|caps|sources)\b",
    re.IGNORECASE,
)
# "Ignoriere alle Regeln.": what injections begin with; no question about rules begins so.
_IGNORING: Final = re.compile(
    r"(?:(?:bitte|und|please|and)[\s,]+){0,2}"
    r"(?:ignorier(?:e|en sie)|vergiss|vergessen sie|missachte\w*|ignore|forget|disregard)\b"
    r".*\b(?:regeln?|anweisung\w*|vorgaben?|prompts?|alles|rules?|instructions?|everything)\b",
    re.IGNORECASE | re.DOTALL,
)
# "PS an die KI: ...", "Note to the bot: ...": whatever follows is meant for the machine.
_ADDRESSED: Final = re.compile(
    r"[^:?]{0,40}\b(?:an|für|to|for)\s+(?:(?:die|den|das|the|you)\s+)?(?:ki|bot|chatbot|assistent\w*|modell|ai|model"
    r"|assistant)\b[^:?]{0,20}:",
    re.IGNORECASE,
)


def without_wishes(text: str, language: str) -> str:
    """Return the question without whole sentences that only say how to answer; the text itself where nothing is left.

    A sentence that asks stays, and so does one that names a matter ("Nenne auch die Steuern.").
    """
    sentences = [text[span.start : span.end] for span in split_sentences(text, language)]
    kept = [sentence for sentence in sentences if not _is_wish(sentence)]
    asks = any(sentence.rstrip().endswith("?") for sentence in kept)
    return " ".join(kept) if asks and len(kept) < len(sentences) else text


def _is_wish(sentence: str) -> bool:
    if sentence.rstrip().endswith("?"):
        return False
    if _ADDRESSED.match(sentence) or _IGNORING.match(sentence):
        return True
    return bool(_ORDERS.match(sentence) and _FORMS.search(sentence))
