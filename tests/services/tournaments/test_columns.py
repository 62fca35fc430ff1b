"""Columns of an event's own: set whole, filled by directors and by players, copied with the event, gone with what stood in them."""

from datetime import timedelta

import pytest

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from tests.factories import Tournament, an_event
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.columns import CustomField, CustomFieldKind
from tournaments.engine.matrix import CUSTOM_FIELD_PREFIX, Cell, CellChange
from tournaments.engine.new_entry import EntryDetails, NewEntry
from tournaments.entries.services.registration import register_self
from tournaments.events.services.columns import set_custom_fields
from tournaments.events.services.events import set_registration
from tournaments.matrix.services.saving import save_players_table
from tournaments.models import EntryDetail, EventColumn
from tournaments.selectors.access.links import join_token
from tournaments.selectors.columns import custom_fields_version
from tournaments.selectors.matrix import load_players_table
from tournaments.series.services.copying import copy_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
LUNCH = CustomField("Lunch", CustomFieldKind.CHOICE, ("meat", "none"), asked=True)
BOARD = CustomField("Board", CustomFieldKind.TICK, asked=True, printed=True)
ROOM = CustomField("Room")


@pytest.fixture
def tournament() -> Tournament:
    return an_event(2)


def at(tournament: Tournament) -> dict[str, object]:
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def extra(tournament: Tournament, name: str) -> dict[str, str]:
    return EntryDetail.objects.get(entry__division__event=tournament.event, player__name=name).extra


def test_columns_are_filled_in_the_matrix_and_a_stale_one_is_refused(tournament):
    lunch, board, room = set_custom_fields(**at(tournament), columns=[LUNCH, BOARD, ROOM])
    ann = tournament.entry("Ann").players.get().public_id

    def fill(column: EventColumn, seen: str, wanted: str):
        return save_players_table(
            **at(tournament),
            changes=[CellChange(Cell(ann, f"{CUSTOM_FIELD_PREFIX}{column.pk}"), seen, wanted)],
        )

    fill(lunch, "", "meat")
    fill(board, "", "yes")
    fill(room, "", " 12   b ")
    assert extra(tournament, "Ann") == {str(lunch.pk): "meat", str(board.pk): "yes", str(room.pk): "12 b"}
    fill(board, "yes", "")
    assert str(board.pk) not in extra(tournament, "Ann")
    with pytest.raises(Conflict, match=r"matrix\.stale"):
        fill(lunch, "", "none")
    with pytest.raises(Invalid, match=r"column\.value_odd"):
        fill(lunch, "meat", "fish")
    assert (
        load_players_table(tournament.event).cells()[Cell(ann, f"{CUSTOM_FIELD_PREFIX}{lunch.pk}")] == "meat"
    )
    assert not integrity_faults(tournament.fresh())


def test_columns_hold_nothing_that_turns_a_line_or_cannot_be_seen(tournament):
    (room,) = set_custom_fields(**at(tournament), columns=[CustomField("Ro\u202eom\x07")])
    ann = tournament.entry("Ann").players.get().public_id
    save_players_table(
        **at(tournament),
        changes=[CellChange(Cell(ann, f"{CUSTOM_FIELD_PREFIX}{room.pk}"), "", "\u202e12 \x1b[2J b\u0301")],
    )
    assert room.name == "Room"
    assert extra(tournament, "Ann") == {str(room.pk): "12 [2J b\u0301"}


def test_players_fill_what_is_asked_of_them_and_nothing_else(tournament):
    lunch, board, room = set_custom_fields(**at(tournament), columns=[LUNCH, BOARD, ROOM])
    set_registration(**at(tournament), is_open=True)

    def register(name: str, values: dict[int, str]):
        entry = NewEntry(name, details=EntryDetails(hall=True))
        token = join_token(tournament.fresh())
        return register_self(actor=Actor.with_label("registration"), token=token, entry=entry, extra=values)

    register("Zoe", {lunch.pk: "none", board.pk: "yes", room.pk: "12", 999_999: "x"})
    assert extra(tournament, "Zoe") == {str(lunch.pk): "none", str(board.pk): "yes"}
    with pytest.raises(Invalid) as refused:
        register("Yann", {lunch.pk: "fish"})
    assert refused.value.field == f"own-{lunch.pk}"


def test_column_that_is_taken_away_takes_along_what_stood_in_it(tournament):
    lunch, room = set_custom_fields(**at(tournament), columns=[LUNCH, ROOM])
    ann = tournament.entry("Ann").players.get().public_id
    for column, value in ((lunch, "meat"), (room, "12")):
        save_players_table(
            **at(tournament), changes=[CellChange(Cell(ann, f"{CUSTOM_FIELD_PREFIX}{column.pk}"), "", value)]
        )
    seen = custom_fields_version(tournament.event)
    (kept,) = set_custom_fields(**at(tournament), columns=[room.settings], seen=seen)
    assert (kept.pk, extra(tournament, "Ann")) == (room.pk, {str(room.pk): "12"})
    with pytest.raises(Conflict):
        set_custom_fields(**at(tournament), columns=[], seen=seen)
    with pytest.raises(Missing):
        set_custom_fields(**at(tournament), columns=[lunch.settings])
    with pytest.raises(Invalid) as refused:
        set_custom_fields(
            **at(tournament), columns=[ROOM, CustomField(" room"), CustomField("X", CustomFieldKind.CHOICE)]
        )
    assert [fault.code for fault in refused.value.faults] == ["column.twice", "column.choices_odd"]
    copied = copy_event(**at(tournament), starts_on=tournament.event.starts_on + timedelta(days=7)).event
    assert [one.settings.name for one in EventColumn.objects.filter(event=copied)] == ["Room"]
