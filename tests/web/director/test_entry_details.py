"""What is known of who takes part: shown and changed at the entry, on the list, in bulk; for directors alone."""

import pytest
from django.urls import reverse

from people.models import AuditEntry
from tests.factories import a_director, an_event
from tests.support.director import Desk, desk_of, signed_in, words
from tournaments.models import Entry, EntryDetail, EntryPlayer
from tournaments.repairs.services.reinstating import reinstate

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(4)


@pytest.fixture
def desk(tournament) -> Desk:
    return desk_of(tournament)


def fields(place: int = 1, **values: str) -> dict[str, str]:
    usual = {"country": "", "rating": "", "club": "", "email": "", "phone": "", "paid": "", "note": ""}
    return {f"details{place}-{name}": value for name, value in {**usual, **values}.items()}


def seen(place: int = 1, **values: str) -> dict[str, str]:
    return {f"initial-{name}": value for name, value in fields(place, **values).items()}


def saves(desk: Desk, tournament, name: str, data: dict[str, str]):
    return desk.post("entry", tournament.entry(name).public_id, part="details", **data)


def detail(tournament, name: str) -> EntryDetail:
    return EntryDetail.objects.get(entry=tournament.entry(name))


@pytest.mark.parametrize("drawn", [False, True])
def test_details_when_saved_then_kept_told_without_what_they_say_and_back_at_the_list(
    tournament, desk, drawn
):
    if drawn:
        tournament.publish()
    data = fields(
        country="gb",
        rating="1650,5",
        club="Hove",
        email="ann@example.org",
        phone="+44 1",
        paid="yes",
        note="veg",
    )
    answer = saves(desk, tournament, "Ann", data | seen())
    assert answer["Location"] == f"{desk.url('entries')}#e-{tournament.entry('Ann').public_id}"
    kept = detail(tournament, "Ann")
    assert (kept.rating, kept.club, kept.email, kept.phone, kept.paid, kept.note) == (
        1650.5,
        "Hove",
        "ann@example.org",
        "+44 1",
        True,
        "veg",
    )
    assert EntryPlayer.objects.get(entry=tournament.entry("Ann")).player.country == "GB"
    row = AuditEntry.objects.get(action="entry.details")
    assert row.data["fields"] == ["country", "email", "phone", "rating", "club", "paid", "note"]
    assert "example.org" not in str(list(AuditEntry.objects.values_list("data", flat=True)))
    assert "Details of Ann changed: Country, E-mail address, Phone" in words(desk.get("audit"))
    page = desk.get("entry", tournament.entry("Ann").public_id).content.decode()
    assert 'value="ann@example.org"' in page
    assert "1650.5" in page


def test_details_when_nothing_is_new_then_nothing_is_written(tournament, desk):
    before = AuditEntry.objects.count()
    saves(desk, tournament, "Ann", fields() | seen())
    assert not EntryDetail.objects.exists()
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize(
    ("name", "value"),
    [("email", "ann@"), ("rating", "strong"), ("rating", "10000"), ("rating", "nan"), ("country", "1!"), ("paid", "maybe"), ("phone", "1" * 41)],
)  # fmt: skip
def test_details_when_a_field_is_odd_then_said_at_the_field_and_all_typed_stays(
    tournament, desk, name, value
):
    answer = saves(desk, tournament, "Ann", fields(**{"note": "stays", name: value}) | seen())
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'id="id_details1-{name}_error"' in page
    assert 'value="stays"' in page
    assert not EntryDetail.objects.exists()


def test_details_when_somebody_else_changed_the_same_then_refused_and_another_field_is_kept(tournament, desk):
    saves(desk, tournament, "Ann", fields(email="new@example.org") | seen())
    other = desk_of(tournament, a_director(tournament.club, "Xenia"))
    refused = saves(other, tournament, "Ann", fields(email="mine@example.org") | seen())
    assert refused.status_code == 409
    assert "Another person has since changed these details" in words(refused)
    assert saves(other, tournament, "Ann", fields(note="late") | seen()).status_code == 302
    assert (detail(tournament, "Ann").email, detail(tournament, "Ann").note) == ("new@example.org", "late")


def test_paid_when_several_are_chosen_then_marked_once_and_taken_back(tournament, desk):
    chosen = [tournament.entry(name).public_id for name in ("Ann", "Bob")]
    answer = desk.post("several-entries", action="paid", chosen=chosen)
    assert answer["Location"] == desk.url("entries")
    assert detail(tournament, "Bob").paid is True
    row = AuditEntry.objects.get(action="entry.paid")
    desk.post("several-entries", action="paid", chosen=chosen)
    assert AuditEntry.objects.filter(action="entry.paid").get() == row
    desk.post("several-entries", action="unpaid", chosen=chosen[:1])
    assert (detail(tournament, "Ann").paid, detail(tournament, "Bob").paid) == (False, True)
    assert desk.post("several-entries", action="paid").status_code == 422
    assert "Marked as paid: Ann, Bob." in words(desk.get("audit"))


