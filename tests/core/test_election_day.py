"""The demo brings the day of its election with it, and never takes the place of the operator's."""

from datetime import date

import pytest
from django.conf import settings

from apps.core.management.commands.quickstart import election_day_set


@pytest.mark.parametrize(("named", "told"), [(None, {"ELECTION_DAY": "2027-02-28"}), (date(2029, 9, 23), {})])
def test_the_processes_know_the_demos_day_where_nobody_has_named_another(monkeypatch, named, told):
    monkeypatch.setattr(settings, "ELECTION_DAY", named)
    environ: dict[str, str] = {}
    election_day_set(environ)
    assert environ == told
