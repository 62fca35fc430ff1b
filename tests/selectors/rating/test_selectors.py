"""What other apps and pages read of ratings."""

import itertools
from datetime import timedelta

import pytest
from django.template.loader import render_to_string

from faults import Missing
from rating.models import Standing
from rating.selectors import (
    changes_by_source_key,
    club_lists,
    list_versions,
    player_context,
    preview_correction,
    preview_match,
    ratings_for,
    ratings_of_player,
)
from rating.selectors.leaderboard import LeaderboardFilter, leaderboard
from rating.selectors.lists import ListRanks, rank_lookup
from rating.selectors.players import _longest_runs, _streak, player_career
from rating.selectors.shown import delta_text, rating_text, sign_of
from rating.store.history import PlayerStep
from rating.web.chart import add_flat_steps, draw_chart, spread_evenings, thin_points
from tests.support.rating import DAY_ONE, a_book, a_list

pytestmark = pytest.mark.django_db


def test_changes_of_tells_each_list_what_a_result_did():
    federation = a_book()
    book = a_book(parent=federation.club)
    fact = book.beats("Ann", "Bob", 7, key="match:1:1")
    book.apply()
    federation.apply()
    found = changes_by_source_key(["match:1:1", "match:2:1"])
    assert set(found) == {"match:1:1"}
    assert [c.list_public_id for c in found["match:1:1"]] == [book.list.public_id, federation.list.public_id]
    change = found["match:1:1"][0]
    assert change.fact_number == fact.pk
    assert (change.winner.before_text, change.winner.delta_text, change.winner.sign) == (
        "1500.00",
        "+26.46",
        1,
    )
    assert change.loser.delta_text == "\N{MINUS SIGN}26.46"


def test_changes_of_a_voided_result_is_nothing():
    book = a_book()
    book.void(book.beats("Ann", "Bob", key="match:1:1"))
    book.apply()
    assert changes_by_source_key(["match:1:1"]) == {}


def test_changes_of_many_results_costs_no_more_queries_than_of_one(django_assert_max_num_queries):
    book = a_book()
    keys = [f"match:{n}:1" for n in range(60)]
    for key in keys:
        book.beats("Ann", "Bob", key=key)
    book.apply()
    with django_assert_max_num_queries(8):
        assert len(changes_by_source_key(keys)) == 60


def test_leaderboard_costs_few_queries(django_assert_max_num_queries):
    book = a_book()
    for n in range(30):
        book.beats(f"Player {n}", f"Player {n + 1}")
    book.apply()
    with django_assert_max_num_queries(4):
        assert len(leaderboard(book.list, LeaderboardFilter()).object_list) == 31


def test_equal_ratings_share_a_rank_and_too_few_matches_have_none():
    book = a_book()
    book.list.minimum_matches = 2
    book.list.save()
    for a, b in (("Ann", "Bob"), ("Cleo", "Dan")):
        book.beats(a, b, 7)
    for a, b in (("Ann", "Bob"), ("Cleo", "Dan")):
        book.beats(a, b, 7)
    book.beats("Eva", "Dan", 5)
    book.apply()
    rows = {row.player.name: row.rank for row in leaderboard(book.list, LeaderboardFilter()).object_list}
    assert rows == {"Ann": 1, "Cleo": 1, "Bob": 3, "Dan": 4, "Eva": None}


def test_ratings_of_player_begin_with_the_home_club():
    federation = a_book()
    book = a_book(parent=federation.club)
    book.beats("Ann", "Bob")
    book.apply()
    federation.apply()
    found = ratings_of_player(book.player("Ann").pk)
    assert [r.list_public_id for r in found] == [book.list.public_id, federation.list.public_id]
    assert (found[0].rank, found[0].ranked_of, found[0].provisional) == (1, 2, True)


def test_ratings_for_seeding_leaves_newcomers_out():
    book = a_book()
    book.beats("Ann", "Bob")
    book.apply()
    zoe = book.player("Zoe").pk
    ann = book.player("Ann").pk
    assert ratings_for([ann, zoe], book.list.pk) == {ann: book.rating("Ann")}


