"""Requests that schemathesis makes out of the API's description: nothing breaks, and every answer is one that the description knows."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from rating.selectors import club_lists
from tests.factories import an_event
from tests.permissions.shared import rolled_back
from tests.support.lanes import in_full

pytestmark = pytest.mark.django_db
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EACH = 40 if in_full() else 2
SCHEMA = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
OPERATIONS = {f"{one.ok().method} {one.ok().path}": one.ok() for one in SCHEMA.get_all_operations()}
TAKES_LONG = {
    "POST /api/v1/records/check/"
}  # a record is checked move by move: `tests/web/games` gives it odd ones


@pytest.fixture(scope="module")
def known(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """An event that is played, and what stands in addresses for it: half of the requests meet something that is there."""
    with django_db_blocker.unblock(), rolled_back():
        tournament = an_event(4, lengths=[3]).publish()
        match = tournament.playable()[0]
        entry = tournament.entry_at(match, "a")
        yield (
            tournament.director,
            {
                "event": tournament.event.public_id,
                "match": match.public_id,
                "entry": entry.public_id,
                "club": tournament.club.public_id,
                "player": entry.players.get().public_id,
                "list_id": club_lists(tournament.club.pk)[0].public_id,
                "number": 1,
            },
        )


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - TAKES_LONG))
def test_request_made_from_the_description_gets_an_answer_that_it_knows(known, name):
    director, there = known
    clients = [Client(raise_request_exception=False), Client(raise_request_exception=False)]
    clients[0].force_login(director)
    operation = OPERATIONS[name]

    @given(case=operation.as_strategy(), real=st.booleans(), client=st.sampled_from(clients))
    @settings(
        max_examples=EACH,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
        derandomize=True,
        deadline=None,
    )
    def asks(case: schemathesis.Case, real: bool, client: Client) -> None:
        if real:
            case.path_parameters = {
                key: there.get(key, value) for key, value in (case.path_parameters or {}).items()
            }
        with rolled_back():
            case.validate_response(answer_to(case, client), checks=CHECKS)

    asks()


def answer_to(case: schemathesis.Case, client: Client) -> schemathesis.Response:
    """What the site answers, asked by Django's own client, as the checks of schemathesis read it."""
    asked = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    body = asked.body if isinstance(asked.body, bytes) else (asked.body or "").encode()
    headers = {
        key: value for key, value in asked.headers.items() if key.lower() not in {"content-length", "cookie"}
    }
    got = client.generic(
        str(asked.method),
        asked.path_url,
        body,
        content_type=headers.pop("Content-Type", "application/json"),
        headers=headers,
    )
    return schemathesis.Response(
        status_code=got.status_code,
        headers={key.lower(): [value] for key, value in got.headers.items()},
        content=got.getvalue() if got.streaming else got.content,
        request=asked,
        elapsed=0.0,
        verify=False,
    )
