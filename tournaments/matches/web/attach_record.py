"""Game record that is attached to a report form.

It is checked, can fill in the score, and is held while the form is redisplayed. A browser cannot be sent a
file back, so a redisplayed form contains the key of the held file instead. The key is valid for this match
only and for an hour. Nothing is stored with the match before the report itself is sent.
"""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError, Invalid
from games.messages import DECISIONS, describe
from games.models import HeldRecord
from games.records.checking import CheckResult
from games.records.decoding import MAX_BYTES
from games.records.findings import Severity
from games.selectors import held_record
from games.services.held import delete_held_record, hold_record
from games.web.uploads import throttle_message, with_suffixes
from games.web.viewing import FindingView, build_record_view, finding_views, player_names
from people.messages import describe as describe_fault
from tournaments.engine.types import Claim, Side
from tournaments.matches.services.records import (
    RecordEvidence,
    Upload,
    check_upload,
    read_evidence,
    visible_side_names,
)
from tournaments.models import Match

PANEL_FAULT_CODES = frozenset({"record.refused", "record.unreadable", "record.incomplete"})
MAX_FINDINGS = 30  # findings beside a form; the viewer lists all
FIRST_FINDINGS = 3
PASTED_FILENAME = "pasted.txt"  # name of a text submitted without a file


class RecordForm(forms.Form):
    """Form with a file, a pasted text or the key of a held file, and with the side of the left player."""

    record = forms.FileField(
        label=gettext_lazy("Game record"),
        required=False,
        allow_empty_file=True,
        max_length=1000,
        help_text=with_suffixes(
            gettext_lazy("Match file from your backgammon program (%(endings)s), up to %(size)s MB.")
        ),
    )
    record_text = forms.CharField(
        label=gettext_lazy("Or paste the record as text"),
        required=False,
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off"}),
    )
    record_key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    record_left = forms.ChoiceField(
        label=gettext_lazy("Player on the left in this file"), required=False, widget=forms.RadioSelect
    )

    def __init__(self, data: Any = None, files: Any = None, *, names: dict[Side, str], auto_id: str) -> None:
        super().__init__(data, files, auto_id=auto_id)
        left = self.fields["record_left"]
        assert isinstance(left, forms.ChoiceField)
        left.choices = [("", _("Use the names in the file")), *((side.value, names[side]) for side in Side)]


