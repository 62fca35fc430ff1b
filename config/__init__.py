"""The top layer: settings, root URLs, the Celery app. It knows every app, and no app knows it."""

from config import start
from config.celery import app as celery_app

__all__ = ["celery_app", "start"]