def names_on(page) -> list[str]:
    return [row["name"] for row in page.context["rows"]]


def test_list_when_narrowed_ordered_and_given_columns_then_so_until_told_otherwise(tournament, desk):
    saves(desk, tournament, "Ann", fields(rating="1500", paid="yes", email="ann@example.org") | seen())
    saves(desk, tournament, "Bob", fields(rating="1700") | seen())
    usual = desk.get("entries")
    assert [column["code"] for column in usual.context["columns"]] == ["rating", "paid"]
    desk.client.get(desk.url("entries"), {"only": "unpaid", "sort": "rating", "cols": "0", "col": "email"})
    kept = desk.get("entries")
    assert kept["Location"] == f"{desk.url('entries')}?sort=rating&only=unpaid&col=email"
    again = desk.client.get(kept["Location"])
    assert [column["code"] for column in again.context["columns"]] == ["email"]
    assert names_on(again)[0] == "Bob"
    assert "Ann" not in names_on(again)
    everybody = desk.client.get(desk.url("entries"), {"all": "1"})
    assert len(names_on(everybody)) == 4
    by_mail = desk.client.get(desk.url("entries"), {"sort": "email", "only": "unreached"})
    assert "Ann" not in names_on(by_mail)
    none = desk.client.get(desk.url("entries"), {"cols": "0"})
    assert none.context["columns"] == []
    odd = desk.client.get(desk.url("entries"), {"only": "\0", "sort": "zz", "col": "zz", "q": "\0"})
    assert odd.status_code == 200


def test_seeds_when_by_the_rating_of_the_list_then_shown_first_and_saved(tournament, desk):
    assert 'value="entries"' not in desk.get("seeds").content.decode()
    saves(desk, tournament, "Cleo", fields(rating="1800") | seen())
    saves(desk, tournament, "Bob", fields(rating="1700") | seen())
    page = desk.post("seeds", do="rating", list="entries")
    assert [(row["name"], row["seed"]) for row in page.context["rows"]][:2] == [("Cleo", "1"), ("Bob", "2")]
    assert tournament.entry("Cleo").seed is None
    typed = {f"seed-{row['public_id']}": row["seed"] for row in page.context["rows"]}
    desk.post("seeds", do="save", **typed)
    assert (tournament.entry("Cleo").seed, tournament.entry("Bob").seed, tournament.entry("Ann").seed) == (
        1,
        2,
        None,
    )


def test_contacts_when_others_look_then_nowhere(tournament, desk, client):
    saves(desk, tournament, "Ann", fields(email="ann@example.org", phone="555 1234", note="secret") | seen())
    tournament.publish()
    for name in ("event", "entries", "bracket"):
        page = client.get(reverse(f"public:{name}", args=[tournament.event.public_id]))
        assert page.status_code == 200
        assert not [
            text for text in ("ann@example.org", "555 1234", "secret") if text in page.content.decode()
        ]


def test_entries_when_changed_together_then_undone_from_the_list_the_log_and_a_program(tournament, desk):
    chosen = [tournament.entry(name).public_id for name in ("Ann", "Bob")]

    def withdraw():
        desk.post("several-entries", action="withdraw", chosen=chosen)
        return desk.get("entries").context["together"]

    undo = withdraw()
    assert (undo["words"], undo["names"]) == ("Undo: 2 withdrawn", "Ann, Bob")
    assert "Undo: 2 withdrawn" in words(desk.get("entries"))
    assert desk.post("undo-entries", row=undo["pk"]).status_code == 302
    page = desk.get("entries")
    assert "Undone for 2 entries." in words(page)
    assert {"Ann", "Bob"} <= set(names_on(page))
    assert desk.post("undo-entries", row=undo["pk"]).status_code == 409
    assert desk.post("undo-entries", row="x").status_code == 404
    undo = withdraw()
    assert f'value="{undo["pk"]}"' in desk.get("audit").content.decode()
    answer = signed_in(tournament.director).post(
        reverse("api:undo-entries", args=[tournament.event.public_id])
    )
    assert (sorted(answer.json()["undone"]), answer.json()["kept"]) == (sorted(chosen), [])
    log = words(desk.get("audit"))
    assert "Withdrawn in one step: Ann, Bob." in log
    assert "Undone for: Ann, Bob." in log


def test_log_when_many_were_changed_together_then_it_names_the_first_of_them():
    tournament = an_event(9)
    desk = desk_of(tournament)
    chosen = [entry.public_id for entry in Entry.objects.order_by("pk")[:8]]
    desk.post("several-entries", action="withdraw", chosen=chosen)
    assert "Withdrawn in one step: Ann, Bob, Cleo, Dan, Eva, Finn and 2 more." in words(desk.get("audit"))
    reinstate(actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry("Hana").pk)
    desk.post("undo-entries", row=desk.get("entries").context["together"]["pk"])
    log = words(desk.get("audit"))
    assert "Undone for: Ann, Bob, Cleo, Dan, Eva, Finn and 1 more. Unchanged: Hana." in log
