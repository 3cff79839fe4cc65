"""The pages of runs: ordered, watched, read, compared; for evaluators and nobody else."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from apps.evaluation.models import EvaluationRun
from apps.evaluation.question_files import Expected
from apps.evaluation.services import run_order
from apps.evaluation.types import QuestionKind
from tests.evaluation.building import (
    FakeAsk,
    answered,
    finished_run,
    login,
    question_set,
    refused,
    sentence,
    spec,
    unanswerable,
)

pytestmark = pytest.mark.django_db

LIST, ADD = reverse("admin:evaluation_evaluationrun_changelist"), reverse("admin:evaluation_evaluationrun_add")


def at(name: str, run: EvaluationRun, *more: int) -> str:
    return reverse(f"admin:evaluation_evaluationrun_{name}", args=[run.pk, *more])


def page(client: Client, address: str, **query: object) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def words(text: str) -> str:
    """The words of a page, without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def refusing_all() -> FakeAsk:
    return FakeAsk(otherwise=refused)


# --- ordering and watching ---


def test_a_run_is_ordered_and_shown_while_it_runs(evaluator, queued):
    own = question_set()
    assert "Own (2)" in page(evaluator, ADD)
    answer = evaluator.post(ADD, {"sets": [own.pk], "note": " a  new prompt ", "most": "1"})
    run = EvaluationRun.objects.get()
    assert answer["Location"] == at("change", run)
    assert (run.note, run.most, run.author.username, queued) == ("a new prompt", 1, "evi", [run.pk])
    assert "waits for a worker" in page(evaluator, at("change", run))
    EvaluationRun.objects.update(state="running", total=10, asked=4)
    moving = evaluator.get(at("progress", run))
    assert ("4 of 10 questions" in moving.content.decode(), "HX-Refresh" in moving) == (True, False)
    assert 'hx-trigger="every 2s"' in page(evaluator, at("change", run))


def test_the_page_of_a_set_brings_it_along(evaluator):
    own, _other = question_set("own"), question_set("other")
    field = evaluator.get(ADD, {"set": own.pk}).context["form"]["sets"]
    assert [each.data["value"].value for each in field if each.data["selected"]] == [own.pk]


@pytest.mark.parametrize("given", [{}, {"sets": ["999"]}, {"sets": ["x"]}, {"most": "0"}])
def test_an_order_without_sense_is_told(evaluator, given):
    own = question_set()
    data = {"sets": [own.pk], **given} if given else {}
    assert evaluator.post(ADD, data).status_code == 200
    assert not EvaluationRun.objects.exists()


def test_the_progress_of_a_run_that_is_over_or_gone_loads_the_page_anew(evaluator):
    run = finished_run()
    assert evaluator.get(at("progress", run))["HX-Refresh"] == "true"
    gone = at("progress", run)
    run.delete()
    assert evaluator.get(gone)["HX-Redirect"] == LIST


def test_a_run_is_cancelled_by_its_button(evaluator):
    run = run_order(author=None, sets=[question_set()])
    assert evaluator.post(at("cancel", run)).status_code == 302
    run.refresh_from_db()
    assert run.state == "cancelled"
    assert "had just finished" in evaluator.post(at("cancel", run), follow=True).content.decode()


# --- reading ---


def test_a_run_says_at_the_top_what_it_found(evaluator):
    text = words(page(evaluator, at("change", finished_run(fake=refusing_all()))))
    assert "1 of 2 answers were as expected in everything: 50.0 %" in text
    assert "wrongly refused 100.0 %" in text
    assert "release of the rules" in text


def test_the_wrong_answers_are_found_by_one_click(evaluator):
    run = finished_run(fake=refusing_all())
    text = page(evaluator, at("change", run), show="wrong")
    assert "(a001)" in text
    assert "(u001)" not in text
    assert "ended otherwise than expected" in text
    assert "(u001)" in page(evaluator, at("change", run), show="right")
    assert "(a001)" not in page(evaluator, at("change", run), kind="unanswerable")


@pytest.mark.parametrize("query", [{"show": "nonsense"}, {"kind": "nonsense"}, {"page": "x"}, {"page": "999"}])
def test_made_up_filters_break_nothing(evaluator, query):
    page(evaluator, at("change", finished_run()), **query)


def test_a_failed_run_shows_its_reason(evaluator):
    empty = question_set()
    empty.questions.all().delete()
    assert "The chosen sets hold no questions." in page(evaluator, at("change", finished_run(empty)))


def test_a_result_shows_what_was_expected_what_came_and_how(evaluator):
    run = finished_run(
        question_set(specs=[spec()]), fake=FakeAsk({"Wie": answered(sentence(), query="Wie hoch ist er?")})
    )
    text = words(page(evaluator, at("result", run, run.results.get().pk)))
    for expected in (
        "Wie hoch ist der Mindestlohn (a001)?",
        "an answer",
        "https://example.org/programm",
        "an expected source is quoted",
        "search as it stands",
        "It is the first question of the conversation",
        "Wie hoch ist er?",
        "1 passage found",
        "0.800",
        "search 12.0 ms",
        "retrieved",
        "Talbund",
    ):
        assert expected in text


