"""The operators' pages: found by anything, acted on with a reason, in a trail of their own, and undone."""

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.models import AuditEntry, Moderation, PageReport, Player, User
from people.services.players import create_player
from tests.factories import a_club, a_user, an_event
from tests.support.director import signed_in, words
from tests.support.door import with_second_factor
from tournaments.models import Event
from tournaments.notices.services.announcing import announce
from tournaments.operators.services.report_mail import MAX_MAILS_PER_HOUR, notify_operators

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator() -> Client:
    user = a_user("Rita Root", is_staff=True)
    with_second_factor(user)
    return signed_in(user)


@pytest.fixture
def tournament():
    return an_event(entries=2, name="Night of Insults", description="A text of insults").publish()


def act(client: Client, kind: str, key: object, action: str, reason: str = "It insults", **more: str):
    return client.post(
        reverse("operators:act", args=[kind, key]), {"action": action, "reason": reason, **more}
    )


def test_staff_when_without_second_factor_then_led_to_its_set_up():
    client = signed_in(a_user(is_staff=True))
    answer = client.get(reverse("operators:home"))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("mfa_index")
    assert act(client, "club", a_club().public_id, "hidden").status_code == 302
    assert not Moderation.objects.exists()


def test_search_when_asked_for_anything_then_finds_it(operator, tournament):
    announce(actor=tournament.actor, event_id=tournament.event.pk, text="Cheers to all")
    ann = Player.objects.get(name="Ann")
    for text, found in (
        (tournament.director.email, tournament.director.name),
        (tournament.club.name, tournament.club.name),
        (tournament.event.public_id, "Night of Insults"),
        ("insults", "Night of Insults"),
        ("ann", "Ann"),
        ("text of", "A text of insults"),
        ("cheers", "Cheers to all"),
        ("Club rating", tournament.club.name),
        (f"http://testserver/e/{tournament.event.public_id}/bracket/", "A text of insults"),
        (f"/p/{ann.public_id}/", "Ann"),
    ):
        page = words(operator.get(reverse("operators:home"), {"q": text}))
        assert found in page.partition("Search results")[2].partition("Currently hidden or removed")[0], text
    for odd in ("\0", "%", "/nowhere/", "http://[", "x" * 500, "<script>"):
        assert operator.get(reverse("operators:home"), {"q": odd}).status_code == 200


def test_action_when_done_then_stands_in_the_trail_with_its_reason_as_text_and_is_undone(
    operator, tournament
):
    why = "<script>alert(1)</script> & more"
    assert act(operator, "event", tournament.event.public_id, "hidden", why).status_code == 302
    page = operator.get(
        reverse("operators:about", args=["event", tournament.event.public_id])
    ).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert act(operator, "event", tournament.event.public_id, "restore", "A mistake").status_code == 302
    rows = list(AuditEntry.objects.filter(scope="operators").order_by("pk"))
    assert [(row.data["after"], row.data["reason"]) for row in rows] == [("hidden", why), ("", "A mistake")]
    assert "Event restored: Night of Insults" in words(operator.get(reverse("operators:trail")))
    assert Event.objects.get(pk=tournament.event.pk).shut == ""


@pytest.mark.parametrize(
    ("kind", "action", "reason", "status"),
    [
        ("event", "hidden", "", 422),
        ("event", "hidden", "w" * 401, 422),
        ("event", "hidden", "\u200b \u202e", 422),
        ("event", "restore", "why", 422),  # nothing to restore
        ("event", "nonsense", "why", 422),
        ("event", "erase", "why", 422),
        ("player", "removed", "why", 422),
        ("player", "erase", "why", 422),  # without a tick
        ("account", "let_in", "why", 422),
        ("nonsense", "hidden", "why", 404),
    ],
)
def test_action_when_something_is_odd_then_told_and_nothing_done(
    operator, tournament, kind, action, reason, status
):
    key = {"player": Player.objects.get(name="Ann").public_id, "account": tournament.director.pk}
    answer = act(operator, kind, key.get(kind, tournament.event.public_id), action, reason)
    assert answer.status_code == status
    assert not Moderation.objects.exists()
    assert not AuditEntry.objects.filter(scope="operators").exists()
    if status == 422 and 0 < len(reason) < 400:
        assert reason in answer.content.decode()  # what was typed is not lost


