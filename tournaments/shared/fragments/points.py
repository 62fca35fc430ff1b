"""Addresses of the “what if” page of a list of master points, for a match or for the places of a division."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.http import urlencode

from rating.models import RatingList
from rating.selectors import points_list_for
from tournaments.engine.statuses import OVER, EventStatus
from tournaments.engine.types import Side
from tournaments.models import Division, Event, Match, Stage
from tournaments.selectors.events.detail import DivisionView
from tournaments.selectors.matches.detail import MatchView
from tournaments.selectors.standings.field_size import players_for_places
from tournaments.selectors.standings.places import division_rank


def find_master_points_list(event: Event) -> RatingList | None:
    """Return the list of master points that counts the event, the club's own before a federation's.

    None without one.
    """
    return points_list_for(
        event.club_id, event_key=event.public_id, begins=event.starts_on, ends=event.ends_on
    )


def place_points_url(points_list: RatingList | None, event: Event, view: DivisionView) -> str:
    """Return the address of a page that shows the master points for each place of a division.

    Empty without a list of master points, or if the list does not count the division.
    """
    stages = [stage.stage for stage in view.stages]
    if points_list is None or not _is_counted(event, view.division, stages[:1]):
        return ""
    return _what_if_url(points_list, event, view.division)


def match_points_url(view: MatchView, match: Match, event: Event) -> str:
    """Return the address of a page that shows the master points for the match and the places of its division.

    Empty if the match is over, or if no list of master points counts the match.
    """
    stage = match.stage
    players = [player for side in Side for player in view.players_of(side)]
    if match.status in OVER or len(players) != len(Side) or not _is_counted(event, stage.division, [stage]):
        return ""
    points_list = find_master_points_list(event)
    if points_list is None or not points_list.shortest <= match.length <= points_list.longest:
        return ""
    public_ids = [player.public_id for player in players if player.listed]
    player_params = {"a": public_ids[0], "b": public_ids[1]} if len(public_ids) == len(players) else {}
    return _what_if_url(points_list, event, stage.division, length=match.length, **player_params)


def _is_counted(event: Event, division: Division, stages: Sequence[Stage]) -> bool:
    is_singles = division.team_size == 1 and event.status != EventStatus.CANCELLED
    return is_singles and bool(stages) and all(stage.settings.conduct.rated for stage in stages)


def _what_if_url(found: RatingList, event: Event, division: Division, **more: str | int) -> str:
    field = players_for_places(division)
    query: dict[str, str | int] = {
        **more,
        "weight": f"{event.weight.normalize():f}",
        "division": min(division_rank(division), 3),
        **({"field": field} if field > 1 else {}),
    }
    return f"{reverse('rating:what-if', args=[found.public_id])}?{urlencode(query)}"
