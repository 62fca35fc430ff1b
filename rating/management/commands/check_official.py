"""Check the signature of a downloaded official list, of this site or of another one."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.messages import describe
from people.signing import SignatureMismatch, check_file, key_id, parse_keys
from rating.selectors.official import public_keys


class Command(BaseCommand):
    help = "Verify the signature of a downloaded official list. Exit status 1 if the file was changed after signing."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the downloaded signed.json, unchanged")
        parser.add_argument(
            "--keys",
            type=Path,
            metavar="FILE",
            help="public keys of the site that signed it (crawford-keys.json or PEM); by default those of this site",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            content = options["file"].read_bytes()
            keys = parse_keys(options["keys"].read_text()) if options["keys"] else public_keys()
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
            raise CommandError(f"{options['keys']}: contains no Ed25519 public key") from error
        try:
            document = check_file(content, keys)
        except SignatureMismatch as mismatch:
            raise CommandError(f"{options['file']}: {describe(mismatch.fault)}", returncode=1) from mismatch
        self.stdout.write(
            "Valid signature: list {list}, number {number}, as of {until}, {count} players. Keys: {keys}".format(
                **{name: document.get(name, "?") for name in ("list", "number", "until")},
                count=len(document.get("players", ())),
                keys=", ".join(map(key_id, keys)),
            )
        )
