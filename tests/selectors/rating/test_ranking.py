"""Who is ranked: rules as data, reasons for everybody else, and ranks without holes."""

import sys
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.actors import Actor
from people.models import Affiliation, Club, Player
from people.services.versions import raise_versions
from people.versions import NAMES
from rating.formulas.ranking import PRESETS, Members, RankingRules, Unranked, months_before
from rating.selectors.as_of import ratings_at
from rating.selectors.leaderboard import LeaderboardFilter, LeaderRows, all_rows, leaderboard
from rating.selectors.lists import ListRanks, list_versions
from rating.selectors.players import ratings_of_player
from rating.selectors.ranking import current_rules
from rating.services.imports import import_openings
from rating.store.moments import to_moment
from tests.support.rating import Book, a_bare_club, a_book, a_list, visit

NOW = timezone.now()


@pytest.fixture
def book(db):
    """Ann, Bob and Cleo have played this week, Dan and Eva two years ago, Eva more than he has."""
    book = a_book()
    for winner, loser, length, days in (
        ("Eva", "Dan", 9, 800),
        ("Eva", "Dan", 2, 799),
        ("Ann", "Bob", 7, 3),
        ("Ann", "Cleo", 5, 2),
        ("Eva", "Finn", 5, 798),
    ):
        book.beats(winner, loser, length, at=NOW - timedelta(days=days))
    book.apply()
    return book


def with_rules(book: Book, **rules: object) -> dict[str, int | tuple[str, ...]]:
    """Name → rank, or why there is none, in the order of the page."""
    type(book.list).objects.filter(pk=book.list.pk).update(**rules)
    book.list.refresh_from_db()
    rows = leaderboard(book.list, LeaderboardFilter()).rows
    assert [row.player.name for row in all_rows(book.list, LeaderboardFilter())] == [
        row.player.name for row in rows
    ]
    return {row.player.name: row.rank or tuple(row.why) for row in rows}


def test_ranks_leave_no_hole_where_a_private_player_stands(book):
    assert list(with_rules(book).values()) == [1, 2, 3, 4, 5, 6]
    Player.objects.filter(name="Ann").update(listed=False)
    raise_versions([NAMES])
    found = with_rules(book)
    assert (list(found.values()), "Ann" in found) == ([1, 2, 3, 4, 5], False)
    assert len(ListRanks(book.list)) == 5


def test_opening_rating_is_no_match_so_who_has_not_played_lately_is_not_ranked(book):
    text = "player,rating\nEva,1900\nDan,1400\n"
    import_openings(actor=Actor.program(), list_id=book.list.pk, text=text, as_of=NOW - timedelta(days=10))
    last = book.beats("Eva", "Ann", 5, at=NOW - timedelta(days=4))
    book.apply()
    assert with_rules(book, active_months=12)["Eva"] == 1
    book.void(last)  # in the tail there is the opening, and no match
    book.apply()
    found = with_rules(book, active_months=12)
    assert (found["Eva"], found["Dan"], found["Ann"]) == ((Unranked.INACTIVE,), (Unranked.INACTIVE,), 1)
    assert book.differences() == []
    rules = current_rules(book.list)
    then = {one.player: one.moment for one in ratings_at(book.list, to_moment(NOW))}
    assert then[book.player("Eva").pk] < rules.since


@pytest.mark.parametrize("system", ["fibs", "glicko2"])
def test_last_match_is_known_whatever_comes_after_it_in_the_ledger(db, system):
    book = a_list(a_book(), system=system, shortest=1)
    played = book.beats("Ann", "Bob", 7, at=NOW - timedelta(days=900))
    import_openings(
        actor=Actor.program(),
        list_id=book.list.pk,
        text=f"player,rating\n{book.player('Ann').public_id},1900\n",
        as_of=NOW - timedelta(days=600),
    )
    book.apply()
    assert book.standing("Ann").moment == played.moment
    assert book.differences() == []


def test_stamp_of_a_player_page_turns_at_the_midnight_of_the_list(book, monkeypatch):
    Club.objects.filter(pk=book.club.pk).update(timezone="Pacific/Kiritimati")  # 14 hours ahead
    type(book.list).objects.filter(pk=book.list.pk).update(active_months=12)

    def stamp(hour: int) -> str:
        monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 1, hour, 30, tzinfo=UTC))
        return list_versions(player_id=book.player("Ann").pk)

    assert stamp(9) != stamp(10) == stamp(23)


