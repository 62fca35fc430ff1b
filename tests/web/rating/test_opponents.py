"""Head to head with anybody, and what is said to visitors who type names: on the what-if page, too."""

import pytest
from django.urls import reverse

from people.models import Player
from tests.support.director import words
from tests.support.rating import a_list, visit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def dan(book):
    """Known to the club, and never played."""
    return book.player("Dan")


def of_ann(book, **query):
    return visit("opponents", book, book.player("Ann").public_id, **query)


def test_everybody_met_stands_on_the_page_those_met_most_first(book):
    page = words(of_ann(book))
    assert page.index("Bob") < page.index("Cleo")
    assert "50.0 %" in page
    assert "100.0 %" in page
    assert "Dan" not in page


@pytest.mark.parametrize("said", [{"second": "bob"}, {"second": " BOB "}, {"second": "dan"}, {"b": "dan"}])
def test_name_or_choice_leads_to_the_matches_of_the_two(book, said):
    if "b" in said:
        said = {"b": book.player("Dan").public_id, "second": "Dan"}
    answer = of_ann(book, **said)
    assert answer.status_code == 302
    name = "Bob" if "bob" in said["second"].lower() else "Dan"
    ann, other = book.player("Ann").public_id, book.player(name).public_id
    assert answer["Location"] == reverse("rating:versus", args=[book.list.public_id, ann, other])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"second": "Nobody"}, "No player named “Nobody” was found."),
        ({"second": "Ann"}, "Choose a different player"),
        ({"b": "nosuchplayer"}, "Player not found."),
        ({"second": "Ann", "b": "\0"}, "Choose a different player"),
        ({"second": "<b>x</b>"}, "No player named"),
    ],
)
def test_names_that_lead_nowhere_are_told(book, said, told):
    answer = of_ann(book, **said)
    assert answer.status_code == 200
    assert told in words(answer)


def test_private_player_is_neither_found_nor_named(book):
    Player.objects.filter(name="Bob").update(listed=False)
    page = words(of_ann(book, second="Bob"))
    assert "No player named “Bob” was found." in page
    assert page.count("Bob") == 1


def test_player_who_is_not_on_the_list_has_met_nobody(book):
    page = visit("opponents", book, book.player("Dan").public_id)
    assert "No rated matches yet" in words(page)


def test_player_page_leads_to_everybody(book):
    page = visit("player", book, book.player("Ann").public_id).content.decode()
    assert reverse("rating:opponents", args=[book.list.public_id, book.player("Ann").public_id]) in page


def test_what_if_says_what_is_wrong_with_a_name_and_keeps_it(book):
    for name in ("Eva Zimmer", "Finn Zimmer"):
        Player.objects.create(name=name, home_club=book.club)
    answer = visit("what-if", book, first="Zimmer", second="Nobody", length="5")
    page = words(answer)
    assert "Several players are named “Zimmer”" in page
    assert "No player named “Nobody” was found." in page
    assert 'value="Nobody"' in answer.content.decode()


def test_what_if_takes_the_name_that_was_typed_over_an_earlier_choice(book):
    """Without scripts the hidden choice stays while another name is typed."""
    ann = book.player("Ann").public_id
    answer = visit("what-if", book, a=ann, first="Cleo", second="Bob", length="5")
    assert (answer.context["first"].name, answer.context["second"].name) == ("Cleo", "Bob")


def test_what_if_of_master_points_has_no_chance_to_tell(book):
    points = a_list(book, system="master")
    points.apply()
    page = words(visit("what-if", points, first="Ann", second="Bob", length="9"))
    assert "Chance" not in page
    assert "+1.00" in page
    assert "Points" in page
