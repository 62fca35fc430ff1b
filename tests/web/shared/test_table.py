"""The table of pages for everybody knows every address, and no page there shows anything that its keys do not know of."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.shared.pages import HALL_VIEW, SHARED_PAGES, UNSHARED_NAMESPACES, UNSHARED_PAGES, page_at
from people.addresses import without_language
from people.models import Player
from people.services.clubs import update_club
from people.services.federations import join_federation
from people.services.players import update_player
from rating.models import Fact
from rating.selectors import club_lists
from rating.services import update_list_ratings
from rating.services.official import make_official
from tests.factories import a_club, an_event
from tests.support.asking import Site
from tests.support.lanes import in_full
from tests.support.tournaments import first_match
from tournaments.engine.statuses import EventAction
from tournaments.events.services.events import EventDetails, change_event_status, update_event
from tournaments.models import Series
from tournaments.notices.services.announcing import announce
from tournaments.operators.services.moderating import moderate
from tournaments.series.services.series import create_series, set_event_series

ACCOUNTS = ("account_", "mfa_", "usersessions_", "set_language")
# Their pages are drawn for some inputs alone; `tests/web/games/test_match_records.py` has a match with a record.
WITH_A_RECORD = {"records:match", "records:record", "records:copy"}


def names_in(resolver: URLResolver, space: str = "") -> Iterator[str]:
    for found in resolver.url_patterns:
        if isinstance(found, URLResolver):
            yield from names_in(found, f"{space}{found.namespace}:" if found.namespace else space)
        elif isinstance(found, URLPattern):
            yield f"{space}{found.name or found.pattern}"


def test_table_names_every_public_address_shared_or_with_the_reason_why_not():
    public = {
        name
        for name in names_in(get_resolver())
        if name.partition(":")[0] not in UNSHARED_NAMESPACES and not name.startswith(ACCOUNTS)
    }
    assert public - {name for name in public if name.startswith("games:import")} == {
        *SHARED_PAGES,
        *UNSHARED_PAGES,
    }
    assert not set(SHARED_PAGES) & set(UNSHARED_PAGES)


@pytest.fixture
def tournament():
    tournament = an_event(entries=4, lengths=[7], name="Club night")
    tournament.publish()
    tournament.settle(first_match(tournament), "a", 4)
    rating_list = club_lists(tournament.club.pk)[0]
    update_list_ratings(rating_list.pk)
    make_official(actor=tournament.actor, list_id=rating_list.pk, day=date(2026, 1, 1))
    return tournament


def addresses(tournament: Any) -> dict[str, str]:
    """One of each page, of this event."""
    fact = Fact.objects.get()
    of_list = [club_lists(tournament.club.pk)[0].public_id]
    event, winner, loser = [tournament.event.public_id], fact.winner.public_id, fact.loser.public_id
    arguments: dict[str, list[Any]] = {
        "public:club": [tournament.club.public_id],
        "public:club-players": [tournament.club.public_id],
        "public:club-analyses": [tournament.club.public_id],
        "public:match": [first_match(tournament).public_id],
        "public:player": [winner],
        "public:way": [tournament.event.public_id, tournament.division.entries.order_by("pk")[0].public_id],
        "rating:list": of_list,
        "rating:official": of_list,
        "rating:official-dates": of_list,
        "rating:official-issue": [*of_list, 1],
        "rating:why": [*of_list, fact.pk],
        "rating:player": [*of_list, winner],
        "rating:opponents": [*of_list, winner],
        "rating:versus": [*of_list, winner, loser],
    }
    series = Series.objects.first()
    if series is None:
        series = create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Nights")
        set_event_series(actor=tournament.actor, event_id=tournament.event.pk, series_id=series.pk)
    arguments["public:series"] = [series.public_id]
    found = {}
    for name, shared in SHARED_PAGES.items():
        if name not in WITH_A_RECORD | {"public:points-csv"}:
            of_event = event if shared.of is not None and shared.of[1] == "event" else []
            found[name] = reverse(name, args=arguments.get(name, of_event))
    return found


def details(tournament: Any, **more: Any) -> EventDetails:
    event = tournament.fresh()
    days = {"starts_on": event.starts_on, "ends_on": event.ends_on}
    return EventDetails(**{"name": event.name, **days, **more})


def _player(tournament: Any, **more: Any) -> None:
    ann = Player.objects.get(name="Ann")
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, **{"name": "Ann", **more}
    )


def _next_result(tournament: Any) -> None:
    tournament.settle(tournament.playable()[0], "a")


CHANGES: dict[str, Callable[[Any], object]] = {
    "a result": _next_result,
    "a affected rating": lambda tournament: update_list_ratings(club_lists(tournament.club.pk)[0].pk),
    "a name": lambda tournament: _player(tournament, name="Anneliese"),
    "an announcement": lambda tournament: announce(
        actor=tournament.actor, event_id=tournament.event.pk, text="Coffee is ready"
    ),
    "the club": lambda tournament: update_club(
        actor=tournament.actor, club_id=tournament.club.pk, name="Use another name"
    ),
    "the event": lambda tournament: update_event(
        actor=tournament.actor, event_id=tournament.event.pk, details=details(tournament, name="Other night")
    ),
    "another event of the club": lambda tournament: an_event(
        entries=2, club=tournament.club, name="Other"
    ).publish(),
    "a federation": lambda tournament: join_federation(
        actor=tournament.actor, club_id=tournament.club.pk, parent_id=a_club(tournament.director).pk
    ),
    "a player who leaves the lists": lambda tournament: _player(tournament, listed=False),
    "an event that leaves the lists": lambda tournament: update_event(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        details=details(tournament, visibility="unlisted"),
    ),
    "an event that an operator hides": lambda tournament: moderate(
        actor=tournament.actor,
        kind="event",
        key=tournament.event.public_id,
        state="hidden",
        reason="Somebody complained",
    ),
    "an event that is shown again": lambda tournament: moderate(
        actor=tournament.actor,
        kind="event",
        key=tournament.event.public_id,
        state="",
        reason="It was a mistake",
    ),
    "an event that is cancelled": lambda tournament: change_event_status(
        actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL
    ),
}
ALWAYS = ("a result", "a player who leaves the lists", "an event that an operator hides")


@pytest.mark.django_db
def test_words_of_the_query_that_a_page_reads_are_those_of_the_table(tournament, monkeypatch):
    """What is not in the table is taken out of the address before the page is drawn."""
    read: set[str] = set()

    def reading(usual: Callable[..., Any]) -> Callable[..., Any]:
        def method(query: QueryDict, name: str, *rest: Any) -> Any:
            read.add(name)
            return usual(query, name, *rest)

        return method

    for name in ("get", "getlist", "__getitem__", "__contains__"):
        monkeypatch.setattr(QueryDict, name, reading(getattr(QueryDict, name)))
    for name, url in addresses(tournament).items():
        read.clear()
        Client().get(f"{url}?something=else")
        found = page_at(url)
        assert found is not None
        assert read <= found.query | {HALL_VIEW, "something"}, name


@pytest.mark.django_db
def test_page_when_anything_on_it_changes_then_never_the_one_from_before(tournament):
    """After each change every page is what the application itself would draw now: the same, or gone."""
    site = Site()
    visitor, alone = site.visitor(), Site().asked_itself()
    pages = {name: f"/en{url}" for name, url in addresses(tournament).items()}
    for name, url in pages.items():
        assert visitor.get(url).status_code == 200, name
        assert page_at(without_language(url)) is not None
    assert len(site.asked) == len(pages) == sum(len(room.pages) for room in site.memory._rooms)
    for what, change in CHANGES.items():
        if what not in ALWAYS and not in_full():
            continue
        change(tournament)
        site.later()
        for name, url in pages.items():
            shown = visitor.get(url)
            if shown.status_code == 200:
                now = alone.get(url, headers={"If-None-Match": shown["ETag"]})
                assert now.status_code == 304, f"{name} does not show {what}"
            else:
                assert alone.get(url).status_code == shown.status_code, f"{name}: {what}"
