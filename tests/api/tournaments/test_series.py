"""Series and templates by the API: what is set of a series, its days and its table page by page."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.models import Player
from people.services.players import update_player
from tests.factories import an_event
from tests.support.described import described
from tests.support.problems import problem_of
from tests.support.tournaments import first_match, opened, signed_in
from tournaments.engine.types import Claim
from tournaments.models import Match
from tournaments.repairs.services.correct import correct_result
from tournaments.series.services.series import create_series, set_event_series

pytestmark = pytest.mark.django_db


def post(client, name, /, *args, **body):
    return described(client.post(reverse(f"api:{name}", args=args), body, content_type="application/json"))


def put(client, name, /, *args, **body):
    return described(client.put(reverse(f"api:{name}", args=args), body, content_type="application/json"))


def get(name, series, query=None, **headers):
    return described(Client().get(reverse(f"api:{name}", args=[series]), query or {}, headers=headers))


def rows(name, series, size=50):
    """The rows of all pages, each found by the address that the one before names."""
    address, found = f"{reverse(f'api:{name}', args=[series])}?page_size={size}", []
    while address is not None:
        body = described(Client().get(address)).json()
        found += body["results"]
        address = body["next"]
    assert len(found) == body["count"]
    return found


@pytest.fixture
def evenings():
    """Four evenings of a series, a week from one to the next: two are over, one is open to come, and the last one a draft."""
    first = an_event(entries=4, lengths=[3])
    days = [first.event.starts_on + timedelta(days=7 * week) for week in (1, 2, 3)]
    club = {"club": first.club, "director": first.director, "lengths": [3]}
    evenings = [
        first,
        *(an_event(2, starts_on=day, ends_on=day, name=f"Night {day}", **club) for day in days),
    ]
    series = create_series(actor=first.actor, club_id=first.club.pk, name="Tuesdays")
    for tournament in evenings:
        set_event_series(actor=tournament.actor, event_id=tournament.event.pk, series_id=series.pk)
    for tournament in evenings[:2]:
        tournament.publish()
        while open_matches := tournament.playable():
            for match in open_matches:
                tournament.settle(match, "a", 1)
    opened(evenings[2])
    return evenings


def series_id(evenings):
    return evenings[0].fresh().series.public_id


def test_series_when_made_and_played_then_told_with_its_table_and_its_rule_can_be_another():
    tournament = an_event(entries=2, lengths=[3])
    client, club = signed_in(tournament.director), tournament.club.public_id
    days = [str(tournament.event.starts_on + timedelta(days=more)) for more in (7, 14)]
    made = post(
        client, "club-series", club, event=tournament.event.public_id, days=days, name="Tuesdays"
    ).json()
    assert (made["series"]["name"], len(made["events"])) == ("Tuesdays", 2)
    refused = post(client, "club-series", club, event=tournament.event.public_id, days=days)
    assert [fault["code"] for fault in problem_of(refused)["faults"]] == ["again.there_already"] * 2
    for name, where, body in (
        ("club-series", club, {"event": tournament.event.public_id, "days": ["9999-12-31"]}),
        ("copy-event", tournament.event.public_id, {"starts_on": "9999-12-31"}),
    ):
        never = post(client, name, where, **body)
        assert (never.status_code, never.json()["code"]) == (422, "event.day_odd")
    nothing = post(client, "club-series", club, days=days, name="Of nothing")
    assert (nothing.status_code, nothing.json()["faults"][0]["field"]) == (422, "event")
    tournament.publish()
    tournament.settle(first_match(tournament), "a", 1)
    series = made["series"]["id"]
    table, days = rows("series-table", series), rows("series-days", series)
    assert [(row["rank"], row["points"]) for row in table] == [(1, 10.0), (2, 8.0)]
    assert [day["winners"] for day in days] == [[table[0]["player"]["name"]]]
    (cell,) = table[0]["days"]
    assert cell == {"event": tournament.event.public_id, "place": 1, "points": 10.0, "counts": True}
    before = described(client.get(reverse("api:series", args=[series]))).json()["version"]
    told = put(client, "series", series, name="Cup", rule={"points": [3, 1], "rest": 0}, seen=before).json()
    assert [row["points"] for row in rows("series-table", series)] == [3.0, 1.0]
    refused = problem_of(put(client, "series", series, name="Cup", rule={"points": [1, 3]}))
    assert [(one["code"], one["field"]) for one in refused["faults"]] == [
        ("series.points_rise", "rule.points")
    ]
    assert put(client, "series", series, name="Mine", rule=told["rule"], seen=before).status_code == 409
    again = put(client, "series", series, name="Cup", rule=told["rule"], seen=told["version"])
    assert again.json()["version"] == told["version"]
    assert described(client.get(reverse("api:club-series", args=[club]))).json()[0]["name"] == "Cup"
    assert post(client, "event-series", tournament.event.public_id, series=None).json()["series"] is None


def test_days_when_asked_by_pages_then_the_latest_first_and_drafts_are_not_among_them(evenings):
    series = series_id(evenings)
    latest_first = [tournament.event.public_id for tournament in evenings[2::-1]]
    for size in (1, 2, 50):
        assert [day["event"] for day in rows("series-days", series, size)] == latest_first
    first = get("series-days", series, {"page_size": 2}).json()
    last = get("series-days", series, {"page_size": 2, "page": 2}).json()
    assert (first["count"], len(first["results"]), first["previous"]) == (3, 2, None)
    assert (len(last["results"]), last["next"]) == (1, None)
    assert get("series-days", series, {"page_size": 2, "page": 1}).json()["next"] == first["next"]
    assert [len(day["winners"]) for day in (*first["results"], *last["results"])] == [0, 1, 1]
    beyond = problem_of(get("series-days", series, {"page_size": 2, "page": 3}))
    assert (beyond["status"], beyond["code"]) == (404, "page.unknown")
    for name in ("series-days", "series-table"):
        refused = problem_of(get(name, series, {"page": 0, "page_size": 201, "player": "x"}))
        assert {fault["field"] for fault in refused["faults"]} == {"page", "page_size", "player"}


def test_days_when_a_page_is_asked_then_nobody_works_out_who_won_on_the_others(evenings):
    counts = []
    for size in (1, 3):
        cache.clear()
        with CaptureQueriesContext(connection) as caught:
            assert len(get("series-days", series_id(evenings), {"page_size": size}).json()["results"]) == size
        counts.append(len(caught))
    assert counts[0] + 4 < counts[1]  # of the first page is the day that is still to come


def test_table_when_asked_by_pages_then_by_rank_and_name_and_without_who_is_not_listed(evenings):
    series = series_id(evenings)
    whole = rows("series-table", series)
    assert [(row["rank"], row["points"]) for row in whole] == [
        *[(1, 10.0)] * 2,
        *[(3, 8.0)] * 2,
        *[(5, 5.5)] * 2,
    ]
    assert whole == sorted(whole, key=lambda row: (row["rank"], row["player"]["name"]))
    assert len({row["player"]["id"] for row in whole}) == 6
    for size in (1, 3, 4):
        assert rows("series-table", series, size) == whole
    second = get("series-table", series, {"page_size": 4, "page": 2}).json()
    assert (second["count"], len(second["results"]), second["next"]) == (6, 2, None)
    assert second["previous"].endswith("?page_size=4")
    beyond = problem_of(get("series-table", series, {"page": 2}))
    assert (beyond["status"], beyond["code"]) == (404, "page.unknown")
    gone = Player.objects.get(public_id=whole[0]["player"]["id"])
    leave_lists(evenings[0], gone)
    assert [row["rank"] for row in rows("series-table", series, 2)] == [1, 2, 2, 4, 4]
    assert gone.public_id not in get("series-table", series).content.decode()


def leave_lists(tournament, player):
    update_player(
        actor=tournament.actor,
        club_id=tournament.club.pk,
        player_id=player.pk,
        name=player.name,
        listed=False,
    )


def test_pages_of_a_series_when_nothing_changed_then_304_and_new_with_what_changes(evenings):
    series, (tournament, other) = series_id(evenings), evenings[:2]

    def etags():
        return {name: get(name, series)["ETag"] for name in ("series-days", "series-table")}

    before = etags()
    for name, etag in before.items():
        unchanged = get(name, series, **{"If-None-Match": etag})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert get(name, series, {"page_size": 1}, **{"If-None-Match": etag}).status_code == 200
    match = Match.objects.get(stage=other.stage)
    winners = get("series-days", series).json()["results"][1]["winners"]
    correct_result(
        actor=other.actor,
        event_id=other.event.pk,
        match_id=match.pk,
        claim=Claim(1, 3),
        submission_key="again",
    )
    corrected = etags()
    assert not before.items() & corrected.items()
    assert get("series-days", series).json()["results"][1]["winners"] != winners
    leave_lists(tournament, tournament.entry("Ann").players.get())
    assert corrected["series-table"] != etags()["series-table"]


def test_template_when_saved_then_offered_used_and_put_aside():
    tournament = an_event(lengths=[7])
    client, club = signed_in(tournament.director), tournament.club.public_id
    saved = post(client, "club-templates", club, event=tournament.event.public_id, name="Ours").json()
    made = post(client, "use-template", club, saved["id"], starts_on=str(tournament.event.starts_on)).json()
    assert (made["name"], made["divisions"][0]["stages"][0]["lengths"]) == ("Ours", [7])
    aside = put(client, "club-template", club, saved["id"], name="Ours", archived=True, seen=1).json()
    assert (aside["archived"], aside["version"]) == (True, 2)
    refused = put(client, "club-template", club, saved["id"], name="Mine", seen=1)
    assert refused.status_code == 409
