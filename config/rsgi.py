"""The site as Granian serves it: `granian --interface rsgi … config.rsgi:application`."""

from config.wsgi import application as site  # noqa: I001 (Django is set up there)

from django.conf import settings

from config.gate import refused
from config.serving.site import Site

application = Site(site, refused=refused, session=settings.SESSION_COOKIE_NAME, instant=site.instant)
