"""Answers before a match: taken, changed, taken back, read by the desk, and nothing follows by itself."""

from datetime import datetime, timedelta

import pytest
from django.db.models import F

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Player, Version
from tests.factories import Night, a_user, an_event
from tests.support.director import desk_of, words
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.matches.answers import LATER_DELAY, ReplyChoice
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.hall.services.calling import call_next, move_match
from tournaments.matches.services.answers import answer_call, dismiss_answer
from tournaments.models import Event, LinkPhone, Match, Notification
from tournaments.selectors.access.phones import NO_PHONE, Phone
from tournaments.selectors.events.director import pending_decisions
from tournaments.selectors.hall.board import load_board
from tournaments.selectors.hall.holdups import find_delays
from tournaments.selectors.matches.answers import answers_in

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def night(clock) -> Night:
    return an_event(4, lengths=[5]).publish()


def answers(
    night: Night, match: Match, side: str, coming: ReplyChoice | None, reason: str = "", device: str = ""
):
    entry = night.entry_at(match, side)
    phone = Phone(device) if device else NO_PHONE
    actor = Actor.named(f"link: {entry.name}")
    return answer_call(actor=actor, match_id=match.pk, entry=entry, coming=coming, reason=reason, phone=phone)


def counting(night: Night) -> list[tuple[str, ReplyChoice]]:
    return [(one.name, one.reply.coming) for one in answers_in(night.event)]


def test_answer_is_one_row_and_one_line_however_often_it_is_sent(night, clock):
    match = night.playable()[0]
    ann = night.entry_at(match, "a").name
    first = answers(night, match, "a", ReplyChoice.LATER)
    version = night.fresh().version
    clock.moves(minutes=2)
    again = answers(night, match, "a", ReplyChoice.LATER)
    assert (first.pk, first.at) == (again.pk, again.at)
    assert night.fresh().version == version
    clock.moves(minutes=3)
    assert answers(night, match, "a", ReplyChoice.LATER).reply.by == clock.at + LATER_DELAY
    answers(night, match, "a", ReplyChoice.COMING)
    assert counting(night) == [(ann, ReplyChoice.COMING)]
    assert answers(night, match, "a", None) is None
    assert answers(night, match, "a", None) is None
    assert counting(night) == []
    rows = AuditEntry.objects.filter(action="match.answer").order_by("pk")
    assert [row.data["coming"] for row in rows] == ["later", "later", "coming", ""]


def test_cannot_play_wants_a_reason_waits_for_the_director_and_nothing_follows(night):
    match = night.playable()[0]
    with pytest.raises(Invalid):
        answers(night, match, "b", ReplyChoice.CANNOT, "   ")
    with pytest.raises(Invalid):
        answers(night, match, "b", ReplyChoice.CANNOT, "x" * 141)
    answers(night, match, "b", ReplyChoice.CANNOT, "Ill in\nbed")
    bob = night.entry_at(match, "b")
    found = find_delays(load_board(night.fresh()), night.event.created_at)
    assert [(one.name, one.reply.reason) for one in found.cannot] == [(bob.name, "Ill in bed")]
    assert found.count == 1
    assert [row.cannot for row in pending_decisions([night.club.pk])] == [1]
    match.refresh_from_db()
    assert (match.status, match.winner_side) == (MatchStatus.READY, "")
    assert "Ill" not in str(AuditEntry.objects.get(action="match.answer").data)
    # A call and a way back leave it standing: the desk says when it has seen to it.
    call_next(actor=night.actor, event_id=night.event.pk)
    move_match(actor=night.actor, event_id=night.event.pk, match_id=match.pk, action=MatchAction.SEND_BACK)
    assert counting(night) == [(bob.name, ReplyChoice.CANNOT)]
    with pytest.raises(NotAllowed):
        dismiss_answer(
            actor=Actor.of(a_user("Sly")), event_id=night.event.pk, match_id=match.pk, entry_id=bob.public_id
        )
    for _twice in range(2):
        dismiss_answer(actor=night.actor, event_id=night.event.pk, match_id=match.pk, entry_id=bob.public_id)
    assert counting(night) == []
    assert AuditEntry.objects.filter(action="match.set_aside_answer").count() == 1


