"""A Swiss through the services: rounds, byes, late entries, drop-outs, corrections, the end."""

import pytest

from faults import Conflict, Invalid
from people.models import AuditEntry
from rating.models import Fact
from tests.factories import an_event
from tournaments.draws.services.draws import draw_stage
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import NewEntry, add_entry, withdraw_entry
from tournaments.hall.services.calling import move_match
from tournaments.models import Match, MatchSlot, Round
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.reinstating import reinstate
from tournaments.rounds.services.requests import sit_out
from tournaments.rounds.services.rounds import (
    discard_pairing,
    end_stage,
    pair_next_round,
    publish_round,
    unpublish_round,
)
from tournaments.selectors.draws import load_draw
from tournaments.selectors.events.detail import places_by_stage
from tournaments.selectors.rounds.next import broken_pairing_criteria, next_round
from tournaments.selectors.standings.tables import standings_table

pytestmark = pytest.mark.django_db


def a_swiss(entries, *, rounds=3, **changes):
    settings = {k: changes.pop(k) for k in list(changes) if k in SwissSettings.__dataclass_fields__}
    return an_event(
        entries, system="swiss", swiss=SwissSettings(rounds=rounds, **settings), **{"lengths": [5], **changes}
    )


def where(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}


def pairs_of(tournament, number):
    """Names by match of one round; None is the bye."""
    matches = Match.objects.filter(stage=tournament.stage, round__number=number).order_by("number")
    return [
        tuple(slot.entry.name if slot.entry else None for slot in match.slots.order_by("side"))
        for match in matches
    ]


def next_one(tournament, seed=1):
    """Pair and publish one round."""
    found = pair_next_round(**where(tournament), seed=seed)
    made = publish_round(**where(tournament), seen=found.version)
    tournament.fresh()
    return made


def table(tournament):
    """Name → (place, half points)."""
    names = dict(tournament.division.entries.values_list("pk", "name"))
    return {
        names[row.entry]: (row.first, row.values["points"])
        for row in standings_table(load_draw(tournament.stage)).rows
    }


def late(tournament, name):
    return add_entry(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entry=NewEntry(name=name),
    )


