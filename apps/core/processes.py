"""Runs several programs in the foreground as one: order, readiness, prefixed output, an orderly end. For quickstart."""

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import TextIO

from apps.embedded.children import die_with_parent

READY_SECONDS = 120.0
# For uvicorn with several workers: one that loads the embedder on a busy machine is not dead.
WORKER_PATIENCE = ("--timeout-worker-healthcheck", "60")
_PORTS_TRIED = 100
_LONGEST_LINE = 64 * 1024
_COLOURS = (36, 33, 35, 32, 34, 31)
_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """One program. `env` is added to ours. `is_job`: it may end by itself; a failure is told and ends nothing else."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    is_ready: Callable[[], bool] | None = None
    stop_signal: int = signal.SIGTERM
    stop_seconds: float = 10.0
    is_job: bool = False


@dataclass(slots=True)
class _Running:
    spec: ProcessSpec
    process: subprocess.Popen[bytes]
    colour: int
    is_open: bool = True
    is_told: bool = False
    rest: bytes = b""


class ProcessManager:
    """Starts the programs in order and stops them in the same order: first who takes work in, last who does it.

    Main thread only, single-threaded: the kernel ends a child together with the thread that started it, so that
    kill -9 leaves nothing behind.
    """

    def __init__(self, specs: Sequence[ProcessSpec], output: TextIO) -> None:
        self._specs = specs
        self._output = output
        self._is_coloured = output.isatty()
        self._width = max((len(spec.name) for spec in specs), default=0)
        self._running: list[_Running] = []
        self._signals: list[int] = []
        self._selector = selectors.DefaultSelector()

    def run(self, on_ready: Callable[[], None] | None = None) -> int:
        """Run until a signal comes (returns 0) or a program ends (returns its code, 1 if that was 0).

        `on_ready` is called once every program has started and is ready.
        """
        with self._signals_caught():
            try:
                code = self._start()
                if code is None and on_ready is not None and not self._signals:
                    on_ready()
                while code is None:
                    self._pump(None)
                    code = self._ending()
            finally:
                self._stop()
        return code

    def _start(self) -> int | None:
        """Start one after the other; an exit code when that was cut short."""
        for spec in self._specs:
            self._spawn(spec)
            deadline = time.monotonic() + READY_SECONDS
            while (code := self._ending()) is None and spec.is_ready is not None and not spec.is_ready():
                if time.monotonic() > deadline:
                    self._tell(f"{spec.name} did not get ready within {READY_SECONDS:.0f} seconds: everything stops.")
                    return 1
                self._pump(0.1)
            if code is not None:
                return code
        return None

    def _spawn(self, spec: ProcessSpec) -> None:
        process = subprocess.Popen(
            list(spec.argv),
            env={**os.environ, "PYTHONUNBUFFERED": "1", **spec.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # its own session: a Ctrl-C in the terminal reaches us alone, and we keep the order
            start_new_session=True,
            preexec_fn=die_with_parent(spec.stop_signal),
        )
        running = _Running(spec, process, _COLOURS[len(self._running) % len(_COLOURS)])
        self._running.append(running)
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, running)

    def _ending(self) -> int | None:
        """The exit code when it is time to end, with a sentence that says why."""
        if self._signals:
            self._tell("Stopping ... (once more to stop at once)")
            return 0
        for running in self._running:
            code = running.process.poll()
            if code is None or running.is_told:
                continue
            running.is_told = True
            self._read(running)
            if not running.spec.is_job:
                self._tell(f"{running.spec.name} ended {_describe(code)}: everything stops.")
                return _exit_code(code) or 1
            if code:
                self._tell(f"{running.spec.name} ended {_describe(code)}.")
        return None

    def _stop(self) -> None:
        for running in self._running:
            self._stop_one(running)
        for running in self._running:
            self._read(running)
            self._flush(running)
            self._close(running)

    def _stop_one(self, running: _Running) -> None:
        spec, process = running.spec, running.process
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, spec.stop_signal)
        deadline = time.monotonic() + spec.stop_seconds
        while process.poll() is None and time.monotonic() < deadline and len(self._signals) < 2:
            self._pump(min(0.5, spec.stop_seconds))
        if process.poll() is None:
            self._tell(f"{spec.name} does not stop and is killed.")
        # whatever it started itself and left behind
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _pump(self, seconds: float | None) -> None:
        """Pass on output until something happens or the seconds are over; any signal ends the wait."""
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, _Running):
                self._read(key.data)
            else:
                with contextlib.suppress(BlockingIOError):
                    key.data.recv(4096)

    def _read(self, running: _Running) -> None:
        stream = running.process.stdout
        while running.is_open and stream is not None:
            block = stream.read(_LONGEST_LINE)
            if block is None:
                return
            if not block:
                self._flush(running)
                self._close(running)
                return
            *lines, running.rest = (running.rest + block).split(b"\n")
            for line in lines:
                self._write(running, line)
            if len(running.rest) > _LONGEST_LINE:
                self._flush(running)

    def _flush(self, running: _Running) -> None:
        if running.rest:
            self._write(running, running.rest)
            running.rest = b""

    def _close(self, running: _Running) -> None:
        if running.is_open and running.process.stdout is not None:
            running.is_open = False
            self._selector.unregister(running.process.stdout)
            running.process.stdout.close()

    def _write(self, running: _Running, line: bytes) -> None:
        prefix = f"{running.spec.name:<{self._width}} |"
        if self._is_coloured:
            prefix = f"\x1b[{running.colour}m{prefix}\x1b[0m"
        self._tell(f"{prefix} {line.decode(errors='replace').rstrip()}")

    def _tell(self, text: str) -> None:
        # the terminal may have been closed: the programs must be stopped all the same
        with contextlib.suppress(OSError, ValueError):
            self._output.write(f"{text}\n")
            self._output.flush()

    @contextlib.contextmanager
    def _signals_caught(self) -> Iterator[None]:
        reader, writer = socket.socketpair()
        reader.setblocking(False)
        writer.setblocking(False)
        self._selector.register(reader, selectors.EVENT_READ, reader)
        earlier_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        # what is ignored stays ignored: nohup, a background job
        numbers = [number for number in _ENDING_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        earlier = {number: signal.signal(number, self._on_signal) for number in (*numbers, signal.SIGCHLD)}
        try:
            yield
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(earlier_fd)
            self._selector.close()
            reader.close()
            writer.close()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if number != signal.SIGCHLD:
            self._signals.append(number)


def free_port(preferred: int, host: str = "127.0.0.1") -> tuple[int, bool]:
    """The preferred port or the next free one, and whether it is the preferred one.

    Raises OSError when none of the next hundred is free.
    """
    for port in range(preferred, min(preferred + _PORTS_TRIED, 65536)):
        if _is_free(host, port):
            return port, port == preferred
    raise OSError(f"No port from {preferred} to {preferred + _PORTS_TRIED - 1} is free on {host}.")


def answers(url: str, seconds: float = 2.0) -> bool:
    """Whether a GET of `url` is answered with less than 500; a redirect counts as the page it leads to."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=seconds) as response:
            return int(response.status) < 500
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        # as the server will do it: a port that is only closing counts as free
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    # macOS lets us bind beside a server that listens on all addresses
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1" if host in {"", "0.0.0.0"} else host, port)) != 0


def _describe(code: int) -> str:
    return f"by signal {signal.Signals(-code).name}" if code < 0 else f"with code {code}"


def _exit_code(code: int) -> int:
    return 128 - code if code < 0 else code
