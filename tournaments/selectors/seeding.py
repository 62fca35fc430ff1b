"""Who stands on which line of a bracket: by lot or by seed, friends apart, or as they qualified in the stage before."""

from collections.abc import Mapping, Sequence

from faults import Conflict
from tournaments.engine.brackets.avoidance import blind_draw_apart, seeded_draw_apart
from tournaments.engine.brackets.seeding import Lines, blind_draw, seeded_draw
from tournaments.engine.chance import Chance
from tournaments.engine.stages.elimination import Apart
from tournaments.engine.statuses import StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Stage
from tournaments.selectors.rounds.next import taking_part


def entries_to_draw(stage: Stage) -> list[Entry]:
    """The active entries of the division in the order of entering, or of the stage before those who go on, best first."""
    if stage.fed_by is not None and stage.fed_by.status != StageStatus.FINISHED:
        raise Conflict("draw.stage_before_not_over", present=stage.fed_by)
    return taking_part(stage)


def seeding_order(stage: Stage, entries: Sequence[Entry], seed: int, purpose: str) -> list[EntryId]:
    """Best first: as they qualified; else by seed, those without one after them by lot."""
    if stage.fed_by_id is not None:
        return [EntryId(entry.pk) for entry in entries]
    ranked = stage.draw_method == Stage.DrawMethod.SEEDED
    first = [entry for entry in entries if ranked and entry.seed is not None]
    others = [EntryId(entry.pk) for entry in entries if not (ranked and entry.seed is not None)]
    in_order = [EntryId(entry.pk) for entry in sorted(first, key=lambda entry: entry.seed or 0)]
    return in_order + list(Chance(seed, purpose).shuffled(others))


def lines_of(stage: Stage, entries: Sequence[Entry], seed: int) -> Lines:
    """The bracket's lines from top to bottom; None is a bye."""
    apart = _apart(stage.settings.bracket.apart, entries)
    if stage.draw_method == Stage.DrawMethod.BLIND and stage.fed_by_id is None:
        ids = [EntryId(entry.pk) for entry in entries]
        return blind_draw_apart(ids, apart, seed) if apart else blind_draw(ids, seed)
    order = seeding_order(stage, entries, seed, "unseeded")
    return seeded_draw_apart(order, apart) if apart else seeded_draw(order)


def _apart(wanted: Sequence[Apart], entries: Sequence[Entry]) -> list[Mapping[EntryId, str]]:
    """For each kind of tie, the strictest first, the mark of every entry that has one."""
    if not wanted:
        return []
    found: dict[Apart, dict[EntryId, str]] = {
        Apart.PARTY: {EntryId(entry.pk): entry.party for entry in entries if entry.party},
        Apart.CLUB: {},
        Apart.COUNTRY: {},
    }
    rows = EntryPlayer.objects.filter(entry__in=entries).order_by("-position")
    for pk, club, country in rows.values_list("entry_id", "player__home_club_id", "player__country"):
        if club is not None:
            found[Apart.CLUB][EntryId(pk)] = str(club)
        if country:
            found[Apart.COUNTRY][EntryId(pk)] = country
    return [found[kind] for kind in wanted]
