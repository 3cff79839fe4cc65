"""The child process that parses one file: ``python -m apps.documents.parsing.child``, started by the sandbox.

Standard input holds one line of JSON (name, content_type, crawled, is_feed, limits), then the file. Standard output
gets one JSON object. Standard error gets places in the code, never a message of a library: it may quote the document.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
import warnings
from typing import Any, BinaryIO

from apps.documents.parsing.limits import Limits
from apps.documents.parsing.serialising import document_to_json, entries_to_json
from apps.documents.parsing.types import ParsingError

REPORT_PREFIX = "parsing-child: "
# Above one that our parsers need (an lxml tree is at most 256 deep), below what overflows the C stack.
_RECURSION = 5000


def main() -> int:
    """Parse standard input and write the outcome; 0 also for a file that was rejected."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(_RECURSION)
    source = sys.stdin.buffer
    header = json.loads(source.readline())
    limits = Limits(**header["limits"])
    _limit_process(limits)
    # A library that prints must not spoil the JSON.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        outcome = _outcome(source, header, limits)
        _write(answer, outcome, limits)
    except MemoryError:
        _write(answer, _error("memory", "The file needs more memory than one file may use."), limits)
    return 0


def _outcome(source: BinaryIO, header: dict[str, Any], limits: Limits) -> dict[str, Any]:
    from apps.documents.parsing.feeds import parse_feed
    from apps.documents.parsing.formats import parse

    try:
        data = source.read()
        if header["is_feed"]:
            return {"entries": entries_to_json(parse_feed(data))}
        document = parse(
            data,
            name=header["name"],
            content_type=header["content_type"],
            crawled=header["crawled"],
            limits=limits,
        )
    except ParsingError as error:
        return _error(error.code, error.reason)
    except MemoryError:
        raise
    except Exception as error:  # whatever a hostile file provokes: the child's outer edge
        _report(error)
        return _error("damaged", "The file is damaged or has a form that the parser does not know.")
    return {"document": document_to_json(document)}


def _error(code: str, reason: str) -> dict[str, Any]:
    return {"error": {"code": code, "reason": reason}}


def _write(answer: BinaryIO, outcome: dict[str, Any], limits: Limits) -> None:
    said = json.dumps(outcome, ensure_ascii=True).encode("ascii")
    if len(said) > limits.max_output:
        said = json.dumps(_error("too_large", "The file's text is too large.")).encode("ascii")
    answer.write(said)
    answer.flush()


def _report(error: Exception) -> None:
    for frame in traceback.extract_tb(error.__traceback__)[-8:]:
        print(f"{REPORT_PREFIX}{frame.filename}:{frame.lineno} {frame.name}", file=sys.stderr)  # noqa: T201
    print(f"{REPORT_PREFIX}{type(error).__name__}", file=sys.stderr)  # noqa: T201


def _limit_process(limits: Limits) -> None:
    try:
        import resource
    except ImportError:
        return
    memory = limits.memory_mb * 1024 * 1024
    seconds = int(limits.seconds) + 1
    wanted = (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, seconds, seconds + 5),
        (resource.RLIMIT_FSIZE, limits.max_output, limits.max_output),
        (resource.RLIMIT_NOFILE, 128, 128),
        (resource.RLIMIT_CORE, 0, 0),
    )
    for kind, soft, hard in wanted:
        _, ceiling = resource.getrlimit(kind)
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        try:
            resource.setrlimit(kind, (soft, hard))
        except (ValueError, OSError):  # macOS refuses some of them; time and size still hold
            print(f"{REPORT_PREFIX}limit {kind} not available", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
