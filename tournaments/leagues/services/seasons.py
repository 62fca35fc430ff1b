"""A league season: rule unplayed matches, set numbers for promotion and relegation, create the next season.

The next season is a separate event, created as a draft with the same divisions and all entries in their
places; its director edits it before the draw. The old season does not change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from faults import Conflict, Fault, Invalid, Missing
from names.folding import search_key
from people.actors import Actor
from people.models import Club, Player
from people.selectors import players_by_key
from people.services.players import NewPlayer, clean_name, create_players, link_players_to_club
from people.transactions import durable
from tournaments.engine.pairing.round_robin import MAX_GROUP_SIZE
from tournaments.engine.statuses import OVER, EventStatus
from tournaments.engine.trail.events import NextSeasonCreated, PromotionCountsSet, SeasonCreated
from tournaments.engine.types import Claim, EntryId, ResultKind, Side
from tournaments.events.services.divisions import DivisionDetails, create_division
from tournaments.events.services.events import EventDetails, details_of_event, event_faults, write_event
from tournaments.events.services.limits import limit_details
from tournaments.events.services.stages import details_of_stage
from tournaments.matches.services.reports import rule_match_locked
from tournaments.models import Division, Entry, EntryPlayer, Event, Match, Report, Stage
from tournaments.selectors.leagues import NextSeason, Season, following_season, load_season, plan_season
from tournaments.store.claims import check_submission_key
from tournaments.store.lock import lock_for_director, record_action

MAX_RULED_MATCHES = 200
MAX_PROMOTED = 50


class UnplayedRuling(StrEnum):
    """Rulings on a match that was not played, or not finished."""

    WALKOVER_A = "walkover_a"
    WALKOVER_B = "walkover_b"
    DOUBLE_WALKOVER = "double_walkover"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSeasonDetails:
    """Details of the next season. ``moving``: how many entries change places at each border, from the top.

    ``leaving_entry_ids``: ids of entries that do not continue; ``tie_order``: numbers, keyed by entry id, that order
    entries on a shared place, the smallest first; ``newcomers``: names of players for the last division,
    known to the club or new.
    """

    name: str
    starts_on: date
    ends_on: date
    moving: Sequence[int] = ()
    leaving_entry_ids: frozenset[int] = frozenset()
    tie_order: Mapping[int, int] = field(default_factory=dict)
    newcomers: Sequence[str] = ()


@durable
def rule_unplayed_matches(
    *, actor: Actor, event_id: int, rulings: Mapping[int, UnplayedRuling], submission_key: str
) -> list[int]:
    """Set the results of matches, all or none; return the match ids. Idempotent by ``submission_key``.

    ``rulings`` is keyed by match id.
    """
    check_submission_key(submission_key)
    event = lock_for_director(actor, event_id)
    if not rulings:
        raise Invalid("season.nothing_ruled")
    if len(rulings) > MAX_RULED_MATCHES:
        raise Invalid("season.too_many_ruled", limit=MAX_RULED_MATCHES)
    matches = {
        match.pk: match for match in Match.objects.filter(pk__in=rulings, stage__division__event=event)
    }
    if set(matches) != set(rulings):
        raise Missing("match.unknown")
    ruled_ids = set(
        Report.objects.filter(match__in=matches, submission_key=submission_key).values_list(
            "match_id", flat=True
        )
    )
    for match in matches.values():
        if match.status in OVER and match.pk not in ruled_ids:
            raise Conflict("season.match_over", number=match.number, present=match)
    for pk, ruling in rulings.items():
        claim = _ruling_claim(matches[pk], UnplayedRuling(ruling))
        rule_match_locked(event=event, match_id=pk, actor=actor, claim=claim, submission_key=submission_key)
    return list(rulings)


@durable
def set_promotion_counts(*, actor: Actor, event_id: int, moving: Sequence[int]) -> Event:
    """Set how many entries are promoted and relegated at each border, from the top division down.

    Standings and the next season use these numbers.
    """
    event = lock_for_director(actor, event_id)
    season = _season_or_conflict(event)
    faults = _promotion_faults(season, moving)
    if faults:
        raise Invalid(faults=faults)
    _write_promotion_counts([table.division for table in season.divisions], moving)
    record_action(event, actor=actor, action=PromotionCountsSet(moving=tuple(moving)))
    return event


@durable
def create_next_season(
    *, actor: Actor, event_id: int, details: NextSeasonDetails, expected_version: str
) -> Event:
    """Create the season after the event ``event_id`` as a draft, with all entries in their divisions.

    ``expected_version``: the version of the preview; raises ``Conflict`` if it has changed.
    """
    event = lock_for_director(actor, event_id)
    season = _season_or_conflict(event)
    if not season.is_over:
        raise Conflict("season.not_over", present=event)
    if following_season(event) is not None:
        raise Conflict("season.there_already", present=event)
    plan = plan_next_season(season, details)
    if plan.undecided_ties:
        raise Invalid("season.undecided", field="higher")
    if plan.version != expected_version:
        raise Conflict("season.changed", present=event)
    next_event = Event(club=event.club, created_by=actor.user, status=EventStatus.DRAFT, follows=event)
    write_event(next_event, _event_details(event, details))
    next_event.currency = event.currency
    next_event.save()
    divisions = [_copy_division(next_event, table.division, table.stage) for table in season.divisions]
    _write_promotion_counts(divisions, details.moving)
    _write_entries(
        season, plan, divisions, _create_newcomers(actor, event.club, _find_newcomers(season, details))
    )
    record_action(next_event, actor=actor, action=SeasonCreated(name=next_event.name, before=event.name))
    record_action(event, actor=actor, action=NextSeasonCreated(name=next_event.name))
    return next_event


def plan_next_season(season: Season, details: NextSeasonDetails) -> NextSeason:
    """Return the preview of the next season, with shared places that are not decided, if any.

    Raises ``Invalid`` (422) with all errors found.
    """
    if set(details.leaving_entry_ids) - set(season.ranked_entries):
        raise Missing("entry.unknown")
    faults = [
        *event_faults(_event_details(season.event, details)),
        *_promotion_faults(season, details.moving),
    ]
    if faults:
        raise Invalid(faults=faults)
    newcomers = _find_newcomers(season, details)
    plan = plan_season(
        season,
        moving_counts=list(details.moving),
        leaving_entries={EntryId(pk) for pk in details.leaving_entry_ids},
        priorities={EntryId(pk): number for pk, number in details.tie_order.items()},
    )
    last, count = season.divisions[-1].division, len(plan.divisions[-1]) + len(newcomers)
    if newcomers and count > MAX_GROUP_SIZE:
        raise Invalid(
            "season.too_many", field="newcomers", division=str(last), count=count, limit=MAX_GROUP_SIZE
        )
    return plan


def _season_or_conflict(event: Event) -> Season:
    season = load_season(event)
    if season is None:
        raise Conflict("season.no_league", present=event)
    return season


def _ruling_claim(match: Match, ruling: UnplayedRuling) -> Claim:
    """Return the result that a ruling gives.

    A walkover gives the winner the match's length, other points stay.
    """
    start = {Side.A: match.start_a, Side.B: match.start_b}
    if ruling is UnplayedRuling.DOUBLE_WALKOVER:
        return Claim(start[Side.A], start[Side.B], ResultKind.DOUBLE_WALKOVER)
    if ruling is UnplayedRuling.UNFINISHED:
        return Claim(start[Side.A], start[Side.B], ResultKind.UNFINISHED)
    winner = Side.A if ruling is UnplayedRuling.WALKOVER_A else Side.B
    start[winner] = match.length
    return Claim(start[Side.A], start[Side.B], ResultKind.WALKOVER, winner)


def _promotion_faults(season: Season, moving: Sequence[int]) -> list[Fault]:
    if len(moving) != len(season.divisions) - 1:
        return [Fault("season.borders", "moving-1", {"count": len(season.divisions) - 1})]
    return [
        Fault("season.moving_odd", f"moving-{number}", {"limit": MAX_PROMOTED})
        for number, count in enumerate(moving, start=1)
        if not 0 <= count <= MAX_PROMOTED
    ]


def _write_promotion_counts(divisions: Sequence[Division], moving: Sequence[int]) -> None:
    for division, count in zip(divisions, [*moving, 0], strict=True):
        division.moving = count
        division.save(update_fields=["moving"])


def _event_details(event: Event, details: NextSeasonDetails) -> EventDetails:
    return replace(
        details_of_event(event), name=details.name, starts_on=details.starts_on, ends_on=details.ends_on
    )


def _copy_division(next_event: Event, division: Division, stage: Stage) -> Division:
    """Copy a division with an undrawn stage for the next season, seeded by this season's final order."""
    details = details_of_stage(stage)
    return create_division(
        next_event,
        DivisionDetails(
            name=division.name,
            team_size=division.team_size,
            capacity=division.capacity,
            starts_when_full=division.starts_when_full,
            reentries=division.reentries,
            **limit_details(division),
            stages=[
                replace(details, draw_method=Stage.DrawMethod.SEEDED, swiss=replace(details.swiss, rounds=1))
            ],
        ),
        position=division.position,
    )


