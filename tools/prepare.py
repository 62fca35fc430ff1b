"""Bring the data of this installation up to date: tables, translations, and a demo when there is nothing yet.

`DEMO=no` leaves an empty installation empty.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import django  # noqa: E402
from django.core.management import call_command  # noqa: E402

from tools import catalogues  # noqa: E402


def main() -> None:
    faults = catalogues.compile_all()
    if faults:
        print("These translations are left out:", *faults, sep="\n  ", file=sys.stderr)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    if os.environ.get("DEMO", "").lower() not in {"no", "false", "0"}:
        call_command("seed_demo", if_empty=True)
    note_sign_ins()


def note_sign_ins() -> None:
    """Write down how to sign in to the demo, for as long as its accounts are there, where `make run` reads it."""
    from django.conf import settings

    from people.models import User
    from tournaments.checks.demo import DIRECTOR, OWNER, PASSWORD

    note = settings.VAR / "demo.txt"
    if User.objects.filter(email__in=[DIRECTOR, OWNER]).exists():
        note.write_text(f"Demo sign-ins, password {PASSWORD}:\n  {DIRECTOR} (director)\n  {OWNER} (owner)\n")
    else:
        note.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
