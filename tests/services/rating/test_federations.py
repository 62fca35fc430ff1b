"""Federations over time: what a club played while it belonged there counts on the federation's lists, and nothing else does."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from people.models import Affiliation, AuditEntry, Club, Membership, Role
from people.services.federations import join_federation, leave_federation
from rating.models import Generation, RatingList
from rating.selectors.changes import explain_change
from rating.services import replace_result
from rating.services.apply import outdated_lists
from rating.store.spans import counted_spans, merge_spans
from tests.factories import a_user
from tests.support.rating import Book, a_book, a_list

pytestmark = pytest.mark.django_db

BERLIN = ZoneInfo("Europe/Berlin")
TODAY = timezone.localdate(timezone=BERLIN)


@pytest.fixture
def owner():
    return a_user("Olga Owner")


@pytest.fixture
def federation(owner):
    return owned(a_book(), owner)


@pytest.fixture
def member(owner, federation):
    """A club whose results are read on the federation's list."""
    return Book(owned(a_book(), owner).club, federation.list)


def owned(book, owner):
    Club.objects.filter(pk=book.club.pk).update(timezone="Europe/Berlin")
    Membership.objects.create(user=owner, club=book.club, role=Role.OWNER)
    return book


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=BERLIN)


def join(member, owner, federation, **more):
    return join_federation(
        actor=Actor.of(owner), club_id=member.club.pk, parent_id=federation.club.pk, **more
    )


def leave(member, owner, **more):
    return leave_federation(actor=Actor.of(owner), club_id=member.club.pk, **more)


