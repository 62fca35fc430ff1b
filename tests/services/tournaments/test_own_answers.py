"""Players change what they have filled into the columns of an event's own, from their account."""

from datetime import timedelta

import pytest
from django.utils import timezone

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry, Player
from tests.factories import Tournament, a_user, an_event
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.columns import CustomField, CustomFieldKind
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.answers import set_own_answers
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.columns import set_custom_fields
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import EntryDetail
from tournaments.selectors.columns import custom_field_answers

pytestmark = pytest.mark.django_db


def at(tournament: Tournament) -> dict[str, object]:
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def test_player_changes_own_answers_until_the_time_the_director_has_set(clock):
    tournament = an_event(4, lengths=[3])
    columns = [
        CustomField("Lunch", CustomFieldKind.CHOICE, ("meat", "none"), asked=True),
        CustomField("Clock", CustomFieldKind.TICK, asked=True),
        CustomField("Room"),
    ]
    lunch, ticks, room = set_custom_fields(**at(tournament), columns=columns)
    stage = tournament.stage
    details = DivisionDetails(name="Side", stages=[StageDetails(lengths=[3])])
    side = add_division(**at(tournament), division=details, first_name="Main")
    entry = tournament.entry("Ann")
    ann = entry.players.get()
    ann.user = a_user("Ann")
    ann.save()
    second = add_entry(**at(tournament), division_id=side.pk, entry=NewEntry(player_id=ann.pk))
    me = Actor.of(ann.user)

    def say(seen: str | None = None, actor: Actor = me, **values: str):
        known = {"lunch": lunch.pk, "clock": ticks.pk, "room": room.pk}
        wanted = {known[name]: value for name, value in values.items()}
        seen = custom_field_answers(tournament.event, ann.pk).version if seen is None else seen
        return set_own_answers(actor=actor, public_id=entry.public_id, values=wanted, expected_version=seen)

    seen = custom_field_answers(tournament.event, ann.pk).version
    say(lunch="meat", clock="yes", room="12", seen=seen)
    for one in (entry, second):  # in all their entries, and nothing that directors alone fill
        assert EntryDetail.objects.get(entry=one).extra == {str(lunch.pk): "meat", str(ticks.pk): "yes"}
    row = AuditEntry.objects.filter(action="entry.details").latest("pk")
    assert (row.actor, row.data["fields"], "meat" in str(row.data)) == (ann.user, ["extra"], False)
    for stale in (seen, ""):  # nobody writes over what they have not seen
        with pytest.raises(Conflict, match="answers_changed"):
            say(lunch="none", seen=stale)
    with pytest.raises(Invalid, match="value_odd"):
        say(lunch="fish")
    for stranger in (Actor.of(a_user("Sam")), Actor.with_label("nobody")):
        with pytest.raises(Missing):
            say(actor=stranger, lunch="none")
    draw_stage(**at(tournament), stage_id=stage.pk, seed=1)
    publish_draw(**at(tournament), stage_id=stage.pk)
    with pytest.raises(Conflict, match="answers_closed"):
        say(lunch="none")
    until = timezone.now() + timedelta(hours=1)
    set_custom_fields(**at(tournament), columns=[one.settings for one in (lunch, ticks, room)], until=until)
    assert AuditEntry.objects.filter(action="event.columns").latest("pk").data["until"]
    say(lunch="none", clock="")
    assert EntryDetail.objects.get(entry=second).extra == {str(lunch.pk): "none"}
    clock.moves(hours=2)
    with pytest.raises(Conflict, match="answers_closed"):
        say(lunch="meat")
    assert not integrity_faults(tournament.fresh())


def test_guardian_answers_for_a_minor_and_a_list_fills_what_is_asked(clock):
    tournament = an_event(2, lengths=[3])
    (lunch,) = set_custom_fields(**at(tournament), columns=[CustomField("Lunch", asked=True)])
    guardian = a_user("Gerda Guardian")
    child = Player.objects.create(name="Kim", home_club=tournament.club, minor=True, guardian=guardian)
    child.club_links.create(club=tournament.club)
    wanted = NewEntry(player_id=child.pk, own=((lunch.pk, "soup"),), minor=True)
    entry = add_entry(**at(tournament), division_id=tournament.division.pk, entry=wanted)
    assert EntryDetail.objects.get(entry=entry).extra == {str(lunch.pk): "soup"}
    seen = custom_field_answers(tournament.event, child.pk).version
    set_own_answers(
        actor=Actor.of(guardian), public_id=entry.public_id, values={lunch.pk: ""}, expected_version=seen
    )
    assert EntryDetail.objects.get(entry=entry).extra == {}
