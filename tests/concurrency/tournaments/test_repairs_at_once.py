"""Repairs by two at once on PostgreSQL, and beside what players do: one outcome, nothing half-done."""

import pytest

from faults import Conflict
from rating.models import Fact, FactKind
from tests.factories import an_event
from tests.support.races import race
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.brackets.progression import advance
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.types import Claim
from tournaments.models import Match, Report
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.undo import undo_repair
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.repairs.late import free_lines
from tournaments.selectors.repairs.undo import last_repair

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

# Every service reads the event first: with FOR UPDATE that is the lock, without it both threads read on.
EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'
# A repair reads what was said about the stage's matches after it has judged the preview: the last point to think the same.
REPORTS_READ = '"tournaments_report"."state" IN'


@pytest.fixture
def tournament():
    tournament = an_event(entries=4, lengths=[7], tables=2).publish()
    for match in tournament.playable():
        tournament.settle(match, "a")
    return tournament


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def first():
    return Match.objects.select_related("stage").get(number=1)


def correct(tournament, key, *claim, **more):
    return lambda: correct_result(
        **at(tournament), match_id=first().pk, claim=Claim(*claim), submission_key=key, **more
    )


def hangs_together(tournament):
    draw = load_draw(tournament.stage)
    states = advance(draw.bracket(), draw.outcomes(), draw.entries_placed_by_hand()).matches
    for match in draw.matches:
        state = states[match.number]
        assert [side.entry_id for side in match.sides] == [state.a.entry, state.b.entry]
    rated = sum(match.result_kind == "played" for match in draw.matches)
    assert Fact.objects.filter(later__isnull=True).exclude(kind=FactKind.VOID).count() == rated
    for match in Match.objects.filter(status="confirmed"):
        assert Report.objects.filter(match=match, state="confirmed").count() == 1


def errors(outcomes):
    return sorted(type(outcome.error).__name__ for outcome in outcomes)


def two_corrections(tournament, *, locks):
    one, two = (correction_preview(first(), claim).version for claim in (Claim(3, 7), Claim(7, 6)))
    return race(
        correct(tournament, "one", 3, 7, seen=one),
        correct(tournament, "two", 7, 6, seen=two),
        meet_after=REPORTS_READ,
        locks=locks,
    )


def test_two_corrections_when_there_is_no_lock_then_the_race_is_seen(tournament):
    outcomes = two_corrections(tournament, locks=False)
    # Both have judged the same preview: nobody is told, and what saves the event is a constraint or a deadlock.
    codes = [outcome.error.code for outcome in outcomes if isinstance(outcome.error, Conflict)]
    assert "correction.changed_meanwhile" not in codes


def test_two_corrections_when_at_once_then_the_second_is_told_and_one_stands(tournament):
    outcomes = two_corrections(tournament, locks=True)
    assert errors(outcomes) == ["Conflict", "NoneType"]
    assert next(o.error for o in outcomes if o.error).code == "correction.changed_meanwhile"
    assert Report.objects.filter(match=first()).count() == 2
    hangs_together(tournament)


def test_correction_when_a_player_reports_the_later_match_then_nothing_is_half_done(tournament):
    final = Match.objects.get(number=3)
    preview = correction_preview(first(), Claim(3, 7))
    outcomes = race(
        correct(tournament, "fix", 3, 7, repair=Repair.REPLACE, seen=preview.version),
        lambda: tournament.says(final, "a", 7, 2, key="mine"),
        meet_after=EVENT_READ,
    )
    final.refresh_from_db()
    winner = tournament.entry_at(first(), first().winner_side)
    if outcomes[0].error is None and outcomes[1].error is None:
        # The report came second: by whoever stood there then. Or first: and it was set aside.
        assert final.status in {"ready", "reported"}
    elif outcomes[0].error is not None:
        assert isinstance(outcomes[0].error, Conflict)
        assert outcomes[0].error.code == "correction.changed_meanwhile"
        assert final.status == "reported"
    else:
        assert final.status == "ready"
    assert tournament.entry_at(final, "a") == winner
    if final.status == "ready":
        assert not Report.objects.filter(match=final, state="open").exists()
    hangs_together(tournament)


def test_correction_and_the_result_of_the_later_match_when_at_once_then_the_preview_is_old_or_the_result_is(
    tournament,
):
    final = Match.objects.get(number=3)
    preview = correction_preview(first(), Claim(3, 7))
    outcomes = race(
        correct(tournament, "fix", 3, 7, seen=preview.version),
        lambda: tournament.says(final, None, 7, 2, key="result"),
        meet_after=EVENT_READ,
    )
    if outcomes[0].error is not None:
        assert isinstance(outcomes[0].error, Conflict)
        assert first().winner_side == "a"
    else:
        assert first().winner_side == "b"
    hangs_together(tournament)


def test_two_late_entries_when_they_want_the_same_bye_then_one_has_it():
    tournament = an_event(entries=3, lengths=[7]).publish()
    (place,) = free_lines(load_draw(tournament.stage))

    def enter(name):
        return lambda: add_late_entry(
            **at(tournament),
            stage_id=tournament.stage.pk,
            entry=NewEntry(name=name),
            match=place.match.number,
            side=place.side,
        )

    outcomes = race(enter("Zoe"), enter("Zac"), meet_after=EVENT_READ)
    assert errors(outcomes) == ["Conflict", "NoneType"]
    assert tournament.division.entries.count() == 4
    hangs_together(tournament)


def test_undo_when_pressed_twice_at_once_then_done_once(tournament):
    correct(tournament, "fix", 3, 7)()
    done = last_repair(tournament.fresh(), tournament.stage)
    undo = lambda: undo_repair(**at(tournament), audit_id=done.pk)  # noqa: E731 (a job of the race)
    outcomes = race(undo, undo, meet_after=EVENT_READ)
    assert errors(outcomes) == ["Conflict", "NoneType"]
    assert (first().winner_side, tournament.entry_at(Match.objects.get(number=3), "a")) == (
        "a",
        tournament.entry_at(first(), "a"),
    )
    hangs_together(tournament)


def test_withdrawal_when_the_opponent_reports_at_the_same_moment_then_one_result(tournament):
    final = Match.objects.get(number=3)
    leaver = tournament.entry_at(final, "a")
    outcomes = race(
        lambda: withdraw_after_draw(**at(tournament), entry_id=leaver.pk),
        lambda: tournament.says(final, None, 2, 7, key="result"),
        meet_after=EVENT_READ,
    )
    final.refresh_from_db()
    assert final.status == "confirmed"
    assert final.winner_side == "b"
    assert len([o for o in outcomes if o.error is None]) >= 1
    hangs_together(tournament)