def test_club_lists_begin_with_the_clubs_own():
    book = a_book()
    other = a_list(book)
    assert [found.pk for found in club_lists(book.club.pk)] == [book.list.pk, other.list.pk]


def test_list_versions_change_with_every_list_they_speak_of():
    federation = a_book()
    book = a_book(parent=federation.club)
    book.beats("Ann", "Bob")
    federation.apply()
    book.apply()

    def all_three():
        return (
            list_versions(club_id=book.club.pk),
            list_versions(player_id=book.player("Ann").pk),
            list_versions(public_ids=[federation.list.public_id]),
        )

    before = all_three()
    book.beats("Ann", "Bob")
    federation.apply()
    assert all(a != b for a, b in zip(before, all_three(), strict=True))


def test_expected_is_what_then_happens():
    book = a_book()
    book.beats("Ann", "Bob", 9)
    book.apply()
    ann, zoe = book.player("Ann"), book.player("Zoe")
    asked = preview_match(book.list.pk, zoe.pk, ann.pk, 5)
    before = book.rating("Ann")
    book.beats("Zoe", "Ann", 5)
    book.apply()
    assert asked.first_rating == 1500
    assert asked.first_wins.first == pytest.approx(book.rating("Zoe") - 1500)
    assert asked.first_wins.second == pytest.approx(book.rating("Ann") - before)
    with pytest.raises(Missing):
        preview_match(book.list.pk, zoe.pk, 10**9, 5)


