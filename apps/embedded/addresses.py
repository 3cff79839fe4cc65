"""Where the embedded servers keep their data and sockets. Computes only: nothing is started or created."""

import hashlib
import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

SYSTEM_HOME = Path("/var/lib/wegweiser")
SHORT_HOME = Path("/tmp")
DATABASE = "wegweiser"
DATABASE_USER = "postgres"
PORT = "5432"
# sun_path less its closing NUL
SOCKET_PATH_BYTES = 103 if sys.platform == "darwin" else 107
# libpq splits host names at commas, URLs split paths at ? and #: such a folder gets its sockets elsewhere
_PLAIN_PATH = re.compile(r"[A-Za-z0-9/._+~-]+\Z")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Every path and URL of one checkout's servers. `notices` are sentences worth showing once at a start."""

    root: Path
    home: Path
    place: Path
    notices: tuple[str, ...] = ()

    @property
    def postgres_data(self) -> Path:
        return self.home / "postgres"

    @property
    def valkey_data(self) -> Path:
        return self.home / "valkey"

    @property
    def sockets(self) -> Path:
        """The folder of both servers' sockets, readable by nobody but us: it is what makes `trust` safe."""
        return self.place / "run"

    @property
    def control(self) -> Path:
        """The supervisor's own socket; a connection to it is a lease."""
        return self.place / "control"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def logs(self) -> Path:
        return self.root / "var" / "log"

    @property
    def database(self) -> dict[str, str]:
        """NAME, USER, HOST and PORT of a Django DATABASES entry."""
        return {"NAME": DATABASE, "USER": DATABASE_USER, "HOST": str(self.sockets), "PORT": PORT}

    @property
    def database_url(self) -> str:
        """A libpq URL, for psql and pg_dump."""
        return f"postgresql:///{DATABASE}?{urlencode({'host': self.sockets, 'user': DATABASE_USER}, safe='/')}"

    @property
    def broker_url(self) -> str:
        return f"redis+socket://{self.valkey_socket}?virtual_host=0"

    @property
    def result_url(self) -> str:
        return f"redis+socket://{self.valkey_socket}?virtual_host=1"

    @property
    def cache_url(self) -> str:
        return f"unix://{self.valkey_socket}?db=2"


def addresses(root: Path) -> Addresses:
    """The addresses for the checkout at `root`, the same from every process of the same user."""
    root = Path(root).resolve()
    home, notices = _home(root)
    place = home
    if not _holds_sockets(place):
        place = system_home(root) if os.geteuid() == 0 else short_home(root)
        notices.append(f"The path of {home} does not suit sockets, so they are in {place}.")
    return Addresses(root=root, home=home, place=place, notices=tuple(notices))


def system_home(root: Path) -> Path:
    """The folder below /var/lib that root uses when the servers' user cannot reach the checkout."""
    return SYSTEM_HOME / _digest(root)


def short_home(root: Path) -> Path:
    """An ordinary user's folder for sockets when the checkout's own path is too long."""
    return SHORT_HOME / f"wegweiser-{os.geteuid()}-{_digest(root)}"


def is_reachable(path: Path) -> bool:
    """Whether any other user may walk down to `path` and read it, judged by the parts of it that exist."""
    if path.is_file() and not path.stat().st_mode & stat.S_IROTH:
        return False
    return all(part.stat().st_mode & stat.S_IXOTH for part in (path, *path.parents) if part.exists())


def _home(root: Path) -> tuple[Path, list[str]]:
    # resolved, because running servers are recognised by the folder they work in
    home = (root / "var" / "embedded").resolve()
    if os.geteuid() != 0:
        return home, []
    moved = system_home(root)
    # once data are there they stay in use, whatever becomes of the checkout's permissions
    if is_reachable(home) and not (moved / "postgres").exists():
        return home, []
    return moved, [
        f"{root} can be read by root only, and PostgreSQL must not run as root: data and binaries are in {moved}."
    ]


def _holds_sockets(place: Path) -> bool:
    longest = place / "run" / f".s.PGSQL.{PORT}"
    return len(os.fsencode(longest)) <= SOCKET_PATH_BYTES and bool(_PLAIN_PATH.match(str(place)))


def _digest(root: Path) -> str:
    return hashlib.sha256(os.fsencode(root)).hexdigest()[:12]
