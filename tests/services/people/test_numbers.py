"""Federation numbers and outside ratings: whose they are, who writes them, what a list adds, and where they count."""

from datetime import date, timedelta

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Player
from people.numbers import (
    ExternalProfile,
    FederationNumberValue,
    SourceRating,
    external_labels,
    external_profiles,
    external_ratings,
)
from people.services.numbers import add_numbers, set_numbers
from tests.factories import a_club, a_director, a_user

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 23)


@pytest.fixture
def club():
    return a_club()


@pytest.fixture
def ann(club):
    player = Player.objects.create(name="Ann", home_club=club, user=a_user("Ann"))
    player.club_links.create(club=club)
    return player


def known(player: Player) -> ExternalProfile:
    return external_profiles([player.pk]).get(player.pk, ExternalProfile())


def test_player_writes_numbers_and_a_director_of_the_home_club_ratings_too(club, ann):
    own, director = Actor.of(ann.user), Actor.of(a_director(club))
    numbers = [FederationNumberValue(" USBGF ", "18 70", date(2026, 1, 1)), FederationNumberValue("WBF", "7")]
    set_numbers(actor=own, player_id=ann.pk, numbers=numbers)
    seen = known(ann).version
    rated = [SourceRating("WBF", 1650.5, DAY), SourceRating("WBF", 1600, date(2025, 1, 1))]
    set_numbers(
        actor=director, player_id=ann.pk, numbers=numbers[:1], ratings=rated, club_id=club.pk, seen=seen
    )
    assert list(external_labels(known(ann), DAY)) == [
        ("USBGF 18 70", True),
        ("WBF 1650.5 (2026-11-23)", False),
    ]
    assert external_ratings([ann.pk]) == {"WBF": {ann.pk: 1650.5}}
    with pytest.raises(Conflict):
        set_numbers(actor=own, player_id=ann.pk, numbers=[], seen=seen)
    row = AuditEntry.objects.filter(action="player.numbers").latest("pk")
    assert "1870" not in str(row.data)
    set_numbers(actor=own, player_id=ann.pk, numbers=[])
    assert (known(ann).numbers, len(known(ann).ratings)) == ((), 2)  # what the club has written stays


def test_numbers_are_nobody_elses_to_write(club, ann):
    for actor, more in (
        (Actor.of(a_user("Sam")), {}),
        (Actor.of(ann.user), {"ratings": [SourceRating("WBF", 3000, DAY)]}),
    ):
        with pytest.raises(Missing):
            set_numbers(actor=actor, player_id=ann.pk, numbers=[], **more)
    other = a_club()
    ann.club_links.create(club=other)
    for actor, where in ((Actor.of(a_user("Olaf")), club), (Actor.of(a_director(other)), other)):
        with pytest.raises(NotAllowed):
            set_numbers(actor=actor, player_id=ann.pk, numbers=[], ratings=[], club_id=where.pk)


@pytest.mark.parametrize(
    ("numbers", "ratings", "codes"),
    [
        (
            [FederationNumberValue("", "7"), FederationNumberValue("WBF", "")],
            [],
            ["player.number_odd", "player.number_odd"],
        ),
        (
            [FederationNumberValue("WBF", "7"), FederationNumberValue("WBF ", " 7")],
            [],
            ["player.number_twice"],
        ),
        (
            [],
            [SourceRating("WBF", float("nan"), DAY), SourceRating("A", 1, DAY), SourceRating("A", 2, DAY)],
            ["player.outside_odd", "player.outside_twice"],
        ),
        ([FederationNumberValue("WBF", str(number)) for number in range(21)], [], ["player.numbers_many"]),
    ],
)
def test_what_cannot_be_is_refused_together(club, ann, numbers, ratings, codes):
    with pytest.raises(Invalid) as refused:
        set_numbers(
            actor=Actor.of(a_director(club)),
            player_id=ann.pk,
            numbers=numbers,
            ratings=ratings,
            club_id=club.pk,
        )
    assert [fault.code for fault in refused.value.faults] == codes


def test_lists_of_many_weeks_when_read_then_the_newest_stay_and_the_player_still_writes_numbers(ann):
    for week in range(25):
        add_numbers(
            ann,
            [FederationNumberValue("USBGF", str(week))],
            [SourceRating("WBF", 1600 + week, DAY + timedelta(days=week))],
        )
    assert [one.value for one in known(ann).ratings] == [1600 + week for week in range(24, 4, -1)]
    assert len(known(ann).numbers) == 20
    set_numbers(actor=Actor.of(ann.user), player_id=ann.pk, numbers=[FederationNumberValue("WBF", "7")])
    assert (known(ann).numbers, len(known(ann).ratings)) == ((FederationNumberValue("WBF", "7"),), 20)


def test_list_adds_what_is_new_and_a_merged_player_brings_theirs(ann):
    assert add_numbers(ann, [FederationNumberValue("WBF", "7")], [SourceRating("WBF", 1600, DAY)]) == 2
    assert add_numbers(ann, [FederationNumberValue("WBF", "7")], [SourceRating("WBF", 1700, DAY)]) == 0
    twin = Player.objects.create(name="Anne", merged_into=ann)
    add_numbers(twin, [FederationNumberValue("USBGF", "1")], [])
    assert [one.federation for one in known(ann).numbers] == ["USBGF", "WBF"]
    assert known(ann).present[0].value == 1700
