"""What tests of a Swiss or round robin say again and again: pair, publish, play, look at the table."""

from typing import Any

from tests.factories import Tournament
from tournaments.events.services.stages import StageDetails, add_stage
from tournaments.models import Match, Round, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.draws import Draw, load_draw
from tournaments.selectors.rounds.next import has_round_to_come, next_round
from tournaments.selectors.standings.tables import standings_tables


def stage_at(tournament: Tournament, place: int = 1) -> Stage:
    return list(Stage.objects.filter(division__event=tournament.event).order_by("position"))[place - 1]


def where(tournament: Tournament, place: int = 1) -> dict[str, Any]:
    return {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "stage_id": stage_at(tournament, place).pk,
    }


def draw_at(tournament: Tournament, place: int = 1) -> Draw:
    return load_draw(stage_at(tournament, place))


def publish_next(tournament: Tournament, place: int = 1, seed: int = 1) -> Round:
    """Pair the next round, where it is not drawn already, and publish it."""
    stage = stage_at(tournament, place)
    found = next_round(stage, load_draw(stage)) or pair_next_round(**where(tournament, place), seed=seed)
    made = publish_round(**where(tournament, place), seen=found.version)
    tournament.fresh()
    return made


def play_to_the_end(tournament: Tournament, place: int = 1) -> Tournament:
    """Every round of the stage, all results by chance."""
    publish_next(tournament, place)
    tournament.play_out()
    seed = 1
    while has_round_to_come(stage_at(tournament, place)):
        publish_next(tournament, place, seed := seed + 1)
        tournament.play_out()
    return tournament


def then(tournament: Tournament, **stage: Any) -> Stage:
    """One more stage in the event's only division."""
    details = StageDetails(**{"lengths": [5], **stage})
    return add_stage(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        stage=details,
    )


def pairs_of(tournament: Tournament, number: int, place: int = 1) -> list[tuple[str | None, ...]]:
    """Names by match of one round; None is the bye."""
    matches = Match.objects.filter(stage=stage_at(tournament, place), round__number=number).order_by("number")
    return [
        tuple(slot.entry.name if slot.entry else None for slot in match.slots.order_by("side"))
        for match in matches
    ]


def names_of(tournament: Tournament) -> dict[int, str]:
    return dict(tournament.division.entries.values_list("pk", "name"))


def tables(tournament: Tournament, place: int = 1) -> list[list[tuple[str, int, int]]]:
    """Name, place and half points, table by table."""
    names = names_of(tournament)
    return [
        [(names[row.entry], row.first, table.points[row.entry]) for row in table.rows]
        for table in standings_tables(draw_at(tournament, place))
    ]


def win_by_name(tournament: Tournament) -> Tournament:
    """All open matches: who comes first in the alphabet wins to nil."""
    for match in tournament.playable():
        names = [slot.entry.name for slot in match.slots.order_by("side")]
        tournament.settle(match, "a" if names[0] < names[1] else "b")
    return tournament
