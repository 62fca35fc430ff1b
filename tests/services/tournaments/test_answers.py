"""Answers before a match: taken, changed, taken back, read by the desk, and nothing follows by itself."""

from datetime import datetime, timedelta

import pytest
from django.db.models import F

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Player, Version
from tests.factories import Tournament, a_user, an_event
from tests.support.director import desk_of, words
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.matches.answers import LATER_DELAY, ReplyChoice
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.hall.services.calling import call_next, move_match
from tournaments.matches.services.answers import answer_call, dismiss_answer
from tournaments.models import Event, LinkPhone, Match, Notification
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.selectors.events.director import pending_decisions
from tournaments.selectors.hall.board import load_board
from tournaments.selectors.hall.holdups import find_delays
from tournaments.selectors.matches.answers import answers_in_event

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def tournament(clock) -> Tournament:
    return an_event(4, lengths=[5]).publish()


def answers(
    tournament: Tournament,
    match: Match,
    side: str,
    coming: ReplyChoice | None,
    reason: str = "",
    device: str = "",
):
    entry = tournament.entry_at(match, side)
    phone = RequestOrigin(device) if device else NO_ORIGIN
    actor = Actor.with_label(f"link: {entry.name}")
    return answer_call(actor=actor, match_id=match.pk, entry=entry, coming=coming, reason=reason, phone=phone)


def counting(tournament: Tournament) -> list[tuple[str, ReplyChoice]]:
    return [(one.name, one.reply.coming) for one in answers_in_event(tournament.event)]


def test_answer_is_one_row_and_one_line_however_often_it_is_sent(tournament, clock):
    match = tournament.playable()[0]
    ann = tournament.entry_at(match, "a").name
    first = answers(tournament, match, "a", ReplyChoice.LATER)
    version = tournament.fresh().version
    clock.moves(minutes=2)
    again = answers(tournament, match, "a", ReplyChoice.LATER)
    assert (first.pk, first.at) == (again.pk, again.at)
    assert tournament.fresh().version == version
    clock.moves(minutes=3)
    assert answers(tournament, match, "a", ReplyChoice.LATER).reply.by == clock.at + LATER_DELAY
    answers(tournament, match, "a", ReplyChoice.COMING)
    assert counting(tournament) == [(ann, ReplyChoice.COMING)]
    assert answers(tournament, match, "a", None) is None
    assert answers(tournament, match, "a", None) is None
    assert counting(tournament) == []
    rows = AuditEntry.objects.filter(action="match.answer").order_by("pk")
    assert [row.data["coming"] for row in rows] == ["later", "later", "coming", ""]


def test_cannot_play_wants_a_reason_waits_for_the_director_and_nothing_follows(tournament):
    match = tournament.playable()[0]
    with pytest.raises(Invalid):
        answers(tournament, match, "b", ReplyChoice.CANNOT, "   ")
    with pytest.raises(Invalid):
        answers(tournament, match, "b", ReplyChoice.CANNOT, "x" * 141)
    answers(tournament, match, "b", ReplyChoice.CANNOT, "Ill in\nbed")
    bob = tournament.entry_at(match, "b")
    found = find_delays(load_board(tournament.fresh()), tournament.event.created_at)
    assert [(one.name, one.reply.reason) for one in found.cannot] == [(bob.name, "Ill in bed")]
    assert found.count == 1
    assert [row.cannot for row in pending_decisions([tournament.club.pk])] == [1]
    match.refresh_from_db()
    assert (match.status, match.winner_side) == (MatchStatus.READY, "")
    assert "Ill" not in str(AuditEntry.objects.get(action="match.answer").data)
    # A call and a way back leave it standing: the desk says when it has seen to it.
    call_next(actor=tournament.actor, event_id=tournament.event.pk)
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.SEND_BACK
    )
    assert counting(tournament) == [(bob.name, ReplyChoice.CANNOT)]
    with pytest.raises(NotAllowed):
        dismiss_answer(
            actor=Actor.of(a_user("Sly")),
            event_id=tournament.event.pk,
            match_id=match.pk,
            entry_id=bob.public_id,
        )
    for _twice in range(2):
        dismiss_answer(
            actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, entry_id=bob.public_id
        )
    assert counting(tournament) == []
    assert AuditEntry.objects.filter(action="match.set_aside_answer").count() == 1


