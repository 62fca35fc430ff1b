"""Match formats: frozen values of settings, used instead of branches on the kind of match.

This module defines the settings, their contradictions, and the presets from the rule sheets. The state of a
cube (`cube.py`) and the counting of points (`scoring.py`) use a match format.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from faults import Fault
from games.rules.errors import FormatError, RuleError, UnknownCode

MAX_MATCH_LENGTH = 999


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """The rules of a match or, without a length, of a money session or single games.

    `automatic_doubles`: how many equal opening rolls may double the cube in one game, 0 for none (rule F5);
    `cube_limit`: the highest value that the cube may reach, None for no limit (rules R35 and F5). Raises
    `FormatError` if the settings contradict each other.
    """

    length: int | None = None
    cube: bool = True
    gammons: bool = True
    backgammons: bool = True
    crawford: bool = True
    holland: bool = False
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    automatic_doubles: int = 0
    cube_limit: int | None = None

    def __post_init__(self) -> None:
        if faults := tuple(_faults(self)):
            raise FormatError(faults)

    @property
    def is_money(self) -> bool:
        """Return whether the format has no length, so that every point counts."""
        return self.length is None


def _faults(form: MatchFormat) -> list[Fault]:
    faults = []
    if form.length is not None:
        if not 1 <= form.length <= MAX_MATCH_LENGTH:
            faults.append(
                Fault("format.length", rule="F1", params={"length": form.length, "longest": MAX_MATCH_LENGTH})
            )
        # R40 R41 F5, and F14: a local event that wants Jacoby in matches gets this fault.
        for is_set, code, rule in (
            (form.jacoby, "format.jacoby_in_match", "R40"),
            (form.beavers, "format.beavers_in_match", "R41"),
            (form.raccoons, "format.raccoons_in_match", "F5"),
            (form.automatic_doubles > 0, "format.automatic_doubles_in_match", "F5"),
        ):
            if is_set:
                faults.append(Fault(code, rule=rule, params={"length": form.length}))
    if not form.cube:
        for is_set, code, rule in (
            (form.jacoby, "format.jacoby_without_cube", "R40"),
            (form.beavers, "format.beavers_without_cube", "R41"),
            (form.raccoons, "format.raccoons_without_cube", "F5"),
            (form.automatic_doubles > 0, "format.automatic_doubles_without_cube", "F5"),
            (form.cube_limit is not None, "format.cube_limit_without_cube", "F5"),
        ):
            if is_set:
                faults.append(Fault(code, rule=rule))
    if form.raccoons and not form.beavers:
        faults.append(Fault("format.raccoons_without_beavers", rule="F5"))
    if form.backgammons and not form.gammons:
        faults.append(Fault("format.backgammons_without_gammons", rule="R32"))
    if form.automatic_doubles < 0:
        faults.append(
            Fault("format.automatic_doubles", rule="F5", params={"automatic_doubles": form.automatic_doubles})
        )
    if form.cube_limit is not None and (form.cube_limit < 2 or form.cube_limit & form.cube_limit - 1):
        faults.append(Fault("format.cube_limit", rule="R35", params={"cube_limit": form.cube_limit}))
    if form.holland and (form.length is None or not form.crawford):
        faults.append(Fault("format.holland_without_crawford", rule="F3"))
    return faults


@dataclass(frozen=True, slots=True)
class Preset:
    """A common match format: code, English name, and the sheets of rules that it follows (``source``)."""

    code: str
    name: str
    source: str
    has_length: bool
    make: Callable[[int | None], MatchFormat]

    def format(self, length: int | None = None) -> MatchFormat:
        if self.has_length and length is None:
            raise RuleError("preset.needs_length", "F1", preset=self.code)
        if not self.has_length and length is not None:
            raise RuleError("preset.has_no_length", None, preset=self.code, length=length)
        return self.make(length)


def _without_cube(*, gammons: bool) -> MatchFormat:
    return MatchFormat(cube=False, gammons=gammons, backgammons=gammons)


_PRESETS = (
    Preset(
        "first_off", "First to bear off", "E", has_length=False, make=lambda _: _without_cube(gammons=False)
    ),
    Preset(
        "single_game",
        "Single game with gammons",
        "C D",
        has_length=False,
        make=lambda _: _without_cube(gammons=True),
    ),
    Preset("money", "Money game", "A", has_length=False, make=lambda _: MatchFormat()),
    Preset(
        "money_options",
        "Money game, usual options",
        "B",
        has_length=False,
        make=lambda _: MatchFormat(jacoby=True, beavers=True),
    ),
    Preset(
        "match", "Match to N points", "B F1", has_length=True, make=lambda length: MatchFormat(length=length)
    ),
)
PRESETS: dict[str, Preset] = {preset.code: preset for preset in _PRESETS}


def get_preset(code: str) -> Preset:
    """Return the preset with this code. Raises `UnknownCode`."""
    try:
        return PRESETS[code]
    except KeyError:
        raise UnknownCode("format preset", code) from None
