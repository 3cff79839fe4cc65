"""The Celery application; workers and beat start here."""

import os
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")

from celery import Celery
from celery.signals import beat_init, worker_init

app = Celery("wegweiser")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def start_servers(**_: Any) -> None:
    """Hold a lease on the embedded servers for as long as this process lives."""
    from apps.config.servers import ensure_servers

    ensure_servers()
