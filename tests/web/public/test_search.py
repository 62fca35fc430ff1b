"""The search of the whole site: what it finds, and what it never does."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.factories import an_event
from tests.support.tournaments import opened, text_of
from tournaments.models import Event, Match
from tournaments.selectors.search import MAX_RESULTS, search_site

pytestmark = pytest.mark.django_db


def found(text: str) -> list[tuple[str, str]]:
    page = Client().get(reverse("public:search-json"), {"q": text})
    return [(row["text"], row["url"][:3]) for row in page.json()["results"]]


@pytest.fixture
def tournament():
    tournament = an_event(4).publish()
    Event.objects.update(name="Frühlings-Open", place="Łódź")
    Player.objects.filter(name="Bob").update(name="Bób", search_name="bob")
    return tournament


def test_search_when_typed_without_accents_then_players_matches_events_and_clubs_are_found(
    tournament,
) -> None:
    match = next(m for m in tournament.playable() if m.slots.filter(entry__name="Ann").exists())
    pair = " – ".join(slot.entry.name for slot in match.slots.order_by("side"))
    assert found("ANN") == [("Ann", "/p/"), (pair, "/m/")]
    assert ("Bób", "/p/") in found("bob")
    assert found("open fruhlings") == [("Frühlings-Open", "/e/")]
    assert found("lodz") == [("Frühlings-Open", "/e/")]
    assert (tournament.club.name, "/c/") in found(tournament.club.name)
    page = Client().get(reverse("public:search"), {"q": "ann"})
    assert "Current matches" in text_of(page)
    tournament.settle(match, "a")
    assert (pair, "/m/") not in found("ann")


def test_search_when_private_or_unlisted_or_a_draft_then_never_found(tournament) -> None:
    match = Match.objects.filter(slots__entry__name="Ann", round__number=1).get()
    other = match.slots.exclude(entry__name="Ann").get().entry.name
    Player.objects.filter(entry_players__entry__name=other).update(listed=False)
    assert found(other) == []
    assert not any(other in text for text, _url in found("ann"))
    Player.objects.update(listed=False)
    assert found("ann") == []
    Player.objects.update(listed=True)
    Event.objects.update(visibility="unlisted")
    assert found("ann") == [("Ann", "/p/")]
    assert found("open") == []
    draft = an_event(2)
    Event.objects.filter(pk=draft.event.pk).update(name="Secret plans")
    assert found("secret") == []
    opened(draft)
    assert found("secret") == [("Secret plans", "/e/")]


def test_search_when_nothing_or_odd_then_empty_and_never_more_than_it_shows(
    tournament, django_assert_max_num_queries
) -> None:
    for text in ("", " – ", "\0", "zzzz", "%", "_"):
        assert found(text) == []
    assert "Nothing found" in text_of(Client().get(reverse("public:search"), {"q": "zzzz"}))
    Player.objects.bulk_create(
        Player(name=f"Ann {n}", search_name=f"ann {n}", public_id=f"x{n}") for n in range(50)
    )
    with django_assert_max_num_queries(9):
        assert len(search_site("ann").players) == MAX_RESULTS
