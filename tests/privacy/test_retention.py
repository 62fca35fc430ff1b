"""What is kept for a time goes when that is over, no sooner, once; and the documents say the same as the program does."""

import re
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from games.services.held import hold_record
from people.actors import Actor
from people.models import (
    Assistance,
    AuditEntry,
    OutgoingMail,
    PageReport,
    Player,
    Presence,
    RoleInvitation,
    User,
)
from people.services.claims import offer_player
from people.services.invitations import invite
from people.services.repeats import claim_key
from people.services.sign_ins import record_sign_in
from tests.factories import a_user, an_event
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.models import (
    Arrangement,
    CallAnswer,
    CallWord,
    DeskNote,
    EntryDetail,
    Event,
    LinkPhone,
    NotificationChoice,
    Report,
    SubscribedFor,
    Subscription,
)
from tournaments.models.trail import audit_scope
from tournaments.site.services.retention import EMPTY_CONTACTS, RULES, apply_rule, apply_rules, due_counts

pytestmark = pytest.mark.django_db

TABLE = re.compile(r"^\| (?P<what>[^|]+) \| (?P<until>[^|]+) \| `(?P<rule>\w+)` \|$", re.MULTILINE)


def in_words(kept: timedelta) -> str:
    if kept.days:
        return f"{kept.days} days"
    return "1 hour" if kept else "they are over"


def test_table_when_read_then_the_same_as_the_rules():
    table = {
        row["rule"]: row["until"]
        for row in TABLE.finditer(Path(settings.BASE_DIR, "docs/running.md").read_text())
    }
    assert set(table) == {rule.code for rule in RULES}
    for rule in RULES:
        assert table[rule.code].startswith(in_words(rule.kept)), rule.code


@pytest.fixture
def tournament():
    """An evening that leaves something for every rule."""
    made = an_event(lengths=[5])
    people = [NewEntry(name=name) for name in ("Ann Archer", "Bo Baxter")]
    add_entries(actor=made.actor, event_id=made.event.pk, division_id=made.division.pk, entries=people)
    ann = Player.objects.get(name="Ann Archer")
    EntryDetail.objects.create(
        entry=ann.entries.get(),
        player=ann,
        email="ann@example.org",
        phone="7",
        rating=9,
        extra={"1": "yes"},
        undo={"a": {}},
    )
    made.publish()
    match = made.playable()[0]
    made.says(match, "a", 5, 2)
    Report.objects.update(device="abc")
    club = made.event.club
    record_sign_in(user=made.director, outcome="in", way="password", address="10.0.0.1", program="x")
    OutgoingMail.objects.create(recipient="a@example.org", subject="x", content=b"", state="given_up")
    hold_record(content=b"x", filename="x", purpose="x")
    PageReport.objects.create(page="/", text="x", handled_at=timezone.now())
    invite(actor=made.actor, club_id=club.pk, role="director", email="bo@example.org")
    offer_player(actor=made.actor, club_id=club.pk, player_id=ann.pk)
    LinkPhone.objects.create(
        entry=ann.entries.get(), device="abc", number=1, link_version=1, since=timezone.now()
    )
    phone = Subscription.objects.create(endpoint="x", digest="x", made_at=timezone.now())
    SubscribedFor.objects.create(subscription=phone, entry=ann.entries.get(), since=timezone.now())
    NotificationChoice.objects.create(user=made.director, event=made.event)
    first = {"match": match, "entry": ann.entries.get(), "at": timezone.now()}
    CallAnswer.objects.create(**first, coming="cannot", reason="Ill")
    CallWord.objects.create(**first, begins_at=timezone.now())
    two = sorted((made.entry_at(match, side) for side in ("a", "b")), key=lambda one: one.pk)
    Arrangement.objects.create(match=match, first=two[0], second=two[1], changed_at=timezone.now())
    DeskNote.objects.create(event=made.event, text="x", at=timezone.now(), submission_key="k")
    PageReport.objects.create(page="/", text="x", handled_at=timezone.now())
    Presence.objects.create(user=made.director, scope=audit_scope(made.event), seen_at=timezone.now())
    claim_key(scope="x", request_digest="x")
    guest = a_user("Gus Guest", is_guest=True)
    Assistance.objects.create(user=guest, club=club, scope=audit_scope(made.event))
    return made


def test_nothing_goes_before_its_time_and_all_of_it_after_and_once(tournament):
    now = timezone.now()
    assert not any(due_counts(now).values())
    assert not any(apply_rules(now).values())
    later = now + timedelta(days=200)
    due = due_counts(later)
    assert {code for code, count in due.items() if not count} <= {"sessions", "merge_requests"}
    assert due_counts(later) == due
    done = apply_rules(later)
    assert done == due
    kept = EntryDetail.objects.get()
    assert {name: getattr(kept, name) for name in EMPTY_CONTACTS} == EMPTY_CONTACTS
    assert kept.rating == 9
    assert set(Report.objects.values_list("device", flat=True)) == {""}
    assert not RoleInvitation.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()
    told = {
        row.data["what"]: row.data["count"] for row in AuditEntry.objects.filter(action="retention.forget")
    }
    assert not Subscription.objects.exists()
    silent = {"sessions", "files", "contacts", "kept_answers", "notifications", "presences"}
    assert told == {code: count for code, count in done.items() if count and code not in silent}
    assert AuditEntry.objects.get(action="entry.forget").data["players"] == 1
    assert list(broken_links(tournament.fresh(), ChainSummary(), "")) == []
    rows = AuditEntry.objects.count()
    assert not any(apply_rules(later).values())
    assert AuditEntry.objects.count() == rows


def test_event_that_still_goes_on_keeps_what_it_needs(tournament):
    Event.objects.update(starts_on="2020-01-01", ends_on="2020-01-02")
    assert tournament.fresh().status == "running"
    assert {due_counts()[code] for code in ("contacts", "devices", "helpers", "guests")} == {0}


def test_command_when_dry_then_says_and_changes_nothing(tournament):
    Event.objects.update(starts_on="2020-01-01", ends_on="2020-01-02", status="finished")
    said = StringIO()
    call_command("forget", "--dry-run", stdout=said)
    assert "contacts: 1 to delete" in said.getvalue()
    assert EntryDetail.objects.get().phone == "7"
    said = StringIO()
    call_command("forget", stdout=said)
    assert "contacts: 1 deleted" in said.getvalue()
    assert EntryDetail.objects.get().phone == ""


def test_run_when_killed_half_way_then_what_is_done_is_told_and_the_next_one_does_the_rest(tournament):
    later = timezone.now() + timedelta(days=200)
    assert apply_rule(RULES[0], later) == 1
    assert AuditEntry.objects.get(action="retention.forget").actor_label == Actor.program().label
    assert due_counts(later)["contacts"] == 1
    assert apply_rules(later)["contacts"] == 1
    assert AuditEntry.objects.filter(action="retention.forget", data__what=RULES[0].code).count() == 1
