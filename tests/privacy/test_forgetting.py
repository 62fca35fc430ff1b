"""Somebody leaves: the whole database is searched for their name afterwards, and every public answer."""

import json
import zipfile
from io import BytesIO, StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import models
from django.test import Client
from django.utils import timezone

from faults import Conflict
from games.models import HeldRecord, ImportedFile, RecordImport, StoredRecord
from people.models import AuditEntry, Moderation, OutgoingMail, PageReport, Player, RoleInvitation, User
from people.services import repeats
from people.services.players import correct_name
from people.services.sign_ins import record_sign_in
from rating.models import OfficialList, OfficialRequest, TableImport
from tests.factories import Tournament, a_user, an_event
from tests.permissions.shared import rolled_back
from tests.permissions.world import a_record
from tests.privacy.columns import OF_ACCOUNTS, OF_PLAYERS
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.types import Side
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.matches.services.records import Upload, read_evidence
from tournaments.models import (
    Arrangement,
    CallAnswer,
    ClubTemplate,
    Delivery,
    DeskNote,
    Entry,
    EntryDetail,
    Event,
    FormerLineup,
    FormerPlayer,
    Lot,
    Match,
    MatchMessage,
    MoneySession,
    Notice,
    Notification,
    Objection,
    OfferedTime,
    Series,
    SubscribedFor,
    Subscription,
)
from tournaments.notices.services.announcing import announce
from tournaments.series.services.templates import save_template
from tournaments.site.services.forgetting import delete_account, erase_player

pytestmark = pytest.mark.django_db

NAME, BEFORE = "Zoltán Quuxley", "Zoltan Quuxleigh"
WORDS = ("quuxl", "zolt")


def hits(words: tuple[str, ...] = WORDS) -> list[str]:
    """Every column of the database that holds one of ``words``, in whatever writing."""
    found = []
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            kinds = (models.CharField, models.TextField, models.JSONField, models.BinaryField)
            if not isinstance(field, kinds):
                continue
            for pk, value in model._base_manager.values_list("pk", field.name):
                text = (
                    bytes(value).decode("utf-8", "replace")
                    if isinstance(value, bytes | memoryview)
                    else str(value)
                )
                found += [
                    f"{model.__name__}.{field.name} {pk}: {text[:80]}"
                    for word in words
                    if word in text.lower()
                ]
    return found


@pytest.fixture
def tournament() -> Tournament:
    """An evening of which every corner names one of the players."""
    made = an_event(lengths=[5])
    add_entries(
        actor=made.actor,
        event_id=made.event.pk,
        division_id=made.division.pk,
        entries=[NewEntry(name=name) for name in (BEFORE, "Bo Baxter", "Cy Cooper", "Di Dexter")],
    )
    player = Player.objects.get(name=BEFORE)
    correct_name(actor=made.actor, club=made.event.club, player_id=player.pk, name=NAME)
    EntryDetail.objects.create(
        entry=player.entries.get(), player=player, email="zoltan@example.org", phone="7", note="a friend"
    )
    made.publish()
    announce(actor=made.actor, event_id=made.event.pk, text=f"{BEFORE}, please come to the desk")
    match = next(one for one in made.playable() if BEFORE in {made.entry_at(one, side).name for side in Side})
    names = [made.entry_at(match, side).name for side in (Side.A, Side.B)]
    upload = Upload(a_record(*names), f"{BEFORE}.mat")
    claim = read_evidence(match, upload).claim
    made.says(match, Side.A, claim.score_a, claim.score_b, note=f"{BEFORE} was late", record=upload)
    made.says(match, None, claim.score_a, claim.score_b)
    in_other_corners(made, player, match)
    return made


