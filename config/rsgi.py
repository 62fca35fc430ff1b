"""The site as Granian serves it: `granian --interface rsgi … config.rsgi:application`."""

from config.wsgi import application as site  # noqa: I001 (Django is set up there)

from django.conf import settings

from config.gate import refused
from config.serving.site import Site
from config.watch.requests import watched_refusal
from people.visitors import address_of

application = Site(
    site,
    refused=watched_refusal(refused),
    session=settings.SESSION_COOKIE_NAME,
    instant=site.instant,
    client=address_of,
)
