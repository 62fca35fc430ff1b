"""Versions by division: a change raises those of what shows it, and of nothing else."""

import pytest

from people import versions
from people.models import Version
from people.services.players import update_player
from people.versions import versions_of
from tests.factories import a_club, an_event, names
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import MatchAction
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.hall.services.calling import move_match
from tournaments.models import Event, Match, Stage

pytestmark = pytest.mark.django_db


class Seen:
    """What had which number when it was last asked."""

    def __init__(self, *topics):
        self.topics = topics
        self.before = versions_of(topics)

    def news(self):
        """Which of the topics have another number since the last time; numbers only rise."""
        before, self.before = self.before, versions_of(self.topics)
        assert all(now >= was for was, now in zip(before, self.before, strict=True))
        pairs = zip(self.topics, before, self.before, strict=True)
        return {
            topic.kind if topic != self.topics[-1] else "other" for topic, was, now in pairs if now != was
        }


def two_divisions(tables=8):
    """Two divisions of four, both drawn and published; and what of the event has versions, the second division last."""
    tournament = an_event(4, tables=tables).publish()
    own = tournament.stage
    where = {"actor": tournament.actor, "event_id": tournament.event.pk}
    division = add_division(
        **where,
        first_name="First",
        division=DivisionDetails(name="Second", stages=[StageDetails(lengths=[3])]),
    )
    people = [NewEntry(name=f"{name} Second") for name in names(4)]
    add_entries(**where, division_id=division.pk, entries=people)
    stage = Stage.objects.get(division=division)
    draw_stage(**where, stage_id=stage.pk)
    publish_draw(**where, stage_id=stage.pk)
    first = Match.objects.filter(stage=own, status="ready").earliest("pk")
    tournament.settle(first, "a")  # the first result begins the stage, and all pages tell that
    topics = versions.event_topic(tournament.event.pk), versions.outline_topic(tournament.event.pk)
    lists = versions.ALL_EVENTS, versions.NAMES, versions.club_players_topic(tournament.club.pk)
    other = versions.division_topic(division.pk)
    return tournament, own, Seen(*topics, *lists, versions.division_topic(own.division_id), other)


def test_a_result_when_it_stands_then_its_own_division_is_new_and_nothing_else():
    tournament, own, seen = two_divisions()
    tournament.settle(Match.objects.filter(stage=own, status="ready").earliest("pk"), "a")
    assert seen.news() == {"event", "division"}


def test_a_result_when_its_table_goes_to_another_division_then_both_are_new():
    tournament, own, seen = two_divisions(tables=1)
    held = Match.objects.get(stage__division__event=tournament.event, status="ready", table=1)
    assert held.stage_id == own.pk
    tournament.settle(held, "b")
    assert seen.news() == {"event", "division", "other"}


def test_the_last_result_when_a_stage_is_over_with_it_then_all_pages_of_the_event_are_new():
    tournament, own, seen = two_divisions()
    tournament.settle(Match.objects.filter(stage=own, status="ready").earliest("pk"), "a")
    seen.news()
    final = Match.objects.get(stage=own, status="ready")
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=final.pk, action=MatchAction.CALL
    )
    assert seen.news() == {"event", "division"}
    tournament.settle(final, "a")
    assert seen.news() == {"event", "outline", "division"}


def test_an_entry_when_it_is_new_then_lists_and_the_clubs_players_are_new():
    tournament, _own, seen = two_divisions()
    later = add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        first_name="First",
        division=DivisionDetails(name="Third", stages=[StageDetails(lengths=[3])]),
    )
    assert seen.news() == {"event", "outline", "club_events"}
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=later.pk,
        entries=[NewEntry(name="New One")],
    )
    assert seen.news() == {"event", "outline", "club_events", "club_players"}


def test_a_name_when_it_is_put_right_then_names_are_new_and_no_event_is_written():
    tournament, own, seen = two_divisions()
    player = own.division.entries.earliest("pk").entry_players.get().player
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=player.pk, name="Another Name"
    )
    assert seen.news() == {"names"}


def test_topics_when_nothing_happened_yet_then_nought_and_those_of_all_are_sums():
    assert versions_of([]) == ()
    assert versions_of([versions.division_topic(2**40)]) == (0,)
    one, other = an_event(2).publish(), an_event(2, club=a_club()).publish()
    numbers = versions_of(
        [versions.ALL_EVENTS, *map(versions.club_events_topic, (one.club.pk, other.club.pk))]
    )
    assert numbers[0] >= numbers[1] + numbers[2] > numbers[1] > 0


def test_version_rows_when_they_say_something_else_than_the_event_then_it_is_not_sound():
    tournament, _own, _seen = two_divisions()
    assert integrity_faults(tournament.event) == []
    Version.objects.filter(kind="event", of_id=tournament.event.pk).update(number=1)
    assert {fault.check for fault in integrity_faults(tournament.event)} == {"versions"}
    Event.objects.filter(pk=tournament.event.pk).update(version=1)
    assert {fault.check for fault in integrity_faults(tournament.event)} == {"versions"}
