"""Game records as uploaded: the exact bytes, stored once, identified by their hash.

The content of a record (players, score, findings) is not stored beside it: reading is fast, and a better
reader later would make stored content wrong. Only the report of an import keeps the findings of its day.
"""

import secrets
from datetime import timedelta
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models import Club

HELD_RECORD_LIFETIME: Final = timedelta(hours=1)  # a file beside a form


class StoredRecord(models.Model):
    """One file with a game record, identified by its hash.

    The same bytes are stored once; ``filename`` is that of the first upload.
    """

    sha256 = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()
    size = models.PositiveIntegerField()
    filename = models.CharField(_("file name"), max_length=120, blank=True)
    format = models.CharField(_("format"), max_length=16)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("game record")
        verbose_name_plural = _("game records")
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return self.filename or self.sha256[:12]


def new_key() -> str:
    """Return a secret random key, which gives access to what it names."""
    return secrets.token_urlsafe(24)


class HeldRecord(models.Model):
    """A file stored while a form is filled in, since a browser cannot send it again. Deleted after an hour.

    ``purpose`` names the form in which it may be used, so that its key is valid in no other one.
    """

    key = models.CharField(max_length=40, unique=True, default=new_key, editable=False)
    purpose = models.CharField(max_length=80)
    content = models.BinaryField()
    filename = models.CharField(_("file name"), max_length=120, blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("stored file")
        verbose_name_plural = _("stored files")

    def __str__(self) -> str:
        return self.filename or str(self.pk)


ARCHIVE_FOLDER = "archives"  # in the storage


class RecordImport(models.Model):
    """An archive of game records uploaded by a club.

    ``file`` is kept until every file in the archive has its report. The same archive is one import of a club,
    however often it is uploaded.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="record_imports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    filename = models.CharField(_("file name"), max_length=120, blank=True)
    sha256 = models.CharField(max_length=64)
    file = models.FileField(upload_to=ARCHIVE_FOLDER, blank=True, max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("record import")
        verbose_name_plural = _("record imports")
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["club", "sha256"], name="games_import_once")
        ]

    def __str__(self) -> str:
        return self.filename or self.public_id


class ImportedFile(models.Model):
    """One file of an archive; after the check, with a summary of what was found.

    ``claimed_at``: when a worker took it; after some time another worker may. ``refused``: the code of the
    reason why no record could be read (``packed.…``: an error of the archive), with the ``params`` of its
    message. ``findings``: how many problems were found.
    """

    batch = models.ForeignKey(RecordImport, on_delete=models.CASCADE, related_name="files")
    position = models.PositiveIntegerField()
    filename = models.CharField(_("file name"), max_length=120, blank=True)
    claimed_at = models.DateTimeField(null=True)
    done = models.BooleanField(default=False)
    refused = models.CharField(max_length=40, blank=True)
    params = models.JSONField(default=dict)
    decision = models.CharField(max_length=20, blank=True)
    complete = models.BooleanField(default=False)
    left = models.CharField(max_length=200, blank=True)
    right = models.CharField(max_length=200, blank=True)
    length = models.PositiveIntegerField(null=True)
    score_left = models.PositiveIntegerField(null=True)
    score_right = models.PositiveIntegerField(null=True)
    findings = models.PositiveIntegerField(default=0)
    record = models.ForeignKey(StoredRecord, null=True, on_delete=models.PROTECT, related_name="imported")

    class Meta:
        verbose_name = _("imported file")
        verbose_name_plural = _("imported files")
        ordering: ClassVar[list[str]] = ["position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["batch", "position"], name="games_file_once")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["batch"], condition=models.Q(done=False), name="games_file_open")
        ]

    def __str__(self) -> str:
        return self.filename or str(self.position)


class RecordAnalysis(models.Model):
    """The analysis of a record by one engine at one level; computed once, by one worker at a time.

    ``claimed_at`` and ``claim``: when a worker took it, and that worker's token; after some time another may.
    ``games_done`` of ``games`` is the progress. ``failure``: the code of the reason why there is no result.
    ``length``: the match length, 0 for money play. ``of_file``: read from the file. ``behind``: requested
    with many others; waits until no other waits, and may be cancelled. ``swing``: all changes of the chance
    to win, added up (``games.records.summing``).
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        WORKING = "working", _("in progress")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    record = models.ForeignKey(StoredRecord, on_delete=models.CASCADE, related_name="analyses")
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40, blank=True)
    level = models.CharField(max_length=20)
    of_file = models.BooleanField(default=False)
    behind = models.BooleanField(default=False)
    rates = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    claimed_at = models.DateTimeField(null=True)
    claim = models.CharField(max_length=40, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    games = models.PositiveSmallIntegerField(default=0)
    games_done = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=40, blank=True)
    length = models.PositiveSmallIntegerField(default=0)
    swing = models.FloatField(null=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record", "engine", "version", "level"], name="games_analysis_once"
            ),
            models.UniqueConstraint(
                fields=["state"], condition=models.Q(state="working"), name="games_analysis_one_at_a_time"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["behind", "id"], condition=models.Q(state="waiting"), name="games_analysis_open"
            )
        ]

    def __str__(self) -> str:
        return f"{self.record_id} · {self.engine} {self.level}"


