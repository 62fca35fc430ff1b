"""League seasons: unplayed matches are ruled, some go up and some go down, and the next season is made."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import Player
from rating.models import Fact
from tests.factories import a_user, an_event
from tests.support.leagues import DAY, League, a_league, with_tie_breaks
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.engine.types import ResultKind
from tournaments.entries.services.entries import withdraw_entry
from tournaments.leagues.services.seasons import (
    NextSeasonDetails,
    UnplayedRuling,
    create_next_season,
    plan_next_season,
    rule_unplayed_matches,
    set_promotion_counts,
)
from tournaments.models import Event, Stage
from tournaments.selectors.arranged import drawn_groups
from tournaments.selectors.leagues import (
    adjacent_seasons,
    league_seasons,
    load_season,
    plan_season,
    season_champions,
    unplayed_matches,
)

pytestmark = pytest.mark.django_db


def details_for(league, **changes):
    usual = {
        "name": "League 2027",
        "starts_on": DAY + timedelta(days=100),
        "ends_on": DAY + timedelta(days=190),
        "moving": load_season(league.event).moving,
    }
    return NextSeasonDetails(**{**usual, **changes})


def follow_up(league, **changes):
    """The next season as the preview shows it, made."""
    details = details_for(league, **changes)
    seen = plan_next_season(load_season(league.event), details).version
    made = create_next_season(
        actor=league.actor, event_id=league.event.pk, details=details, expected_version=seen
    )
    return League(made, league.director)


def codes(error):
    return [fault.code for fault in error.value.faults]


def test_season_when_over_then_the_next_one_has_everybody_in_their_place():
    league = a_league("abc", "def", "ghi").play_out()
    assert league.event.status == EventStatus.FINISHED
    following = follow_up(league)
    assert following.names() == {
        "Division 1": ["Aa Player", "Bb Player", "Dd Player"],
        "Division 2": ["Cc Player", "Ee Player", "Gg Player"],
        "Division 3": ["Ff Player", "Hh Player", "Ii Player"],
    }
    made = following.event
    assert (made.status, made.follows, made.name) == (EventStatus.DRAFT, league.event, "League 2027")
    assert made.tables == league.event.tables
    assert [division.moving for division in made.divisions.all()] == [1, 1, 0]
    before, after = league.stages(), following.stages()
    assert [stage.status for stage in after] == [StageStatus.SETUP] * 3
    for old, new in zip(before, after, strict=True):
        assert (new.system, new.lengths, new.settings) == (
            old.system,
            old.lengths,
            replace(old.settings, own=replace(old.settings.swiss, rounds=1)),
        )
        assert drawn_groups(new) == ()
        assert new.draw_method == "seeded"
    assert [entry.seed for entry in made.divisions.first().entries.order_by("pk")] == [1, 2, 3]
    assert following.play_out().event.status == EventStatus.FINISHED


def test_season_when_players_go_on_then_they_are_the_same_players():
    league = a_league("abc", "def").play_out()
    before = Player.objects.count()
    following = follow_up(league, newcomers=["New Face"])
    assert Player.objects.count() == before + 1
    old, new = (one.entry("Dd Player").players.get() for one in (league, following))
    assert old == new
    assert following.entry("New Face").division.name == "Division 2"


def test_season_when_somebody_leaves_then_one_more_comes_up():
    league = a_league("abc", "def").play_out()
    following = follow_up(league, leaving_entry_ids=frozenset([league.entry("Aa Player").pk]))
    assert following.names() == {
        "Division 1": ["Bb Player", "Dd Player", "Ee Player"],
        "Division 2": ["Cc Player", "Ff Player"],
    }


def test_season_when_a_newcomer_is_known_then_it_is_that_player():
    league = a_league("abc", "def").play_out()
    gone = league.entry("Ff Player")
    following = follow_up(
        league, leaving_entry_ids=frozenset([gone.pk]), newcomers=["ff  player", "Zoe Zero"]
    )
    assert following.names()["Division 2"] == ["Cc Player", "Ee Player", "Ff Player", "Zoe Zero"]
    assert following.entry("Ff Player").players.get() == gone.players.get()


def test_season_when_newcomers_are_doubtful_then_every_doubt_is_told():
    league = a_league("abc", "def").play_out()
    Player.objects.create(name="Two Same", home_club=league.event.club).clubs.add(league.event.club)
    Player.objects.create(name="Two Same", home_club=league.event.club).clubs.add(league.event.club)
    with pytest.raises(Invalid) as refused:
        follow_up(league, newcomers=["Aa Player", "Two Same", "New Face", "new face"])
    assert codes(refused) == [
        "season.newcomer_plays",
        "season.newcomer_unclear",
        "season.newcomer_twice",
        "season.newcomer_twice",
    ]
    assert Event.objects.count() == 1


@pytest.mark.parametrize(
    ("count", "code"),
    [(38, "season.too_many"), (41, "season.newcomers_many"), (1025, "season.newcomers_many")],
)
def test_season_when_there_are_more_newcomers_than_a_round_robin_takes_then_told(count, code):
    league = a_league("abc", "def").play_out()
    with pytest.raises(Invalid) as refused:
        follow_up(league, newcomers=[f"Newcomer {number}" for number in range(count)])
    assert codes(refused) == [code]
    assert Event.objects.count() == 1


def test_season_when_not_over_then_there_is_no_next_one():
    league = a_league("abc", "def")
    with pytest.raises(Conflict) as refused:
        follow_up(league)
    assert refused.value.code == "season.not_over"


def test_season_when_made_twice_then_the_second_is_refused_until_the_first_is_called_off():
    league = a_league("abc", "def").play_out()
    follow_up(league)
    with pytest.raises(Conflict) as refused:
        follow_up(league)
    assert refused.value.code == "season.there_already"


def test_season_when_something_changed_since_the_preview_then_told():
    league = a_league("abc", "def").play_out()
    with pytest.raises(Conflict) as refused:
        create_next_season(
            actor=league.actor, event_id=league.event.pk, details=details_for(league), expected_version="old"
        )
    assert refused.value.code == "season.changed"


def a_tied_league():
    """Aa beats Bb beats Cc beats Aa, and nothing breaks the tie; below, Dd beats everybody."""
    league = a_league("abc", "def", swiss=with_tie_breaks())
    wins = {("Aa Player", "Bb Player"), ("Bb Player", "Cc Player"), ("Cc Player", "Aa Player")}
    while league.next_rounds():
        for match in league.unplayed():
            names = {slot.side: slot.entry.name for slot in match.slots.all()}
            if match.stage.division.name == "Division 1":
                league.settle(match, "a" if (names["a"], names["b"]) in wins else "b", 1)
            else:
                league.settle_by_name(match)
    league.fresh()
    return league


def test_a_place_shared_over_the_border_is_the_director_s_to_decide():
    league = a_tied_league()
    everybody = tuple(league.entry(name).pk for name in ("Aa Player", "Bb Player", "Cc Player"))
    planned = plan_season(load_season(league.event), moving_counts=[1])
    assert [set(shared) for shared in planned.undecided_ties] == [set(everybody)]
    with pytest.raises(Invalid) as refused:
        follow_up(league)
    assert codes(refused) == ["season.undecided"]
    with pytest.raises(Invalid):
        follow_up(league, tie_order=dict.fromkeys(everybody, 1))
    following = follow_up(league, tie_order=dict(zip(everybody, (3, 1, 2), strict=True)))
    assert following.names()["Division 1"] == ["Bb Player", "Cc Player", "Dd Player"]
    assert "Aa Player" in following.names()["Division 2"]


def test_a_place_shared_where_nobody_moves_is_nobody_s_to_decide():
    league = a_tied_league()
    following = follow_up(league, moving=[0])
    assert set(following.names()["Division 1"]) == {"Aa Player", "Bb Player", "Cc Player"}


def test_season_when_so_many_cannot_move_then_refused():
    league = a_league("abc", "def").play_out()
    with pytest.raises(Invalid) as refused:
        follow_up(league, moving=[4])
    assert codes(refused) == ["league.division_too_small"]


def test_moving_when_set_then_kept_and_odd_numbers_are_refused():
    league = a_league("abc", "def", moving=0)
    set_promotion_counts(actor=league.actor, event_id=league.event.pk, moving=[1])
    assert load_season(league.event).moving == (1,)
    for moving, code in (
        ([51], "season.moving_odd"),
        ([-1], "season.moving_odd"),
        ([1, 1], "season.borders"),
    ):
        with pytest.raises(Invalid) as refused:
            set_promotion_counts(actor=league.actor, event_id=league.event.pk, moving=moving)
        assert codes(refused) == [code]


def test_event_when_it_is_no_league_then_it_has_no_seasons():
    tournament = an_event(entries=2)
    assert load_season(tournament.event) is None
    with pytest.raises(Conflict) as refused:
        set_promotion_counts(actor=tournament.actor, event_id=tournament.event.pk, moving=[])
    assert refused.value.code == "season.no_league"


# Unplayed matches.


def test_unplayed_matches_when_ruled_together_then_each_has_its_result():
    league = a_league("abcdef", "ghijkl")
    league.next_rounds()
    matches = league.unplayed()
    rulings = dict(
        zip(
            (match.pk for match in matches),
            [*UnplayedRuling, UnplayedRuling.WALKOVER_A, UnplayedRuling.WALKOVER_A],
            strict=True,
        )
    )
    where = {"actor": league.actor, "event_id": league.event.pk, "submission_key": "all"}
    rule_unplayed_matches(**where, rulings=rulings)
    for match in matches:
        match.refresh_from_db()
    told = [(m.result_kind, m.winner_side, m.score_a, m.score_b) for m in matches]
    assert told[:4] == [
        (ResultKind.WALKOVER, "a", 5, 0),
        (ResultKind.WALKOVER, "b", 0, 5),
        (ResultKind.DOUBLE_WALKOVER, "", 0, 0),
        (ResultKind.UNFINISHED, "", 0, 0),
    ]
    version = league.fresh().version
    rule_unplayed_matches(**where, rulings=rulings)  # the same form again
    assert league.fresh().version == version
    assert Fact.objects.count() == 0
    assert unplayed_matches(league.event) == []


def test_unplayed_matches_when_one_was_played_meanwhile_then_nothing_is_ruled():
    league = a_league("abcd")
    league.next_rounds()
    first, second = league.unplayed()
    league.settle(second, "a", 1)
    rulings = {first.pk: UnplayedRuling.UNFINISHED, second.pk: UnplayedRuling.WALKOVER_B}
    with pytest.raises(Conflict) as refused:
        rule_unplayed_matches(
            actor=league.actor, event_id=league.event.pk, rulings=rulings, submission_key="k"
        )
    assert refused.value.code == "season.match_over"
    assert [match.pk for match in league.unplayed()] == [first.pk]


def test_unplayed_matches_when_the_last_is_ruled_then_the_season_is_over():
    league = a_league("abc", "def")
    while league.next_rounds():
        rulings = {match.pk: UnplayedRuling.WALKOVER_A for match in league.unplayed()}
        rule_unplayed_matches(
            actor=league.actor, event_id=league.event.pk, rulings=rulings, submission_key=f"k{min(rulings)}"
        )
    assert league.fresh().status == EventStatus.FINISHED


def test_unplayed_matches_when_the_day_has_passed_then_they_stand_first_and_are_overdue():
    league = a_league("abcd", "efgh")
    league.next_rounds()
    late = Stage.objects.get(division=league.division("Division 2")).rounds.get()
    late.deadline = DAY
    late.save()
    rows = unplayed_matches(league.event)
    assert [row.overdue for row in rows] == [True, True, False, False]
    assert rows[0].match.round == late
    assert rows[0].deadline == DAY


def test_rulings_are_nobody_else_s_business():
    league, stranger = a_league("abcd"), Actor.of(a_user())
    league.next_rounds()
    rulings = {league.unplayed()[0].pk: UnplayedRuling.UNFINISHED}
    with pytest.raises(NotAllowed):
        rule_unplayed_matches(actor=stranger, event_id=league.event.pk, rulings=rulings, submission_key="k")
    other = a_league("abcd")
    with pytest.raises(Missing):
        rule_unplayed_matches(actor=other.actor, event_id=other.event.pk, rulings=rulings, submission_key="k")
    with pytest.raises(Invalid):
        rule_unplayed_matches(actor=league.actor, event_id=league.event.pk, rulings={}, submission_key="k")


# A chain of seasons.


def test_seasons_when_linked_then_their_champions_are_listed_newest_first(django_assert_max_num_queries):
    first = a_league("abc", "def").play_out()
    second = follow_up(first)
    assert [one.pk for one in league_seasons(first.event, can_direct=False)] == [first.event.pk]
    assert adjacent_seasons(first.event, can_direct=False) == (None, None)
    assert adjacent_seasons(first.event, can_direct=True) == (None, second.event)
    second.play_out()
    third = follow_up(second, name="League 2028").play_out()
    for event in (first.event, second.event, third.event):
        assert [one.name for one in league_seasons(event, can_direct=False)] == [
            "League 2028",
            "League 2027",
            "League 2026",
        ]
    with django_assert_max_num_queries(10):
        rows = season_champions(league_seasons(second.event, can_direct=False))
    assert [[(name, [entry.name for entry in won]) for name, won in row.winners] for row in rows] == [
        [("Division 1", ["Aa Player"]), ("Division 2", ["Dd Player"])],
        [("Division 1", ["Aa Player"]), ("Division 2", ["Cc Player"])],
        [("Division 1", ["Aa Player"]), ("Division 2", ["Dd Player"])],
    ]
    assert [one and one.name for one in adjacent_seasons(second.fresh(), can_direct=False)] == [
        "League 2026",
        "League 2028",
    ]


def test_withdrawn_players_are_proposed_as_leaving():
    league = a_league("abc", "def")
    entry = league.entry("Cc Player")
    withdraw_entry(actor=league.actor, event_id=league.event.pk, entry_id=entry.pk)
    league.next_rounds()
    assert load_season(league.event).withdrawn == frozenset()  # never drawn: in no table