def test_coming_when_sent_back_or_sat_down_then_asked_anew(night, clock):
    match = night.playable()[0]
    answers(night, match, "a", ReplyChoice.COMING)
    event = {"actor": night.actor, "event_id": night.event.pk, "match_id": match.pk}
    move_match(**event, action=MatchAction.CALL)
    assert counting(night)
    clock.moves(minutes=1)
    move_match(**event, action=MatchAction.SEND_BACK)
    assert counting(night) == []
    assert answers(night, match, "a", ReplyChoice.COMING).at == clock.at
    move_match(**event, action=MatchAction.START)
    assert counting(night) == []
    with pytest.raises(Conflict):
        answers(night, match, "a", ReplyChoice.LATER)


def test_answer_when_not_of_this_match_or_from_a_strange_phone_then_refused_and_an_account_may(night):
    first, second = night.playable()
    with pytest.raises(NotAllowed):
        answer_call(
            actor=night.actor,
            match_id=first.pk,
            entry=night.entry_at(second, "a"),
            coming=ReplyChoice.COMING,
        )
    answers(night, first, "a", ReplyChoice.COMING, device="phone1")
    with pytest.raises(NotAllowed) as refused:
        answers(night, first, "a", ReplyChoice.LATER, device="phone2")
    assert refused.value.code == "phone.other"
    user = a_user("Ann")
    entry = night.entry_at(first, "a")
    Player.objects.filter(entry_players__entry=entry).update(user=user)
    phone = Phone("phone2", user.pk)
    answer_call(actor=Actor.of(user), match_id=first.pk, entry=entry, coming=ReplyChoice.LATER, phone=phone)
    assert counting(night) == [(entry.name, ReplyChoice.LATER)]
    assert LinkPhone.objects.filter(entry=entry).count() == 2


def test_lateness_counts_from_the_call_or_the_announced_start_whatever_was_answered(night, clock):
    opens = clock.at.replace(hour=20, minute=0, second=0, microsecond=0)
    clock.shows(opens - 10 * MINUTE)
    match = night.playable()[0]
    Event.objects.filter(pk=night.event.pk).update(opens_at=opens.time())
    move_match(actor=night.actor, event_id=night.event.pk, match_id=match.pk, action=MatchAction.CALL)
    answers(night, match, "a", ReplyChoice.LATER)

    def minutes(at: datetime) -> int:
        (late,) = find_delays(load_board(Event.objects.get(pk=night.event.pk)), at).late
        return late.minutes

    assert minutes(opens - MINUTE) <= 0
    assert minutes(opens + 7 * MINUTE) == 7
    Event.objects.filter(pk=night.event.pk).update(opens_at=None)
    assert minutes(opens) == 10


def test_desk_reads_how_far_the_notice_of_the_call_came_and_the_page_is_new_each_minute(night, clock):
    match = night.playable()[0]
    move_match(actor=night.actor, event_id=night.event.pk, match_id=match.pk, action=MatchAction.CALL)
    Notification.objects.filter(match=match).update(spread_at=clock.at)  # a worker found no phone of anybody
    desk = desk_of(night)
    answers(night, match, "a", ReplyChoice.COMING)
    page = desk.get("match", match.public_id)
    assert words(page).count("cannot be notified by phone") == 2
    assert "coming" in words(page)
    held = words(desk.get("holdups"))
    names = [night.entry_at(match, side).name for side in "ab"]
    assert f"{names[0]}: coming" in held
    assert f"{names[1]}: cannot be notified by phone" in held
    clock.moves(minutes=1)
    kept = {"If-None-Match": page["ETag"]}
    assert desk.client.get(desk.url("match", match.public_id), headers=kept).status_code == 200


def test_event_when_the_desk_alone_saw_its_last_change_then_it_is_sound(night):
    match = night.playable()[0]
    answers(night, match, "a", ReplyChoice.LATER)
    answers(night, match, "b", ReplyChoice.COMING)
    assert integrity_faults(night.fresh()) == []
    Version.objects.filter(kind__in=["outline", "division"]).update(number=F("number") - 1)
    assert {fault.check for fault in integrity_faults(night.event)} == {"versions"}
