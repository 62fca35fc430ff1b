"""Who is called when, and to which table: never a player who still plays elsewhere in the club."""

import pytest

from faults import Conflict, Invalid, Missing
from people.models import AuditEntry
from tests.factories import Tournament, a_director, an_event
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.hall.services.calling import call_next, move_match, set_table, undo_calls
from tournaments.hall.services.tables import set_table_use
from tournaments.models import Division, EntryPlayer, Match, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.hall.calling import busy_players, engaged_players, ready_matches
from tournaments.selectors.hall.last_action import last_calls_row_id
from tournaments.selectors.hall.waiting import longest_waiting

pytestmark = pytest.mark.django_db


def tables(tournament: Tournament) -> list[int | None]:
    return [match.table for match in tournament.playable()]


def statuses(tournament: Tournament) -> list[str]:
    return [match.status for match in tournament.playable()]


def move(tournament: Tournament, match: Match, action: MatchAction) -> Match:
    return move_match(actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=action)


def call(tournament: Tournament, **how: int) -> list[int]:
    return [match.number for match in call_next(actor=tournament.actor, event_id=tournament.event.pk, **how)]


def refused(tournament: Tournament, **how: int) -> str:
    with pytest.raises(Conflict) as conflict:
        call(tournament, **how)
    return conflict.value.code


def use(tournament: Tournament, table: int, *, in_use: bool) -> None:
    set_table_use(actor=tournament.actor, event_id=tournament.event.pk, table=table, in_use=in_use)


def players(tournament: Tournament, *names: str) -> list[NewEntry]:
    return [
        NewEntry(player_id=EntryPlayer.objects.get(entry=tournament.entry(name)).player_id) for name in names
    ]


def side_event(tournament: Tournament, *names: str, tables: int = 4) -> Tournament:
    """Another event of the club with the same people in it."""
    other = an_event(club=tournament.club, director=tournament.director, tables=tables)
    add_entries(
        actor=other.actor,
        event_id=other.event.pk,
        division_id=other.division.pk,
        entries=players(tournament, *names),
    )
    return other


def wait_in_order(tournament: Tournament) -> bool:
    """Whether the database names those that wait for a table in the order in which the board shows them, also the first two alone."""
    shown = [
        (one.pk, one.division_id, one.people) for one in ready_matches(tournament.event, without_table=True)
    ]
    everybody, two = longest_waiting(tournament.event, 99), longest_waiting(tournament.event, 2)
    assert [one.engaged for one in everybody] == [
        one.people & engaged_players(tournament.event, one.people) for one in everybody
    ]
    return [(one.pk, one.division_id, one.people) for one in everybody] == shown and two == everybody[:2]


def second_division(tournament: Tournament, *names: str) -> Stage:
    """The same event, a second division with the same people, drawn and published."""
    division = Division.objects.create(event=tournament.event, position=2, name="Speedgammon")
    stage = Stage.objects.create(division=division, position=1, lengths=[3])
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=division.pk,
        entries=players(tournament, *names),
    )
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk, seed=1)
    return stage


def test_call_when_another_match_is_next_by_now_then_nothing_is_called() -> None:
    tournament = an_event(4, tables=2).publish()
    first, second = tournament.playable()
    assert refused(tournament, match_id=second.pk) == "call.another_next"
    assert statuses(tournament) == ["ready", "ready"]
    assert call(tournament, match_id=first.pk) == [first.number]


def test_call_next_when_pressed_again_and_again_then_longest_waiting_first_until_nothing_is_left():
    tournament = an_event(8, tables=3).publish()
    assert tables(tournament) == [1, 2, 3, None]
    assert [call(tournament), call(tournament), call(tournament)] == [[1], [2], [3]]
    assert refused(tournament) == "call.no_table"
    tournament.settle(tournament.playable()[1], "a")
    assert tables(tournament) == [1, 3, 2]
    assert call(tournament) == [4]
    assert statuses(tournament) == ["called", "called", "called"]
    assert refused(tournament) == "call.nothing_ready"


def test_call_next_when_everything_is_wanted_then_all_that_have_a_table():
    tournament = an_event(8, tables=3).publish()
    before = tournament.fresh().version
    assert call(tournament, everything=True) == [1, 2, 3]
    assert tournament.fresh().version == before + 1
    row = AuditEntry.objects.filter(action="match.call_next").get()
    assert [called[1:] for called in row.data["matches"]] == [[1, 1], [2, 2], [3, 3]]
    assert tournament.stage.status == "running"


