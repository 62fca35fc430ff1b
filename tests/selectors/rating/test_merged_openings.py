"""A merge of two who both have opening ratings: which counts or stays alone, and what comes of it to the bit."""

import pytest
from django.urls import reverse

from faults import Conflict
from people.actors import Actor
from people.models import Membership, PlayerClub, Role
from rating.models import Fact, FactKind, Pending
from rating.selectors.merging import merged_openings
from rating.selectors.shown import rating_text
from rating.services.imports import import_openings
from rating.services.openings import remove_other_openings, restore_openings
from rating.services.places import FinalPlace, PlaceField, sync_places
from tests.factories import a_club, a_user
from tests.support.described import described
from tests.support.rating import DAY_ONE, Book, a_book, a_list
from tests.support.tournaments import signed_in
from tournaments.entries.services.merge_players import merge_players, undo_last_merge

pytestmark = pytest.mark.django_db


def places_of(book: Book, *names: str) -> None:
    """They are first and second of an event that ended after all of it."""
    field = PlaceField(
        key="place:e:1", club_id=book.club.pk, size=8, played_at=DAY_ONE.replace(day=14), event_key="e"
    )
    sync_places(
        field=field,
        places=[FinalPlace(book.player(name).pk, place, 1) for place, name in enumerate(names, 1)],
    )


def two_with_openings(system: str) -> Book:
    book = a_list(a_book(), system=system)
    for name, rating, day in (("Ann", 1700, 3), ("A. Lee", 1400, 9)):
        import_openings(
            actor=Actor.program(),
            list_id=book.list.pk,
            text=f"player,rating\n{book.player(name).public_id},{rating}\n",
            as_of=DAY_ONE.replace(day=day),
        )
    for day in (1, 5, 12):
        book.beats(
            "Ann", "Bob", 7, at=DAY_ONE.replace(day=day), event_weight=2.0, winner_pr=9.0, loser_pr=4.0
        )
        book.beats("Bob", "A. Lee", 5, at=DAY_ONE.replace(day=day + 1))
    places_of(book, "A. Lee", "Bob")
    book.apply()
    return book


@pytest.mark.parametrize("system", ["fibs", "glicko2", "master", "master_2019", "galaxy_2"])
def test_merge_of_two_with_openings_is_foretold(system):
    book = two_with_openings(system)
    ann, twin = book.player("Ann"), book.player("A. Lee")
    (told,) = merged_openings(ann.pk, twin.pk)
    assert [(one.whose, one.rating_text, one.last) for one in told.openings] == [
        ("Ann", rating_text(1700), False),
        ("A. Lee", rating_text(1400), True),
    ]
    twin.merged_into = ann
    twin.save()
    book.apply()
    assert told.then == rating_text(book.rating("Ann"))
    assert merged_openings(ann.pk, book.player("Bob").pk) == []


def test_page_of_the_merge_says_it():
    book = two_with_openings("fibs")
    owner = a_user()
    Membership.objects.create(user=owner, club=book.club, role=Role.OWNER)
    asked = {"keep": book.player("Ann").public_id, "duplicate": book.player("A. Lee").public_id}
    page = signed_in(owner).get(reverse("director:merge", args=[book.club.public_id]), asked)
    (told,) = merged_openings(book.player("Ann").pk, book.player("A. Lee").pk)
    assert f"<strong>{told.then}</strong>" in page.content.decode()
    assert "the later one counts" in page.content.decode()
    for opening in told.openings:
        assert f"resulting rating: {opening.alone}" in page.content.decode()


def both(book: Book) -> tuple[int, int]:
    return book.player("Ann").pk, book.player("A. Lee").pk


@pytest.mark.parametrize("whose", ["Ann", "A. Lee"])
def test_merge_with_one_opening_alone_comes_out_as_foretold_and_is_taken_back_to_the_bit(whose):
    book = two_with_openings("fibs")
    before = [book.rating(name) for name in ("Ann", "A. Lee", "Bob")]
    keep, duplicate = both(book)
    (told,) = merged_openings(keep, duplicate)
    chosen = next(one for one in told.openings if one.whose == whose)
    assert len({told.then, *(one.alone for one in told.openings)}) == 3
    found = {"club_id": book.club.pk, "keep_id": keep, "duplicate_id": duplicate}
    merge_players(actor=Actor.program(), **found, openings=[chosen.number])
    book.apply()
    assert rating_text(book.rating("Ann")) == chosen.alone
    assert Fact.objects.filter(kind=FactKind.OPENING, later__isnull=True).count() == 1
    undo_last_merge(actor=Actor.program(), club_id=book.club.pk, duplicate=book.player("A. Lee").public_id)
    book.apply()
    assert [book.rating(name) for name in ("Ann", "A. Lee", "Bob")] == before
    (again,) = merged_openings(keep, duplicate)
    assert [(one.whose, one.at, one.alone) for one in again.openings] == [
        (one.whose, one.at, one.alone) for one in told.openings
    ]


