"""The foreground manager keeps order, passes on output and codes, and leaves nothing even when it is killed."""

import io
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from apps.core.processes import ProcessManager, ProcessSpec, answers, free_port

PROJECT = Path(__file__).resolve().parents[2]

# Writes its life into a journal: NAME start, NAME stop (after the given delay).
CHILD = """
import os, signal, sys, time
journal, name, delay = sys.argv[1], sys.argv[2], float(sys.argv[3])
def note(word):
    with open(journal, "a") as file:
        file.write(f"{name} {word} {os.getpid()}\\n")
def stop(*_):
    time.sleep(delay)
    note("stop")
    print(name, "says goodbye", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
note("start")
print(name, "is up", flush=True)
while True:
    time.sleep(60)
"""

MANAGER = """
import signal, sys
# Whoever runs the tests may ignore these, as nohup does, and a manager leaves ignored what it found ignored.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
from apps.core.processes import ProcessManager, ProcessSpec
child, journal, delay, *names = sys.argv[1:]
def spec(name):
    return ProcessSpec(name, [sys.executable, "-c", child, journal, name, delay], stop_seconds=50)
specs = [spec(name) for name in names]
sys.exit(ProcessManager(specs, sys.stdout).run(on_ready=lambda: print("all up", flush=True)))
"""


def script(name: str, text: str, **options: object) -> ProcessSpec:
    return ProcessSpec(name, [sys.executable, "-c", text], **options)


def wait_for(condition: Callable[[], object], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.parent.parent.is_dir() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


class Journal:
    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self) -> list[list[str]]:
        return [line.split() for line in self.path.read_text().splitlines()] if self.path.exists() else []

    def names(self, word: str) -> list[str]:
        return [name for name, what, _ in self.lines() if what == word]

    def pids(self) -> list[int]:
        return [int(pid) for _, what, pid in self.lines() if what == "start"]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    found = Journal(tmp_path / "journal")
    yield found
    wait_for(lambda: not any(is_alive(pid) for pid in found.pids()), 5)
    left = [pid for pid in found.pids() if is_alive(pid)]
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert not left


