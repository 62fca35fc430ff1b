"""The top floor: settings, root URLs, the Celery app. Knows every app; no app knows it."""

from config import start
from config.celery import app as celery_app

__all__ = ["celery_app", "start"]
