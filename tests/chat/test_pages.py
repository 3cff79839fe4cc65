"""How it works, whose page it is, what search engines may read."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from apps.answering.models import AnswerSettings
from apps.chat.checks import check_accent
from apps.chat.guide_words import guide_blocks, unknown_placeholders
from apps.chat.models import GuideSection, Suggestion
from apps.chat.site import contrast, ink_on, theme_css
from apps.core.ports import QualityFigure, QualityReport
from apps.documents.models import Collection, Document, DocumentVersion
from apps.evaluation.models import EvaluationRun
from apps.evaluation.public_figures import quality_report

pytestmark = pytest.mark.django_db
FIGURE = {"kind": "all", "form": "share", "value": 0.93, "low": 0.9, "high": 0.95}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ein Satz.\nNoch einer.", [(False, ("Ein Satz. Noch einer.",))]),
        ("Eins.\n\n\nZwei.\r\n\r\nDrei.", [(False, ("Eins.",)), (False, ("Zwei.",)), (False, ("Drei.",))]),
        ("So:\n- a\n- b\nUnd so.", [(False, ("So:",)), (True, ("a", "b")), (False, ("Und so.",))]),
        ("{name} kennt {days} Tage", [(False, ("W kennt 30 Tage",))]),
        ("<b>{name}</b> {andere} {}", [(False, ("<b>W</b> {andere} {}",))]),
        ("-5 Grad", [(False, ("-5 Grad",))]),
        (" \n \n", []),
    ],
)
def test_a_text_becomes_paragraphs_and_lists(text, expected):
    assert [(block.is_list, block.lines) for block in guide_blocks(text, {"name": "W", "days": "30"})] == expected


def test_a_placeholder_for_which_there_is_nothing_is_refused_where_it_is_written():
    assert unknown_placeholders("{days} {tage} {tage} {}") == ("tage", "")
    section = GuideSection(slug="a", title="A", title_en="A", text="{days}", text_en="{tage}")
    with pytest.raises(ValidationError) as refused:
        section.full_clean()
    assert set(refused.value.message_dict) == {"text_en"}


def test_the_demos_page_is_loaded_once_and_taken_out_again(reader):
    call_command("demo_guide")
    assert "30 Tage" in reader.get(reverse("chat:how-it-works")).text
    GuideSection.objects.filter(slug="datenschutz").update(title="Meine Überschrift", is_active=True)
    call_command("demo_guide")
    assert "Meine Überschrift" in reader.get(reverse("chat:how-it-works")).text
    GuideSection.objects.filter(slug="datenschutz").update(is_active=False)
    assert "Meine Überschrift" not in reader.get(reverse("chat:how-it-works")).text
    call_command("demo_guide", remove=True)
    assert not GuideSection.objects.exists()


def test_the_demos_page_says_the_same_in_both_languages():
    rows = json.loads(Path("apps/chat/demo/guide.json").read_text(encoding="utf-8"))
    for row in rows:
        assert row["text"].count("\n- ") == row["text_en"].count("\n- ")
        assert sorted(set(row["text"].split("{")[1:])) != [] or "{" not in row["text_en"]


def test_what_editors_write_reaches_the_page_as_text(reader):
    GuideSection.objects.create(
        slug="a", title="<script>alert(1)</script>", title_en="A", text="<img src=x onerror=y>", text_en="B"
    )
    page = reader.get(reverse("chat:how-it-works")).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_figures_are_those_of_the_newest_run_that_is_done_and_has_enough_answers(reader, settings):
    section = {"slug": "a", "title": "A", "title_en": "A", "text": "T", "text_en": "T", "adds": "figures"}
    GuideSection.objects.create(**section)
    assert quality_report() is None
    assert "<table" not in reader.get(reverse("chat:how-it-works")).text
    now = timezone.now()
    EvaluationRun.objects.create(state="done", finished_at=now, figures=[{**FIGURE, "name": "right", "n": 3}])
    assert quality_report() is None
    later = now + timedelta(minutes=1)
    EvaluationRun.objects.create(state="done", finished_at=later, figures=[{**FIGURE, "name": "right", "n": 300}])
    EvaluationRun.objects.create(state="running", figures=[{**FIGURE, "name": "right", "n": 400}])
    # Later ones that are no measure of what readers get: of a draft of the settings, and of one kind of questions.
    draft, figure = AnswerSettings.objects.create(title="Draft"), {**FIGURE, "name": "right", "n": 500}
    latest = now + timedelta(minutes=2)
    EvaluationRun.objects.create(state="done", finished_at=latest, figures=[figure], answer_settings=draft)
    gone = {"settings": f"draft {draft.pk + 1}"}
    EvaluationRun.objects.create(state="done", finished_at=latest, figures=[figure], versions=gone)
    EvaluationRun.objects.create(state="done", finished_at=latest, figures=[{**figure, "kind": "opinion"}])
    with translation.override("de"):
        (figure,) = quality_report().figures
    assert (figure.value, figure.n) == ("93,0 %", 300)
    page = reader.get(reverse("chat:how-it-works")).text
    assert "93,0 %" in page
    settings.PORTS = {}
    assert "<table" not in reader.get(reverse("chat:how-it-works")).text


def test_the_port_holds_what_the_page_shows():
    assert QualityReport(timezone.now(), (QualityFigure("a", "1", "", 2),)).figures[0].n == 2


def test_the_page_is_the_operators(reader, settings, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    settings.SITE = {
        **settings.SITE,
        "name": "Kurier & Co",
        "operator": "der Redaktion des Kuriers",
        "heading": "Fragen Sie uns",
        "lead": "Alles zur Wahl.",
        "contact": "redaktion@kurier.example",
        "accent": "#004b87",
        "accent_dark": "#9cc9ff",
    }
    settings.SITE_LOGO = logo
    page = reader.get("/").text
    for words in ("Kurier &amp; Co", "der Redaktion des Kuriers", "Fragen Sie uns", "Alles zur Wahl."):
        assert words in page
    assert 'href="mailto:redaktion@kurier.example"' in page
    assert reverse("chat:theme") in page
    assert "#004b87" in reader.get(reverse("chat:theme")).text
    answer = reader.get(reverse("chat:logo"))
    assert (answer["Content-Type"], "default-src 'none'" in answer["Content-Security-Policy"]) == (
        "image/svg+xml",
        True,
    )
    assert Client().get(reverse("chat:logo"), headers={"If-None-Match": answer["ETag"]}).status_code == 304
    settings.SITE_LOGO = None
    assert reader.get(reverse("chat:logo")).status_code == 404


def test_without_colours_there_is_no_style_sheet_of_ones_own(reader):
    assert theme_css() == ""
    assert reverse("chat:theme") not in reader.get("/").text


@pytest.mark.parametrize(
    ("accent", "dark", "codes"),
    [
        ("", "", []),
        ("#004b87", "#9cc9ff", []),
        ("#9cc9ff", "#9cc9ff", ["chat.E001"]),
        ("#004b87", "#004b87", ["chat.E001"]),
        ("#004b87", "", ["chat.E002"]),
        ("", "#9cc9ff", ["chat.E002"]),
    ],
)
def test_colours_that_cannot_be_read_are_refused_at_the_start(settings, accent, dark, codes):
    settings.SITE = {**settings.SITE, "accent": accent, "accent_dark": dark}
    assert [problem.id for problem in check_accent(None)] == codes


def test_words_on_the_accent_are_black_or_white_whichever_can_be_read():
    assert ink_on("#004b87") == "#ffffff"
    assert ink_on("#9cc9ff") == "#1c1b19"
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


def test_search_engines_may_read_the_first_screen_and_no_answer(reader):
    told = reader.get(reverse("chat:robots"))
    assert told["Content-Type"].startswith("text/plain")
    for path in ("/conversations/", "/shared/", "/ask/", "/embed/"):
        assert f"Disallow: {path}\n" in told.text
    assert "Disallow: /\n" not in told.text
    assert 'name="robots" content="index"' in reader.get("/").text


def test_the_gallery_is_for_developers_only_and_shows_every_state(reader, settings):
    assert reader.get(reverse("chat:gallery")).status_code == 404
    settings.DEBUG = True
    page = reader.get(reverse("chat:gallery")).text
    for part in ("notice-refusal", "notice-clarification", "notice-conflict", "notice-failed", "notice-interrupted"):
        assert part in page
    for part in ("notice-busy", 'class="said"', 'class="read-on"', 'class="offers"', 'class="sentence opinion"'):
        assert part in page


def test_the_first_screen_begins_with_what_the_desk_suggests(script, settings):
    settings.EXAMPLE_QUESTIONS = {"de": ["Aus den Einstellungen?"], "en": ["From the settings?"]}
    shelf = Collection.objects.create(slug="shelf", name="Wahl")
    document = Document.objects.create(title="X", collection=shelf)
    document.current_version = DocumentVersion.objects.create(document=document, number=1, text="X.")
    document.status = Document.Status.READY
    document.save()
    german, english = (Client(headers={"Accept-Language": language}) for language in ("de", "en"))
    assert 'value="Aus den Einstellungen?"' in german.get("/").text
    Suggestion.objects.create(question="Zweite Frage?", order=2)
    Suggestion.objects.create(question="Erste Frage?", question_en="First question?", order=1)
    Suggestion.objects.create(question="Von gestern?", valid_until=timezone.localdate() - timedelta(days=1))
    page = german.get("/").text
    assert page.index('value="Erste Frage?"') < page.index('value="Zweite Frage?"')
    assert "Von gestern?" not in page
    assert "Aus den Einstellungen?" not in page
    other = english.get("/").text
    assert 'value="First question?"' in other
    assert "Zweite Frage?" not in other