@pytest.mark.parametrize("entries", [2, 3, 6, 9])
def test_swiss_when_played_to_its_last_round_then_everybody_is_placed_and_it_ends(entries):
    tournament = a_swiss(entries, rounds=3)
    for number in (1, 2, 3):
        assert next_one(tournament, seed=number).number == number
        assert tournament.event.status == "running"
        tournament.play_out()
    assert (tournament.event.status, tournament.stage.status) == ("finished", "finished")
    assert Match.objects.filter(stage=tournament.stage).count() == 3 * ((entries + 1) // 2)
    assert Match.objects.filter(result_kind="bye").count() == 3 * (entries % 2)
    assert list(Match.objects.order_by("number").values_list("number", flat=True)) == list(
        range(1, 1 + Match.objects.count())
    )
    rows = standings_table(load_draw(tournament.stage)).rows
    assert sum(row.values["points"] for row in rows) == 3 * 2 * ((entries + 1) // 2)
    (places,) = places_by_stage([tournament.stage]).values()
    assert len(places) == entries
    assert all(place.settled for place in places.values())


def test_round_when_published_then_its_matches_have_the_free_tables():
    tournament = a_swiss(6, tables=2)
    next_one(tournament)
    matches = Match.objects.filter(stage=tournament.stage).order_by("number")
    assert [match.table for match in matches] == [1, 2, None]


def test_swiss_when_six_play_three_rounds_then_nobody_meets_twice_and_the_check_finds_nothing():
    tournament = a_swiss(6, rounds=3)
    for number in (1, 2, 3):
        next_one(tournament, seed=number)
        tournament.play_out()
    met = [frozenset(pair) for number in (1, 2, 3) for pair in pairs_of(tournament, number)]
    assert len(set(met)) == len(met)
    assert broken_pairing_criteria(tournament.stage, load_draw(tournament.stage)) == ()


def test_bye_when_odd_then_given_once_to_each_and_worth_what_the_director_set():
    tournament = a_swiss(5, rounds=3, bye_points=1)
    resting = []
    for number in (1, 2, 3):
        next_one(tournament, seed=number)
        resting.append(next(a for a, b in pairs_of(tournament, number) if b is None))
        tournament.play_out()
    assert len(set(resting)) == 3
    assert sum(points for _place, points in table(tournament).values()) == 3 * (2 * 2 + 1)
    assert Fact.objects.count() == 6  # the matches played, no byes


def test_pairing_when_not_published_then_nobody_sees_a_match():
    tournament = a_swiss(4)
    first = pair_next_round(**where(tournament), seed=1)
    assert not Match.objects.exists()
    assert tournament.stage.status == "drawn"
    again = pair_next_round(**where(tournament), seed=2)
    assert again.version != first.version
    assert pair_next_round(**where(tournament), seed=1).version == first.version
    discard_pairing(**where(tournament))
    assert (tournament.stage.status, tournament.stage.next_seed) == ("setup", "")
    assert AuditEntry.objects.latest("pk").data["seed"] == "1"
    with pytest.raises(Conflict) as refused:
        publish_round(**where(tournament), seen=first.version)
    assert refused.value.code == "round.none_paired"


def test_publish_when_somebody_entered_meanwhile_then_the_director_looks_again():
    tournament = a_swiss(4)
    next_one(tournament)
    tournament.play_out()
    seen = pair_next_round(**where(tournament), seed=7).version
    late(tournament, "Zoe Late")
    with pytest.raises(Conflict) as refused:
        publish_round(**where(tournament), seen=seen)
    assert refused.value.code == "round.changed"
    preview = next_round(tournament.stage, load_draw(tournament.stage))
    publish_round(**where(tournament), seen=preview.version)
    assert list(Round.objects.values_list("seed", flat=True)) == ["1", "7"]


def test_next_round_when_a_match_is_open_then_refused():
    tournament = a_swiss(4)
    next_one(tournament)
    tournament.settle(tournament.playable()[0], "a")
    with pytest.raises(Conflict) as refused:
        pair_next_round(**where(tournament))
    assert (refused.value.code, refused.value.params["count"]) == ("round.not_over", 1)
    with pytest.raises(Conflict) as refused:
        end_stage(**where(tournament))
    assert refused.value.code == "round.not_over"


def test_late_entry_when_a_round_is_missed_then_worth_what_the_director_set_and_paired_from_now_on():
    tournament = a_swiss(4, late_points=1)
    next_one(tournament)
    tournament.play_out()
    late(tournament, "Zoe Late")
    assert "Zoe Late" not in table(tournament)
    next_one(tournament, seed=2)
    assert "Zoe Late" in {name for pair in pairs_of(tournament, 2) for name in pair}
    tournament.play_out()
    before = {"Zoe Late": 1}
    row = table(tournament)["Zoe Late"]
    assert row[1] in {before["Zoe Late"], before["Zoe Late"] + 2}


def test_drop_out_when_between_rounds_then_not_paired_but_still_in_the_table():
    tournament = a_swiss(5)
    next_one(tournament)
    tournament.play_out()
    entry = tournament.entry("Bob")
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=entry.pk)
    next_one(tournament, seed=2)
    assert "Bob" not in {name for pair in pairs_of(tournament, 2) for name in pair}
    tournament.play_out()
    points = table(tournament)["Bob"][1]
    reinstate(actor=tournament.actor, event_id=tournament.event.pk, entry_id=entry.pk)
    next_one(tournament, seed=3)
    assert "Bob" in {name for pair in pairs_of(tournament, 3) for name in pair}
    tournament.play_out()
    assert table(tournament)["Bob"][1] in {points, points + 2}
    assert tournament.event.status == "finished"


def test_entries_when_the_last_round_is_published_then_too_late():
    tournament = a_swiss(4, rounds=1)
    next_one(tournament)
    with pytest.raises(Conflict) as refused:
        late(tournament, "Zoe Late")
    assert refused.value.code == "entry.too_late"


def test_sit_out_when_asked_then_no_opponent_and_the_points_asked_for():
    tournament = a_swiss(5, rounds=2)
    entry = tournament.entry("Cleo")
    sit_out(**where(tournament), entry_id=entry.pk, points=2)
    sit_out(**where(tournament), entry_id=entry.pk, points=1)
    next_one(tournament)
    assert len(pairs_of(tournament, 1)) == 2
    assert table(tournament)["Cleo"][1] == 1
    assert Round.objects.get().rests == {str(entry.pk): 1}
    tournament.play_out()
    sit_out(**where(tournament), entry_id=entry.pk, points=0)
    sit_out(**where(tournament), entry_id=entry.pk, points=None)
    next_one(tournament, seed=2)
    assert "Cleo" in {name for pair in pairs_of(tournament, 2) for name in pair}
    with pytest.raises(Conflict) as refused:
        sit_out(**where(tournament), entry_id=entry.pk, points=1)
    assert refused.value.code == "round.none_left"
    with pytest.raises(Conflict):
        pair_next_round(**where(tournament))


def test_sit_out_when_worth_more_than_a_win_then_refused():
    tournament = a_swiss(4)
    with pytest.raises(Invalid):
        sit_out(**where(tournament), entry_id=tournament.entry("Ann").pk, points=3)


def test_take_back_when_nothing_has_begun_then_the_preview_is_the_same_again():
    tournament = a_swiss(4)
    next_one(tournament)
    first = pairs_of(tournament, 1)
    unpublish_round(**where(tournament))
    assert (tournament.fresh().status, tournament.stage.status) == ("open", "drawn")
    assert not Match.objects.exists()
    publish_round(**where(tournament), seen=next_round(tournament.stage, load_draw(tournament.stage)).version)
    assert pairs_of(tournament, 1) == first
    match = tournament.playable()[0]
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.CALL
    )
    with pytest.raises(Conflict) as refused:
        unpublish_round(**where(tournament))
    assert refused.value.code == "draw.begun"


