"""Personal links and the audit trail; what pages cost; the admin that only looks."""

import ast
import re
from pathlib import Path

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faults import Missing
from people.models import AuditEntry
from people.services.audit import record_action
from people.web.trail import SUBJECT_KEY, action_sentence, known_actions
from tests.factories import a_user, an_event
from tests.support.director import desk_of, event_fields, signed_in, words
from tests.support.door import with_second_factor
from tests.support.trail_actions import trail_actions
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.kinds import ACTION_KINDS
from tournaments.entries.services.entries import add_entries
from tournaments.hall.services.calling import call_next
from tournaments.hall.services.tables import swap_tables
from tournaments.models import Entry, Match
from tournaments.models.trail import audit_scope, serialize_action
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.access.links import entry_from_token, entry_token
from tournaments.site.web import trail

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.django_db
def test_links_when_shown_then_absolute_and_they_work() -> None:
    tournament = an_event(3).publish()
    desk = desk_of(tournament)
    page = desk.get("links").content.decode()
    for entry in Entry.objects.all():
        assert f'value="http://testserver/my/{entry_token(entry)}/"' in page
        assert entry_from_token(entry_token(entry)) == entry
    assert "no-store" in desk.get("links")["Cache-Control"]


@pytest.mark.django_db
def test_link_when_revoked_then_another_one_is_shown() -> None:
    tournament = an_event(3)
    desk = desk_of(tournament)
    ann, bob = tournament.entry("Ann"), tournament.entry("Bob")
    old, others = entry_token(ann), entry_token(bob)
    assert desk.post("revoke", entry=ann.public_id).status_code == 302
    page = desk.get("links").content.decode()
    assert old not in page
    assert others in page
    desk.post("revoke", all="yes")
    assert others not in desk.get("links").content.decode()
    assert desk.post("revoke").status_code == 404


@pytest.mark.django_db
def test_sheet_when_asked_for_all_or_one_then_a_code_for_each() -> None:
    tournament = an_event(5)
    desk = desk_of(tournament)
    assert desk.get("sheet").content.decode().count("qr-ticket") == 5
    one = desk.get("sheet", entry=tournament.entry("Bob").public_id)
    assert one.content.decode().count("qr-ticket") == 1
    assert desk.get("sheet", entry="nobody").status_code == 404


def written_actions() -> set[str]:
    """Every action code that a service writes as a plain string."""
    found = set()
    for path in [
        p for app in ("people", "rating", "tournaments", "games") for p in (ROOT / app).rglob("*.py")
    ]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                said = [keyword.value for keyword in node.keywords if keyword.arg == "action"]
                if isinstance(node.func, ast.Name) and node.func.id == "_record_audit":
                    said += node.args
                found |= {
                    value.value
                    for part in said
                    for value in ast.walk(part)
                    if isinstance(value, ast.Constant) and isinstance(value.value, str) and "." in value.value
                }
    return {code for code in found if code.count(".") == 1 and not code.endswith(".")}


def test_audit_actions_when_a_service_writes_them_then_each_has_words() -> None:
    written = written_actions()
    assert {"player.create", "club.create", "ledger.void"} <= written
    assert trail.audit_log is not None  # its words are registered with it
    assert written - known_actions() == set()


@pytest.mark.django_db
def test_trail_when_a_newer_release_wrote_rows_then_what_is_known_is_told_and_the_rest_is_said() -> None:
    tournament = an_event()
    about = {
        "actor": tournament.actor,
        "subject": tournament.event,
        "club": tournament.club,
        "scope": audit_scope(tournament.event),
    }
    record_action(**about, action="event.explode", data={"v": 1, "pieces": 7})
    record_action(**about, action="event.create", data={"v": 1, "name": "Renamed", "colour": "red"})
    record_action(**about, action="season.next", data={"v": 2, "title": "Spring"})
    repair = record_action(**about, action="match.correct", data={"v": 2, "undo": {"v": 9, "all": []}})
    length = {"round": 1, "code": "ultimate", "before": 5, "after": 7, "matches": []}
    record_action(**about, action="round.length", data=length)
    desk = desk_of(tournament)
    said = [entry["words"] for entry in desk.get("audit").context["entries"]]
    assert said[:5] == [
        "An action that this version cannot display (round.length).",
        "An action that this version cannot display (match.correct).",
        "An action that this version cannot display (season.next).",
        "Event created: Renamed. (Recorded by a newer version, with more details.)",
        "An action that this version cannot display (event.explode).",
    ]
    with pytest.raises(Missing, match=r"repair\.unknown"):
        undo_repair(actor=tournament.actor, event_id=tournament.event.pk, audit_id=repair.pk)
    record_action(**{**about, "scope": ""}, action="club.explode")
    page = words(desk.client.get(reverse("people:audit", args=[tournament.club.public_id])))
    assert "An action that this version cannot display (club.explode)." in page


