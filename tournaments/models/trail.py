"""The audit trail of an event: under which scope it is found, and the one codec of what its rows tell.

Kept in a row: the kind of the action as its action, and as its data ``{"v": 1, …}`` with the fields of its class (`engine.trail`).
What is written is one of the known kinds, or nothing is.

**Read tolerantly.** A row stays for ever, and after an update that was taken back it may be of a newer release. A field that is
missing has its default; one that is not known is passed over (`is_more`); of a kind that is not known, or where a value is
nothing that this release understands, `read` gives `Unread`. Who shows the trail says so in words. `lifts` of each class
make the present version out of earlier ones.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, date
from typing import Any, Final, TypeVar, get_args, get_origin

from cattrs import BaseConverter, BaseValidationError, Converter

from people.models import AuditEntry
from tournaments.engine.changes.trail import Undo
from tournaments.engine.matches.adjourning import Adjourned
from tournaments.engine.matches.rulings import Award
from tournaments.engine.trail import chain
from tournaments.engine.trail.action import BLANK, FLAT, Json, TrailAction, Unread
from tournaments.engine.trail.kinds import KINDS
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.models.codec import strict_codec
from tournaments.models.event import Event

T = TypeVar("T", bound=TrailAction)


def scope_of(event: Event) -> str:
    """The audit scope of an event."""
    return f"event:{event.pk}"


def event_id_of(scope: str) -> int:
    """The event of a scope; 0 for one of something else."""
    kind, _colon, number = scope.partition(":")
    return int(number) if kind == "event" and number.isascii() and number.isdecimal() else 0


def chain_row(row: AuditEntry) -> chain.Row:
    """A row as the chain hashes it."""
    return chain.Row(
        at=row.at.astimezone(UTC).isoformat(timespec="microseconds"),
        action=row.action,
        subject_type=row.subject_type,
        subject_id=row.subject_id,
        actor=row.actor_id,
        label=row.actor_label,
        data=row.data,
    )


def data_of(action: TrailAction) -> Json:
    """What the database keeps of an action. A kind that nobody would know again is refused loudly."""
    if KINDS.get(action.kind) is not type(action):
        raise LookupError(f"{type(action).__name__} is no kind of action that the trail knows")
    return written(action)


def read_row(row: AuditEntry) -> TrailAction | Unread:
    """What a row of the trail tells, of whichever release."""
    return read(row.action, row.data)


def read(kind: str, data: Mapping[str, Any]) -> TrailAction | Unread:
    """What the data of a row of this kind tells."""
    known = KINDS.get(kind)
    return Unread(kind) if known is None else read_as(known, data)


def read_as(kind: type[T], data: Mapping[str, Any]) -> T | Unread:
    """What the data of a row tells, read as this kind."""
    parts = {name: part for name, part in data.items() if name != "v"}
    try:
        for before in range(data.get("v", 0), kind.v):
            parts = kind.lifts.get(before, dict)(parts)
        flat, blank = _marked(kind, FLAT), _marked(kind, BLANK)
        parts |= dict.fromkeys(flat, parts) | {name: None for name in blank if parts.get(name) == ""}
        return _CODEC.structure(parts, kind)
    except (BaseValidationError, KeyError, TypeError, ValueError):
        return Unread(kind.kind)


def written(action: TrailAction) -> Json:
    """An action as JSON, with its version."""
    parts = dict(_CODEC.unstructure(action))
    for name in _marked(type(action), FLAT):
        parts |= parts.pop(name)
    parts |= {name: "" for name in _marked(type(action), BLANK) if parts[name] is None}
    return {"v": action.v, **parts}


def is_more(action: TrailAction, data: Mapping[str, Any]) -> bool:
    """Whether a row says more than was read from it: a newer release wrote it."""
    return data.get("v", 0) > action.v or not data.keys() <= written(action).keys()


def _marked(kind: type[TrailAction], mark: str) -> tuple[str, ...]:
    """The fields of a kind that are marked so."""
    return tuple(one.name for one in fields(kind) if mark in one.metadata)


def _claim_of(data: Mapping[str, Any], _kind: object) -> Claim:
    winner = Side(data["winner"]) if data["winner"] else None
    return Claim(data["score_a"], data["score_b"], ResultKind(data["kind"]), winner)


def _claim_as_json(claim: Claim) -> Json:
    winner = str(claim.winner) if claim.winner else ""
    return {"score_a": claim.score_a, "score_b": claim.score_b, "kind": str(claim.kind), "winner": winner}


def _adjourned_of(data: Mapping[str, Any], _kind: object) -> Adjourned:
    found = Adjourned.of({name: data[name] for name in (one.name for one in fields(Adjourned))})
    if found is None:
        raise ValueError(data)
    return found


def _is_by_number(kind: Any) -> bool:
    """A mapping whose keys are numbers: in JSON they are texts."""
    return get_origin(kind) is Mapping and get_args(kind)[0] is not str


def _by_number(kind: Any, converter: BaseConverter) -> Callable[[Any, Any], Any]:
    _key, each = get_args(kind)

    def structured(value: Mapping[str, Any], _kind: Any) -> Any:
        return {int(number): converter.structure(part, each) for number, part in value.items()}

    return structured


def _by_text(kind: Any, converter: BaseConverter) -> Callable[[Any], Any]:
    _key, each = get_args(kind)

    def unstructured(value: Mapping[int, Any]) -> Any:
        return {str(number): converter.unstructure(part, each) for number, part in value.items()}

    return unstructured


def _codec() -> Converter:
    converter = strict_codec(forbid_extra_keys=False)
    converter.register_structure_hook(date, lambda day, _kind: date.fromisoformat(day))
    converter.register_unstructure_hook(date, date.isoformat)
    converter.register_structure_hook(Claim, _claim_of)
    converter.register_unstructure_hook(Claim, _claim_as_json)
    converter.register_structure_hook(Adjourned, _adjourned_of)
    converter.register_structure_hook(Award, lambda data, _kind: Award.of(data))
    converter.register_structure_hook(Undo, lambda data, _kind: Undo.of(data))
    for value in (Adjourned, Award, Undo):  # they have their own JSON, for their own rows
        converter.register_unstructure_hook(value, value.data)
    converter.register_structure_hook_factory(_is_by_number, _by_number)
    converter.register_unstructure_hook_factory(_is_by_number, _by_text)
    return converter


_CODEC: Final = _codec()
