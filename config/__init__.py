"""The top layer: settings, root URLs, the Celery app. It imports every app, and no app imports it."""

from config import start
from config.celery import app as celery_app

__all__ = ["celery_app", "start"]
