"""Update the data of this installation: tables, translations, a demo for an empty installation, and in production the static files.

`DEMO=no` leaves an empty installation empty.
"""

import argparse
import os
import secrets
import sys
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import django  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from tools import catalogues  # noqa: E402


def main() -> None:
    faults = catalogues.compile_all()
    if faults:
        print("These translations are left out:", *faults, sep="\n  ", file=sys.stderr)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("reapply_erasures")
    if settings.PRODUCTION:
        call_command("collectstatic", interactive=False, verbosity=0)
    if os.environ.get("DEMO", "").lower() not in {"no", "false", "0"} and not settings.PRODUCTION:
        call_command("seed_demo", if_empty=True)
    note_sign_ins()


def note_sign_ins() -> None:
    """Write how to sign in to the demo to a file that ``make run`` prints.

    Deletes the file if the demo's accounts are gone. The demo's password is public: if other computers can
    reach the site, the accounts get a random password.
    """
    from people.models import User
    from tournaments.checks.demo import DIRECTOR, OWNER, PASSWORD

    note = settings.VAR / "demo.txt"
    accounts = list(User.objects.filter(email__in=[DIRECTOR, OWNER]))
    has_demo_password = not note.exists() and any(account.check_password(PASSWORD) for account in accounts)
    password = PASSWORD if has_demo_password else ""  # a restored demo may have another one
    if not is_for_this_computer_alone():
        demo_accounts = [account for account in accounts if account.check_password(PASSWORD)]
        password = secrets.token_urlsafe(9) if demo_accounts else ""
        for account in accounts if demo_accounts else []:
            account.set_password(password)
            account.save(update_fields=["password"])
    if not accounts:
        note.unlink(missing_ok=True)
    elif password:
        note.write_text(f"Demo sign-ins, password {password}:\n  {DIRECTOR} (director)\n  {OWNER} (owner)\n")


def is_for_this_computer_alone() -> bool:
    """Return whether only this computer can reach the site, judging by its listening and public addresses."""
    local_names = {"", "localhost", "127.0.0.1", "::1"}
    return (
        os.environ.get("HOST", "") in local_names
        and (urlsplit(settings.SITE_URL).hostname or "") in local_names
    )


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