def test_a_result_links_each_quotation_to_its_place(evaluator):
    run = finished_run(question_set(specs=[spec()]))
    text = page(evaluator, at("result", run, run.results.get().pk))
    assert "/sources/6f1c2a52-0000-4000-8000-000000000001/1/24-46/#passage" in text


def test_a_turn_of_a_conversation_links_the_others(evaluator):
    turns = [spec("d1", number=n, text=f"Frage {n}?", kind=QuestionKind.DIALOGUE) for n in (1, 2, 3)]
    run = finished_run(question_set(specs=turns))
    first, second, third = run.results.order_by("position")
    text = page(evaluator, at("result", run, second.pk))
    assert at("result", run, first.pk) in text
    assert at("result", run, third.pk) in text


def test_from_one_wrong_answer_to_the_next(evaluator):
    own = question_set(specs=[spec(f"a{n}") for n in range(4)])
    right = {"Wie hoch ist der Mindestlohn (a1": answered()}
    run = finished_run(own, fake=FakeAsk(right, otherwise=refused))
    results = list(run.results.order_by("position"))
    text = page(evaluator, at("result", run, results[2].pk))
    assert at("result", run, results[0].pk) in text
    assert at("result", run, results[3].pk) in text
    assert at("result", run, results[1].pk) not in text


def test_a_result_of_hostile_words_is_shown_as_text(evaluator):
    question = spec(text="<script>alert(1)</script>", note="<img src=x onerror=alert(1)>", subkind="<b>")
    run = finished_run(question_set("own", [question], name="<i>Set</i>"))
    for address in (LIST, at("change", run), at("result", run, run.results.get().pk)):
        text = page(evaluator, address)
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "<i>Set" not in text


def test_a_broken_answer_has_a_page_too(evaluator):
    from tests.evaluation.building import failed

    run = finished_run(question_set(specs=[spec()]), fake=FakeAsk(otherwise=failed))
    assert "search_down" in page(evaluator, at("result", run, run.results.get().pk))


# --- comparing ---


def two_runs() -> tuple[EvaluationRun, EvaluationRun]:
    own = question_set(specs=[*(spec(f"a{n:02}") for n in range(12)), unanswerable("u1")])
    worse = {f"Wie hoch ist der Mindestlohn (a{n:02})": refused() for n in range(10)}
    before = finished_run(own, fake=FakeAsk({**worse, "Wie hoch ist der Mindestlohn (u1": refused()}))
    return before, finished_run(own, note="new prompt")


def test_two_runs_are_compared_from_either_side(evaluator):
    before, after = two_runs()
    addresses = [(at("compare", after), before.pk), (at("compare", before), after.pk)]
    texts = [words(page(evaluator, address, before=other)) for address, other in addresses]
    for text in texts:
        assert "The later run is better: 92.3 % of 13 answers as expected, before 23.1 %." in text
        assert "10 questions became right, 1 became wrong." in text
        assert "with a probability of 0.012 (McNemar)" in text  # 2 * (1 + 11) / 2^11
        assert "+69.2" in text


def test_changed_questions_link_both_traces(evaluator):
    before, after = two_runs()
    text = page(evaluator, at("compare", after), before=before.pk)
    for run in (before, after):
        for key in ("a03", "u1"):
            assert at("result", run, run.results.get(key=key).pk) in text
        assert at("result", run, run.results.get(key="a11").pk) not in text
    assert text.index("worse (1)") < text.index("better (10)")


def test_a_run_offers_only_runs_of_the_same_sets(evaluator):
    own, other = question_set("own"), question_set("other")
    first, second, foreign = finished_run(own), finished_run(own), finished_run(other)
    text = page(evaluator, at("change", first))
    assert f'<option value="{second.pk}"' in text
    assert f'<option value="{foreign.pk}"' not in text
    answer = evaluator.get(at("compare", first), {"before": foreign.pk}, follow=True)
    assert answer.redirect_chain == [(at("change", first), 302)]
    assert "Nothing was compared: choose another run" in answer.content.decode()


@pytest.mark.parametrize("before", ["", "x", "999999", "-1", "99999999999999999999999"])
def test_there_is_no_comparison_with_nothing(evaluator, before):
    run = finished_run()
    answer = evaluator.get(at("compare", run), {"before": before}, follow=True)
    assert answer.redirect_chain == [(at("change", run), 302)]
    assert "Nothing was compared" in answer.content.decode()


def test_the_wording_of_a_question_that_changed_is_no_pair(evaluator):
    own = question_set(specs=[spec("a1"), spec("a2")])
    before = finished_run(own)
    own.questions.filter(key="a1").update(text="Etwas ganz anderes?")
    after = finished_run(own)
    text = words(page(evaluator, at("compare", after), before=before.pk))
    assert "1 question was asked in both runs." in text
    assert "Only before: 1, only after: 1" in text


# --- for whom ---


