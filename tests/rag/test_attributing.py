"""An article that speaks of several parties is quoted only for the one that was asked about."""

import pytest

from apps.rag.events import Sentence
from apps.rag.types import Passage
from tests.rag.builders import BUND, ask, passage, source

WILL = "Die Flutliste will einen Mindestlohn von 15 Euro."
SO_THAT = "Für den Mindestlohn brauche es dann ein eigenes Gesetz."
AGAINST = "Der Talbund lehnt einen Mindestlohn von 15 Euro ab."
BOTH = "Flutliste und Talbund streiten über den Mindestlohn."


def article(*sentences: str) -> Passage:
    return passage(" ".join(sentences), source(), closeness=[0.9] * len(sentences))


@pytest.mark.parametrize(
    ("sentences", "quoted"),
    [
        ((WILL, AGAINST), [WILL]),
        ((AGAINST, WILL), [WILL]),
        ((WILL, SO_THAT), [WILL, SO_THAT]),
        ((AGAINST, SO_THAT, WILL), [WILL]),
        ((WILL, SO_THAT, AGAINST, SO_THAT.replace("brauche", "braucht")), [WILL, SO_THAT]),
        ((BOTH, SO_THAT), [BOTH, SO_THAT]),
    ],
)
async def test_what_is_said_of_others_is_left_out(sentences: tuple[str, ...], quoted: list[str]) -> None:
    events = await ask([article(*sentences)], "Was sagt die Flutliste zum Mindestlohn?")
    assert [event.text for event in events if isinstance(event, Sentence)] == quoted


async def test_a_party_may_name_others_in_its_own_words() -> None:
    text = "Anders als die Flutliste wollen wir keinen Mindestlohn von 15 Euro."
    events = await ask([passage(text, source(BUND))], "Was sagt der Talbund zum Mindestlohn?")
    assert [event.text for event in events if isinstance(event, Sentence)] == [text]
