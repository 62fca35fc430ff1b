"""Late entries and buy-backs take byes that are still free."""

from datetime import UTC, datetime

import pytest

from faults import Conflict, Invalid, Missing
from people.models import AuditEntry, Player
from people.services.players import create_player
from tests.factories import an_event
from tests.support.director import desk_of, words
from tests.support.repairs import state_of
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import MatchNo, Side
from tournaments.entries.services.entries import withdraw_entry
from tournaments.hall.services.calling import move_match
from tournaments.matches.services.rulings import award_points
from tournaments.models import Entry, Match, MatchSlot
from tournaments.repairs.services.late_entry import add_late_entry, place_unplaced_entry
from tournaments.repairs.services.undo import undo_repair
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.late import free_lines, late_entry_stages, unplaced_entries
from tournaments.selectors.repairs.undo import last_repair

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """Six entries, so two byes."""
    return an_event(entries=6, lengths=[7]).publish()


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}


def free(tournament):
    return free_lines(load_draw(tournament.stage))


def enter(tournament, place, name="Zoe", **more):
    entry = more.pop("entry", NewEntry(name=name))
    return add_late_entry(**at(tournament), entry=entry, match=place.match.number, side=place.side)


def test_late_entry_when_new_then_it_plays_whoever_had_the_bye(tournament):
    place = free(tournament)[0]
    before = state_of(tournament)
    entry = enter(tournament, place)
    match = Match.objects.get(pk=place.match.pk)
    assert (match.status, match.result_kind) == ("ready", "")
    assert {slot.entry.name for slot in match.slots.all()} == {"Zoe", place.opponent}
    assert MatchSlot.objects.get(entry=entry).by_hand
    told = AuditEntry.objects.latest("pk").data
    assert (told["match"], told["opponent"]) == (match.number, place.opponent)
    assert Match.objects.get(number=place.waits).status == "waiting"
    assert len(free(tournament)) == 1
    undo_repair(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        audit_id=last_repair(tournament.fresh(), tournament.stage).pk,
    )
    after = state_of(tournament)
    assert after["matches"] == before["matches"]
    assert after["slots"] == before["slots"]
    assert Entry.objects.get(pk=entry.pk).status == "withdrawn"


def test_undo_of_a_late_entry_when_the_match_got_a_table_or_points_since_then_the_bye_has_none(tournament):
    match = Match.objects.get(pk=enter_first(tournament))
    assert match.table is not None
    award = Award(Side.A, 2, AwardReason.START)
    award_points(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        award=award,
        seen=match.version,
    )
    undo_repair(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        audit_id=last_repair(tournament.fresh(), tournament.stage).pk,
    )
    match.refresh_from_db()
    assert (match.result_kind, match.table, match.awards, match.start_a) == ("bye", None, [], 0)


def enter_first(tournament):
    """Somebody takes the first free bye; the match in which they play."""
    place = free(tournament)[0]
    enter(tournament, place)
    return place.match.pk


def test_late_entry_when_two_took_all_byes_then_none_is_left_and_the_event_plays_out(tournament):
    enter(tournament, free(tournament)[0], "Zoe")
    enter(tournament, free(tournament)[0], "Zac")
    assert free(tournament) == ()
    assert late_entry_stages(tournament.event) == []
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert len(load_draw(tournament.stage).places()) == 8


def test_late_entry_when_the_other_was_called_to_its_next_match_then_its_bye_is_not_free(tournament):
    first = free(tournament)
    for match in [m for m in tournament.playable() if m.round.number == 1]:
        tournament.settle(match, "a")
    semifinal = Match.objects.get(number=first[0].waits)
    assert semifinal.status == "ready"
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=semifinal.pk, action=MatchAction.CALL
    )
    assert first[0].match.number not in {place.match.number for place in free(tournament)}
    with pytest.raises(Conflict) as refused:
        enter(tournament, first[0])
    assert refused.value.code == "late_entry.taken"
    assert not Entry.objects.filter(name="Zoe").exists()


def test_late_entry_when_taken_or_no_bye_or_known_or_after_the_cut_off_then_refused(tournament):
    place, other = free(tournament)
    enter(tournament, place)
    with pytest.raises(Conflict):
        enter(tournament, place, "Zac")
    ann = tournament.entry("Ann").players.get()
    with pytest.raises(Invalid):
        enter(tournament, other, entry=NewEntry(player_id=ann.pk))
    with pytest.raises(Conflict):
        add_late_entry(**at(tournament), entry=NewEntry(name="Zac"), match=MatchNo(99), side=Side.A)
    division = tournament.division
    division.entries_until = datetime(2020, 1, 1, tzinfo=UTC)
    division.save()
    with pytest.raises(Conflict) as refused:
        enter(tournament, other, "Zac")
    assert refused.value.code == "entry.cut_off"


