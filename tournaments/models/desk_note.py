"""Staff notes of an event."""

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from tournaments.engine.desk.hand_over import MAX_NOTE_LENGTH
from tournaments.models.event import Event
from tournaments.models.report import KEY_LIMIT

STORED_NOTE_LENGTH: Final = 4 * MAX_NOTE_LENGTH  # characters: a name in it may be replaced by longer words


class DeskNote(models.Model):
    """A staff note to the directors of an event and, with ``for_helpers``, to its assistants.

    ``done_at``: when it was marked done. It is no change of the event and is not in the audit log, whose
    entries are permanent. The same ``submission_key`` sent again is the same note.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="desk_notes")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="desk_notes"
    )
    text = models.CharField(max_length=STORED_NOTE_LENGTH)
    for_helpers = models.BooleanField(default=True)
    at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    done_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="desk_notes_done"
    )
    submission_key = models.CharField(max_length=KEY_LIMIT)

    class Meta:
        verbose_name = _("staff note")
        verbose_name_plural = _("staff notes")
        ordering = ["-at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["event", "submission_key"], name="desk_note_once")]

    def __str__(self) -> str:
        return f"{self.event_id} · {self.at}"
