"""Imports of CSV tables into the ledger by a worker.

Progress, problems found, and the director's decisions.
"""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from names.public_page import PublicPage
from people.ids import new_public_id
from people.models import Club
from rating.models.lists import RatingList

TABLE_FOLDER: Final = "ledger-imports"


class Step(models.TextChoices):
    """The state of a table import.

    ``check`` and ``take``: a worker processes it; ``asked``: waits for a director's decision; the others are
    final.
    """

    CHECK = "check", pgettext_lazy("import", "checking")
    ASKED = "asked", pgettext_lazy("import", "checked")
    TAKE = "take", pgettext_lazy("import", "importing")
    DONE = "done", pgettext_lazy("import", "imported")
    STOPPED = "stopped", pgettext_lazy("import", "stopped")
    FAILED = "failed", pgettext_lazy("import", "failed")


OPEN_STEPS: Final = (Step.CHECK, Step.ASKED, Step.TAKE)
WORKER_STEPS: Final = (Step.CHECK, Step.TAKE)


class TableImport(models.Model):
    """An import of a CSV table into the ledger; each club has at most one unfinished import.

    ``report`` holds counts and problems found. ``file`` is kept until the import ends. ``token`` identifies
    the worker that processes the import, and ``touched_at`` is that worker's last sign of life: if it is too
    old, the worker is considered dead.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="table_imports")
    # The list whose opening ratings these are (with ``as_of``), or that gets the opening ratings in a ledger's file.
    rating_list = models.ForeignKey(RatingList, null=True, on_delete=models.CASCADE, related_name="+")
    as_of = models.DateTimeField(null=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    filename = models.CharField(_("file name"), max_length=120, blank=True)
    file = models.FileField(upload_to=TABLE_FOLDER, blank=True, max_length=200)
    create_unknown = models.BooleanField(default=False)
    public_page = models.CharField(  # of players who are created
        max_length=9,
        choices=[(page.value, page.value) for page in PublicPage],
        default=PublicPage.WITH_DRAW.value,
    )
    same_players = models.JSONField(default=list)  # public ids of players confirmed for their names
    again = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=Step.choices, default=Step.CHECK)
    phase = models.CharField(max_length=12, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    token = models.CharField(max_length=16, blank=True)
    touched_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    stop_requested = models.BooleanField(default=False)
    report = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("ledger import")
        verbose_name_plural = _("ledger imports")
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(state__in=OPEN_STEPS), name="rating_one_import_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return self.filename or self.public_id

    @property
    def is_open(self) -> bool:
        """Return whether the import is unfinished: not imported, stopped or failed."""
        return self.state in OPEN_STEPS

    @property
    def at_work(self) -> bool:
        """Return whether a worker has to process the import: to check the table or to import its rows."""
        return self.state in WORKER_STEPS
