"""People by divisions: several cells in one save, cells that somebody else has changed, waiting lists, lots, and the save taken back."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import Assistance, AuditEntry, Player
from tests.factories import Tournament, a_user, an_event
from tournaments.check_in.services.marking import undo_check_in_action
from tournaments.check_in.services.windows import open_check_in
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.columns import CustomField
from tournaments.engine.matrix import (
    CHECKED_IN_COLUMN,
    CUSTOM_FIELD_PREFIX,
    NOTE_COLUMN,
    PAID_COLUMN,
    Cell,
    CellChange,
    CellState,
)
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.details import DetailsChange, set_details
from tournaments.entries.services.entries import add_entries, withdraw_entry
from tournaments.events.services.columns import set_custom_fields
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.matrix.services.entering import Newcomer
from tournaments.matrix.services.saving import save_players_table
from tournaments.matrix.services.taking_back import undo_last_save
from tournaments.models import (
    Delivery,
    Division,
    Entry,
    EntryDetail,
    EntryPlayer,
    Here,
    Lot,
    Notification,
    Stage,
)
from tournaments.selectors.entries import details_from_row
from tournaments.selectors.matrix import last_save, load_players_table
from tournaments.selectors.matrix_undo import undo_exceptions_of_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(clock) -> Tournament:
    return an_event(4, lengths=[5])


@pytest.fixture
def second(tournament) -> Division:
    details = DivisionDetails(name="Novices", stages=[StageDetails(lengths=[3])])
    return add_division(**at(tournament), division=details, first_name="Open")


def first(tournament: Tournament) -> Division:
    return Division.objects.get(event=tournament.event, position=1)


def entered(tournament: Tournament, name: str) -> Entry:
    return Entry.objects.get(division=first(tournament), name=name)


def at(tournament: Tournament) -> dict[str, object]:
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def player(tournament: Tournament, name: str) -> str:
    return entered(tournament, name).players.get().public_id


def cell(tournament: Tournament, name: str, column: Division | str) -> Cell:
    return Cell(player(tournament, name), column if isinstance(column, str) else str(column.pk))


def change(tournament: Tournament, name: str, column: Division | str, seen: str, wanted: str) -> CellChange:
    return CellChange(cell(tournament, name, column), seen, wanted)


def save(tournament: Tournament, *changes: CellChange, **more: object):
    return save_players_table(**at(tournament), changes=changes, **more)


def states(tournament: Tournament, division: Division) -> dict[str, str]:
    return {
        person.name: person.cells[division.pk].state for person in load_players_table(tournament.event).people
    }


def room_for(division: Division, number: int) -> None:
    Division.objects.filter(pk=division.pk).update(capacity=number)


def test_several_changed_at_once_then_all_of_it_stands_and_one_row_can_take_it_back(tournament, second):
    open_check_in(**at(tournament), division_id=second.pk)
    open_check_in(**at(tournament), division_id=first(tournament).pk)
    before = load_players_table(tournament.event).cells()
    saved = save(
        tournament,
        change(tournament, "Ann", second, "out", "in"),
        change(tournament, "Bob", second, "out", "in"),
        change(tournament, "Dan", first(tournament), "in", "out"),
        change(tournament, "Ann", CHECKED_IN_COLUMN, "no", "yes"),
        change(tournament, "Bob", PAID_COLUMN, "no", "yes"),
        change(tournament, "Bob", NOTE_COLUMN, "", "20 in cash"),
    )
    assert saved.moved == 6
    assert states(tournament, second) == {"Ann": "in", "Bob": "in", "Cleo": "out", "Dan": "out"}
    assert states(tournament, first(tournament))["Dan"] == CellState.WITHDRAWN
    assert Here.objects.filter(entry__name="Ann").count() == 2  # in both divisions, the one just entered too
    assert EntryDetail.objects.filter(player__name="Bob", paid=True).count() == 2
    assert {
        one.note for one in EntryDetail.objects.filter(player__name="Bob", entry__division=first(tournament))
    } == {"20 in cash"}
    assert not integrity_faults(tournament.fresh())
    undo_last_save(**at(tournament), audit_id=saved.audit_id)
    after = load_players_table(tournament.event).cells()
    for name in ("Ann", "Bob"):
        assert states(tournament, second)[name] == CellState.WITHDRAWN  # they stay on the list as withdrawn
        for column in (CHECKED_IN_COLUMN, PAID_COLUMN, first(tournament)):
            assert after[cell(tournament, name, column)] == before[cell(tournament, name, column)]
    assert states(tournament, first(tournament))["Dan"] == CellState.IN
    assert not integrity_faults(tournament.fresh())
    with pytest.raises(Conflict, match="back_already"):
        undo_last_save(**at(tournament), audit_id=saved.audit_id)


def test_cell_that_somebody_else_changed_is_named_and_nothing_is_written(tournament, second):
    withdraw_entry(**at(tournament), entry_id=entered(tournament, "Ann").pk)
    rows = AuditEntry.objects.count()
    with pytest.raises(Conflict) as refused:
        save(
            tournament,
            change(tournament, "Ann", first(tournament), "in", "out"),  # stands so already: no conflict
            change(tournament, "Ann", first(tournament), "out", "in"),
            change(tournament, "Bob", second, "out", "in"),
            change(tournament, "Cleo", PAID_COLUMN, "yes", "part"),
        )
    assert refused.value.code == "matrix.stale"
    (found, paid) = refused.value.present["cells"]
    assert (found["name"], found["division"], found["now"]) == ("Ann", "Open", "left")
    assert (paid["name"], paid["column"], paid["now"]) == ("Cleo", PAID_COLUMN, "no")
    assert (found["by"], paid["by"]) == (tournament.director.name, "")  # nobody has touched what Cleo paid
    (row,) = refused.value.touched
    assert (row.action, row.at.isoformat()) == ("entry.withdraw", found["at"])
    assert states(tournament, second)["Bob"] == CellState.OUT
    assert AuditEntry.objects.count() == rows


def test_stale_cell_after_a_mark_was_taken_back_names_the_mark(tournament):
    open_check_in(**at(tournament), division_id=first(tournament).pk)
    save(tournament, change(tournament, "Ann", CHECKED_IN_COLUMN, "no", "yes"))
    (mark,) = AuditEntry.objects.filter(action="check_in.here")
    undo_check_in_action(
        **at(tournament), division_id=mark.subject_id, audit_id=mark.pk
    )  # its row counts entries and names none
    with pytest.raises(Conflict) as refused:
        save(tournament, change(tournament, "Ann", CHECKED_IN_COLUMN, "part", "yes"))
    (found,) = refused.value.present["cells"]
    assert (found["name"], found["now"]) == ("Ann", "no")
    assert refused.value.touched == (mark,)


def test_place_that_becomes_free_goes_to_who_waits_longest_and_who_is_new_waits(tournament, second):
    room_for(second, 2)
    save(tournament, *(change(tournament, name, second, "out", "in") for name in ("Ann", "Bob", "Cleo")))
    assert states(tournament, second) == {"Ann": "in", "Bob": "in", "Cleo": "waiting", "Dan": "out"}
    column = next(one for one in load_players_table(tournament.event).columns if one.division.pk == second.pk)
    assert (column.placed_count, column.division.capacity, column.waiting) == (2, 2, 1)
    saved = save(
        tournament,
        change(tournament, "Ann", second, "in", "out"),
        change(tournament, "Dan", second, "out", "in"),
    )
    assert states(tournament, second) == {"Ann": "left", "Bob": "in", "Cleo": "in", "Dan": "waiting"}
    assert saved.waits == ["Dan"]
    assert AuditEntry.objects.filter(action="entry.move_up").count() == 1
    with pytest.raises(Conflict, match=r"entry\.full"):
        save(tournament, change(tournament, "Dan", second, "waiting", "place"))
    save(tournament, change(tournament, "Dan", second, "waiting", "place"), when_full=WhenFull.ADD)
    assert states(tournament, second)["Dan"] == CellState.IN
    saved = save(tournament, change(tournament, "Ann", second, "left", "in"))
    assert saved.waits == ["Ann"]
    assert states(tournament, second)["Ann"] == CellState.WAITING


def test_full_division_when_the_number_may_be_exceeded_then_who_is_entered_or_back_has_a_place(
    tournament, second
):
    room_for(second, 1)
    save(tournament, change(tournament, "Ann", second, "out", "in"))
    save(tournament, change(tournament, "Bob", second, "out", "in"), new_when_full=WhenFull.ADD)
    assert states(tournament, second)["Bob"] == CellState.IN
    save(tournament, change(tournament, "Bob", second, "in", "out"))
    save(tournament, change(tournament, "Bob", second, "left", "in"), new_when_full=WhenFull.ADD)
    assert states(tournament, second)["Bob"] == CellState.IN


def test_page_when_it_adds_one_ahead_of_a_waiting_list_then_who_is_entered_beside_them_waits(
    tournament, second
):
    room_for(second, 1)
    for name in ("Ann", "Bob", "Cleo"):
        save(tournament, change(tournament, name, second, "out", "in"))
    save(
        tournament,
        change(tournament, "Cleo", second, "waiting", "place"),
        change(tournament, "Dan", second, "out", "in"),
        when_full=WhenFull.ADD,
    )
    assert [states(tournament, second)[name] for name in ("Cleo", "Bob", "Dan")] == [
        CellState.IN,
        CellState.WAITING,
        CellState.WAITING,
    ]


def test_drawn_then_who_comes_is_placed_by_lot_and_the_undo_takes_them_out_again(clock):
    tournament = an_event(5, lengths=[5])
    details = DivisionDetails(name="Novices", stages=[StageDetails(lengths=[3])])
    second = add_division(**at(tournament), division=details, first_name="Open")
    add_entries(**at(tournament), division_id=second.pk, entries=[NewEntry("Zoe")])
    stage = Stage.objects.get(division=first(tournament))
    draw_stage(**at(tournament), stage_id=stage.pk, seed=1)
    publish_draw(**at(tournament), stage_id=stage.pk)
    zoe = Cell(Entry.objects.get(name="Zoe").players.get().public_id, str(first(tournament).pk))
    saved = save_players_table(**at(tournament), changes=[CellChange(zoe, "out", "in")])
    assert states(tournament, first(tournament))["Zoe"] == CellState.IN
    assert Lot.objects.filter(stage=stage).count() == 2
    with pytest.raises(Invalid, match=r"matrix\.locked"):
        save(tournament, change(tournament, "Ann", first(tournament), "in", "out"))
    assert not integrity_faults(tournament.fresh())
    undo_last_save(**at(tournament), audit_id=saved.audit_id)
    assert states(tournament, first(tournament))["Zoe"] == CellState.WITHDRAWN
    assert not integrity_faults(tournament.fresh())


def test_somebody_without_a_row_enters_known_or_new_and_is_here_at_once(tournament, second):
    open_check_in(**at(tournament), division_id=second.pk)
    kim = Player.objects.create(name="Kim Known", home_club=tournament.club)
    save(
        tournament,
        new=[
            Newcomer("Kim Known", None, (second.pk,), is_checked_in=True, paid=True),
            Newcomer("Lou New", None, (first(tournament).pk, second.pk)),
        ],
    )
    assert Entry.objects.get(division=second, players=kim).name == "Kim Known"
    assert Here.objects.get().entry.name == "Kim Known"
    assert EntryDetail.objects.get(player=kim).paid is True
    assert (
        states(tournament, first(tournament))["Lou New"]
        == states(tournament, second)["Lou New"]
        == CellState.IN
    )
    assert Entry.objects.filter(name="Lou New").values("players").distinct().count() == 1
    Player.objects.create(name="Kim Known", home_club=tournament.club)
    for wrong, code in (
        (Newcomer("Kim Known", None, (first(tournament).pk,)), "matrix.name_unclear"),
        (Newcomer("Mia", None, ()), "matrix.no_division"),
        (Newcomer("", None, (second.pk,)), "player.name"),
        (Newcomer("Lou New", None, (second.pk,)), "entry.twice"),
    ):
        with pytest.raises(Invalid, match=code):
            save(tournament, new=[wrong])


def test_expected_one_is_approved_by_the_tick_and_not_turned_away_by_unticking(tournament):
    Entry.objects.filter(name="Ann").update(status=EntryStatus.PENDING)
    with pytest.raises(Invalid, match=r"matrix\.expected"):
        save(tournament, change(tournament, "Ann", first(tournament), "expected", "out"))
    save(tournament, change(tournament, "Ann", first(tournament), "expected", "in"))
    assert entered(tournament, "Ann").status == EntryStatus.ACTIVE


def test_undo_brings_back_texts_approvals_and_places_and_leaves_what_somebody_knows_of(tournament, second):
    room_for(second, 1)
    (lunch,) = set_custom_fields(**at(tournament), columns=[CustomField("Lunch")])
    save(tournament, *(change(tournament, name, second, "out", "in") for name in ("Ann", "Bob")))
    save(
        tournament,
        change(tournament, "Ann", NOTE_COLUMN, "", "early"),
        change(tournament, "Ann", f"{CUSTOM_FIELD_PREFIX}{lunch.pk}", "", "soup"),
    )
    Entry.objects.filter(name="Dan").update(status=EntryStatus.PENDING)
    EntryPlayer.objects.filter(entry__name="Dan").update(is_new=True)
    Player.objects.filter(name="Dan").update(listed=False, version=1)
    before = load_players_table(tournament.event).cells()

    def change_all():
        return save(
            tournament,
            change(tournament, "Ann", second, "in", "out"),  # Bob moves up
            change(tournament, "Dan", first(tournament), "expected", "in"),
            change(tournament, "Ann", NOTE_COLUMN, "early", "late"),
            change(tournament, "Ann", f"{CUSTOM_FIELD_PREFIX}{lunch.pk}", "soup", "salad"),
        )

    saved = change_all()
    assert states(tournament, second)["Bob"] == CellState.IN
    assert not undo_exceptions_of_row(tournament.event, last_save(tournament.event)).names
    assert "early" not in str(list(AuditEntry.objects.values_list("data", flat=True)))
    _row, stayed = undo_last_save(**at(tournament), audit_id=saved.audit_id)
    assert (stayed, load_players_table(tournament.event).cells()) == ([], before)
    dan = Player.objects.get(name="Dan")
    assert (dan.listed, dan.version, dan.entry_players.get().is_new) == (False, 1, True)
    assert not integrity_faults(tournament.fresh())

    saved = change_all()
    sent = Notification.objects.filter(kind="moved_up").latest("pk")
    bob = Entry.objects.get(division=second, name="Bob")
    told = Delivery.objects.create(
        notification=sent, entry=bob, way="push", state=Delivery.State.SENT, next_at=timezone.now()
    )
    assert undo_exceptions_of_row(tournament.event, last_save(tournament.event)).names == {bob.pk: "Bob"}
    _row, stayed = undo_last_save(**at(tournament), audit_id=saved.audit_id)
    after = load_players_table(tournament.event).cells()
    assert stayed == ["Bob"]
    assert {cell for cell in before if before[cell] != after[cell]} == {cell(tournament, "Bob", second)}
    assert states(tournament, second) == {
        "Ann": "in",
        "Bob": "in",
        "Cleo": "out",
        "Dan": "out",
    }  # one too many
    told.delete()

    saved = save(tournament, change(tournament, "Ann", NOTE_COLUMN, "early", "never"))
    save_note_by_hand(tournament, "Ann", "by hand")
    with pytest.raises(Conflict, match="changed_since") as refused:
        undo_last_save(**at(tournament), audit_id=saved.audit_id)
    assert [row.action for row in refused.value.touched] == ["entry.details"]
    assert not integrity_faults(tournament.fresh())


def save_note_by_hand(tournament: Tournament, name: str, note: str) -> None:
    entry = entered(tournament, name)
    player = entry.players.get().pk
    seen = details_from_row(EntryDetail.objects.get(entry=entry))
    wanted = {player: DetailsChange(replace(seen, note=note), seen)}
    set_details(**at(tournament), entry_id=entry.pk, wanted=wanted)


def test_undo_is_refused_after_another_save_or_a_change_of_what_it_did(tournament, second):
    first = save(tournament, change(tournament, "Ann", second, "out", "in"))
    last = save(tournament, change(tournament, "Bob", second, "out", "in"))
    with pytest.raises(Conflict, match="not_the_last"):
        undo_last_save(**at(tournament), audit_id=first.audit_id)
    withdraw_entry(**at(tournament), entry_id=Entry.objects.get(division=second, name="Bob").pk)
    with pytest.raises(Conflict, match="changed_since"):
        undo_last_save(**at(tournament), audit_id=last.audit_id)
    with pytest.raises(Missing):
        undo_last_save(**at(tournament), audit_id=0)


def test_matrix_of_more_people_asks_no_more_statements(tournament, second, django_assert_num_queries):
    with CaptureQueriesContext(connection) as few:
        load_players_table(tournament.event)
    add_entries(
        **at(tournament),
        division_id=second.pk,
        entries=[NewEntry(f"Somebody {number}") for number in range(9)],
    )
    with django_assert_num_queries(len(few)):
        assert len(load_players_table(tournament.event).people) == 13
    assert len(few) <= 8


def test_people_stand_in_the_order_in_which_their_names_are_read(tournament, second):
    save(tournament, new=[Newcomer("Zoë Adams", None, (second.pk,))])
    assert [person.name for person in load_players_table(tournament.event).people] == [
        "Ann",
        "Bob",
        "Cleo",
        "Dan",
        "Zoë Adams",
    ]


def test_helper_says_who_is_here_and_nothing_else(tournament, second):
    open_check_in(**at(tournament), division_id=first(tournament).pk)
    helper = a_user("Helga")
    Assistance.objects.create(user=helper, club=tournament.club, scope=f"event:{tournament.event.pk}")
    who = {"actor": Actor.of(helper), "event_id": tournament.event.pk}
    save_players_table(**who, changes=[change(tournament, "Ann", CHECKED_IN_COLUMN, "no", "yes")])
    assert Here.objects.count() == 1
    for other in (
        change(tournament, "Ann", PAID_COLUMN, "no", "yes"),
        change(tournament, "Ann", second, "out", "in"),
    ):
        with pytest.raises(NotAllowed):
            save_players_table(**who, changes=[other])
    with pytest.raises(Conflict, match="no_check_in"):
        save_players_table(
            **at(tournament),
            new=[Newcomer("Nora", None, (second.pk,), is_checked_in=True)],
        )
    assert not Entry.objects.filter(name="Nora").exists()
