"""A model that cannot be asked is told at the start."""

from apps.answering.checks import check_language_model


def test_no_model_is_fine() -> None:
    assert check_language_model(None) == []


def test_a_model_without_a_name_is_an_error(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_MODEL = "openai"
    [error] = check_language_model(None)
    assert error.id == "answering.E001"
    assert "ANSWER_MODEL_NAME" in error.msg
