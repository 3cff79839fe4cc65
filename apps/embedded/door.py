"""The supervisor's control socket: every open connection is a lease, and hears how the start goes."""

import contextlib
import selectors
import signal
import socket
import time
from pathlib import Path


class Door:
    """Accepts leases, notices when they end, and passes on lines: `say TEXT`, `ready`, `failed TEXT`."""

    def __init__(self, path: Path) -> None:
        self.leases: set[socket.socket] = set()
        self._said: list[str] = []
        self._path = path
        self._selector = selectors.DefaultSelector()
        self._wake_on_signals()
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(128)
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def wait(self, seconds: float | None) -> None:
        """Serve what comes until something has happened, a signal came, or the seconds are over (None: for ever)."""
        for key, _ in self._selector.select(seconds):
            key.data(key.fileobj)

    def tell(self, line: str) -> None:
        """Send one line to every lease; who comes later hears it too."""
        self._said.append(line)
        for lease in list(self.leases):
            self._send(lease, line)

    def tell_ready(self) -> None:
        """Let everybody work; who comes from now on hears nothing else."""
        self.tell("ready")
        self._said = ["ready"]

    def tell_failure(self, text: str, seconds: float = 3.0) -> None:
        """Say why there will be no servers, to the one who started us at least: they may still be on their way."""
        self.tell(f"failed {text}")
        deadline = time.monotonic() + seconds
        while not self.leases and time.monotonic() < deadline:
            self.wait(0.1)

    def close(self) -> None:
        """Let nobody in any more; who waits at the door is cut off and starts a supervisor of their own."""
        self._path.unlink(missing_ok=True)
        self._selector.unregister(self._listener)
        self._listener.close()

    def _wake_on_signals(self) -> None:
        """Any handled signal ends `wait`, so that nothing has to be polled."""
        reader, writer = self._signal_pair = socket.socketpair()
        reader.setblocking(False)
        writer.setblocking(False)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        self._selector.register(reader, selectors.EVENT_READ, self._drain)

    def _drain(self, reader: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            reader.recv(4096)

    def _accept(self, listener: socket.socket) -> None:
        try:
            lease, _ = listener.accept()
        except OSError:
            return
        lease.setblocking(False)
        self.leases.add(lease)
        self._selector.register(lease, selectors.EVENT_READ, self._hear)
        for line in self._said:
            self._send(lease, line)

    def _hear(self, lease: socket.socket) -> None:
        """Holders say nothing: readable means gone."""
        try:
            if lease.recv(4096):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._forget(lease)

    def _forget(self, lease: socket.socket) -> None:
        if lease in self.leases:
            self.leases.remove(lease)
            self._selector.unregister(lease)
            lease.close()

    def _send(self, lease: socket.socket, line: str) -> None:
        if lease not in self.leases:
            return
        try:
            lease.sendall(line.replace("\n", "\\n").encode(errors="replace") + b"\n")
        except OSError:
            self._forget(lease)
