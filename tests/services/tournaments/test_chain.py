"""The trail of an event is a chain: what is changed, taken out or put in beside the program is found, and a name can leave."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from people.models import AuditEntry, User
from tests.factories import an_event
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.engine.trail import chain
from tournaments.hall.services.tables import set_table_use
from tournaments.models import Event, Lot
from tournaments.models.trail import audit_scope

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def tournament(db):
    """An event that was played: many rows, with names in them."""
    return an_event(entries=5).publish().play_out()


def rows_of(tournament):
    return AuditEntry.objects.filter(scope=audit_scope(tournament.event)).order_by("pk")


def faults(tournament):
    return list(broken_links(Event.objects.get(pk=tournament.event.pk), ChainSummary()))


def sql(text, *values):
    with connection.cursor() as cursor:
        cursor.execute(text, values)


def output_of(command, *arguments, **options):
    out = StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue()


def test_trail_when_only_the_program_wrote_it_then_it_fits_and_its_head_is_the_last_link(tournament):
    assert faults(tournament) == []
    assert rows_of(tournament).last().link == tournament.fresh().trail_head != ""
    assert rows_of(tournament).first().seal["before"] == chain.initial_hash(tournament.event.public_id)
    assert output_of("verify_trail", tournament.event.public_id).startswith(
        f"Rows checked: {rows_of(tournament).count()}, none changed"
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("action", "match.start"),
        ("actor_label", "Somebody else"),
        ("subject_id", 7),
        ("subject_type", "tournaments.entry"),
        ("data", '{"v": 1}'),
        ("at", "2020-01-01 00:00:00+00:00"),
    ],
)
def test_row_when_a_column_is_changed_by_sql_then_found(tournament, column, value):
    row = rows_of(tournament)[3]
    assert getattr(row, column) != value
    sql(f"UPDATE people_auditentry SET {column} = %s WHERE id = %s", value, row.pk)
    assert faults(tournament) == [f"row {row.pk} ({rows_of(tournament)[3].action}): it was changed"]


def test_row_when_given_to_another_account_by_sql_then_found_and_an_account_that_is_gone_is_no_fault(
    tournament,
):
    row = rows_of(tournament)[2]
    other = User.objects.create_user("other@example.org", "a-long-password")
    sql("UPDATE people_auditentry SET actor_id = %s WHERE id = %s", other.pk, row.pk)
    assert faults(tournament) == [f"row {row.pk} ({row.action}): it was changed"]
    sql("UPDATE people_auditentry SET actor_id = NULL WHERE id = %s", row.pk)
    assert faults(tournament) == []


@pytest.mark.parametrize("place", [0, 4, -1])
def test_row_when_taken_out_by_sql_then_found(tournament, place):
    row = list(rows_of(tournament))[place]
    sql("DELETE FROM people_auditentry WHERE id = %s", row.pk)
    (fault,) = faults(tournament)
    assert "removed" in fault


def test_row_when_put_in_by_sql_then_found_even_with_a_link_of_its_own(tournament):
    last = rows_of(tournament).last()
    sql(
        "INSERT INTO people_auditentry (at, actor_label, scope, action, subject_type, data, link, seal)"
        " SELECT at, actor_label, scope, action, subject_type, data, '', %s FROM people_auditentry WHERE id = %s",
        "{}", last.pk,
    )  # fmt: skip
    (fault,) = faults(tournament)
    assert "inserted outside the program" in fault
    sql("DELETE FROM people_auditentry WHERE id > %s", last.pk)
    sql(
        "INSERT INTO people_auditentry (at, actor_label, scope, action, subject_type, data, link, seal)"
        " SELECT at, actor_label, scope, action, subject_type, data, link, seal FROM people_auditentry WHERE id = %s",
        last.pk,
    )
    assert any("inserted" in fault or "changed" in fault for fault in faults(tournament))


def test_trail_when_everything_was_made_anew_then_a_head_that_was_noted_tells(tournament):
    noted = tournament.fresh().trail_head
    rows_of(tournament).last().delete()
    Event.objects.filter(pk=tournament.event.pk).update(trail_head=rows_of(tournament).last().link)
    assert faults(tournament) == []
    with pytest.raises(CommandError):
        output_of("verify_trail", tournament.event.public_id, head=noted)
    assert "none changed" in output_of(
        "verify_trail", tournament.event.public_id, head=rows_of(tournament)[2].link
    )


@pytest.mark.parametrize(
    "emptied",
    [
        "DELETE FROM people_auditentry",
        "UPDATE people_auditentry SET link = '', seal = '{}'",
    ],
)
def test_log_of_a_drawn_event_when_emptied_together_with_its_head_then_found(tournament, emptied):
    sql(emptied)
    sql("UPDATE tournaments_event SET trail_head = ''")
    (fault,) = faults(tournament)
    assert "no hashed audit log" in fault
    with pytest.raises(CommandError, match="Events with a changed audit log: 1"):
        call_command("verify_trail", stdout=StringIO())


@pytest.mark.django_db
def test_event_without_chain_when_something_is_done_then_it_begins_with_what_exists():
    tournament = an_event(entries=5).publish()
    rows_of(tournament).update(link="", seal={})
    Event.objects.filter(pk=tournament.event.pk).update(trail_head="")
    Lot.objects.all().delete()  # of a release that kept no draws either
    before = rows_of(tournament).count()
    assert "not yet hashed: 1." in output_of("verify_trail")
    set_table_use(actor=tournament.actor, event_id=tournament.event.pk, table=1, in_use=False)
    assert faults(tournament) == []
    begun = rows_of(tournament)[before]
    assert (begun.action, begun.data["rows"]) == ("trail.begin", before)


def test_name_when_erased_then_no_row_says_it_and_the_chain_holds(tournament):
    head = tournament.fresh().trail_head
    assert any("Ann" in str(row.data) for row in rows_of(tournament))
    output_of("erase_from_trail", "Ann")
    assert not any("Ann" in f"{row.data} {row.actor_label} {row.seal}" for row in rows_of(tournament))
    assert faults(tournament) == []
    assert "Erased texts: 0." not in output_of("verify_trail", tournament.event.public_id, head=head)
    output_of("erase_from_trail", "Bob")
    assert faults(tournament) == []
    row = next(row for row in rows_of(tournament) if row.seal.get("erased"))
    sql("UPDATE people_auditentry SET subject_id = 99999 WHERE id = %s", row.pk)
    assert len(faults(tournament)) == 1


@given(
    data=st.dictionaries(st.text(max_size=4), JSON, max_size=4),
    label=st.text(max_size=6),
    gone=st.text(max_size=2),
)
def test_words_when_taken_out_of_any_row_then_its_link_stays_and_no_salt_of_them_is_left(data, label, gone):
    row = chain.ChainRow("2026-01-01", "x.y", "a.b", 1, 5, label, data)
    seal = chain.seal_row(row, "0" * 64, "salt")
    new, kept = chain.replace_text(row, seal, lambda text: "-" if gone in text else None)
    assert chain.chain_hash(new, chain.RowSeal.of(kept.data())) == chain.chain_hash(row, seal)
    assert chain.is_same_actor(new, kept)
    assert not set(kept.salts) & set(kept.erased)
    again, last = chain.replace_text(new, kept, lambda _text: "")
    assert chain.chain_hash(again, last) == chain.chain_hash(row, seal)
