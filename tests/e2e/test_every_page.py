"""Every page of the site as a visitor, a player and a director read it: axe finds nothing, in light and in dark.

By hand: `make readers`. Which pages there are says the table of addresses (`tests/permissions`), which no address can miss.
"""

from collections.abc import Iterator

import pytest

from tests.e2e.pages import Person
from tests.e2e.readers import violations
from tests.permissions.shared import rolled_back
from tests.permissions.table import TABLE
from tests.permissions.test_every_url import address_of
from tests.permissions.world import World, build_world
from tests.support.lanes import ONLY_IN_FULL

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHO = ("nobody", "player", "director")
NO_PAGE = "/no/such/page/"


def pages_of(world: World, who: str) -> Iterator[str]:
    """Addresses that answer with a whole page: no file, no part of a page, nothing for programs.

    Of a page that somebody before has read in all its cases, one.
    """
    client, before = world.clients[who], WHO[: WHO.index(who)]
    addresses, names = set[str](), set[str]()
    for row in TABLE:
        if row.method != "get" or 200 not in row.who[who] or row.headers(world):
            continue
        address = address_of(row, world)
        read = row.name in names and any(200 in row.who[other] for other in before)
        if read or address in addresses:
            continue
        addresses.add(address)
        with rolled_back():
            answer = client.get(address)
            whole = (
                answer.status_code == 200
                and answer.headers.get("Content-Type", "").startswith("text/html")
                and not answer.streaming
                and b"<html" in answer.content[:2000]
            )
        if whole:
            names.add(row.name)
            yield address


@ONLY_IN_FULL
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("who", WHO)
def test_readers_of_screens_find_nothing_wrong_on_any_page(house, who):
    world = build_world()
    person = Person(house, who, phone=who == "player").may_see(404)
    cookies = world.clients[who].cookies.items()
    person.visitor.context.add_cookies(
        [{"name": name, "value": one.value, "url": house.site} for name, one in cookies]
    )
    found, read = [], 0
    for address in [NO_PAGE, *pages_of(world, who)]:
        read += 1
        person.goes_to(address)
        found += [f"{address} {fault}" for fault in violations(person.page)]
    assert not found, "\n".join(found)
    assert read > 60
