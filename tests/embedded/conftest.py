"""Real servers in throw-away checkouts, and the promise that no test leaves a process behind."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.embedded.checkouts import Holder, fast_folder, processes_of, remove, wait_for


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty checkout that other users can reach (pytest's own folders are closed to them)."""
    monkeypatch.setenv("WEGWEISER_EMBEDDED_GRACE", "0.1")
    folder = Path(tempfile.mkdtemp(prefix="ww-", dir=fast_folder())).resolve()
    folder.chmod(0o755)
    yield folder
    remove(folder)


@pytest.fixture(scope="session")
def finished_checkout() -> Iterator[Path]:
    """A checkout that had its first start, to be copied: making a database takes longer than most tests."""
    folder = Path(tempfile.mkdtemp(prefix="ww-", dir=fast_folder())).resolve()
    folder.chmod(0o755)
    holder = Holder(folder, env={**os.environ, "WEGWEISER_EMBEDDED_GRACE": "0"}).wait_ready()
    holder.kill()
    wait_for(lambda: not processes_of(folder))
    yield folder
    remove(folder)


@pytest.fixture
def used_root(root: Path, finished_checkout: Path) -> Path:
    """A checkout that was started before and is at rest."""
    # -a keeps the owner, which PostgreSQL insists on
    subprocess.run(["cp", "-a", str(finished_checkout / "var"), str(root)], check=True)
    return root


@pytest.fixture
def hold(root: Path) -> Iterator[Callable[..., Holder]]:
    """Starts holders, and ends those that the test did not."""
    holders: list[Holder] = []

    def start(where: Path = root, **popen: object) -> Holder:
        holders.append(Holder(where, **popen))
        return holders[-1]

    yield start
    for holder in holders:
        if holder.process.poll() is None:
            holder.kill()
