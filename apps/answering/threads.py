"""Where the work of an answer runs that would hold up the event loop: one bounded pool of threads per process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from asgiref.sync import sync_to_async
from django.db import connection

from apps.rag.protocols import Result

# Fewer than the database pool holds: writers of the log need connections of their own.
_THREADS: Final = 4
_executor = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="answer")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Return what ``work`` returns; a database connection that it took is given back."""

    def call() -> Result:
        try:
            return work()
        finally:
            connection.close()

    return await sync_to_async(call, thread_sensitive=False, executor=_executor)()
