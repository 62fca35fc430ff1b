#!/usr/bin/env python
"""Django's command line with Crawford's settings."""

import os
import sys

from django.core.management import execute_from_command_line

from config.stack import run_with_deep_stack

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    run_with_deep_stack(lambda: execute_from_command_line(sys.argv))
