"""Double elimination: an entry that has lost twice is out.

The main draw, a lower bracket that all its losers drop to (the same drops as in the progressive consolation),
and the final between the two winners. With *recharge* the winner of the main draw also has to lose twice: a
loss in the final leads to a second final. The second final always exists; if it is not needed, its first side
is vacant and the winner of the first advances through it without play.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from tournaments.engine.brackets.building import BracketBuilder, loser_source, winner_source
from tournaments.engine.brackets.consolation import add_lower_rounds
from tournaments.engine.brackets.structure import (
    FINAL,
    MAIN,
    Bracket,
    BracketRound,
    LoserAdmissionRule,
    single_elimination,
)
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId, Side

LOWER: Final = "lower"
GRAND_FINAL: Final = "grand_final"
RECHARGE: Final = "recharge"
_LAST_ROUND_CODES: Final = {MAIN: "upper_final", LOWER: "lower_final"}
DOUBLE_ELIMINATION_SECTIONS: Final = (MAIN, LOWER, GRAND_FINAL)  # the sections that share one ranking
MIN_DOUBLE_ENTRIES: Final = 3


def double_elimination(
    lines: Sequence[EntryId | None], *, recharge: bool = True, held: Collection[int] = ()
) -> Bracket:
    """Return the double elimination bracket for these lines of its main draw (entries, or None for a bye).

    `recharge`: a loss of the main draw's winner in the final leads to a second final. `held`: reserved empty
    lines, counted from 0. Raises ``BadInput`` for fewer than `MIN_DOUBLE_ENTRIES` entries.
    """
    main = single_elimination(lines, held=held)
    count = len(main.entries)
    if count < MIN_DOUBLE_ENTRIES:
        raise BadInput("draw.too_few_entries", count=count, minimum=MIN_DOUBLE_ENTRIES)
    builder = BracketBuilder(main)
    lower_final = add_lower_rounds(builder, main, LOWER, len(main.rounds), LoserAdmissionRule())
    finals = (winner_source(main.final.number), winner_source(lower_final))
    (final,) = builder.add_round(GRAND_FINAL, GRAND_FINAL, [finals])
    if recharge:
        recharge_pair = (loser_source(final), winner_source(final))
        builder.add_round(GRAND_FINAL, RECHARGE, [recharge_pair], rule=LoserAdmissionRule(side=Side.A))
    bracket = builder.bracket()
    return replace(bracket, rounds=tuple(_rename_last_round(rnd) for rnd in bracket.rounds))


def _rename_last_round(rnd: BracketRound) -> BracketRound:
    """Return the round with another code if it is the last of the main draw or the lower bracket.

    These rounds are not the final of the event.
    """
    return replace(rnd, code=_LAST_ROUND_CODES[rnd.section]) if rnd.code == FINAL else rnd
