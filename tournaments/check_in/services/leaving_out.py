"""Draw without those who are not here: they are withdrawn, and come back as whoever has left comes back, or as late entries."""

from collections.abc import Collection

from faults import Conflict
from people.actors import Actor
from people.transactions import durable
from tournaments.draws.services.draws import throw_draw_away
from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.statuses import EntryStatus, StageStatus
from tournaments.entries.services.entries import take_out as take_out_before
from tournaments.entries.services.several import Places, note_withdrawn
from tournaments.models import CheckIn, Entry, Event, Stage
from tournaments.repairs.services.withdraw import take_out
from tournaments.rounds.services.rounds import throw_pairing_away
from tournaments.selectors.check_in import check_in_to_ask, missing_in
from tournaments.selectors.entries import takes_entries
from tournaments.selectors.standings.tables import in_rounds, is_swiss
from tournaments.store.lock import lock_for_director, stage_of


@durable
def leave_out_missing(*, actor: Actor, event_id: int, stage_id: int, listed: Collection[int]) -> list[Entry]:
    """Withdraw those of ``listed``, ids of entries, who are still not here. A draw or pairing that nobody has seen yet is thrown away: it is made anew.

    Whoever came meanwhile stays in, and whoever is missing since is not left out: the draw asks again. Of the waiting list those move up
    who are here; they leave it to nobody else, for there is room. Refused (409): no check-in is asked (``check_in.not_asked``), a round
    robin is under way (``check_in.by_hand``: what becomes of results is for the director to decide), or too few would be left to play
    (``check_in.too_few_here``: nobody is here, so most likely nobody was marked).
    """
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id)
    check_in = check_in_to_ask(event, stage)
    if check_in is None:
        raise Conflict("check_in.not_asked", present=stage)
    out = [entry for entry in missing_in(check_in, listed) if entry.division_id == stage.division_id]
    if not out:
        return []
    _throw_away(actor, event, stage)
    first = _first_stage(stage)
    if takes_entries(first):
        done = _before_the_draw(actor, event, check_in, out)
    elif in_rounds(first) and not is_swiss(first) and first.status != StageStatus.FINISHED:
        raise Conflict("check_in.by_hand", present=first)
    else:
        done = [take_out(actor, event, entry.pk) for entry in out]
    if len(_placed(check_in)) < MIN_ENTRIES:
        raise Conflict("check_in.too_few_here", present=stage)
    return done


def _throw_away(actor: Actor, event: Event, stage: Stage) -> None:
    if in_rounds(stage):
        if stage.next_seed:
            throw_pairing_away(actor, event, stage)
    elif stage.status == StageStatus.DRAWN:
        throw_draw_away(actor, event, stage)


def _before_the_draw(actor: Actor, event: Event, check_in: CheckIn, out: list[Entry]) -> list[Entry]:
    """Those who move up in the place of who is left out and are not here either are left out, too: the next one may be."""
    done: list[Entry] = []
    placed, was = _placed(check_in), Places.of(out)
    while out:
        done += [take_out_before(actor, event, entry.pk) for entry in out]
        moved = _placed(check_in) - placed
        placed |= moved
        out = missing_in(check_in, moved)
    note_withdrawn(actor, event, was, done)
    return done


def _placed(check_in: CheckIn) -> set[int]:
    rows = Entry.objects.filter(division=check_in.division_id, status=EntryStatus.ACTIVE)
    return set(rows.values_list("pk", flat=True))


def _first_stage(stage: Stage) -> Stage:
    first = Stage.objects.filter(division=stage.division_id).select_related("division", "fed_by")
    return first.order_by("position")[0]