def _find_newcomers(season: Season, details: NextSeasonDetails) -> list[tuple[str, Player | None]]:
    """Return every new name with the club's player of that name, or None for a new player.

    Raises ``Invalid`` with all names that are ambiguous, repeated or already in the league.
    """
    names = [clean_name(name) for name in details.newcomers]
    if names and season.divisions[-1].division.team_size > 1:
        raise Invalid("season.newcomers_teams", field="newcomers")
    if len(names) > MAX_GROUP_SIZE:
        raise Invalid("season.newcomers_many", field="newcomers", limit=MAX_GROUP_SIZE)
    keys = [search_key(name)[:160] for name in names]
    players_of_key = players_by_key(club=season.event.club, keys=keys)
    continuing_ids = {
        player.pk
        for entry in season.ranked_entries
        if entry not in details.leaving_entry_ids
        for player in season.row(entry).players
    }
    faults = []
    for name, key in zip(names, keys, strict=True):
        players = players_of_key[key]
        if keys.count(key) > 1:
            faults.append(Fault("season.newcomer_twice", "newcomers", {"name": name}))
        elif len(players) > 1:
            faults.append(Fault("season.newcomer_unclear", "newcomers", {"name": name}))
        elif players and players[0].pk in continuing_ids:
            faults.append(Fault("season.newcomer_plays", "newcomers", {"name": name}))
    if faults:
        raise Invalid(faults=faults)
    return [(name, next(iter(players_of_key[key]), None)) for name, key in zip(names, keys, strict=True)]


