"""Two at the desk at the same moment, on PostgreSQL: a clock for one match, the same note twice, a note that is written while it is read."""

import pytest

from faults import Conflict
from people.actors import Actor
from people.models import AuditEntry, Presence
from tests.factories import a_director, an_event
from tests.support.director import desk_of, words
from tests.support.races import race
from tournaments.desk.services.notes import set_note_status, write_note
from tournaments.engine.trail.matches import ClockAdded
from tournaments.engine.types import Score
from tournaments.matches.services.rulings import add_clock
from tournaments.models import DeskNote

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
MATCH_READ = 'FROM "tournaments_match" INNER JOIN "tournaments_stage"'
NOTE_READ = 'FROM "tournaments_desknote"'


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


@pytest.mark.parametrize("locks", [False, True])
def test_clock_when_two_put_one_on_at_once_then_one_is_on_and_the_other_hears_so(tournament, locks):
    match = tournament.playable()[0]
    known = {"event_id": tournament.event.pk, "match_id": match.pk, "seen": match.version}
    second = Actor.of(a_director(tournament.club, "Xenia"))
    outcomes = race(
        lambda: add_clock(actor=tournament.actor, **known),
        lambda: add_clock(actor=second, **known, score=Score(3, 2)),
        meet_after=MATCH_READ,
        locks=locks,
    )
    errors = [one.error for one in outcomes if one.error is not None]
    if not locks:  # the race is there, and this sees it
        assert errors == []
        return
    (refused,) = errors
    assert isinstance(refused, Conflict)
    assert refused.code == "match.changed_meanwhile"
    match.refresh_from_db()
    assert (match.version, AuditEntry.objects.filter(action=ClockAdded.kind).count()) == (2, 1)
    assert (match.clock["a"] is None) is (outcomes[0].error is None)


def test_note_when_sent_twice_settled_by_two_and_read_at_once_then_one_and_nobody_misses_it(tournament):
    second = a_director(tournament.club, "Xenia")
    desk, at = desk_of(tournament, second), {"event_id": tournament.event.pk}

    def write():
        return write_note(actor=tournament.actor, **at, text="Table 3 wobbles", submission_key="one")

    first, twice, read = race(write, write, lambda: desk.get("at-desk"), meet_after=NOTE_READ)
    assert first.value == twice.value == DeskNote.objects.get()
    assert read.value.status_code == 200
    assert {row.place for row in Presence.objects.all()} == {"at-desk"}  # written when the page was read
    assert tournament.fresh().notes_version == 1
    # Whichever came first: a page without it is new when it is asked for again.
    again = desk.client.get(desk.url("at-desk"), headers={"If-None-Match": read.value["ETag"]})
    assert "Table 3 wobbles" in words(again if again.status_code == 200 else read.value)
    note = first.value.public_id
    settled = race(
        *(
            lambda actor=actor: set_note_status(actor=actor, **at, note_id=note, done=True)
            for actor in (tournament.actor, Actor.of(second))
        ),
        meet_after=NOTE_READ,
    )
    assert settled[0].value.done_by == settled[1].value.done_by == DeskNote.objects.get().done_by
    assert tournament.fresh().notes_version == 2
