"""Two directors at the matrix at the same moment on PostgreSQL: no tick is lost, the second learns who was first, an undo sees all or nothing."""

import pytest

from people.actors import Actor
from people.models import AuditEntry
from tests.factories import a_director, an_event
from tests.support.races import race
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.columns import CustomField
from tournaments.engine.matrix import NOTE_COLUMN, PAID_COLUMN, Cell, CellChange
from tournaments.engine.trail.matrix import PlayersTableSaved
from tournaments.entries.services.answers import set_own_answers
from tournaments.events.services.columns import set_custom_fields
from tournaments.matrix.services.saving import save_players_table
from tournaments.matrix.services.taking_back import undo_last_save
from tournaments.models import EntryDetail
from tournaments.selectors.columns import custom_field_answers
from tournaments.selectors.matrix import load_players_table

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[3])


@pytest.fixture
def other(tournament):
    return Actor.of(a_director(tournament.club, "Edda Else"))


def cell(tournament, name, column):
    return Cell(tournament.entry(name).players.get().public_id, column)


def save(tournament, actor, *changes):
    return save_players_table(actor=actor, event_id=tournament.event.pk, changes=changes)


def codes(outcomes):
    return [outcome.error and outcome.error.code for outcome in outcomes]


def test_two_saves_of_other_cells_at_once_then_both_stand(tournament, other):
    paid = CellChange(cell(tournament, "Ann", PAID_COLUMN), "no", "yes")
    left = CellChange(cell(tournament, "Bob", str(tournament.division.pk)), "in", "out")
    found = race(
        lambda: save(tournament, tournament.actor, paid),
        lambda: save(tournament, other, left),
        meet_after=EVENT_READ,
    )
    assert codes(found) == [None, None]
    cells = load_players_table(tournament.event).cells()
    assert (cells[paid.cell], cells[left.cell]) == ("yes", "left")
    assert AuditEntry.objects.filter(action=PlayersTableSaved.kind).count() == 2
    assert not integrity_faults(tournament.fresh())


def test_two_saves_of_one_cell_at_once_then_the_second_learns_who_and_what_and_nothing_of_it_is_written(
    tournament, other
):
    tick = cell(tournament, "Ann", str(tournament.division.pk))
    first = race(
        lambda: save(
            tournament,
            tournament.actor,
            CellChange(tick, "in", "out"),
            CellChange(cell(tournament, "Bob", PAID_COLUMN), "no", "yes"),
        ),
        lambda: save(
            tournament,
            other,
            CellChange(tick, "in", "out"),
            CellChange(cell(tournament, "Cleo", PAID_COLUMN), "no", "yes"),
        ),
        meet_after=EVENT_READ,
    )
    assert codes(first) == [None, None]  # both want the same: nothing is lost, nobody is refused
    cells = load_players_table(tournament.event).cells()
    assert (cells[cell(tournament, "Bob", PAID_COLUMN)], cells[cell(tournament, "Cleo", PAID_COLUMN)]) == (
        "yes",
        "yes",
    )
    note = cell(tournament, "Dan", NOTE_COLUMN)
    found = race(
        lambda: save(
            tournament,
            tournament.actor,
            CellChange(note, "", "mine"),
            CellChange(cell(tournament, "Dan", PAID_COLUMN), "no", "yes"),
        ),
        lambda: save(
            tournament,
            other,
            CellChange(note, "", "theirs"),
            CellChange(cell(tournament, "Bob", PAID_COLUMN), "yes", "no"),
        ),
        meet_after=EVENT_READ,
    )
    (refused,) = (one.error for one in found if one.error)
    assert refused.code == "matrix.stale"
    names = ["Dora Director", "Edda Else"]
    second = next(number for number, one in enumerate(found) if one.error)
    (stale,) = refused.present["cells"]
    assert (stale["name"], stale["column"], stale["by"]) == ("Dan", NOTE_COLUMN, names[1 - second])
    assert stale["at"] is not None
    assert EntryDetail.objects.get(player__name="Dan").note == ("mine", "theirs")[1 - second]
    cells = load_players_table(tournament.event).cells()
    expected = ("no", "no") if second == 0 else ("yes", "yes")
    assert (
        cells[cell(tournament, "Dan", PAID_COLUMN)],
        cells[cell(tournament, "Bob", PAID_COLUMN)],
    ) == expected
    assert not integrity_faults(tournament.fresh())


def test_without_the_lock_the_second_note_would_be_written_over_the_first_so_these_tests_see_the_race(
    tournament, other
):
    note = cell(tournament, "Dan", NOTE_COLUMN)
    save(tournament, tournament.actor, CellChange(note, "", "before"))
    found = race(
        lambda: save(tournament, tournament.actor, CellChange(note, "before", "mine")),
        lambda: save(tournament, other, CellChange(note, "before", "theirs")),
        meet_after='FROM "tournaments_eventcolumn"',
        locks=False,
    )
    assert "matrix.stale" not in codes(found)


def test_undo_against_a_save_at_once_then_one_after_the_other_and_never_half_of_one(tournament, other):
    saved = save(
        tournament,
        tournament.actor,
        CellChange(cell(tournament, "Ann", PAID_COLUMN), "no", "yes"),
        CellChange(cell(tournament, "Ann", NOTE_COLUMN), "", "by card"),
    )
    undone, later = race(
        lambda: undo_last_save(actor=tournament.actor, event_id=tournament.event.pk, audit_id=saved.audit_id),
        lambda: save(
            tournament, other, CellChange(cell(tournament, "Ann", NOTE_COLUMN), "by card", "in cash")
        ),
        meet_after=EVENT_READ,
    )
    cells = load_players_table(tournament.event).cells()
    stands = (cells[cell(tournament, "Ann", PAID_COLUMN)], cells[cell(tournament, "Ann", NOTE_COLUMN)])
    if undone.error is None:
        assert (later.error.code, stands) == ("matrix.stale", ("no", ""))
    else:
        assert (undone.error.code, later.error, stands) == ("matrix.not_the_last", None, ("yes", "in cash"))
        assert undone.error.touched[0].actor_label == "Edda Else"
    assert not integrity_faults(tournament.fresh())


def test_player_and_desk_fill_one_column_at_once_then_one_of_them_is_refused(tournament, other):
    (lunch,) = set_custom_fields(
        actor=tournament.actor, event_id=tournament.event.pk, columns=[CustomField("Lunch", asked=True)]
    )
    entry = tournament.entry("Ann")
    player = entry.players.get()
    player.user = tournament.director
    player.save()
    seen = custom_field_answers(tournament.event, player.pk).version
    own = cell(tournament, "Ann", f"own{lunch.pk}")
    found = race(
        lambda: set_own_answers(
            actor=tournament.actor,
            public_id=entry.public_id,
            values={lunch.pk: "soup"},
            expected_version=seen,
        ),
        lambda: save(tournament, other, CellChange(own, "", "salad")),
        meet_after=EVENT_READ,
    )
    (code,) = (code for code in codes(found) if code)
    stands = load_players_table(tournament.event).cells()[own]
    assert (code, stands) in {("matrix.stale", "soup"), ("entry.answers_changed", "salad")}
