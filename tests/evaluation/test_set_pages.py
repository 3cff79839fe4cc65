"""The pages of question sets: what is in them, how they come in and go out."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation

from apps.evaluation.exchange.exporting import FileKind, questions_export
from apps.evaluation.exchange.files import MOST_BYTES
from apps.evaluation.models import Question, QuestionSet
from apps.evaluation.serialising import question_spec
from tests.chat.naughty import naughty_strings
from tests.evaluation.building import finished_run, login, question_set, spec, unanswerable
from tests.evaluation.test_exchange import FULL, ODD, specs

pytestmark = pytest.mark.django_db

LIST = reverse("admin:evaluation_questionset_changelist")
ADD = reverse("admin:evaluation_questionset_add")
NEW = reverse("admin:evaluation_questionset_import_new")
REFRESH = reverse("admin:evaluation_questionset_refresh")
QUESTIONS = reverse("admin:evaluation_question_changelist")
HTMX = {"HX-Request": "true"}


def at(name: str, made: QuestionSet) -> str:
    return reverse(f"admin:evaluation_questionset_{name}", args=[made.pk])


def page(client: Client, address: str, **query: object) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def file(data: bytes, name: str = "questions.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def send(client: Client, address: str, data: bytes, **fields: str) -> str:
    answer = client.post(address, {"file": file(data), **fields}, headers=HTMX)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def token(text: str) -> str:
    found = re.search(r'name="seen" value="([0-9a-f]{64})"', text)
    assert found, text
    return found[1]


# --- lists and forms ---


def test_the_list_says_what_is_in_each_set_and_when_it_was_asked(evaluator):
    made = question_set("own", [spec("a1"), unanswerable(language="en")], name="Eigene")
    assert "answerable, unanswerable" in page(evaluator, LIST)
    finished_run(made)
    text = page(evaluator, LIST)
    assert "Eigene" in text
    assert "de, en" in text
    assert re.search(r"field-shown_count[^>]*>\s*2\s*<", text)
    assert not re.search(r"field-shown_last_run[^>]*>\s*–\s*<", text)


def test_a_set_leads_to_its_questions_and_to_a_run(evaluator):
    made, other = question_set("own"), question_set("other", [spec("x1", text="Aus der anderen?")])
    text = page(evaluator, at("change", made))
    assert "See its 2 questions" in text
    assert f"{reverse('admin:evaluation_evaluationrun_add')}?set={made.pk}" in text
    listed = page(evaluator, QUESTIONS, question_set__id__exact=made.pk)
    assert "(a001)" in listed
    assert "Aus der anderen?" not in listed
    assert "Aus der anderen?" in page(evaluator, QUESTIONS, question_set__id__exact=other.pk)


def test_a_new_set_gets_its_short_name_from_its_name(evaluator):
    evaluator.post(ADD, {"name": "Fragen zur Rente", "description": ""})
    assert QuestionSet.objects.get().slug == "fragen-zur-rente"


def question_form(client: Client, question: Question) -> dict[str, str]:
    """What the browser would send back of the form as it is."""
    address = reverse("admin:evaluation_question_change", args=[question.pk])
    form = client.get(address).context["adminform"].form
    values = {field.html_name: field.value() for field in form}
    return {name: "" if value is None else value for name, value in values.items() if value is not False}


@pytest.mark.parametrize("one", ODD, ids=lambda each: each.key)
def test_the_form_of_a_question_saves_it_as_it_is(evaluator, one):
    question = question_set(specs=[one]).questions.get()
    address = reverse("admin:evaluation_question_change", args=[question.pk])
    answer = evaluator.post(address, question_form(evaluator, question))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    question.refresh_from_db()
    assert question_spec(question) == one


def test_the_form_tells_what_is_wrong_at_the_field(evaluator):
    question = question_set(specs=[unanswerable()]).questions.get()
    address = reverse("admin:evaluation_question_change", args=[question.pk])
    form = question_form(evaluator, question)
    answer = evaluator.post(address, {**form, "expected": "answer"})
    assert "cannot expect an answer" in answer.content.decode()
    answer = evaluator.post(address, {**form, "must": "\n".join(["x"] * 51)})
    assert "more than 50 lines" in answer.content.decode()


def test_a_question_that_is_added_stands_last(evaluator):
    made = question_set(specs=[spec("a1"), spec("a2")])
    form = question_form(evaluator, made.questions.first())
    evaluator.post(reverse("admin:evaluation_question_add"), {**form, "key": "a3"})
    assert [each.key for each in specs(made)] == ["a1", "a2", "a3"]


def test_a_key_cannot_be_given_twice(evaluator):
    made = question_set(specs=[spec("a1"), spec("a2")])
    question = made.questions.get(key="a2")
    address = reverse("admin:evaluation_question_change", args=[question.pk])
    answer = evaluator.post(address, {**question_form(evaluator, question), "key": "a1"})
    assert answer.status_code == 200
    assert made.questions.filter(key="a2").exists()


# --- import and export ---


def test_a_file_is_compared_first_and_saved_when_seen(evaluator):
    made, data = question_set(specs=[spec("a1")]), b"id,question\na1,Was jetzt?\na2,Neu?\n"
    text = send(evaluator, at("import", made), data)
    assert specs(made) == [spec("a1")]
    assert "This would change" in text
    answer = evaluator.post(at("import", made), {"file": file(data), "seen": token(text)}, headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (204, at("change", made))
    assert [each.text for each in specs(made)] == ["Was jetzt?", "Neu?"]


def test_it_works_without_scripts_too(evaluator):
    made, data = question_set(specs=[spec("a1")]), b"id,question\na1,Was jetzt?\n"
    text = evaluator.post(at("import", made), {"file": file(data)}).content.decode()
    answer = evaluator.post(at("import", made), {"file": file(data), "seen": token(text)})
    assert answer["Location"] == at("change", made)
    assert "1 question was changed." in page(evaluator, at("change", made))


def test_errors_are_listed_by_row_and_nothing_can_be_saved(evaluator):
    made = question_set(specs=[spec("a1")])
    text = send(evaluator, at("import", made), b"id,question,expected\na1,,answer\na2,Was?,perhaps\n")
    assert "The file cannot be imported yet" in text
    assert 'name="seen"' not in text
    assert re.findall(r"<tr><td>(\d+)</td>", text) == ["2", "3"]


def test_a_file_without_sense_is_told_at_the_field(evaluator):
    made = question_set()
    assert "has no column" in send(evaluator, at("import", made), b"a,b\n1,2\n")
    assert "larger than 10 MB" in send(evaluator, at("import", made), b"x" * (MOST_BYTES + 1))
    assert "File" in evaluator.post(at("import", made), {}, headers=HTMX).content.decode()


def test_a_new_set_comes_from_a_file_and_only_when_it_is_saved(evaluator):
    source = question_set(specs=ODD)
    data = questions_export(source, FileKind.JSON).data
    source.delete()
    text = send(evaluator, NEW, data, name="Alle Arten")
    assert not QuestionSet.objects.exists()
    evaluator.post(NEW, {"file": file(data), "name": "Alle Arten", "seen": token(text)}, headers=HTMX)
    made = QuestionSet.objects.get()
    assert (made.name, made.slug, made.origin) == ("Alle Arten", "alle-arten", "own")
    assert specs(made) == ODD


def test_a_new_set_needs_a_name(evaluator):
    assert "Name of the new set" in send(evaluator, NEW, b"id,question\na,b\n")
    assert not QuestionSet.objects.exists()


@pytest.mark.parametrize("kind", ["csv", "csv-comma", "json"])
def test_an_export_is_a_file_that_comes_back_the_same(evaluator, kind):
    made = question_set(specs=ODD)
    answer = evaluator.post(at("export", made), {"format": kind})
    assert 'filename="questions-own-' in answer["Content-Disposition"]
    made.questions.all().delete()
    text = send(evaluator, at("import", made), answer.content)
    evaluator.post(at("import", made), {"file": file(answer.content), "seen": token(text)}, headers=HTMX)
    assert specs(made) == ODD


def test_naughty_rows_are_read_or_told_and_break_no_page(evaluator):
    made = question_set()
    rows = [{"id": f"n{n}", "question": text, "must": [text], "note": text} for n, text in enumerate(naughty_strings())]
    data = json.dumps(rows).encode()
    text = send(evaluator, at("import", made), data)
    assert "The file cannot be imported yet" in text, "some are empty or too long"
    fit = json.dumps([row for row in rows if 0 < len(row["question"].strip()) <= 300 and row["question"].isprintable()])
    text = send(evaluator, at("import", made), fit.encode())
    evaluator.post(at("import", made), {"file": file(fit.encode()), "seen": token(text)}, headers=HTMX)
    assert made.questions.count() > 300
    page(evaluator, QUESTIONS)
    again = questions_export(made, FileKind.CSV).data
    assert "The file changes nothing" in send(evaluator, at("import", made), again)


def test_the_builders_questions_are_taken_over_by_a_button(evaluator, settings):
    settings.PORTS = {}
    assert REFRESH not in page(evaluator, LIST)
    assert evaluator.post(REFRESH).status_code == 404
    settings.PORTS = {"evaluation.builder_questions": "tests.evaluation.test_shipping.combinations"}
    assert REFRESH in page(evaluator, LIST)
    assert evaluator.get(REFRESH).status_code == 405
    evaluator.post(REFRESH)
    assert QuestionSet.objects.get(slug="builder").questions.count() == 2


# --- for whom ---


@pytest.mark.parametrize("group", ["editor", "publisher", "desk", "log reader", "operator", ""])
def test_others_are_refused(client, group):
    made = question_set()
    login(client, group)
    question = reverse("admin:evaluation_question_change", args=[made.questions.first().pk])
    for address in (LIST, ADD, NEW, QUESTIONS, question, *(at(name, made) for name in ("change", "import", "export"))):
        assert client.get(address).status_code == 403, address
        assert client.post(address).status_code == 403, address
    assert client.post(REFRESH).status_code == 403


def test_the_menu_shows_the_pages_only_to_who_may_open_them(client):
    login(client, "desk")
    assert LIST not in client.get(reverse("admin:index")).content.decode()
    client.logout()
    from django.contrib.auth.models import Group, User

    user = User.objects.get(username="evi")
    user.groups.set(Group.objects.filter(name="evaluator"))
    client.force_login(User.objects.get(pk=user.pk))
    assert LIST in client.get(reverse("admin:index")).content.decode()


@pytest.mark.parametrize("name", ["import", "export"])
def test_a_set_that_is_not_there_is_not_found(evaluator, name):
    address = reverse(f"admin:evaluation_questionset_{name}", args=[99])
    assert evaluator.get(address).status_code == 404
    assert evaluator.get(address.replace("/99/", "/99999999999999999999999/")).status_code == 404


# --- how much it costs, and in which language ---


def test_no_page_asks_more_of_the_database_for_more_rows(evaluator, django_assert_max_num_queries):
    counts: dict[str, list[int]] = {}
    for sets in (1, 12):
        QuestionSet.objects.all().delete()
        for number in range(sets):
            made = question_set(f"s{number}", [spec(f"a{n}") for n in range(sets)])
            finished_run(made)
        order = reverse("admin:evaluation_evaluationrun_add")
        for name, address in (("sets", LIST), ("questions", QUESTIONS), ("order", order), ("set", at("change", made))):
            with django_assert_max_num_queries(30) as counted:
                page(evaluator, address)
            counts.setdefault(name, []).append(len(counted.captured_queries))
    assert {name: few == many for name, (few, many) in counts.items()} == dict.fromkeys(counts, True), counts


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_page_comes_in_both_languages(evaluator, settings, language):
    settings.LANGUAGE_CODE = language
    made = question_set(specs=[FULL])
    evaluator.cookies["wegweiser_language"] = language
    question = reverse("admin:evaluation_question_change", args=[made.questions.first().pk])
    with translation.override(language):
        for address in (
            LIST,
            ADD,
            NEW,
            QUESTIONS,
            question,
            *(at(name, made) for name in ("change", "import", "export")),
        ):
            assert f'lang="{language}"' in page(evaluator, address)


def asked(made: QuestionSet, **values: str) -> dict[str, str]:
    plain = {"text": "Was?", "key": "k1", "number": "1", "language": "de", "kind": "answerable", "needs": "any"}
    return {"question_set": str(made.pk), **plain, **values}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"number": "0"}, "A turn is a whole number from 1 to 999."),
        ({"number": "1000"}, "A turn is a whole number from 1 to 999."),
        ({"language": "deutsch!"}, "is no language"),
        ({"kind": "unanswerable", "subkind": "wrong_praty"}, "is one of not_in_corpus, wrong_party"),
    ],
)
def test_a_question_that_no_file_could_hold_is_told_at_its_field(evaluator, given, words):
    answer = evaluator.post(reverse("admin:evaluation_question_add"), asked(question_set(), **given))
    assert words in answer.content.decode()
    assert "evaluation_question_counts_from_one" not in answer.content.decode()
    assert not Question.objects.filter(key="k1").exists()


def test_a_question_added_from_its_set_leads_back_to_the_questions_of_the_set(evaluator):
    made = question_set()
    [link] = re.findall(r'href="([^"]*question/add/[^"]*)"', page(evaluator, at("change", made)))
    answer = evaluator.post(link.replace("&amp;", "&"), asked(made))
    assert answer["Location"] == f"{QUESTIONS}?question_set__id__exact={made.pk}"


def test_letters_of_a_wrong_encoding_stand_above_the_button(evaluator):
    text = send(evaluator, at("import", question_set()), "id,question\nb,Was kostet Ã¼berhaupt was?\n".encode())
    assert text.index("Row 2: “Ã¼”") < text.index('name="seen"')
