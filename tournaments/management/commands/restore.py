"""``manage.py restore FILE``: a site made of a backup, and asked afterwards whether all of it fits."""

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tournaments.backups.services.archive import BackupRefused
from tournaments.backups.services.places import connected_to
from tournaments.backups.services.restoring import restore

_OTHER_KEY = (
    "The backup is of a site with another SECRET_KEY: personal links, QR codes and signatures of before do not work with the"
    " key that is set here. Put the former one in place (var/secret_key, or the variable), and they do."
)


class Command(BaseCommand):
    help = "Fill the site's empty database, and its folder of files, from a backup; then ask whether everything fits."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what `manage.py backup` has made")
        parser.add_argument(
            "--fresh",
            default="",
            metavar="NAME",
            help="make a new database of this name (SQLite: a new file)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path, fresh = options["file"], options["fresh"]
        try:
            done = restore(path, fresh=fresh)
        except BackupRefused as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"Nothing was restored: {error}.") from None
        made = done.manifest
        self.stdout.write(
            f"Restored {sum(table.rows for table in made.tables)} rows, {len(made.files)} files, as of {made.made_at}."
        )
        if not done.same_key:
            self.stderr.write(_OTHER_KEY)
        with connected_to(fresh) if fresh else nullcontext():
            call_command("migrate", verbosity=0, interactive=False)
            call_command("reapply_erasures", stdout=self.stdout, stderr=self.stderr)
            unfit = [what for what in _QUESTIONS if not self._fits(what)]
        if fresh:
            self.stdout.write(
                f"The site still uses {connection.settings_dict['NAME']}. For the new one name {fresh} in DATABASE_URL."
            )
        if unfit:
            raise CommandError(
                f"The data is there as it was in the backup, and does not fit: {', '.join(unfit)}."
            )

    def _fits(self, command: str) -> bool:
        try:
            call_command(command, **_QUESTIONS[command], stdout=self.stdout, stderr=self.stderr)
        except CommandError as error:
            self.stderr.write(str(error))
            return False
        return True


_QUESTIONS: dict[str, dict[str, bool]] = {
    "check_events": {},
    "verify_trail": {},
    "rebuild_ratings": {"check": True},
}
