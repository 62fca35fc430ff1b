"""Adjourned matches: everything that both sides need to resume from the same position (rule F12).

Score, cube, position, dice, clocks, and when and where the match resumes. The status is in `engine.statuses`;
drawing a board and the current date are the caller's. Sides are a and b throughout; side a plays White
wherever a board is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Any, Final

from faults import Fault
from games.rules.errors import UnreadableId
from games.rules.ids import POSITION_ID_LENGTH
from games.rules.position import Position
from games.rules.xgid import PREFIX, XgId
from tournaments.engine.matches.reporting import check_score
from tournaments.engine.types import Claim, ResultKind, Score, Side

MAX_CUBE_VALUE: Final = 1 << 12
MAX_CLOCK_SECONDS: Final = 6 * 3600  # seconds
MAX_PLACE_LENGTH: Final = 120
MAX_NOTE_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class Adjournment:
    """How a match stood when it was interrupted, and when and where it resumes.

    `position` is the GNU Backgammon position ID as the player `on_roll` sees it (empty: between two games).
    `cube` 1 is centred. Clocks are seconds of reserve left, None if none was running. `resumes_on` None: not
    agreed yet.
    """

    score: Score
    cube: int = 1
    cube_owner: Side | None = None
    position: str = ""
    on_roll: Side | None = None
    dice: tuple[int, int] | None = None
    clock_a: int | None = None
    clock_b: int | None = None
    resumes_on: date | None = None
    resumes_at: time | None = None
    place: str = ""
    note: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Adjournment | None:
        """Return the adjournment that the stored JSON contains; None if nothing is stored."""
        if not data:
            return None
        return cls(
            score=Score(*data["score"]),
            cube=data["cube"],
            cube_owner=Side(data["cube_owner"]) if data["cube_owner"] else None,
            position=data["position"],
            on_roll=Side(data["on_roll"]) if data["on_roll"] else None,
            dice=(data["dice"][0], data["dice"][1]) if data["dice"] else None,
            clock_a=data["clock_a"],
            clock_b=data["clock_b"],
            resumes_on=date.fromisoformat(data["resumes_on"]) if data["resumes_on"] else None,
            resumes_at=time.fromisoformat(data["resumes_at"]) if data["resumes_at"] else None,
            place=data["place"],
            note=data["note"],
        )

    def data(self) -> dict[str, Any]:
        """Return the adjournment as JSON, which `of` reads."""
        return {
            "score": [self.score.a, self.score.b],
            "cube": self.cube,
            "cube_owner": self.cube_owner or "",
            "position": self.position,
            "on_roll": self.on_roll or "",
            "dice": list(self.dice) if self.dice else None,
            "clock_a": self.clock_a,
            "clock_b": self.clock_b,
            "resumes_on": self.resumes_on.isoformat() if self.resumes_on else "",
            "resumes_at": self.resumes_at.isoformat("minutes") if self.resumes_at else "",
            "place": self.place,
            "note": self.note,
        }

    @property
    def board(self) -> Position | None:
        """Position as side a sees it; None between two games."""
        if not self.position:
            return None
        position = Position.from_id(self.position)
        return position.swap() if self.on_roll is Side.B else position


def minimum_score(start: Score, adjournment: Adjournment | None) -> Score:
    """Return the points that each side has at least at the end of the match.

    These are the points at the start, or at the adjournment if there are more.
    """
    if adjournment is None:
        return start
    return Score(max(start.a, adjournment.score.a), max(start.b, adjournment.score.b))


def parse_position(text: str) -> str:
    """Return the GNU Backgammon position ID in a copied text.

    The text is an XGID, a position ID, or a position ID and match ID joined by a colon. Raises `UnreadableId`
    for other text.
    """
    position_id = text.strip()
    if position_id.startswith(PREFIX):
        return XgId.from_id(position_id).position.id
    if len(position_id) > POSITION_ID_LENGTH and position_id[POSITION_ID_LENGTH] == ":":
        position_id = position_id[:POSITION_ID_LENGTH]
    return Position.from_id(position_id).id


def check_adjournment(
    adjournment: Adjournment, *, length: int, start: Score, today: date | None
) -> tuple[Fault, ...]:
    """Return all errors of an adjournment, each at its field; empty if it is valid.

    `start`: minimum score of both sides; `today`: earliest date to resume, None for no limit.
    """
    claim = Claim(adjournment.score.a, adjournment.score.b, ResultKind.ADJOURNED)
    faults = [fault.at(fault.field or "score_a") for fault in check_score(length, claim, start=start)]
    faults += _cube_faults(adjournment)
    faults += _board_faults(adjournment)
    faults += [
        Fault("adjourned.clock_odd", name, {"limit": MAX_CLOCK_SECONDS // 60})
        for name in ("clock_a", "clock_b")
        if not 0 <= (getattr(adjournment, name) or 0) <= MAX_CLOCK_SECONDS
    ]
    if today is not None and adjournment.resumes_on is not None and adjournment.resumes_on < today:
        faults.append(Fault("adjourned.in_the_past", "resumes_on"))
    if adjournment.resumes_at is not None and adjournment.resumes_on is None:
        faults.append(Fault("adjourned.day_missing", "resumes_on"))
    faults += [
        Fault("adjourned.text_long", name, {"limit": limit})
        for name, limit in (("place", MAX_PLACE_LENGTH), ("note", MAX_NOTE_LENGTH))
        if len(getattr(adjournment, name)) > limit
    ]
    return tuple(faults)


def _cube_faults(adjournment: Adjournment) -> list[Fault]:
    """Return the errors of the cube (rules R35, R37): it is a power of two, and a turned cube has an owner.

    Matches have no automatic doubles (rule F5).
    """
    cube = adjournment.cube
    if not 1 <= cube <= MAX_CUBE_VALUE or cube & (cube - 1):
        return [Fault("adjourned.cube_odd", "cube")]
    if (cube > 1) is not (adjournment.cube_owner is not None):
        return [Fault("adjourned.cube_owner", "cube_owner", {"cube": cube})]
    return []


def _board_faults(adjournment: Adjournment) -> list[Fault]:
    faults = []
    if adjournment.position:
        try:
            position = Position.from_id(parse_position(adjournment.position))
        except UnreadableId:
            faults.append(Fault("adjourned.position_odd", "position"))
        else:
            if position.all_off or position.other_all_off:
                faults.append(Fault("adjourned.game_over", "position"))
    if adjournment.on_roll is None and (adjournment.position or adjournment.dice):
        faults.append(Fault("adjourned.on_roll_missing", "on_roll"))
    if adjournment.dice and not all(1 <= die <= 6 for die in adjournment.dice):
        faults.append(Fault("adjourned.dice_odd", "dice"))
    return faults
