"""Plans of events as JSON, as stored in templates of clubs.

The structure is ``{"v": 1, "event": {…}, "divisions": [{…, "stages": [{…}]}], …}``. Settings of stages are
stored as in the database (`models.settings`), with their own version and its upgrades. Missing values become
defaults. Unknown values make the whole plan unreadable, because a format must not be applied in part.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from faults import Conflict
from tournaments.engine.stages.feeding import DEFAULT_FEEDING
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails
from tournaments.events.services.plans import DivisionPlan, EventPlan
from tournaments.events.services.stages import MAX_STAGES, StageDetails, details_of_stage, write_stage
from tournaments.models import Stage
from tournaments.models.settings import UnreadableSettings

Json = dict[str, Any]
VERSION: Final = 1
_STAGE_FIELDS: Final = (
    "name", "system", "format_preset", "lengths", "draw_method", "report_policy", "clean_record_settles", "takes", "by_arrangement",
)  # fmt: skip
_DIVISION_FIELDS: Final = tuple(
    field.name for field in fields(DivisionDetails) if field.name not in {"entries_until", "stages"}
)
_PARSERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("starts_on", "ends_on"), date.fromisoformat),
    **dict.fromkeys(("opens_at", "closes_at", "break_from", "break_until"), time.fromisoformat),
    "weight": Decimal,
    "requires": tuple,
}


def plan_to_json(plan: EventPlan) -> Json:
    """Return the plan of an event as JSON values, to be stored."""
    details = {field.name: getattr(plan.details, field.name) for field in fields(EventDetails)}
    return {
        "v": VERSION,
        "event": {name: _to_json_value(value) for name, value in details.items()},
        "currency": plan.currency,
        "approves_all": plan.approves_all,
        "closed_tables": list(plan.closed_tables),
        "divisions": [_division_json(division) for division in plan.divisions],
    }


def plan_from_json(data: Mapping[str, Any]) -> EventPlan:
    """Return the plan from JSON values that `plan_to_json` made.

    Raises ``Conflict`` if this release cannot read them.
    """
    try:
        if data["v"] != VERSION:
            raise UnreadableSettings(f"version {data['v']} of a plan")
        return EventPlan(
            details=EventDetails(
                **{name: _from_json_value(name, value) for name, value in data["event"].items()}
            ),
            currency=data["currency"],
            approves_all=data["approves_all"],
            closed_tables=tuple(data["closed_tables"]),
            divisions=tuple(_division_from_json(division) for division in data["divisions"]),
        )
    except (UnreadableSettings, InvalidOperation, KeyError, TypeError, ValueError) as error:
        raise Conflict("template.unreadable") from error


def map_texts(data: Json, change: Callable[[str], str]) -> Json:
    """Return the JSON of a plan with ``change`` applied to every text that a person typed.

    These are name, place and description of the event, and the names of divisions and stages.
    """
    texts = {name: change(data["event"][name]) for name in ("name", "place", "description")}
    divisions = [
        {
            **division,
            "name": change(division["name"]),
            "stages": [{**stage, "name": change(stage["name"])} for stage in division["stages"]],
        }
        for division in data["divisions"]
    ]
    return {**data, "event": {**data["event"], **texts}, "divisions": divisions}


def _division_json(plan: DivisionPlan) -> Json:
    until = plan.details.entries_until
    return {
        **{name: getattr(plan.details, name) for name in _DIVISION_FIELDS},
        "entries_until": until.astimezone(UTC).isoformat() if until is not None else None,
        "pool": str(plan.pool) if plan.pool is not None else None,
        "withdrawn": plan.withdrawn.value,
        "deadlines": {
            str(place): {str(number): day.isoformat() for number, day in rounds.items()}
            for place, rounds in plan.deadlines.items()
        },
        "stages": [
            _stage_json(row, stage)
            for row, stage in zip(unsaved_stages(plan.details.stages), plan.details.stages, strict=True)
        ],
    }


def _division_from_json(data: Mapping[str, Any]) -> DivisionPlan:
    until = data["entries_until"]
    return DivisionPlan(
        details=DivisionDetails(
            **{name: data[name] for name in _DIVISION_FIELDS if name in data},
            entries_until=datetime.fromisoformat(until) if until is not None else None,
            stages=tuple(_stage_from_json(stage) for stage in data["stages"]),
        ),
        pool=Decimal(data["pool"]) if data["pool"] is not None else None,
        withdrawn=WithdrawnRights(data.get("withdrawn", WithdrawnRights.PLACE)),
        deadlines={
            int(place): {int(number): date.fromisoformat(day) for number, day in rounds.items()}
            for place, rounds in data["deadlines"].items()
        },
    )


def unsaved_stages(stages: Sequence[StageDetails]) -> list[Stage]:
    """Return model instances of stages that are not saved, for functions that read the format from instances.

    ``position`` of each is its place in the division, from 1.
    """
    rows = [Stage(position=place) for place in range(1, MAX_STAGES + 1)]
    for row, details in zip(rows, stages, strict=False):
        write_stage(row, details, rows)
    return rows[: len(stages)]


def _stage_json(row: Stage, details: StageDetails) -> Json:
    return {
        **{name: getattr(row, name) for name in _STAGE_FIELDS},
        "fed_by": details.fed_by,
        "settings": row.kept_settings,
    }


def _stage_from_json(data: Mapping[str, Any]) -> StageDetails:
    """Return the details of a stage from the JSON of a plan.

    Stages that feed it are named by their places in the division, from 1.
    """
    row = Stage(
        **{name: data[name] for name in _STAGE_FIELDS if name in data}, kept_settings=data["settings"]
    )
    settings = row.settings
    row.settings = replace(settings, feed=DEFAULT_FEEDING)
    return replace(details_of_stage(row), fed_by=data["fed_by"], feed=settings.feed)


def _to_json_value(value: Any) -> Any:
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else list(value) if isinstance(value, tuple) else value


def _from_json_value(name: str, value: Any) -> Any:
    return _PARSERS[name](value) if name in _PARSERS and value is not None else value
