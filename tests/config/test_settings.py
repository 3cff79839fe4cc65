"""Settings fail at start with a sentence that names the variable."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVERS = {
    "DATABASE_URL": "postgres://user:secret-word@db.example.org/news",
    "CELERY_BROKER_URL": "redis://queue.example.org/0",
    "DJANGO_SECRET_KEY": "x" * 60,
    "DJANGO_ALLOWED_HOSTS": "news.example.org",
}
OURS = {"VAR_DIR", "EMBEDDER", "MEDIA_ROOT", "STATIC_ROOT", *SERVERS}


def load_settings(tmp_path: Path, code: str = "pass", **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO_") and name not in OURS}
    environment = {**clean, "VAR_DIR": str(tmp_path), **variables}
    return subprocess.run(
        [sys.executable, "-c", f"from apps.config import settings\n{code}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_clone_with_nothing_set_starts_with_embedded_servers(tmp_path):
    result = load_settings(tmp_path, "assert settings.EMBEDDED and len(settings.SECRET_KEY) > 50")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_with_servers_named_nothing_embedded_is_used(tmp_path):
    code = "assert not settings.EMBEDDED and settings.DATABASES['default']['HOST'] == 'db.example.org'"
    result = load_settings(tmp_path, code, **SERVERS)
    assert result.returncode == 0, result.stderr
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize("missing", ["DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SECRET_KEY", "DJANGO_ALLOWED_HOSTS"])
def test_a_missing_server_variable_is_named(tmp_path, missing):
    variables = {name: value for name, value in SERVERS.items() if name != missing}
    result = load_settings(tmp_path, **variables)
    assert result.returncode != 0
    assert f"{missing} is not set" in result.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://user:secret-word@db/news"),
        ("DATABASE_URL", "postgres://user:secret-word@db"),
        ("DATABASE_URL", "postgres://user:secret-word@db:port/news"),
        ("DATABASE_URL", "nonsense"),
        ("CELERY_BROKER_URL", "http://queue.example.org"),
        ("DJANGO_DEBUG", "maybe"),
        ("DJANGO_HTTPS", "2"),
        ("QUESTION_RETENTION_DAYS", "a month"),
        ("QUESTION_RETENTION_DAYS", "0"),
        ("DATABASE_POOL_SIZE", "-1"),
        ("DJANGO_SECRET_KEY_FILE", "/no/such/file"),
        ("ELECTION_DAY", "28.2.2027"),
        ("ELECTION_DAY", "2027-02-30"),
    ],
)
def test_nonsense_is_refused_with_the_variable_and_without_the_secret(tmp_path, name, value):
    result = load_settings(tmp_path, **{**SERVERS, "DATABASE_POOL": "on", name: value})
    assert result.returncode != 0
    last_line = result.stderr.strip().splitlines()[-1]
    assert name in last_line
    assert "secret-word" not in last_line


def test_a_password_of_any_characters_may_be_set_apart_from_the_address(tmp_path):
    code = """
from kombu.utils.url import parse_url
database, broker = settings.DATABASES["default"], parse_url(settings.CELERY_BROKER_URL)
assert (database["USER"], database["PASSWORD"], database["HOST"]) == ("user", "p@ss/w:o%rd", "db.example.org")
assert (broker["password"], broker["hostname"], broker["virtual_host"]) == ("b@/:#%", "queue.example.org", "0")
"""
    variables = {**SERVERS, "DATABASE_PASSWORD": "p@ss/w:o%rd", "CELERY_BROKER_PASSWORD": "b@/:#%"}
    result = load_settings(tmp_path, code, **variables)
    assert result.returncode == 0, result.stderr


def test_a_secret_may_stand_in_a_file(tmp_path):
    (tmp_path / "key").write_text("k" * 60 + "\n")
    variables = {name: value for name, value in SERVERS.items() if name != "DJANGO_SECRET_KEY"}
    code = "assert settings.SECRET_KEY == 'k' * 60"
    result = load_settings(tmp_path, code, **variables, DJANGO_SECRET_KEY_FILE=str(tmp_path / "key"))
    assert result.returncode == 0, result.stderr
