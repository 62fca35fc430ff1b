"""Whatever the trail tells is kept and read again as it was; what is missing has its default; what is odd is no deed."""

import json
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.trail_actions import trail_actions
from tournaments.engine.trail.action import AuditAction, Json, UnknownAction
from tournaments.engine.trail.kinds import ACTION_KINDS
from tournaments.models.trail import (
    action_to_json,
    has_unknown_fields,
    parse_action,
    parse_action_as,
    serialize_action,
)


def through_the_database(data: Json) -> Json:
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("kind", ACTION_KINDS.values(), ids=ACTION_KINDS.keys())
@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_action_when_kept_then_read_again_as_it_was(kind: type[AuditAction], data: st.DataObject) -> None:
    action = data.draw(trail_actions(kind))
    stored = through_the_database(serialize_action(action))
    assert stored["v"] == kind.v
    assert parse_action(kind.kind, stored) == action
    assert not has_unknown_fields(action, stored)
    # A field that this release does not know, and a row from before there were versions.
    assert parse_action(kind.kind, {**stored, "newer": 1}) == action
    assert has_unknown_fields(action, {**stored, "newer": 1})
    assert parse_action(kind.kind, {name: part for name, part in stored.items() if name != "v"}) == action


@pytest.mark.parametrize("kind", ACTION_KINDS.values(), ids=ACTION_KINDS.keys())
@settings(max_examples=2, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_field_when_it_is_missing_then_its_default_or_the_row_is_not_read(
    kind: type[AuditAction], data: st.DataObject
) -> None:
    action = data.draw(trail_actions(kind))
    stored = through_the_database(serialize_action(action))
    for one in fields(kind):
        if one.name not in stored:
            continue
        found = parse_action(kind.kind, {name: part for name, part in stored.items() if name != one.name})
        if one.default is MISSING and one.default_factory is MISSING:
            assert found == UnknownAction(kind.kind)
        else:
            assert isinstance(found, kind)


@pytest.mark.parametrize("kind", ACTION_KINDS.values(), ids=ACTION_KINDS.keys())
def test_mark_when_an_early_row_does_not_have_it_then_it_was_not_so(kind: type[AuditAction]) -> None:
    assert {one.name for one in fields(kind) if one.default is True} == set()


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("event.explode", {}),
        ("draw.publish", {"v": 1}),
        ("draw.publish", {"v": 1, "seed": 7}),
        ("draw.publish", {"v": "one", "seed": "7"}),
        ("stage.update", {"v": 1, "lengths": "777"}),
        ("round.keep_apart", {"v": 1, "first": "Ann", "second": "Bob", "wish": "never ever"}),
        ("match.resume", {}),
        ("match.absent", {"decision": "confirmed", "score_a": 0}),
        ("match.length", {"before": 5, "after": 7, "undo": {"v": 9}}),
        ("round.pair", {"round": 1, "seed": "7", "pairs": [[1]], "bye": None}),
    ],
)
def test_row_when_it_cannot_be_understood_then_it_is_no_action(kind: str, data: dict[str, Any]) -> None:
    assert parse_action(kind, data) == UnknownAction(kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed(AuditAction):
    """A kind that has changed twice."""

    kind: ClassVar[str] = "example.rename"
    v: ClassVar[int] = 2
    lifts = {1: lambda parts: {"name": parts["title"].strip()}}
    name: str


@pytest.mark.parametrize("data", [{"title": " Ann"}, {"v": 1, "title": "Ann "}, {"v": 2, "name": "Ann"}])
def test_row_when_it_is_of_an_earlier_version_then_lifted_step_by_step(data: dict[str, Any]) -> None:
    found = parse_action_as(Renamed, data)
    assert found == Renamed(name="Ann")
    assert action_to_json(Renamed(name="Ann")) == {"v": 2, "name": "Ann"}


def test_row_when_it_is_of_a_newer_version_then_read_as_far_as_it_goes() -> None:
    found = parse_action("draw.publish", {"v": 2, "seed": "7"})
    assert isinstance(found, ACTION_KINDS["draw.publish"])
    assert has_unknown_fields(found, {"v": 2, "seed": "7"})
