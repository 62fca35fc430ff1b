"""The RSGI application that Granian serves: `granian --interface rsgi … config.rsgi:application`."""

from config.wsgi import application as site  # noqa: I001 (Django is set up there)

from django.conf import settings

from config.gate import build_refusal
from config.serving.site import Site
from config.watch.requests import with_refusal_count
from people.visitors import address_from_environ

application = Site(
    site,
    build_refusal=with_refusal_count(build_refusal),
    session=settings.SESSION_COOKIE_NAME,
    instant_responder=site.instant_response,
    client=address_from_environ,
)