def in_other_corners(made: Tournament, player: Player, match: Match) -> None:
    """Where people write names, too; and the shorter names that follow from one."""
    player.shown_as, player.name = "short", NAME
    player.save()
    club = made.event.club
    text = f"with {NAME}"
    StoredRecord.objects.update(filename=f"{BEFORE}.mat")
    Event.objects.filter(pk=made.event.pk).update(
        name=f"{NAME} Memorial", place=f"Hall of {NAME}", description=text
    )
    AuditEntry.objects.create(
        actor_label=f"link: {NAME}",
        club=club,
        action="player.update",
        subject_type="people.player",
        subject_id=player.pk,
    )
    phone = Subscription.objects.create(endpoint="x", digest="x", made_at=timezone.now())
    SubscribedFor.objects.create(subscription=phone, entry=player.entries.get(), since=timezone.now())
    friend = Player.objects.get(name="Bo Baxter")
    undo = {"a save": {"note": ["", f"travels with {NAME}"]}}
    EntryDetail.objects.create(
        entry=friend.entries.get(), player=friend, note=f"travels with {NAME}", undo=undo
    )
    lineup = FormerLineup.objects.create(entry=player.entries.get(), name=NAME)
    FormerPlayer.objects.create(lineup=lineup, player=player)
    Entry.objects.filter(pk=lineup.entry_id).update(changed_hands=True)
    Objection.objects.create(match=match, entry=player.entries.get(), text=text)
    for side in Side:
        CallAnswer.objects.create(
            match=match,
            entry=made.entry_at(match, side),
            coming="cannot",
            reason=text,
            at=match.stage.drawn_at,
        )
    ours, theirs = sorted((made.entry_at(match, side) for side in Side), key=lambda one: one.pk)
    talk = Arrangement.objects.create(
        match=match, first=ours, second=theirs, place=text, changed_at=timezone.now()
    )
    for number, one in enumerate((ours, theirs), start=1):
        when = {"arrangement": talk, "entry": one}
        OfferedTime.objects.create(**when, number=number, starts_at=timezone.now(), place=text)
        MatchMessage.objects.create(**when, text=text, at=timezone.now(), submission_key="k")
    DeskNote.objects.create(event=made.event, text=text, at=timezone.now(), submission_key="k")
    MoneySession.objects.create(
        stage=made.stage, number=1, submission_key="k", played_on="2026-01-01", note=text
    )
    template = save_template(actor=made.actor, event_id=made.event.pk, name=f"{NAME} Memorial")
    ClubTemplate.objects.filter(pk=template.pk).update(sentence=text)
    Series.objects.create(club=club, name=f"{NAME} Cup")
    RoleInvitation.objects.create(
        club=club, role="reader", label=NAME, secret_hash="h", expires_at=timezone.now()
    )
    batch = RecordImport.objects.create(club=club, filename=f"{NAME}.zip", sha256="s")
    ImportedFile.objects.create(batch=batch, position=1, filename=f"{NAME}.mat", left=NAME, right=BEFORE)
    HeldRecord.objects.create(content=f"; {NAME}".encode(), purpose="x", filename="x")
    Moderation.objects.create(
        kind="club",
        subject_id=club.pk,
        club=club,
        state="hidden",
        reason=text,
        kept={"name": NAME},
        ended_at=timezone.now(),
    )
    PageReport.objects.create(page="/", text=text, contact=NAME, note=text)
    OfficialRequest.objects.create(rating_list=club.rating_lists.get(), day="2026-01-01", note=text)
    TableImport.objects.create(
        club=club, filename=f"{NAME}.csv", report={"players": [NAME]}, state="done", user=made.director
    )
    OfficialList.objects.create(
        rating_list=club.rating_lists.get(),
        number=1,
        day="2026-01-01",
        moment=0,
        made_at=timezone.now(),
        players=0,
        head={},
        note=text,
    )
    answered = repeats.claim_key(scope="s", request_digest="x")
    repeats.save_response(answered, status=201, body=text)
    LogEntry.objects.create(user=made.director, action_flag=2, object_repr=NAME)


def sound(event: Event) -> list[Any]:
    return [*integrity_faults(event), *broken_links(event, ChainSummary(), "")]