@pytest.mark.parametrize("key", ["nosuchthing0", "0", "9" * 40, "%00"])
@pytest.mark.parametrize(
    "kind", ["account", "club", "list", "event", "player", "announcement", "description", "about", "note"]
)
def test_address_when_of_nothing_then_404(operator, kind, key):
    assert operator.get(f"/operators/{kind}/{key}/").status_code == 404


def test_operators_when_two_act_at_once_then_the_second_is_told(operator, tournament):
    act(operator, "event", tournament.event.public_id, "hidden")
    answer = act(operator, "event", tournament.event.public_id, "hidden", "Me too")
    assert answer.status_code == 422
    assert Moderation.objects.get().reason == "It insults"


def test_account_when_suspended_then_out_at_once_and_an_operator_suspends_no_operator(operator, tournament):
    theirs = signed_in(tournament.director)
    assert theirs.get("/direct/").status_code == 200
    assert act(operator, "account", tournament.director.pk, "suspend").status_code == 302
    assert theirs.get("/direct/").status_code == 302
    page = words(operator.get(reverse("operators:about", args=["account", tournament.director.pk])))
    assert "suspended" in page
    assert act(operator, "account", tournament.director.pk, "let_in").status_code == 302
    assert User.objects.get(pk=tournament.director.pk).is_active
    other = a_user(is_staff=True)
    assert act(operator, "account", other.pk, "suspend").status_code == 409
    assert User.objects.get(pk=other.pk).is_active


def test_quota_when_changed_on_the_page_then_kept_and_odd_numbers_refused(operator):
    club = a_club()
    address = reverse("operators:quota", args=["club", club.public_id])
    assert operator.post(address, {"quota": "lists", "amount": "50", "reason": "Many"}).status_code == 302
    assert club.allowances.get().amount == 50
    for amount in ("-1", "1e3", "9" * 12, "½"):
        sent = operator.post(address, {"quota": "lists", "amount": amount, "reason": "Many"})
        assert sent.status_code == 422, amount
    assert operator.post(address, {"quota": "clubs", "amount": "1", "reason": "x"}).status_code == 404
    assert operator.post(address, {"quota": "lists", "amount": "", "reason": "As before"}).status_code == 302
    assert not club.allowances.exists()


def test_players_of_two_clubs_when_merged_then_one_and_taken_back(operator, tournament):
    ann, other = Player.objects.get(name="Ann"), a_club()
    twin = create_player(actor=Actor.program(), club=other, name="Anne")
    look = operator.get(
        reverse("operators:merge"), {"keep": f"http://x/p/{ann.public_id}/", "duplicate": twin.public_id}
    )
    assert "Anne" in words(look)
    sent = {"keep": ann.public_id, "duplicate": twin.public_id}
    assert operator.post(reverse("operators:merge"), sent).status_code == 422  # no reason
    assert operator.post(reverse("operators:merge"), {**sent, "reason": "One person"}).status_code == 302
    twin.refresh_from_db()
    assert twin.merged_into == ann
    assert set(AuditEntry.objects.filter(action="player.merge").values_list("club", flat=True)) == {
        tournament.club.pk,
        other.pk,
    }
    assert "Undo" in words(operator.get(reverse("operators:trail")))
    operator.post(reverse("operators:undo-merge"), {"merged": twin.pk, "reason": "Two after all"})
    twin.refresh_from_db()
    assert twin.merged_into is None
    assert operator.post(reverse("operators:undo-merge"), {"merged": "x", "reason": "?"}).status_code == 302
    same = {"keep": ann.public_id, "duplicate": ann.public_id, "reason": "x"}
    assert operator.post(reverse("operators:merge"), same).status_code == 422


def test_player_when_erased_by_an_operator_then_gone_and_the_trail_holds_no_name(operator, tournament):
    twin = create_player(actor=Actor.program(), club=tournament.club, name="Annabella Quux")
    act(operator, "player", twin.public_id, "hidden", "Annabella Quux insults")
    assert act(operator, "player", twin.public_id, "erase", "They asked", sure="yes").status_code == 302
    assert not Player.objects.filter(name__contains="Quux").exists()
    assert "Quux" not in str(list(AuditEntry.objects.values_list("data", flat=True)))
    assert "Quux" not in str(list(Moderation.objects.values_list("reason", flat=True)))


@pytest.fixture
def reported():
    cache.clear()
    return lambda client=None, **given: (client or Client()).post(
        reverse("report-page"), {"page": "/c/abc/", "text": "It insults", **given}
    )


