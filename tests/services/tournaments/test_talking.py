"""Two sides write to each other: kept once, limited, read by a director only when a side asks for it, and no further than that."""

import pytest

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import a_user, an_event
from tests.support.arranged import Two, a_league_of_two
from tests.support.notices import a_phone
from tests.support.push import PushService
from tournaments.checks.soundness import integrity_faults
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.leagues.services.talking import write_message
from tournaments.models import Division, MatchMessage, Notification, OfferedTime
from tournaments.notices.services.sending import send_due_deliveries
from tournaments.selectors.access.phones import RequestOrigin
from tournaments.selectors.matches.arrangements import last_messages, match_messages, reported_matches

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(clock) -> Two:
    return Two(a_league_of_two(clock))


def test_message_when_sent_twice_with_a_key_then_once_and_no_change_of_the_event(two):
    version = two.tournament.fresh().version
    first = two.writes("a", " Hi  Bella \r\n\r\n\r\n\u202eFriday?\x00 ", key="k")
    assert two.writes("a", "Another text", key="k") == first
    two.writes("b", "Fine", key="k")
    assert [(one.entry, one.text) for one in match_messages(two.match)] == [
        (two.entry("a").pk, "Hi Bella\n\nFriday?"),
        (two.entry("b").pk, "Fine"),
    ]
    assert last_messages([two.match.pk])[two.match.pk].text == "Fine"
    assert two.tournament.fresh().version == version
    assert not AuditEntry.objects.filter(action__contains="talk").exists()


def test_message_when_empty_long_or_too_many_then_refused_and_the_day_after_taken(two, clock):
    for text, code in (("  \n ", "message.empty"), ("x" * 1001, "message.long")):
        with pytest.raises(Invalid, match=code.replace(".", r"\.")):
            two.writes("a", text)
    for number in range(20):
        two.writes("a", f"{number}")
    with pytest.raises(Invalid, match=r"message\.often"):
        two.writes("a", "once more")
    two.writes("b", "The other side has its own")
    clock.moves(days=1)
    two.writes("a", "once more")


def test_message_when_from_a_strange_phone_or_no_side_or_after_the_result_then_refused(two):
    asked = {"match_id": two.match.pk, "text": "Hi", "submission_key": "k"}
    write_message(**asked, entry=two.entry("a"), phone=RequestOrigin("one"))
    with pytest.raises(NotAllowed, match=r"phone\.other"):
        write_message(**{**asked, "submission_key": "k2"}, entry=two.entry("a"), phone=RequestOrigin("two"))
    two.tournament.settle(two.match, "a", 2)
    with pytest.raises(Conflict, match=r"message\.match_over"):
        two.writes("b", "Well played")


def test_director_reads_what_was_written_until_it_was_reported_and_may_close_and_open(two, clock):
    with pytest.raises(Conflict, match=r"message\.none"):
        two.reports("b")
    two.writes("a", "You coward")
    assert match_messages(two.match, for_director=True) == []
    with pytest.raises(Conflict, match=r"message\.not_reported"):
        two.settles(closed=True)
    version = two.tournament.fresh().version
    two.reports("b")
    two.reports("b")
    assert two.tournament.fresh().version == version + 1
    assert reported_matches(two.tournament.event) == [two.match]
    clock.moves(minutes=1)
    two.writes("b", "For your eyes only")
    assert [one.text for one in match_messages(two.match, for_director=True)] == ["You coward"]
    with pytest.raises(NotAllowed):
        two.settles(closed=True, actor=Actor.of(a_user("Sly")))
    two.settles(closed=True)
    two.settles(closed=True)
    assert reported_matches(two.tournament.event) == []
    with pytest.raises(Conflict, match=r"message\.closed"):
        two.writes("a", "And another thing")
    two.offers("a", "2027-03-05T20:00")  # times go on
    two.settles(closed=False)
    two.writes("a", "Sorry")
    assert AuditEntry.objects.filter(action="match.settle_talk").count() == 2


def test_rows_when_of_somebody_else_then_soundness_says_so(two):
    two.offers("a", "2027-03-05T20:00")
    two.writes("a", "Hi")
    assert integrity_faults(two.tournament.fresh()) == []
    stranger = add_entries(
        actor=two.tournament.actor,
        event_id=an_event(
            0, name="Other", club=two.tournament.club, director=two.tournament.director
        ).event.pk,
        division_id=Division.objects.latest("pk").pk,
        entries=[NewEntry(name="Sly Stranger")],
    )[0]
    MatchMessage.objects.update(entry=stranger)
    assert [fault.check for fault in integrity_faults(two.tournament.fresh())] == ["arrangement"]
    MatchMessage.objects.all().delete()
    OfferedTime.objects.create(
        arrangement=two.row, entry=two.entry("b"), number=2, starts_at=two.row.changed_at
    )
    assert [fault.check for fault in integrity_faults(two.tournament.fresh())] == ["arrangement"]


def test_notice_when_answered_before_it_goes_out_then_dropped_else_told_without_the_text(two):
    service = PushService()
    phones = {side: a_phone(two.entry(side)) for side in ("a", "b")}
    two.writes("a", "Secret place")
    two.writes("b", "Answered at once")
    send_due_deliveries(push_sender=service)
    assert service.read_by(phones["b"]) == []
    (told,) = service.read_by(phones["a"])
    assert two.entry("b").name in told["title"]
    assert "Answered" not in str(told)
    assert Notification.objects.filter(kind="written").count() == 2
