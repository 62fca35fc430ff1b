"""The doubling cube: who may turn it when, and the effect of each answer, by the match format.

A `CubeState` is frozen; the functions return the next one or raise `RuleError` with the rule. Whose turn it
is and how a game ends is in `game.py`, its points in `scoring.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from faults import Fault
from games.rules.errors import RuleError, error_from_fault
from games.rules.formats import MatchFormat
from games.rules.scoring import Score
from games.rules.sides import Side

HOLLAND_ROLLS = 2
MAX_CUBE_TURNS = 24  # R35: beyond 64 is possible in theory; a file with more is not serious
HIGHEST_CUBE = 2**MAX_CUBE_TURNS


class OfferKind(StrEnum):
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"


@dataclass(frozen=True, slots=True)
class Offer:
    """A turned cube that waits for an answer.

    `value`: the cube if the offer is taken; `value_if_passed`: what the game is worth if it is passed.
    `taker` will own the cube, however often it is turned again: a beaver keeps the cube (rule R41), and a
    raccoon leaves it there (rule F5).
    """

    by: Side
    kind: OfferKind
    value: int
    value_if_passed: int
    taker: Side

    @property
    def answerer(self) -> Side:
        return self.by.other


@dataclass(frozen=True, slots=True)
class CubeState:
    """The value and owner of the cube, and an offer that waits for an answer (rule R35).

    `value` is 1 while the cube shows 64 in the middle; `owner` is None for the middle. `was_doubled`: whether
    a double was accepted in this game (rule R40). `automatic_doubles`: the number of automatic doubles, which
    do not count as accepted doubles (rule F5).
    """

    value: int = 1
    owner: Side | None = None
    was_doubled: bool = False
    automatic_doubles: int = 0
    offer: Offer | None = None

    @property
    def log2(self) -> int:
        """Return how often the cube was turned, with integers: a logarithm would be wrong for some values."""
        return self.value.bit_length() - 1

    def is_available(self, side: Side) -> bool:
        """Return whether this side may turn the cube (rule R37): in the middle both, afterwards its owner."""
        return self.owner in (None, side)


CENTRED = CubeState()


def set_cube(value: int, owner: Side | None = None) -> CubeState:
    """Return a cube as found in a set-up position. A cube with an owner counts as doubled and taken.

    Raises `RuleError` for a value that is no power of two.
    """
    if value < 1 or value & value - 1:
        raise RuleError("cube.value", "R35", value=value)
    return CubeState(value, owner, was_doubled=owner is not None)


def why_no_double(
    form: MatchFormat, score: Score, cube: CubeState, side: Side, *, opening: bool, rolls: tuple[int, int]
) -> Fault | None:
    """Return the rule that forbids `side` to double now, or None; `side` has the turn and has not rolled.

    A cube that already wins the match for its owner is dead, and may be turned (rule F4). `opening`: the
    opening roll has not been made; `rolls`: how often White and Black have rolled in this game.
    """
    if not form.cube:
        return Fault("cube.not_in_play", rule="R33")
    if cube.offer is not None:
        return Fault("cube.answer_first", rule="R36")
    if score.is_crawford:
        return Fault("cube.crawford", rule="F2")
    if opening:
        return Fault("cube.before_opening_roll", rule="R36")
    if not cube.is_available(side):
        return Fault("cube.not_owner", rule="R37", params={"owner": cube.owner})
    if fault := _over_limit(form, cube.value * 2):
        return fault
    if form.holland and score.is_post_crawford and min(rolls) < HOLLAND_ROLLS:
        return Fault("cube.holland", rule="F3", params={"rolls": rolls})
    return None


def double(cube: CubeState, side: Side) -> CubeState:
    """Return the cube after `side` offers it at twice its value (rules R36 and R38).

    Check `why_no_double` first.
    """
    return replace(
        cube, offer=Offer(side, OfferKind.DOUBLE, _doubled_value(cube.value), cube.value, side.other)
    )


def take(cube: CubeState) -> CubeState:
    """Return the cube after the offer is accepted: the taker owns it (rule R38).

    >>> cube = take(double(CubeState(), Side.WHITE))
    >>> cube.value, cube.owner
    (2, <Side.BLACK: 'black'>)
    >>> cube.is_available(Side.WHITE)
    False
    """
    offer = pending_offer(cube)
    return CubeState(offer.value, offer.taker, was_doubled=True, automatic_doubles=cube.automatic_doubles)


def beaver(form: MatchFormat, cube: CubeState) -> CubeState:
    """Return the cube after a beaver: the taker turns it once more at once and will keep it (rule R41)."""
    return _raise_offer(
        form,
        cube,
        OfferKind.DOUBLE,
        Fault("cube.no_beavers", rule="R41"),
        is_allowed=form.beavers,
    )


def raccoon(form: MatchFormat, cube: CubeState) -> CubeState:
    """Return the cube after a raccoon: the doubler answers a beaver by turning it once more (rule F5).

    The other side will keep the cube.
    """
    return _raise_offer(
        form,
        cube,
        OfferKind.BEAVER,
        Fault("cube.no_raccoons", rule="F5"),
        is_allowed=form.raccoons,
    )


def _raise_offer(
    form: MatchFormat, cube: CubeState, expected_kind: OfferKind, fault: Fault, *, is_allowed: bool
) -> CubeState:
    offer = pending_offer(cube)
    if not is_allowed:
        raise error_from_fault(fault)
    if offer.kind is not expected_kind:
        raise RuleError("cube.wrong_answer", fault.rule, offered=offer.kind, expected=expected_kind)
    if limit_fault := _over_limit(form, offer.value * 2):
        raise error_from_fault(limit_fault)
    return raise_offer(cube)


def raise_offer(cube: CubeState) -> CubeState:
    """Return the cube after a double is answered by a beaver, or a beaver by a raccoon.

    The match format is not checked: `beaver` and `raccoon` do that.
    """
    offer = pending_offer(cube)
    kind = OfferKind.BEAVER if offer.kind is OfferKind.DOUBLE else OfferKind.RACCOON
    # Passed, it costs the value it already had (R41).
    return replace(
        cube, offer=Offer(offer.answerer, kind, _doubled_value(offer.value), offer.value, offer.taker)
    )


def withdraw(cube: CubeState) -> CubeState:
    """Return the cube as it was before it was offered."""
    return replace(cube, offer=None)


def pending_offer(cube: CubeState) -> Offer:
    """Return the offer that waits for an answer. Raises `RuleError` if there is none."""
    if cube.offer is None:
        raise RuleError("cube.nothing_offered", "R38")
    return cube.offer


def automatic_cube(turns: int) -> CubeState:
    """Return the cube after `turns` equal opening rolls, at most `MAX_CUBE_TURNS` (rule F5).

    The cube is in the middle, and no double was accepted (rule R40).

    >>> automatic_cube(2)
    CubeState(value=4, owner=None, was_doubled=False, automatic_doubles=2, offer=None)
    """
    return CubeState(value=2**turns, automatic_doubles=turns)


def _doubled_value(value: int) -> int:
    """Return the next value of the cube (rule R35). Raises `RuleError` at the highest one."""
    if value >= HIGHEST_CUBE:
        raise RuleError("cube.limit", "R35")
    return value * 2


def _over_limit(form: MatchFormat, value: int) -> Fault | None:
    """Return the fault if `value` exceeds the cube limit of the format, or None (rule F5)."""
    if form.cube_limit is not None and value > form.cube_limit:
        return Fault("cube.limit", rule="F5", params={"value": value, "limit": form.cube_limit})
    return None
