"""What pages and API say of matches that are played by arrangement: board, hold-ups, match, walls, public pages, phones."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import an_event
from tests.support.director import desk_of, event_fields, lines_of, words
from tests.support.rounds import publish_next
from tests.support.tournaments import link_of
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.hall.services.calling import set_table
from tournaments.models import Event, Match, Round, Stage
from tournaments.rounds.services.deadlines import set_deadlines
from tournaments.selectors.event_dates import event_today
from tournaments.shared.words.names import date_label

pytestmark = pytest.mark.django_db


@pytest.fixture
def league():
    """Three rounds: the first is overdue, the second is due in a week, the third has no last day."""
    cache.clear()
    today = timezone.localdate()
    tournament = an_event(
        4,
        system="round_robin",
        lengths=[5],
        swiss=SwissSettings(all_at_once=True),
        starts_on=today,
        ends_on=today,
    )
    publish_next(tournament)
    set_deadlines(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        stage_id=tournament.stage.pk,
        deadlines={
            1: event_today(tournament.event) - timedelta(days=1),
            2: event_today(tournament.event) + timedelta(days=7),
        },
    )
    tournament.fresh()
    return tournament


def of_round(tournament, number):
    return Match.objects.filter(round__number=number).order_by("number").first()


def day_of(number):
    return date_label(Round.objects.get(number=number).deadline)


def test_board_when_everything_is_by_arrangement_then_nobody_is_called_and_it_says_until_when(league):
    desk = desk_of(league)
    page = desk.get("board")
    text = words(page)
    assert "Matches are played by arrangement, without assigned tables." in text
    for absent in ("Call next match", "Waits for a table", "tables free", "Start"):
        assert absent not in text
    ready = lines_of(desk).values()
    assert [(line["notes"], line["overdue"]) for line in ready] == [
        *[([f"by {day_of(1)}"], True)] * 2,
        *[([f"by {day_of(2)}"], False)] * 2,
        *[([], False)] * 2,
    ]
    assert not any(line["can_call"] or line["arranged"] for line in ready)
    set_table(actor=league.actor, event_id=league.event.pk, match_id=of_round(league, 3).pk, table=2)
    page = desk.get("board")
    assert "Call next match" in words(page)
    first = next(iter(lines_of(desk).values()))  # what can be called stands first
    assert (first["id"], first["can_call"]) == (of_round(league, 3).public_id, True)


def test_board_and_hold_ups_when_midnight_passes_then_they_are_new(league, monkeypatch):
    desk = desk_of(league)
    Round.objects.filter(number=1).update(deadline=event_today(league.event))
    tag = desk.get("board")["ETag"]
    again = desk.client.get(desk.url("board"), headers={"If-None-Match": tag})
    assert again.status_code == 304
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: tomorrow)
    after = desk.client.get(desk.url("board"), headers={"If-None-Match": tag})
    assert after.status_code == 200
    assert "Overdue" in words(after)


def test_hold_ups_when_a_last_day_has_passed_then_named_and_nobody_waits_for_a_table(league):
    text = words(desk_of(league).get("holdups"))
    assert "Ready, waiting for a table" not in text
    assert text.count(f"by {day_of(1)}") == 2
    assert day_of(2) not in text


def test_match_page_when_by_arrangement_then_it_can_be_given_a_table_and_not_called(league):
    desk = desk_of(league)
    match = of_round(league, 2)
    page = desk.get("match", match.public_id)
    text = words(page)
    assert "This match is played by arrangement. Assign a table to have it played in the hall." in text
    assert f"by {day_of(2)}" in text
    assert page.context["can_table"]
    assert not any(move["can"] for move in page.context["moves"])
    desk.post("table", match.public_id, table="1")
    moves = {move["word"]: move["can"] for move in desk.get("match", match.public_id).context["moves"]}
    assert moves["call"] is True


def test_wall_and_public_pages_when_by_arrangement_then_until_when_and_no_queue(league):
    client = Client(headers={"accept-language": "en"})
    hall = client.get(reverse("public:hall", args=[league.event.public_id]))
    assert {page["kind"] for page in hall.context["pages"]} <= {"rounds", "tables"}
    assert "Matches are played by arrangement" in words(hall)
    page = client.get(reverse("public:hall", args=[league.event.public_id]), {"show": "tables"}).context[
        "pages"
    ][0]
    assert [row["name"] for row in page["rows"]]  # instead of a queue
    page = client.get(reverse("public:event", args=[league.event.public_id]))
    assert "by arrangement: players agree on time and place" in words(page)
    assert f"by {day_of(2)}" in words(page)
    match = of_round(league, 2)
    about = words(client.get(reverse("public:match", args=[match.public_id])))
    assert f"to be played by {day_of(2)}" in about
    league.settle(match, "a")
    about = words(client.get(reverse("public:match", args=[match.public_id])))
    assert "to be played by" not in about


def test_phone_when_by_arrangement_then_it_says_until_when_and_whom_to_ask(league):
    match = of_round(league, 2)
    client = Client(headers={"accept-language": "en"})
    text = words(client.get(reverse("player:home", args=[link_of(league, match, "a")])))
    opponent = league.entry_at(match, "b").name
    late = next(
        side.entry.name
        for side in Match.objects.filter(round__number=1, slots__entry=league.entry_at(match, "a"))
        .get()
        .slots.all()
        if side.entry != league.entry_at(match, "a")
    )
    assert f"Play this match by {day_of(2)}. Agree on a time and place with {opponent}." in text
    assert f"The deadline was {day_of(1)}. Agree on a time with {late} soon, or contact the director." in text
    assert text.count("Agree on a time and place with") == 2
    assert "Table " not in text.replace("Standings and rounds", "")
    set_table(actor=league.actor, event_id=league.event.pk, match_id=match.pk, table=4)
    text = words(client.get(reverse("player:home", args=[link_of(league, match, "a")])))
    assert f"to be played by {day_of(2)}" in text
    assert f"Play this match by {day_of(2)}" not in text


def test_api_when_by_arrangement_then_stage_and_match_tell_it(league):
    client = Client()
    base = f"/api/v1/events/{league.event.public_id}"
    (stage,) = client.get(f"{base}/").json()["divisions"][0]["stages"]
    assert stage["by_arrangement"] is True
    match = of_round(league, 2)
    told = client.get(f"/api/v1/matches/{match.public_id}/").json()
    assert (told["by_arrangement"], told["deadline"]) == (True, match.round.deadline.isoformat())
    set_table(actor=league.actor, event_id=league.event.pk, match_id=match.pk, table=4)
    assert client.get(f"/api/v1/matches/{match.public_id}/").json()["by_arrangement"] is False
    last = client.get(f"/api/v1/matches/{of_round(league, 3).public_id}/").json()
    assert (last["by_arrangement"], last["deadline"]) == (True, None)


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, True), ({"by_arrangement": None}, True), ({"by_arrangement": False}, False)],
)
def test_api_when_a_league_is_created_then_by_arrangement_unless_said_otherwise(league, given, expected):
    stage = {"system": "round_robin", "lengths": [5], "swiss": {"all_at_once": True}, **given}
    body = {
        "name": "By program",
        "starts_on": "2026-12-01",
        "ends_on": "2027-03-01",
        "divisions": [{"stages": [stage]}],
    }
    client = desk_of(league).client
    url = f"/api/v1/clubs/{league.club.public_id}/events/"
    made = client.post(url, body, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["divisions"][0]["stages"][0]["by_arrangement"] is expected
    stage["by_arrangement"] = "perhaps"
    odd = client.post(url, body, content_type="application/json")
    assert odd.status_code == 400


def test_rules_page_when_where_is_changed_then_tables_are_given_and_the_trail_tells_it(league):
    desk = desk_of(league)
    page = desk.get("conduct", str(league.stage.pk))
    assert page.context["form"]["by_arrangement"].value() == "arrangement"
    fields = {
        name: field.value()
        for name, field in ((one.name, one) for one in page.context["form"])
        if field.value() is not None and field.value() is not False
    }
    sent = {**fields, "by_arrangement": "tables", "seen": page.context["seen"]}
    assert desk.post("conduct", str(league.stage.pk), **sent).status_code == 302
    assert Match.objects.exclude(table=None).count() == 2  # nobody has two
    assert "Played at the tables." in words(desk.get("audit"))
    odd = desk.post("conduct", str(league.stage.pk), **{**fields, "by_arrangement": "moon"})
    assert odd.status_code == 422
    assert league.stage.by_arrangement is False
    page = desk.get("conduct", str(league.stage.pk))
    sent |= {"by_arrangement": "arrangement", "seen": page.context["seen"]}
    desk.post("conduct", str(league.stage.pk), **sent)
    assert not Match.objects.exclude(table=None).exists()
    assert "Played by arrangement." in words(desk.get("audit"))


def test_settings_when_where_is_chosen_before_the_draw_then_kept_and_shown(league):
    tournament = an_event(4, club=league.club, director=league.director)
    desk = desk_of(tournament)
    stage = str(tournament.stage.pk)
    fields = {"system": "single_elimination", "format_preset": "match", "lengths": "5, 7"}
    fields |= {"draw_method": "blind", "report_policy": "opponent_confirms"}
    assert desk.post("stage", stage, **fields, by_arrangement="arrangement").status_code == 302
    assert tournament.stage.by_arrangement is True
    assert "by arrangement: players agree on time and place" in words(desk.get("event"))
    assert desk.post("stage", stage, **fields).status_code == 302  # a form without the question leaves it
    assert tournament.stage.by_arrangement is True
    assert desk.post("stage", stage, **fields, by_arrangement="moon").status_code == 422
    assert desk.post("stage", stage, **fields, by_arrangement="tables").status_code == 302
    assert tournament.stage.by_arrangement is False


def test_new_event_when_a_league_is_made_from_its_card_then_by_arrangement(league):
    desk = desk_of(league)
    url = reverse("director:event-new", args=[league.club.public_id])
    page = desk.client.get(url, {"template": "league"})
    assert page.status_code == 200
    assert page.context["stage_form"]["by_arrangement"].value() == "arrangement"
    sent = event_fields(
        name="Winter league", system="round_robin", all_at_once="on", by_arrangement="arrangement"
    )
    assert desk.client.post(url, {**sent, "template": "league", "divisions": "A, B"}).status_code == 302
    made = Event.objects.get(name="Winter league")
    assert {stage.by_arrangement for stage in Stage.objects.filter(division__event=made)} == {True}
