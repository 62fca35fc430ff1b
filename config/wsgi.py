"""The WSGI application that Granian serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.gate import guarded

application = guarded(get_wsgi_application())
