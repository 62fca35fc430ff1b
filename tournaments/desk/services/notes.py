"""Notes among the staff of an event: write, mark as done, reopen.

A note does not change the event: it adds nothing to the audit log and raises only the version of the notes,
by which the staff's pages check for news.
"""

from django.utils import timezone

from faults import Conflict, Missing, raise_faults
from people.actors import Actor
from people.text import clean_paragraphs
from people.transactions import durable
from tournaments.engine.desk.hand_over import MAX_OPEN_NOTES, check_note
from tournaments.models import DeskNote, Event
from tournaments.selectors.desk_notes import can_read_all_notes
from tournaments.store.claims import check_submission_key
from tournaments.store.lock import lock_unless_removed, require_staff


@durable
def write_note(
    *, actor: Actor, event_id: int, text: str, submission_key: str, for_helpers: bool = True
) -> DeskNote:
    """Write a note to the directors and, with ``for_helpers``, the assistants.

    Notes of assistants are visible to all staff. The same ``submission_key`` again returns the same note.
    Raises ``Invalid`` (422) if the text is empty or too long, ``Conflict`` (409) if fifty notes are not done.
    """
    check_submission_key(submission_key)
    event = _lock_event(actor, event_id)
    existing = DeskNote.objects.filter(event=event, submission_key=submission_key).first()
    if existing is not None:
        return existing
    text = clean_paragraphs(text)
    raise_faults(check_note(text))
    if DeskNote.objects.filter(event=event, done_at=None).count() >= MAX_OPEN_NOTES:
        raise Conflict("desk_note.many", present=event, limit=MAX_OPEN_NOTES)
    note = DeskNote.objects.create(
        event=event,
        author=actor.user,
        text=text,
        for_helpers=for_helpers or not can_read_all_notes(actor.user, event),
        at=timezone.now(),
        submission_key=submission_key,
    )
    _bump_notes_version(event)
    return note


@durable
def set_note_status(*, actor: Actor, event_id: int, note_id: str, done: bool) -> DeskNote:
    """Mark a note as done or not done. Idempotent: the first person who marked it stays recorded."""
    event = _lock_event(actor, event_id)
    notes = DeskNote.objects.filter(event=event, public_id=note_id)
    if not can_read_all_notes(actor.user, event):
        notes = notes.filter(for_helpers=True)
    note = notes.first()
    if note is None:
        raise Missing("desk_note.unknown")
    if (note.done_at is not None) is not done:
        note.done_at, note.done_by = (timezone.now(), actor.user) if done else (None, None)
        note.save(update_fields=["done_at", "done_by"])
        _bump_notes_version(event)
    return note


def _lock_event(actor: Actor, event_id: int) -> Event:
    event = lock_unless_removed(event_id)
    require_staff(actor, event)
    return event


def _bump_notes_version(event: Event) -> None:
    event.notes_version += 1
    event.save(update_fields=["notes_version"])
