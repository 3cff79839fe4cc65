#!/usr/bin/env python3
"""Runs a management command, with the embedded servers underneath where none are configured."""

import os
import sys

# Read by libgomp when it is loaded: more than one thread stalls the embedder on a busy machine and hangs after a fork.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Commands that need no database; all others wait for it.
OFFLINE = {
    "help",
    "version",
    "--help",
    "--version",
    "collectstatic",
    "compilemessages",
    "makemessages",
    "quickstart",
}


def main() -> None:
    """Set the settings module, start what the command needs, run it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from apps.config.servers import ensure_servers
    from apps.embedded.errors import EmbeddedError

    try:
        command = sys.argv[1] if len(sys.argv) > 1 else "help"
        if command not in OFFLINE and "--help" not in sys.argv:
            ensure_servers()
        execute_from_command_line(sys.argv)
    except (EmbeddedError, ImproperlyConfigured) as error:
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
