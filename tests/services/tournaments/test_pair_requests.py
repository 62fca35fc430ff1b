"""What a director arranges before a round of a Swiss is published: pairs and parties kept apart, places changed by hand."""

import pytest

from faults import Conflict, Invalid, Missing
from people.models import AuditEntry
from tests.factories import an_event
from tests.support.rounds import draw_at, names_of, pairs_of, play_to_the_end, publish_next, where
from tournaments.engine.pairing.checker import Criterion
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import EventAction
from tournaments.engine.trail.draws import EntriesSwapped
from tournaments.events.services.events import change_event_status
from tournaments.models import Round
from tournaments.rounds.services.requests import keep_apart, sit_out, swap_entries, undo_swaps
from tournaments.rounds.services.rounds import pair_next_round, publish_round, unpublish_round
from tournaments.selectors.arranged import pairs_apart
from tournaments.selectors.rounds.next import broken_pairing_criteria, next_round

pytestmark = pytest.mark.django_db


def a_swiss(entries, *, rounds=3, **settings):
    return an_event(entries, system="swiss", swiss=SwissSettings(rounds=rounds, **settings), lengths=[5])


def apart(tournament, first, second, strictness):
    return keep_apart(
        **where(tournament),
        first_id=tournament.entry(first).pk,
        second_id=tournament.entry(second).pk,
        strictness=strictness,
    )


def swap(tournament, first, second, seen=None):
    return swap_entries(
        **where(tournament),
        first_id=tournament.entry(first).pk,
        second_id=tournament.entry(second).pk,
        seen=seen or next_round(tournament.stage, draw_at(tournament)).version,
    )


def preview(tournament):
    names = names_of(tournament)
    found = next_round(tournament.stage, draw_at(tournament))
    return {frozenset(names[entry] for entry in pair) for pair in found.pairs}


def test_pair_when_it_must_not_meet_then_it_never_does():
    tournament = a_swiss(4)
    apart(tournament, "Ann", "Bob", "never")
    play_to_the_end(tournament)
    met = {frozenset(pair) for number in (1, 2, 3) for pair in pairs_of(tournament, number)}
    assert frozenset(("Ann", "Bob")) not in met
    assert len(met) < 6  # it cost a rematch


def test_pair_when_the_event_is_called_off_then_nothing_is_arranged():
    tournament = a_swiss(4)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    with pytest.raises(Conflict) as refused:
        apart(tournament, "Ann", "Bob", "never")
    assert refused.value.code == "event.called_off"


def test_pair_when_it_should_not_meet_then_only_where_it_cannot_be_helped():
    tournament = a_swiss(4)
    apart(tournament, "Ann", "Bob", "avoid")
    play_to_the_end(tournament)
    met = [frozenset(pair) for number in (1, 2, 3) for pair in pairs_of(tournament, number)]
    assert met[-2:].count(frozenset(("Ann", "Bob"))) == 1  # in the last round, the only one without a rematch
    assert broken_pairing_criteria(tournament.stage, draw_at(tournament)) == ()


def test_pair_when_it_may_meet_again_then_nothing_is_kept():
    tournament = a_swiss(4)
    apart(tournament, "Bob", "Ann", "never")
    apart(tournament, "Ann", "Bob", "avoid")
    assert pairs_apart(tournament.stage) == {
        (tournament.entry("Ann").pk, tournament.entry("Bob").pk): "avoid"
    }
    apart(tournament, "Ann", "Bob", "ignore")
    assert pairs_apart(tournament.stage) == {}
    assert AuditEntry.objects.filter(action="round.keep_apart").count() == 3


def test_pair_when_odd_then_refused():
    tournament = a_swiss(4)
    for first, second, strictness, code in (
        ("Ann", "Ann", "never", "apart.same_entry"),
        ("Ann", "Bob", "perhaps", "apart.wish_odd"),
    ):
        with pytest.raises(Invalid) as refused:
            apart(tournament, first, second, strictness)
        assert refused.value.code == code
    with pytest.raises(Missing):
        keep_apart(**where(tournament), first_id=tournament.entry("Ann").pk, second_id=0, strictness="never")


@pytest.mark.parametrize("strictness", ["avoid", "never"])
def test_party_when_marked_then_friends_meet_others_first(strictness):
    tournament = a_swiss(4, parties=strictness)
    tournament.division.entries.filter(name__in=["Ann", "Bob"]).update(party="car")
    for seed in range(5):
        pair_next_round(**where(tournament), seed=seed)
        assert frozenset(("Ann", "Bob")) not in preview(tournament)


