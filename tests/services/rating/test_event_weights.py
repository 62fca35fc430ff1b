"""The weight that a director gives an event: it multiplies master points, and the first result fixes it."""

import csv
import io
from dataclasses import replace
from decimal import Decimal

import pytest
from django.urls import reverse

from faults import Invalid, NotAllowed
from people.actors import Actor
from people.messages import describe
from people.models import AuditEntry
from rating.formulas.master import match_points, place_points
from rating.models import Fact, FactKind, RatingList
from rating.selectors import club_lists
from rating.services import create_list
from rating.services.lists import ListSettings
from tests.api.tournaments.test_setup import create
from tests.factories import Tournament, a_user, an_event
from tests.services.rating.test_places_of_events import final_of, points, turn_around
from tests.services.tournaments.test_seasons import follow_up
from tests.support.director import event_fields, signed_in, words
from tests.support.leagues import a_league
from tournaments.checks.soundness import integrity_faults
from tournaments.events.services.events import EventDetails, update_event
from tournaments.models import Event
from tournaments.selectors.events.detail import has_results

pytestmark = pytest.mark.django_db


def a_points_list(club) -> RatingList:
    return create_list(
        actor=Actor.program(), club_id=club.pk, settings=ListSettings(name="Points", system="master")
    )


def weigh(tournament: Tournament, weight: str) -> Event:
    """The director gives the event this weight; everything else stays."""
    names = EventDetails.__dataclass_fields__
    tournament.fresh()
    said = EventDetails(**{name: getattr(tournament.event, name) for name in names})
    return update_event(
        actor=tournament.actor, event_id=tournament.event.pk, details=replace(said, weight=Decimal(weight))
    )


def test_event_weighs_one_until_its_director_says_otherwise_and_the_trail_tells():
    tournament = an_event(2)
    assert tournament.event.weight == 1
    weigh(tournament, "2.5")
    assert Event.objects.get().weight == Decimal("2.50")
    row = AuditEntry.objects.get(action="event.update")
    assert (row.data["before"]["weight"], row.data["after"]["weight"]) == ("1.00", "2.50")
    page = signed_in(tournament.director).get(reverse("director:audit", args=[tournament.event.public_id]))
    assert "weight for master points: 1.00 → 2.50" in words(page)


@pytest.mark.parametrize("weight", ["-0.01", "10.01", "0.001", "NaN", "Infinity", "-1", "1E+400"])
def test_weight_that_is_none_is_refused_at_its_field(weight):
    tournament = an_event(2)
    with pytest.raises(Invalid) as refused:
        weigh(tournament, weight)
    (fault,) = refused.value.faults
    assert (fault.code, fault.field) == ("event.weight_odd", "weight")
    assert "between 0 and 10" in describe(fault)


@pytest.mark.parametrize("weight", ["0", "0.01", "10", "1.000"])
def test_weight_at_the_borders_is_taken(weight):
    tournament = an_event(2)
    assert weigh(tournament, weight).weight == Decimal(weight)


def test_master_points_of_matches_and_places_are_multiplied():
    tournament = an_event(4)
    weigh(tournament, "2.5")
    points_list = a_points_list(tournament.club)
    tournament.publish().play_out()
    assert set(Fact.objects.values_list("event_weight", flat=True)) == {2.5}
    match, first, second = final_of(tournament)
    earned = points(points_list, tournament)
    wins = [m.length for m in match.stage.matches.all() if m.winner_side]
    assert sum(earned.values()) == pytest.approx(
        sum(match_points(length, 2.5) for length in wins)
        + sum(place_points(place=p, tied=t, field=4, weight=2.5) for p, t in [(1, 1), (2, 1), (3, 2), (3, 2)])
    )
    assert earned[first] > earned[second]
    assert list(integrity_faults(tournament.event)) == []


