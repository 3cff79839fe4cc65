"""Reads the bytes of a streamed reply, however they are cut: server-sent events, and the frames of Bedrock."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from apps.rag.model_types import ModelError

_LARGEST_EVENT: Final = 1_000_000
# Total length, length of the headers, checksum of the two.
_PRELUDE: Final = struct.Struct(">III")
_CHECKSUM: Final = 4

Json = dict[str, object]


async def event_data(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    """Yield the data of each server-sent event; raise ModelError for one without end."""
    rest, lines = b"", []
    async for chunk in chunks:
        rest += chunk
        *whole, rest = rest.split(b"\n")
        for raw in whole:
            line = raw.removesuffix(b"\r")
            if line.startswith(b"data:"):
                lines.append(line[5:].removeprefix(b" "))
            elif not line and lines:
                yield b"\n".join(lines).decode("utf-8", "replace")
                lines = []
        if len(rest) + sum(map(len, lines)) > _LARGEST_EVENT:
            raise ModelError("too_large", permanent=True)
    if rest.startswith(b"data:"):
        lines.append(rest[5:].strip())
    if lines:
        yield b"\n".join(lines).decode("utf-8", "replace")


async def frame_payloads(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    """Yield the JSON inside each frame of an AWS event stream; raise ModelError where a frame is broken."""
    rest = b""
    async for chunk in chunks:
        rest += chunk
        while len(rest) >= _PRELUDE.size:
            total, headers, checksum = _PRELUDE.unpack_from(rest)
            if binascii.crc32(rest[:8]) != checksum or not _PRELUDE.size + _CHECKSUM <= total <= _LARGEST_EVENT:
                raise ModelError("broken_frame")
            if len(rest) < total:
                break
            frame, rest = rest[:total], rest[total:]
            if b":exception-type" in frame[_PRELUDE.size : _PRELUDE.size + headers]:
                raise ModelError("server_error")
            payload = parsed(frame[_PRELUDE.size + headers : -_CHECKSUM])
            if isinstance(payload.get("bytes"), str):
                yield base64.b64decode(str(payload["bytes"])).decode("utf-8", "replace")


def parsed(text: str | bytes) -> Json:
    """Return a JSON object; raise ModelError for anything else."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ModelError("wrong_format") from error
    if not isinstance(found, dict):
        raise ModelError("wrong_format")
    return found


def part(found: object, *path: str | int) -> object:
    """Return what lies inside nested objects and lists, None where something is missing."""
    for step in path:
        if isinstance(found, dict) and isinstance(step, str):
            found = found.get(step)
        elif isinstance(found, list) and isinstance(step, int) and step < len(found):
            found = found[step]
        else:
            return None
    return found


def count(found: object, *path: str | int) -> int:
    """Return a number of tokens, 0 where none is given."""
    value = part(found, *path)
    return value if isinstance(value, int) and value > 0 else 0
