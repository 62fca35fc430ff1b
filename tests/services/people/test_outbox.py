"""Mail by the table: pages write it down, a worker sends it, once; what mail servers do wrong is theirs alone."""

import logging
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib.admin import site
from django.core.mail import send_mail
from django.db import transaction
from django.test import Client, RequestFactory
from django.utils import timezone

from people.models import OutgoingMail
from people.services import outbox, smtp
from people.services.outbox import RETRY_DELAYS, TAKEN_TIMEOUT, send_due_mail
from tests.factories import a_user
from tests.support.smtp import MailServer, mail_server
from tools.services import free_port

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "https://club.example.org/once/abcdef/"
LATER = timedelta(days=1)
State = OutgoingMail.State


@pytest.fixture
def server(settings) -> Iterator[MailServer]:
    settings.EMAIL_BACKEND = "people.services.outbox.Outbox"
    settings.MAIL_BACKEND = "people.services.smtp.EmailBackend"
    settings.EMAIL_TIMEOUT = 0.3
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_USE_TLS = False
    settings.EMAIL_HOST_USER = ""
    with mail_server() as made:
        settings.EMAIL_PORT = made.port
        yield made


def write(to: str = "ada@example.org") -> OutgoingMail:
    send_mail("Once", f"Follow {SECRET}", "Crawford <club@example.org>", [to])
    return OutgoingMail.objects.latest("pk")


def test_mail_when_sent_then_there_once_and_nothing_of_it_is_kept(server: MailServer) -> None:
    write()
    assert server.taken == []

    assert (send_due_mail(), send_due_mail()) == (1, 0)
    (taken,) = server.taken
    assert (taken["To"], taken["Subject"]) == ("ada@example.org", "Once")
    assert SECRET in taken.get_payload()
    assert not OutgoingMail.objects.exists()


def test_mail_when_what_it_tells_of_is_taken_back_then_there_is_none(server: MailServer) -> None:
    def fail() -> None:
        with transaction.atomic():
            write()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert send_due_mail() == 0
    assert server.taken == []


@pytest.mark.parametrize("word", ["HELLO", "MAIL", "RCPT", "DATA"])
def test_mail_when_the_server_falls_silent_before_the_text_then_sent_later(
    server: MailServer, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "DATA_SECONDS", 0.3)
    server.says[word] = None
    write()
    assert send_due_mail() == 0
    mail = OutgoingMail.objects.get()
    # Where the text begins nobody asks how far it came: a mail that never arrives is told to staff, a second one to nobody.
    assert mail.state == (State.UNSURE if word == "DATA" else State.WAITING)
    if word == "DATA":
        return
    assert mail.next_at > timezone.now()
    server.says.clear()
    assert send_due_mail() == 0, "it is not its time yet"
    assert send_due_mail(timezone.now() + LATER) == 1
    assert len(server.taken) == 1


@pytest.mark.parametrize("word", ["HELLO", "MAIL"])
def test_mail_when_the_server_sends_a_byte_now_and_then_then_its_time_is_over(
    server: MailServer, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "ENVELOPE_SECONDS", 0.8)
    mail = write()
    server.trickles = word
    began = time.monotonic()
    assert send_due_mail() == 0
    assert time.monotonic() - began < 10
    mail.refresh_from_db()
    assert (mail.state, mail.tries) == (State.WAITING, 1)
    server.trickles = ""
    assert send_due_mail(timezone.now() + LATER) == 1
    assert len(server.taken) == 1


@pytest.mark.parametrize("said", [None, "450 later"])
def test_mail_when_the_end_of_its_text_is_not_answered_then_never_twice(
    server: MailServer, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "DATA_SECONDS", 0.3)
    server.says["END"] = said
    write()
    send_due_mail()
    server.says.clear()
    send_due_mail(timezone.now() + LATER)
    assert len(server.taken) == (1 if said is None else 2), "a refusal is no mail, silence may be one"
    if said is None:
        mail = OutgoingMail.objects.get()
        assert (mail.state, bytes(mail.content)) == (State.UNSURE, b"")