def test_merge_with_an_opening_that_is_not_there_is_refused_and_nothing_is_changed():
    book = two_with_openings("fibs")
    keep, duplicate = both(book)
    (told,) = merged_openings(keep, duplicate)
    result = Fact.objects.filter(kind=FactKind.RESULT).first().pk
    for openings in ([result], [one.number for one in told.openings], [10**12]):
        with pytest.raises(Conflict) as refused:
            merge_players(
                actor=Actor.program(),
                club_id=book.club.pk,
                keep_id=keep,
                duplicate_id=duplicate,
                openings=openings,
            )
        assert refused.value.code == "rating.opening_not_there"
    assert not Fact.objects.filter(kind=FactKind.VOID).exists()


def test_openings_on_a_list_for_which_nothing_was_chosen_stay_and_all_come_back_as_they_were():
    book = a_book()
    other = a_list(book, system="glicko2")
    for one, rating in ((book, 1700), (other, 1750)):
        for name, more in (("Ann", 0), ("A. Lee", 1)):
            import_openings(
                actor=Actor.program(),
                list_id=one.list.pk,
                text=f"player,rating,experience,deviation\n{one.player(name).public_id},{rating + more},{9 + more},{80 + more}\n",
                as_of=DAY_ONE,
            )
    openings = Fact.objects.filter(kind=FactKind.OPENING, later=None)
    ours, theirs = openings.filter(rating_list=book.list), openings.filter(rating_list=other.list)
    looks = "winner rating_list opening_rating opening_deviation opening_experience played_at moment".split()
    before, (first, second) = [*ours.order_by("winner").values_list(*looks)], ours.order_by("pk")
    keep, duplicate = both(book)
    choice = {"actor": Actor.program(), "keep": keep, "duplicate": duplicate}
    assert remove_other_openings(**choice, stay=[]) == ()
    assert remove_other_openings(**choice, stay=[second.pk]) == (first.pk,)
    assert ([*ours], theirs.count()) == ([second], 2)
    restore_openings(removed_ids=[first.pk])
    assert [*ours.order_by("winner").values_list(*looks)] == before
    assert theirs.count() == 2
    again = ours.exclude(pk=second.pk).get()
    assert again.stands_at == first.pk  # before the other one of its time
    waiting = Pending.objects.filter(fact__in=[again.pk, first.later.get().pk])
    assert {*waiting.values_list("rating_list", flat=True)} == {book.list.pk}


def test_merge_with_an_opening_on_somebody_elses_list_is_refused_who_does_not_direct_it():
    book = two_with_openings("fibs")
    stranger = a_user()
    club = a_club(stranger)
    for name in ("Ann", "A. Lee"):
        PlayerClub.objects.create(player=book.player(name), club=club)
    (told,) = merged_openings(*both(book))
    asked = {"keep": book.player("Ann").public_id, "duplicate": book.player("A. Lee").public_id}
    client, url = signed_in(stranger), reverse("director:merge", args=[club.public_id])
    page = client.get(url, asked).content.decode()
    assert "(counts)" in page
    assert f'name="opening-{told.key}"' not in page
    sent = client.post(url, {**asked, f"opening-{told.key}": str(told.openings[0].number)})
    assert sent.status_code in {403, 409}
    assert not Fact.objects.filter(kind=FactKind.VOID).exists()


def test_programs_ask_what_a_merge_does_choose_an_opening_and_take_it_back():
    book = two_with_openings("fibs")
    owner = a_user()
    Membership.objects.create(user=owner, club=book.club, role=Role.OWNER)
    client, ann, twin = signed_in(owner), book.player("Ann"), book.player("A. Lee")
    url = reverse("api:merge", args=[book.club.public_id, twin.public_id])
    told = described(client.get(url, {"keep": ann.public_id})).json()
    assert (told["keep"], told["possible"], told["entries"]) == (ann.public_id, True, 0)
    (of_list,) = told["openings"]
    assert (of_list["rating_list"], of_list["may_choose"]) == (book.list.public_id, True)
    first = of_list["openings"][0]
    body = {"keep": ann.public_id, "openings": [first["number"]]}
    done = described(client.post(url, body, content_type="application/json"))
    assert done.json() == {"player": ann.public_id, "name": "Ann"}
    book.apply()
    assert rating_text(book.rating("Ann")) == first["alone"]
    assert described(client.post(url, body, content_type="application/json")).status_code == 404
    back = reverse("api:unmerge", args=[book.club.public_id, twin.public_id])
    assert described(client.post(back)).json()["player"] == twin.public_id
    assert described(client.post(back)).status_code == 404
    assert described(client.get(url, {"keep": "nosuch"})).status_code == 422
