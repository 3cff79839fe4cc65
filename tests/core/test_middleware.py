"""The content security policy, and clean queries."""

from __future__ import annotations

import pytest
from django.test import AsyncClient, Client

pytestmark = pytest.mark.django_db


def directives(policy: str) -> dict[str, str]:
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


def test_public_pages_allow_no_foreign_and_no_inline_code():
    policy = directives(Client().get("/health/")["Content-Security-Policy"])
    assert policy["script-src"] == policy["style-src"] == policy["default-src"] == "'self'"
    assert policy["object-src"] == policy["frame-ancestors"] == "'none'"


def test_the_back_office_adds_only_what_its_skin_needs():
    policy = directives(Client().get("/admin/login/")["Content-Security-Policy"])
    assert policy["script-src"] == "'self' 'unsafe-eval'"
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert "http" not in " ".join(policy.values())


async def test_the_policy_is_set_on_the_async_way_too():
    response = await AsyncClient().get("/no-such-page/")
    assert "script-src 'self'" in response["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/admin/login/"])
def test_no_page_may_be_framed_by_another_site(path):
    assert Client().get(path)["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    "path", ["/", "/admin/login/", "/admin/", "/sources/0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11/1/0/"]
)
def test_a_nul_in_a_cookie_reaches_no_database(path):
    cookies = "; ".join(f'{name}="\\000{"a" * 32}"' for name in ("wegweiser_session", "wegweiser_reader", "messages"))
    assert Client().get(path, headers={"Cookie": cookies}).status_code < 500


def test_a_nul_in_a_query_reaches_no_view():
    assert Client().get("/admin/login/?next=%00/admin/").status_code == 200
    assert Client().get("/%00").status_code == 404


@pytest.mark.parametrize("encoding", ["utf-7", "utf-16", "latin-1", "nonsense"])
def test_forms_and_queries_are_utf_8_whatever_a_request_claims(encoding):
    strict = Client(enforce_csrf_checks=True)
    form = f"application/x-www-form-urlencoded; charset={encoding}"
    strict.get("/")
    token = strict.cookies["wegweiser_csrf"].value
    told = strict.generic("POST", "/ask/", b"question=", content_type=form, headers={"X-CSRFToken": token})
    assert told.status_code == 422
    # +AAA- is a NUL in UTF-7.
    seen = Client().get("/admin/login/", QUERY_STRING="next=%2BAAA-", CONTENT_TYPE=form)
    assert "\x00" not in seen.wsgi_request.GET["next"]