def test_event_of_weight_nothing_earns_nothing():
    tournament = an_event(4)
    weigh(tournament, "0")
    points_list = a_points_list(tournament.club)
    tournament.publish().play_out()
    assert points(points_list, tournament) == {}


def test_weight_may_change_while_the_draw_is_public_and_stays_from_the_first_result_on():
    tournament = an_event(4).publish()
    weigh(tournament, "2")
    first = tournament.playable()[0]
    tournament.settle(first, "a")
    with pytest.raises(Invalid) as refused:
        weigh(tournament, "3")
    (fault,) = refused.value.faults
    assert (fault.code, fault.field) == ("event.weight_fixed", "weight")
    assert "ledger" in describe(fault)
    weigh(tournament, "2.00")  # the same again, with whatever else the director changes
    assert set(Fact.objects.values_list("event_weight", flat=True)) == {2.0}


def test_byes_are_no_results():
    tournament = an_event(3).publish()
    assert not has_results(tournament.event)
    weigh(tournament, "2")
    tournament.settle(tournament.playable()[0], "a")
    assert has_results(tournament.event)


def test_corrected_results_and_places_keep_the_weight():
    tournament = an_event(4)
    weigh(tournament, "0.5")
    points_list = a_points_list(tournament.club)
    tournament.publish().play_out()
    match, _first, second = final_of(tournament)
    turn_around(tournament, match)
    standing = Fact.objects.filter(later=None).exclude(kind=FactKind.VOID)
    assert set(standing.values_list("event_weight", flat=True)) == {0.5}
    assert points(points_list, tournament)[second] > place_points(place=1, tied=1, field=4, weight=0.5)
    assert list(integrity_faults(tournament.event)) == []


def test_list_made_after_the_event_knows_its_weight():
    tournament = an_event(4)
    weigh(tournament, "3")
    tournament.publish().play_out()
    points_list = a_points_list(tournament.club)
    assert points(points_list, tournament)
    places = Fact.objects.filter(kind=FactKind.PLACE)
    assert set(places.values_list("event_weight", flat=True)) == {3.0}


def test_result_that_is_in_the_ledger_with_another_weight_is_a_fault_of_the_event():
    tournament = an_event(4).publish()
    tournament.settle(tournament.playable()[0], "a")
    Event.objects.update(weight=2)  # by hand, behind the services' back
    assert [fault.check for fault in integrity_faults(Event.objects.get())] == ["ledger"]


def test_next_season_has_the_weight_of_the_last():
    league = a_league("abc", "def")
    weigh(league, "2")
    league.fresh()
    assert follow_up(league.play_out()).event.weight == 2


def test_why_page_shows_both_weights(client):
    tournament = an_event(4)
    weigh(tournament, "2.5")
    points_list = a_points_list(tournament.club)
    tournament.publish().play_out()
    points(points_list, tournament)
    for kind in (FactKind.RESULT, FactKind.PLACE):
        fact = Fact.objects.filter(kind=kind).first()
        page = words(client.get(reverse("rating:why", args=[points_list.public_id, fact.pk])))
        assert "event weight × division weight: 2.5 · 1 (division 1)" in page
        assert "= 2.5 ·" in page


def test_settings_page_shows_the_weight_and_says_when_it_is_fixed():
    tournament = an_event(4)
    client = signed_in(tournament.director)
    page = reverse("director:settings", args=[tournament.event.public_id])
    assert "1 is usual, 2 counts double" in words(client.get(page))
    changed = client.post(page, {**event_fields(), "weight": "1.5"})
    assert changed.status_code == 302
    assert Event.objects.get().weight == Decimal("1.5")
    tournament.fresh()
    tournament.publish()
    tournament.settle(tournament.playable()[0], "a")
    assert "The weight cannot be changed because there are already results" in words(client.get(page))
    kept = client.post(page, {**event_fields(name="Renamed"), "weight": "1.50"})
    assert (kept.status_code, Event.objects.get().name) == (302, "Renamed")
    refused = client.post(page, {**event_fields(), "weight": "4"})
    assert refused.status_code == 422
    assert list(refused.context["form"].errors) == ["weight"]


