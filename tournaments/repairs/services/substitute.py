"""Substitution of a wrongly entered player, before or after play.

The entry keeps its place in the draw and its results; its name changes, its personal link is revoked, and
rated results count for the right player. Two players who were mixed up are exchanged. Or another player takes
over from now on: then matches that are over keep the players who played them (`FormerLineup`), everywhere and
in the ratings.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import Player
from people.rows import one_or_none
from people.selectors import players_for_club
from people.services.players import clean_name, create_player, link_players_to_club
from people.transactions import durable
from tournaments.engine.changes.next_state import KeepFormerLineup, RepeatReport, StageChange
from tournaments.engine.changes.trail import PreviousEntry
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EVENT_HAS_RESULTS
from tournaments.engine.trail.repairs import PlayerChanged
from tournaments.engine.types import MatchNo, Side
from tournaments.entries.services.limits import require_within_limit_on_return
from tournaments.models import Entry, EntryPlayer, Event, FormerLineup, FormerPlayer
from tournaments.selectors.repairs.substitutions import (
    Substitution,
    build_substitution,
    published_stages,
    slots_to_freeze,
)
from tournaments.store.arranging import delete_arrangements
from tournaments.store.load import load_stage
from tournaments.store.lock import lock_for_director
from tournaments.store.repairs import PARKED_ATTEMPT_NUMBER, StageRepair, record_repair


@durable
def change_player(
    *,
    actor: Actor,
    event_id: int,
    entry_id: int,
    wrong_id: int,
    right: NewEntry,
    from_now: bool = False,
    seen: str = "",
    overrule: str = "",
) -> Entry:
    """Replace the player with the id ``wrong_id`` in an entry of a published draw by ``right``.

    ``from_now``: ``right`` takes over only from now on. Changes every entry of both in the division.
    ``seen``: the version of the preview; raises ``Conflict`` if it has changed. Raises ``Invalid`` (422) for
    the same player, a team partner, and a player new in the division and outside its rating limit unless
    ``overrule`` gives a reason.
    """
    event = lock_for_director(actor, event_id)
    entry = one_or_none(
        Entry.objects.select_for_update(of=("self",)).filter(pk=entry_id, division__event=event)
    )
    wrong = (
        one_or_none(Player.objects.filter(pk=wrong_id, entry_players__entry=entry))
        if entry is not None
        else None
    )
    if entry is None or wrong is None:
        raise Missing("entry.unknown")
    stages = published_stages(entry)
    if event.status not in EVENT_HAS_RESULTS or not stages:
        raise Conflict("entry.not_drawn", present=event)
    known_player = _known_player(event, right)
    check_substitution(entry=entry, wrong=wrong, right=known_player, name=right.name, from_now=from_now)
    substitution = build_substitution(entry, wrong, known_player, right.name)
    if seen and seen != substitution.version:
        raise Conflict("correction.changed_meanwhile", present=entry)
    player = known_player or create_player(
        actor=actor,
        club=event.club,
        name=right.name,
        public_page=right.public_page,
    )
    link_players_to_club(players=[player], club=event.club)
    lineup_by_entry: dict[int, FormerLineup] = {}
    changes: list[tuple[int, StageChange]]
    if from_now:
        slots = [
            (slot, slot.entry)
            for slot in slots_to_freeze(renamed.entry for renamed in substitution.renamings)
        ]
        lineup_by_entry = {
            pk: _save_former_lineup(slot_entry)
            for pk, slot_entry in {
                slot_entry.pk: slot_entry for _slot, slot_entry in slots if slot_entry
            }.items()
        }
        changes = [
            (
                slot.match.stage_id,
                KeepFormerLineup(
                    MatchNo(slot.match.number), Side(slot.side), lineup_by_entry[slot_entry.pk].pk
                ),
            )
            for slot, slot_entry in slots
            if slot_entry
        ]
    else:
        changes = [(match.stage_id, RepeatReport(MatchNo(match.number))) for match in substitution.rated]
    previous_entries = _exchange_players(
        substitution, player, lineup_by_entry, () if from_now else substitution.former_players
    )
    repairs = []
    for stage in stages:
        loaded_stage = load_stage(stage)
        repairs.append(
            StageRepair(
                loaded_stage, loaded_stage.after(*(change for pk, change in changes if pk == stage.pk))
            )
        )
    record_repair(
        event,
        *repairs,
        actor=actor,
        action=PlayerChanged(
            wrong=wrong.name,
            right=player.name,
            from_now=from_now,
            exchange=substitution.is_exchange,
            results=0 if from_now else len(substitution.rated),
        ),
        subject=entry,
        entries=previous_entries,
    )
    entry.refresh_from_db()
    if not substitution.is_exchange:
        require_within_limit_on_return(actor, event, entry, overrule, players=[player])
    return entry


def check_substitution(
    *, entry: Entry, wrong: Player, right: Player | None, name: str = "", from_now: bool = False
) -> None:
    """Raise ``Invalid`` (422) if ``right`` is the player ``wrong``, or a present or former partner of theirs.

    ``right`` None: a new player, whose ``name`` is checked.
    """
    if right is None:
        clean_name(name)
        return
    if right.pk == wrong.pk:
        raise Invalid("entry.same_player", field="player", name=right.name)
    shared_lineups = FormerPlayer.objects.filter(
        player=right, lineup__entry__division=entry.division_id, lineup__former_players__player=wrong
    )
    if EntryPlayer.objects.filter(entry=entry, player=right).exists() or (
        not from_now and shared_lineups.exists()
    ):
        raise Invalid("entry.twice", field="player", name=right.name)


def _known_player(event: Event, right: NewEntry) -> Player | None:
    if right.player_id is None:
        return None
    player = one_or_none(players_for_club(event.club).filter(pk=right.player_id))
    if player is None:
        raise Invalid("player.unknown", field="player")
    return player


def _save_former_lineup(entry: Entry) -> FormerLineup:
    """Save the current players of ``entry`` as a former lineup, for the matches that they have played."""
    lineup = FormerLineup.objects.create(entry=entry, name=entry.name)
    FormerPlayer.objects.bulk_create(
        FormerPlayer(lineup=lineup, player_id=row.player_id, position=row.position)
        for row in EntryPlayer.objects.filter(entry=entry)
    )
    return lineup


def _exchange_players(
    substitution: Substitution,
    right: Player,
    lineup_by_entry: Mapping[int, FormerLineup],
    former: Iterable[FormerPlayer],
) -> dict[int, PreviousEntry]:
    """Save players and names of the entries, also of the lineups in ``former``.

    Returns the previous ones for the undo, keyed by entry id.
    """
    rows = [row for renamed in substitution.renamings for row in renamed.rows]
    former_by_entry: dict[int, list[FormerPlayer]] = {}
    for former_player in former:
        former_by_entry.setdefault(former_player.lineup.entry_id, []).append(former_player)
    other_entries = Entry.objects.filter(pk__in=former_by_entry).exclude(
        pk__in=[renamed.entry.pk for renamed in substitution.renamings]
    )
    previous_entries = {
        other.pk: PreviousEntry(other.status, other.name, other.seed) for other in other_entries
    } | {
        renamed.entry.pk: PreviousEntry(
            renamed.entry.status,
            renamed.before,
            renamed.entry.seed,
            links=True,
            players=[[row.pk, row.player_id, row.attempt] for row in renamed.rows],
            lineup=lineup_by_entry[renamed.entry.pk].pk if renamed.entry.pk in lineup_by_entry else None,
        )
        for renamed in substitution.renamings
    }
    for pk, former_rows in former_by_entry.items():
        previous_entries[pk] = replace(
            previous_entries[pk],
            lineups={str(row.lineup_id): row.lineup.name for row in former_rows},
            former_players=[[row.pk, row.player_id] for row in former_rows],
        )
    for row in rows:
        row.attempt += PARKED_ATTEMPT_NUMBER
        row.save(update_fields=["attempt"])
    for row in rows:
        row.player = substitution.other(row.player_id, right)
        row.attempt -= PARKED_ATTEMPT_NUMBER
        row.save(update_fields=["player", "attempt"])
    for former_rows in former_by_entry.values():
        _correct_lineups(substitution, right, former_rows)
    for renamed in substitution.renamings:
        renamed.entry.name = renamed.after
        renamed.entry.link_version += 1
        renamed.entry.changed_hands |= renamed.entry.pk in lineup_by_entry
        renamed.entry.save(update_fields=["name", "link_version", "changed_hands"])
    delete_arrangements([renamed.entry for renamed in substitution.renamings])
    return previous_entries


def _correct_lineups(substitution: Substitution, right: Player, rows: Sequence[FormerPlayer]) -> None:
    """Replace the wrong player in former lineups, too: the right player played those matches."""
    for lineup in {row.lineup_id: row.lineup for row in rows}.values():
        lineup_rows = [row for row in rows if row.lineup_id == lineup.pk]
        lineup.name = substitution.lineup_name(lineup.name, lineup_rows)
        lineup.save(update_fields=["name"])
    for row in rows:
        row.player = substitution.other(row.player_id, right)
        row.save(update_fields=["player"])
