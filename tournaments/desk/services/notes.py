"""Notes of those at the desk to each other: written, seen to, open again.

A note is no change of the event: it leaves no row in the trail and raises a version of its own, by which the desk's pages ask whether
something is new.
"""

from django.utils import timezone

from faults import Conflict, Missing, refuse
from people.actors import Actor
from people.text import paragraphs
from people.transactions import durable
from tournaments.engine.desk.hand_over import MOST_OPEN, check_note
from tournaments.models import DeskNote, Event
from tournaments.selectors.desk_notes import reads_all
from tournaments.store.claims import check_key
from tournaments.store.lock import lock_event_in_play, require_at_desk


@durable
def write_note(
    *, actor: Actor, event_id: int, text: str, submission_key: str, for_helpers: bool = True
) -> DeskNote:
    """Tell whoever directs the event something, and with ``for_helpers`` who helps with it, too; what helpers write, everybody reads.

    The same key again is the note that was written with it. Refused: nothing, or too much (422); fifty notes that nobody has seen to (409).
    """
    check_key(submission_key)
    event = _locked(actor, event_id)
    known = DeskNote.objects.filter(event=event, submission_key=submission_key).first()
    if known is not None:
        return known
    text = paragraphs(text)
    refuse(check_note(text))
    if DeskNote.objects.filter(event=event, done_at=None).count() >= MOST_OPEN:
        raise Conflict("desk_note.many", present=event, limit=MOST_OPEN)
    note = DeskNote.objects.create(
        event=event,
        author=actor.user,
        text=text,
        for_helpers=for_helpers or not reads_all(actor.user, event),
        at=timezone.now(),
        submission_key=submission_key,
    )
    _raise(event)
    return note


@durable
def settle_note(*, actor: Actor, event_id: int, note_id: str, done: bool) -> DeskNote:
    """Somebody has seen to it, or (``done`` false) it waits again. As it is already: nothing happens, and who did it first stays."""
    event = _locked(actor, event_id)
    notes = DeskNote.objects.filter(event=event, public_id=note_id)
    if not reads_all(actor.user, event):
        notes = notes.filter(for_helpers=True)
    note = notes.first()
    if note is None:
        raise Missing("desk_note.unknown")
    if (note.done_at is not None) is not done:
        note.done_at, note.done_by = (timezone.now(), actor.user) if done else (None, None)
        note.save(update_fields=["done_at", "done_by"])
        _raise(event)
    return note


def _locked(actor: Actor, event_id: int) -> Event:
    event = lock_event_in_play(event_id)
    require_at_desk(actor, event)
    return event


def _raise(event: Event) -> None:
    event.notes_version += 1
    event.save(update_fields=["notes_version"])
