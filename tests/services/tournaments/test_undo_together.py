"""What was done with several entries in one step is undone in one: only what it changed, and only where it still stands."""

import pytest

from faults import Conflict, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import a_user, an_event
from tournaments.check_in.services.leaving_out import withdraw_missing
from tournaments.check_in.services.marking import check_in_entries
from tournaments.check_in.services.windows import open_check_in
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import EntryStatus
from tournaments.engine.trail.entries import EntriesAdded, EntriesWithdrawn
from tournaments.entries.services.details import mark_paid
from tournaments.entries.services.entries import add_entry, set_seeds, withdraw_entry
from tournaments.entries.services.lists import import_entries
from tournaments.entries.services.registration import approve_entries
from tournaments.entries.services.several import move_entries, withdraw_entries
from tournaments.entries.services.undo_together import undo_bulk_action
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Entry, EntryDetail, EntryPlayer, LinkPhone
from tournaments.repairs.services.reinstating import reinstate
from tournaments.selectors.together import last_bulk_action

pytestmark = pytest.mark.django_db


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def ids(tournament, *names):
    return [tournament.entry(name).pk for name in names]


def stands(tournament):
    rows = Entry.objects.filter(division__event=tournament.event).order_by("pk")
    return list(rows.values_list("name", "status", "seed", "division"))


def undo(tournament, division=None):
    row, _action = last_bulk_action(tournament.event, division)
    return undo_bulk_action(**at(tournament), audit_id=row.pk)


def names(of):
    return {one.name for one in of}


def test_withdrawn_together_when_undone_then_back_with_their_seeds_and_those_who_moved_up_wait_again():
    tournament = an_event(6)
    Division.objects.update(capacity=4)
    waiting = ids(tournament, "Eva", "Finn")
    Entry.objects.filter(pk__in=waiting).update(status=EntryStatus.WAITING)
    set_seeds(**at(tournament), division_id=tournament.division.pk, seeds={ids(tournament, "Bob")[0]: 1})
    before = stands(tournament)
    withdraw_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob", "Eva"))
    assert tournament.entry("Finn").status == EntryStatus.ACTIVE
    undone = undo(tournament)
    assert stands(tournament) == before
    assert (names(undone.entries), undone.kept) == ({"Ann", "Bob", "Eva"}, ())
    assert integrity_faults(tournament.fresh()) == []
    with pytest.raises(Conflict, match=r"entry\.undone_already"):
        undo_bulk_action(**at(tournament), audit_id=undone.of)


def test_withdrawn_together_when_some_are_back_then_the_rest_comes_and_after_the_draw_none():
    tournament = an_event(6)
    withdraw_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob", "Cleo"))
    reinstate(**at(tournament), entry_id=ids(tournament, "Bob")[0])
    row, _action = last_bulk_action(tournament.event)
    tournament.draw()
    with pytest.raises(Conflict, match=r"entry\.drawn"):
        undo_bulk_action(**at(tournament), audit_id=row.pk)
    assert AuditEntry.objects.get(pk=row.pk).undone_by is None


def test_withdrawn_together_when_some_are_back_then_they_are_named_as_kept():
    tournament = an_event(5)
    withdraw_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"))
    reinstate(**at(tournament), entry_id=ids(tournament, "Bob")[0])
    undone = undo(tournament)
    assert (names(undone.entries), names(undone.kept)) == ({"Ann"}, {"Bob"})
    withdraw_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"))
    for name in ("Ann", "Bob"):
        reinstate(**at(tournament), entry_id=ids(tournament, name)[0])
    with pytest.raises(Conflict, match=r"entry\.all_changed"):
        undo(tournament)


def test_list_when_undone_then_only_those_of_the_list_are_withdrawn():
    tournament = an_event(2)
    newest = Entry.objects.order_by("-pk")[0].pk
    listed = {tournament.division.pk: [NewEntry(name=name) for name in ("Xia", "Yan", "Zoe")]}
    import_entries(**at(tournament), entries=listed, seen=newest)
    withdraw_entry(**at(tournament), entry_id=ids(tournament, "Zoe")[0])
    undone = undo(tournament)
    assert (names(undone.entries), names(undone.kept)) == ({"Xia", "Yan"}, {"Zoe"})
    active = Entry.objects.filter(status=EntryStatus.ACTIVE).values_list("name", flat=True)
    assert set(active) == {"Ann", "Bob"}


