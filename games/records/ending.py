"""How a recorded game ended, and whether the stated points are what it was worth.

Play decides where it can: a side that has borne off has won, a pass loses the cube. Otherwise the record's
statement of the result is the resignation (rule F8), which is compared with what can be resigned. Records
state more points than the match needs, or only as many, or as many as the match is long (rule F1): all are
accepted; points that no cube can give are a forfeit if they end the match (rule F12), and a contradiction
otherwise.
"""

from __future__ import annotations

from typing import Any

from games.records.findings import Finding, finding
from games.records.model import NO_PLACE, Game, Place
from games.records.replay import AssumedFormat, GameWalk
from games.records.replaying import End, Ending
from games.rules.formats import MatchFormat
from games.rules.game import GameEnd, GameOutcome, Phase, drop, max_loss, resign
from games.rules.scoring import Score, WinKind
from games.rules.sides import Side

_CODE = 100  # from here on a number of points is a program's code for a timeout, not a score
_AUTOMATIC = 3  # automatic doubles that leave no mark are rarely more than one


class EndingCalculator:
    """Finds the end of one game whose actions have been replayed."""

    def __init__(
        self, walk: GameWalk, next_score: tuple[int, int] | None, *, believe_result: bool = False
    ) -> None:
        """Prepare the calculation. `next_score`: the score written before the next game.

        `believe_result`: True if the board is unreliable, so that a stated winner takes precedence over it.
        """
        self.walk = walk
        self.game: Game = walk.game
        self.assumed: AssumedFormat = walk.assumed
        self.played = walk.played
        self.form: MatchFormat = walk.played.form
        self.score: Score = walk.played.score
        self.following = next_score
        self.believe_result = believe_result
        self.findings: list[Finding] = []

    def _add_finding(self, code: str, place: Place | None = None, **params: Any) -> None:
        result = self.game.result
        location = place or (result.place if result is not None else NO_PLACE)
        if location == NO_PLACE:
            location = self.game.place
        turn = len(self.game.actions)
        self.findings.append(finding(code, game=self.walk.index, turn=turn, place=location, **params))

    def end(self) -> Ending:
        ending = self._calculate_from_play()
        outcome, result = self.played.outcome, self.game.result
        may_be_unfinished = self.believe_result and outcome is not None and outcome.end is GameEnd.BORE_OFF
        has_winner = result is not None and result.winner is not None
        is_contradicted = any(item.code in ("result.winner", "points.contradict") for item in self.findings)
        if not (may_be_unfinished and has_winner and is_contradicted):
            return ending
        self.played = self.played._replace(phase=Phase.TO_ROLL, outcome=None)
        self.findings = []
        return self._calculate_from_play()

    def _calculate_from_play(self) -> Ending:
        outcome = self.played.outcome or self._unanswered_double()
        if outcome is not None:
            return self._ending_of_outcome(outcome)
        result = self.game.result
        if result is None or result.winner is None:
            return self._ending_of_unfinished()
        return self._ending_of_resignation(result.winner, result.points)

    def _unanswered_double(self) -> GameOutcome | None:
        """Return the outcome of a double that was passed without a recorded pass, or None.

        Such a double is followed by points for the doubler.
        """
        result, offer = self.game.result, self.played.cube.offer
        if result is None or offer is None or offer.by is not result.winner:
            return None
        self._add_finding("cube.unanswered", self._last_place())
        return drop(self.played).outcome

    def _last_place(self) -> Place:
        return self.game.actions[-1].place if self.game.actions else self.game.place

    # -- ends decided by play

    def _ending_of_outcome(self, outcome: GameOutcome) -> Ending:
        """Return the ending whose winner and worth follow from play, and note where the record differs."""
        winner, end, kind, cube, value = (
            outcome.winner,
            End(outcome.end),
            outcome.kind,
            outcome.cube,
            outcome.points,
        )
        result = self.game.result
        if result is None:
            self._add_finding("result.missing", self._last_place(), winner=winner.value, points=value)
            return Ending(end, winner, kind, cube, value, None)
        if result.winner is not None and result.winner is not winner:
            self._add_finding("result.winner", stated=result.winner.value, winner=winner.value)
            return Ending(end, winner, kind, cube, value, result.points)
        stated = result.points
        if stated is None:
            return Ending(end, winner, kind, cube, value, None)
        for worth, turned_cube in self._possible_values(outcome):
            if self._is_possible_score(stated, worth, winner):
                self._note_uncapped(stated, worth, winner)
                self._note_automatic(turned_cube, cube, stated)
                return Ending(end, winner, kind, turned_cube, self._counted_points(worth), stated)
        if self.form.length is not None and stated >= max(_CODE, self.form.length) and value < _CODE:
            self._add_finding("points.oversized", stated=stated, points=value)
            return Ending(end, winner, kind, cube, value, stated)
        self._add_finding("points.contradict", stated=stated, points=value, cube=cube, kind=int(kind))
        return Ending(end, winner, kind, cube, stated if stated > 0 else value, stated)

    def _possible_values(self, outcome: GameOutcome) -> list[tuple[int, int]]:
        """Return (points, cube) of each value that this end may have, as far as the record leaves it open."""
        values, cube = [outcome.points], outcome.cube
        if (
            self.assumed.is_jacoby_open
            and not self.played.cube.was_doubled
            and outcome.end is not GameEnd.PASSED
        ):
            values.append(cube)  # as Jacoby would count it (R40)
        worths = [(value, cube) for value in values]
        if not self.walk.cube_named:
            max_doubles = _AUTOMATIC if self.assumed.is_automatic_open else self.form.automatic_doubles
            worths += [
                (value << doubles, cube << doubles)
                for doubles in range(1, max_doubles + 1)
                for value in values
            ]
        return worths

    def _note_automatic(self, turned_cube: int, cube: int, stated: int) -> None:
        """Add a note on automatic doubles, which are not recorded, if only they explain these points."""
        if turned_cube != cube and self.assumed.is_automatic_open:
            self._add_finding("points.automatic", stated=stated, cube=turned_cube)

    def _is_possible_score(self, stated: int, worth: int, winner: Side) -> bool:
        points_needed, max_points = self.score.needs(winner), self.assumed.max_game_points
        if stated == worth or (max_points is not None and stated == min(worth, max_points)):
            return True
        return points_needed is not None and (
            stated == min(worth, points_needed) or stated == min(worth, self.form.length or worth)
        )

    def _counted_points(self, worth: int) -> int:
        """Return the points as counted by a program that limits the points of a game."""
        return worth if self.assumed.max_game_points is None else min(worth, self.assumed.max_game_points)

    def _note_uncapped(self, stated: int, worth: int, winner: Side) -> None:
        points_needed = self.score.needs(winner)
        if points_needed is not None and stated == worth and stated > points_needed:
            self._add_finding("points.uncapped", stated=stated, needed=points_needed)

    # -- ends known from the result line only

    def _ending_of_resignation(self, winner: Side, stated: int | None) -> Ending:
        cube = self.played.cube.value
        if stated is None:
            single_loss = resign(self.played, winner.other, WinKind.SINGLE)
            return Ending(End.RESIGNED, winner, single_loss.kind, single_loss.cube, single_loss.points, None)
        max_kind = max_loss(self.played, winner.other)
        outcomes = [resign(self.played, winner.other, kind) for kind in WinKind]
        candidates = [
            (outcome.kind, *candidate) for outcome in outcomes for candidate in self._possible_values(outcome)
        ]
        for kind, worth, turned_cube in sorted(candidates, key=lambda candidate: candidate[2] != cube):
            if not self._is_possible_score(stated, worth, winner):
                continue
            points_needed = self.score.needs(winner)
            if not self._was_played() and points_needed is not None and stated >= points_needed:
                self._add_finding("game.forfeit", stated=stated)
                return Ending(End.FORFEITED, winner, kind, turned_cube, points_needed, stated)
            if kind > max_kind and worth == stated:
                self._add_finding("resign.oversized", stated=stated, kind=int(kind))
            self._note_uncapped(stated, worth, winner)
            self._note_automatic(turned_cube, cube, stated)
            return Ending(End.RESIGNED, winner, kind, turned_cube, self._counted_points(worth), stated)
        points_needed = self.score.needs(winner)
        if points_needed is not None and stated >= points_needed > 0:
            self._add_finding(
                "points.oversized" if stated > points_needed else "game.forfeit",
                stated=stated,
                points=points_needed,
            )
            return Ending(End.FORFEITED, winner, WinKind.SINGLE, cube, points_needed, stated)
        self._add_finding("points.contradict", stated=stated, points=cube, cube=cube, kind=0)
        return Ending(End.UNKNOWN, winner, WinKind.SINGLE, cube, max(stated, 1), stated)

    def _was_played(self) -> bool:
        return any(self.played.rolls)

    # -- no end at all

    def _ending_of_unfinished(self) -> Ending:
        cube = self.played.cube.value
        if self.following is not None:
            white = self.following[0] - self.score.white
            black = self.following[1] - self.score.black
            if (white > 0) != (black > 0) and min(white, black) == 0:
                winner, points = (Side.WHITE, white) if white else (Side.BLACK, black)
                if self.game.result is None:
                    self._add_finding(
                        "result.missing", self._last_place(), winner=winner.value, points=points
                    )
                return self._ending_of_resignation(winner, points)
        self._add_finding("game.unfinished", self._last_place())
        return Ending(End.UNFINISHED, None, WinKind.SINGLE, cube, 0, None)