@pytest.mark.parametrize("kind", ACTION_KINDS.values(), ids=ACTION_KINDS.keys())
@settings(max_examples=2, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_action_when_its_values_are_any_then_there_is_a_sentence(
    kind: type[AuditAction], data: st.DataObject
) -> None:
    facts = {**serialize_action(data.draw(trail_actions(kind))), SUBJECT_KEY: "7 (Final)"}
    said = action_sentence(kind.kind, facts)
    assert said
    assert "newer version" not in said
    assert "cannot display" not in said


@pytest.mark.django_db
def test_trail_when_an_event_was_played_then_every_row_is_a_sentence_newest_first() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    desk.post("settings", **event_fields(name="Renamed"))
    desk.post("stage", str(tournament.stage.pk), **event_fields(lengths="3, 7", draw_method="seeded"))
    desk.post("open")
    desk.post("close")
    desk.post("registration", do="open")
    desk.post("registration", do="renew")
    desk.post("registration", do="close")
    desk.post("paste", list="Ann\nBob\nCleo\nDan\nEva\nFinn\nGil\nHana", step="enter")
    ann = tournament.entry("Ann")
    desk.post("withdraw", entry=ann.public_id)
    desk.post("return", entry=ann.public_id)
    desk.post("seeds", do="save", **{f"seed-{ann.public_id}": "1"})
    desk.post("revoke", entry=ann.public_id)
    desk.post("revoke", all="yes")
    for action in ("discard", "publish", "take-back", "publish"):
        if (action != "take-back" and tournament.stage.status == "setup") or action == "discard":
            desk.post("make-draw", stage="1", seed="7")
        if action == "publish" and tournament.stage.status == "setup":
            desk.post("make-draw", stage="1", seed="7")
        desk.post("change-draw", action, stage="1")
    first, second, third, *_others = tournament.playable()
    for action in ("call", "send-back", "start"):
        desk.post("match-act", first.public_id, action)
    desk.post("table", first.public_id, table="8")
    desk.post("table", second.public_id, table="")
    tournament.says(first, "a", 3, 1)
    tournament.says(first, "b", 1, 3)
    desk.result(first, 3, 2)
    other = {
        "score_a": 3,
        "score_b": 0,
        "kind": "played",
        "winner": "",
        "submission_key": "c",
        "note": "misheard",
    }
    seen = dict(desk.post("correct", first.public_id, **other).context["kept"])["seen"]
    desk.post("correct", first.public_id, **other, apply="1", seen=seen)
    tournament.says(third, "a", 3, 1)
    tournament.says(third, "b", 3, 1)
    desk.post("cancel")
    desk.post("restore")
    page = desk.get("audit")
    text = words(page)
    for sentence in (
        "Event created: Club night.",
        "name: Club night → Renamed",
        "lengths 3, 7",
        "Entered: Ann, Bob, Cleo, Dan, Eva, Finn and 2 more.",
        "Withdrawn: Ann.",
        "Seed of 1 entry changed.",
        "Draw made (Seeded, seed 7).",
        f"Match {first.number} ({_pair(first)}): 1–3 reported, conflicting with the other side’s report.",
        f"Match {first.number} ({_pair(first)}) corrected: 3–2 → 3–0. misheard",
        "Event cancelled.",
        "Event restored.",
    ):
        assert sentence in text, sentence
    assert text.index("Event restored.") < text.index("Event created: Club night.")
    assert AuditEntry.objects.filter(scope=f"event:{tournament.event.pk}").count() > 25


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_pages_when_the_field_is_large_then_no_more_queries_than_for_a_small_one() -> None:
    counted = {}
    for size in (16, 512):
        tournament = an_event(size, tables=99).publish()
        match = tournament.playable()[0]
        tournament.says(match, "a", 5, 3)
        desk = desk_of(tournament)
        pages = [
            (page,) for page in ("event", "settings", "entries", "seeds", "draw", "board", "links", "audit")
        ]
        for page, *more in [*pages, ("match", match.public_id)]:
            cache.clear()  # each page alone pays for what pages keep
            with CaptureQueriesContext(connection) as caught:
                assert desk.get(page, *more).status_code == 200
            counted.setdefault(page, []).append(len(caught))
    assert {page: few for page, (few, many) in counted.items() if many > few} == {}
    assert max(few for few, _many in counted.values()) <= 25


# --- the admin ------------------------------------------------------------------------------------------------------

OURS = ("people", "tournaments")


def our_admins():
    return [(m, a) for m, a in admin.site._registry.items() if m._meta.app_label in OURS]


@pytest.mark.django_db
def test_admin_when_a_superuser_comes_then_looks_and_cannot_touch() -> None:
    an_event(4).publish().play_out()
    root = a_user("Root", is_staff=True, is_superuser=True)
    with_second_factor(root)
    client = signed_in(root)
    assert len(our_admins()) >= 13
    for model, _admin in our_admins():
        label = f"{model._meta.app_label}_{model._meta.model_name}"
        listing = client.get(reverse(f"admin:{label}_changelist"))
        assert listing.status_code == 200
        assert client.get(reverse(f"admin:{label}_add")).status_code == 403
        row = model.objects.first()
        if row is None:
            continue
        change = reverse(f"admin:{label}_change", args=[row.pk])
        assert client.get(change).status_code == 200
        assert client.post(change, {"name": "changed"}).status_code == 403
        assert (
            client.post(reverse(f"admin:{label}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        )
        assert model.objects.filter(pk=row.pk).exists()
        assert client.post(
            reverse(f"admin:{label}_changelist"), {"action": "delete_selected", "_selected_action": row.pk}
        ).status_code in {200, 302, 403}
        assert model.objects.filter(pk=row.pk).exists()


@pytest.mark.django_db
def test_admin_when_a_director_comes_then_no_entrance() -> None:
    tournament = an_event(2)
    assert signed_in(tournament.director).get("/admin/").status_code == 302


@pytest.mark.django_db
def test_admin_when_a_user_is_shown_then_without_the_password() -> None:
    user = a_user("Seen")
    root = a_user("Root", is_staff=True, is_superuser=True)
    with_second_factor(root)
    client = signed_in(root)
    page = client.get(reverse("admin:people_user_change", args=[user.pk])).content.decode()
    assert user.password not in page


def _pair(match) -> str:
    return " – ".join(slot.entry.name for slot in match.slots.order_by("side"))


@pytest.mark.django_db
def test_trail_when_searched_then_rows_of_a_player_are_found_however_the_name_is_typed() -> None:
    tournament = an_event(4)
    desk = desk_of(tournament)
    desk.post("add-entry", name="Søren Ångström")
    tournament.publish()
    match = next(m for m in tournament.playable() if "Ann" in _pair(m))
    tournament.settle(match, "a")

    def found(text: str) -> list[str]:
        return [entry["words"] for entry in desk.get("audit", q=text).context["entries"]]

    assert found("soren ANGSTROM") == ["Entered: Søren Ångström."]
    assert any(f"({_pair(match)})" in one for one in found("ann"))
    assert len(found("dora")) == len(found(""))  # who did it counts, too
    page = desk.get("audit", q="nobody<b>")
    assert page.context["entries"] == []
    assert "No results for “nobody" in words(page)
    assert desk.get("audit", q="x\0", page="99").status_code == 200


@pytest.mark.django_db
def test_trail_when_matches_are_called_and_tables_swapped_then_it_names_who_plays() -> None:
    tournament = an_event(4, tables=4, lengths=[5]).publish()
    desk = desk_of(tournament)
    call_next(actor=tournament.actor, event_id=tournament.event.pk, everything=True)
    first, second = Match.objects.filter(table__in=[1, 2]).order_by("table")
    seen = {match.pk: match.version for match in (first, second)}
    swap_tables(actor=tournament.actor, event_id=tournament.event.pk, first=1, second=2, seen=seen)
    said = [entry["words"] for entry in desk.get("audit", q=_pair(first)).context["entries"]]
    assert said[0].startswith("Tables 1 and 2 swapped: match ")
    assert all(f"({_pair(match)}, table " in said[0] for match in (first, second))
    assert any(one.startswith("Called: ") and f"({_pair(second)}, table 2)" in one for one in said)


@pytest.mark.django_db
def test_trail_when_more_names_were_entered_than_are_told_then_each_is_found() -> None:
    tournament = an_event(2)
    names = [f"Player {chr(65 + place)}x" for place in range(9)]
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.stage.division_id,
        entries=[NewEntry(name=name) for name in names],
    )
    desk = desk_of(tournament)
    (row,) = desk.get("audit", q="Player Ix").context["entries"]
    assert "and 3 more" in row["words"]


@pytest.mark.django_db
def test_trail_when_more_is_written_than_a_search_looks_through_then_it_goes_on_further_back() -> None:
    tournament = an_event(2)
    desk = desk_of(tournament)
    rows = AuditEntry.objects.filter(scope=f"event:{tournament.event.pk}")
    newest = rows.order_by("-pk").first()
    page = desk.get("audit", q="created", before=str(newest.pk + 1))
    assert [entry["words"].partition(":")[0] for entry in page.context["entries"]] == ["Event created"]
    assert desk.get("audit", q="created", before="0").context["entries"] == []
    assert len(desk.get("audit", q="created", before="x").context["entries"]) == 1


@pytest.mark.django_db
def test_links_when_there_are_many_then_in_pages_and_found_by_name():
    tournament = an_event(101)
    desk = desk_of(tournament)
    name = re.compile(r'<label class="list-main"[^>]*><strong>([^<]*)</strong>')
    pages = [name.findall(desk.get("links", page=page).content.decode()) for page in "12"]
    assert [len(page) for page in pages] == [100, 1]
    assert name.findall(desk.get("links", q=pages[1][0]).content.decode()) == pages[1]
