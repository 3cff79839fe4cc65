"""Makes a web process ready to answer: the first reader must not wait for the model to load."""

from __future__ import annotations

import logging
import threading

from apps.core.connections import give_connection_back
from apps.documents.embedding import get_embedder
from apps.language.guessing import guess_language
from apps.language.lemmas import lemma_set
from apps.rules.live import current

logger = logging.getLogger(__name__)

_is_warm = threading.Event()


def is_warm() -> bool:
    """Say whether the embedder of this process has answered once."""
    return _is_warm.is_set()


def warm_up() -> None:
    """Load the rules, the embedder and the dictionaries. A failure is logged: words alone still find something.

    Only for processes that answer: a parent that forks (Celery) must not have used the model before.
    """
    for language in ("de", "en"):
        lemma_set("Fragen", language)
    guess_language("Worum geht es?")
    try:
        current()
    finally:
        # This thread ends; nobody else would give its connection back.
        give_connection_back()
    try:
        get_embedder().embed_question("Worum geht es?")
    except Exception:
        logger.exception("The embedder could not be loaded; the search finds by words alone.")
        return
    _is_warm.set()


def warm_up_soon() -> threading.Thread:
    """Warm up on a thread of its own, so that the process listens at once; return the thread."""
    thread = threading.Thread(target=warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread
