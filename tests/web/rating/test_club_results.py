"""Results for a federation: all to its directors, to others what is public; by day, club and player; as page, file and answer."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.models import Affiliation, Membership, Player, Role
from rating.models import Fact, RatingList
from rating.services import record_result, update_list_ratings
from rating.services.imports import import_results
from tests.factories import a_user, an_event
from tests.support.director import signed_in
from tests.support.lanes import ON_ONE
from tests.support.rating import Book, a_bare_club, a_book

pytestmark = [pytest.mark.django_db, *ON_ONE]
OLD = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def tournament():
    """A club with a match of a public event and one of an unlisted event; Cleo wants no page."""
    tournament = an_event(2, name="Club night", lengths=[5]).publish()
    tournament.settle(tournament.playable()[0], "a", 3)
    hidden = an_event(
        2, club=tournament.club, director=tournament.director, name="Backroom", visibility="unlisted"
    ).publish()
    hidden.settle(hidden.playable()[0], "b", 1)
    book = Book(tournament.club, tournament.club.rating_lists.get())
    book.beats("Cleo", "Dan", 7, at=OLD, event_name="Old evening")
    Player.objects.filter(name="Cleo").update(listed=False)
    return tournament


@pytest.fixture
def federation(tournament):
    """Night's club belongs to it from the second of March on."""
    found = a_bare_club("Federation")
    Affiliation.objects.create(
        club=tournament.club,
        federation=found,
        since=OLD.date() + timedelta(days=1),
        begins=OLD + timedelta(days=1),
    )
    return found


def asked(of, client=None, **query):
    return (client or Client()).get(f"/api/v1/clubs/{of.public_id}/results/", query)


def names(answer):
    return [
        (row["winner"]["name"], row["loser"]["name"], row["event_name"]) for row in answer.json()["results"]
    ]


def director_of(club):
    user = a_user(f"Dora of {club.name}")
    Membership.objects.create(user=user, club=club, role=Role.DIRECTOR)
    return signed_in(user)


def test_imported_results_are_public_as_long_as_a_list_that_counts_them_is(tournament, federation):
    def old(of, client=None):
        return [row for row in names(asked(of, client)) if row[2] == "Old evening"]

    assert len(old(tournament.club)) == 1
    RatingList.objects.filter(club=tournament.club).update(archived=True)
    assert old(tournament.club) == []
    assert len(old(tournament.club, director_of(tournament.club))) == 1
    assert [row[2] for row in names(asked(tournament.club))] == ["Club night"]  # its event stands in lists
    RatingList.objects.create(club=federation, name="All", system="fibs", start=1500)
    assert len(old(tournament.club)) == 1


def test_anybody_reads_what_is_public_and_directors_of_the_club_all(tournament):
    public = asked(tournament.club)
    assert [row[2] for row in names(public)] == ["Club night", "Old evening"]
    assert names(public)[1][:2] == ("Private player", "Dan")
    first, old = public.json()["results"]
    assert (first["winner_score"], first["loser_score"], first["kind"], first["round"]) == (
        5,
        3,
        "played",
        "final",
    )
    assert (first["event"], first["club"]["name"]) == (tournament.event.public_id, tournament.club.name)
    assert (old["winner"]["id"], old["event"], old["match"]) == ("", "", "")
    assert "Backroom" not in public.content.decode()
    inside = asked(tournament.club, signed_in(tournament.director))
    assert [row[2] for row in names(inside)] == ["Backroom", "Club night", "Old evening"]
    assert names(inside)[2][0] == "Cleo"


def test_federation_has_results_from_the_day_on_which_the_club_joined(tournament, federation):
    assert [row[2] for row in names(asked(federation))] == ["Club night"]
    inside = asked(federation, director_of(federation))
    # An event that only people with the link may find stays so for the federation.
    assert [row[2] for row in names(inside)] == ["", "Club night"]


def test_taken_back_is_not_there_and_corrected_as_it_is_now(tournament):
    book = Book(tournament.club, tournament.club.rating_lists.get())
    wrong = book.beats("Eve", "Fay", 5, at=OLD)
    book.void(wrong)
    twisted = book.beats("Gil", "Hal", 5, at=OLD)
    book.replace(twisted, "Hal", "Gil")
    assert names(asked(tournament.club, q="gil")) == [("Hal", "Gil", "")]
    assert names(asked(tournament.club, q="eve")) == []


