"""The commands evaluate and bench."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.core import measuring
from apps.core.management.commands import bench, evaluate
from apps.core.suites import Suite, SuiteResult


def measure_something(context):
    return SuiteResult(3, {"hit_at_1": 0.5, "crashed": 0}, ["a note"])


def measure_missing(context):
    context.folder("no-such-set")
    raise AssertionError


@pytest.fixture
def registry(monkeypatch):
    suites = {
        "some:thing": Suite("some:thing", "Measures something.", measure_something, False, False),
        "with:data": Suite("with:data", "Needs data.", measure_missing, True, False),
    }
    monkeypatch.setattr(evaluate.Command, "registry", suites)
    monkeypatch.setattr(measuring, "load_suites", lambda: None)
    return suites


def run(*args: str) -> str:
    out = io.StringIO()
    call_command("evaluate", *args, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_the_list_names_every_suite(registry):
    assert "some:thing" in run("--list")
    assert "Needs data." in run()


def test_json_is_one_object_on_one_line(registry):
    text = run("some:thing", "--json")
    assert text.count("\n") == 1
    record = json.loads(text)
    assert record["suite"] == "some:thing"
    assert record["n"] == 3
    assert record["figures"] == {"hit_at_1": 0.5, "crashed": 0}
    assert set(record) == {"suite", "n", "figures", "seconds", "version"}


def test_the_table_shows_figures_and_notes(registry):
    text = run("some:thing")
    assert "hit_at_1" in text
    assert "a note" in text


def test_an_unknown_suite_is_refused(registry):
    with pytest.raises(CommandError, match="no-such"):
        run("no-such")


def test_without_data_it_says_how_to_name_it(registry, monkeypatch):
    monkeypatch.delenv("EVALUATION_DATA", raising=False)
    with pytest.raises(CommandError, match="--data"):
        run("with:data")


def test_a_missing_set_is_named(registry, tmp_path):
    with pytest.raises(CommandError, match="no-such-set"):
        run("with:data", "--data", str(tmp_path))


def test_every_real_suite_is_found_by_its_name(monkeypatch):
    from apps.core.suites import BENCHES, SUITES, load_suites

    load_suites()
    assert {"retrieval:xquad-de", "retrieval:amt24", "retrieval:legalquad", "retrieval:wahl-o-mat"} <= set(SUITES)
    assert {"parsing:programmes", "parsing:html", "parsing:fixtures", "parsing:hidden"} <= set(SUITES)
    assert "citations:extractive" in SUITES
    assert {"retrieval", "ingest", "answer", "source"} <= set(BENCHES)
    assert bench.Command.registry is BENCHES


@pytest.mark.django_db(transaction=True)
def test_a_throw_away_database_leaves_nothing(registry):
    before = connection.settings_dict["NAME"]
    with measuring.throwaway_database():
        assert connection.settings_dict["NAME"] != before
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM documents_document")
            assert cursor.fetchone() == (0,)
        inside = connection.settings_dict["NAME"]
    assert connection.settings_dict["NAME"] == before
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [inside])
        assert cursor.fetchone() == (0,)