def test_coming_when_sent_back_or_sat_down_then_asked_anew(tournament, clock):
    match = tournament.playable()[0]
    answers(tournament, match, "a", ReplyChoice.COMING)
    event = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    move_match(**event, action=MatchAction.CALL)
    assert counting(tournament)
    clock.moves(minutes=1)
    move_match(**event, action=MatchAction.SEND_BACK)
    assert counting(tournament) == []
    assert answers(tournament, match, "a", ReplyChoice.COMING).at == clock.at
    move_match(**event, action=MatchAction.START)
    assert counting(tournament) == []
    with pytest.raises(Conflict):
        answers(tournament, match, "a", ReplyChoice.LATER)


def test_answer_when_not_of_this_match_or_from_a_strange_phone_then_refused_and_an_account_may(tournament):
    first, second = tournament.playable()
    with pytest.raises(NotAllowed):
        answer_call(
            actor=tournament.actor,
            match_id=first.pk,
            entry=tournament.entry_at(second, "a"),
            coming=ReplyChoice.COMING,
        )
    answers(tournament, first, "a", ReplyChoice.COMING, device="phone1")
    with pytest.raises(NotAllowed) as refused:
        answers(tournament, first, "a", ReplyChoice.LATER, device="phone2")
    assert refused.value.code == "phone.other"
    user = a_user("Ann")
    entry = tournament.entry_at(first, "a")
    Player.objects.filter(entry_players__entry=entry).update(user=user)
    phone = RequestOrigin("phone2", user.pk)
    answer_call(actor=Actor.of(user), match_id=first.pk, entry=entry, coming=ReplyChoice.LATER, phone=phone)
    assert counting(tournament) == [(entry.name, ReplyChoice.LATER)]
    assert LinkPhone.objects.filter(entry=entry).count() == 2


def test_lateness_counts_from_the_call_or_the_announced_start_whatever_was_answered(tournament, clock):
    opens = clock.at.replace(hour=20, minute=0, second=0, microsecond=0)
    clock.shows(opens - 10 * MINUTE)
    match = tournament.playable()[0]
    Event.objects.filter(pk=tournament.event.pk).update(opens_at=opens.time())
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.CALL
    )
    answers(tournament, match, "a", ReplyChoice.LATER)

    def minutes(at: datetime) -> int:
        (late,) = find_delays(load_board(Event.objects.get(pk=tournament.event.pk)), at).late
        return late.minutes

    assert minutes(opens - MINUTE) <= 0
    assert minutes(opens + 7 * MINUTE) == 7
    Event.objects.filter(pk=tournament.event.pk).update(opens_at=None)
    assert minutes(opens) == 10


def test_desk_reads_how_far_the_notice_of_the_call_came_and_the_page_is_new_each_minute(tournament, clock):
    match = tournament.playable()[0]
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.CALL
    )
    Notification.objects.filter(match=match).update(spread_at=clock.at)  # a worker found no phone of anybody
    desk = desk_of(tournament)
    answers(tournament, match, "a", ReplyChoice.COMING)
    page = desk.get("match", match.public_id)
    assert words(page).count("cannot be notified by phone") == 2
    assert "coming" in words(page)
    held = words(desk.get("holdups"))
    names = [tournament.entry_at(match, side).name for side in "ab"]
    assert f"{names[0]}: coming" in held
    assert f"{names[1]}: cannot be notified by phone" in held
    clock.moves(minutes=1)
    kept = {"If-None-Match": page["ETag"]}
    assert desk.client.get(desk.url("match", match.public_id), headers=kept).status_code == 200


def test_event_when_the_desk_alone_saw_its_last_change_then_it_is_sound(tournament):
    match = tournament.playable()[0]
    answers(tournament, match, "a", ReplyChoice.LATER)
    answers(tournament, match, "b", ReplyChoice.COMING)
    assert integrity_faults(tournament.fresh()) == []
    Version.objects.filter(kind__in=["outline", "division"]).update(number=F("number") - 1)
    assert {fault.check for fault in integrity_faults(tournament.event)} == {"versions"}
