"""`manage.py check_record FILE…`: replay records by the rules and report what is wrong with them.

Exit status 0: all valid, 1: some doubtful or rejected, 2: some unreadable; 2 outranks 1.
"""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.api.verdict import RecordVerdict
from games.messages import DECISIONS, describe, location_label
from games.records.checking import CheckResult, Unreadable, check_record
from games.records.decoding import MAX_BYTES
from games.records.findings import Severity
from games.records.model import NO_PLACE
from games.records.validation import Verdict, VerdictDecision
from games.rules.errors import FormatError
from games.rules.formats import MAX_MATCH_LENGTH, MatchFormat
from games.rules.numbering import Numbering

_NOT_IN_ORDER, _UNREADABLE = 1, 2


def match_length(text: str) -> int:
    """Parse a match length from the command line. Raises ``ArgumentTypeError`` if it is not valid."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MAX_MATCH_LENGTH:
        raise ArgumentTypeError(f"must be a number from 1 to {MAX_MATCH_LENGTH}")
    return int(text)


class Command(BaseCommand):
    help = "Check game records move by move: legal plays, cube, points and score. Exit status: 0 if all are valid, 1 if any is doubtful or rejected, 2 if any cannot be read."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        kind = parser.add_mutually_exclusive_group()
        kind.add_argument("--length", type=match_length, metavar="N", help="expect a match to N points")
        kind.add_argument("--money", action="store_true", help="expect a money session")
        parser.add_argument("--jacoby", action="store_true", help="expect the Jacoby rule (with --money)")
        parser.add_argument("--beavers", action="store_true", help="expect beavers (with --money)")
        parser.add_argument(
            "--numbering",
            choices=[numbering.value for numbering in Numbering],
            default=Numbering.OWN.value,
            help="how plays number the points; by default from the mover's side",
        )
        parser.add_argument(
            "--json", action="store_true", help="print JSON: an object, or an array for several files"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        form = self._match_format(options)
        numbering = Numbering(options["numbering"])
        code = 0
        reports = []
        for name in options["files"]:
            check_result = check_file(name, form, numbering)
            if check_result.verdict.decision is VerdictDecision.UNREADABLE:
                code = _UNREADABLE
            elif not check_result.verdict.is_acceptable:
                code = max(code, _NOT_IN_ORDER)
            if options["json"]:
                reports.append(RecordVerdict.of(check_result, name.encode(errors="replace").decode()))
            else:
                self._report_file(check_result, name, verbose=options["verbosity"] > 1)
        if options["json"]:
            output = reports[0] if len(reports) == 1 else reports
            self.stdout.write(msgspec.json.format(msgspec.json.encode(output), indent=1).decode())
        if code:
            raise SystemExit(code)

    @staticmethod
    def _match_format(options: dict[str, Any]) -> MatchFormat | None:
        if (options["jacoby"] or options["beavers"]) and not options["money"]:
            rule = "R40" if options["jacoby"] else "R41"
            raise CommandError(
                f"Use --jacoby and --beavers only with --money; matches have neither ({rule})."
            )
        if options["money"]:
            return MatchFormat(
                jacoby=options["jacoby"], beavers=options["beavers"], raccoons=options["beavers"]
            )
        try:
            return MatchFormat(length=options["length"]) if options["length"] else None
        except FormatError as error:
            raise CommandError(str(error)) from error

    def _print_line(self, text: str) -> None:
        """Print one line, without control characters that names in a file may contain."""
        self.stdout.write("".join(character if character.isprintable() else "\ufffd" for character in text))

    def _report_file(self, check_result: CheckResult, name: str, *, verbose: bool) -> None:
        """Print one line for a file; with `-v 2` one more for each problem and note."""
        record, verdict = check_result.record, check_result.verdict
        decision_label = str(DECISIONS[verdict.decision])
        if check_result.unreadable is not None:
            self._print_line(f"{name}: {verdict.decision.value}: {describe(check_result.unreadable)}")
            return
        players = record.players if record is not None else ("", "")
        numbers = record.game_numbers if record is not None else ()
        score = verdict.score
        parts = [f"{name}: {verdict.decision.value}"]
        if score is not None and verdict.replay is not None:
            length = verdict.replay.form.length
            kind = f"{length} points" if length else "money"
            parts.append(f"{players[0]} {score[0]}–{score[1]} {players[1]} ({kind})")
        if not verdict.complete:
            parts.append("incomplete")
        serious = (Severity.REJECT, Severity.DOUBT)
        worst = next(
            (finding for severity in serious for finding in verdict.findings if finding.severity is severity),
            None,
        )
        if worst is not None:
            parts.append(f"{location_label(worst, numbers)}: {describe(worst, players)}".lstrip(": "))
        elif verdict.findings:
            parts.append(f"{len(verdict.findings)} notes" if len(verdict.findings) > 1 else "1 note")
        self._print_line(", ".join(parts) if len(parts) > 1 else f"{parts[0]}: {decision_label}")
        if verbose:
            for finding in verdict.findings:
                rule = f" [{finding.rule}]" if finding.rule else ""
                self._print_line(
                    f"  {finding.severity.value}{rule} {location_label(finding, numbers)}: {describe(finding, players)}"
                )


def check_file(name: str, form: MatchFormat | None, numbering: Numbering) -> CheckResult:
    """Return the result of checking a file on disk; a file that cannot be opened counts as unreadable."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError:
        verdict = Verdict(VerdictDecision.UNREADABLE, complete=False, findings=())
        return CheckResult(verdict, unreadable=Unreadable("file.not_opened", NO_PLACE, {}))
    return check_record(data, name, form, None, numbering)