def test_rules_when_somebody_does_not_fulfil_them_then_below_the_ranked_with_the_reason(book):
    found = with_rules(book, minimum_experience=6, active_months=12)
    assert found == {
        "Ann": 1,
        "Bob": 2,
        "Eva": (Unranked.INACTIVE,),
        "Cleo": (Unranked.EXPERIENCE,),
        "Finn": (Unranked.EXPERIENCE, Unranked.INACTIVE),
        "Dan": (Unranked.INACTIVE,),
    }
    mine = ratings_of_player(book.player("Finn").pk)[0]
    assert (mine.rank, mine.ranked_of, mine.why_text) == (None, 2, "too little experience, no recent match")


def test_provisional_ratings_when_apart_then_without_a_rank_and_below(book):
    found = with_rules(book, provisional_apart=True, provisional_below=12)
    assert list(found.items())[:2] == [("Eva", 1), ("Ann", 2)]
    assert set(list(found.values())[2:]) == {(Unranked.PROVISIONAL,)}
    # Points that were earned are never provisional.
    assert sorted(with_rules(book, system="master").values()) == [1, 2, 3, 4, 5, 6]


def test_members_alone_when_asked_for_then_others_are_not_ranked(book):
    member, foreign = a_bare_club(parent=book.club), a_bare_club()
    Player.objects.filter(name="Bob").update(home_club=member)
    Player.objects.filter(name="Cleo").update(home_club=foreign)
    Player.objects.filter(name="Dan").update(home_club=None)
    found = with_rules(book, members="federation")
    assert [name for name, why in found.items() if why == (Unranked.MEMBER,)] == ["Cleo", "Dan"]
    assert with_rules(book, members="club")["Bob"] == (Unranked.MEMBER,)
    stamp = current_rules(book.list).stamp
    book.list.members = "federation"
    Affiliation.objects.filter(club=member).update(ends=NOW, until=NOW.date())
    assert current_rules(book.list).stamp == stamp  # its club alone is left


@pytest.mark.parametrize(("size", "near"), [(1, 0), (2, 1000), (4, 0)])
def test_page_of_ranked_and_others_when_cut_anywhere_then_nobody_is_missing_or_twice(
    book, size, near, monkeypatch
):
    monkeypatch.setattr(sys.modules[LeaderRows.__module__], "MAX_OFFSET_ROWS", near)
    with_rules(book, active_months=12)
    rows = LeaderRows(book.list, LeaderboardFilter())
    pages = [rows[start : start + size] for start in range(0, len(rows), size)]
    assert [row for page in pages for row in page] == list(rows)


def test_public_list_says_the_rules_and_why_and_the_api_too(book):
    with_rules(book, minimum_experience=6, active_months=12, provisional_below=0)
    words = " ".join(visit("list", book).content.decode().split())
    assert "experience 6 or more · a match within the last 12 months" in words
    assert words.index("Bob") < words.index("Not ranked") < words.index("no recent match")
    leaders = reverse("rating_api:leaderboard", args=[book.list.public_id])
    found = Client().get(leaders).json()["results"]
    assert [(row["rank"], row["why"]) for row in found[:3]] == [(1, []), (2, []), (None, ["inactive"])]
    assert [row["rank"] for row in Client().get(leaders, {"ranked": "true"}).json()["results"]] == [1, 2]


def test_month_when_too_short_then_its_last_day():
    assert months_before(date(2024, 2, 29), 12) == date(2023, 2, 28)
    assert months_before(date(2026, 1, 15), 24) == date(2024, 1, 15)


def test_activity_begins_at_midnight_of_the_day(book):
    type(book.list.club).objects.filter(pk=book.list.club_id).update(timezone="Europe/Helsinki")
    with_rules(book, active_months=12)
    rules = current_rules(book.list, datetime(2026, 11, 23, 22, 30, tzinfo=UTC))  # there it is the 24th
    begins = datetime(2025, 11, 23, 22, tzinfo=UTC)
    assert rules.since == int(begins.timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("code", "ranked"), [("germany", [200]), ("berlin", [100, 200]), ("belgium", [100, 200])]
)
def test_preset_when_asked_then_ranks_whom_its_source_ranks(code, ranked):
    rules: RankingRules = PRESETS[code].ranking
    assert rules.members is Members.ANYBODY
    here = [
        experience
        for experience in (99, 100, 199, 200)
        if not rules.unranked_reasons(matches=20, experience=experience, is_active=True, member=False)
    ]
    assert [one for one in here if one != 199] == ranked
    away = rules.unranked_reasons(matches=20, experience=500, is_active=False, member=False)
    assert away == (() if code == "belgium" else (Unranked.INACTIVE,))
