"""The one codec of a stage's settings: typed values of the engine to JSON and back.

Kept in the database: ``{"v": 1, "own": {…}, "conduct": {…}}``. ``own`` are the settings of the stage's system, its keys the
fields of their class; ``conduct`` the same of ``engine.conduct.Conduct``. Numbers, truth and text are taken as they are
(``"3"`` is no number, 1 is not true), enums by their value, tuples from lists. What is wrong is told all at once, each with
its path (``$.own.flights[0].rounds``).

**A new setting** is a new field with a default, and nothing else here: a row that does not have the key yet is read with the
default. **A setting that changes its name, place or meaning** raises ``VERSION`` and adds a step to ``_LIFTS`` that makes
version v + 1 out of v; the steps before it stay as they are, and rows are lifted as they are read.

**What is not known is refused** (``Unreadable``), also from the database: a row that a newer release wrote may hold a rule
that this code would not keep, and a tournament is not played by half of its rules.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar, get_origin

from cattrs import BaseConverter, BaseValidationError, Converter, transform_error
from cattrs.cols import homogenous_tuple_structure_factory

from tournaments.engine.conduct import USUAL_CONDUCT, Conduct
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.settings import OwnSettings, StageSettings
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.money import MoneySettings

Json = dict[str, Any]
T = TypeVar("T")

VERSION: Final = 1
# The step from each version to the next one. Nothing at all is version 0: a stage of which nothing was ever set.
_LIFTS: Final[Mapping[int, Callable[[Json], Json]]] = {0: lambda kept: {"own": {}, **kept}}


class Unreadable(ValueError):
    """Settings that this release does not understand; ``faults``: everything that is wrong with them, with its path."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    own: T
    conduct: Conduct = USUAL_CONDUCT


_KINDS: Final[Mapping[str, type[_Kept[Any]]]] = {
    "single_elimination": _Kept[BracketSettings],
    "double_elimination": _Kept[BracketSettings],
    "swiss": _Kept[SwissSettings],
    "round_robin": _Kept[SwissSettings],
    "double_round_robin": _Kept[SwissSettings],
    "money": _Kept[MoneySettings],
}


def read(kind: type[T], data: object) -> T:
    """``data``, as JSON gives it, as a value of the engine's class ``kind``. Raises ``Unreadable`` with every fault."""
    if not isinstance(data, Mapping):
        raise Unreadable(f"invalid type, expected {kind.__name__} @ $")
    try:
        return _CODEC.structure(data, kind)
    except BaseValidationError as error:
        raise Unreadable(*transform_error(error)) from error


def written(value: object) -> Json:
    """A value of one of the engine's classes as JSON."""
    return dict(_CODEC.unstructure(value))


def settings_from(system: str, kept: Mapping[str, Any]) -> StageSettings:
    """What the database keeps of a stage of this system, of whatever version up to ours. Raises ``Unreadable``."""
    version = kept.get("v", 0)
    if version not in range(VERSION + 1):
        raise Unreadable(f"version {version} of the settings, this release knows {VERSION} @ $.v")
    parts = {name: part for name, part in kept.items() if name != "v"}
    for before in range(version, VERSION):
        parts = _LIFTS[before](parts)
    found = read(_KINDS[system], parts)
    own: OwnSettings = found.own
    return StageSettings(own, found.conduct)


def kept_settings(settings: StageSettings) -> Json:
    """What the database keeps of these settings."""
    return {"v": VERSION, "own": written(settings.own), "conduct": written(settings.conduct)}


def _exactly(value: object, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError(value)
    return value


def _code(value: object, kind: type[StrEnum]) -> StrEnum:
    return kind(_exactly(value, str))


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _tuples(kind: type[tuple[T, ...]], converter: BaseConverter) -> Callable[[Any, Any], Any]:
    each = homogenous_tuple_structure_factory(kind, converter)

    def structured(value: object, as_kind: Any) -> Any:
        if not isinstance(value, list | tuple):  # a text is no list of letters
            raise TypeError(value)
        return each(value, as_kind)

    return structured


def _codec() -> Converter:
    converter = Converter(forbid_extra_keys=True, unstruct_collection_overrides={tuple: list})
    for kind in (int, bool, str):
        converter.register_structure_hook(kind, _exactly)
    converter.register_structure_hook(StrEnum, _code)
    converter.register_structure_hook_factory(_is_tuple, _tuples)
    converter.register_unstructure_hook(str, str)
    converter.register_unstructure_hook(StrEnum, str)
    return converter


_CODEC: Final = _codec()
