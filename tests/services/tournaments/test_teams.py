"""Teams, parties, the cut-off of late entries, and buying back."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from faults import Conflict, Invalid
from people.actors import Actor
from people.messages import describe_all
from people.models import Player
from tests.factories import an_event
from tests.support.rounds import publish_next
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.new_entry import EntryMarks, NewEntry
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import add_entries, add_entry, update_entry, withdraw_entry
from tournaments.entries.services.registration import approve_entries, register_self
from tournaments.events.services.divisions import DivisionDetails, add_division, update_division
from tournaments.events.services.events import set_registration
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.records import full_side_names
from tournaments.models import Entry, Lot, Match, MatchSlot
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.reentry import reenter
from tournaments.repairs.services.reinstating import reinstate
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.access.links import join_token
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.late import free_lines
from tournaments.selectors.rounds.next import next_round

pytestmark = pytest.mark.django_db


def doubles(**more):
    tournament = an_event()
    division = DivisionDetails(team_size=2, **more)
    update_division(**known(tournament), division_id=tournament.division.pk, division=division)
    return tournament


def known(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def enter(tournament, *names, **more):
    lead, *others = (NewEntry(name) for name in names)
    entry = NewEntry(lead.name, None, tuple(others), **more)
    return add_entry(**known(tournament), division_id=tournament.division.pk, entry=entry)


def test_team_when_entered_then_it_is_called_by_its_players_or_by_its_own_name():
    tournament = doubles()
    assert enter(tournament, "Ann Ace", "Bob Berg").name == "Ann Ace & Bob Berg"
    assert enter(tournament, "Cleo Cube", "Dan Dice", team="The  Cubes").name == "The Cubes"
    assert Player.objects.count() == 4


def test_team_when_too_small_or_a_player_is_in_another_one_then_refused_as_a_whole():
    tournament = doubles()
    enter(tournament, "Ann Ace", "Bob Berg")
    ann = Player.objects.get(name="Ann Ace")
    wanted = [
        NewEntry("Cleo Cube"),
        NewEntry("Eva Ek", None, (NewEntry(player_id=ann.pk),)),
        NewEntry("Fay", None, (NewEntry("fay"),)),
    ]
    with pytest.raises(Invalid) as refused:
        add_entries(**known(tournament), division_id=tournament.division.pk, entries=wanted)
    codes = {fault.code for fault in refused.value.faults}
    assert codes == {"entry.team_size", "entry.twice", "entry.name_twice"}
    assert all(describe_all(refused.value))
    assert Player.objects.count() == 2


def test_team_when_a_player_is_exchanged_before_the_draw_then_the_name_follows():
    tournament = doubles()
    team = enter(tournament, "Ann Ace", "Bob Berg")
    ann = Player.objects.get(name="Ann Ace")
    members = [NewEntry(player_id=ann.pk), NewEntry("Cleo Cube")]
    update_entry(**known(tournament), entry_id=team.pk, marks=EntryMarks("Berg car"), members=members)
    team.refresh_from_db()
    assert (team.name, team.party) == ("Ann Ace & Cleo Cube", "Berg car")
    enter(tournament, "Bob Berg junior", "Dan Dice")
    same = [NewEntry(player_id=player.pk) for player in team.players.all()]
    update_entry(**known(tournament), entry_id=team.pk, marks=EntryMarks(), team="Aces", members=same)
    team.refresh_from_db()
    assert (team.name, team.party) == ("Aces", "")


def test_team_when_players_enter_themselves_then_the_partner_is_the_known_one():
    tournament = doubles()
    other = an_event(club=tournament.club, entries=2)
    set_registration(**known(tournament), is_open=True)
    partners = {tournament.division.pk: ["ann"]}
    (entry,) = register_self(
        actor=Actor.with_label("phone"),
        token=join_token(tournament.event),
        entry=NewEntry("Zoe"),
        partners=partners,
    )
    assert entry.name == "Zoe & ann"
    approve_entries(**known(tournament))
    entry.refresh_from_db()
    assert entry.name == "Zoe & Ann"
    assert other.entry("Ann").players.get() in entry.players.all()


def test_player_when_entering_two_divisions_by_link_then_one_player_with_two_entries():
    tournament = an_event()
    more = DivisionDetails(name="Jackpot", stages=[StageDetails(lengths=[3])])
    jackpot = add_division(**known(tournament), division=more, first_name="Open")
    set_registration(**known(tournament), is_open=True)
    token = join_token(tournament.event)
    with pytest.raises(Invalid) as refused:
        register_self(actor=Actor.with_label("phone"), token=token, entry=NewEntry("Zoe"))
    assert refused.value.code == "registration.no_division"
    both = {division.pk: () for division in tournament.event.divisions.all()}
    made = register_self(actor=Actor.with_label("phone"), token=token, entry=NewEntry("Zoe"), partners=both)
    assert [entry.division.name for entry in made] == ["Open", "Jackpot"]
    assert Player.objects.filter(name="Zoe").count() == 1
    assert jackpot.entries.get().source == "self"


def test_cut_off_when_passed_then_nobody_comes_in_or_back_but_everybody_may_leave():
    tournament = an_event(2)
    passed = DivisionDetails(entries_until=timezone.now() - timedelta(minutes=1))
    update_division(**known(tournament), division_id=tournament.division.pk, division=passed)
    with pytest.raises(Conflict) as refused:
        enter(tournament, "Late Lea")
    assert refused.value.code == "entry.cut_off"
    until = timezone.localtime(passed.entries_until, ZoneInfo(tournament.event.timezone))
    for language, pattern in (("en", "Entries closed on {}."), ("de", "{}")):
        with override(language):
            said = pattern.format(date_format(until, "DATETIME_FORMAT"))
            assert said in describe_all(refused.value)[0]
    set_registration(**known(tournament), is_open=True)
    lea = {
        "actor": Actor.with_label("phone"),
        "token": join_token(tournament.event),
        "entry": NewEntry("Lea"),
    }
    with pytest.raises(Conflict):
        register_self(**lea, partners={tournament.division.pk: ()})
    ann = tournament.entry("Ann")
    withdraw_entry(**known(tournament), entry_id=ann.pk)
    with pytest.raises(Conflict) as refused:
        reinstate(**known(tournament), entry_id=ann.pk)
    assert refused.value.code == "entry.cut_off"
    ann.refresh_from_db()
    assert ann.status == "withdrawn"
    update_division(**known(tournament), division_id=tournament.division.pk, division=DivisionDetails())
    reinstate(**known(tournament), entry_id=ann.pk)


def test_cut_off_when_passed_then_who_has_played_in_the_swiss_comes_back_all_the_same():
    tournament = play_swiss_round(4)
    ann = tournament.entry("Ann")
    withdraw_entry(**known(tournament), entry_id=ann.pk)
    passed = DivisionDetails(entries_until=timezone.now() - timedelta(minutes=1))
    update_division(**known(tournament), division_id=tournament.division.pk, division=passed)
    reinstate(**known(tournament), entry_id=ann.pk)
    ann.refresh_from_db()
    assert ann.status == "active"


def play_swiss_round(entries):
    """One round of three is over."""
    tournament = an_event(entries, system="swiss", swiss=SwissSettings(rounds=3), lengths=[1])
    publish_next(tournament)
    tournament.play_out()
    return tournament


def knocked_out(**division):
    """Five entries, so three byes; somebody has lost in the first round."""
    tournament = an_event(5, lengths=[1])
    update_division(
        **known(tournament), division_id=tournament.division.pk, division=DivisionDetails(**division)
    )
    tournament.publish()
    match = tournament.playable()[0]
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    return tournament, loser


def test_buy_back_when_out_then_a_new_entry_takes_a_free_bye_by_lot():
    tournament, loser = knocked_out(reentries=1)
    again = reenter(**known(tournament), entry_id=loser.pk)
    assert (again.name, again.again_of) == (f"{loser.name} (2)", loser)
    assert again.entry_players.get().attempt == 2
    assert list(again.players.all()) == list(loser.players.all())
    assert again.slots.get().by_hand
    assert Lot.objects.get(what="late").by == "server"
    with pytest.raises(Conflict) as twice:
        reenter(**known(tournament), entry_id=loser.pk)
    assert twice.value.code == "buy_back.done"


@pytest.mark.parametrize(
    ("division", "code"),
    [
        ({}, "buy_back.not_offered"),
        ({"reentries": 1, "entries_until": timezone.now() - timedelta(hours=1)}, "entry.cut_off"),
    ],
)
def test_buy_back_when_the_division_does_not_let_then_told_why(division, code):
    tournament, loser = knocked_out(**division)
    with pytest.raises(Conflict) as refused:
        reenter(**known(tournament), entry_id=loser.pk)
    assert refused.value.code == code
    assert Entry.objects.count() == 5


def test_buy_back_when_still_in_then_refused():
    tournament, loser = knocked_out(reentries=1)
    winner = Entry.objects.exclude(pk=loser.pk).first()
    with pytest.raises(Conflict) as refused:
        reenter(**known(tournament), entry_id=winner.pk)
    assert refused.value.code == "buy_back.still_in"


def test_buy_back_when_playing_on_in_the_consolation_then_given_up_unless_called_there():
    flights = (Flight(FlightKind.PROGRESSIVE, (1,), rounds=1),)
    tournament = an_event(6, lengths=[1], bracket=BracketSettings(flights=flights))
    division = DivisionDetails(reentries=1)
    update_division(**known(tournament), division_id=tournament.division.pk, division=division)
    tournament.publish()
    match = tournament.playable()[0]
    loser = tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    assert MatchSlot.objects.filter(entry=loser, match__round__section="consolation").exists()
    below = MatchSlot.objects.filter(entry=loser, match__round__section="consolation")
    there = below.latest("match__number").match
    Match.objects.filter(pk=there.pk).update(status="called")
    with pytest.raises(Conflict) as refused:
        reenter(**known(tournament), entry_id=loser.pk)
    assert refused.value.code == "buy_back.still_in"
    Match.objects.filter(pk=there.pk).update(status=there.status)
    place = free_lines(load_draw(tournament.stage))[0]
    again = reenter(**known(tournament), entry_id=loser.pk, match=place.match.number, side=place.side)
    assert not MatchSlot.objects.filter(entry=loser, match__round__section="consolation").exists()
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    assert {again.pk, loser.pk} <= set(load_draw(tournament.stage).places())


def test_buy_back_when_through_the_consolation_by_a_bye_then_out_of_it_and_nobody_meets_themself():
    """A late entry could take the free bye of the main draw, lose, and drop in against its own player."""
    flights = (Flight(FlightKind.PROGRESSIVE, (1,), rounds=1),)
    tournament = an_event(3, lengths=[1], bracket=BracketSettings(flights=flights))
    division = DivisionDetails(reentries=1)
    update_division(**known(tournament), division_id=tournament.division.pk, division=division)
    tournament.publish()
    match = tournament.playable()[0]
    winner, loser = tournament.entry_at(match, "a"), tournament.entry_at(match, "b")
    tournament.settle(match, "a")
    dropped = MatchSlot.objects.get(entry=loser, match__round__section="consolation").match
    assert (dropped.result_kind, dropped.status) == ("bye", "confirmed")
    again = reenter(**known(tournament), entry_id=loser.pk)
    assert not MatchSlot.objects.filter(entry=loser, match__round__section="consolation").exists()
    assert not integrity_faults(tournament.event)
    second = MatchSlot.objects.get(entry=again).match
    tournament.settle(second, "a" if tournament.entry_at(second, "b") == again else "b")
    assert MatchSlot.objects.get(entry=again, match__round__section="consolation").match.result_kind == "bye"
    right = {"match_id": match.pk, "claim": Claim(0, 1), "submission_key": tournament.key()}
    correct_result(**known(tournament), **right)
    assert MatchSlot.objects.filter(entry=winner, match__round__section="consolation").exists()
    assert not integrity_faults(tournament.event)


def play_round(tournament, stage):
    pair_next_round(**stage)
    preview = next_round(tournament.stage, load_draw(tournament.stage))
    publish_round(**stage, seen=preview.version)


def test_buy_back_when_a_swiss_with_one_life_goes_on_then_it_plays_the_next_round():
    tournament = an_event(6, system="swiss", lengths=[3], swiss=SwissSettings(lives=1))
    update_division(
        **known(tournament), division_id=tournament.division.pk, division=DivisionDetails(reentries=1)
    )
    stage = known(tournament) | {"stage_id": tournament.stage.pk}
    play_round(tournament, stage)
    losers = []
    for match in tournament.playable():
        losers.append(tournament.entry_at(match, "b"))
        tournament.settle(match, "a")
    again = reenter(**known(tournament), entry_id=losers[0].pk)
    play_round(tournament, stage)
    playing = {tournament.entry_at(match, side).pk for match in tournament.playable() for side in "ab"}
    assert again.pk in playing
    assert not playing & {loser.pk for loser in losers}


def test_entry_when_bought_back_then_the_old_one_neither_returns_nor_changes_its_player():
    tournament = an_event(6, system="swiss", lengths=[3])
    update_division(
        **known(tournament), division_id=tournament.division.pk, division=DivisionDetails(reentries=1)
    )
    play_round(tournament, known(tournament) | {"stage_id": tournament.stage.pk})
    for match in tournament.playable():
        tournament.settle(match, "a")
    ann = tournament.entry("Ann")
    withdraw_entry(**known(tournament), entry_id=ann.pk)
    again = reenter(**known(tournament), entry_id=ann.pk)
    with pytest.raises(Conflict) as refused:
        reinstate(**known(tournament), entry_id=ann.pk)
    assert refused.value.code == "entry.bought_back"
    for entry in (ann, again):
        with pytest.raises(Conflict):
            update_entry(
                **known(tournament),
                entry_id=entry.pk,
                marks=EntryMarks(),
                members=[NewEntry("Somebody Else")],
            )


def test_names_of_a_side_when_a_team_plays_then_its_own_comes_before_those_of_its_players():
    tournament = doubles()
    for number in (1, 2):
        partners = (NewEntry(name=f"Ben {number}"),)
        pair = NewEntry(name=f"Ann {number}", partners=partners, team=f"Team {number}")
        add_entry(**known(tournament), division_id=tournament.division.pk, entry=pair)
    match = tournament.publish().playable()[0]
    names = full_side_names(match)
    assert {found[0] for found in names.values()} == {"Team 1", "Team 2"}
    assert all(found[0][-1] == found[1][-1] and len(found) == 3 for found in names.values())
