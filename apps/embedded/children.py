"""Starts, finds and stops processes so that none outlives who started it. Also used by the foreground manager."""

import contextlib
import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_SET_PDEATHSIG = 1
# elsewhere neither /proc nor the signal of a dying parent exist
LINUX = sys.platform == "linux"
_libc = ctypes.CDLL(None) if LINUX else None


@dataclass(frozen=True, slots=True)
class Account:
    """The user a server runs as."""

    name: str
    user: int
    group: int


def die_with_parent(death_signal: int) -> Callable[[], None] | None:
    """A `preexec_fn` that has the kernel signal the child when the calling *thread* ends; Linux only.

    Start children from the main thread only, or they die with the thread that started them.
    """
    if _libc is None:
        return None
    libc, parent, number = _libc, os.getpid(), int(death_signal)

    def bind() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)
        # the parent may have died before the call above
        if os.getppid() != parent:
            os._exit(1)

    return bind


def server_environment() -> dict[str, str]:
    """An environment in which no PGDATA, PGHOST or LANG of the caller changes what a server does."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def running_in(program: str, *folders: Path) -> list[int]:
    """Living processes of `program` that work in one of the folders; no zombies, no reused process ids.

    Every backend of PostgreSQL works in its data folder. Where there is no /proc (macOS) the command line tells.
    """
    if LINUX:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return [pid for pid in pids if _works_in(pid, program, {str(folder) for folder in folders})]
    listing = subprocess.run(["ps", "-axwwo", "pid=,stat=,command="], capture_output=True, text=True, check=False)
    # the program itself, not an editor or a pager with a file of that folder
    pattern = re.compile(rf"(^|/){re.escape(program)} .*({'|'.join(re.escape(str(folder)) for folder in folders)})")
    lines = [line.split(None, 2) for line in listing.stdout.splitlines()]
    return [
        int(line[0]) for line in lines if len(line) == 3 and line[1][0] != "Z" and pattern.search(line[2]) is not None
    ]


def has_argument(pid: int, argument: str) -> bool:
    """Whether a process found by `running_in` was started with this argument (taken for granted without /proc)."""
    if not LINUX:
        return True
    try:
        return argument.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def end(pids: Callable[[], list[int]], signals: Sequence[tuple[int, float]]) -> bool:
    """Send each signal in turn to what `pids()` finds and wait its seconds; True when nothing is left."""
    for number, seconds in signals:
        for pid in pids():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
        deadline = time.monotonic() + seconds
        while pids():
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        else:
            return True
    return not pids()


def spawn(
    argv: Sequence[str], folder: Path, output: Path, death_signal: int, account: Account | None
) -> subprocess.Popen[bytes]:
    """Start a server that works in `folder`, writes to the log `output` and does not outlive this thread."""
    with output.open("ab") as stream:
        return subprocess.Popen(
            argv,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            env=server_environment(),
            preexec_fn=die_with_parent(death_signal),
            user=account.user if account else None,
            group=account.group if account else None,
            extra_groups=[] if account else None,
        )


def stop(process: subprocess.Popen[bytes], steps: Sequence[tuple[int, float]]) -> int:
    """Stop one child of ours by signals with seconds to wait after each, then by SIGKILL; returns its exit code."""
    for number, seconds in steps:
        if process.poll() is None:
            process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    return process.wait()


def _works_in(pid: int, program: str, folders: set[str]) -> bool:
    try:
        if os.readlink(f"/proc/{pid}/cwd") not in folders:
            return False
        # an upgraded wheel leaves running programs whose file is gone
        return os.path.basename(os.readlink(f"/proc/{pid}/exe")).removesuffix(" (deleted)") == program
    except OSError:
        # gone meanwhile, a zombie, or another user's: none of ours
        return False
