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


def apart(night, first, second, strictness):
    return keep_apart(
        **where(night),
        first_id=night.entry(first).pk,
        second_id=night.entry(second).pk,
        strictness=strictness,
    )


def swap(night, first, second, seen=None):
    return swap_entries(
        **where(night),
        first_id=night.entry(first).pk,
        second_id=night.entry(second).pk,
        seen=seen or next_round(night.stage, draw_at(night)).version,
    )


def preview(night):
    names = names_of(night)
    found = next_round(night.stage, draw_at(night))
    return {frozenset(names[entry] for entry in pair) for pair in found.pairs}


def test_pair_when_it_must_not_meet_then_it_never_does():
    night = a_swiss(4)
    apart(night, "Ann", "Bob", "never")
    play_to_the_end(night)
    met = {frozenset(pair) for number in (1, 2, 3) for pair in pairs_of(night, number)}
    assert frozenset(("Ann", "Bob")) not in met
    assert len(met) < 6  # it cost a rematch


def test_pair_when_the_event_is_called_off_then_nothing_is_arranged():
    night = a_swiss(4)
    change_event_status(actor=night.actor, event_id=night.event.pk, action=EventAction.CANCEL)
    with pytest.raises(Conflict) as refused:
        apart(night, "Ann", "Bob", "never")
    assert refused.value.code == "event.called_off"


def test_pair_when_it_should_not_meet_then_only_where_it_cannot_be_helped():
    night = a_swiss(4)
    apart(night, "Ann", "Bob", "avoid")
    play_to_the_end(night)
    met = [frozenset(pair) for number in (1, 2, 3) for pair in pairs_of(night, number)]
    assert met[-2:].count(frozenset(("Ann", "Bob"))) == 1  # in the last round, the only one without a rematch
    assert broken_pairing_criteria(night.stage, draw_at(night)) == ()


def test_pair_when_it_may_meet_again_then_nothing_is_kept():
    night = a_swiss(4)
    apart(night, "Bob", "Ann", "never")
    apart(night, "Ann", "Bob", "avoid")
    assert pairs_apart(night.stage) == {(night.entry("Ann").pk, night.entry("Bob").pk): "avoid"}
    apart(night, "Ann", "Bob", "ignore")
    assert pairs_apart(night.stage) == {}
    assert AuditEntry.objects.filter(action="round.keep_apart").count() == 3


def test_pair_when_odd_then_refused():
    night = a_swiss(4)
    for first, second, strictness, code in (
        ("Ann", "Ann", "never", "apart.same_entry"),
        ("Ann", "Bob", "perhaps", "apart.wish_odd"),
    ):
        with pytest.raises(Invalid) as refused:
            apart(night, first, second, strictness)
        assert refused.value.code == code
    with pytest.raises(Missing):
        keep_apart(**where(night), first_id=night.entry("Ann").pk, second_id=0, strictness="never")


@pytest.mark.parametrize("strictness", ["avoid", "never"])
def test_party_when_marked_then_friends_meet_others_first(strictness):
    night = a_swiss(4, parties=strictness)
    night.division.entries.filter(name__in=["Ann", "Bob"]).update(party="car")
    for seed in range(5):
        pair_next_round(**where(night), seed=seed)
        assert frozenset(("Ann", "Bob")) not in preview(night)


def test_party_when_all_are_friends_and_never_meet_then_refused_but_clubs_only_avoided_are_not():
    night = a_swiss(2, parties="never", clubs="avoid")
    for entry in night.division.entries.all():
        entry.players.update(home_club=night.club)
    pair_next_round(**where(night), seed=1)
    night.division.entries.update(party="car")
    with pytest.raises(Invalid) as refused:
        pair_next_round(**where(night), seed=1)
    assert refused.value.code == "swiss.no_pairing"