@pytest.mark.parametrize("void", [True, False])
def test_effects_foretell_exactly_what_a_correction_does(void):
    federation = a_book()
    book = a_book(parent=federation.club)
    facts = [
        book.beats(*pair, 7, at=DAY_ONE + timedelta(hours=n // 2))
        for n, pair in enumerate([("Ann", "Bob"), ("Bob", "Cleo"), ("Cleo", "Ann"), ("Ann", "Bob")] * 3)
    ]
    federation.players = book.players
    book.apply()
    federation.apply()
    wrong = facts[4]
    foretold = preview_correction(
        source_key=wrong.source_key,
        **({"void": True} if void else {"winner_id": wrong.loser_id, "loser_id": wrong.winner_id}),
    )
    if void:
        book.void(wrong)
    else:
        book.replace(wrong, wrong.loser.name, wrong.winner.name)
    book.apply()
    federation.apply()
    ids = {player.pk: name for name, player in book.players.items()}
    for found in (book, federation):
        effects = {
            ids[e.player_id]: e.then for e in foretold.effects if e.list_public_id == found.list.public_id
        }
        assert effects == found.all_ratings()


def test_effects_of_an_unknown_result_are_missing():
    with pytest.raises(Missing):
        preview_correction(source_key="match:none", void=True)


def test_section_renders_for_a_player_without_ratings_too():
    book = a_book()
    section = player_context(book.player("Zoe"))
    assert "No rated matches yet" in render_to_string("rating/_player.html", section)


def test_career_names_events_of_imports_only():
    book = a_book()
    book.beats("Ann", "Bob", event_key="abc", event_name="Secret night")
    book.beats("Ann", "Bob", event_name="Old club night")
    book.apply()
    rows = player_career(book.list, book.player("Ann")).history
    assert [row.event for row in rows] == ["Old club night", ""]


def way(results: str) -> list[PlayerStep]:
    return [
        PlayerStep(n, n, int(r == "W"), 0.0, 0.0, 0, None, None, 1, 0.0, 7, 0, 0, "")
        for n, r in enumerate(results)
    ]


@pytest.mark.parametrize(
    ("results", "streak", "longest"),
    [("", 0, (0, 0)), ("W", 1, (1, 0)), ("WWL", -1, (2, 1)), ("LLLWW", 2, (2, 3)), ("WLWWLWWW", 3, (3, 1))],
)
def test_streaks(results, streak, longest):
    assert _streak(way(results)) == streak
    assert _longest_runs(way(results)) == longest


@pytest.mark.parametrize(
    ("value", "text", "sign"),
    [
        (26.4575, "+26.46", 1),
        (-26.4575, "\N{MINUS SIGN}26.46", -1),
        (0.004, "0.00", 0),
        (-0.004, "0.00", 0),
    ],
)
def test_a_change_is_shown_with_its_sign(value, text, sign):
    assert (delta_text(value), sign_of(value)) == (text, sign)


def test_a_rating_is_rounded_not_cut():
    assert rating_text(1499.999) == "1500.00"


def test_a_long_career_is_thinned_with_both_ends_kept():
    points = [(DAY_ONE + timedelta(days=n), float(n)) for n in range(1001)]
    chosen = thin_points(points, 100)
    assert (len(chosen), chosen[0], chosen[-1]) == (100, points[0], points[-1])
    assert thin_points(points[:7], 100) == points[:7]


def test_weeks_without_a_match_are_flat_and_stay_so_when_thinned():
    played = [DAY_ONE + timedelta(days=n) for n in (*range(500), *range(560, 1000))]
    points = add_flat_steps([(at, float(n)) for n, at in enumerate(played)])
    assert len(points) == len(played) + 1
    for some in (points, thin_points(points, 60)):
        assert (DAY_ONE + timedelta(days=499), 499.0) in some
        assert (DAY_ONE + timedelta(days=560), 499.0) in some  # flat up to the next match, and then its step
        assert (DAY_ONE + timedelta(days=560), 500.0) in some
        assert len(some) <= len(points)
    assert add_flat_steps(points[:7]) == points[:7]


def test_matches_of_one_evening_are_drawn_side_by_side_and_in_their_order():
    points = [
        (DAY_ONE + timedelta(days=days, minutes=10 * n), float(n)) for days in (0, 40) for n in range(4)
    ]
    drawn = spread_evenings(points)
    assert [value for _at, value in drawn] == [value for _at, value in points]
    times = [at for at, _value in drawn]
    assert times == sorted(set(times))
    assert times[0] == DAY_ONE
    assert times[4] == DAY_ONE + timedelta(days=40)
    assert times[3] - times[0] > timedelta(days=1)
    assert spread_evenings([]) == []
    assert spread_evenings(points[:1]) == points[:1]


def test_band_of_glicko_is_twice_the_deviation_and_widens_until_the_last_closed_period():
    book = a_list(a_book(), system="glicko2", parameters={"period_days": 10})
    for day in (0, 100):
        book.beats("Ann", "Bob", 7, at=DAY_ONE + timedelta(days=day))
    book.apply()
    found = player_career(book.list, book.player("Ann"))
    assert found is not None
    widths = [round(high - low, 6) for _at, low, high in found.deviation_band]
    first, second = (change.deviation for change in book.history("Ann"))
    times = [at for at, _low, _high in found.deviation_band]
    assert widths[0] == round(4 * first, 6)
    assert round(4 * second, 6) == widths[times.index(DAY_ONE + timedelta(days=100))] < widths[0]
    between = [width for at, width in zip(times, widths, strict=True) if at < DAY_ONE + timedelta(days=100)]
    assert len(between) > 8
    assert between == sorted(between)
    drawn = draw_chart("Ann", found.points, band=found.deviation_band).decode()
    assert "serie-1" in drawn
    assert b"serie-1" not in draw_chart("Ann", found.points)


def test_ranks_of_a_page_are_those_of_the_whole_list():
    book = a_book()
    for winner, loser in itertools.permutations(["Ann", "Bob", "Cleo", "Dan", "Eva"], 2):
        book.beats(winner, loser, 5)
    for other in ("Finn", "Gil"):  # two of the same rating
        book.beats("Ann", other, 5)
    book.apply()
    every = sorted(Standing.objects.on(book.list).values_list("rating", flat=True), reverse=True)
    whole = ListRanks(book.list)
    for part in (every, every[:3], every[2:5], every[-2:], every[3:4], []):
        assert [rank_lookup(book.list, part).of(one) for one in part] == [whole.of(one) for one in part]
