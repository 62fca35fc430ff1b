"""The demo, made once for all tests here: events of every kind, played through the services."""

from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from people.models import AuditEntry, Club
from rating.models import Fact, FactKind, Standing
from rating.selectors import club_lists, ratings_of_player
from tests.permissions.shared import kept
from tournaments.checks.soundness import integrity_faults
from tournaments.models import Event, Match
from tournaments.selectors.leagues import load_season


def make_demo(*arguments):
    out = StringIO()
    call_command("seed_demo", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def demo(django_db_setup, django_db_blocker):
    with kept(django_db_blocker, lambda: make_demo("--if-empty")) as said:
        yield said


@pytest.mark.django_db
def test_seed_demo_when_in_production_then_refused(settings):
    settings.PRODUCTION = True

    with pytest.raises(CommandError, match="password is public"):
        make_demo()


def test_seed_demo_when_empty_then_events_of_every_kind_by_the_services_with_ratings(demo):
    assert "director@example.org" in demo
    assert f"{Event.objects.count()} events" in demo
    assert sorted(Event.objects.values_list("status", "name")) == [
        ("finished", "Autumn Open"),
        ("finished", "Harbour League"),
        ("open", "Winter Cup"),
        ("running", "Chouette League"),
        ("running", "Harbour Weekend"),
        ("running", "Tuesday Swiss"),
    ]
    assert {
        event.name: integrity_faults(event) for event in Event.objects.all() if integrity_faults(event)
    } == {}
    assert AuditEntry.objects.filter(action="match.report").count() > 20
    assert Fact.objects.count() > 40
    rating_list, points = club_lists(Club.objects.get().pk)
    winner = Match.objects.filter(round__code="final", status="confirmed").get()
    champion = winner.slots.get(side=winner.winner_side).entry.players.get()
    assert ratings_of_player(champion.pk)[0].rating > 1500
    winner_of = Fact.objects.get(kind=FactKind.PLACE, event_weight=2.0, place=1)
    assert winner_of.winner == champion
    assert Standing.objects.on(points).get(player=champion).rating > 2 * 4
    assert rating_list.version > 1


def test_seed_demo_when_looked_at_then_the_weekend_is_in_full_swing(demo):
    matches = Match.objects.filter(stage__division__event__name="Harbour Weekend")
    main = matches.filter(stage__division__name="Open")
    assert set(main.values_list("round__section", flat=True)) == {"main", "consolation", "last_chance"}
    statuses = Counter(main.values_list("status", flat=True))
    assert (statuses["disputed"], statuses["reported"], statuses["playing"]) == (1, 1, 3)
    assert main.filter(round__section="consolation", status="confirmed").exclude(result_kind="bye").exists()
    assert main.filter(round__section="last_chance").exists()
    doubles = Event.objects.get(name="Harbour Weekend").divisions.get(name="Doubles")
    assert [entry.players.count() for entry in doubles.entries.all()] == [2, 2, 2, 2]
    assert set(matches.filter(stage__division=doubles).values_list("status", flat=True)) == {
        "ready",
        "waiting",
    }


def test_seed_demo_when_the_league_is_over_then_the_next_season_can_be_made(demo):
    season = load_season(Event.objects.get(name="Harbour League"))
    assert season is not None
    assert season.is_over


def test_seed_demo_when_made_twice_then_refused_in_words(demo):
    with pytest.raises(CommandError):
        make_demo()
    assert Club.objects.count() == 1
