"""Settings of answers go from draft to live and back; what was live never changes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.answering.live_settings import CHECK_SECONDS, SettingsKeeper, settings_of
from apps.answering.models import AnswerSettings
from apps.answering.settings_fields import CONTENT, LineKind, changes_between, shipped_text
from apps.answering.settings_ranges import RANGES
from apps.answering.settings_services import (
    CommentMissingError,
    NotADraftError,
    OvertakenError,
    SettingsInvalidError,
    settings_activate,
    settings_draft,
    settings_rollback,
)
from apps.answering.settings_versions import SHIPPED, AnswerSettingsVersion, ModelChoice
from apps.rag.settings import Thresholds

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief() -> User:
    return User.objects.create_user("ida")


def draft(author: User | None = None, **content: object) -> AnswerSettings:
    row = settings_draft(author=author, title="Shorter answers")
    for name, value in content.items():
        setattr(row, name, value)
    row.save()
    return row


def live(author: User | None = None, *, expected: int = 0, **content: object) -> AnswerSettings:
    return settings_activate(
        draft_id=draft(author, **content).pk, author=author, comment="Readers asked.", expected=expected
    )


def test_without_a_row_the_shipped_settings_are_in_force() -> None:
    current = SettingsKeeper().current()
    assert current == AnswerSettingsVersion()
    assert current.name == SHIPPED


def test_an_empty_draft_says_what_is_shipped() -> None:
    assert settings_of(draft()).digest == AnswerSettingsVersion().digest
    assert changes_between(None, draft()) == []


def test_a_draft_goes_live_under_the_next_number(chief: User) -> None:
    first, second = live(chief, shown_sentences=3), live(chief, expected=1, shown_sentences=2)
    assert [first.number, second.number] == [1, 2]
    assert (second.author_name, second.comment) == ("ida", "Readers asked.")
    assert SettingsKeeper().current().pipeline.shown_sentences == 2


def test_a_draft_changes_nothing_for_readers(chief: User) -> None:
    draft(chief, shown_sentences=1)
    assert SettingsKeeper().current().name == SHIPPED


@pytest.mark.parametrize("comment", ["", "  ", "\u200b"])
def test_going_live_needs_a_reason(comment: str) -> None:
    with pytest.raises(CommentMissingError):
        settings_activate(draft_id=draft().pk, author=None, comment=comment, expected=0)


def test_nobody_activates_over_what_they_have_not_seen() -> None:
    live()
    with pytest.raises(OvertakenError):
        live(expected=0)


def test_a_version_goes_live_once() -> None:
    row = live()
    with pytest.raises(NotADraftError):
        settings_activate(draft_id=row.pk, author=None, comment="Again.", expected=1)


def test_a_draft_that_contradicts_itself_does_not_go_live() -> None:
    with pytest.raises(SettingsInvalidError):
        live(passages_read=9)
    assert AnswerSettings.objects.in_force() is None


def test_going_back_publishes_the_old_content_under_a_new_number() -> None:
    live(shown_words=40, answer_prompt_de=shipped_text("answer_prompt_de") + "Kurz.")
    live(expected=1, shown_words=60)
    back = settings_rollback(number=1, author=None, comment="Too long.", expected=2)
    assert (back.number, back.shown_words) == (3, 40)
    assert back.restored_from is not None
    assert back.restored_from.number == 1
    assert changes_between(AnswerSettings.objects.get(number=1), back) == []


def test_going_back_to_what_is_shipped_is_a_version_too() -> None:
    live(shown_words=40, model="none")
    back = settings_rollback(number=0, author=None, comment="Start again.", expected=1)
    assert changes_between(None, back) == []
    assert settings_of(back).name == "2"


def test_going_back_to_nowhere_is_refused() -> None:
    with pytest.raises(NotADraftError):
        settings_rollback(number=7, author=None, comment="Where?", expected=0)


def test_what_was_live_cannot_be_changed_or_deleted() -> None:
    row = live()
    for change in (
        lambda: AnswerSettings.objects.filter(pk=row.pk).update(shown_words=50),
        lambda: AnswerSettings.objects.filter(pk=row.pk).update(number=None, activated_at=None),
        row.delete,
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
    row.refresh_from_db()
    assert (row.number, row.shown_words) == (1, None)


def test_an_account_that_goes_leaves_its_name_behind(chief: User) -> None:
    row = live(chief)
    chief.delete()
    row.refresh_from_db()
    assert (row.author, row.author_name) == (None, "ida")


@pytest.mark.parametrize("name", RANGES)
def test_form_and_database_refuse_a_number_out_of_range(name: str) -> None:
    for value in (RANGES[name].least - 1, RANGES[name].most + 1):
        row = AnswerSettings(title="Wrong", **{name: value})
        with pytest.raises(ValidationError) as caught:
            row.full_clean()
        assert name in caught.value.message_dict
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()


@pytest.mark.parametrize("name", RANGES)
def test_the_ends_of_a_range_are_allowed(name: str) -> None:
    for value in (RANGES[name].least, RANGES[name].most):
        AnswerSettings.objects.create(title="Just right", **{name: value})


def test_every_number_reaches_the_answer() -> None:
    shipped = settings_of(AnswerSettings(title="x"))
    for name, limits in RANGES.items():
        ends = (limits.least, limits.most)
        digests = {settings_of(AnswerSettings(title="x", **{name: value})).digest for value in ends}
        assert digests - {shipped.digest}, name


def test_thresholds_and_model_reach_the_answer() -> None:
    held = settings_of(AnswerSettings(title="x", sufficient=0.5, model="none", rewrites=False, cache_minutes=0))
    assert held.pipeline.thresholds == Thresholds(sufficient=0.5)
    assert (held.model, held.rewrites, held.cache_seconds) == (ModelChoice.NONE, False, 0)


@pytest.mark.parametrize("text", ["Schreiben Sie kurz.", "Marke [doc:N#chunk:M]", "Nur {unsupported}"])
def test_rules_for_answers_name_the_marker_and_the_way_out(text: str) -> None:
    row = AnswerSettings(title="x", answer_prompt_de=text)
    with pytest.raises(ValidationError) as caught:
        row.full_clean()
    assert "answer_prompt_de" in caught.value.message_dict
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()


def test_a_model_that_is_not_set_up_cannot_be_chosen() -> None:
    with pytest.raises(ValidationError) as caught:
        AnswerSettings(title="x", model="second").full_clean()
    assert "model" in caught.value.message_dict


def test_own_rules_are_named_by_their_content_and_shipped_ones_by_their_file() -> None:
    text = shipped_text("answer_prompt_de") + "Antworten Sie in Reimen.\n"
    own = settings_of(AnswerSettings(title="x", answer_prompt_de=text)).writer.prompts
    again = settings_of(AnswerSettings(title="y", answer_prompt_de=text)).writer.prompts
    assert own.answer["de"].version == again.answer["de"].version != own.answer["en"].version
    assert own.answer["en"].version.startswith("answer_")


def test_the_difference_names_fields_and_shows_the_lines_of_a_prompt() -> None:
    text = shipped_text("answer_prompt_de") + "Antworten Sie in Reimen.\n"
    changes = changes_between(None, AnswerSettings(title="x", shown_words=40, answer_prompt_de=text))
    assert len(changes) == 2
    assert changes[0].after == "40"
    assert "90" in changes[0].before
    assert [line.text for line in changes[1].lines if line.kind is LineKind.ADDED] == ["Antworten Sie in Reimen."]
    assert not [line for line in changes[1].lines if line.kind is LineKind.REMOVED]


def test_the_form_has_every_field_that_a_version_says() -> None:
    own = {field.name for field in AnswerSettings._meta.concrete_fields if field.editable} - {"id", "title"}
    assert own == set(CONTENT)


def test_a_worker_has_a_new_version_within_five_seconds() -> None:
    now = 0.0
    keeper = SettingsKeeper(clock=lambda: now)
    assert keeper.current().name == SHIPPED
    live()
    now = CHECK_SECONDS
    assert keeper.current().name == "1"
    assert CHECK_SECONDS < 5


def test_between_two_looks_the_database_is_not_asked(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    keeper = SettingsKeeper(clock=lambda: 0.0)
    keeper.current()
    with django_assert_num_queries(0):
        keeper.current()


def test_settings_that_cannot_be_read_leave_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    live(shown_words=40)
    now = 0.0
    keeper = SettingsKeeper(clock=lambda: now)
    assert keeper.current().name == "1"

    def broken() -> None:
        raise OSError("Die Frage eines Lesers")

    monkeypatch.setattr(AnswerSettings.objects, "in_force", broken)
    now = CHECK_SECONDS
    assert keeper.current().name == "1"
