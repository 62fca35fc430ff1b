"""One view that makes one query, without any middleware, on the site's own settings and connections.

`application` is served as the site is (RSGI, bodies in the loop, the site's threads), `wsgi` by Granian's own WSGI.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.gate import build_refusal
from config.serving.site import Site


def version(_request: HttpRequest, event: str) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT version FROM tournaments_event WHERE public_id = %s", [event])
        return HttpResponse(str(cursor.fetchone()[0]))


urlpatterns = [path("e/<slug:event>/", version)]
settings.MIDDLEWARE, settings.ROOT_URLCONF = [], __name__
wsgi = WSGIHandler()
application = Site(wsgi, build_refusal=build_refusal, session=settings.SESSION_COOKIE_NAME)