@pytest.mark.parametrize("weight", ["", "a lot", "-1", "10.5", "1.234", "NaN", "1e400", "9" * 400])
def test_nonsense_in_the_field_is_refused_beside_it(weight):
    tournament = an_event()
    page = reverse("director:settings", args=[tournament.event.public_id])
    answer = signed_in(tournament.director).post(page, {**event_fields(), "weight": weight})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["weight"]


def test_new_event_asks_for_a_weight_only_where_a_list_asks_for_it():
    tournament = an_event()
    client = signed_in(tournament.director)
    page = reverse("director:event-new", args=[tournament.club.public_id]) + "?template=knock_out"
    assert "Master points multiplier" not in words(client.get(page))
    a_points_list(tournament.club)
    assert "Master points multiplier" in words(client.get(page))
    client.post(page, event_fields(name="Grand final", weight="4"))
    assert Event.objects.get(name="Grand final").weight == 4


def test_public_page_names_a_weight_that_is_not_the_usual_one(client):
    tournament = an_event(2)
    weigh(tournament, "1")
    tournament.publish()
    page = reverse("public:event", args=[tournament.event.public_id])
    assert "Master points" not in words(client.get(page))
    weigh(tournament, "1.5")
    assert "Master points × 1.50" in words(client.get(page))


def test_api_takes_and_tells_the_weight():
    tournament = an_event()
    for weight, expected in ((None, 1.0), (2.5, 2.5), ("0.5", 0.5)):
        body = {} if weight is None else {"weight": weight}
        made = create(tournament.director, tournament.club, template="weekend", **body).json()
        read = signed_in(tournament.director).get(reverse("api:event", args=[made["id"]])).json()
        assert made["weight"] == read["weight"] == expected


@pytest.mark.parametrize("weight", ["much", -1, 11, 0.001, "NaN", "1e400", None, [], {}, "9" * 400])
def test_api_refuses_nonsense_at_its_field(weight):
    tournament = an_event()
    refused = create(tournament.director, tournament.club, template="weekend", weight=weight)
    assert refused.status_code == (422 if isinstance(weight, int) else 400)
    assert "weight" in str(refused.json())


def test_actor_without_rights_cannot_weigh():
    tournament = an_event()
    tournament.director = a_user()
    with pytest.raises(NotAllowed):
        weigh(tournament, "2")


def test_player_page_and_files_tell_a_place_from_a_match(client):
    tournament = an_event(4)
    points_list = a_points_list(tournament.club)
    tournament.publish().play_out()
    points(points_list, tournament)
    _match, first, _second = final_of(tournament)
    winner = tournament.division.entries.get(name=first).players.get()
    where = [points_list.public_id, winner.public_id]
    assert "place 1 of 4" in words(client.get(reverse("rating:player", args=where)))
    assert "provisional" not in words(client.get(reverse("rating:player", args=where)))
    assert "provisional" not in words(client.get(reverse("rating:list", args=where[:1])))
    told = client.get(reverse("rating_api:history", args=where)).json()["results"]
    assert [(step["place"], step["field"]) for step in told if step["won"] is None] == [(1, 4)]
    file = client.get(reverse("rating:history-csv", args=where)).getvalue().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(file)))
    assert (rows[0]["place"], rows[0]["field"], rows[0]["result"]) == ("1", "4", "")


def test_ledger_of_a_list_shows_places_only_where_they_earn_points():
    tournament = an_event(4)
    points_list = a_points_list(tournament.club)
    tournament.publish().play_out()
    client = signed_in(tournament.director)
    own = next(one for one in club_lists(tournament.club.pk) if one.is_main)
    for rating_list, shown in ((points_list, True), (own, False)):
        page = words(client.get(reverse("rating_director:ledger", args=[rating_list.public_id])))
        assert ("place 1 of 4" in page) is shown