def counted_days(book):
    """The days of the results that count, oldest first."""
    book.apply()
    assert book.differences() == []
    assert outdated_lists().count(book.list.pk) == 0
    return [change.moment // 86_400_000_000 for change in book.history("Ann")]


def days(*some: date) -> list[int]:
    return [(day - date(1970, 1, 1)).days for day in some]


def test_club_when_it_leaves_then_its_past_stays_and_nothing_is_computed_anew(member, federation, owner):
    Affiliation.objects.create(club=member.club, federation=federation.club)
    yesterday = TODAY - timedelta(days=1)
    member.beats("Ann", "Bob", at=noon(yesterday))
    assert counted_days(member) == days(yesterday)
    computed = Generation.objects.filter(rating_list=member.list).count()
    leave(member, owner)
    member.beats("Ann", "Bob", at=noon(TODAY + timedelta(days=1)))
    assert counted_days(member) == days(yesterday)
    assert Generation.objects.filter(rating_list=member.list).count() == computed
    assert Club.objects.get(pk=member.club.pk).parent is None


def test_club_when_it_joins_then_its_past_comes_along_only_if_the_federation_says_so(
    member, federation, owner
):
    first, second = TODAY - timedelta(days=20), TODAY - timedelta(days=10)
    for day in (first, second, TODAY):
        member.beats("Ann", "Bob", at=noon(day))
    join(member, owner, federation)
    assert counted_days(member) == days(TODAY)
    join(member, owner, federation, since=second)
    assert counted_days(member) == days(second, TODAY)
    leave(member, owner, until=TODAY)
    assert counted_days(member) == days(second)
    leave(member, owner, until=second)  # it belongs to nobody: nothing happens
    join(member, owner, federation, since=TODAY)  # where it left off: it never left
    assert Affiliation.objects.get(club=member.club).since == second
    leave(member, owner, until=second)
    assert not Affiliation.objects.filter(club=member.club).exists()
    assert counted_days(member) == []


def test_club_that_joins_while_a_result_of_its_day_waits_has_nothing_computed_anew(member, federation, owner):
    federation.beats("Ann", "Bob", at=noon(TODAY - timedelta(days=1)))
    federation.apply()
    computed = Generation.objects.filter(rating_list=federation.list).count()
    join(member, owner, federation)
    member.beats("Ann", "Bob", at=noon(TODAY))
    assert counted_days(member) == days(TODAY)
    assert Generation.objects.filter(rating_list=federation.list).count() == computed


def test_club_when_it_was_away_then_what_it_played_meanwhile_does_not_count(member, federation, owner):
    spells = [TODAY - timedelta(days=some) for some in (30, 20, 10)]
    join(member, owner, federation, since=spells[0])
    leave(member, owner, until=spells[1])
    join(member, owner, federation, since=spells[2])
    for day in spells:
        member.beats(
            "Ann", "Bob", at=noon(day) - timedelta(hours=12)
        )  # midnight in Berlin: the day has begun
        member.beats("Ann", "Bob", at=noon(day) - timedelta(hours=12, microseconds=1))
    member.beats("Ann", "Bob", at=noon(spells[2]))
    found = counted_days(member)
    assert len(found) == 4
    away = member.beats("Ann", "Bob", at=noon(spells[1]) + timedelta(days=1))
    with pytest.raises(Exception, match=r"rating\.fact_unknown"):
        explain_change(member.list, away.pk)


def test_correction_when_it_moves_a_result_out_of_the_federations_time_then_it_is_gone_there(
    member, federation, owner
):
    Affiliation.objects.create(club=member.club, federation=federation.club)
    leave(member, owner)
    fact = member.beats("Ann", "Bob", at=noon(TODAY))
    assert counted_days(member) == days(TODAY)
    replace_result(
        source_key="test:moved",
        replaces=fact.source_key,
        winner_id=fact.winner_id,
        loser_id=fact.loser_id,
        length=7,
        winner_score=7,
        loser_score=3,
        played_at=noon(TODAY + timedelta(days=3)),
    )
    assert counted_days(member) == []


def test_federation_of_federations_counts_a_club_while_both_belonged(member, federation, owner):
    world = owned(a_book(), owner)
    join(federation, owner, world, since=TODAY - timedelta(days=10))
    join(member, owner, federation, since=TODAY - timedelta(days=20))
    above = Book(member.club, world.list, member.players)
    for some in (15, 5):
        above.beats("Ann", "Bob", at=noon(TODAY - timedelta(days=some)))
    assert counted_days(above) == days(TODAY - timedelta(days=5))
    assert len(counted_days(Book(member.club, federation.list, above.players))) == 2
    with pytest.raises(Conflict):
        join(world, owner, member)


def test_club_when_it_changes_federations_then_each_keeps_what_was_played_there(member, federation, owner):
    other = owned(a_book(), a_user("Other Owner"))
    Membership.objects.create(user=owner, club=other.club, role=Role.OWNER)
    join(member, owner, federation, since=TODAY - timedelta(days=5))
    join(member, owner, other)
    old, new = Affiliation.objects.filter(club=member.club).order_by("pk")
    assert (old.until, new.since) == (TODAY + timedelta(days=1),) * 2
    assert Club.objects.get(pk=member.club.pk).parent == other.club
    with pytest.raises(Conflict, match=r"club\.other_federation"):
        join(member, owner, other, since=TODAY - timedelta(days=9))
    assert AuditEntry.objects.filter(action="federation.left", club=federation.club).count() == 1


def test_days_when_they_are_ahead_or_take_something_away_then_refused(member, federation, owner):
    join(member, owner, federation)
    with pytest.raises(Invalid, match=r"club\.day_ahead"):
        leave(member, owner, until=TODAY + timedelta(days=2))
    Membership.objects.filter(user=owner, club=federation.club).delete()
    with pytest.raises(NotAllowed):
        leave(member, owner, until=TODAY)  # takes today's results from the federation
    leave(member, owner)


def test_season_is_cut_at_the_clubs_midnight_on_both_sides_of_a_change_of_clocks(owner):
    book = owned(a_book(), owner)
    spring = a_list(book, counts_from=date(2026, 3, 29), counts_until=date(2026, 10, 25))
    inside = [datetime(2026, 3, 29, tzinfo=BERLIN), datetime(2026, 10, 25, 23, 59, tzinfo=BERLIN)]
    outside = [datetime(2026, 3, 28, 23, 59, tzinfo=BERLIN), datetime(2026, 10, 26, tzinfo=BERLIN)]
    assert [at.utcoffset().seconds // 3600 for at in inside] == [1, 1]
    for at in [*inside, *outside]:
        spring.beats("Ann", "Bob", at=at)
    spring.apply()
    assert spring.differences() == []
    assert len(spring.history("Ann")) == 2


def test_zone_when_a_list_gets_a_season_then_it_is_settled(owner):
    book = a_book()
    assert RatingList.objects.get(pk=book.list.pk).club.timezone == ""
    a_list(book, counts_from=date(2026, 1, 1))
    assert Club.objects.get(pk=book.club.pk).timezone == "UTC"


def test_spans_when_bounded_or_not_then_noted_down_in_one_order(member, federation):
    assert counted_spans(federation.list) == [federation.club.pk]
    Affiliation.objects.create(club=member.club, federation=federation.club)
    assert counted_spans(federation.list) == sorted([federation.club.pk, member.club.pk])
    assert merge_spans([(5, 9), (None, 2), (9, None), (2, 3)]) == [(None, 3), (5, None)]
