"""Wiring. Importing it makes Celery's shared tasks find their application."""

from apps.config.celery import app as celery_app

__all__ = ["celery_app"]
