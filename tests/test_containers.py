"""The container files, as far as they can be checked without an engine."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SERVICES = COMPOSE["services"]


def test_there_is_a_service_for_each_part():
    assert set(SERVICES) == {"db", "valkey", "migrate", "web", "worker", "topics", "beat"}


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"migrate"}))
def test_a_lasting_service_has_a_health_check(name):
    check = SERVICES[name].get("healthcheck")
    assert (check is not None and check.get("test")) or (name == "web" and "HEALTHCHECK" in DOCKERFILE)


def test_no_secret_has_a_default():
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for variable in re.findall(r"\$\{([A-Z_]*(?:PASSWORD|SECRET)[A-Z_]*)(.)", text):
        assert variable[1] == ":", variable
    assert not re.search(r"\$\{[A-Z_]*(?:PASSWORD|SECRET_KEY)[A-Z_]*:?-[^}]", text)


def test_web_worker_beat_and_migrate_share_one_image():
    assert {SERVICES[name]["image"] for name in ("web", "worker", "topics", "beat", "migrate")} == {"wegweiser:latest"}


def test_every_named_volume_is_declared():
    used = {mount.split(":")[0] for service in SERVICES.values() for mount in service.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])


def test_work_waits_for_the_tables():
    for name in ("web", "worker", "topics", "beat"):
        assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


def test_only_the_web_server_is_reachable_and_only_from_this_machine():
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"web": ["${WEB_ADDRESS:-127.0.0.1:8000}:8000"]}


def test_every_variable_of_the_application_is_one_that_settings_read():
    settings = (ROOT / "apps/config/settings.py").read_text(encoding="utf-8")
    for variable in SERVICES["web"]["environment"]:
        assert f'"{variable}"' in settings, variable


def test_every_variable_that_an_operator_may_set_is_passed_on():
    settings = (ROOT / "apps/config/settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings))
    of_the_image = {"VAR_DIR", "MEDIA_ROOT", "STATIC_ROOT"}
    for_one_machine = {"DATABASE_POOL", "DJANGO_DEBUG", "DJANGO_SESSION_COOKIE"}
    assert "FETCH_ALLOWED_HOSTS" in read
    assert read - set(SERVICES["web"]["environment"]) <= of_the_image | for_one_machine


def test_no_password_stands_in_an_address():
    environment = SERVICES["web"]["environment"]
    addresses = [value for name, value in environment.items() if "://" in value]
    assert len(addresses) == 2
    assert not [address for address in addresses if "PASSWORD" in address]
    assert environment["DATABASE_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    assert environment["CELERY_BROKER_PASSWORD"].startswith("${VALKEY_PASSWORD:?")


def test_the_image_runs_as_an_ordinary_user():
    assert [line for line in DOCKERFILE.splitlines() if line.startswith("USER ")] == ["USER wegweiser"]
    assert DOCKERFILE.index("USER wegweiser") < DOCKERFILE.index('CMD ["uvicorn"')


@pytest.mark.parametrize(
    ("hosts", "asked"),
    [("news.example.org", "news.example.org"), (" .example.org,b.example", "example.org"), ("*", "localhost")],
)
def test_the_health_check_asks_by_a_name_that_is_allowed(hosts, asked):
    told: list[str] = []

    class Web(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.extend([self.path, self.headers["Host"]])
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    command = json.loads(re.search(r"^HEALTHCHECK.*\\\n\s+CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)[1])
    with HTTPServer(("127.0.0.1", 0), Web) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        code = command[2].replace(":8000", f":{server.server_port}")
        environment = {**os.environ, "DJANGO_ALLOWED_HOSTS": hosts}
        assert subprocess.run([sys.executable, "-c", code], env=environment, timeout=30).returncode == 0
    assert told == ["/health/", asked]


def test_no_access_log_is_written():
    assert '"--no-access-log"' in DOCKERFILE


def test_everything_that_is_copied_exists_and_reaches_the_build():
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for line in DOCKERFILE.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, _target = shlex.split(line)[1:]
            for source in sources:
                assert (ROOT / source).exists(), source
                assert source in admitted, source
