"""Contexts for the templates of a checked record and of the viewer."""

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
from games.records.validation import VerdictDecision
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
    VerdictDecision.ACCEPT: "success",
    VerdictDecision.ACCEPT_WITH_NOTES: "success",
    VerdictDecision.DOUBTFUL: "warning",
    VerdictDecision.REJECT: "error",
    VerdictDecision.UNREADABLE: "error",
}
MAX_PICTURES = 12  # findings that get a board of their own on the page of a check


@dataclass(frozen=True, slots=True)
class FindingPicture:
    """A problem found in the record, with the position as a picture and in words."""

    finding: FindingView
    picture: SafeString
    words: str


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A turn in the move list; ``marked``: a problem was found in it."""

    turn: int
    side: Side | None
    dice: str
    words: str
    url: str
    current: bool
    marked: bool


def length_label(length: int) -> str:
    return _("%(length)s-point match") % {"length": length} if length else _("Money play")


def check_context(check_result: CheckResult, board_options: BoardOptions) -> dict[str, Any]:
    """Return the template context of a verdict: decision, problems found with boards, and the viewer."""
    record_view, texts = build_record_view(check_result), viewer_texts()
    verdict, unreadable = check_result.verdict, check_result.unreadable
    context: dict[str, Any] = {
        "decision": verdict.decision.value,
        "decision_words": DECISIONS[verdict.decision],
        "complete": verdict.complete,
        "tone": TONES[verdict.decision],
        "unreadable": describe(unreadable) if unreadable is not None else "",
        "unreadable_place": place_label(unreadable.place) if unreadable is not None else "",
        "record": check_result.record,
        "viewing": record_view,
    }
    if record_view is not None:
        context |= {
            "data": view_as_data(record_view),
            "length_words": length_label(record_view.length),
            "pictured": [
                _finding_picture(finding, record_view, board_options, index)
                for index, finding in enumerate(record_view.findings)
            ],
            "all_moves": [
                {
                    "game": game,
                    "rows": [
                        _move_row(row, game, board_options, "", texts, current=False)
                        for row in game.frames[:-1]
                    ],
                }
                for game in record_view.games
            ],
            "repairs": repair_views(proposed_repairs(check_result), record_view, board_options),
            **turn_context(record_view, board_options, 1, 1, ""),
        }
    elif check_result.record is not None:
        views = finding_views(verdict.findings, check_result.record.players, check_result.record.game_numbers)
        context["pictured"] = [FindingPicture(finding, mark_safe(""), "") for finding in views]
    return context


def _finding_picture(
    finding: FindingView, record_view: RecordView, board_options: BoardOptions, index: int
) -> FindingPicture:
    if not finding.game or not finding.turn or index >= MAX_PICTURES or finding.game > len(record_view.games):
        return FindingPicture(finding, mark_safe(""), "")
    game = record_view.game(finding.game)
    frame = game.frame(finding.turn)
    return FindingPicture(
        finding,
        frame_picture(frame, game, record_view, board_options),
        frame_sentence(frame, game, record_view.players, board_options),
    )


def frame_picture(
    frame: Frame, game: GameView, record_view: RecordView, board_options: BoardOptions
) -> SafeString:
    title = frame_sentence(frame, game, record_view.players, board_options)
    return mark_safe(board_svg(BoardDrawing.of(frame), board_options, title))  # noqa: S308 - every text in it is escaped by the drawing


def parse_number(text: str, default: int = 1) -> int:
    """Return the number, of at most six digits, that an address contains; the default if it is not valid."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else default


def viewer_context(
    request: HttpRequest, check_result: CheckResult, record_view: RecordView
) -> dict[str, Any]:
    """Return the template context of the viewer at the turn that the address names.

    ``record_view``: the view of ``check_result``.
    """
    board_options = BoardOptions.of(request.GET)
    game = parse_number(request.GET.get("game", ""))
    turn = parse_number(request.GET.get("turn", ""))
    return {
        "viewing": record_view,
        "data": view_as_data(record_view),
        "length_words": length_label(record_view.length),
        "repairs": repair_views(proposed_repairs(check_result), record_view, board_options),
        "verdict": record_view.decision.value,
        "verdict_words": DECISIONS[record_view.decision],
        "verdict_tone": TONES[record_view.decision],
        **turn_context(record_view, board_options, game, turn, request.path),
    }


