"""A database of an earlier release after `migrate`: events are sound, ratings are what the ledger says, pages open."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from people.models import AuditEntry, Club, Player, User
from rating.models import RatingList
from tests.support.lanes import in_full, the_few_or
from tests.upgrades.packed import NEWEST, OLDEST
from tournaments.models import Entry, Event, Match, Stage
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("release")]
ROWS_OF_TRAIL = 50
PAGES_OF = pytest.mark.parametrize("_brought_to_today", the_few_or([OLDEST, NEWEST], [OLDEST]), indirect=True)
# Whose pages are opened: in `.ci/long` of all events, else of every third, for most look alike.
EACH = 1 if in_full() else 3
ONCE = pytest.mark.sqlite  # pages write no query: what they ask is asked of both databases by the tests above


def output_of(command, *arguments):
    out = StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def test_upgraded_database_when_its_events_are_asked_then_all_are_sound():
    assert output_of("check_events") == f"Events checked: {Event.objects.count()}, all consistent.\n"


def test_upgraded_database_when_its_rating_lists_are_computed_anew_then_nothing_differs():
    said = output_of("rebuild_ratings", "--check").splitlines()
    assert len(said) == RatingList.objects.filter(archived=False).count() > 2
    assert all(line.endswith("differences found: 0") for line in said)


@ONCE
@pytest.mark.parametrize("_brought_to_today", [OLDEST], indirect=True)
def test_upgraded_database_holds_every_system_and_every_status():
    assert set(Stage.objects.values_list("system", flat=True)) == set(Stage.System.values)
    assert set(Event.objects.values_list("status", flat=True)) == {
        "draft", "open", "running", "finished", "cancelled",
    }  # fmt: skip
    assert set(Match.objects.values_list("status", flat=True)) == {
        "waiting", "ready", "called", "playing", "reported", "disputed", "adjourned", "confirmed", "void",
    }  # fmt: skip


def directors_client(club):
    client = Client()
    client.force_login(
        User.objects.filter(memberships__club=club).order_by("pk").first(),
        backend="allauth.account.auth_backends.AuthenticationBackend",
    )
    return client


@ONCE
@PAGES_OF
def test_upgraded_database_when_pages_are_opened_then_they_answer():
    shown = Event.objects.exclude(status="draft")
    playing = Entry.objects.filter(division__event__status="running").order_by("pk")[:: 20 * EACH]
    players = Player.objects.filter(listed=True, merged_into=None).order_by("pk")[:: 40 * EACH]
    paths = [
        reverse("public:home"),
        *(reverse("public:club", args=[club.public_id]) for club in Club.objects.all()),
        *(reverse("public:event", args=[event.public_id]) for event in shown.order_by("pk")[::EACH]),
        *(reverse("player:home", args=[entry_token(entry)]) for entry in playing),
        *(reverse("public:player", args=[player.public_id]) for player in players),
    ]
    answers = {path: Client().get(path).status_code for path in paths}
    assert {path: status for path, status in answers.items() if status != 200} == {}


@ONCE
@PAGES_OF
def test_upgraded_database_when_its_director_looks_then_every_event_and_its_whole_trail_are_shown():
    for club in Club.objects.filter(events__isnull=False).distinct():
        client = directors_client(club)
        assert client.get(reverse("people:audit", args=[club.public_id])).status_code == 200
        for number, event in enumerate(club.events.order_by("pk")[::EACH]):
            if number % (3 // EACH) == 0:
                assert client.get(reverse("director:event", args=[event.public_id])).status_code == 200
            rows = AuditEntry.objects.filter(scope=f"event:{event.pk}").count()
            for page in range(1, 2 + (rows - 1) // ROWS_OF_TRAIL):
                answer = client.get(reverse("director:audit", args=[event.public_id]), {"page": page})
                assert answer.status_code == 200
                assert len(answer.context["entries"]) == min(ROWS_OF_TRAIL, rows - ROWS_OF_TRAIL * (page - 1))
                assert all(entry["words"] for entry in answer.context["entries"])
                assert "this version cannot display" not in answer.content.decode()
