"""What a question leaves unsaid, and parties that nobody knows."""

from __future__ import annotations

import pytest

from apps.rag.asking import unknown_parties
from apps.rag.events import Decided, Done, Notice
from apps.rag.types import Decision, NoticeKind, Outcome
from apps.rag.unsaid import is_underspecified
from tests.rag.builders import DIRECTORY, ask, passage, sentences


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie hoch soll er denn werden?", "de"),
        ("Was sagen die eigentlich dazu?", "de"),
        ("Warum haben die das verschoben?", "de"),
        ("Wann ist die Frist?", "de"),
        ("Was kostet das?", "de"),
        ("Was will die Partei bei der Steuer?", "de"),
        ("Und seit wann gilt das dann?", "de"),
        ("Was steht in diesem Gesetz?", "de"),
        ("Was sagt der Minister dazu?", "de"),
        ("Brauche ich dazu ein Formular?", "de"),
        ("Ist das billiger als vorher?", "de"),
        ("How much is it going to be?", "en"),
        ("When does it end?", "en"),
        ("What do they want to do about it?", "en"),
    ],
)
def test_what_points_at_nothing_is_asked_back(question: str, language: str) -> None:
    assert is_underspecified(question, language, DIRECTORY)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wer darf wählen?", "de"),
        ("Wann wird gewählt?", "de"),
        ("Wie hoch ist der Mindestlohn?", "de"),
        ("mindestlohn", "de"),
        ("wann muss der antrag auf briefwahl da sein", "de"),
        ("Was sagt die Morgenpartei dazu?", "de"),
        ("Was sagen die Parteien zur Rente?", "de"),
        ("Was will die Partei Lindenblatt?", "de"),
        ("Brauche ich für die Briefwahl einen Grund und was kostet das Porto dafür?", "de"),
        ("Was hält die Gewerkschaft davon, dass der Lohn steigt?", "de"),
        ("Was ist bei dieser Wahl neu?", "de"),
        ("Wie läuft das bei der Europawahl?", "de"),
        ("Was kostet das deutschlandticket?", "de"),
        ("Wie hat man früher die Zeit gemessen?", "de"),
        ("Für wen wird vor Ort gebaut?", "de"),
        ("Does it cost anything to vote by mail?", "en"),
        ("How do I vote by post?", "en"),
        ("Who counts the votes?", "en"),
    ],
)
def test_what_names_its_subject_is_searched(question: str, language: str) -> None:
    assert not is_underspecified(question, language, DIRECTORY)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Was will die Mühlenpartei bei der Rente?", ("Mühlenpartei",)),
        ("Vermögensteuer bei der Partei Lindenblatt?", ("Lindenblatt",)),
        ("What does the Windmill Party want?", ("Windmill",)),
        ("Was will die Morgenpartei?", ()),
        ("Welche Volkspartei regiert?", ()),
    ],
)
def test_a_party_that_nobody_knows_is_named(question: str, names: tuple[str, ...]) -> None:
    assert unknown_parties(question, DIRECTORY, []) == names


def test_a_party_that_a_source_speaks_of_is_known() -> None:
    assert unknown_parties("Was will die Mühlenpartei?", DIRECTORY, ["Die Mühlenpartei will mehr Wind."]) == ()


async def test_a_question_without_a_subject_is_asked_back_before_any_search() -> None:
    events = await ask([passage("Die Miete wird gedeckelt.")], "Wie hoch soll er denn werden?")
    assert [event.decision for event in events if isinstance(event, Decided)] == [Decision.CLARIFY]
    notice = next(event for event in events if isinstance(event, Notice))
    assert (notice.kind, notice.code) == (NoticeKind.CLARIFICATION, "which_subject")
    assert isinstance(events[-1], Done)
    assert events[-1].outcome is Outcome.CLARIFIED


async def test_an_unknown_party_is_refused_by_name() -> None:
    events = await ask([passage("Die Rente steigt auf 50 Prozent.")], "Was plant die Mühlenpartei bei der Rente?")
    notice = next(event for event in events if isinstance(event, Notice))
    assert (notice.kind, notice.code, notice.subjects) == (NoticeKind.REFUSAL, "unknown_party", ("Mühlenpartei",))
    assert not sentences(events)


async def test_a_premise_is_corrected_before_the_sentence_that_says_otherwise() -> None:
    events = await ask(
        [passage("Der neue Bundestag hat künftig 630 Abgeordnete.")], "Hat der Bundestag 736 Abgeordnete?"
    )
    shown = [event for event in events if isinstance(event, Notice) or event in sentences(events)]
    assert isinstance(shown[0], Notice)
    assert (shown[0].kind, shown[0].code) == (NoticeKind.CAVEAT, "premise_value")
    assert [sentence.text for sentence in sentences(events)] == ["Der neue Bundestag hat künftig 630 Abgeordnete."]