def test_party_when_all_are_friends_and_never_meet_then_refused_but_clubs_only_avoided_are_not():
    tournament = a_swiss(2, parties="never", clubs="avoid")
    for entry in tournament.division.entries.all():
        entry.players.update(home_club=tournament.club)
    pair_next_round(**where(tournament), seed=1)
    tournament.division.entries.update(party="car")
    with pytest.raises(Invalid) as refused:
        pair_next_round(**where(tournament), seed=1)
    assert refused.value.code == "swiss.no_pairing"


def test_swap_when_made_then_published_as_seen_and_kept_with_the_round():
    tournament = a_swiss(4)
    pair_next_round(**where(tournament), seed=1)
    before = preview(tournament)
    one, other = sorted(before, key=sorted)
    first, second = min(one), min(other)
    after = swap(tournament, first, second)
    assert preview(tournament) == {one - {first} | {second}, other - {second} | {first}}
    assert after.broken == ()  # in the first round every pairing is as good
    assert AuditEntry.objects.latest("pk").action == EntriesSwapped.kind
    publish_round(**where(tournament), seen=after.version)
    assert {frozenset(pair) for pair in pairs_of(tournament, 1)} != before
    assert Round.objects.get(stage=tournament.stage).swaps == [
        [tournament.entry(first).pk, tournament.entry(second).pk]
    ]
    unpublish_round(**where(tournament))
    assert next_round(tournament.stage, draw_at(tournament)).version == after.version
    undo_swaps(**where(tournament))
    assert preview(tournament) == before
    with pytest.raises(Conflict) as refused:
        undo_swaps(**where(tournament))
    assert refused.value.code == "swap.none"


def test_swap_when_it_makes_a_rematch_then_the_preview_and_the_check_say_so():
    tournament = a_swiss(4)
    publish_next(tournament)
    tournament.play_out()
    first_pairs = [set(pair) for pair in pairs_of(tournament, 1)]
    pair_next_round(**where(tournament), seed=2)
    one = set(next(iter(preview(tournament))))
    ann = min(one)
    partner = next(pair - {ann} for pair in first_pairs if ann in pair)
    (moves,) = one - {ann}
    (comes,) = partner
    after = swap(tournament, moves, comes)
    assert Criterion.REMATCH in {broken.criterion for broken in after.broken}
    assert len(after.rematches) == 2
    publish_round(**where(tournament), seen=after.version)
    tournament.play_out()
    assert Criterion.REMATCH in {
        broken.criterion for broken in broken_pairing_criteria(tournament.stage, draw_at(tournament))
    }


def test_swap_when_somebody_has_the_bye_then_the_bye_changes_hands():
    tournament = a_swiss(5)
    pair_next_round(**where(tournament), seed=1)
    names = names_of(tournament)
    found = next_round(tournament.stage, draw_at(tournament))
    playing = names[found.pairs[0][0]]
    after = swap(tournament, playing, names[found.bye])
    assert names[after.bye] == playing
    publish_next(tournament)
    assert (playing, None) in pairs_of(tournament, 1)


def test_swap_when_it_cannot_be_then_refused_and_pairing_again_forgets_it():
    tournament = a_swiss(4)
    with pytest.raises(Conflict) as none_paired:
        swap(tournament, "Ann", "Bob", seen="x")
    assert none_paired.value.code == "round.none_paired"
    pair_next_round(**where(tournament), seed=1)
    pair = sorted(next(iter(preview(tournament))))
    with pytest.raises(Invalid) as meet:
        swap(tournament, *pair)
    assert meet.value.code == "swap.already_meet"
    with pytest.raises(Conflict) as old:
        swap(tournament, "Ann", "Bob", seen="old")
    assert old.value.code == "round.changed"
    one, other = sorted(preview(tournament), key=sorted)
    swap(tournament, min(one), min(other))
    pair_next_round(**where(tournament), seed=1)
    assert preview(tournament) == {one, other}


def test_swap_when_one_of_the_two_sits_out_then_it_falls_away():
    tournament = a_swiss(6)
    pair_next_round(**where(tournament), seed=1)
    one, other = sorted(preview(tournament), key=sorted)[:2]
    swap(tournament, min(one), min(other))
    tournament.division.entries.filter(name=min(one)).update(status="withdrawn")
    found = next_round(tournament.stage, draw_at(tournament))
    assert found.swaps == ()
    assert found.bye is not None


def test_round_when_somebody_sits_it_out_then_they_are_counted_among_those_in_it():
    tournament = a_swiss(6)
    sit_out(**where(tournament), entry_id=tournament.entry("Ann").pk, points=1)
    made = publish_next(tournament)
    assert list(made.rests) == [str(tournament.entry("Ann").pk)]
    assert (made.matches.count(), made.entries_left) == (3, 6)