def test_moved_together_when_undone_then_back_in_their_division_with_their_seeds():
    tournament = an_event(4)
    more = DivisionDetails(name="B", stages=[StageDetails(lengths=[5])])
    other = add_division(**at(tournament), division=more, first_name="A")
    first = Division.objects.get(event=tournament.event, position=1)
    set_seeds(
        **at(tournament),
        division_id=first.pk,
        seeds={ids(tournament, "Ann")[0]: 2, ids(tournament, "Dan")[0]: 1},
    )
    before = stands(tournament)
    move_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"), division_id=other.pk)
    # What happened in another division since is no matter of this one.
    mark_paid(**at(tournament), entry_ids=ids(tournament, "Cleo", "Dan"), paid=True)
    undone = undo(tournament, other)
    assert names(undone.entries) == {"Ann", "Bob"}
    assert stands(tournament) == before
    assert set(EntryPlayer.objects.values_list("division", flat=True)) == {first.pk}
    assert EntryDetail.objects.filter(paid=True).count() == 2


def test_moved_to_the_waiting_list_of_a_full_division_when_undone_then_back_with_their_places():
    tournament = an_event(5)
    more = DivisionDetails(name="B", stages=[StageDetails(lengths=[5])], capacity=2)
    other = add_division(**at(tournament), division=more, first_name="A")
    first = Division.objects.get(event=tournament.event, position=1)
    set_seeds(**at(tournament), division_id=first.pk, seeds={ids(tournament, "Bob")[0]: 1})
    move_entries(**at(tournament), entry_ids=ids(tournament, "Dan", "Eva"), division_id=other.pk)
    before = stands(tournament)
    chosen = ids(tournament, "Ann", "Bob")
    move_entries(**at(tournament), entry_ids=chosen, division_id=other.pk, when_full=WhenFull.WAIT)
    moved = {one.name: (one.status, one.division_id) for one in Entry.objects.filter(pk__in=chosen)}
    assert moved == dict.fromkeys(("Ann", "Bob"), (EntryStatus.WAITING, other.pk))
    undone = undo(tournament, other)
    assert (names(undone.entries), undone.kept) == ({"Ann", "Bob"}, ())
    assert stands(tournament) == before
    assert set(Entry.objects.filter(division=other).values_list("name", flat=True)) == {"Dan", "Eva"}
    assert integrity_faults(tournament.fresh()) == []


def test_seeds_when_undone_then_as_before_and_refused_where_one_is_another_since():
    tournament = an_event(4)
    where = {**at(tournament), "division_id": tournament.division.pk}
    one, two, three, four = ids(tournament, "Ann", "Bob", "Cleo", "Dan")
    set_seeds(**where, seeds={one: 1, two: 2})
    before = stands(tournament)
    set_seeds(**where, seeds={one: 2, two: 1, three: 3})
    undo(tournament)
    assert stands(tournament) == before
    row, _action = last_bulk_action(tournament.event)
    set_seeds(**where, seeds={two: None, four: 2})
    with pytest.raises(Conflict, match=r"entry\.all_changed"):
        undo_bulk_action(**at(tournament), audit_id=row.pk)