def test_swap_when_made_then_published_as_seen_and_kept_with_the_round():
    night = a_swiss(4)
    pair_next_round(**where(night), seed=1)
    before = preview(night)
    one, other = sorted(before, key=sorted)
    first, second = min(one), min(other)
    after = swap(night, first, second)
    assert preview(night) == {one - {first} | {second}, other - {second} | {first}}
    assert after.broken == ()  # in the first round every pairing is as good
    assert AuditEntry.objects.latest("pk").action == EntriesSwapped.kind
    publish_round(**where(night), seen=after.version)
    assert {frozenset(pair) for pair in pairs_of(night, 1)} != before
    assert Round.objects.get(stage=night.stage).swaps == [[night.entry(first).pk, night.entry(second).pk]]
    unpublish_round(**where(night))
    assert next_round(night.stage, draw_at(night)).version == after.version
    undo_swaps(**where(night))
    assert preview(night) == before
    with pytest.raises(Conflict) as refused:
        undo_swaps(**where(night))
    assert refused.value.code == "swap.none"


def test_swap_when_it_makes_a_rematch_then_the_preview_and_the_check_say_so():
    night = a_swiss(4)
    publish_next(night)
    night.play_out()
    first_pairs = [set(pair) for pair in pairs_of(night, 1)]
    pair_next_round(**where(night), seed=2)
    one = set(next(iter(preview(night))))
    ann = min(one)
    partner = next(pair - {ann} for pair in first_pairs if ann in pair)
    (moves,) = one - {ann}
    (comes,) = partner
    after = swap(night, moves, comes)
    assert Criterion.REMATCH in {broken.criterion for broken in after.broken}
    assert len(after.rematches) == 2
    publish_round(**where(night), seen=after.version)
    night.play_out()
    assert Criterion.REMATCH in {
        broken.criterion for broken in broken_pairing_criteria(night.stage, draw_at(night))
    }


def test_swap_when_somebody_has_the_bye_then_the_bye_changes_hands():
    night = a_swiss(5)
    pair_next_round(**where(night), seed=1)
    names = names_of(night)
    found = next_round(night.stage, draw_at(night))
    playing = names[found.pairs[0][0]]
    after = swap(night, playing, names[found.bye])
    assert names[after.bye] == playing
    publish_next(night)
    assert (playing, None) in pairs_of(night, 1)


def test_swap_when_it_cannot_be_then_refused_and_pairing_again_forgets_it():
    night = a_swiss(4)
    with pytest.raises(Conflict) as none_paired:
        swap(night, "Ann", "Bob", seen="x")
    assert none_paired.value.code == "round.none_paired"
    pair_next_round(**where(night), seed=1)
    pair = sorted(next(iter(preview(night))))
    with pytest.raises(Invalid) as meet:
        swap(night, *pair)
    assert meet.value.code == "swap.already_meet"
    with pytest.raises(Conflict) as old:
        swap(night, "Ann", "Bob", seen="old")
    assert old.value.code == "round.changed"
    one, other = sorted(preview(night), key=sorted)
    swap(night, min(one), min(other))
    pair_next_round(**where(night), seed=1)
    assert preview(night) == {one, other}


def test_swap_when_one_of_the_two_sits_out_then_it_falls_away():
    night = a_swiss(6)
    pair_next_round(**where(night), seed=1)
    one, other = sorted(preview(night), key=sorted)[:2]
    swap(night, min(one), min(other))
    night.division.entries.filter(name=min(one)).update(status="withdrawn")
    found = next_round(night.stage, draw_at(night))
    assert found.swaps == ()
    assert found.bye is not None


def test_round_when_somebody_sits_it_out_then_they_are_counted_among_those_in_it():
    night = a_swiss(6)
    sit_out(**where(night), entry_id=night.entry("Ann").pk, points=1)
    made = publish_next(night)
    assert list(made.rests) == [str(night.entry("Ann").pk)]
    assert (made.matches.count(), made.entries_left) == (3, 6)
