"""Context of an analysis for the viewer's templates and script."""

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
    viewing: RecordView,
    context: Mapping[str, Any],
    query: Mapping[str, str],
) -> dict[str, Any]:
    """Return what an analysis adds to the ``context`` of the viewer; ``query``: of the address."""
    return displayed_analysis_context(DisplayedAnalysis.of(row, replay, viewing), context, query)


def displayed_analysis_context(
    shown: DisplayedAnalysis, context: Mapping[str, Any], query: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a displayed analysis, stored or not, adds to the ``context``."""
    row, viewing = shown.row, shown.viewing
    look, frame, path = context["look"], context["frame"], context["path"]
    number = viewing.games.index(context["game"]) + 1
    links = {
        (decision.game, decision.turn): turn_link(path, look, decision.game, decision.turn) or VIEWER_ANCHOR
        for decision in shown.analysis.decisions
    }
    found = error_rows(shown, links)
    here = (number, frame.turn)
    decisions = shown.at(*here)
    more: dict[str, Any] = {
        "analysed": row,
        "source_words": source_message(row),
        "rating_words": rating_label(row),
        "sums": sum_rows(shown),
        "course": course_picture(shown, found, here),
        "errors": found,
        "error_words": error_position_text(found, here),
        "error_before": next((one for one in reversed(found) if (one["game"], one["turn"]) < here), None),
        "error_after": next((one for one in found if (one["game"], one["turn"]) > here), None),
        "decisions": [_with_links(decision_context(one, frame, look), path, look, here) for one in decisions],
        "rows": [_move_row(one, number, found) for one in context["rows"]],
        "data": {
            **context["data"],
            "analysis": _script_data(shown),
            "errors": sorted([one["game"], one["turn"]] for one in found),
            "error_texts": error_texts(len(found)),
        },
    }
    checker = next((one for one in decisions if one.kind is DecisionKind.CHECKER and one.plays), None)
    return more | (_tried_play_context(checker, frame, look, query) if checker is not None else {})


def _with_links(shape: Context, path: str, look: BoardOptions, here: tuple[int, int]) -> Context:
    for row in shape["rows"]:
        if "number" in row and path:
            row["url"] = f"{turn_link(path, look, *here)}&play={row['number']}#decision"
    return shape


def _move_row(row: Any, game: int, found: list[Context]) -> Any:
    """Return a row of the move list with its error."""
    error = next((one for one in found if (one["game"], one["turn"]) == (game, row.turn)), None)
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
    decision: Decision, frame: Frame, look: BoardOptions, query: Mapping[str, str]
) -> dict[str, Any]:
    """Return another play on the board: a stored one (`play`), or any legal one (`try`)."""
    tries = legal_play_rows(frame, decision, look)
    board: SafeString | None = None
    words = ""
    wanted = parse_number(query.get("try", ""), -1)
    chosen = next((one for one in tries if one["number"] == wanted), None)
    kept = parse_number(query.get("play", ""), -1)
    if chosen is not None:
        words = tried_play_text(chosen, decision)
        board = _board_picture(frame, chosen["steps"], look, words)
    elif 0 <= kept < len(decision.plays):
        steps = [(step.source, step.target) for step in decision.plays[kept].steps]
        board = _board_picture(
            frame, steps, look, decision_context(decision, frame, look)["rows"][kept]["words"]
        )
    shown = [
        row | {"arrows": json.dumps(row["steps"]), "cost": tried_play_text(row, decision)} for row in tries
    ]
    more: dict[str, Any] = {"tries": shown, "tried": chosen, "tried_words": words}
    return more | ({"board": board} if board is not None else {})


def _board_picture(frame: Frame, steps: Any, look: BoardOptions, words: str) -> SafeString:
    return mark_safe(board_with_play(frame, steps, look, words))  # noqa: S308 - every text in it is escaped by the drawing


def _script_data(shown: DisplayedAnalysis) -> dict[str, Any]:
    """Return each decision by “game:turn”, in short form."""
    own = BoardOptions()
    found: dict[str, Any] = {}
    for decision in shown.analysis.decisions:
        if decision.game > len(shown.viewing.games):
            continue
        game = shown.viewing.game(decision.game)
        shape = decision_context(_shorten_plays(decision), game.frame(decision.turn), own)
        rows = []
        for row in shape["rows"]:
            short = {"w": row["words"], "e": row["equity"]}
            short |= {"l": row["less"]} if row.get("less") else {}
            short |= {"c": row["chances"]} if row.get("chances") else {}
            short |= {"x": 1} if row.get("chosen") else {}
            short |= {"m": row["steps"]} if "steps" in row else {}
            rows.append(short)
        found.setdefault(f"{decision.game}:{decision.turn}", []).append(
            {
                "t": shape["title"],
                "w": shape["words"],
                "k": shape["class"],
                "h": shape["chances"],
                "u": shape["luck"],
                "r": rows,
            }
        )
    return found


def _shorten_plays(decision: Decision) -> Decision:
    kept = list(decision.plays[:MAX_SCRIPT_PLAYS])
    played = decision.played
    if played is not None and played >= MAX_SCRIPT_PLAYS:
        kept[-1] = decision.plays[played]
        played = MAX_SCRIPT_PLAYS - 1
    return replace(decision, plays=tuple(kept), played=played)