def test_call_next_when_results_come_in_then_who_has_waited_longer_goes_first():
    tournament = an_event(8, tables=1).publish()
    first, second, third, fourth = (match.number for match in tournament.playable())
    for match in reversed(tournament.playable()):
        tournament.settle(match, "a")
    # The lower semifinal has waited longer: its two quarterfinals were the first to end.
    semifinals = [match.number for match in tournament.playable()]
    assert [match.number for match in ready_matches(tournament.event)] == semifinals[::-1]
    assert wait_in_order(tournament)
    assert call(tournament) == [semifinals[1]]
    assert (first, second, third, fourth) == (1, 2, 3, 4)


def test_table_when_a_player_is_busy_in_another_division_then_somebody_else_gets_it():
    tournament = an_event(4, tables=3).publish()
    first, second = tournament.playable()
    move(tournament, first, MatchAction.CALL)
    stage = second_division(
        tournament, tournament.entry_at(first, "a").name, tournament.entry_at(second, "a").name
    )
    publish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk)
    side = Match.objects.get(stage=stage)
    assert (side.status, side.table) == ("ready", None)
    assert wait_in_order(tournament)
    with pytest.raises(Conflict) as conflict:
        move(tournament, side, MatchAction.CALL)
    assert conflict.value.code == "match.player_busy"
    assert conflict.value.params["name"] == tournament.entry_at(first, "a").name
    assert conflict.value.present["status"] == "ready"
    with pytest.raises(Conflict):
        move(tournament, side, MatchAction.START)
    assert call(tournament) == [second.number]
    assert refused(tournament) == "call.all_busy"
    move(tournament, first, MatchAction.SEND_BACK)
    move(tournament, second, MatchAction.SEND_BACK)
    move(tournament, side, MatchAction.CALL)
    # Both other matches wait for one of its players, so no table is kept for them.
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.table, second.table) == (None, None)
    assert refused(tournament) == "call.all_busy"


def test_player_when_called_in_another_event_of_the_club_then_not_called_here():
    tournament = an_event(4, tables=4).publish()
    first, second = tournament.playable()
    other = side_event(
        tournament, tournament.entry_at(first, "a").name, tournament.entry_at(second, "b").name
    )
    move(tournament, first, MatchAction.START)
    other.publish()
    assert tables(other) == [None]
    with pytest.raises(Conflict) as conflict:
        move(other, other.playable()[0], MatchAction.CALL)
    assert conflict.value.code == "match.player_busy_elsewhere"
    assert conflict.value.params["event"] == tournament.event.name
    assert refused(other, everything=True) == "call.all_busy"
    tournament.settle(first, "a")
    assert call(other) == [1]
    assert tables(other) == [1]
    busy = busy_players(
        tournament.event, [p.player_id for p in EntryPlayer.objects.filter(division=tournament.division)]
    )
    assert {where.event_id for where in busy.values()} == {other.event.pk}


def test_player_when_their_match_is_reported_then_busy_as_long_as_it_holds_its_table():
    tournament = an_event(4, tables=4).publish()
    first, second = tournament.playable()
    other = side_event(
        tournament, tournament.entry_at(first, "a").name, tournament.entry_at(second, "b").name
    )
    tournament.says(first, "a", 7, 3)
    other.publish()
    assert refused(other) == "call.all_busy"
    set_table(actor=tournament.actor, event_id=tournament.event.pk, match_id=first.pk, table=None)
    assert call(other) == [1]


def test_player_when_their_team_plays_then_busy_for_their_own_match():
    tournament = an_event(4, tables=4).publish()
    first, second = tournament.playable()
    other = side_event(
        tournament, tournament.entry_at(first, "a").name, tournament.entry_at(second, "b").name
    )
    # Doubles: the second player of the first team is in the other match.
    partner = EntryPlayer.objects.get(entry=tournament.entry_at(second, "a"))
    team = other.entry(tournament.entry_at(first, "a").name)
    EntryPlayer.objects.create(entry=team, player=partner.player, division=other.division, position=2)
    move(tournament, second, MatchAction.CALL)
    other.publish()
    busy = busy_players(other.event, {partner.player_id})
    assert busy[partner.player_id].number == second.number
    with pytest.raises(Conflict) as conflict:
        move(other, other.playable()[0], MatchAction.CALL)
    assert conflict.value.params["name"] in {partner.player.name, tournament.entry_at(second, "b").name}


def test_table_when_kept_for_somebody_who_plays_elsewhere_then_call_next_takes_it():
    tournament = an_event(8, tables=2).publish()
    first, second, third, _fourth = tournament.playable()
    other = side_event(
        tournament, tournament.entry_at(first, "a").name, tournament.entry_at(first, "b").name
    ).publish()
    call(other)
    assert call(tournament, everything=True) == [second.number, third.number]
    assert tables(tournament) == [None, 2, 1, None]
    assert wait_in_order(tournament)


