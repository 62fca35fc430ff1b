"""The simulation plays through the services: the same seed plays the same event."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from people.models import Club, Player, User
from tournaments.models import Event, Match, MatchSlot
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import broken_pairing_criteria
from tournaments.selectors.standings.tables import standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns]


def simulate(*arguments):
    out = StringIO()
    call_command("simulate_event", *arguments, stdout=out)
    return out.getvalue()


def what_happened(event):
    return list(
        MatchSlot.objects.filter(match__stage__division__event=event)
        .order_by("match__number", "side")
        .values_list("entry__name", "match__score_a", "match__score_b", "match__result_kind")
    )


def test_simulate_event_when_the_seed_is_the_same_then_the_same_event():
    for _ in range(2):
        assert "finished" in simulate("--entries", "11", "--seed", "5")
    simulate("--entries", "11", "--seed", "6")
    first, second, other = Event.objects.order_by("pk")
    assert what_happened(first) == what_happened(second) != what_happened(other)
    assert {event.status for event in (first, second, other)} == {"finished"}
    assert not Match.objects.exclude(status="confirmed").exists()
    assert Club.objects.count() == 1


def test_simulate_event_when_a_swiss_then_every_round_is_played_and_the_table_names_the_winner():
    said = simulate("--entries", "9", "--seed", "3", "--system", "swiss", "--lengths", "3")
    event = Event.objects.get()
    assert event.status == "finished"
    assert set(Match.objects.values_list("round__number", flat=True)) == {1, 2, 3, 4, 5}
    stage = event.divisions.get().stages.get()
    draw = load_draw(stage)
    assert broken_pairing_criteria(stage, draw) == ()
    first = standings_table(draw).rows[0]
    assert event.divisions.get().entries.get(pk=first.entry).name in said


@pytest.mark.parametrize(("system", "rounds"), [("round_robin", 5), ("double_round_robin", 10)])
def test_simulate_event_when_a_round_robin_then_every_round_is_played(system, rounds):
    assert "finished" in simulate("--entries", "6", "--system", system, "--lengths", "3")
    assert set(Match.objects.values_list("round__number", flat=True)) == set(range(1, rounds + 1))


@pytest.mark.parametrize(
    "arguments", [["--entries", "1"], ["--entries", "2000"], ["--lengths", "5,x"], ["--lengths", "0"]]
)
def test_simulate_event_when_asked_for_nonsense_then_told_and_no_event(arguments):
    with pytest.raises(CommandError):
        simulate(*arguments)
    assert not Event.objects.exists()


def test_seed_demo_when_there_is_data_then_nothing_is_touched():
    User.objects.create_user("somebody@example.org", "a-long-password")
    call_command("seed_demo", "--if-empty", stdout=StringIO())
    assert not Club.objects.exists()
    assert not Player.objects.exists()
