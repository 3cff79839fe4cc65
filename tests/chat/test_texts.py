"""Every reply that routing can give has words of its own."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from apps.chat.texts import FALLBACK, TEXTS, notice_text
from apps.rag.routing import small_talk
from apps.rag.routing_advice import NO_ADVICE, NO_OPINION
from apps.rag.routing_model import shipped_model


@pytest.mark.parametrize("code", sorted({*shipped_model().names, NO_ADVICE, NO_OPINION}))
def test_every_kind_of_small_talk_has_a_text(code: str) -> None:
    assert code in TEXTS
    assert notice_text(code) is not FALLBACK
    assert str(notice_text(code).next_step)


@pytest.mark.parametrize(
    "question", ["Wer bist du?", "Bist du ein Mensch?", "Wer hat dich gebaut?", "Hast du Gefühle?", "Are you a human?"]
)
def test_who_asks_what_it_is_hears_that_it_is_a_program(question: str) -> None:
    with override("en"):
        assert "program" in str(notice_text(small_talk(question)).says)


def test_what_is_named_and_stands_nowhere_is_not_said_to_be_on_the_subject() -> None:
    with override("de"):
        says = str(notice_text("not_stated", ["Mount Everest"]).says)
    assert "„Mount Everest“" in says
    assert "zum Thema" not in says