def test_paid_when_undone_then_who_had_paid_before_still_has():
    tournament = an_event(3)
    mark_paid(**at(tournament), entry_ids=ids(tournament, "Ann"), paid=True)
    mark_paid(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob", "Cleo"), paid=True)
    undone = undo(tournament)
    assert names(undone.entries) == {"Bob", "Cleo"}
    paid = EntryDetail.objects.filter(paid=True).values_list("entry__name", flat=True)
    assert list(paid) == ["Ann"]
    assert isinstance(last_bulk_action(tournament.event)[1], EntriesAdded)  # an undo is nothing to undo


def test_unpaid_when_undone_then_nobody_is_called_paid_who_never_was():
    tournament = an_event(3)
    mark_paid(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"), paid=True)
    mark_paid(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob", "Cleo"), paid=False)
    undone = undo(tournament)
    assert (names(undone.entries), undone.kept) == ({"Ann", "Bob"}, ())
    paid = EntryDetail.objects.filter(paid=True).values_list("entry__name", flat=True)
    assert set(paid) == {"Ann", "Bob"}


def test_unpaid_when_nobody_had_paid_then_there_is_nothing_to_undo():
    tournament = an_event(3)
    mark_paid(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"), paid=False)
    assert isinstance(last_bulk_action(tournament.event)[1], EntriesAdded)


def test_moved_together_when_undone_then_whoever_waits_there_takes_the_place():
    tournament = an_event(4)
    more = DivisionDetails(name="B", stages=[StageDetails(lengths=[5])])
    other = add_division(**at(tournament), division=more, first_name="A")
    Division.objects.filter(pk=other.pk).update(capacity=2)
    move_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"), division_id=other.pk)
    add_entry(**at(tournament), division_id=other.pk, entry=NewEntry(name="Xia"), when_full=WhenFull.WAIT)
    assert tournament.entry("Xia").status == EntryStatus.WAITING
    undo(tournament, other)
    assert tournament.entry("Xia").status == EntryStatus.ACTIVE
    assert integrity_faults(tournament.fresh()) == []


def test_withdrawn_together_when_from_two_divisions_then_each_has_its_seed_again():
    tournament = an_event(4)
    more = DivisionDetails(name="B", stages=[StageDetails(lengths=[5])])
    other = add_division(**at(tournament), division=more, first_name="A")
    first = Division.objects.get(event=tournament.event, position=1)
    move_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"), division_id=other.pk)
    set_seeds(**at(tournament), division_id=first.pk, seeds={ids(tournament, "Cleo")[0]: 1})
    set_seeds(**at(tournament), division_id=other.pk, seeds={ids(tournament, "Ann")[0]: 1})
    before = stands(tournament)
    withdraw_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Cleo"))
    undo(tournament)
    assert stands(tournament) == before


def test_approvals_when_undone_then_expected_again_but_for_those_who_used_their_link():
    tournament = an_event(3)
    Entry.objects.update(status=EntryStatus.PENDING)
    EntryPlayer.objects.filter(entry=tournament.entry("Ann")).update(is_new=True)
    approve_entries(**at(tournament))
    cleo = tournament.entry("Cleo")
    LinkPhone.objects.create(
        entry=cleo,
        device="x",
        number=1,
        link_version=cleo.link_version,
        way="first",
        since="2026-01-01T00:00Z",
    )
    undone = undo(tournament)
    assert (names(undone.entries), names(undone.kept)) == ({"Ann", "Bob"}, {"Cleo"})
    statuses = dict(Entry.objects.values_list("name", "status"))
    assert statuses == {"Ann": "expected", "Bob": "expected", "Cleo": "active"}
    assert list(EntryPlayer.objects.filter(is_new=True).values_list("entry__name", flat=True)) == ["Ann"]


def test_left_out_when_undone_then_they_take_part_again():
    tournament = an_event(5)
    open_check_in(**at(tournament), division_id=tournament.division.pk)
    check_in_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob", "Cleo"))
    missing = ids(tournament, "Dan", "Eva")
    withdraw_missing(**at(tournament), stage_id=tournament.stage.pk, listed=set(missing))
    assert AuditEntry.objects.filter(action=EntriesWithdrawn.kind).count() == 1
    undo(tournament)
    assert set(Entry.objects.values_list("status", flat=True)) == {EntryStatus.ACTIVE}


def test_undo_when_asked_by_another_or_of_another_row_then_refused():
    tournament = an_event(3)
    withdraw_entries(**at(tournament), entry_ids=ids(tournament, "Ann", "Bob"))
    row, _action = last_bulk_action(tournament.event)
    with pytest.raises((NotAllowed, Missing)):
        undo_bulk_action(actor=Actor.of(a_user()), event_id=tournament.event.pk, audit_id=row.pk)
    other = an_event(2, director=tournament.director)
    with pytest.raises(Missing, match=r"entry\.step_unknown"):
        undo_bulk_action(**at(other), audit_id=row.pk)
    with pytest.raises(Missing, match=r"entry\.step_unknown"):
        undo_bulk_action(**at(tournament), audit_id=row.pk - 1)  # the row of one of the two