def test_correction_when_a_later_round_is_published_then_pairings_stay_and_the_table_changes():
    tournament = a_swiss(4)
    next_one(tournament)
    tournament.play_out()
    next_one(tournament, seed=2)
    later = pairs_of(tournament, 2)
    match = Match.objects.get(stage=tournament.stage, number=1)
    before = table(tournament)
    score = Claim(0, 5) if match.winner_side == "a" else Claim(5, 0)
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=score,
        submission_key="c",
    )
    assert pairs_of(tournament, 2) == later
    a, b = (tournament.entry_at(match, side).name for side in "ab")
    assert (table(tournament)[a][1], table(tournament)[b][1]) == (before[b][1], before[a][1])


def test_results_when_not_played_then_count_as_the_table_of_kinds_says():
    tournament = a_swiss(6, rounds=2)
    next_one(tournament)
    first, second, third = tournament.playable()
    tournament.says(first, None, 0, 0, kind="walkover", winner="b")
    tournament.says(second, None, 0, 0, kind="double_walkover")
    tournament.says(third, None, 3, 2, kind="unfinished")
    points = table(tournament)
    names = [[tournament.entry_at(match, side).name for side in "ab"] for match in (first, second, third)]
    assert [[points[name][1] for name in pair] for pair in names] == [[0, 2], [0, 0], [1, 1]]
    assert Fact.objects.count() == 0


def test_rating_when_a_swiss_match_is_played_then_one_row_in_the_ledger():
    tournament = a_swiss(4)
    next_one(tournament)
    tournament.play_out()
    assert Fact.objects.count() == 2


def test_end_when_a_round_is_left_then_the_director_may_stop_there():
    tournament = a_swiss(4, rounds=5)
    next_one(tournament)
    tournament.play_out()
    end_stage(**where(tournament))
    assert (tournament.fresh().status, tournament.stage.rounds_settled) == ("finished", 1)
    assert AuditEntry.objects.filter(action="round.end").get().data == {"v": 1, "rounds": 1, "planned": 5}


def test_clubs_when_never_to_meet_and_all_are_of_one_then_refused_in_words():
    tournament = a_swiss(4, clubs="never")
    for entry in tournament.division.entries.all():
        entry.players.update(home_club=tournament.club)
    with pytest.raises(Invalid) as refused:
        pair_next_round(**where(tournament))
    assert refused.value.code == "swiss.no_pairing"
    assert tournament.stage.status == "setup"


def test_lengths_when_the_last_round_is_longer_then_only_that_one():
    tournament = a_swiss(4, rounds=3, lengths=[5, 7])
    for number in (1, 2, 3):
        next_one(tournament, seed=number)
        tournament.play_out()
    assert list(Round.objects.order_by("number").values_list("length", flat=True)) == [5, 5, 7]


def test_bracket_services_when_the_stage_is_a_swiss_then_refused():
    tournament = a_swiss(4)
    with pytest.raises(Conflict) as refused:
        draw_stage(**where(tournament))
    assert refused.value.code == "stage.other_system"
    with pytest.raises(Conflict):
        pair_next_round(**where(an_event(4)))


@pytest.mark.parametrize(
    ("odd", "code"),
    [
        ({"rounds": 0}, "swiss.rounds_odd"),
        ({"tie_breaks": ("luck",)}, "tie_break.unknown"),
        ({"tie_breaks": ("buchholz", "buchholz")}, "tie_break.twice"),
        ({"bye_points": 5}, "swiss.points_odd"),
        ({"clubs": "perhaps"}, "swiss.clubs_odd"),
    ],
)
def test_settings_when_odd_then_refused(odd, code):
    with pytest.raises(Invalid) as refused:
        a_swiss(0, **odd)
    assert refused.value.code == code


def test_slots_when_a_round_is_written_then_each_entry_once():
    tournament = a_swiss(7)
    next_one(tournament)
    entries = list(MatchSlot.objects.exclude(entry=None).values_list("entry", flat=True))
    assert len(entries) == len(set(entries)) == 7
