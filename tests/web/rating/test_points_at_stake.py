"""Points to be had on a list of master points: of a match by the event's weight, of every place in its field."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.models import Player
from rating.formulas.master import match_points, place_points
from rating.models import Fact, FactKind, RatingList
from rating.selectors import club_lists
from rating.services import archive_list, update_list
from rating.services.lists import ListSettings
from tests.factories import Tournament, an_event
from tests.services.rating.test_event_weights import a_points_list, weigh
from tests.support.director import words
from tests.support.rating import a_book, a_list, visit
from tests.support.tournaments import opened, unrate
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.models import Division, Entry, Match, Stage

pytestmark = pytest.mark.django_db
PLACES = "Master points by place"
MATCH = "Possible master points"


@pytest.fixture
def points():
    book = a_list(a_book(), system="master")
    book.beats("Ann", "Bob", 9)
    book.apply()
    return book


def ask(book, **query):
    return visit("what-if", book, **query)


def rows(answer) -> dict[str, tuple[str, str]]:
    """Of the table of places: alone, shared."""
    return {row.place_text: (row.alone_text, row.shared_text) for row in answer.context["points"].places}


def test_places_bring_what_the_formula_says(points):
    answer = ask(points, length=9, weight="2.5", division=2, field=6)
    weight = 2.5 * 0.7
    assert rows(answer) == {
        "1": (f"{place_points(place=1, tied=1, field=6, weight=weight):.2f}", ""),
        "2": (f"{place_points(place=2, tied=1, field=6, weight=weight):.2f}", ""),
        "3–4": ("2.26–1.51", f"{place_points(place=3, tied=2, field=6, weight=weight):.2f}"),
        "5–6": ("1.13–0.90", f"{place_points(place=5, tied=2, field=6, weight=weight):.2f}"),
    }
    page = words(answer)
    assert "Final places with 6 players" in page
    assert f"A win in a match to 9 earns +{match_points(9, weight):.2f}" in page
    assert "share the points for these places equally" in page


def test_two_players_meet_with_the_weight_of_their_event(points):
    page = words(ask(points, first="Ann", second="Bob", length=9, weight=2, division=3))
    assert "+1.00" in page  # 2 · 0.5 · √9 / 3
    assert "Final places" not in page


def test_nothing_asked_is_a_match_to_seven_of_an_event_that_weighs_one(points):
    answer = ask(points)
    assert f"A win in a match to 7 earns +{match_points(7, 1.0):.2f}" in words(answer)
    page = Client().get(reverse("rating:list", args=[points.list.public_id]))
    assert reverse("rating:what-if", args=[points.list.public_id]) in page.content.decode()


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *(("field", bad) for bad in ("1", "0", "-4", "10001", "9" * 5000, "x", "nan", "\0", "2.5")),
        *(("weight", bad) for bad in ("-1", "10.5", "nan", "inf", "1e999", "x", "\0")),
        *(("division", bad) for bad in ("0", "4", "x", "\0")),
        *(("length", bad) for bad in ("0", "100", "x", "\0")),
    ],
)
def test_question_that_makes_no_sense_is_told_beside_its_field(points, name, bad):
    answer = ask(points, first="Ann", second="Bob", **{"length": 7, "field": 8, name: bad})
    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == {name}
    assert answer.context["points"] is None


def test_lists_of_other_systems_ask_for_no_weight():
    book = a_book()
    book.beats("Ann", "Bob", 7)
    book.apply()
    page = ask(book, first="Ann", second="Bob", length=7, weight=2, field=8)
    assert "Field size" not in words(page)
    assert "Final places" not in words(page)


def api(book, **query):
    ann, bob = (book.player(name).public_id for name in ("Ann", "Bob"))
    where = reverse("rating_api:what-if", args=[book.list.public_id])
    return Client().get(where, {"first": ann, "second": bob, "length": 9, **query})


def test_api_tells_the_same(points):
    told = api(points, weight="2.5", division=2, field=3).json()
    assert told["first_wins"] == {"first": match_points(9, 2.5 * 0.7), "second": 0.0}
    assert [(row["first"], row["last"]) for row in told["places"]] == [(1, 1), (2, 2), (3, 3)]
    assert told["places"][1]["best"] == place_points(place=2, tied=1, field=3, weight=2.5 * 0.7)
    assert api(points).json()["places"] == []


@pytest.mark.parametrize(
    "query",
    [
        {"weight": "nan"},
        {"weight": "inf"},
        {"weight": "-1"},
        {"field": "1"},
        {"field": "9" * 40},
        {"division": "0"},
    ],
)
def test_api_refuses_what_makes_no_sense(points, query):
    assert api(points, **query).status_code == 422


def event_page(tournament: Tournament, division: int | None = None):
    return Client().get(
        reverse("public:event", args=[tournament.event.public_id]),
        {"division": division} if division else None,
    )


def links_of(answer, sentence: str) -> list[str]:
    found = re.findall(rf'<a href="([^"]+)">{re.escape(sentence)}</a>', answer.content.decode())
    return [url.replace("&amp;", "&") for url in found]


def paid(tournament: Tournament) -> dict[tuple[int, int], float]:
    """What the ledger says each place brought: by first place and how many share it."""
    facts = Fact.objects.filter(kind=FactKind.PLACE, event_key=tournament.event.public_id, later__isnull=True)
    return {
        (f.place, f.tied): place_points(place=f.place, tied=f.tied, field=f.field, weight=f.event_weight)
        for f in facts
    }


@pytest.mark.parametrize("entries", [2, 4, 6, 7, 8])
def test_event_foretells_what_its_knock_out_will_pay(entries):
    tournament = opened(an_event(entries))
    weigh(tournament, "2.5")
    a_points_list(tournament.club)
    (before,) = links_of(event_page(tournament), PLACES)
    tournament.publish()
    (url,) = links_of(event_page(tournament), PLACES)
    assert f"field={entries}" in before
    assert before == url
    foretold = Client().get(url).context["points"].places
    tournament.play_out()
    assert paid(tournament) == {
        (row.pay.first, row.pay.last - row.pay.first + 1): row.pay.shared for row in foretold
    }
    assert links_of(event_page(tournament), PLACES) == [url]


def test_event_with_a_table_foretells_what_its_places_pay_alone():
    tournament = opened(an_event(4, system="swiss", lengths=[5], swiss=SwissSettings(rounds=1)))
    a_points_list(tournament.club)
    (url,) = links_of(event_page(tournament), PLACES)
    foretold = {row.pay.first: row.pay.best for row in Client().get(url).context["points"].places}
    assert foretold[1] == place_points(place=1, tied=1, field=4, weight=1.0)
    assert foretold[3] == place_points(place=3, tied=1, field=4, weight=1.0)


def test_match_to_come_leads_to_its_points_with_the_weight_of_its_event():
    tournament = an_event(4, lengths=[9])
    weigh(tournament, "2")
    a_points_list(tournament.club)
    tournament.publish()
    match = tournament.playable()[0]
    where = reverse("public:match", args=[match.public_id])
    (url,) = links_of(Client().get(where), MATCH)
    page = words(Client().get(url))
    assert "+2.00" in page
    assert "Final places with 4 players" in page
    for side in "ab":
        assert tournament.entry_at(match, side).name in page
    Player.objects.update(listed=False)
    (url,) = links_of(Client().get(where), MATCH)
    assert "a=" not in url
    tournament.settle(match, "a")
    assert links_of(Client().get(where), MATCH) == []


@pytest.mark.parametrize(
    "why", ["no list", "archived", "other events", "other days", "unrated", "doubles", "called off"]
)
def test_event_whose_places_bring_nothing_says_nothing(why):
    tournament = opened(an_event(4))
    found = None if why == "no list" else a_points_list(tournament.club)
    if why == "archived":
        archive_list(actor=Actor.program(), list_id=found.pk, archived=True)
    elif why == "other events":
        set_list(found, events=["another"])
    elif why == "other days":
        set_list(found, counts_until=tournament.event.starts_on.replace(year=2001))
    elif why == "unrated":
        unrate(tournament.stage)
    elif why == "doubles":
        Division.objects.update(team_size=2)
    elif why == "called off":
        type(tournament.event).objects.update(status="cancelled")
    tournament.publish() if why not in {"doubles", "called off"} else None
    answer = event_page(tournament)
    assert answer.status_code == 200
    assert links_of(answer, PLACES) == []
    for match in Match.objects.all():
        assert MATCH not in words(Client().get(reverse("public:match", args=[match.public_id])))


def set_list(found: RatingList, **settings: object) -> None:
    update_list(
        actor=Actor.program(),
        list_id=found.pk,
        settings=ListSettings(name="Points", system="master", **settings),
    )


def test_page_of_an_event_is_new_when_a_list_of_points_is_made():
    tournament = opened(an_event(4))
    first = event_page(tournament)
    where = reverse("public:event", args=[tournament.event.public_id])
    again = {"if-none-match": first["ETag"]}
    assert Client().get(where, headers=again).status_code == 304
    a_points_list(tournament.club)
    answer = Client().get(where, headers=again)
    assert answer.status_code == 200
    assert len(links_of(answer, PLACES)) == 1


def test_club_whose_own_list_is_one_of_points_speaks_of_points_alone():
    tournament = an_event(2, lengths=[9])
    (own,) = club_lists(tournament.club.pk)
    set_list(own)
    tournament.publish()
    page = Client().get(reverse("public:match", args=[tournament.playable()[0].public_id]))
    assert "Possible rating changes" not in words(page)
    assert len(links_of(page, MATCH)) == 1


def test_second_division_brings_less_and_who_enters_twice_is_one_player():
    tournament = opened(an_event(4))
    a_points_list(tournament.club)
    second = Division.objects.create(event=tournament.event, name="Second", position=2)
    Stage.objects.create(division=second, name="Main", system="single_elimination", lengths=[5])
    page = event_page(tournament)  # nothing is drawn: it shows all divisions
    urls = links_of(page, PLACES) + links_of(page, f"{PLACES}: Second")
    assert "division=1" in urls[0]
    assert "division=2" in urls[1]
    assert "field" not in urls[1]  # nobody has entered yet
    assert Client().get(urls[1]).status_code == 200
    assert Entry.objects.count() == 4
