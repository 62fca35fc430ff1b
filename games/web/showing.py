"""Context of the templates of the verdict and of the viewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.messages import DECISIONS, describe, place_label
from games.records.checking import CheckResult
from games.records.validation import Decision
from games.rules.numbering import Numbering
from games.rules.sides import SIDES, Side
from games.rules.xgid import PREFIX
from games.services.repairing import proposed_repairs
from games.web.drawing import BoardDrawing, board_svg
from games.web.repairing import repair_views
from games.web.viewing import (
    BoardOptions,
    FindingView,
    Frame,
    GameView,
    RecordView,
    build_record_view,
    finding_views,
    frame_sentence,
    short_frame_text,
    view_as_data,
    viewer_texts,
)

TONES = {
    Decision.ACCEPT: "success",
    Decision.ACCEPT_WITH_NOTES: "success",
    Decision.DOUBTFUL: "warning",
    Decision.REJECT: "error",
    Decision.UNREADABLE: "error",
}
MAX_PICTURES = 12  # findings that get a board of their own on the page of a check


@dataclass(frozen=True, slots=True)
class FindingPicture:
    """A finding with its position."""

    finding: FindingView
    picture: SafeString
    words: str


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A turn in the move list."""

    turn: int
    side: Side | None
    dice: str
    words: str
    url: str
    current: bool
    marked: bool


def length_label(length: int) -> str:
    return _("%(length)s-point match") % {"length": length} if length else _("Money play")


def check_context(checked: CheckResult, look: BoardOptions) -> dict[str, Any]:
    """Return the context of a verdict: decision, findings with images, and the viewer."""
    viewing, words = build_record_view(checked), viewer_texts()
    verdict, unreadable = checked.verdict, checked.unreadable
    context: dict[str, Any] = {
        "decision": verdict.decision.value,
        "decision_words": DECISIONS[verdict.decision],
        "complete": verdict.complete,
        "tone": TONES[verdict.decision],
        "unreadable": describe(unreadable) if unreadable is not None else "",
        "unreadable_place": place_label(unreadable.place) if unreadable is not None else "",
        "record": checked.record,
        "viewing": viewing,
    }
    if viewing is not None:
        context |= {
            "data": view_as_data(viewing),
            "length_words": length_label(viewing.length),
            "pictured": [
                _finding_picture(found, viewing, look, index) for index, found in enumerate(viewing.findings)
            ],
            "all_moves": [
                {
                    "game": game,
                    "rows": [
                        _move_row(row, game, look, "", words, current=False) for row in game.frames[:-1]
                    ],
                }
                for game in viewing.games
            ],
            "repairs": repair_views(proposed_repairs(checked), viewing, look),
            **stage_context(viewing, look, 1, 1, ""),
        }
    elif checked.record is not None:
        found = finding_views(verdict.findings, checked.record.players, checked.record.game_numbers)
        context["pictured"] = [FindingPicture(finding, mark_safe(""), "") for finding in found]
    return context


def _finding_picture(
    found: FindingView, viewing: RecordView, look: BoardOptions, index: int
) -> FindingPicture:
    if not found.game or not found.turn or index >= MAX_PICTURES or found.game > len(viewing.games):
        return FindingPicture(found, mark_safe(""), "")
    game = viewing.game(found.game)
    frame = game.frame(found.turn)
    return FindingPicture(
        found, frame_picture(frame, game, viewing, look), frame_sentence(frame, game, viewing.players, look)
    )


def frame_picture(frame: Frame, game: GameView, viewing: RecordView, look: BoardOptions) -> SafeString:
    title = frame_sentence(frame, game, viewing.players, look)
    return mark_safe(board_svg(BoardDrawing.of(frame), look, title))  # noqa: S308 - every text in it is escaped by the drawing


