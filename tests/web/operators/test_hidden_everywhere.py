"""What an operator hides is named at no public address at all. Apart from `test_hidden_things`: its world has other players of the same names."""

from collections.abc import Iterator
from typing import Any

import pytest

from people.actors import Actor
from tests.permissions.public_rows import API, PUBLIC, RATING, RATING_API
from tests.permissions.shared import kept, rolled_back
from tests.permissions.test_every_url import address_of, ask, text_of
from tests.permissions.world import World, build_world
from tests.support.lanes import in_full
from tournaments.operators.services.moderating import moderate

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with kept(django_db_blocker, build_world) as made:
        yield made


@pytest.mark.skipif(
    not in_full(), reason="the long run visits every address; the small form is `test_hidden_things`"
)
@pytest.mark.parametrize("kind", ["club", "event", "player"])
def test_every_public_address_when_something_is_hidden_then_none_names_it(world, kind):
    rows = [row for row in (*PUBLIC, *RATING, *API, *RATING_API) if row.method == "get"]
    key, said = {
        "club": (world.a.club.public_id, "Club A"),
        "event": (world.a.finished.event.public_id, "Rated Night A"),
        "player": (world.a.public_player.public_id, world.a.public_player.name),
    }[kind]
    with rolled_back():
        addresses = [(row, address_of(row, world)) for row in rows]
        moderate(
            actor=Actor.with_label("an operator"),
            kind=kind,
            key=key,
            state="hidden",
            reason="It insults somebody",
        )
        told = {
            row.title
            for row, address in addresses
            if said in text_of(ask(world.clients["nobody"], address, row, world))
        }
    assert told == set()