def test_report_when_sent_by_anybody_then_waits_for_operators_and_is_handled(operator, tournament, reported):
    page = Client().get(reverse("public:event", args=[tournament.event.public_id])).content.decode()
    assert f"/report/?page=/e/{tournament.event.public_id}/" in page
    strict = Client(enforce_csrf_checks=True)
    form = strict.get(reverse("report-page"), {"page": f"/e/{tournament.event.public_id}/"})
    assert form.status_code == 200
    token = form.cookies["csrftoken"].value
    sent = reported(strict, page=f"/e/{tournament.event.public_id}/", csrfmiddlewaretoken=token)
    assert sent.status_code == 200
    row = PageReport.objects.get()
    listing = words(operator.get(reverse("operators:reports")))
    assert "It insults" in listing
    assert "Night of Insults" in listing
    address = reverse("operators:answer", args=[row.public_id])
    operator.post(address, {"handled": "yes", "note": "Hidden"})
    operator.post(address, {"handled": "yes", "note": "Me too"})  # a second operator
    row.refresh_from_db()
    assert (row.note, row.handled_at is not None) == ("Hidden", True)
    operator.post(address, {"handled": "no"})
    row.refresh_from_db()
    assert row.handled_at is None
    assert operator.post(reverse("operators:answer", args=["nosuchone"])).status_code == 404


@pytest.mark.parametrize(
    "given",
    [
        {"text": ""},
        {"text": "\u200b"},
        {"text": "w" * 1001},
        {"contact": "c" * 201},
        {"page": "https://example.org/"},
        {"page": "//example.org/"},
        {"page": "/\\example.org/"},
        {"page": "/\t/example.org/"},
        {"page": "javascript:alert(1)"},
        {"page": "/" + "x" * 300},
        {"page": ""},
    ],
)
def test_report_when_something_is_odd_then_told_and_nothing_kept(reported, given):
    assert reported(**given).status_code == 422
    assert not PageReport.objects.exists()


def test_report_when_one_address_sends_many_then_put_off(reported):
    assert [reported().status_code for _ in range(6)] == [200] * 5 + [429]
    assert PageReport.objects.count() == 5


def test_operators_when_a_page_is_reported_then_told_by_mail_but_not_flooded(settings, reported):
    staff = a_user(is_staff=True)
    assert reported().status_code == 200
    (sent,) = mail.outbox
    assert sent.to == [staff.email]
    assert re.findall(r"https?://\S+", sent.body) == [settings.SITE_URL + reverse("operators:reports")]
    row = PageReport.objects.get()
    settings.OPERATOR_CONTACT = "ops@example.org"
    assert notify_operators(report=row)
    assert mail.outbox[-1].to == ["ops@example.org"]
    settings.MAIL_WORKS = False
    assert not notify_operators(report=row)
    settings.MAIL_WORKS = True
    PageReport.objects.bulk_create(PageReport(page="/", text="x") for _ in range(MAX_MAILS_PER_HOUR))
    last = PageReport.objects.create(page="/", text="x")
    assert not notify_operators(report=last)


def test_commands_when_run_then_do_the_same(tournament, capsys):
    key = tournament.event.public_id
    call_command("moderate", "hide", "event", key, "--reason", "It insults")
    assert not Moderation.objects.exists()
    call_command("moderate", "hide", "event", key, "--reason", "It insults", "--yes")
    assert Event.objects.get(pk=tournament.event.pk).shut == "hidden"
    call_command("moderate", "restore", "event", key, "--reason", "A mistake", "--yes")
    for wrong in (
        ["hide", "event", "nosuchone"],
        ["restore", "event", key, "--reason", "x", "--yes"],
        ["hide", "event", key, "--yes"],
    ):
        with pytest.raises(CommandError):
            call_command("moderate", *wrong)
    row = PageReport.objects.create(page="/c/abc/", text="It insults")
    call_command("page_reports")
    assert row.public_id in capsys.readouterr().out
    call_command("page_reports", row.public_id, "--note", "Hidden")
    row.refresh_from_db()
    assert row.note == "Hidden"
    keep, other = Player.objects.get(name="Ann"), Player.objects.get(name="Bob")
    with pytest.raises(CommandError):  # both played in one division: two people
        call_command("merge_players", keep.public_id, other.public_id, "--reason", "x", "--yes")
    twin = create_player(actor=Actor.program(), club=a_club(), name="Anne")
    call_command("merge_players", keep.public_id, twin.public_id, "--reason", "x", "--yes")
    call_command("merge_players", keep.public_id, twin.public_id, "--undo", "--reason", "x", "--yes")
    twin.refresh_from_db()
    assert twin.merged_into is None
