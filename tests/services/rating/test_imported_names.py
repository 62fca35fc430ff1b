"""Whom a name in a table means: a player of the club, another club's only where the director confirms it, one of several only where asked."""

import pytest

from faults import Invalid
from names.public_page import PublicPage
from people.actors import Actor
from people.models import Affiliation, Club, Player, PlayerClub
from rating.models import Fact
from rating.services.imports import check_results, import_openings, import_results
from tests.support.rating import DAY_ONE, Book, a_bare_club, a_book

pytestmark = pytest.mark.django_db
LEE_BEATS_KIM = "date,winner,loser,length\n2026-05-01,Lee,Kim,5\n"


def a_player_of(club: Club, name: str) -> Player:
    made = Player.objects.create(name=name, home_club=club, listed=True)
    PlayerClub.objects.create(player=made, club=club)
    return made


def take(
    book: Book,
    text: str = LEE_BEATS_KIM,
    *,
    create_unknown: bool = True,
    same: object = (),
    **choices: object,
):
    return import_results(
        actor=Actor.program(),
        club_id=book.club.pk,
        text=text,
        create_unknown=create_unknown,
        same=same,
        **choices,
    )


@pytest.fixture
def north() -> Club:
    return a_bare_club("North")


def test_name_that_another_club_has_alone_then_the_club_gets_a_player_of_its_own(north):
    south = a_book()
    lee, _kim = a_player_of(north, "Lee"), a_player_of(north, "Kim")
    found = check_results(club=south.club, text=LEE_BEATS_KIM, create_unknown=True)
    assert [(one.name, one.own, one.candidates[0][1]) for one in found.matches] == [
        ("Lee", False, "North"),
        ("Kim", False, "North"),
    ]
    assert take(south).players == ("Lee", "Kim")
    fact = Fact.objects.get()
    assert fact.winner_id != lee.pk
    assert set(PlayerClub.objects.filter(club=south.club).values_list("player__name", flat=True)) == {
        "Lee",
        "Kim",
    }
    again = check_results(club=south.club, text=LEE_BEATS_KIM)
    assert (again.known, again.new, again.matches, again.faults) == (1, 0, (), ())


def test_name_that_another_club_has_when_it_is_confirmed_then_that_player_is_meant_also_next_time(north):
    south, lee = a_book(), a_player_of(north, "Lee")
    south.player("Kim")
    with pytest.raises(Invalid) as refused:
        take(south, create_unknown=False)
    assert [fault.code for fault in refused.value.faults] == ["rating.csv.player_unknown"]
    assert take(south, create_unknown=False, same=[lee.public_id]).new == 1
    assert Fact.objects.get().winner_id == lee.pk
    again = check_results(club=south.club, text=LEE_BEATS_KIM)
    assert (again.known, again.new, again.matches) == (1, 0, ())
    own = south.player("Lee")
    assert take(south, LEE_BEATS_KIM.replace("-01,", "-02,")).new == 1
    assert list(Fact.objects.order_by("pk").values_list("winner_id", flat=True)) == [lee.pk, own.pk]


def test_name_that_two_players_of_the_club_have_then_the_director_is_asked_and_an_answer_settles_it():
    south = a_book()
    first, second = (a_player_of(south.club, "Lee") for _ in range(2))
    found = check_results(club=south.club, text=LEE_BEATS_KIM, create_unknown=True)
    assert [fault.code for fault in found.faults] == ["rating.csv.player_ambiguous"]
    assert [(one.own, {player for player, _club in one.candidates}) for one in found.matches] == [
        (True, {first.public_id, second.public_id})
    ]
    with pytest.raises(Invalid):
        take(south, same=[first.public_id, second.public_id])
    assert take(south, same=[second.public_id]).players == ("Kim",)
    assert Fact.objects.get().winner_id == second.pk


def test_federation_when_it_imports_then_players_of_its_members_are_its_own_and_of_strangers_not(north):
    federation = a_book()
    member = a_bare_club("Member", parent=federation.club)
    lee, kim = a_player_of(member, "Lee"), a_player_of(north, "Kim")
    assert Affiliation.objects.filter(club=member).exists()
    assert take(federation).players == ("Kim",)
    fact = Fact.objects.get()
    assert fact.winner_id == lee.pk
    assert fact.loser_id != kim.pk


def test_opening_rating_of_a_name_that_another_club_has_then_the_clubs_own_player_gets_it(north):
    south, lee = a_book(), a_player_of(north, "Lee")
    choices = {
        "actor": Actor.program(),
        "list_id": south.list.pk,
        "text": "player,rating\nLee,1600\n",
        "as_of": DAY_ONE,
        "create_unknown": True,
    }
    assert import_openings(**choices).players == ("Lee",)
    assert Fact.objects.get().winner_id != lee.pk


@pytest.mark.parametrize(
    ("choice", "columns"),
    [
        ({}, (False, True)),
        ({"public_page": PublicPage.NOW}, (True, False)),
        ({"public_page": PublicPage.NONE}, (False, False)),
    ],
    ids=["not said", "they agreed", "never"],
)
def test_new_names_of_a_table_are_public_only_as_the_director_says(client, choice, columns):
    book = a_book()
    take(book, **choice)
    lee = Player.objects.get(name="Lee")
    assert (lee.listed, lee.listed_with_draw) == columns
    found = client.get("/api/v1/players/", {"q": "Lee"}).json()["results"]
    assert [player["name"] for player in found] == (["Lee"] if lee.listed else [])
    openings = "player,rating\nNew Face,1600\n"
    import_openings(
        actor=Actor.program(),
        list_id=book.list.pk,
        text=openings,
        as_of=DAY_ONE,
        create_unknown=True,
        **choice,
    )
    face = Player.objects.get(name="New Face")
    assert (face.listed, face.listed_with_draw) == columns