def _create_newcomers(
    actor: Actor, club: Club, newcomers: Sequence[tuple[str, Player | None]]
) -> list[Player]:
    """Return the newcomers as players; those whom the club does not know are created."""
    link_players_to_club(players=[player for _name, player in newcomers if player is not None], club=club)
    new_names = [name for name, player in newcomers if player is None]
    created = iter(
        create_players(
            actor=actor,
            club=club,
            players=[NewPlayer(name) for name in new_names],
        )
        if new_names
        else []
    )
    return [player if player is not None else next(created) for _name, player in newcomers]


def _write_entries(
    season: Season, plan: NextSeason, divisions: Sequence[Division], newcomers: Sequence[Player]
) -> None:
    """Save the seeded entries of all divisions: continuing ones in the order of the plan, then newcomers."""
    for index, (division, places) in enumerate(zip(divisions, plan.divisions, strict=True)):
        rows = [season.row(place.entry) for place in places]
        teams = [(row.name, [player.pk for player in row.players]) for row in rows]
        if index == len(divisions) - 1:
            teams += [(player.name, [player.pk]) for player in newcomers]
        player_ids = [pk for _name, players in teams for pk in players]
        repeated_ids = {pk for pk in player_ids if player_ids.count(pk) > 1}
        if repeated_ids:
            names = Player.objects.filter(pk__in=repeated_ids).order_by("name").values_list("name", flat=True)
            raise Invalid("season.twice_in_division", name=", ".join(names), division=division.name)
        entries = Entry.objects.bulk_create(
            [
                Entry(division=division, name=name, source=Entry.Source.DIRECTOR, seed=seed)
                for seed, (name, _players) in enumerate(teams, start=1)
            ]
        )
        EntryPlayer.objects.bulk_create(
            [
                EntryPlayer(entry=entry, player_id=pk, division=division, position=position)
                for entry, (_name, players) in zip(entries, teams, strict=True)
                for position, pk in enumerate(players, start=1)
            ]
        )
