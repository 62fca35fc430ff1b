"""Every address of the site, opened by everybody: the right answer, never a crash, never a secret."""

import urllib.parse
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.permissions.rows import Row
from tests.permissions.shared import kept, rolled_back
from tests.permissions.table import TABLE
from tests.permissions.world import VISITORS, World, build_world
from tests.support.lanes import in_full

AREAS = sorted({row.name.partition(":")[0] for row in TABLE})


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with kept(django_db_blocker, build_world) as made:
        yield made


def names_in(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, str]]:
    """Full name and pattern of every address."""
    for found in resolver.url_patterns:
        if isinstance(found, URLResolver):
            inner = f"{space}{found.namespace}:" if found.namespace else space
            yield from names_in(found, inner)
        elif isinstance(found, URLPattern):
            yield f"{space}{found.name or found.pattern}", str(found.pattern)


def site_names() -> set[str]:
    return {name for name, _pattern in names_in(get_resolver()) if not name.startswith("admin:")}


def test_table_knows_every_address_of_the_site():
    missing = sorted(site_names() - {row.name for row in TABLE})
    assert not missing, f"no row in tests/permissions/table.py says who may open: {', '.join(missing)}"


def test_table_knows_no_address_that_is_gone():
    gone = sorted({row.name for row in TABLE} - site_names())
    assert not gone, f"rows for addresses that do not exist: {', '.join(gone)}"


@pytest.mark.parametrize("area", AREAS)
def test_every_address_shows_each_visitor_what_is_theirs(world, area):
    faults = [
        f"{row.title}: {fault}"
        for number, row in enumerate(TABLE)
        if row.name.partition(":")[0] == area
        for visitor in visitors(row, number)
        for fault in visit(world, row, visitor)
    ]
    assert not faults, "\n" + "\n".join(faults)


def visitors(row: Row, number: int) -> list[str]:
    """Everybody in `.ci/long`; else of those who get the same answer one, in turns."""
    if in_full():
        return list(VISITORS)
    alike: dict[frozenset[int], list[str]] = defaultdict(list)
    for visitor in VISITORS:
        alike[frozenset(row.who[visitor])].append(visitor)
    return [group[number % len(group)] for group in alike.values()]


def visit(world: World, row: Row, visitor: str) -> list[str]:
    """What is wrong with the answer that this visitor gets."""
    with rolled_back():
        address = address_of(row, world)
        response = ask(world.clients[visitor], address, row, world)
        body = text_of(response)
    faults = []
    if response.status_code not in row.who[visitor]:
        wanted = " or ".join(map(str, sorted(row.who[visitor])))
        faults.append(
            f"{visitor}: {response.status_code} instead of {wanted} {response.headers.get('Location', '')}"
        )
    faults += [
        f"{visitor} is told {name}: {secret}"
        for name, secret in world.must_not_read(visitor)
        # What stands in the address is known to whoever asks for it; a page may repeat it.
        if secret in body and name not in row.tells and secret not in urllib.parse.unquote(address)
    ]
    return faults


def address_of(row: Row, world: World) -> str:
    address = reverse(row.name, kwargs=dict(row.fill(world)))
    if row.query:
        query = row.query.replace("PRIVATE_B", world.b.private.public_id)
        address += "?" + urllib.parse.quote(query, safe="=&")
    return address


def ask(client: Client, address: str, row: Row, world: World) -> Any:
    headers = dict(row.headers(world))
    data = dict(row.data(world))
    if row.method == "json":
        return client.post(address, data, content_type="application/json", headers=headers)
    if row.method == "put":
        return client.put(address, data, content_type="application/json", headers=headers)
    if row.method == "post":
        return client.post(address, data, headers=headers)
    return client.get(address, headers=headers)


def text_of(response: Any) -> str:
    """All that the visitor gets to read: the body, and the headers."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    heads = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return heads + "\n" + body.decode("utf-8", "replace")


READS = {200, 301, 302, 400, 403, 404}


def admin_addresses() -> Iterator[tuple[str, str]]:
    """Each page of the admin, with a real row where it shows one."""
    models = {f"{m._meta.app_label}_{m._meta.model_name}": m for m in admin.site._registry}
    for name, _pattern in names_in(get_resolver()):
        space, _colon, short = name.partition(":")
        if space != "admin" or "<" in short:  # nameless: the catch-all, and old addresses that lead on
            continue
        about, _underscore, page = short.rpartition("_")
        if page in {"change", "delete", "history"} and about in models:
            found = models[about]._default_manager.first()
            yield short, reverse(name, args=[found.pk if found is not None else 1])
        else:
            args = {"app_list": ["people"], "view_on_site": [1, 1]}.get(short, [])
            yield short, reverse(name, args=args)


def seen_by(client: Client, address: str) -> Any:
    with rolled_back():
        return client.get(address)


def test_admin_is_for_staff_alone_and_changes_nothing(world):
    faults, seen = [], 0
    for short, address in admin_addresses():
        seen += 1
        # Nobody but staff gets in: each page is asked by everybody in `.ci/long`, else by some of them in turns.
        for visitor in VISITORS if in_full() else VISITORS[seen % 4 :: 4]:
            response = seen_by(world.clients[visitor], address)
            if response.status_code not in {302, 404} and short not in {"login", "jsi18n"}:
                faults.append(f"{visitor} gets {response.status_code} for {address}")
            body = text_of(response)
            faults += [
                f"{visitor} reads {name} at {address}"
                for name, secret in world.must_not_read(visitor)
                if secret in body
            ]
        status = seen_by(world.staff, address).status_code
        wanted = {403} if short.endswith(("_add", "_delete")) else READS
        if short != "logout" and status not in {*wanted, *({405} if "password" in short else set())}:
            faults.append(f"staff gets {status} for {address}")
    assert not faults, "\n".join(faults)
    assert seen > 20