def test_table_when_taken_out_of_use_then_nobody_is_sent_there_and_back_again_later():
    tournament = an_event(8, tables=4).publish()
    first = tournament.playable()[0]
    move(tournament, first, MatchAction.CALL)
    use(tournament, 1, in_use=False)
    use(tournament, 2, in_use=False)
    assert tables(tournament) == [1, None, 3, 4]  # who was called to table 1 stays there
    tournament.settle(first, "a")
    assert tables(tournament) == [None, 3, 4]
    with pytest.raises(Conflict) as conflict:
        set_table(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            match_id=tournament.playable()[0].pk,
            table=1,
        )
    assert conflict.value.code == "table.closed"
    use(tournament, 2, in_use=True)
    assert tables(tournament) == [2, 3, 4]
    assert tournament.fresh().closed_tables == [1]


def test_table_when_the_last_one_or_unknown_then_refused_and_twice_is_once():
    tournament = an_event(4, tables=2).publish()
    use(tournament, 1, in_use=False)
    version = tournament.fresh().version
    use(tournament, 1, in_use=False)
    assert tournament.fresh().version == version
    with pytest.raises(Conflict) as conflict:
        use(tournament, 2, in_use=False)
    assert conflict.value.code == "table.last"
    for odd in (0, 3, -1):
        with pytest.raises(Invalid):
            use(tournament, odd, in_use=False)


def test_call_next_when_the_event_does_not_run_then_refused():
    assert refused(an_event(4)) == "match.not_running"


def test_swiss_round_when_published_later_then_it_has_waited_since_the_round_before():
    tournament = an_event(4, tables=1, system="swiss", lengths=[5])
    for _round in range(2):
        found = pair_next_round(
            actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk, seed=3
        )
        publish_round(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            stage_id=tournament.stage.pk,
            seen=found.version,
        )
        waiting = ready_matches(tournament.event)
        if _round == 0:
            assert {match.since for match in waiting} == {tournament.stage.drawn_at}
            for match in tournament.playable():
                tournament.settle(match, "a")
    last = Match.objects.filter(status="confirmed").order_by("confirmed_at").last()
    assert {match.since for match in waiting} == {last.confirmed_at}
    assert wait_in_order(tournament)


def test_match_when_sent_back_from_its_table_then_those_who_waited_come_first():
    tournament = an_event(8, tables=2).publish()
    assert call(tournament) == [1]
    move(tournament, tournament.playable()[0], MatchAction.SEND_BACK)
    assert [match.number for match in ready_matches(tournament.event)] == [2, 3, 4, 1]
    assert tables(tournament) == [None, 2, 1, None]
    assert [call(tournament), call(tournament)] == [[2], [3]]
    move(tournament, tournament.playable()[1], MatchAction.SEND_BACK)
    assert [match.number for match in ready_matches(tournament.event)] == [4, 1, 2]
    assert call(tournament) == [4]


def test_calls_made_together_when_undone_then_all_that_have_not_moved_on_wait_again():
    tournament = an_event(16, tables=8, lengths=[5]).publish()
    where = {"actor": tournament.actor, "event_id": tournament.event.pk}
    waited = {
        match.pk: (match.number, match.sent_back_at) for match in Match.objects.filter(stage=tournament.stage)
    }
    called = call_next(**where, everything=True)
    assert len(called) == 8
    first, second, third = called[:3]
    move_match(**where, match_id=first.pk, action=MatchAction.START)
    tournament.settle(second, "a")
    move_match(**where, match_id=third.pk, action=MatchAction.SEND_BACK)
    row = last_calls_row_id(tournament.event, tournament.director)
    undone = undo_calls(**where, audit_id=row)
    assert {one.pk for one in undone.kept} == {first.pk, second.pk, third.pk}
    back = Match.objects.filter(pk__in=[match.pk for match in called[3:]])
    assert {(match.status, match.called_at) for match in back} == {(MatchStatus.READY, None)}
    assert {(match.number, match.sent_back_at) for match in back} <= set(waited.values())
    assert Match.objects.get(pk=first.pk).status == MatchStatus.PLAYING
    assert integrity_faults(tournament.fresh()) == []
    for again, code in ((row, "call.undone_already"), (0, "call.unknown")):
        with pytest.raises((Conflict, Missing), match=code):
            undo_calls(**where, audit_id=again)
    with pytest.raises(Conflict, match=r"call\.unknown"):
        last_calls_row_id(tournament.event, tournament.director)
    # Called anew, and all have begun: there is nothing left to undo.
    again = call_next(**where, everything=True)
    for match in again:
        move_match(**where, match_id=match.pk, action=MatchAction.START)
    with pytest.raises(Conflict, match=r"call\.moved_on"):
        undo_calls(**where, audit_id=last_calls_row_id(tournament.event, tournament.director))
    with pytest.raises(Conflict, match=r"call\.unknown"):
        last_calls_row_id(tournament.event, a_director(tournament.club))
