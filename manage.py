#!/usr/bin/env python
"""Django's command line with Crawford's settings."""

import os
import sys

from django.core.management import execute_from_command_line

from config.stack import with_room

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with_room(lambda: execute_from_command_line(sys.argv))