class AnalysedDecision(models.Model):
    """One stored decision of an analysis (``games.records.analysis.VerdictDecision``).

    ``side``: white or black of the file; ``error``: the kind of error of a wrong cube decision. ``chance``:
    White's chance to win the match before the roll. ``plays``: lists of [steps, equity, chances, level].
    """

    analysis = models.ForeignKey(RecordAnalysis, on_delete=models.CASCADE, related_name="decisions")
    game = models.PositiveSmallIntegerField()
    turn = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8)
    side = models.CharField(max_length=5)
    lost = models.FloatField(null=True)
    counts = models.BooleanField()
    luck = models.FloatField(null=True)
    chance = models.FloatField(null=True)
    error = models.CharField(max_length=16, blank=True)
    played = models.PositiveSmallIntegerField(null=True)
    plays = models.JSONField(default=list)
    cube = models.JSONField(null=True)
    chances = models.JSONField(null=True)

    class Meta:
        verbose_name = _("analysed decision")
        verbose_name_plural = _("analysed decisions")
        ordering: ClassVar[list[str]] = ["game", "turn", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["analysis", "game", "turn", "kind"], name="games_decision_once")
        ]

    def __str__(self) -> str:
        return f"{self.game}.{self.turn} {self.kind}"


class AnalysedSide(models.Model):
    """The totals of one player in an analysis (``games.records.summing.SideSum``), for lists of many matches.

    ``openings``: rows of (whether a reply, higher die, lower die, equity lost).
    """

    analysis = models.ForeignKey(RecordAnalysis, on_delete=models.CASCADE, related_name="sides")
    side = models.CharField(max_length=5)
    checker_counted = models.PositiveSmallIntegerField()
    cube_counted = models.PositiveSmallIntegerField()
    checker_lost = models.FloatField()
    cube_lost = models.FloatField()
    errors = models.PositiveSmallIntegerField()
    blunders = models.PositiveSmallIntegerField()
    missed_doubles = models.PositiveSmallIntegerField()
    wrong_doubles = models.PositiveSmallIntegerField()
    wrong_takes = models.PositiveSmallIntegerField()
    wrong_passes = models.PositiveSmallIntegerField()
    net_luck = models.FloatField(null=True)
    even = models.FloatField(null=True)
    openings = models.JSONField(default=list)

    class Meta:
        verbose_name = _("analysed side")
        verbose_name_plural = _("analysed sides")
        ordering: ClassVar[list[str]] = ["analysis_id", "side"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["analysis", "side"], name="games_analysed_side_once")
        ]

    def __str__(self) -> str:
        return f"{self.analysis_id} {self.side}"