def parse_number(text: str, usual: int = 1) -> int:
    """Parse a number in an address; the default if it is not valid."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else usual


def viewer_context(request: HttpRequest, checked: CheckResult, viewing: RecordView) -> dict[str, Any]:
    """Return the context of the viewer at the turn in the address; ``viewing``: the view of ``checked``."""
    look = BoardOptions.of(request.GET)
    game = parse_number(request.GET.get("game", ""))
    turn = parse_number(request.GET.get("turn", ""))
    return {
        "viewing": viewing,
        "data": view_as_data(viewing),
        "length_words": length_label(viewing.length),
        "repairs": repair_views(proposed_repairs(checked), viewing, look),
        "verdict": viewing.decision.value,
        "verdict_words": DECISIONS[viewing.decision],
        "verdict_tone": TONES[viewing.decision],
        **stage_context(viewing, look, game, turn, request.path),
    }


def stage_context(
    viewing: RecordView, look: BoardOptions, game_number: int, turn: int, path: str
) -> dict[str, Any]:
    """Return board, texts, moves and links of one turn; ``path`` is empty where nothing can be linked."""
    game, words = viewing.game(game_number), viewer_texts()
    frame = game.frame(turn)
    index = min(max(turn, 1), len(game.frames)) - 1
    if not path:
        links = dict.fromkeys(("first", "previous", "next", "last"), "")
    else:
        here = (viewing.games.index(game), index)
        links = {
            "first": turn_link(path, look, 1, 1),
            "previous": turn_link(path, look, *_neighbour_turn(viewing, *here, -1)),
            "next": turn_link(path, look, *_neighbour_turn(viewing, *here, 1)),
            "last": turn_link(path, look, len(viewing.games), len(viewing.games[-1].frames)),
        }
    return {
        "path": path,
        "game": game,
        "frame": frame,
        "look": look,
        "links": links,
        "numberings": numbering_links(viewing, look),
        "board": frame_picture(frame, game, viewing, look),
        "sentence": frame_sentence(frame, game, viewing.players, look),
        "rows": [_move_row(row, game, look, path, words, current=row is frame) for row in game.frames[:-1]],
        "games": [
            {
                "number": shown.named,
                "url": turn_link(path, look, number, 1),
                "current": shown is game,
                "game": shown,
            }
            for number, shown in enumerate(viewing.games, 1)
        ],
        "end_url": turn_link(path, look, game.number, len(game.frames)),
        "here": [viewing.findings[found] for found in frame.findings],
        "board_rows": board_rows(frame, viewing.players),
        "cube_words": cube_text(frame, viewing.players),
        "image_path": image_path(frame.xgid),
        "image_url": f"{settings.SITE_URL}{image_path(frame.xgid)}",
        "finding_links": [
            {
                "finding": found,
                "url": turn_link(path, look, found.game, found.turn or 1) if found.game else "",
            }
            for found in viewing.findings
        ],
    }


def image_path(xgid: str) -> str:
    """Return the address of the image with dice and cube."""
    return reverse("games:xgid", args=[xgid.removeprefix(PREFIX)])


def numbering_links(viewing: RecordView, look: BoardOptions) -> list[dict[str, Any]]:
    """Return links to the three numberings of R5, the two fixed ones in both directions, by player."""
    left, right = viewing.players
    words = {
        Numbering.OWN: _("24–1 from each player’s side"),
        Numbering.WHITE_UP: _("1–24, ascending for %(name)s") % {"name": left},
        Numbering.BLACK_UP: _("1–24, ascending for %(name)s") % {"name": right},
        Numbering.WHITE_FROM_1A: _("1A–12A, %(name)s starts on 1A") % {"name": left},
        Numbering.BLACK_FROM_1A: _("1A–12A, %(name)s starts on 1A") % {"name": right},
    }
    return [
        {"value": code.value, "words": label, "chosen": code is look.numbering}
        for code, label in words.items()
    ]


def board_rows(frame: Frame, players: tuple[str, str]) -> list[dict[str, Any]]:
    """Return the board as text rows, one for each player in their own numbering."""
    rows = []
    for side in SIDES:
        counts = frame.board.own if side is Side.WHITE else frame.board.other
        rows.append(
            {
                "name": players[side.column],
                "points": ", ".join(
                    f"{point}: {counts[point]}" for point in range(24, 0, -1) if counts[point]
                ),
                "bar": counts[25],
                "off": counts[0],
                "pips": frame.pips[side.column],
            }
        )
    return rows


def cube_text(frame: Frame, players: tuple[str, str]) -> str:
    words, cube = viewer_texts(), frame.cube
    if cube.offer is not None or frame.kind == "double":
        value = cube.offer.value if cube.offer is not None else cube.value * 2
        return words["cube_offered"] % {"value": value}
    if cube.owner is None:
        return words["cube_middle"] % {"value": cube.value}
    return words["cube_owned"] % {"value": cube.value, "name": players[cube.owner.column]}


def _move_row(
    frame: Frame, game: GameView, look: BoardOptions, path: str, words: Mapping[str, str], *, current: bool
) -> MoveRow:
    return MoveRow(
        turn=frame.turn,
        side=frame.side,
        dice=f"{frame.dice[0]}{frame.dice[1]}" if frame.dice else "",
        words=short_frame_text(frame, look, words),
        url=turn_link(path, look, game.number, frame.turn),
        current=current,
        marked=bool(frame.findings),
    )


def _neighbour_turn(viewing: RecordView, game: int, frame: int, by: int) -> tuple[int, int]:
    """Return the frame before or after, across games; numbers counted from 1."""
    frame += by
    if frame < 0:
        return (game, len(viewing.games[game - 1].frames)) if game else (1, 1)
    if frame >= len(viewing.games[game].frames):
        return (game + 2, 1) if game + 1 < len(viewing.games) else (game + 1, frame)
    return game + 1, frame + 1


def turn_link(path: str, look: BoardOptions, game: int, turn: int) -> str:
    """Return the address of a turn; empty where the record has none."""
    if not path:
        return ""
    query: dict[str, object] = {"game": game, "turn": turn}
    if look.bottom is Side.BLACK:
        query["view"] = "black"
    if look.home_left:
        query["home"] = "left"
    if look.numbering is not Numbering.OWN:
        query["numbering"] = look.numbering.value
    return f"{path}?{urlencode(query)}"
