"""Writer of SGF, GM[6]: one game tree for each game, counted from 0 as programs do.

SGF writes each die as a step of its own, so call ``canonical.canonical`` first.
"""

from __future__ import annotations

import re

from games.records.analysis import NO_ANALYSIS, Analysis, comments_by_turn
from games.records.model import (
    Action,
    Board,
    CubeAction,
    CubeKind,
    Game,
    Record,
    Result,
    Roll,
    RollMark,
    Setup,
    Variation,
)
from games.records.sgf_judgements import EvaluationWriter
from games.records.writing import Loss, WrittenRecord
from games.rules.sides import Side

_TAGS = {
    "eventdate": "DT",
    "event": "EV",
    "round": "RO",
    "site": "PC",
    "transcriber": "AN",
    "user": "US",
    "source": "SO",
}
_LETTERS = "abcdefghijklmnopqrstuvwx"
_COLOUR = {Side.WHITE: "W", Side.BLACK: "B"}
_CUBE_WORDS = {
    CubeKind.DOUBLE: "double",
    CubeKind.TAKE: "take",
    CubeKind.PASS: "drop",
    CubeKind.BEAVER: "double",
}


def _escape_line(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("]", "\\]")


def _escape_text(text: str) -> str:
    """Return a comment escaped for SGF, with its line breaks."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def point_letter(point: int, side: Side) -> str:
    """Return SGF's letter for a point in the side's own numbering."""
    if point == 25:
        return "y"
    if point == 0:
        return "z"
    return _LETTERS[point - 1] if side is Side.WHITE else _LETTERS[24 - point]


class SgfWriter:
    def __init__(self, record: Record, analysis: Analysis) -> None:
        self.record = record
        self.comments = comments_by_turn(analysis)
        self.judgements = EvaluationWriter(record, analysis, point_letter)
        self.clocks = {(clock.game, clock.turn, clock.side): clock.seconds for clock in analysis.clocks}
        self.losses: list[Loss] = []

    def write(self) -> WrittenRecord:
        if self.record.length is None:
            self.losses.append(Loss("loss.length"))
        for name in self.record.players:
            if name != " ".join(name.split()):
                self.losses.append(Loss("loss.name", params={"name": name[:60]}))
        details = self._details()
        options = self.record.options
        if (
            options.beavers is not None
            or options.automatic_doubles is not None
            or (options.variation is Variation.OTHER)
        ):
            self.losses.append(Loss("loss.options"))
        trees = [self._tree(index, game, details) for index, game in enumerate(self.record.games, 1)]
        return WrittenRecord("".join(trees).encode(), tuple(self.losses))

    def _details(self) -> str:
        parts = []
        used_keys: set[str] = set()
        for tag in self.record.tags:
            if tag.key == "Corrected":
                parts.append(f"GC[Corrected: {_escape_line(tag.value)}]")
                continue
            key = _TAGS.get(tag.key.casefold())
            if key is None or key in used_keys or tag.value != " ".join(tag.value.split()):
                self.losses.append(Loss("loss.tag", params={"key": tag.key[:60]}, place=tag.place))
                continue
            used_keys.add(key)
            value = tag.value
            if key == "DT" and re.fullmatch(r"\d{4}\.\d\d\.\d\d", value):
                value = value.replace(".", "-")
            parts.append(f"{key}[{_escape_line(value)}]")
        return "".join(parts)

    def _rules(self, game: Game) -> str:
        options = self.record.options
        rule_names = []
        if options.crawford:
            rule_names.append("Crawford")
        if game.crawford and options.crawford:
            rule_names.append("CrawfordGame")
        if options.jacoby:
            rule_names.append("Jacoby")
        if options.variation in (Variation.NACKGAMMON, Variation.HYPERGAMMON, Variation.LONGGAMMON):
            rule_names.append(
                {"n": "Nackgammon", "h": "Hypergammon", "l": "Longgammon"}[options.variation.value[0]]
            )
        has_rules = bool(rule_names) or options.crawford is not None or options.jacoby is not None
        return f"RU[{':'.join(rule_names)}]" if has_rules else ""

    def _tree(self, index: int, game: Game, details: str) -> str:
        white, black = self.record.players
        length = "" if self.record.length is None else f"[length:{self.record.length}]"
        root = (
            f"(;FF[4]GM[6]CA[UTF-8]AP[Crawford]MI{length}[game:{game.number - 1}]"
            f"[ws:{game.score_before[0]}][bs:{game.score_before[1]}]"
            f"PW[{_escape_line(white)}]PB[{_escape_line(black)}]{details if index == 1 else ''}{self._rules(game)}"
        )
        if game.automatic_doubles:
            root += f"CV[{2**game.automatic_doubles}]"
        if game.result is not None:
            root += self._result(index, game.result)
        if index == 1 and (0, 0) in self.comments:
            root += f"GC[{_escape_text(self.comments[0, 0])}]"
        if index == 1 and self.judgements.engine:
            root += f"KE[{_escape_text(self.judgements.engine)}]"
        lines = [root + self._comment_and_clocks(index, 0)]
        for turn, action in enumerate(game.actions, 1):
            node = self._node(index, action)
            if node:
                lines.append(node + self._comment_and_clocks(index, turn))
        return "\n".join(lines) + ")\n"

    def _comment_and_clocks(self, game: int, turn: int) -> str:
        """Return the properties of a turn as text: evaluations, clocks and comment."""
        clock_properties = [
            f"{name}[{self.clocks[game, turn, side]:g}]"
            for name, side in (("WL", Side.WHITE), ("BL", Side.BLACK))
            if (game, turn, side) in self.clocks
        ]
        text = self.comments.get((game, turn), "")
        return (
            self.judgements.of(game, turn)
            + "".join(clock_properties)
            + (f"C[{_escape_text(text)}]" if text else "")
        )

    def _result(self, index: int, result: Result) -> str:
        if result.winner is None:
            self.losses.append(Loss("loss.winner", index, place=result.place))
            return ""
        points = "" if result.points is None else str(result.points)
        return f"RE[{_COLOUR[result.winner]}+{points}{'R' if result.resigned else ''}]"

    def _node(self, index: int, action: Action) -> str:
        if isinstance(action, Setup):
            return _setup(action)
        colour = _COLOUR[action.side]
        if isinstance(action, CubeAction):
            return f";{colour}[{_CUBE_WORDS[action.kind]}]"
        dice = f"{action.dice[0]}{action.dice[1]}"
        if action.mark is RollMark.UNPLAYED:
            if action.dice == (0, 0):
                self.losses.append(Loss("loss.unplayed_roll", index, place=action.place))
                return ""
            return f";PL[{colour}]DI[{dice}]"
        if action.mark is RollMark.ILLEGAL:
            self.losses.append(Loss("loss.condoned_play", index, place=action.place))
            node = f";{colour}[{dice}]"
            return node + ("\n" + _setup(Setup(board=action.after)) if action.after is not None else "")
        return f";{colour}[{dice}{_letters(action)}]"


def _letters(roll: Roll) -> str:
    return "".join(
        point_letter(step.source, roll.side) + point_letter(step.target, roll.side) for step in roll.steps
    )


def _setup(setup: Setup) -> str:
    node = ";"
    if setup.board is not None:
        node += (
            "AE[a:y]"
            + _stone_property("AW", setup.board, Side.WHITE)
            + _stone_property("AB", setup.board, Side.BLACK)
        )
    if setup.cube is not None:
        node += f"CV[{setup.cube}]"
    if setup.owner is not None:
        node += f"CP[{_COLOUR[setup.owner].lower()}]"
    elif setup.centred:
        node += "CP[c]"
    if setup.turn is not None:
        node += f"PL[{_COLOUR[setup.turn]}]"
    return node if len(node) > 1 else ""


def _stone_property(name: str, board: Board, side: Side) -> str:
    counts = board.white if side is Side.WHITE else board.black
    stones = "".join(f"[{point_letter(point, side)}]" * counts[point] for point in range(1, 26))
    return name + stones if stones else ""


def write_sgf(record: Record, analysis: Analysis = NO_ANALYSIS) -> WrittenRecord:
    return SgfWriter(record, analysis).write()
