"""The context of an analysis for the viewer's templates and script."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.safestring import SafeString, mark_safe

from games.models import RecordAnalysis
from games.records.analysis import Decision, DecisionKind
from games.records.replaying import Replay
from games.web.analysed import (
    Context,
    DisplayedAnalysis,
    board_with_play,
    course_picture,
    decision_context,
    error_position_text,
    error_rows,
    error_texts,
    legal_play_rows,
    rating_label,
    source_message,
    sum_rows,
    tried_play_text,
)
from games.web.showing import parse_number, turn_link
from games.web.viewing import BoardOptions, Frame, RecordView

VIEWER_ANCHOR: Final = "#viewer"  # of records without an address of their own
MAX_SCRIPT_PLAYS: Final = 6  # plays of a turn; the page without scripts has all stored ones


def analysis_context(
    row: RecordAnalysis,
    replay: Replay,
    record_view: RecordView,
    context: Mapping[str, Any],
    query: Mapping[str, str],
) -> dict[str, Any]:
    """Return what a stored analysis adds to the ``context`` of the viewer; ``query``: of the address."""
    return displayed_analysis_context(DisplayedAnalysis.of(row, replay, record_view), context, query)


def displayed_analysis_context(
    displayed: DisplayedAnalysis, context: Mapping[str, Any], query: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a displayed analysis, stored or not, adds to the ``context`` of the viewer."""
    row, record_view = displayed.row, displayed.record_view
    board_options, frame, path = context["look"], context["frame"], context["path"]
    number = record_view.games.index(context["game"]) + 1
    links = {
        (decision.game, decision.turn): turn_link(path, board_options, decision.game, decision.turn)
        or VIEWER_ANCHOR
        for decision in displayed.analysis.decisions
    }
    errors = error_rows(displayed, links)
    current = (number, frame.turn)
    decisions = displayed.at(*current)
    extra: dict[str, Any] = {
        "analysed": row,
        "source_words": source_message(row),
        "rating_words": rating_label(row),
        "sums": sum_rows(displayed),
        "course": course_picture(displayed, errors, current),
        "errors": errors,
        "error_words": error_position_text(errors, current),
        "error_before": next(
            (error for error in reversed(errors) if (error["game"], error["turn"]) < current), None
        ),
        "error_after": next((error for error in errors if (error["game"], error["turn"]) > current), None),
        "decisions": [
            _with_links(decision_context(decision, frame, board_options), path, board_options, current)
            for decision in decisions
        ],
        "rows": [_move_row(move_row, number, errors) for move_row in context["rows"]],
        "data": {
            **context["data"],
            "analysis": _script_data(displayed),
            "errors": sorted([error["game"], error["turn"]] for error in errors),
            "error_texts": error_texts(len(errors)),
        },
    }
    checker_decision = next(
        (decision for decision in decisions if decision.kind is DecisionKind.CHECKER and decision.plays), None
    )
    return extra | (
        _tried_play_context(checker_decision, frame, board_options, query)
        if checker_decision is not None
        else {}
    )


def _with_links(
    context: Context, path: str, board_options: BoardOptions, current: tuple[int, int]
) -> Context:
    for row in context["rows"]:
        if "number" in row and path:
            row["url"] = f"{turn_link(path, board_options, *current)}&play={row['number']}#decision"
    return context


def _move_row(row: Any, game: int, errors: list[Context]) -> Any:
    """Return the context of a turn in the move list, with its error."""
    error = next((item for item in errors if (item["game"], item["turn"]) == (game, row.turn)), None)
    return {
        "turn": row.turn,
        "side": row.side,
        "dice": row.dice,
        "words": row.words,
        "url": row.url,
        "current": row.current,
        "marked": row.marked,
        "error": error["kind"] if error else "",
        "error_words": error["words"] if error else "",
    }


def _tried_play_context(
    decision: Decision, frame: Frame, board_options: BoardOptions, query: Mapping[str, str]
) -> dict[str, Any]:
    """Return the context of another play on the board: a stored play (`play`), or any legal one (`try`)."""
    tries = legal_play_rows(frame, decision, board_options)
    board: SafeString | None = None
    text = ""
    try_number = parse_number(query.get("try", ""), -1)
    tried_row = next((row for row in tries if row["number"] == try_number), None)
    play_number = parse_number(query.get("play", ""), -1)
    if tried_row is not None:
        text = tried_play_text(tried_row, decision)
        board = _board_picture(frame, tried_row["steps"], board_options, text)
    elif 0 <= play_number < len(decision.plays):
        steps = [(step.source, step.target) for step in decision.plays[play_number].steps]
        board = _board_picture(
            frame,
            steps,
            board_options,
            decision_context(decision, frame, board_options)["rows"][play_number]["words"],
        )
    try_rows = [
        row | {"arrows": json.dumps(row["steps"]), "cost": tried_play_text(row, decision)} for row in tries
    ]
    extra: dict[str, Any] = {"tries": try_rows, "tried": tried_row, "tried_words": text}
    return extra | ({"board": board} if board is not None else {})


def _board_picture(frame: Frame, steps: Any, board_options: BoardOptions, title: str) -> SafeString:
    return mark_safe(board_with_play(frame, steps, board_options, title))  # noqa: S308 - every text in it is escaped by the drawing


def _script_data(displayed: DisplayedAnalysis) -> dict[str, Any]:
    """Return the decisions as lists keyed by “game:turn”, with short keys, for the script."""
    default_options = BoardOptions()
    rows_by_turn: dict[str, Any] = {}
    for decision in displayed.analysis.decisions:
        if decision.game > len(displayed.record_view.games):
            continue
        game = displayed.record_view.game(decision.game)
        context = decision_context(_shorten_plays(decision), game.frame(decision.turn), default_options)
        rows = []
        for row in context["rows"]:
            short_row = {"w": row["words"], "e": row["equity"]}
            short_row |= {"l": row["less"]} if row.get("less") else {}
            short_row |= {"c": row["chances"]} if row.get("chances") else {}
            short_row |= {"x": 1} if row.get("chosen") else {}
            short_row |= {"m": row["steps"]} if "steps" in row else {}
            rows.append(short_row)
        rows_by_turn.setdefault(f"{decision.game}:{decision.turn}", []).append(
            {
                "t": context["title"],
                "w": context["words"],
                "k": context["class"],
                "h": context["chances"],
                "u": context["luck"],
                "r": rows,
            }
        )
    return rows_by_turn


def _shorten_plays(decision: Decision) -> Decision:
    plays = list(decision.plays[:MAX_SCRIPT_PLAYS])
    played = decision.played
    if played is not None and played >= MAX_SCRIPT_PLAYS:
        plays[-1] = decision.plays[played]
        played = MAX_SCRIPT_PLAYS - 1
    return replace(decision, plays=tuple(plays), played=played)
