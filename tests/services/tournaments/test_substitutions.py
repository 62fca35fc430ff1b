"""The wrong player was entered: names, links, results and ratings follow, and everything can be taken back."""

from functools import partial

import pytest

from faults import Conflict, Invalid
from people.models import Player
from rating.models import Fact
from tests.factories import an_event
from tests.support.repairs import standing_facts, state_of
from tournaments.engine.new_entry import NewEntry
from tournaments.models import EntryPlayer, Match
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.repairs.substitutions import build_substitution
from tournaments.selectors.repairs.undo import last_repair

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    tournament = an_event(entries=4, lengths=[7]).publish()
    for match in tournament.playable():
        tournament.settle(match, "a")
    return tournament


def player_of(entry):
    return EntryPlayer.objects.get(entry=entry).player


def change(tournament, name, right, **more):
    entry = tournament.entry(name)
    at = {"actor": tournament.actor, "event_id": tournament.event.pk, "entry_id": entry.pk}
    return change_player(**at, wrong_id=player_of(entry).pk, right=right, **more)


def undo(tournament):
    done = last_repair(tournament.fresh(), tournament.stage)
    undo_repair(actor=tournament.actor, event_id=tournament.event.pk, audit_id=done.pk)


def test_change_player_when_new_then_name_link_and_rated_results_follow(tournament):
    winner = tournament.entry_at(Match.objects.get(number=1), "a")
    wrong, links = player_of(winner), winner.link_version
    before = state_of(tournament)
    changed = change(tournament, winner.name, NewEntry(name="Xenia Right"))
    assert (changed.name, changed.link_version) == ("Xenia Right", links + 1)
    assert tournament.entry_at(Match.objects.get(number=3), "a").name == "Xenia Right"
    winners = {row[0] for row in standing_facts()}
    assert player_of(changed).pk in winners
    assert wrong.pk not in winners
    undo(tournament)
    assert state_of(tournament) == before
    assert tournament.entry(winner.name).link_version == links + 2


def test_change_player_when_somebody_takes_over_from_now_on_then_results_stay_rated(tournament):
    winner = tournament.entry_at(Match.objects.get(number=1), "a")
    before = standing_facts()
    change(tournament, winner.name, NewEntry(name="Stan In"), from_now=True)
    assert standing_facts() == before
    tournament.play_out()
    assert (
        Fact.objects.filter(winner__name="Stan In").count()
        + Fact.objects.filter(loser__name="Stan In").count()
        == 1
    )


def test_change_player_when_two_were_mixed_up_then_they_change_places(tournament):
    first, second = (Match.objects.get(number=1), Match.objects.get(number=2))
    a, b = tournament.entry_at(first, "a"), tournament.entry_at(second, "b")
    of_a, of_b, before = player_of(a), player_of(b), state_of(tournament)
    change(tournament, a.name, NewEntry(player_id=of_b.pk))
    a.refresh_from_db()
    b.refresh_from_db()
    assert (player_of(a), player_of(b)) == (of_b, of_a)
    assert (a.name, b.name) == (of_b.name, of_a.name)
    assert {(row[0], row[1]) for row in standing_facts()} == {
        (of_b.pk, player_of(tournament.entry_at(first, "b")).pk),
        (player_of(tournament.entry_at(second, "a")).pk, of_a.pk),
    }
    undo(tournament)
    assert state_of(tournament) == before


def test_change_player_when_the_same_or_nobody_or_not_drawn_or_an_old_preview_then_refused(tournament):
    ann = tournament.entry("Ann")
    with pytest.raises(Invalid):
        change(tournament, "Ann", NewEntry(player_id=player_of(ann).pk))
    with pytest.raises(Invalid):
        change(tournament, "Ann", NewEntry(player_id=10**9))
    with pytest.raises(Invalid):
        change(tournament, "Ann", NewEntry(name="  "))
    seen = build_substitution(ann, player_of(ann), None, "Xenia").version
    tournament.settle(tournament.playable()[0], "a")
    with pytest.raises(Conflict) as refused:
        change(
            tournament,
            tournament.entry_at(Match.objects.get(number=3), "a").name,
            NewEntry(name="Xenia"),
            seen=seen,
        )
    assert refused.value.code == "correction.changed_meanwhile"
    fresh = an_event(entries=2)
    with pytest.raises(Conflict):
        change(fresh, "Ann", NewEntry(name="Xenia"))
    assert not Player.objects.filter(name="Xenia").exists()


def test_undo_when_the_entry_played_on_then_the_player_can_still_be_put_back(tournament):
    entry = tournament.entry_at(Match.objects.get(number=1), "a")
    name = entry.name
    change(tournament, name, NewEntry(name="Xenia"), from_now=True)
    rest = partial(undo, tournament)
    tournament.play_out()
    rest()
    entry.refresh_from_db()
    assert entry.name == name
