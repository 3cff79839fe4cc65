"""Parses a file in a child process with memory and time limits; whatever the file does, the worker lives on."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TypeVar

from apps.documents.parsing.child import REPORT_PREFIX
from apps.documents.parsing.feeds import FeedEntry
from apps.documents.parsing.limits import Limits
from apps.documents.parsing.serialising import document_from_json, entries_from_json
from apps.documents.parsing.types import ParsedDocument, ParsingError

Result = TypeVar("Result")
log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "apps.documents.parsing.child")
_ROOT = Path(__file__).resolve().parents[3]
# Nothing else of our environment: a parser that a file has taken over finds no password and no address.
_PASSED_ON = ("PATH", "HOME", "TMPDIR", "TESSDATA_PREFIX", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SYSTEMROOT")
_SIGNAL_CODES = {signal.SIGXCPU: "timeout", signal.SIGXFSZ: "too_large"}
_REASONS = {
    "timeout": "The file took longer than {seconds:g} seconds to read.",
    "too_large": "The file's text is too large.",
    "crashed": "The file made the parser crash.",
}


def parse_in_child(
    data: bytes,
    *,
    name: str,
    content_type: str = "",
    crawled: bool = False,
    limits: Limits | None = None,
    command: Sequence[str] = COMMAND,
) -> ParsedDocument:
    """Parse ``data`` in a process of its own and return the document; raises ParsingError for every other end.

    ``crawled`` marks a web page with site furniture (main text only). ``command`` is the child to run.
    """
    header = {"name": name, "content_type": content_type, "crawled": crawled, "is_feed": False}
    outcome = _outcome(data, header, limits or Limits(), command)
    return _read(outcome, "document", document_from_json)


def read_feed_in_child(
    data: bytes, *, limits: Limits | None = None, command: Sequence[str] = COMMAND
) -> tuple[FeedEntry, ...]:
    """Return a feed's entries, read in a process of its own; raises ParsingError for every other end."""
    header = {"name": "feed", "content_type": "", "crawled": False, "is_feed": True}
    outcome = _outcome(data, header, limits or Limits(), command)
    return _read(outcome, "entries", entries_from_json)


def _outcome(data: bytes, header: dict[str, Any], limits: Limits, command: Sequence[str]) -> dict[str, Any]:
    """Run the child and return its JSON object."""
    if not data:
        raise ParsingError("empty", "The file is empty.")
    if len(data) > limits.max_bytes:
        raise ParsingError("too_large", f"The file is larger than {limits.max_bytes // 1024 // 1024} MB.")
    request = json.dumps(header | {"limits": asdict(limits)}).encode("ascii") + b"\n" + data
    # Files, not pipes: the output is bounded by the child's file size limit and cannot fill our memory.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as report:
        return_code = _run(command, request, output, report, limits)
        _log_report(report, header["name"])
        if return_code != 0:
            raise _failure(return_code, limits)
        # Some systems set a child no such limit.
        if output.seek(0, os.SEEK_END) > limits.max_output:
            raise _parsing_error("too_large", limits)
        output.seek(0)
        try:
            outcome = json.load(output)
        except (ValueError, RecursionError) as error:
            raise _no_answer() from error
    return outcome if isinstance(outcome, dict) else {}


def _run(command: Sequence[str], request: bytes, output: IO[bytes], report: IO[bytes], limits: Limits) -> int:
    environment = {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
    environment |= {
        # Libraries may be found through it; it names folders and holds no secret.
        "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH")))),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OMP_THREAD_LIMIT": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
    }
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=report,
        cwd=_ROOT,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            process.communicate(request, timeout=limits.seconds)
        except subprocess.TimeoutExpired:
            raise _parsing_error("timeout", limits) from None
        finally:
            _kill_group(process)
        return process.returncode


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End the child and everything it started (OCR runs another program)."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _failure(return_code: int, limits: Limits) -> ParsingError:
    code = "crashed"
    if return_code < 0:
        with contextlib.suppress(ValueError):
            code = _SIGNAL_CODES.get(signal.Signals(-return_code), "crashed")
    return _parsing_error(code, limits)


def _parsing_error(code: str, limits: Limits) -> ParsingError:
    return ParsingError(code, _REASONS[code].format(seconds=limits.seconds))


def _read(outcome: dict[str, Any], key: str, read: Callable[[Any], Result]) -> Result:
    """Return what the child answered under ``key``, or raise the error that it names."""
    try:
        if "error" in outcome:
            raise ParsingError(str(outcome["error"]["code"]), str(outcome["error"]["reason"]))
        return read(outcome[key])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _no_answer() from error


def _no_answer() -> ParsingError:
    return ParsingError("crashed", "The parser did not give a usable answer.")


def _log_report(report: IO[bytes], name: str) -> None:
    """Pass on only the child's own lines: a library's message may quote the document."""
    report.seek(0)
    lines = report.read(64 * 1024).decode("utf-8", "replace").splitlines()
    own = [line.removeprefix(REPORT_PREFIX) for line in lines if line.startswith(REPORT_PREFIX)]
    if own:
        # Not the name: it may say what nobody else shall know. The kind of file tells where to look.
        log.warning("parsing a file of kind %r: %s", Path(name).suffix[:10], "; ".join(own[-10:]))
