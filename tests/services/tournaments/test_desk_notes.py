"""Notes at the desk: who reads and settles them, what is refused; and what others did while somebody was away."""

from datetime import timedelta

import pytest
from django.utils import timezone

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import Assistance, AuditEntry
from tests.factories import a_director, a_user, an_event
from tournaments.checks.soundness import integrity_faults
from tournaments.desk.services.notes import set_note_status, write_note
from tournaments.engine.desk.hand_over import MAX_OPEN_NOTES
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Side
from tournaments.hall.services.calling import move_match
from tournaments.hall.services.tables import set_table_use
from tournaments.matches.services.rulings import award_points
from tournaments.models import DeskNote
from tournaments.models.trail import audit_scope
from tournaments.selectors.desk_notes import activity_while_away, staff_notes

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(4, lengths=[7]).publish()


@pytest.fixture
def helper(tournament):
    user = a_user("Hal Helper")
    Assistance.objects.create(user=user, club=tournament.club, scope=audit_scope(tournament.event))
    return user


def note(tournament, user, text, key="k", **more):
    return write_note(
        actor=Actor.of(user), event_id=tournament.event.pk, text=text, submission_key=key, **more
    )


def texts(tournament, *, helps=False):
    return [one.text for one in staff_notes(tournament.event, for_assistant=helps)]


def test_note_when_left_then_once_for_its_key_the_desk_s_pages_are_new_and_the_trail_keeps_nothing(
    tournament,
):
    version, rows = tournament.fresh().version, AuditEntry.objects.count()
    first = note(tournament, tournament.director, "  Table 3 wobbles \n\n\n\nAsk Bo ")
    assert note(tournament, tournament.director, "again") == first
    assert texts(tournament) == ["Table 3 wobbles\n\nAsk Bo"]
    now = tournament.fresh()
    assert (now.notes_version, now.version) == (1, version)
    assert AuditEntry.objects.count() == rows
    assert integrity_faults(now) == []


def test_notes_when_for_directors_alone_then_helpers_neither_read_nor_settle_them(tournament, helper):
    hidden = note(tournament, tournament.director, "Cash is in the safe", for_helpers=False)
    theirs = note(tournament, helper, "Coffee is out", key="l", for_helpers=False)
    assert theirs.for_helpers
    assert texts(tournament) == ["Coffee is out", "Cash is in the safe"]
    assert texts(tournament, helps=True) == ["Coffee is out"]
    known = {"actor": Actor.of(helper), "event_id": tournament.event.pk}
    with pytest.raises(Missing):
        set_note_status(**known, note_id=hidden.public_id, done=True)
    assert set_note_status(**known, note_id=theirs.public_id, done=True).done_by == helper


def test_note_when_settled_twice_then_the_first_stays_and_it_can_wait_again(tournament):
    left, second = (
        note(tournament, tournament.director, "Call the landlord"),
        a_director(tournament.club, "Xenia"),
    )
    known = {"event_id": tournament.event.pk, "note_id": left.public_id}
    set_note_status(actor=Actor.of(second), **known, done=True)
    version = tournament.fresh().notes_version
    assert set_note_status(actor=tournament.actor, **known, done=True).done_by == second
    assert tournament.fresh().notes_version == version
    assert set_note_status(actor=tournament.actor, **known, done=False).done_at is None


@pytest.mark.parametrize(("text", "code"), [(" \n ", "desk_note.empty"), ("x" * 501, "desk_note.long")])
def test_note_when_odd_then_refused(tournament, text, code):
    with pytest.raises(Invalid) as refused:
        note(tournament, tournament.director, text)
    assert refused.value.code == code


def test_note_when_a_stranger_writes_or_too_many_wait_then_refused(tournament):
    with pytest.raises(NotAllowed):
        note(tournament, a_user(), "Hello")
    now = timezone.now()
    DeskNote.objects.bulk_create(
        DeskNote(event=tournament.event, text="x", at=now, submission_key=str(n))
        for n in range(MAX_OPEN_NOTES)
    )
    with pytest.raises(Conflict) as refused:
        note(tournament, tournament.director, "Add player")
    assert refused.value.code == "desk_note.many"


def test_away_when_somebody_comes_back_then_what_others_did_at_the_desk_since_their_last_visit(
    tournament, helper
):
    second, match = a_director(tournament.club, "Xenia"), tournament.playable()[0]
    at = {"event_id": tournament.event.pk}
    set_table_use(actor=Actor.of(second), **at, table=9, in_use=False)
    AuditEntry.objects.update(at=timezone.now() - timedelta(hours=1))
    move_match(actor=Actor.of(helper), **at, match_id=match.pk, action=MatchAction.CALL)
    match.refresh_from_db()
    award_points(
        actor=tournament.actor,
        **at,
        match_id=match.pk,
        award=Award(Side.A, 1, AwardReason.START),
        seen=match.version,
    )
    tournament.says(match, "a", 7, 2)
    away = activity_while_away(tournament.event, second, timezone.now(), for_assistant=False)
    assert [row.action for row in away.rows] == ["match.award", "match.call"]
    assert (away.since is not None, away.more) == (True, False)
    fresh = activity_while_away(tournament.event, helper, timezone.now(), for_assistant=True)
    assert fresh.since is None
    assert {row.action.partition(".")[0] for row in fresh.rows} == {"match", "table"}
