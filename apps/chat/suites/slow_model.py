"""A model that keeps the time of a real one: 300 ms to the first token, then 40 a second, and sometimes a fault."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from apps.rag.model_types import ModelRequest
from apps.rag.scripted_model import ModelFault, Reply, quoting_reply

# Batches of a tenth of a second: four tokens of about four characters.
_SIZE: Final = 16
_FIRST_SECONDS: Final = 0.3
_PIECE_SECONDS: Final = 0.1
# Of 100 requests.
_HANGS, _DIES, _DOWN = 2, 2, 1
_random = Random(7)


def timed_reply(request: ModelRequest) -> Reply:
    """Quote the sources as slowly as a real model; 2 % hang, 2 % die in the middle, 1 % are turned away at once."""
    reply = quoting_reply(request)
    return replace(
        reply, size=_SIZE, first_seconds=_FIRST_SECONDS, piece_seconds=_PIECE_SECONDS, fault=_fault(_random.random())
    )


def _fault(chance: float) -> ModelFault:
    at = chance * 100
    if at < _HANGS:
        return ModelFault.HANGS
    if at < _HANGS + _DIES:
        return ModelFault.DIES
    return ModelFault.DOWN if at < _HANGS + _DIES + _DOWN else ModelFault.NONE