def test_erased_player_is_found_nowhere_and_results_stay(tournament):
    player = Player.objects.get(name=NAME)
    assert {hit.partition(" ")[0] for hit in hits()} == OF_PLAYERS
    before = StoredRecord.objects.get()
    _mail_that_waits(tournament, f"Play {NAME} by Friday")
    erase_player(actor=tournament.actor, player_id=player.pk)
    assert hits() == []
    assert not Player.objects.get(pk=player.pk).listed_with_draw
    assert not Subscription.objects.exists()
    tournament.fresh()
    assert sound(tournament.event) == []
    after = StoredRecord.objects.get()
    assert after.sha256 == before.sha256
    assert b"former player" in bytes(after.content)
    assert (
        b"Baxter" in bytes(after.content)
        or b"Cooper" in bytes(after.content)
        or b"Dexter" in bytes(after.content)
    )
    browser = Client()
    club, rating = tournament.event.club, tournament.event.club.rating_lists.first()
    match = Match.objects.exclude(confirmed_at=None).first()
    pages = [
        f"/e/{tournament.event.public_id}/{part}"
        for part in ("", "bracket/", "hall/", "entries/", "draws/", "draws.json")
    ]
    pages += [
        f"/api/v1/events/{tournament.event.public_id}/{part}"
        for part in ("", "entries/", "bracket/", "draws/", "notices/")
    ]
    pages += [
        "/",
        "/search/?q=quuxley",
        "/search/found.json?q=zolt",
        "/api/v1/players/?q=quuxley",
        f"/m/{match.public_id}/",
    ]
    pages += [f"/c/{club.public_id}/", f"/c/{club.public_id}/players/", f"/p/{player.public_id}/"]
    pages += [f"/r/{rating.public_id}/{part}" for part in ("", "ratings.csv", "ratings.json")]
    for page in pages:
        answer = browser.get(page)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text = body.decode().lower().replace("q=quuxley", "").replace('value="quuxley"', "")
        assert not any(word in text for word in WORDS), page
    bracket = browser.get(f"/e/{tournament.event.public_id}/bracket/", headers={"Accept-Language": "de"})
    assert "ehemaliger Spieler" in bracket.content.decode()
    assert Notice.objects.get().facts != {}
    erase_player(actor=tournament.actor, player_id=player.pk)  # twice is once


def _mail_that_waits(tournament, subject: str) -> None:
    """A notice to an opponent, which names the player, on its way by mail."""
    now = timezone.now()
    mail = OutgoingMail.objects.create(recipient="bo@example.org", subject=subject, content=subject.encode())
    row = Notification.objects.create(event=tournament.event, kind="called_off", made_at=now, until=now)
    entry = Entry.objects.get(name="Bo Baxter")
    Delivery.objects.create(notification=row, entry=entry, way="mail", mail=mail, next_at=now)


def test_deleted_account_takes_everything_with_it(tournament):
    user = a_user("Zoltán Quuxley")
    phone = Subscription.objects.get()
    SubscribedFor.objects.update(entry=None, user=user)
    User.objects.filter(pk=user.pk).update(email="zoltan.quuxley@example.org")
    user.refresh_from_db()
    Player.objects.filter(name=NAME).update(user=user)
    record_sign_in(user=user, outcome="in", way="password", address="10.0.0.1", program="Quuxley's phone")
    browser = Client()
    browser.force_login(user)
    AuditEntry.objects.create(
        actor=user,
        actor_label="Zoltán Quuxley",
        club=tournament.event.club,
        action="club.update",
        subject_type="x",
    )
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    UserSession.objects.create(user=user, ip="10.0.0.1", session_key="s", user_agent="Quuxley's phone")
    OutgoingMail.objects.create(
        recipient=f"Z <{user.email}>", sender="x@example.org", subject="Dear Zoltán", content=b"Dear Zolt"
    )
    before = {hit.partition(" ")[0] for hit in hits()}
    assert before == OF_PLAYERS | OF_ACCOUNTS
    delete_account(user_id=user.pk, with_player=True)
    assert not User.objects.filter(pk=user.pk).exists()
    assert not Subscription.objects.filter(pk=phone.pk).exists()
    assert hits() == []
    assert sound(tournament.fresh()) == []
    assert browser.get("/direct/").status_code == 302
    assert all("Quuxley" not in str(row.get_decoded()) for row in Session.objects.all())


def test_last_owner_of_a_club_hands_over_first(tournament):
    owner = tournament.director
    with rolled_back(), pytest.raises(Conflict):
        delete_account(user_id=owner.pk, with_player=False)
    assert User.objects.filter(pk=owner.pk).exists()


def test_account_alone_leaves_the_player(tournament):
    user = a_user("Zoltán Quuxley")
    Player.objects.filter(name=NAME).update(user=user)
    delete_account(user_id=user.pk, with_player=False)
    assert Player.objects.get(name=NAME).user is None


def proven(user: User) -> Client:
    """A browser in which somebody has just proved who they are."""
    user.set_password("correct horse battery")
    user.save()
    browser = Client()
    browser.force_login(user)
    assert browser.post("/account/reauthenticate/", {"password": "correct horse battery"}).status_code == 302
    return browser


