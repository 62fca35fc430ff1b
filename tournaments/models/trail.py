"""The audit log of an event: its scope, and the codec of its actions.

An entry stores the kind of the action, and as data ``{"v": 1, …}`` with the fields of its class
(``engine.trail``). Only known kinds are written.

**Reading is tolerant.** Entries are permanent, and after a reverted update an entry may be from a newer
release. A missing field has its default; an unknown field is ignored (``has_unknown_fields``); for an unknown
kind or an unreadable value ``parse_action`` returns ``UnknownAction``, which pages show as such. ``lifts`` of
each class upgrade earlier versions.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, date
from typing import Any, Final, TypeVar, get_args, get_origin

from cattrs import BaseConverter, BaseValidationError, Converter

from people.models import AuditEntry
from tournaments.engine.changes.trail import RepairUndo
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import Award
from tournaments.engine.trail import chain
from tournaments.engine.trail.action import BLANK_FIELD, FLAT_FIELD, AuditAction, Json, UnknownAction
from tournaments.engine.trail.kinds import ACTION_KINDS
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.models.codec import strict_codec
from tournaments.models.event import Event

T = TypeVar("T", bound=AuditAction)


def audit_scope(event: Event) -> str:
    """Return the scope of the event's entries in the audit log, such as "event:17"."""
    return f"event:{event.pk}"


def event_id_from_scope(scope: str) -> int:
    """Return the event id in a scope such as "event:17"; 0 for a scope of another kind."""
    kind, _colon, number = scope.partition(":")
    return int(number) if kind == "event" and number.isascii() and number.isdecimal() else 0


def to_chain_row(row: AuditEntry) -> chain.ChainRow:
    """Return an entry of the audit log with the fields that the hash chain covers."""
    return chain.ChainRow(
        at=row.at.astimezone(UTC).isoformat(timespec="microseconds"),
        action=row.action,
        subject_type=row.subject_type,
        subject_id=row.subject_id,
        actor=row.actor_id,
        label=row.actor_label,
        data=row.data,
    )


def serialize_action(action: AuditAction) -> Json:
    """Return an action as JSON to store. Raises ``LookupError`` if its kind is not registered."""
    if ACTION_KINDS.get(action.kind) is not type(action):
        raise LookupError(f"{type(action).__name__} is no kind of action that the trail knows")
    return action_to_json(action)


def parse_row(row: AuditEntry) -> AuditAction | UnknownAction:
    """Return the action of an audit log entry, written by any release; ``UnknownAction`` if unreadable."""
    return parse_action(row.action, row.data)


def parse_action(kind: str, data: Mapping[str, Any]) -> AuditAction | UnknownAction:
    """Return the action of this kind with this stored data; ``UnknownAction`` if it cannot be read."""
    action_class = ACTION_KINDS.get(kind)
    return UnknownAction(kind) if action_class is None else parse_action_as(action_class, data)


def parse_action_as(kind: type[T], data: Mapping[str, Any]) -> T | UnknownAction:
    """Return the stored data as an action of the class ``kind``; ``UnknownAction`` if it cannot be read."""
    values = {name: value for name, value in data.items() if name != "v"}
    try:
        for old_version in range(data.get("v", 0), kind.v):
            values = kind.lifts.get(old_version, dict)(values)
        flat_fields, blank_fields = _fields_marked(kind, FLAT_FIELD), _fields_marked(kind, BLANK_FIELD)
        values |= dict.fromkeys(flat_fields, values) | {
            name: None for name in blank_fields if values.get(name) == ""
        }
        return _CODEC.structure(values, kind)
    except (BaseValidationError, KeyError, TypeError, ValueError):
        return UnknownAction(kind.kind)


def action_to_json(action: AuditAction) -> Json:
    """Return an action as JSON, with its version."""
    values = dict(_CODEC.unstructure(action))
    for name in _fields_marked(type(action), FLAT_FIELD):
        values |= values.pop(name)
    values |= {name: "" for name in _fields_marked(type(action), BLANK_FIELD) if values[name] is None}
    return {"v": action.v, **values}


def has_unknown_fields(action: AuditAction, data: Mapping[str, Any]) -> bool:
    """Return whether ``data`` holds more than ``action``, which was read from it.

    A newer release wrote it.
    """
    return data.get("v", 0) > action.v or not data.keys() <= action_to_json(action).keys()


def _fields_marked(kind: type[AuditAction], mark: str) -> tuple[str, ...]:
    """Return the names of the fields of a class that have this mark in their metadata."""
    return tuple(field.name for field in fields(kind) if mark in field.metadata)


def _claim_from_json(data: Mapping[str, Any], _kind: object) -> Claim:
    winner = Side(data["winner"]) if data["winner"] else None
    return Claim(data["score_a"], data["score_b"], ResultKind(data["kind"]), winner)


def _claim_to_json(claim: Claim) -> Json:
    winner = str(claim.winner) if claim.winner else ""
    return {"score_a": claim.score_a, "score_b": claim.score_b, "kind": str(claim.kind), "winner": winner}


def _adjourned_from_json(data: Mapping[str, Any], _kind: object) -> Adjournment:
    adjournment = Adjournment.of({name: data[name] for name in (field.name for field in fields(Adjournment))})
    if adjournment is None:
        raise ValueError(data)
    return adjournment


def _has_int_keys(kind: Any) -> bool:
    """Return whether a type is a mapping with number keys, which are text in JSON."""
    return get_origin(kind) is Mapping and get_args(kind)[0] is not str


def _structure_int_keys(kind: Any, converter: BaseConverter) -> Callable[[Any, Any], Any]:
    _key, value_type = get_args(kind)

    def structured(value: Mapping[str, Any], _kind: Any) -> Any:
        return {int(number): converter.structure(item, value_type) for number, item in value.items()}

    return structured


def _unstructure_int_keys(kind: Any, converter: BaseConverter) -> Callable[[Any], Any]:
    _key, value_type = get_args(kind)

    def unstructured(value: Mapping[int, Any]) -> Any:
        return {str(number): converter.unstructure(item, value_type) for number, item in value.items()}

    return unstructured


def _build_codec() -> Converter:
    converter = strict_codec(forbid_extra_keys=False)
    converter.register_structure_hook(date, lambda day, _kind: date.fromisoformat(day))
    converter.register_unstructure_hook(date, date.isoformat)
    converter.register_structure_hook(Claim, _claim_from_json)
    converter.register_unstructure_hook(Claim, _claim_to_json)
    converter.register_structure_hook(Adjournment, _adjourned_from_json)
    converter.register_structure_hook(Award, lambda data, _kind: Award.of(data))
    converter.register_structure_hook(RepairUndo, lambda data, _kind: RepairUndo.of(data))
    for value_class in (Adjournment, Award, RepairUndo):  # they have their own JSON, for their own rows
        converter.register_unstructure_hook(value_class, value_class.data)
    converter.register_structure_hook_factory(_has_int_keys, _structure_int_keys)
    converter.register_unstructure_hook_factory(_has_int_keys, _unstructure_int_keys)
    return converter


_CODEC: Final = _build_codec()
