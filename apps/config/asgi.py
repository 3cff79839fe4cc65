"""The web process: one ASGI application."""

import os

# Before numpy or the embedder is imported (see manage.py).
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DATABASE_POOL", "on")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")

from django.core.asgi import get_asgi_application
from django.utils.module_loading import import_string

from apps.config.bodies import bounded
from apps.config.lifespan import ending
from apps.config.servers import ensure_servers

ensure_servers()
# A reader sends a question; the back office takes up to 50 files of 50 MB in one form.
bodies_bounded = bounded(get_asgi_application(), most=3_000_000, most_at="/admin/", most_there=2_650_000_000)
# Answers that are being made end as interrupted: their readers are told at once by the next process.
application = ending(bodies_bounded, lambda: import_string("apps.chat.runs.runs_end")())
# The first reader must not wait for the embedder to load.
import_string("apps.answering.readiness.warm_up_soon")()
