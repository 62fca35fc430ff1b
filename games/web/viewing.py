"""A checked record for the viewer: one frame for each action and one for the end of each game.

Built once for all uses: the page without scripts, the script's data (``view_as_data``), texts for screen
readers. A frame shows the board *before* its action, with the dice that were rolled and the moves. Points are
in the mover's own numbering (rule R2); ``BoardOptions`` and the label tables convert them for display (rules
R4 R5).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.messages import SEVERITIES, describe, location_label
from games.records.checking import CheckResult
from games.records.findings import Finding, Severity
from games.records.model import CubeAction, Roll, RollMark, Setup
from games.records.questions import build_xgid
from games.records.replaying import End, Replay, ReplayedGame, TurnState
from games.records.validation import VerdictDecision
from games.rules.cube import CubeState
from games.rules.numbering import Numbering, label
from games.rules.position import BAR, Position
from games.rules.sides import SIDES, Side

_NUMBER = re.compile(r"(\(\d\))|\d+")


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """How a user wants to see the board (rules R4 and R5).

    `bottom`: the side that is below; `home_left`: home boards on the left; `numbering`: how points are
    labelled.
    """

    bottom: Side = Side.WHITE
    home_left: bool = False
    numbering: Numbering = Numbering.OWN

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "BoardOptions":
        """Return the options that the query of an address states, with defaults for invalid ones."""
        numbering = query.get("numbering", "")
        return cls(
            bottom=Side.BLACK if query.get("view") == Side.BLACK else Side.WHITE,
            home_left=query.get("home") == "left",
            numbering=Numbering(numbering) if numbering in set(Numbering) else Numbering.OWN,
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of the viewer. ``board`` is seen by White; ``play`` is in the mover's own numbering.

    ``findings``: the indexes of problems found in this turn.
    """

    turn: int
    side: Side | None
    kind: str  # play, none, unplayed, double, take, pass, beaver, setup, end
    board: Position
    dice: tuple[int, int] | None
    play: str
    steps: tuple[tuple[int, int, bool], ...]
    cube: CubeState
    position_id: str
    xgid: str
    findings: tuple[int, ...]

    @property
    def pips(self) -> tuple[int, int]:
        return self.board.pips, self.board.other_pips


@dataclass(frozen=True, slots=True)
class GameView:
    """A game for display. `number`: its position in the record, from 1, as in addresses.

    `file_number`: its number in the file.
    """

    number: int
    file_number: int
    score: tuple[int, int]
    crawford: bool
    frames: tuple[Frame, ...]
    result: str

    def frame(self, turn: int) -> Frame:
        return self.frames[min(max(turn, 1), len(self.frames)) - 1]


