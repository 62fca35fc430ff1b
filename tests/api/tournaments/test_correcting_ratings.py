"""The API's preview of a correction tells of ratings what the director's page tells: list by list, player by player."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from people.actors import Actor
from people.models import Player
from rating.models import RatingList, Standing
from rating.selectors import club_lists
from rating.services import create_list, update_list_ratings
from rating.services.lists import ListSettings
from tests.factories import Tournament, an_event
from tests.support.described import described
from tests.support.director import words
from tests.support.tournaments import signed_in, unrate
from tournaments.models import Match

pytestmark = pytest.mark.django_db

OTHER = {"score_a": 1, "score_b": 5}


def a_bracket(entries: int = 4) -> Tournament:
    """Played out: who sits at A has won every match."""
    tournament = an_event(entries=entries, lengths=[5]).publish()
    while matches := tournament.playable():
        for match in matches:
            tournament.settle(match, "a", 2)
    rate(tournament)
    return tournament


def rate(tournament: Tournament) -> None:
    for rating_list in club_lists(tournament.club.pk):
        update_list_ratings(rating_list.pk)


def further_list(tournament: Tournament, **settings: object) -> RatingList:
    made = create_list(
        actor=Actor.program(), club_id=tournament.club.pk, settings=ListSettings(name="Further", **settings)
    )
    update_list_ratings(made.pk)
    made.refresh_from_db()
    return made


def first() -> Match:
    return Match.objects.order_by("number").first()


def send(tournament: Tournament, **body: object):
    address = f"/api/v1/matches/{first().public_id}/correct"
    answer = signed_in(tournament.director).post(
        f"{address}/" if "submission_key" in body else f"{address}/preview/",
        {**OTHER, **body},
        content_type="application/json",
    )
    return described(answer)


def ratings_by_repair(tournament: Tournament, **body: object) -> dict[str, dict]:
    """By repair."""
    return {repair["repair"]: repair["ratings"] for repair in send(tournament, **body).json()["repairs"]}


def ratings_of(rating_list: RatingList) -> dict[str, float]:
    rating_list.refresh_from_db()
    rows = Standing.objects.on(rating_list).values_list("player__public_id", "rating")
    return dict(rows)


@pytest.mark.parametrize("repair", ["void", "keep"])
def test_each_repair_tells_its_ratings_and_they_come_true_bit_for_bit(repair):
    tournament = a_bracket()
    further_list(tournament, system="galaxy", shortest=2)
    before = {one.public_id: ratings_of(one) for one in RatingList.objects.all()}
    told = ratings_by_repair(tournament)
    assert list(told) == ["void", "keep"]
    assert told["void"] != told["keep"]
    ratings = told[repair]
    assert ratings["total"] == len(ratings["changes"])
    assert ratings["notes"] == []
    for change in ratings["changes"]:
        assert change["before"] == before[change["list"]][change["player"]]
        assert change["name"] == Player.objects.get(public_id=change["player"]).name
    assert (
        send(
            tournament, submission_key="fix", repair=repair, seen=send(tournament).json()["seen"]
        ).status_code
        == 201
    )
    rate(tournament)
    for rating_list in RatingList.objects.all():
        was, now = before[rating_list.public_id], ratings_of(rating_list)
        foretold = {c["player"]: c["after"] for c in ratings["changes"] if c["list"] == rating_list.public_id}
        assert foretold == {player: now.get(player) for player in was if now.get(player) != was[player]}


def test_page_and_api_tell_the_same():
    tournament = a_bracket()
    told = ratings_by_repair(tournament)
    page = signed_in(tournament.director).post(
        reverse("director:correct", args=[tournament.event.public_id, first().public_id]),
        {**OTHER, "kind": "played", "submission_key": "fix"},
    )
    shown = {repair["code"]: repair["effects"] for repair in page.context["repairs"]}
    assert {
        code: [(c["name"], c["before"], c["after"]) for c in one["changes"]] for code, one in told.items()
    } == {code: [(e.player.name, e.now, e.then) for e in one.shown] for code, one in shown.items()}
    assert "Rating changes from these results only" in words(page)


def test_correction_with_one_repair_tells_its_ratings_too():
    tournament = an_event(entries=4, lengths=[5]).publish()
    tournament.settle(tournament.playable()[0], "a", 2)
    rate(tournament)
    ((_repair, ratings),) = ratings_by_repair(tournament).items()
    before, after = ([change[when] for change in ratings["changes"]] for when in ("before", "after"))
    assert ratings["total"] == 2
    assert sorted(before) == sorted(after)  # the two change sides


def test_who_has_only_this_result_is_told_to_leave_the_list():
    tournament = an_event(entries=4, lengths=[5]).publish()
    tournament.settle(tournament.playable()[0], "a", 2)
    rate(tournament)
    ((_repair, ratings),) = ratings_by_repair(
        tournament, score_a=0, score_b=0, kind="walkover", winner="b"
    ).items()
    assert [change["after"] for change in ratings["changes"]] == [None, None]


@pytest.mark.parametrize("why", ["unrated stage", "same winner", "no list"])
def test_where_nobody_is_rated_anew_there_are_no_ratings(why):
    tournament = a_bracket()
    body = {}
    if why == "unrated stage":
        unrate(tournament.stage)
    elif why == "same winner":
        body = {"score_a": 5, "score_b": 4}
    else:
        RatingList.objects.update(archived=True)
    for ratings in ratings_by_repair(tournament, **body).values():
        assert ratings == {"total": 0, "changes": [], "notes": []}


def test_open_rating_period_is_a_note():
    tournament = an_event(entries=2, lengths=[5]).publish()
    glicko = further_list(tournament, system="glicko2", parameters={"period_days": 7})
    tournament.settle(tournament.playable()[0], "a", 2)
    rate(tournament)
    ((_repair, open_now),) = ratings_by_repair(tournament).items()
    assert glicko.public_id not in {change["list"] for change in open_now["changes"]}
    assert open_now["notes"] == ["Further: ratings change only at the end of this match’s rating period."]


def test_closed_rating_period_has_numbers():
    tournament = an_event(entries=2, lengths=[5]).publish()
    glicko = further_list(tournament, system="glicko2", parameters={"period_days": 7})
    at = timezone.now() - timedelta(days=30)
    tournament.says(tournament.playable()[0], None, 5, 2, played_at=at)
    rate(tournament)
    ((_repair, closed),) = ratings_by_repair(tournament).items()
    found = {c["player"]: c["after"] for c in closed["changes"] if c["list"] == glicko.public_id}
    assert closed["notes"] == []
    assert len(found) == 2
    was = ratings_of(glicko)
    assert sorted(found.values()) == pytest.approx(sorted(was.values()))
    assert found != was


def queries_of_preview(entries: int) -> int:
    tournament = a_bracket(entries)
    client = signed_in(tournament.director)
    match = tournament.stage.matches.order_by("number").first()
    with CaptureQueriesContext(connection) as seen:
        answer = client.post(
            f"/api/v1/matches/{match.public_id}/correct/preview/", OTHER, content_type="application/json"
        )
    assert answer.json()["repairs"][0]["ratings"]["total"] > 0
    return len(seen)


def test_preview_of_a_draw_eight_times_as_large_costs_no_more_queries():
    small, large = queries_of_preview(4), queries_of_preview(32)
    assert large <= small + 4
    assert large < 90