@dataclass(slots=True)
class AttachedRecord:
    """State of the game record that is attached to a report form.

    ``held``: the copy held for an hour; ``read``: set if the record can support a result; ``faults``:
    messages to display; ``is_left_player_missing``: the form was rejected because the left player was not
    chosen.
    """

    form: RecordForm
    match: Match
    upload: Upload | None = None
    held: HeldRecord | None = None
    checked: CheckResult | None = None
    read: RecordEvidence | None = None
    faults: list[str] = field(default_factory=list)
    is_left_player_missing: bool = False

    @property
    def is_shown(self) -> bool:
        """Return whether a file or its error messages are displayed before the score."""
        return self.held is not None or bool(self.faults)

    @property
    def question(self) -> str:
        """The question which side is the left player, with that player's name in the file."""
        left = player_names(self.checked.record.players)[0] if self.checked and self.checked.record else ""
        return _("Who is “%(name)s” in this file?") % {"name": left}

    @property
    def claim(self) -> Claim | None:
        """The result at the end of the record; None if the record does not prove one."""
        return self.read.claim if self.read is not None else None

    @property
    def decision(self) -> str:
        return self.checked.verdict.decision.value if self.checked is not None else ""

    @property
    def words(self) -> str:
        """The outcome of the check in one sentence; empty without a check."""
        if self.checked is None:
            return ""
        if self.checked.unreadable is not None:
            return describe(self.checked.unreadable)
        if self.asks_names:
            left, right = player_names(self.checked.record.players) if self.checked.record else ("", "")
            return _(
                "The players in this file are named %(left)s and %(right)s. Choose below who is who. "
                "The names are remembered once the result counts."
            ) % {"left": left, "right": right}
        if self.read is None:
            return _("This record does not confirm the result. See the findings.")
        return str(DECISIONS[self.checked.verdict.decision])

    @property
    def tone(self) -> str:
        """Style of the panel: success, warning (doubtful record), info (names are asked for) or error."""
        if self.read is not None:
            return "warning" if self.read.is_doubtful else "success"
        return "info" if self.asks_names else "error"

    @property
    def score_text(self) -> str:
        if self.claim is None:
            return ""
        names = {
            side: side_names[0] if side_names else "?"
            for side, side_names in visible_side_names(self.match).items()
        }
        return f"{names[Side.A]} {self.claim.score_a}–{self.claim.score_b} {names[Side.B]}"

    @property
    def ask_left(self) -> bool:
        """Return whether the form asks who is the left player.

        It does if the names in the file are not those of the match, or the left player was chosen before.
        """
        if self.upload is not None and self.upload.left is not None:
            return True
        return self.checked is not None and any(
            finding.code == "expected.players" for finding in self.checked.verdict.findings
        )

    @property
    def asks_names(self) -> bool:
        """Return whether the only problem is that the names in the file are not known.

        The form then asks who is who and shows no error.
        """
        if self.checked is None or self.checked.record is None or self.read is not None:
            return False
        codes = [
            finding.code for finding in self.checked.verdict.findings if finding.severity is not Severity.NOTE
        ]
        return codes == ["expected.players"]

    @property
    def first_findings(self) -> list[dict[str, Any]]:
        return self.findings[:FIRST_FINDINGS]

    @property
    def more_findings(self) -> list[dict[str, Any]]:
        return self.findings[FIRST_FINDINGS:]

    @property
    def findings(self) -> list[dict[str, Any]]:
        """Problems found in the record, errors before notes, each with its address in the viewer.

        Empty if only the names are unknown.
        """
        if self.checked is None or self.checked.record is None:
            return []
        if self.asks_names:
            return []
        ordered = sorted(
            self.checked.verdict.findings, key=lambda finding: finding.severity is Severity.NOTE
        )[:MAX_FINDINGS]
        record = self.checked.record
        views = finding_views(ordered, record.players, record.game_numbers)
        return [{"finding": view, "url": self._viewer_url_at(view)} for view in views]

    @property
    def viewer_url(self) -> str:
        """Address at which the file can be replayed before the report; empty if it cannot be displayed."""
        if self.held is None or self.checked is None or build_record_view(self.checked) is None:
            return ""
        return reverse("games:held", args=[self.held.key])

    def _viewer_url_at(self, view: FindingView) -> str:
        if self.held is None or not view.game:
            return ""
        return f"{reverse('games:held', args=[self.held.key])}?{urlencode({'game': view.game, 'turn': view.turn or 1})}"

    def check_and_hold(self) -> None:
        """Check the file against this match and store it for an hour for the redisplayed form."""
        if self.upload is None or self.faults:
            return
        if self.checked is None:
            try:
                self.read = read_evidence(self.match, self.upload)
                self.checked = self.read.checked
            except Invalid:
                self.checked = check_upload(self.match, self.upload)
        if self.asks_names:
            self.form.fields["record_left"].widget.attrs["autofocus"] = True
        if self.held is None:
            self.held = hold_record(
                content=self.upload.content,
                filename=self.upload.filename,
                purpose=held_record_purpose(self.match),
            )

    def sent(self) -> None:
        """Delete the held copy of the file; called after the report was saved."""
        if self.held is not None:
            delete_held_record(key=self.held.key)

    def add_error_messages(self, error: CrawfordError) -> None:
        """Take over the messages of a rejected report that concern the record.

        Checks the record if that has not been done.
        """
        self.faults += [
            describe_fault(fault)
            for fault in error.faults
            if fault.field == "record" and fault.code not in PANEL_FAULT_CODES
        ]
        if self.upload is not None and self.checked is None:
            faults, self.faults = self.faults, []
            self.check_and_hold()
            self.faults = faults
        self.is_left_player_missing = self.asks_names


def held_record_purpose(match: Match) -> str:
    return f"match:{match.public_id}"


def empty_attachment(match: Match, names: dict[Side, str]) -> AttachedRecord:
    """Return the state for a new form without a record; ``names``: the displayed name of each side."""
    return AttachedRecord(RecordForm(names=names, auto_id=_auto_id(match)), match)


def attachment_from_request(request: HttpRequest, match: Match, names: dict[Side, str]) -> AttachedRecord:
    """Return the game record of a submitted form: a new file, a pasted text or the held file.

    Problems such as an expired key are messages in ``faults``; no exception is raised for them.
    """
    form = RecordForm(request.POST, request.FILES, names=names, auto_id=_auto_id(match))
    attached = AttachedRecord(form, match)
    if not form.is_valid():
        attached.faults = [str(message) for errors in form.errors.values() for message in errors]
        return attached
    data = form.cleaned_data
    left = Side(data["record_left"]) if data["record_left"] else None
    file: UploadedFile[bytes] | None = data["record"]
    if file is not None:
        if message := throttle_message(request):
            attached.faults = [message]
            return attached
        attached.upload = Upload(file.read(MAX_BYTES + 1), file.name or "", left)
    elif data["record_text"].strip():
        attached.upload = Upload(data["record_text"].encode(), PASTED_FILENAME, left)
    elif data["record_key"]:
        attached.held = held_record(data["record_key"], held_record_purpose(match))
        if attached.held is None:
            attached.faults = [
                _(
                    "The file was stored for one hour and is no longer available. Choose it again, or send the "
                    "result without it."
                )
            ]
            return attached
        attached.upload = Upload(bytes(attached.held.content), attached.held.filename, left)
    return attached


def _auto_id(match: Match) -> str:
    return f"id_{match.public_id}_%s"
