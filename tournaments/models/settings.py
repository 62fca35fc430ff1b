"""The codec of a stage's settings: typed values of the engine to JSON and back.

Stored as ``{"v": 2, "own": {…}, "conduct": {…}, "prizes": […], "feed": {…}}``. ``own`` are the settings of
the stage's system, its keys the fields of their class; ``conduct`` those of
``engine.matches.rulings.MatchConditions``, ``prizes`` a list of ``engine.standings.prizes.SectionPrizes``, ``feed``
an ``engine.stages.feeding.Feeding``, stored if it is not the default. Numbers, booleans and text are not
coerced (``"3"`` is no number, 1 is not true); enums are stored by value, tuples as lists. All faults are
reported together, each with its path (``$.own.flights[0].rounds``).

**A new setting** is a new field with a default, and nothing else here: a row without the key is read with the
default. **A setting that changes its name, place or meaning** raises ``VERSION`` and adds a step to
``_UPGRADES`` from version v to v + 1; earlier steps stay unchanged, and rows are upgraded when read.

**Unknown keys and values are rejected** (``UnreadableSettings``), also from the database: a row written by a
newer release may hold a rule that this release would not apply.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from cattrs import BaseValidationError, transform_error

from faults import Fault
from tournaments.engine.matches.rulings import DEFAULT_MATCH_CONDITIONS, MatchConditions
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.feeding import DEFAULT_FEEDING, Feeding
from tournaments.engine.stages.settings import StageSettings, SystemSettings
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.standings.prizes import SectionPrizes
from tournaments.models.codec import codec_faults, strict_codec

Json = dict[str, Any]
T = TypeVar("T")

VERSION: Final = 2


class UnreadableSettings(ValueError):
    """Settings that this release cannot read.

    ``faults``: all errors as text, each with its path. ``found``: the same errors as ``Fault`` values, each
    at its field (``flights.0.rounds``), to be returned to a client that sent the settings.
    """

    def __init__(self, *faults: str, found: tuple[Fault, ...] = ()) -> None:
        super().__init__("; ".join(faults))
        self.faults, self.found = faults, found


def _upgrade_v1(stored: Json) -> Json:
    """Move the prize amounts of the main section from the settings of the system to ``prizes``."""
    if not isinstance(stored.get("own"), Mapping) or "prizes" not in stored["own"]:
        return stored
    system_settings = dict(stored["own"])
    amounts = system_settings.pop("prizes")
    if not isinstance(amounts, list | tuple):
        raise UnreadableSettings("invalid type, expected a list @ $.own.prizes")
    # What is not a whole number is left as it is and rejected below.
    places = [{"value": str(amount) if type(amount) is int else amount} for amount in amounts]
    return {**stored, "own": system_settings, "prizes": [{"places": places}] if places else []}


# The step from each version to the next. Version 0 is an empty value: a stage without any settings.
_UPGRADES: Final[Mapping[int, Callable[[Json], Json]]] = {
    0: lambda stored: {"own": {}, **stored},
    1: _upgrade_v1,
}


@dataclass(frozen=True, slots=True)
class _StoredSettings(Generic[T]):
    own: T
    conduct: MatchConditions = DEFAULT_MATCH_CONDITIONS
    prizes: tuple[SectionPrizes, ...] = ()
    feed: Feeding = DEFAULT_FEEDING


_SETTINGS_BY_SYSTEM: Final[Mapping[str, type[_StoredSettings[Any]]]] = {
    "single_elimination": _StoredSettings[BracketSettings],
    "double_elimination": _StoredSettings[BracketSettings],
    "swiss": _StoredSettings[SwissSettings],
    "round_robin": _StoredSettings[SwissSettings],
    "double_round_robin": _StoredSettings[SwissSettings],
    "money": _StoredSettings[MoneySettings],
}


def from_json(kind: type[T], data: object) -> T:
    """Return ``data`` from JSON as a value of the engine's class ``kind``.

    Raises ``UnreadableSettings`` with all errors found.
    """
    if not isinstance(data, Mapping):
        raise UnreadableSettings(
            f"invalid type, expected {kind.__name__} @ $", found=(Fault("field.not_a_dict"),)
        )
    try:
        return _CODEC.structure(data, kind)
    except BaseValidationError as error:
        raise UnreadableSettings(*transform_error(error), found=codec_faults(error)) from error


def to_json(value: object) -> Json:
    """Return a value of one of the engine's classes as JSON."""
    return dict(_CODEC.unstructure(value))


def settings_from_json(system: str, stored: Mapping[str, Any]) -> StageSettings:
    """Return the settings of a stage of this system from their stored JSON, upgrading older versions.

    Raises ``UnreadableSettings`` for a newer version or for errors.
    """
    version = stored.get("v", 0)
    if version not in range(VERSION + 1):
        raise UnreadableSettings(f"version {version} of the settings, this release knows {VERSION} @ $.v")
    values = {name: value for name, value in stored.items() if name != "v"}
    for old_version in range(version, VERSION):
        values = _UPGRADES[old_version](values)
    settings = from_json(_SETTINGS_BY_SYSTEM[system], values)
    system_settings: SystemSettings = settings.own
    return StageSettings(system_settings, settings.conduct, settings.prizes, settings.feed)


def settings_to_json(settings: StageSettings) -> Json:
    """Return these settings as the JSON to store."""
    return {
        "v": VERSION,
        "own": to_json(settings.own),
        "conduct": to_json(settings.conduct),
        "prizes": [to_json(section) for section in settings.prizes],
        **({"feed": to_json(settings.feed)} if settings.feed != DEFAULT_FEEDING else {}),
    }


_CODEC: Final = strict_codec(forbid_extra_keys=True)
