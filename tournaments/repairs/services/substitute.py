"""The wrong player was entered: put the right one in, before play or after.

The entry stays where it is in the draw with its results; its name follows, its personal link is revoked, and what has been
rated already counts for the right player. Two who were mixed up change places. Or somebody only takes over from now on:
then what was played so far stays rated as it is.
"""

from collections.abc import Sequence

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import Player
from people.rows import one_or_none
from people.selectors import players_for_club
from people.services.players import clean_name, create_player, link_to_club
from people.transactions import durable
from tournaments.engine.changes.next_state import Restate
from tournaments.engine.changes.trail import EntryBefore
from tournaments.engine.new_entry import NewEntry, PublicPage
from tournaments.engine.statuses import EVENT_PLAYED
from tournaments.engine.trail.repairs import PlayerChanged
from tournaments.engine.types import MatchNo
from tournaments.entries.services.limits import must_fit_again
from tournaments.models import Entry, EntryPlayer, Event, Stage
from tournaments.selectors.repairs.substitutions import Substitution, shown_stages, substitution_of
from tournaments.store.arranging import forget_arrangements
from tournaments.store.load import load
from tournaments.store.lock import lock_for_director
from tournaments.store.repairs import PARKED, StageRepair, repaired


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
    """``right`` is, or with ``from_now`` takes over for, the player ``wrong_id`` of the entry; once the draw is published.

    Every entry of the two in the division goes along. Same player, or one who stands beside the wrong one in a team: 422; so is one who comes
    into the division by it and is outside of its limit of ratings, unless ``overrule`` says why.
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
    stages = shown_stages(entry)
    if event.status not in EVENT_PLAYED or not stages:
        raise Conflict("entry.not_drawn", present=event)
    known = _known(event, right)
    check_substitution(entry=entry, wrong=wrong, right=known, name=right.name)
    found = substitution_of(entry, wrong, known, right.name)
    if seen and seen != found.version:
        raise Conflict("correction.changed_meanwhile", present=entry)
    player = known or create_player(
        actor=actor,
        club=event.club,
        name=right.name,
        listed=right.public_page is PublicPage.NOW,
        listed_with_draw=right.public_page is PublicPage.WITH_DRAW,
    )
    link_to_club(players=[player], club=event.club)
    exchange = found.exchange  # as it is before their rows are written
    stored = _exchange(found, player)
    restated = () if from_now else found.rated
    repairs = [
        _restated(stage, [MatchNo(m.number) for m in restated if m.stage_id == stage.pk]) for stage in stages
    ]
    repaired(
        event,
        *repairs,
        actor=actor,
        action=PlayerChanged(
            wrong=wrong.name,
            right=player.name,
            from_now=from_now,
            exchange=exchange,
            results=0 if from_now else len(found.rated),
        ),
        subject=entry,
        entries=stored,
    )
    entry.refresh_from_db()
    if not exchange:
        must_fit_again(actor, event, entry, overrule, players=[player])
    return entry


def _restated(stage: Stage, numbers: Sequence[MatchNo]) -> StageRepair:
    """The stage with these results said anew, for the right player."""
    hand = load(stage)
    return StageRepair(hand, hand.after(*(Restate(number) for number in numbers)))


def check_substitution(*, entry: Entry, wrong: Player, right: Player | None, name: str = "") -> None:
    """Refuse somebody who is no other player, or who already plays in the same entry (422)."""
    if right is None:
        clean_name(name)
        return
    if right.pk == wrong.pk:
        raise Invalid("entry.same_player", field="player", name=right.name)
    if EntryPlayer.objects.filter(entry=entry, player=right).exists():
        raise Invalid("entry.twice", field="player", name=right.name)


def _known(event: Event, right: NewEntry) -> Player | None:
    if right.player_id is None:
        return None
    player = one_or_none(players_for_club(event.club).filter(pk=right.player_id))
    if player is None:
        raise Invalid("player.unknown", field="player")
    return player


def _exchange(found: Substitution, right: Player) -> dict[int, EntryBefore]:
    """Write players and names; what they were, for the undo."""
    rows = [row for one in found.renamed for row in one.rows]
    stored = {
        one.entry.pk: EntryBefore(
            one.entry.status,
            one.before,
            one.entry.seed,
            links=True,
            players=[[row.pk, row.player_id, row.attempt] for row in one.rows],
        )
        for one in found.renamed
    }
    for row in rows:
        row.attempt += PARKED
        row.save(update_fields=["attempt"])
    for row in rows:
        row.player = right if row.player_id == found.wrong.pk else found.wrong
        row.attempt -= PARKED
        row.save(update_fields=["player", "attempt"])
    for one in found.renamed:
        one.entry.name = one.after
        one.entry.link_version += 1
        one.entry.save(update_fields=["name", "link_version"])
    forget_arrangements([one.entry for one in found.renamed])
    return stored
