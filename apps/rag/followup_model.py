"""Follow-up questions in a model's words. What it suggests is checked like any other: see ``followups``."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from contextlib import aclosing
from typing import Final

from apps.rag.deadlines import within
from apps.rag.followup_candidates import Ending
from apps.rag.model_types import Deadlines, LanguageModel, Message, ModelError, ModelRequest, Role
from apps.rag.naming import unknown_names
from apps.rag.prompt_texts import prompt_language, shipped_offer_prompt
from apps.rag.quantities import said_quantities, stated_quantities

logger = logging.getLogger(__name__)

_MOST: Final = 4
_MOST_TOKENS: Final = 160
_MOST_SECTIONS: Final = 8
_MOST_CHARACTERS: Final = 120
SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "questions": {
            "type": "array",
            "items": {"type": "string", "maxLength": _MOST_CHARACTERS},
            "maxItems": _MOST,
        }
    },
    "required": ["questions"],
    "additionalProperties": False,
}


class ModelWording:
    """Asks a model for follow-up questions; it gets what was asked and the headings of what was found."""

    def __init__(self, model: LanguageModel, *, seconds: float = 2.0) -> None:
        self._model = model
        self.seconds = seconds

    async def suggest(self, ending: Ending) -> list[str]:
        """Return at most four questions, none with a name or number that is in neither question nor sources.

        None when the model is late or breaks the contract.
        """
        deadlines = Deadlines(self.seconds, self.seconds)
        request = ModelRequest(messages_of(ending), deadlines, _MOST_TOKENS, SCHEMA)
        try:
            async with aclosing(within(self._model.stream(request), deadlines)) as stream:
                reply = "".join([piece async for piece in stream])
        except ModelError as error:
            logger.warning("The model did not word follow-ups: %s.", error.code)
            return []
        return [text for text in questions_of(reply) if _adds_nothing(text, ending)]


def _adds_nothing(text: str, ending: Ending) -> bool:
    """Say whether every name and figure is in the question or in what was found."""
    said = [ending.query, *(passage.text for passage in ending.passages), *_sections(ending)]
    stated = frozenset(value for each in said for value in stated_quantities(each, ending.language))
    return said_quantities(text, ending.language) <= stated and not unknown_names(
        text, ending.language, said, ending.language
    )


def messages_of(ending: Ending) -> tuple[Message, ...]:
    """Return what to send: the rules, then question and headings as data."""
    data = {"question": ending.query, "language": ending.language, "sections": _sections(ending)}
    rules = shipped_offer_prompt(prompt_language(ending.language)).text
    return Message(Role.SYSTEM, rules), Message(Role.USER, json.dumps(data, ensure_ascii=False))


def questions_of(reply: str) -> list[str]:
    """Return the questions of a reply; none of one that is not the contract."""
    plain = re.sub(r"^```(?:json)?\s*|\s*```$", "", reply.strip())
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError):
        return []
    found = data.get("questions") if isinstance(data, dict) else None
    texts = found if isinstance(found, list) else []
    return [" ".join(text.split()) for text in texts if isinstance(text, str) and len(text) <= _MOST_CHARACTERS][:_MOST]


def _sections(ending: Ending) -> list[str]:
    paths = dict.fromkeys(passage.heading_path for passage in ending.passages if passage.heading_path)
    return [" › ".join(path[-2:]) for path in paths][:_MOST_SECTIONS]
