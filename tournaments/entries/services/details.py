"""Marks of entries (such as the travel group) and details of their players, for directors only.

Details are contact, club, note, payment and consents. The audit log records which fields changed and who has
paid, never an address or a note.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from faults import Conflict, CrawfordError, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.models import Player
from people.rows import one_or_none
from people.services.players import set_country
from people.text import clean_line
from people.transactions import durable
from tournaments.engine.consents import STORED_REPLIES, Consent
from tournaments.engine.new_entry import MARK_LIMITS, EntryDetails, EntryMarks, NewEntry
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.entries import EntriesPaid, EntryDetailsSet
from tournaments.engine.trail.matrix import PreviousPayment
from tournaments.engine.types import EntryId
from tournaments.entries.services.consents import write_replies
from tournaments.models import Entry, EntryDetail, EntryPlayer, Event
from tournaments.selectors.entries import details_from_row, entry_details
from tournaments.store.lock import lock_for_director, record_action

MAX_EMAIL_LENGTH = 254
MAX_LENGTHS = {"phone": 40, "club": 120, "note": 500}
HIGHEST_RATING = 10_000


def clean_marks(marks: EntryMarks) -> EntryMarks:
    """Return the marks of an entry, such as its travel group, with whitespace normalised.

    Raises ``Invalid`` with all marks that are too long.
    """
    cleaned = EntryMarks(*(clean_line(getattr(marks, name)) for name in MARK_LIMITS))
    raise_faults(
        [
            Fault(f"entry.{name}_long", name, {"limit": limit})
            for name, limit in MARK_LIMITS.items()
            if len(getattr(cleaned, name)) > limit
        ]
    )
    return cleaned


def clean_details(details: EntryDetails) -> EntryDetails:
    """Return ``details`` with whitespace normalised.

    Raises ``Invalid`` with all errors: invalid mail address, too long a text, rating out of range, unknown
    consent.
    """
    faults: list[Fault] = []
    email = clean_line(details.email)
    if email:
        try:
            validate_email(email[: MAX_EMAIL_LENGTH + 1])
        except ValidationError:
            faults.append(Fault("entry.email_odd", "email", {"email": email[:120]}))
    texts = {name: clean_line(getattr(details, name)) for name in MAX_LENGTHS}
    faults += [
        Fault("entry.detail_long", name, {"limit": limit})
        for name, limit in MAX_LENGTHS.items()
        if len(texts[name]) > limit
    ]
    if details.rating is not None and not 0 <= details.rating < HIGHEST_RATING:
        faults.append(Fault("entry.rating_odd", "rating"))
    faults += [
        Fault("consent.odd", kind.value) for kind in Consent if getattr(details, kind) not in STORED_REPLIES
    ]
    raise_faults(faults)
    return replace(details, email=email, phone=texts["phone"], club=texts["club"], note=texts["note"])


def save_details(
    entries: Sequence[Entry], teams: Sequence[Sequence[Player]], new_entries: Sequence[NewEntry]
) -> None:
    """Write the details of the players of new entries, which were just created.

    Joins the caller's transaction.

    ``teams``: the players of each entry; ``new_entries``: the input of each entry, in the same order.
    """
    EntryDetail.objects.bulk_create(
        EntryDetail(
            entry=entry,
            player=player,
            **asdict(details),
        )
        for entry, players, new_entry in zip(entries, teams, new_entries, strict=True)
        for player, member in zip(players, new_entry.members, strict=True)
        if (details := clean_details(member.details))
    )


@dataclass(frozen=True, slots=True)
class DetailsChange:
    """New details of a player of an entry.

    ``displayed``: details that the director saw before the change; ``country``: None leaves the player's
    country unchanged.
    """

    details: EntryDetails
    displayed: EntryDetails
    country: str | None = None


@durable
def set_details(*, actor: Actor, event_id: int, entry_id: int, wanted: Mapping[int, DetailsChange]) -> Entry:
    """Write the details of players of an entry, also after the event; return the entry.

    ``wanted``: the changes, keyed by player id. Raises ``Invalid`` with all errors, each with its field and
    the player's position (``email_1``), and ``Conflict`` (409) if a field to be changed has changed since
    ``seen`` of the change.
    """
    event = lock_for_director(actor, event_id)
    entry = one_or_none(Entry.objects.filter(pk=entry_id, division__event=event))
    if entry is None:
        raise Missing("entry.unknown")
    rows = list(EntryPlayer.objects.filter(entry=entry).select_related("player").order_by("position"))
    if not set(wanted) <= {row.player_id for row in rows}:
        raise Missing("player.unknown")
    detail_rows = entry_details([entry.division_id], entry)
    faults: list[Fault] = []
    touched_fields: set[str] = set()
    replies: dict[str, str] = {}
    for row in rows:
        if row.player_id not in wanted:
            continue
        change, detail_row = wanted[row.player_id], detail_rows.get((entry.pk, row.player_id))
        try:
            details = clean_details(change.details)
            if change.country is not None:
                previous_country = row.player.country
                player = set_country(
                    actor=actor, club=event.club, player_id=row.player_id, country=change.country
                )
                touched_fields |= {"country"} if player.country != previous_country else set()
        except CrawfordError as error:
            if not isinstance(error, Invalid):
                raise
            faults += [replace(fault, field=f"{fault.field}_{row.position}") for fault in error.faults]
            continue
        stored_details = details_from_row(detail_row)
        changed_fields = _differing_fields(change.displayed, details)
        if changed_fields & _differing_fields(change.displayed, stored_details):
            raise Conflict("entry.details_changed", present=entry)
        if changed_fields:
            _write_fields(detail_row or EntryDetail(entry=entry, player=row.player), details, changed_fields)
            changed_replies = {name: getattr(details, name) for name in changed_fields & set(Consent)}
            write_replies(entry, row.player, changed_replies)  # consents apply to all entries of the player
            replies |= changed_replies
        touched_fields |= changed_fields
    raise_faults(faults)
    if touched_fields:
        order = ("country", *(field.name for field in fields(EntryDetails)))
        action = EntryDetailsSet(fields=tuple(sorted(touched_fields, key=order.index)), replies=replies)
        record_action(event, actor=actor, action=action, subject=entry)
    return entry


@durable
def mark_paid(*, actor: Actor, event_id: int, entry_ids: Sequence[int], paid: bool) -> list[Entry]:
    """Mark all players of the entries as paid or unpaid, and return the entries that changed.

    Nothing is written if an entry is unknown (``Missing``) or none is given (``Invalid``).
    """
    event = lock_for_director(actor, event_id)
    if not entry_ids:
        raise Invalid("entry.none_chosen", field="chosen")
    entries = list(Entry.objects.filter(pk__in=entry_ids, division__event=event).order_by("pk"))
    if len(entries) < len(set(entry_ids)):
        raise Missing("entry.unknown")
    rows = EntryPlayer.objects.filter(entry__in=entries).order_by("entry_id", "position")
    return write_paid(actor, event, rows.values_list("entry_id", "player_id"), paid=paid, is_undoable=True)


def write_paid(
    actor: Actor, event: Event, players: Iterable[tuple[int, int]], *, paid: bool, is_undoable: bool = False
) -> list[Entry]:
    """Mark players as paid or unpaid; return the entries that changed.

    ``players``: pairs of entry id and player id; ``is_undoable``: True records one step that can be undone.
    Joins the transaction of the caller, which holds the lock of ``event``.
    """
    pairs = list(players)
    entries = {row.pk: row for row in Entry.objects.filter(pk__in={pk for pk, _player in pairs})}
    detail_rows = entry_details({entry.division_id for entry in entries.values()})
    changed_rows: dict[int, list[EntryDetail]] = {}
    previous_payments: list[PreviousPayment] = []
    for entry_id, player_id in pairs:
        detail_row = detail_rows.get((entry_id, player_id)) or EntryDetail(
            entry_id=entry_id, player_id=player_id
        )
        if (detail_row.paid is True) is not paid:
            previous_payments.append(PreviousPayment(EntryId(entry_id), player_id, not paid))
        if detail_row.paid is not paid:
            detail_row.paid = paid
            changed_rows.setdefault(entry_id, []).append(detail_row)
    details = [detail for rows in changed_rows.values() for detail in rows]
    EntryDetail.objects.bulk_create([detail for detail in details if detail.pk is None])
    EntryDetail.objects.bulk_update(
        [detail for detail in details if detail.pk is not None], ["paid"], batch_size=200
    )
    marked = [entry for pk, entry in sorted(entries.items()) if pk in changed_rows]
    if marked:
        named_entries = tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in marked)
        subject = marked[0] if len(marked) == 1 else None
        action = EntriesPaid(
            entries=named_entries, paid=paid, before=tuple(previous_payments) if is_undoable else ()
        )
        record_action(event, actor=actor, action=action, subject=subject)
    return marked


def write_note(actor: Actor, event: Event, player: int, entries: Sequence[int], note: str) -> None:
    """Write the same note for a player in all these entries.

    ``player``: id of the player; ``entries``: ids of the entries. Joins the transaction of the caller, which
    holds the lock of ``event``.
    """
    text = clean_details(EntryDetails(note=note)).note
    rows = {row.entry_id: row for row in EntryDetail.objects.filter(entry__in=entries, player=player)}
    for pk in entries:
        row = rows.get(pk) or EntryDetail(entry_id=pk, player_id=player)
        if row.note != text:
            row.note = text
            row.save()
            entry = Entry.objects.get(pk=pk)
            record_action(event, actor=actor, action=EntryDetailsSet(fields=("note",)), subject=entry)


def _differing_fields(before: EntryDetails, after: EntryDetails) -> set[str]:
    """Return the names of the fields in which the two values differ."""
    return {
        field.name
        for field in fields(EntryDetails)
        if getattr(before, field.name) != getattr(after, field.name)
    }


def _write_fields(row: EntryDetail, details: EntryDetails, names: Collection[str]) -> None:
    for name in names:
        setattr(row, name, getattr(details, name))
    row.save()
