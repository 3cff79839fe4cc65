"""The web process: one ASGI application."""

import os

# Before numpy or the embedder is imported (see manage.py).
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DATABASE_POOL", "on")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")

from django.core.asgi import get_asgi_application
from django.utils.module_loading import import_string

from apps.config.servers import ensure_servers

ensure_servers()
application = get_asgi_application()
# The first reader must not wait for the embedder to load.
import_string("apps.answering.readiness.warm_up_soon")()