def test_search_and_filters_find_and_tell_nothing_of_private_players(tournament):
    assert names(asked(tournament.club, q="cleo")) == []
    assert len(names(asked(tournament.club, signed_in(tournament.director), q="cleo"))) == 1
    assert names(asked(tournament.club, until="2026-03-01"))[0][1] == "Dan"
    assert names(asked(tournament.club, until="2026-02-28")) == []
    assert len(names(asked(tournament.club, since="2026-03-02", club=tournament.club.public_id))) == 1


def test_name_of_a_merged_player_finds_nobody_outside_once_who_took_over_has_hidden(tournament):
    book = Book(tournament.club, tournament.club.rating_lists.get())
    book.beats("Anna Berg", "Old Twin", at=OLD)
    anna, twin, first = book.player("Anna Berg"), book.player("Old Twin"), book.player("First Row")
    Player.objects.filter(pk=first.pk).update(merged_into=twin)
    Player.objects.filter(pk=anna.pk).update(merged_into=first)
    assert (
        len(names(asked(tournament.club, q="twin"))) == 1
    )  # a match of those who became one, by the name that stays
    assert names(asked(tournament.club, q="berg")) == []
    twin.name, twin.shown_as = "Anna Berg", "short"
    twin.save()
    assert names(asked(tournament.club, q="berg")) == []
    assert {name for row in names(asked(tournament.club, q="anna")) for name in row[:2]} == {"Anna B."}
    twin.shown_as = "hidden"
    twin.save()
    assert names(asked(tournament.club, q="anna berg")) == []


def test_score_that_was_never_told_is_null_and_one_to_nothing_that_was_played_stays():
    book = a_book()
    import_results(
        actor=Actor.program(),
        club_id=book.club.pk,
        text="date,winner,loser,length,winner_score,loser_score\n2026-03-01,Ann,Bob,7,,\n2026-03-02,Ann,Bob,7,7,2\n",
        create_unknown=True,
    )
    ann, bob = Player.objects.filter(name__in=["Ann", "Bob"]).order_by("name")
    for score in (7, 0):  # seven to nothing, and a match that was given up at the start
        record_result(
            source_key=f"match:{score}",
            club_id=book.club.pk,
            winner_id=ann.pk,
            loser_id=bob.pk,
            length=7,
            winner_score=score,
            loser_score=0,
            kind="retired",
            played_at=OLD,
        )
    found = asked(book.club).json()["results"]
    scores = [(row["winner_score"], row["loser_score"]) for row in found]
    assert sorted(scores, key=str) == [(0, 0), (7, 0), (7, 2), (None, None)]


NONSENSE = [
    ({"since": "soon"}, "filter.day"),
    ({"since": "2026-03-02", "until": "2026-03-01"}, "rating.dates"),
    ({"until": "9999-12-31"}, "rating.year"),
    ({"since": "0001-01-01"}, "rating.year"),
    ({"club": "nosuchclub"}, "rating.results_club"),
]


def test_nonsense_is_refused_with_a_code_and_strangers_with_403():
    club = a_bare_club()
    browser, stranger = director_of(club), director_of(a_bare_club())
    pages = [
        reverse(f"director:{name}", args=[club.public_id]) for name in ("club-results", "club-results-csv")
    ]
    for query, code in NONSENSE:
        answer = asked(club, **query)
        assert (answer.status_code, answer.json()["faults"][0]["code"]) == (422, code)
        assert [browser.get(page, query).status_code for page in pages] == [422, 422]
    assert [stranger.get(page).status_code for page in pages] == [403, 403]


def test_page_and_file_show_the_same_and_the_file_costs_a_304(tournament):
    browser = signed_in(tournament.director)
    page = browser.get(reverse("director:club-results", args=[tournament.club.public_id])).content.decode()
    assert "Backroom" in page
    assert "5–3" in page
    address = reverse("director:club-results-csv", args=[tournament.club.public_id])
    answer = browser.get(address)
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [row["event"] for row in rows] == ["Old evening", "Club night", "Backroom"]
    assert [int(row["ledger_number"]) for row in rows] == [
        Fact.objects.get(event_name="Old evening").pk,
        *Fact.objects.exclude(event_name="Old evening").order_by("pk").values_list("pk", flat=True),
    ]
    assert datetime.fromisoformat(rows[0]["played_at"]) == OLD
    assert rows[0]["time_zone"]
    same = {"if-none-match": answer["ETag"]}
    assert browser.get(address, headers=same).status_code == 304
    other = a_book()
    other.beats("Ann", "Bob")  # of another club
    Book(tournament.club, tournament.club.rating_lists.get()).beats("Ann", "Bob", at=OLD)
    update_list_ratings(tournament.club.rating_lists.get().pk)
    assert browser.get(address, headers=same).status_code == 200
