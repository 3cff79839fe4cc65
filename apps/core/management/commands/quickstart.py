"""One command from a fresh clone to a running newsroom: servers, tables, demo, editor, web, worker, beat."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from apps.core.processes import WORKER_PATIENCE, ProcessManager, ProcessSpec, answers, free_port
from apps.embedded.errors import EmbeddedError
from apps.embedded.servers import ensure

EDITOR = "editor"


def election_day_set(environ: MutableMapping[str, str]) -> None:
    """Tell the processes that will be started the day of the demo's election, where nobody has named another."""
    if settings.ELECTION_DAY is None:
        environ["ELECTION_DAY"] = settings.DEMO_ELECTION_DAY


class Command(BaseCommand):
    help = "Starts everything: database, queue, demo, web server, worker and beat. Ctrl-C stops it all."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="the web server's port, or the next free one")
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--no-demo", action="store_true", help="start without the demo documents")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["port"] <= 65535:
            raise CommandError(f"--port must be between 1 and 65535, not {options['port']}.")
        self._start_servers()
        self._step("Preparing the tables")
        call_command("migrate", verbosity=0, interactive=False)
        self._check()
        password = self._create_editor()
        if not options["no_demo"]:
            for name in settings.DEMO_COMMANDS:
                call_command(name, first=1, stdout=self.stdout, stderr=self.stderr)
            election_day_set(os.environ)
        connection.close()
        try:
            port, is_preferred = free_port(options["port"], options["host"])
        except OSError as error:
            raise CommandError(f"{error} Choose another with --port.") from error
        if not is_preferred:
            self._step(f"Port {options['port']} is in use; taking {port}")
        base = f"http://{options['host']}:{port}"
        manager = ProcessManager(self._processes(options["host"], port, base), sys.stdout)
        code = manager.run(partial(self._welcome, base, password))
        if code:
            sys.exit(code)

    def _step(self, text: str) -> None:
        self.stdout.write(f"{text} …")
        self.stdout.flush()

    def _start_servers(self) -> None:
        if not settings.EMBEDDED:
            self._step("Using the servers named in DATABASE_URL and CELERY_BROKER_URL")
            return
        self._step("Starting PostgreSQL and Valkey")
        try:
            ensure(Path(settings.BASE_DIR), say=self.stdout.write)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error

    def _check(self) -> None:
        """Run the system checks with the database: a wrong index is refused before readers see it."""
        call_command("check", databases=["default"], stdout=self.stderr)

    def _create_editor(self) -> str:
        """Create the editor once and return the password, or an empty text when there is one."""
        users = get_user_model().objects
        if users.filter(is_staff=True).exists():
            return ""
        password = secrets.token_urlsafe(12)
        editor = users.create_user(EDITOR, password=password, is_staff=True)
        editor.groups.set(Group.objects.all())
        return password

    def _processes(self, host: str, port: int, base: str) -> list[ProcessSpec]:
        celery = [sys.executable, "-m", "celery", "--quiet", "-A", "apps.config"]
        schedule = Path(settings.VAR_DIR) / "celerybeat-schedule"
        schedule.parent.mkdir(parents=True, exist_ok=True)
        web = [
            *(sys.executable, "-m", "uvicorn", "apps.config.asgi:application"),
            *("--host", host, "--port", str(port)),
            *("--workers", str(settings.WEB_PROCESSES), *WORKER_PATIENCE),
            *("--lifespan", "on", "--timeout-graceful-shutdown", "3", "--log-level", "warning", "--no-server-header"),
        ]
        return [
            ProcessSpec("web", web, is_ready=partial(answers, f"{base}/health/")),
            ProcessSpec("beat", [*celery, "beat", "--schedule", str(schedule), "--pidfile=", "--loglevel", "WARNING"]),
            # One worker process: the other core belongs to the readers.
            ProcessSpec(
                "worker",
                [*celery, "worker", "--queues", "celery,placing", "--concurrency", "1", "--loglevel", "WARNING"],
                # Celery warns of root in five lines; the embedded servers have said what root means here.
                env={"PYTHONWARNINGS": "ignore:You're running the worker with superuser"},
                stop_seconds=20,
            ),
            # Topics of the log: one run at a time, in a child that is renewed, so that its memory comes back.
            ProcessSpec(
                "topics",
                [
                    *(*celery, "worker", "--queues", "topics,placing", "--hostname", "topics@%h", "--concurrency", "1"),
                    *("--max-tasks-per-child", "20", "--max-memory-per-child", "1200000", "--loglevel", "WARNING"),
                ],
                env={"PYTHONWARNINGS": "ignore:You're running the worker with superuser", "OMP_NUM_THREADS": "1"},
                stop_seconds=20,
            ),
        ]

    def _welcome(self, base: str, password: str) -> None:
        lines = ["", f"Readers' page:  {base}/", f"Back office:    {base}/admin/"]
        if password:
            lines += [f"Log in as:      {EDITOR}", f"Password:       {password}   (shown only this once)"]
        else:
            lines += [f"Forgotten the password?  python manage.py changepassword {EDITOR}"]
        lines += ["Ctrl-C stops everything.", ""]
        for line in lines:
            self.stdout.write(line)
        self.stdout.flush()
