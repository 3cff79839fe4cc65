"""The lock files: one supervisor per checkout, one starter at a time. The kernel frees them with their process."""

import fcntl
import os
import time
from pathlib import Path

# a supervisor that stops its servers may need as long as PostgreSQL's last checkpoint
SUPERVISOR_SECONDS = 90.0


def take(path: Path) -> int | None:
    """An open handle that holds the lock at `path`, or None when another process has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def hold_supervisor(home: Path, seconds: float = SUPERVISOR_SECONDS) -> bool:
    """Become the supervisor until this process ends; waits for one that is still stopping its servers."""
    deadline = time.monotonic() + seconds
    while (handle := take(home / "supervisor.lock")) is None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    os.truncate(handle, 0)
    os.write(handle, f"{os.getpid()}\n".encode())
    return True


def supervisor(home: Path) -> int | None:
    """The process id of the present or last supervisor."""
    try:
        return int((home / "supervisor.lock").read_text())
    except (OSError, ValueError):
        return None