@pytest.fixture
def manage(journal: Journal) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a manager in a process of its own and waits until its programs are up."""
    started: list[subprocess.Popen[str]] = []

    def start(*names: str, delay: float = 0.2) -> subprocess.Popen[str]:
        argv = [sys.executable, "-c", MANAGER, CHILD, str(journal.path), str(delay), *names]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        process = subprocess.Popen(argv, cwd=PROJECT, start_new_session=True, **options)
        started.append(process)
        assert wait_for(lambda: len(journal.pids()) == len(names))
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda n: n.name)
def test_a_signal_stops_web_then_beat_then_worker(manage, journal, number):
    manager = manage("web", "beat", "worker")
    # as a terminal does it: the signal goes to the manager's whole group
    os.killpg(manager.pid, number)
    output, _ = manager.communicate(timeout=20)
    assert manager.returncode == 0
    assert journal.names("stop") == ["web", "beat", "worker"]
    assert "web    | web is up" in output
    assert "all up\n" in output
    assert "worker | worker says goodbye" in output
    assert "\x1b" not in output, "no colours into a pipe"


@pytest.mark.skipif(sys.platform != "linux", reason="needs the kernel's help")
def test_nothing_outlives_a_killed_manager(manage, journal):
    manager = manage("web", "beat", "worker")
    manager.kill()
    manager.communicate()
    assert wait_for(lambda: not any(is_alive(pid) for pid in journal.pids()))


def test_a_second_signal_does_not_wait(manage):
    manager = manage("slow", delay=60)
    manager.send_signal(signal.SIGINT)
    while "Stopping" not in manager.stdout.readline():
        pass
    manager.send_signal(signal.SIGINT)
    output, _ = manager.communicate(timeout=20)
    assert "slow does not stop and is killed." in output


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("raise SystemExit(3)", 3, "web ended with code 3: everything stops."),
        ("pass", 1, "web ended with code 0: everything stops."),
        ("import os; os.kill(os.getpid(), 9)", 137, "web ended by signal SIGKILL: everything stops."),
    ],
    ids=["a code", "no failure", "a signal"],
)
def test_a_program_that_ends_stops_all_with_its_code(journal, text, code, sentence):
    output = io.StringIO()
    worker = ProcessSpec("worker", [sys.executable, "-c", CHILD, str(journal.path), "worker", "0"])
    web = script(
        "web", f"import time, pathlib\nwhile not pathlib.Path({str(journal.path)!r}).exists(): time.sleep(.05)\n{text}"
    )
    assert ProcessManager([worker, web], output).run() == code
    assert sentence in output.getvalue()
    assert journal.names("stop") == ["worker"]


def test_a_job_may_end(journal):
    output = io.StringIO()
    job = script("demo", "print('loaded'); raise SystemExit(2)", is_job=True)
    web = script("web", "import time; time.sleep(1.5); raise SystemExit(5)")
    assert ProcessManager([job, web], output).run() == 5
    assert "demo | loaded" in output.getvalue()
    assert "demo ended with code 2.\n" in output.getvalue()


def test_a_program_that_ignores_its_signal_is_killed_with_what_it_started(tmp_path):
    pids = tmp_path / "pids"
    stubborn = (
        "import os, signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{inner.pid}}')\n"
        "time.sleep(60)"
    )
    waiting = (
        f"import time, pathlib\nwhile not pathlib.Path({str(pids)!r}).exists(): time.sleep(.05)\nraise SystemExit(4)"
    )
    output = io.StringIO()
    specs = [script("stubborn", stubborn, stop_seconds=0.3), script("web", waiting)]
    assert ProcessManager(specs, output).run() == 4
    assert "stubborn does not stop and is killed." in output.getvalue()
    assert wait_for(lambda: not any(is_alive(int(pid)) for pid in pids.read_text().split()))


def test_the_next_program_waits_until_the_one_before_is_ready(tmp_path):
    ready = tmp_path / "ready"
    first = script(
        "first",
        f"import time; time.sleep(.5); open({str(ready)!r}, 'w'); time.sleep(60)",
        is_ready=ready.exists,
    )
    second = script("second", f"import os; raise SystemExit(7 if os.path.exists({str(ready)!r}) else 8)")
    assert ProcessManager([first, second], io.StringIO()).run() == 7


def test_a_program_that_dies_before_it_is_ready_ends_the_wait():
    output = io.StringIO()
    web = script("web", "print('no port'); raise SystemExit(9)", is_ready=lambda: False)
    assert ProcessManager([web], output).run() == 9
    assert output.getvalue().startswith("web | no port\n")


def test_output_without_line_ends_strange_bytes_and_long_lines_pass():
    output = io.StringIO()
    text = "import sys; sys.stdout.buffer.write(b'\\xff half' + b'x' * 300000); sys.stdout.buffer.flush()"
    assert ProcessManager([script("web", text)], output).run() == 1
    assert "web | \ufffd half" in output.getvalue()
    assert output.getvalue().count("x") == 300000


def test_a_closed_terminal_does_not_keep_the_programs_running(journal):
    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(5, "Input/output error")

    worker = ProcessSpec("worker", [sys.executable, "-c", CHILD, str(journal.path), "worker", "0"])
    web = script("web", "import time; time.sleep(1); raise SystemExit(3)")
    assert ProcessManager([worker, web], Closed()).run() == 3


def test_the_callers_signal_handlers_come_back():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)]
    ProcessManager([script("web", "pass")], io.StringIO()).run()
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)] == before


def test_a_used_port_gives_the_next_free_one():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        used = server.getsockname()[1]
        port, is_preferred = free_port(used)
        assert used < port < used + 100
        assert not is_preferred
    assert free_port(used) == (used, True)


def test_no_free_port_is_an_error():
    with pytest.raises(OSError, match="No port"):
        free_port(65536)


@pytest.mark.parametrize(("status", "expected"), [(200, True), (404, True), (500, False), (503, False)])
def test_a_page_answers_unless_the_server_fails(status, expected):
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert answers(f"http://127.0.0.1:{server.server_port}/") is expected
        thread.join()
        port = server.server_port
    assert not answers(f"http://127.0.0.1:{port}/", seconds=0.5)
