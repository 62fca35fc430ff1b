"""The yardstick: Django's `WSGIHandler` without middleware, with the site's own connection settings, one query and a few bytes."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.http import HttpResponse
from django.urls import path


def bare(_request, public_id):
    with connection.cursor() as cursor:
        cursor.execute("SELECT version FROM tournaments_event WHERE public_id = %s", [public_id])
        (version,) = cursor.fetchone()
    return HttpResponse(str(version))


urlpatterns = [path("<slug:public_id>/", bare)]
# Only now: apps look for their middleware as they are set up.
settings.MIDDLEWARE, settings.ROOT_URLCONF = [], __name__
application = WSGIHandler()