def addresses(run: EvaluationRun) -> list[tuple[str, str]]:
    result = run.results.first()
    return [
        ("get", LIST),
        ("get", ADD),
        ("post", ADD),
        ("get", at("change", run)),
        ("get", at("progress", run)),
        ("post", at("cancel", run)),
        ("get", at("compare", run)),
        ("get", at("result", run, result.pk)),
        ("post", at("delete", run)),
    ]


@pytest.mark.parametrize("group", ["editor", "publisher", "desk", "log reader", "operator", ""])
def test_others_are_refused(client, group):
    run = finished_run()
    login(client, group)
    assert {client.generic(method.upper(), address).status_code for method, address in addresses(run)} == {403}
    assert EvaluationRun.objects.filter(state="done").exists()


def test_who_is_not_signed_in_is_asked_to(client):
    run = finished_run()
    assert {client.generic(method.upper(), address).status_code for method, address in addresses(run)} == {302}


def test_who_may_only_look_may_not_order_or_cancel(client):
    from django.contrib.auth.models import Permission

    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_evaluationrun"))
    client.force_login(user)
    run = run_order(author=None, sets=[question_set()])
    assert "Cancel" not in page(client, at("change", run))
    assert client.get(ADD).status_code == 403
    assert client.post(at("cancel", run)).status_code == 403


@pytest.mark.parametrize("name", ["change", "progress", "cancel", "compare"])
def test_wrong_methods_and_numbers_are_refused(evaluator, name):
    run = finished_run()
    wrong = {"cancel": evaluator.get, "progress": evaluator.post, "compare": evaluator.post}.get(name)
    if wrong:
        assert wrong(at(name, run)).status_code == 405
    gone = at(name, run).replace(f"/{run.pk}/", "/99999999999999999999999/")
    answer = (evaluator.post if name == "cancel" else evaluator.get)(gone)
    assert answer.status_code in (404, 200 if name == "progress" else 404)


def test_a_result_of_another_run_is_not_found(evaluator):
    first, second = finished_run(question_set("a")), finished_run(question_set("b"))
    assert evaluator.get(at("result", first, second.results.first().pk)).status_code == 404


def test_a_run_is_deleted_after_a_question_that_counts_its_results(evaluator):
    own = question_set(specs=[spec(f"a{n}") for n in range(20)])
    run = finished_run(own)
    text = page(evaluator, at("delete", run))
    assert text.count("own a") == 0
    assert evaluator.post(at("delete", run), {"post": "yes"}).status_code == 302
    assert not EvaluationRun.objects.exists()


# --- how much it costs, and in which language ---


def queries(client, address, django_assert_max_num_queries, most, **query):
    with django_assert_max_num_queries(most) as counted:
        assert client.get(address, query).status_code == 200
    return len(counted.captured_queries)


def test_no_page_asks_more_of_the_database_for_more_rows(evaluator, django_assert_max_num_queries):
    few = question_set("few", [spec(f"a{n}") for n in range(2)])
    many = question_set("many", [*(spec(f"a{n}") for n in range(30)), *(unanswerable(f"u{n}") for n in range(10))])
    counts: dict[str, list[int]] = {}
    for own in (few, many):
        before, after = finished_run(own, fake=refusing_all()), finished_run(own)
        for name, address, query in (
            ("list", LIST, {}),
            ("run", at("change", after), {}),
            ("result", at("result", after, after.results.first().pk), {}),
            ("compare", at("compare", after), {"before": before.pk}),
        ):
            counts.setdefault(name, []).append(queries(evaluator, address, django_assert_max_num_queries, 30, **query))
    assert {name: few == many for name, (few, many) in counts.items()} == dict.fromkeys(counts, True), counts


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_page_comes_in_both_languages(evaluator, settings, language):
    settings.LANGUAGE_CODE = language
    questions = [
        spec("a1"),
        unanswerable(),
        spec("o1", kind=QuestionKind.OPINION, expected=Expected.QUOTE, speaker="X"),
    ]
    own = question_set(specs=questions)
    before, after = finished_run(own, fake=refusing_all()), finished_run(own)
    with translation.override(language):
        evaluator.cookies["wegweiser_language"] = language
        for address, query in (
            (LIST, {}),
            (ADD, {}),
            (at("change", after), {}),
            (at("result", after, after.results.first().pk), {}),
            (at("compare", after), {"before": before.pk}),
        ):
            assert f'lang="{language}"' in page(evaluator, address, **query)


def test_a_second_click_leads_to_the_run_that_the_first_one_ordered(evaluator):
    order = {"sets": [question_set().pk], "note": "twice"}
    first, second = (evaluator.post(ADD, order, follow=True) for _ in range(2))
    assert first.redirect_chain == second.redirect_chain
    assert EvaluationRun.objects.count() == 1
    said = "You had ordered just this run before"
    assert (said in first.content.decode(), said in second.content.decode()) == (False, True)


def test_an_order_without_a_set_is_told_to_choose_one(evaluator):
    assert "Choose at least one set." in evaluator.post(ADD, {"note": "x"}).content.decode()