def test_mail_when_nobody_is_at_the_port_then_tried_after_longer_pauses_and_given_up_visibly(
    server: MailServer, settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_PORT = free_port()
    write()
    moment, pauses = timezone.now(), []
    while OutgoingMail.objects.get().state == State.WAITING:
        before = timezone.now()
        assert send_due_mail(moment) == 0
        pauses.append(OutgoingMail.objects.get().next_at - before)
        moment = timezone.now() + LATER
    mail = OutgoingMail.objects.get()
    assert (mail.state, bytes(mail.content), mail.tries) == (State.GIVEN_UP, b"", len(RETRY_DELAYS) + 1)
    assert all(
        pause - wanted < timedelta(seconds=5) for pause, wanted in zip(pauses, RETRY_DELAYS, strict=False)
    )
    assert [record.levelno for record in caplog.records].count(logging.ERROR) == 1
    assert SECRET not in caplog.text
    request = RequestFactory().get("/admin/people/outgoingmail/")
    request.user = a_user(is_staff=True, is_superuser=True)
    page = site.get_model_admin(OutgoingMail).changelist_view(request).render().content.decode()
    assert "ada@example.org" in page
    assert "ConnectionRefusedError" in page


def test_mail_when_the_address_is_refused_for_good_then_given_up_and_the_next_one_goes(
    server: MailServer,
) -> None:
    server.says["RCPT"] = "550 nobody of this name"
    first = write("nobody@example.org")
    send_due_mail()
    server.says.clear()
    write()
    assert send_due_mail() == 1
    first.refresh_from_db()
    assert (first.state, first.reason, bytes(first.content)) == (
        State.GIVEN_UP,
        "550 nobody of this name",
        b"",
    )


@pytest.mark.parametrize(("state", "sent", "then"), [(State.TAKEN, 1, None), (State.HANDED, 0, State.UNSURE)])
def test_mail_when_the_worker_was_killed_then_sent_unless_it_may_have_been(
    server: MailServer, state: str, sent: int, then: str | None
) -> None:
    mail = write()
    OutgoingMail.objects.filter(pk=mail.pk).update(state=state, taken_at=timezone.now())
    assert send_due_mail() == 0, "another worker may be at it"
    assert send_due_mail(timezone.now() + TAKEN_TIMEOUT + timedelta(seconds=1)) == sent
    assert OutgoingMail.objects.values_list("state", flat=True).first() == then
    assert len(server.taken) == sent


def test_page_when_the_mail_server_is_silent_then_answers_and_the_mail_waits(
    server: MailServer, client: Client
) -> None:
    server.says["HELLO"] = None
    user = a_user("Ada Abell")
    answer = client.post("/account/password/reset/", {"email": user.email})
    assert answer.status_code == 302
    mail = OutgoingMail.objects.get()
    assert (mail.recipient, mail.state, mail.tries) == (user.email, State.WAITING, 0)


def test_mail_when_the_clock_was_set_back_then_sent_at_once(server: MailServer) -> None:
    write()
    OutgoingMail.objects.update(next_at=timezone.now() + timedelta(hours=1))
    assert send_due_mail() == 1
    write()
    OutgoingMail.objects.update(state=State.TAKEN, tries=1, taken_at=timezone.now() + timedelta(hours=1))
    assert send_due_mail() == 1
    assert len(server.taken) == 2


def test_mail_when_another_worker_took_it_meanwhile_then_left_to_it(server: MailServer) -> None:
    write()
    mine = outbox._claim_next_mail(timezone.now())
    assert mine is not None
    OutgoingMail.objects.update(taken_at=timezone.now())
    with pytest.raises(outbox._ClaimLost):
        outbox._mark_handed(mine)
    assert server.taken == []