@dataclass(frozen=True, slots=True)
class FindingView:
    """A problem found in the record, as text."""

    severity: Severity
    label: str
    where: str
    rule: str
    words: str
    game: int
    turn: int

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.REJECT


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record prepared for display; ``decision``: the verdict."""

    players: tuple[str, str]
    length: int
    score: tuple[int, int]
    games: tuple[GameView, ...]
    findings: tuple[FindingView, ...]
    decision: VerdictDecision

    def game(self, number: int) -> GameView:
        return self.games[min(max(number, 1), len(self.games)) - 1]


def build_record_view(check_result: CheckResult) -> RecordView | None:
    """Return the record of ``check_result`` prepared for display; None if nothing was replayed."""
    record, replayed = check_result.record, check_result.verdict.replay
    if record is None or replayed is None or not replayed.games:
        return None
    players = player_names(record.players)
    findings_by_turn: dict[tuple[int, int], list[int]] = {}
    for index, finding in enumerate(check_result.verdict.findings):
        findings_by_turn.setdefault((finding.game, finding.turn), []).append(index)
    return RecordView(
        players=players,
        length=replayed.form.length or 0,
        score=replayed.score.capped,
        games=tuple(
            _game_view(game, file_number, replayed, players, findings_by_turn)
            for game, file_number in zip(replayed.games, record.game_numbers, strict=False)
        ),
        findings=finding_views(check_result.verdict.findings, players, record.game_numbers),
        decision=check_result.verdict.decision,
    )


def player_names(recorded_names: tuple[str, str]) -> tuple[str, str]:
    """Return the names to be displayed; a column without a name is called by its side."""
    return recorded_names[0].strip() or _("Left player"), recorded_names[1].strip() or _("Right player")


def finding_views(
    findings: Sequence[Finding], players: tuple[str, str], numbers: Sequence[int]
) -> tuple[FindingView, ...]:
    return tuple(
        FindingView(
            severity=finding.severity,
            label=str(SEVERITIES[finding.severity]),
            where=location_label(finding, numbers),
            rule=finding.rule or "",
            words=describe(finding, players),
            game=finding.game,
            turn=finding.turn,
        )
        for finding in findings
    )


def _game_view(
    game: ReplayedGame,
    file_number: int,
    replayed: Replay,
    players: tuple[str, str],
    findings_by_turn: Mapping[tuple[int, int], list[int]],
) -> GameView:
    frames = [
        _action_frame(state, game, replayed, tuple(findings_by_turn.get((game.number, state.turn), ())))
        for state in game.states
    ]
    frames.append(_final_frame(game, replayed, len(frames) + 1))
    return GameView(
        game.number, file_number, game.score.points, game.crawford, tuple(frames), ending_text(game, players)
    )


def _action_frame(state: TurnState, game: ReplayedGame, replayed: Replay, findings: tuple[int, ...]) -> Frame:
    action = state.action
    kind, play = "setup", ""
    steps: tuple[tuple[int, int, bool], ...] = ()
    if isinstance(action, Roll):
        steps = tuple((step.source, step.target, step.hit) for step in state.steps)
        kind = "unplayed" if action.mark is RollMark.UNPLAYED else "play" if steps else "none"
        play = state.notation.partition(": ")[2] if state.dice else state.notation
        play = play if kind == "play" else ""
    elif isinstance(action, CubeAction):
        kind = action.kind.value
    return Frame(
        turn=state.turn,
        side=None if isinstance(action, Setup) else state.side,
        kind=kind,
        board=state.seen_by(Side.WHITE, after=isinstance(action, Setup)),
        dice=state.dice,
        play=play,
        steps=steps,
        cube=state.cube,
        position_id=state.position_id,
        xgid=build_xgid(state.before, state.side, state.dice, state.cube, game, replayed).id,
        findings=findings,
    )


def _final_frame(game: ReplayedGame, replayed: Replay, turn: int) -> Frame:
    """Return the frame with the board at the end of the game or of the record."""
    last = game.states[-1] if game.states else None
    board = last.seen_by(Side.WHITE, after=True) if last is not None else game.start
    side = last.side.other if last is not None else Side.WHITE
    position = board if side is Side.WHITE else board.swap()
    cube = last.cube if last is not None else CubeState()
    if game.ending.winner is not None and cube.value < game.ending.cube:
        cube = CubeState(game.ending.cube, cube.owner, cube.was_doubled, cube.automatic_doubles)
    return Frame(
        turn=turn,
        side=None,
        kind="end",
        board=board,
        dice=None,
        play="",
        steps=(),
        cube=cube,
        position_id=position.id,
        xgid=build_xgid(position, side, None, cube, game, replayed).id,
        findings=(),
    )


def ending_text(game: ReplayedGame, players: tuple[str, str]) -> str:
    """Return how a game ended, such as “Ann wins 2 points (gammon).”"""
    ending = game.ending
    if ending.winner is None or ending.end is End.UNFINISHED:
        return _("The record ends here.")
    result_text = ngettext(
        "%(name)s wins %(points)s point", "%(name)s wins %(points)s points", ending.points
    ) % {
        "name": players[ending.winner.column],
        "points": ending.points,
    }
    end_label = {
        End.PASSED: _("double passed"),
        End.RESIGNED: _("resigned"),
        End.FORFEITED: _("forfeited"),
        End.UNKNOWN: "",
    }.get(ending.end, "")
    kind = (
        {2: _("gammon"), 3: _("backgammon")}.get(int(ending.kind), "") if ending.end is not End.PASSED else ""
    )
    details = ", ".join(part for part in (kind, end_label) if part)
    return f"{result_text} ({details})." if details else f"{result_text}."


def renumber_play(play: str, side: Side, numbering: Numbering) -> str:
    """Return a play, written in own numbering, in another numbering of points (rule R5)."""
    if numbering is Numbering.OWN:
        return play
    return _NUMBER.sub(lambda match: match[1] or label(numbering, side, int(match[0])), play)


def viewer_texts() -> dict[str, str]:
    """Return the texts of the viewer, keyed by what they are about.

    The script fills in the same placeholders as ``frame_sentence``.
    """
    return {
        "play": _("%(name)s rolls %(dice)s and plays %(play)s."),
        "none": _("%(name)s rolls %(dice)s and cannot move."),
        "unplayed": _("%(name)s rolls %(dice)s and resigns."),
        "double": _("%(name)s doubles."),
        "take": _("%(name)s takes."),
        "pass": _("%(name)s passes."),
        "beaver": _("%(name)s takes and redoubles."),
        "setup": _("The position was set up manually here."),
        "to_roll": _("%(name)s to roll."),
        "no_dice": _("%(name)s plays %(play)s."),
        "opening": _("Start of game %(number)s."),
        "cannot": _("no play"),
        "doubles": _("doubles"),
        "takes": _("takes"),
        "passes": _("passes"),
        "beavers": _("beavers"),
        "set_up": _("set up"),
        "gives_up": _("resigns"),
        "cube_middle": _("Centred cube at %(value)s"),
        "cube_owned": _("Cube at %(value)s, owned by %(name)s"),
        "cube_offered": _("Cube offered at %(value)s"),
        "bar": _("bar"),
        "off": _("off"),
        "game": _("Game %(number)s"),
        "crawford": _("Crawford game"),
        "pause": _("Pause"),
        "play_button": _("Play"),
    }


def frame_sentence(
    frame: Frame, game: GameView, players: tuple[str, str], board_options: BoardOptions
) -> str:
    """Return what happens in a frame as a sentence."""
    if frame.kind == "end":
        return game.result
    texts = viewer_texts()
    key = "no_dice" if frame.kind == "play" and frame.dice is None else frame.kind
    side = frame.side or Side.WHITE
    return texts[key] % {
        "name": players[side.column],
        "dice": f"{frame.dice[0]}-{frame.dice[1]}" if frame.dice else "–",
        "play": renumber_play(frame.play, side, board_options.numbering),
    }


def short_frame_text(frame: Frame, board_options: BoardOptions, texts: Mapping[str, str]) -> str:
    """Return what happens in a frame as a short text for the move list.

    ``texts``: the ``viewer_texts``, looked up once for all turns.
    """
    text_keys = {
        "none": "cannot",
        "unplayed": "gives_up",
        "double": "doubles",
        "take": "takes",
        "pass": "passes",
        "beaver": "beavers",
        "setup": "set_up",
    }
    if frame.kind in text_keys:
        return texts[text_keys[frame.kind]]
    return renumber_play(frame.play, frame.side or Side.WHITE, board_options.numbering)


def label_tables() -> dict[str, list[list[str]]]:
    """Return the labels of own places 0 (off) to 25 (bar) for White and Black, keyed by numbering."""
    return {
        numbering.value: [[label(numbering, side, place) for place in range(BAR + 1)] for side in SIDES]
        for numbering in Numbering
    }


def view_as_data(record_view: RecordView) -> dict[str, Any]:
    """Return the data of the viewer's script as JSON values, with short keys in each frame."""
    return {
        "players": list(record_view.players),
        "length": record_view.length,
        "score": list(record_view.score),
        "labels": label_tables(),
        "texts": viewer_texts(),
        "findings": [
            {
                "game": f.game,
                "turn": f.turn,
                "fault": f.is_error,
                "label": f.label,
                "rule": f.rule,
                "words": f.words,
            }
            for f in record_view.findings
        ],
        "games": [
            {
                "number": game.file_number,
                "score": list(game.score),
                "crawford": game.crawford,
                "result": game.result,
                "frames": [_frame_data(frame) for frame in game.frames],
            }
            for game in record_view.games
        ],
    }


def _frame_data(frame: Frame) -> dict[str, Any]:
    cube = frame.cube
    is_offered = cube.offer is not None or frame.kind == "double"
    value = (
        cube.offer.value
        if cube.offer is not None
        else cube.value * 2
        if frame.kind == "double"
        else cube.value
    )
    row: dict[str, Any] = {
        "k": frame.kind,
        "b": list(frame.board.board()),
        "p": list(frame.pips),
        "c": [value, -1 if cube.owner is None else cube.owner.column, int(is_offered)],
        "i": frame.position_id,
        "x": frame.xgid,
    }
    if frame.side is not None:
        row["s"] = frame.side.column
    if frame.dice is not None:
        row["d"] = list(frame.dice)
    if frame.play:
        row["n"] = frame.play
        row["m"] = [[source, target] for source, target, _hit in frame.steps]
    if frame.findings:
        row["f"] = list(frame.findings)
    return row
