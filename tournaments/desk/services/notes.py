"""Notes of those at the desk to each other: written, seen to, open again.

A note is no change of the event: it leaves no row in the trail and raises a version of its own, by which the desk's pages ask whether
something is new.
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
    """Tell whoever directs the event something, and with ``for_helpers`` who helps with it, too; what helpers write, everybody reads.

    The same key again is the note that was written with it. Refused: nothing, or too much (422); fifty notes that nobody has seen to (409).
    """
    check_submission_key(submission_key)
    event = _lock_event(actor, event_id)
    known = DeskNote.objects.filter(event=event, submission_key=submission_key).first()
    if known is not None:
        return known
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
    """Somebody has seen to it, or (``done`` false) it waits again. As it is already: nothing happens, and who did it first stays."""
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
