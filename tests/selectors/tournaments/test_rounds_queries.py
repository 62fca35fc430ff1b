"""What the pages of a Swiss cost: as many queries for forty entries as for six."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import desk_of
from tests.support.rounds import play_to_the_end, then, where
from tests.support.rounds import publish_next as publish_one
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.rounds.services.deadlines import set_deadlines
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import next_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def under_way(entries, rounds):
    tournament = an_event(entries, system="swiss", swiss=SwissSettings(rounds=9, clubs="avoid"), lengths=[3])
    for number in range(1, rounds + 1):
        publish_one(tournament, seed=number)
        tournament.play_out()
    pair_next_round(**where(tournament), seed=99)
    return tournament


def queries(action):
    """How many there are beside the note that a director is here, once in a while and where no cache is shared."""
    cache.clear()  # what the pages before have kept
    with CaptureQueriesContext(connection) as seen:
        assert action() is not None
    return sum("people_presence" not in one["sql"] for one in seen.captured_queries)


def costs(tournament):
    """Queries of the preview, of the director's page and of the public one."""
    desk = desk_of(tournament)
    desk.get("draw")
    public = reverse("public:bracket", args=[tournament.event.public_id])
    return (
        queries(lambda: next_round(tournament.stage, load_draw(tournament.stage))),
        queries(lambda: desk.get("draw", check="1")),
        queries(lambda: Client().get(public)),
    )


def test_pages_of_a_swiss_when_it_is_large_then_as_many_queries_as_when_it_is_small():
    small, large = costs(under_way(6, 2)), costs(under_way(40, 4))
    assert large == small
    assert max(large) <= 21


def a_league(entries):
    tournament = an_event(
        entries,
        system="round_robin",
        lengths=[3],
        swiss=SwissSettings(all_at_once=True),
        prizes=prizes_from_amounts((10,)),
    )
    pair_next_round(**where(tournament), seed=1)
    set_deadlines(**where(tournament), deadlines={1: tournament.event.starts_on})
    publish_one(tournament)
    return tournament


def groups_and_finals(entries):
    tournament = an_event(entries, system="round_robin", lengths=[3], swiss=SwissSettings(group_count=2))
    then(tournament, system="swiss", fed_by=1, takes=2, swiss=SwissSettings(lives=2, clubs="avoid"))
    play_to_the_end(tournament)
    pair_next_round(**where(tournament, 2), seed=5)
    return tournament


@pytest.mark.parametrize(
    ("make", "few", "many"), [(a_league, 4, 12), (groups_and_finals, 6, 12)], ids=["league", "groups"]
)
def test_pages_of_a_round_robin_when_it_is_large_then_as_many_queries_as_when_it_is_small(make, few, many):
    found = []
    for entries in (few, many):
        tournament = make(entries)
        desk = desk_of(tournament)
        desk.get("draw")
        overview = reverse("public:event", args=[tournament.event.public_id])
        rounds = reverse("public:bracket", args=[tournament.event.public_id])
        found.append(
            (
                queries(lambda desk=desk: desk.get("draw")),
                queries(lambda overview=overview: Client().get(overview)),
                queries(lambda rounds=rounds: Client().get(rounds)),
            )
        )
    assert found[0] == found[1]
    assert max(found[0]) <= 33