def turn_context(
    record_view: RecordView, board_options: BoardOptions, game_number: int, turn: int, path: str
) -> dict[str, Any]:
    """Return board, texts, moves and links of one turn, as a template context.

    ``game_number`` and ``turn`` count from 1. ``path``: the address of the page; empty if turns have no
    addresses.
    """
    game, texts = record_view.game(game_number), viewer_texts()
    frame = game.frame(turn)
    index = min(max(turn, 1), len(game.frames)) - 1
    if not path:
        links = dict.fromkeys(("first", "previous", "next", "last"), "")
    else:
        current = (record_view.games.index(game), index)
        links = {
            "first": turn_link(path, board_options, 1, 1),
            "previous": turn_link(path, board_options, *_neighbour_turn(record_view, *current, -1)),
            "next": turn_link(path, board_options, *_neighbour_turn(record_view, *current, 1)),
            "last": turn_link(path, board_options, len(record_view.games), len(record_view.games[-1].frames)),
        }
    return {
        "path": path,
        "game": game,
        "frame": frame,
        "look": board_options,
        "links": links,
        "numberings": numbering_links(record_view, board_options),
        "board": frame_picture(frame, game, record_view, board_options),
        "sentence": frame_sentence(frame, game, record_view.players, board_options),
        "rows": [
            _move_row(row, game, board_options, path, texts, current=row is frame) for row in game.frames[:-1]
        ],
        "games": [
            {
                "number": other_game.file_number,
                "url": turn_link(path, board_options, number, 1),
                "current": other_game is game,
                "game": other_game,
            }
            for number, other_game in enumerate(record_view.games, 1)
        ],
        "end_url": turn_link(path, board_options, game.number, len(game.frames)),
        "here": [record_view.findings[finding_index] for finding_index in frame.findings],
        "board_rows": board_rows(frame, record_view.players),
        "cube_words": cube_text(frame, record_view.players),
        "image_path": image_path(frame.xgid),
        "image_url": f"{settings.SITE_URL}{image_path(frame.xgid)}",
        "finding_links": [
            {
                "finding": finding,
                "url": turn_link(path, board_options, finding.game, finding.turn or 1)
                if finding.game
                else "",
            }
            for finding in record_view.findings
        ],
    }


def image_path(xgid: str) -> str:
    """Return the address of the image of a position with dice and cube."""
    return reverse("games:xgid", args=[xgid.removeprefix(PREFIX)])


def numbering_links(record_view: RecordView, board_options: BoardOptions) -> list[dict[str, Any]]:
    """Return the context of a choice for each numbering of points (rule R5).

    The fixed numberings are offered in both directions, with players' names.
    """
    left, right = record_view.players
    labels = {
        Numbering.OWN: _("24–1 from each player’s side"),
        Numbering.WHITE_UP: _("1–24, ascending for %(name)s") % {"name": left},
        Numbering.BLACK_UP: _("1–24, ascending for %(name)s") % {"name": right},
        Numbering.WHITE_FROM_1A: _("1A–12A, %(name)s starts on 1A") % {"name": left},
        Numbering.BLACK_FROM_1A: _("1A–12A, %(name)s starts on 1A") % {"name": right},
    }
    return [
        {"value": code.value, "words": label, "chosen": code is board_options.numbering}
        for code, label in labels.items()
    ]


def board_rows(frame: Frame, players: tuple[str, str]) -> list[dict[str, Any]]:
    """Return the board as text for screen readers: a context for each player, in their own numbering."""
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
    texts, cube = viewer_texts(), frame.cube
    if cube.offer is not None or frame.kind == "double":
        value = cube.offer.value if cube.offer is not None else cube.value * 2
        return texts["cube_offered"] % {"value": value}
    if cube.owner is None:
        return texts["cube_middle"] % {"value": cube.value}
    return texts["cube_owned"] % {"value": cube.value, "name": players[cube.owner.column]}


def _move_row(
    frame: Frame,
    game: GameView,
    board_options: BoardOptions,
    path: str,
    texts: Mapping[str, str],
    *,
    current: bool,
) -> MoveRow:
    return MoveRow(
        turn=frame.turn,
        side=frame.side,
        dice=f"{frame.dice[0]}{frame.dice[1]}" if frame.dice else "",
        words=short_frame_text(frame, board_options, texts),
        url=turn_link(path, board_options, game.number, frame.turn),
        current=current,
        marked=bool(frame.findings),
    )


def _neighbour_turn(record_view: RecordView, game: int, frame: int, step: int) -> tuple[int, int]:
    """Return (game, turn) of the turn before (``step`` -1) or after (1), across games; both from 1.

    ``game`` and ``frame`` count from 0.
    """
    frame += step
    if frame < 0:
        return (game, len(record_view.games[game - 1].frames)) if game else (1, 1)
    if frame >= len(record_view.games[game].frames):
        return (game + 2, 1) if game + 1 < len(record_view.games) else (game + 1, frame)
    return game + 1, frame + 1


def turn_link(path: str, board_options: BoardOptions, game: int, turn: int) -> str:
    """Return the address of a turn with the board options; "" if the record has no address."""
    if not path:
        return ""
    query: dict[str, object] = {"game": game, "turn": turn}
    if board_options.bottom is Side.BLACK:
        query["view"] = "black"
    if board_options.home_left:
        query["home"] = "left"
    if board_options.numbering is not Numbering.OWN:
        query["numbering"] = board_options.numbering.value
    return f"{path}?{urlencode(query)}"