def test_everything_about_me_is_in_one_file_and_others_are_called_as_in_public(tournament):
    user = a_user("Zoltán Quuxley")
    Player.objects.filter(name=NAME).update(user=user)
    for other in Player.objects.exclude(name=NAME):
        other.shown_as = "hidden"
        other.save()
    answer = proven(user).get("/account/privacy/about-me.zip")
    archive = zipfile.ZipFile(BytesIO(answer.content))
    about = json.loads(archive.read("about-me.json"))
    assert about["account"][0]["email"] == user.email
    assert about["player"][0]["name"] == NAME
    assert about["details"][0]["email"] == "zoltan@example.org"
    assert {row["score_a"] for row in about["matches"]} - {None}
    assert {f"{name}.csv" for name in about} == set(archive.namelist()) - {"about-me.json"}
    whole = "".join(archive.read(name).decode() for name in archive.namelist())
    assert NAME in whole
    assert not any(name in whole for name in ("Baxter", "Cooper", "Dexter"))
    assert Client().get("/account/privacy/about-me.zip").status_code == 302


def test_account_is_deleted_in_the_browser_once_it_is_sure(tournament):
    user = a_user("Zoltán Quuxley")
    Player.objects.filter(name=NAME).update(user=user)
    unproven = Client()
    unproven.force_login(user)
    assert "reauthenticate" in unproven.post("/account/delete/", {"sure": "yes"})["Location"]
    browser = proven(user)
    page = browser.get("/account/delete/").content.decode()
    assert NAME in page
    assert BEFORE in page
    assert browser.post("/account/delete/", {"player": "yes"}).status_code == 422
    assert browser.post("/account/delete/", {"player": "yes", "sure": "yes"}).status_code == 302
    assert hits() == []
    owner = proven(tournament.director)
    refused = owner.post("/account/delete/", {"sure": "yes"})
    assert refused.status_code == 422
    assert tournament.event.club.name in refused.content.decode()


def test_command_says_first_what_it_will_do(tournament):
    player = Player.objects.get(name=NAME)
    said = StringIO()
    call_command("erase_player", player.public_id, stdout=said)
    assert "events: 1, game records: 1" in said.getvalue()
    assert Player.objects.filter(name=NAME).exists()
    call_command("erase_player", player.public_id, "--yes", stdout=StringIO())
    assert hits() == []
    with pytest.raises(CommandError):
        call_command("erase_player", "nobody")


def test_restored_backup_when_told_then_erases_again_and_a_later_account_of_that_number_stays(
    tournament, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.ERASURES_FILE = tmp_path / "erased" / "file.jsonl"
    user = a_user("Zoltán Quuxley")
    User.objects.filter(pk=user.pk).update(email="zoltan.quuxley@example.org")
    Player.objects.filter(name=NAME).update(user=user)
    with django_capture_on_commit_callbacks(execute=True), rolled_back():
        with django_capture_on_commit_callbacks(execute=True):
            delete_account(user_id=user.pk, with_player=True)
        assert hits() == []
    noted = settings.ERASURES_FILE.read_text()
    assert not any(word in noted.lower() for word in WORDS)
    assert hits()  # the backup knows nothing of it
    settings.ERASURES_FILE.write_text(f'{noted}\n{{"cut off')
    said = StringIO()
    call_command("reapply_erasures", stdout=said)
    assert said.getvalue() == "Erased again: 1 players, 1 accounts.\n"
    assert hits() == []
    User.objects.create(pk=user.pk, email="later@example.org")  # the number is given out anew
    said = StringIO()
    call_command("reapply_erasures", stdout=said)
    assert said.getvalue() == ""
    assert User.objects.filter(email="later@example.org").exists()


def test_player_who_is_called_like_a_word_of_the_program_is_erased_and_the_pages_open(tournament):
    """What the program keeps as a code is nobody's name, whatever it says."""
    code = Lot.objects.filter(event=tournament.event).values_list("by", flat=True).first()
    player = Player.objects.get(name="Bo Baxter")
    player.name = code
    player.save()
    erase_player(actor=tournament.actor, player_id=player.pk)
    assert Lot.objects.filter(event=tournament.event, by=code).exists()
    assert Client().get(f"/e/{tournament.event.public_id}/draws/").status_code == 200
