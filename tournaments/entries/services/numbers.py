"""Federation numbers, outside ratings and custom fields from an imported list of entries.

Numbers and ratings are stored with players of the club; for players of other clubs they go into the entry's
note.
"""

from collections.abc import Sequence

from people.models import Player
from people.numbers import FederationNumberValue, SourceRating
from people.services.numbers import add_numbers
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.extra import clean_custom_values, write_custom_values
from tournaments.models import Entry, EntryDetail, Event
from tournaments.selectors.columns import custom_field_answers
from tournaments.selectors.event_dates import event_today

MAX_NOTE_LENGTH = 500


def save_numbers(
    event: Event, entries: Sequence[Entry], teams: Sequence[Sequence[Player]], new_entries: Sequence[NewEntry]
) -> None:
    """Save the federation numbers and outside ratings from an imported list.

    The three sequences have the same order. Joins the transaction of the caller, which holds the lock of
    ``event`` and has created the entries.
    """
    today = event_today(event)
    for entry, players, new_entry in zip(entries, teams, new_entries, strict=True):
        for player, member in zip(players, new_entry.members, strict=True):
            if not (member.numbers or member.outside):
                continue
            if player.home_club_id in {None, event.club_id}:
                until = dict(member.until)
                add_numbers(
                    player,
                    [
                        FederationNumberValue(federation, number, until.get(federation))
                        for federation, number in member.numbers
                    ],
                    [SourceRating(source, value, today) for source, value in member.outside],
                )
            else:
                _append_to_note(entry, player, member)


def save_custom_values(
    event: Event, teams: Sequence[Sequence[Player]], new_entries: Sequence[NewEntry]
) -> None:
    """Save the values of custom fields from an imported list, in all entries of each player in the event.

    ``teams`` and ``new_entries`` have the same order. Joins the caller's transaction.
    """
    for players, new_entry in zip(teams, new_entries, strict=True):
        for player, member in zip(players, new_entry.members, strict=True):
            if member.own:
                write_custom_values(
                    player.pk,
                    custom_field_answers(event, player.pk).entries,
                    clean_custom_values(event, dict(member.own)),
                )


def _append_to_note(entry: Entry, player: Player, member: NewEntry) -> None:
    """Append the federation numbers to the note of the entry, for a player of another home club.

    Only the home club manages the player's numbers.
    """
    row = EntryDetail.objects.filter(entry=entry, player=player).first() or EntryDetail(
        entry=entry, player=player
    )
    until = {federation: f" ({day.isoformat()})" for federation, day in member.until}
    number_texts = [
        f"{federation} {number}{until.get(federation, '')}" for federation, number in member.numbers
    ]
    row.note = ", ".join(part for part in (row.note, *number_texts) if part)[:MAX_NOTE_LENGTH]
    row.save()