def test_place_on_bye_when_an_entry_waits_for_a_place_then_it_takes_one_once(tournament):
    entry = Entry.objects.create(division=tournament.division, name="Ann (2)")
    assert unplaced_entries(tournament.stage) == [entry]
    place, other = free(tournament)
    spot = {"match": place.match.number, "side": place.side}
    with pytest.raises(Conflict):
        place_unplaced_entry(**at(tournament), entry_id=entry.pk, **spot, seen="Somebody else")
    place_unplaced_entry(**at(tournament), entry_id=entry.pk, **spot, seen=place.opponent)
    assert unplaced_entries(tournament.stage) == []
    with pytest.raises(Invalid):
        place_unplaced_entry(**at(tournament), entry_id=entry.pk, match=other.match.number, side=other.side)
    with pytest.raises(Missing):
        place_unplaced_entry(**at(tournament), entry_id=10**9, match=other.match.number, side=other.side)


def test_late_entry_when_the_draw_is_not_published_yet_then_it_stands_in_it():
    tournament = an_event(entries=3).draw()
    enter(tournament, free(tournament)[0])
    assert [m.status for m in Match.objects.order_by("number")] == ["ready", "ready", "waiting"]
    assert tournament.fresh().status == "draft"
    tournament.publish()
    tournament.play_out()
    assert tournament.fresh().status == "finished"


def left_out(name="Ann"):
    """Eight are entered, two of them withdraw, and the six others are drawn."""
    tournament = an_event(entries=8, lengths=[7])
    entry = tournament.entry(name)
    for one in (entry, tournament.entry("Bob")):
        withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=one.pk)
    return tournament.publish(), Entry.objects.get(pk=entry.pk)


def test_player_when_left_out_of_the_draw_then_comes_back_with_the_same_entry_and_is_undone_exactly():
    tournament, entry = left_out()
    before, link = state_of(tournament), entry_token(entry)
    player = entry.players.get()
    back = add_late_entry(**at(tournament), entry=NewEntry(player_id=player.pk))
    assert back == entry
    assert (back.status, entry_token(back)) == ("active", link)
    assert MatchSlot.objects.filter(entry=entry).exists()
    assert Entry.objects.filter(entry_players__player=player).count() == 1
    assert Player.objects.filter(name="Ann").count() == 1
    assert integrity_faults(tournament.fresh()) == []
    with pytest.raises(Invalid, match=r"entry\.twice"):
        add_late_entry(**at(tournament), entry=NewEntry(player_id=player.pk))
    undo_repair(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        audit_id=last_repair(tournament.fresh(), tournament.stage).pk,
    )
    assert state_of(tournament) == before
    assert Entry.objects.get(pk=entry.pk).status == "withdrawn"


def test_player_when_drawn_and_withdrawn_since_then_not_drawn_twice():
    tournament = an_event(entries=6, lengths=[7]).publish()
    entry = next(slot.entry for match in tournament.playable() for slot in match.slots.all())
    withdraw_after_draw(actor=tournament.actor, event_id=tournament.event.pk, entry_id=entry.pk)
    lines = MatchSlot.objects.filter(entry=entry).count()
    add_late_entry(
        **at(tournament), entry=NewEntry(player_id=entry.players.get().pk)
    )  # the withdrawal is undone
    assert Entry.objects.get(pk=entry.pk).status == "active"
    assert MatchSlot.objects.filter(entry=entry).count() == lines
    assert integrity_faults(tournament.fresh()) == []


def test_list_of_the_withdrawn_when_the_bracket_is_drawn_then_offers_to_reinstate():
    tournament, entry = left_out()
    desk = desk_of(tournament)
    page = desk.get("entries").content.decode()
    assert f'name="entry" value="{entry.public_id}" aria-label="Reinstate Ann">Reinstate</button>' in page
    answer = desk.post("return", entry=entry.public_id)
    assert "Ann is now in the draw, in match" in words(desk.client.get(answer["Location"]))
    assert Entry.objects.get(pk=entry.pk).status == "active"
    assert "This entry is not withdrawn" in words(desk.post("return", entry=entry.public_id))
    withdraw_after_draw(actor=tournament.actor, event_id=tournament.event.pk, entry_id=entry.pk)
    desk.post("return", entry=tournament.entry("Bob").public_id)  # takes the last line
    refused = desk.post("return", entry=entry.public_id)
    assert "Another repair was made after it. Undo that one first." in words(refused)
    assert desk.post("return", entry="nosuchentry").status_code == 404


@pytest.mark.parametrize("known", [True, False], ids=["known player", "typed name"])
def test_late_entry_sent_twice_when_it_took_the_last_line_then_it_is_called_entered_not_full(known):
    tournament = an_event(entries=7, lengths=[7]).publish()
    player = create_player(actor=tournament.actor, club=tournament.club, name="Zoe") if known else None
    late = NewEntry(player_id=player.pk) if player else NewEntry(name="Zoe", only_if_unknown=True)
    add_late_entry(**at(tournament), entry=late)
    assert not free(tournament)
    with pytest.raises(Invalid, match=r"entry\.twice" if known else r"player\.name_known"):
        add_late_entry(**at(tournament), entry=late)
    with pytest.raises(Conflict, match=r"late_entry\.none_free"):
        add_late_entry(**at(tournament), entry=NewEntry(name="Somebody Else"))
