"""An analysis in the viewer.

Both sides' results, the chances through the match, errors, and possible plays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.port import LIMIT_REACHED, NO_ENGINE, NOT_FIT
from games.models import RecordAnalysis
from games.records.analysis import Analysis, Chances, Decision, DecisionKind
from games.records.boards import mark_hits
from games.records.performance import (
    CubeError,
    ErrorClass,
    Performance,
    error_class,
    luck_adjusted_result,
    match_course,
    performances,
)
from games.records.replaying import Replay, format_steps
from games.rules.plays import legal_plays, literal_result
from games.rules.sides import SIDES, Side
from games.selectors import stored_decisions
from games.web.drawing import BoardDrawing, board_svg
from games.web.graphs import ErrorMark, GameStart, course_svg
from games.web.viewing import BoardOptions, Frame, RecordView, renumber_play

# Differences of estimated ratings from eXtreme Gammon's own: average, maximum, number of matches (docs/records.md).
PR_MARGIN = 0.4
MAX_PR_DIFFERENCE = 1.13
MATCHES_COMPARED = 11
ENGINES = {"gnubg": "GNU Backgammon", "bgsage": "Sage"}
Context = dict[str, Any]


class AnalysisSource(Protocol):
    """The origin of an analysis: a stored row (`RecordAnalysis`), or the file itself (`FileAnalysis`)."""

    @property
    def engine(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def level(self) -> str: ...
    @property
    def of_file(self) -> bool: ...
    @property
    def rates(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class DisplayedAnalysis:
    """A finished analysis with the replay and the view of its record."""

    row: AnalysisSource
    analysis: Analysis
    replay: Replay
    record_view: RecordView

    @classmethod
    def of(cls, row: RecordAnalysis, replay: Replay, record_view: RecordView) -> "DisplayedAnalysis":
        """Return a stored analysis prepared for display."""
        return cls(row, Analysis(engine_label(row), stored_decisions(row)), replay, record_view)

    def at(self, game: int, turn: int) -> list[Decision]:
        return [row for row in self.analysis.decisions if (row.game, row.turn) == (game, turn)]


def engine_label(row: AnalysisSource) -> str:
    """Return the engine as text, such as “GNU Backgammon 1.07.001, 2-ply”."""
    name = " ".join(part for part in (ENGINES.get(row.engine, row.engine), row.version) if part)
    return ", ".join(part for part in (name, row.level) if part)


def failure_message(code: str) -> str:
    """Return a message for an error code: why there is no analysis, and what to do."""
    return {
        NO_ENGINE: _(
            "No analysis engine is installed on this site. The site operator can add GNU Backgammon."
        ),
        LIMIT_REACHED: _("The analysis took too long and was stopped. Try again when the site is less busy."),
        NOT_FIT: _(
            "This record cannot be analysed: it contains illegal plays, a manually set up position or "
            "unsupported rules."
        ),
    }.get(code, _("The engine could not read this record."))


def rating_label(row: AnalysisSource) -> str:
    """Return the label of the performance rating; “PR” alone only for the file's own."""
    if row.of_file:
        return _("PR")
    return _("PR est. (%(engine)s)") % {"engine": engine_label(row)}


def source_message(row: AnalysisSource) -> str:
    """Return a message on where the numbers come from and how accurate they are."""
    if row.of_file:
        return _("Analysis from the file: %(engine)s.") % {"engine": engine_label(row)}
    if not row.rates:
        return _("Quick analysis by %(engine)s, which is not precise enough for a PR.") % {
            "engine": engine_label(row)
        }
    return estimate_message(engine_label(row))


def estimate_message(engine: str) -> str:
    """Return a message on the engine of an estimate and the meaning of its ±: an average, not a limit."""
    return _(
        "Estimated by %(engine)s. In the %(number)s matches we compared, the estimate differed from "
        "eXtreme Gammon’s PR by %(mean)s on average and by %(most)s at most."
    ) % {
        "engine": engine,
        "mean": format_rounded(PR_MARGIN, 1),
        "number": MATCHES_COMPARED,
        "most": format_rounded(MAX_PR_DIFFERENCE, 1),
    }


def format_rounded(value: float, places: int) -> str:
    """Return a number rounded to ``places`` in the active language (Django would truncate it)."""
    return number_format(round(value, places), places)


def format_or_dash(value: float | None, places: int = 1) -> str:
    return "–" if value is None else format_rounded(value, places)


def format_signed(value: float, places: int = 3) -> str:
    """Return a number with its sign, such as “+0.120”, “−0.045”."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{format_rounded(abs(value), places)}"


def sum_rows(displayed: DisplayedAnalysis) -> list[Context]:
    """Return the results of both sides as contexts for the rows of a table."""
    performance_by_side = performances(displayed.analysis.decisions, displayed.replay)
    result = luck_adjusted_result(displayed.analysis, displayed.replay)
    rows = []
    for side in SIDES:
        row = sum_context(
            performance_by_side[side], rates=displayed.row.rates, estimated=not displayed.row.of_file
        )
        row["name"] = displayed.record_view.players[side.column]
        if result is not None:
            even = 0.5 + (result.adjusted if side is Side.WHITE else -result.adjusted)
            row["adjusted"] = format_rounded(
                100 * min(max(even, 0.0), 1.0), 0
            )  # luck may be more than there is
        rows.append(row)
    return rows


def sum_context(performance: Performance, *, rates: bool, estimated: bool) -> Context:
    margin = f" ±{format_rounded(PR_MARGIN, 1)}" if estimated else ""
    cube = performance.cube_errors
    return {
        "rating": f"{format_or_dash(performance.rating)}{margin}"
        if rates and performance.rating is not None
        else "",
        "checker": format_or_dash(performance.checker_rating) if rates else "",
        "cube": format_or_dash(performance.cube_rating) if rates else "",
        "lost": format_or_dash(performance.lost, 2),
        "counted": performance.counted,
        "errors": performance.errors[ErrorClass.ERROR],
        "blunders": performance.errors[ErrorClass.BLUNDER],
        "missed": cube[CubeError.MISSED_DOUBLE],
        "wrong_doubles": cube[CubeError.WRONG_DOUBLE],
        "wrong_takes": cube[CubeError.WRONG_TAKE],
        "wrong_passes": cube[CubeError.WRONG_PASS],
        "luck": format_signed(performance.luck, 2),
    }


def error_label(kind: ErrorClass) -> str:
    return {ErrorClass.ERROR: _("error"), ErrorClass.BLUNDER: _("blunder")}.get(kind, "")


def _cost_label(decision: Decision) -> str:
    """Return what a decision cost, such as “costs 0.061: error”."""
    if decision.lost is None:
        return _("not analysed")
    kind = error_class(decision.lost)
    if not decision.lost:
        return _("best")
    label = _("costs %(lost)s") % {"lost": format_rounded(decision.lost, 3)}
    return f"{label}: {error_label(kind)}" if kind is not ErrorClass.FINE else label


def error_rows(displayed: DisplayedAnalysis, turn_urls: Mapping[tuple[int, int], str]) -> list[Context]:
    """Return errors and blunders in order, as contexts for the template.

    ``turn_urls``: the address of each turn, keyed by (game, turn).
    """
    rows: list[Context] = []
    for decision in displayed.analysis.decisions:
        kind = error_class(decision.lost)
        if kind is ErrorClass.FINE or not decision.counts or decision.game > len(displayed.record_view.games):
            continue
        game = displayed.record_view.game(decision.game)
        turn_key = (decision.game, decision.turn)
        label = _("Game %(number)s, turn %(turn)s: %(name)s, %(what)s, costs %(lost)s") % {
            "number": game.file_number,
            "turn": decision.turn,
            "name": displayed.record_view.players[decision.side.column],
            "what": kind_label(decision.kind),
            "lost": format_rounded(decision.lost or 0, 3),
        }
        if (
            rows
            and (rows[-1]["game"], rows[-1]["turn"]) == turn_key
            and rows[-1]["lost"] >= (decision.lost or 0)
        ):
            continue
        rows.append(
            {
                "game": decision.game,
                "turn": decision.turn,
                "kind": kind.value,
                "right": decision.side is Side.BLACK,
                "lost": decision.lost or 0,
                "words": label,
                "url": turn_urls.get(turn_key, ""),
            }
        )
    return rows


def error_texts(count: int) -> dict[str, str]:
    """Return the texts between links to errors: ``here`` at an error, ``all`` elsewhere.

    The script uses the same texts.
    """
    return {
        "here": _("Error %(number)s of %(count)s"),
        "all": ngettext("%(number)s error", "%(number)s errors", count) % {"number": count},
    }


def error_position_text(errors: Sequence[Context], current: tuple[int, int]) -> str:
    """Return “Error 3 of 12” if the ``current`` (game, turn) has an error, else “12 errors”."""
    texts = error_texts(len(errors))
    for number, error in enumerate(errors, 1):
        if (error["game"], error["turn"]) == current:
            return texts["here"] % {"number": number, "count": len(errors)}
    return texts["all"]


def kind_label(kind: DecisionKind) -> str:
    return {
        DecisionKind.CHECKER: _("checker play"),
        DecisionKind.DOUBLE: _("double or no double"),
        DecisionKind.TAKE: _("take or pass"),
    }[kind]


def course_picture(displayed: DisplayedAnalysis, errors: Sequence[Context], current: tuple[int, int]) -> str:
    """Return the graph of the chances through the match as SVG, with the errors."""
    marks = [
        ErrorMark(row["game"], row["turn"], row["url"], row["words"], row["kind"], row["right"])
        for row in errors
    ]
    games = [GameStart(index, game.file_number) for index, game in enumerate(displayed.record_view.games, 1)]
    title = _("Winning chances of %(name)s over the match, in percent") % {
        "name": displayed.record_view.players[0]
    }
    return course_svg(match_course(displayed.analysis, displayed.replay), marks, games, title, current)


def play_label(frame: Frame, steps: Sequence[tuple[int, int]], board_options: BoardOptions) -> str:
    """Return a play from the position of the frame as text, in the numbering of the board options."""
    side = frame.side or Side.WHITE
    before = frame.board if side is Side.WHITE else frame.board.swap()
    notation = format_steps(mark_hits(before, tuple((source, target) for source, target in steps)))
    return renumber_play(notation, side, board_options.numbering) or _("no play")


def chances_label(chances: Chances | None) -> str:
    """Return chances as text: “52.1 % (G 14.3, BG 0.7) – 47.9 % (G 13.1, BG 0.5)”."""
    if chances is None:
        return ""

    def part(win: float, gammon: float, backgammon: float) -> str:
        return _("%(win)s %% (G %(gammon)s, BG %(backgammon)s)") % {
            "win": format_rounded(100 * win, 1),
            "gammon": format_rounded(100 * gammon, 1),
            "backgammon": format_rounded(100 * backgammon, 1),
        }

    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return f"{part(win, gammon, backgammon)} – {part(1 - win, lost_gammon, lost_backgammon)}"


def decision_context(decision: Decision, frame: Frame, board_options: BoardOptions) -> Context:
    """Return the template context of a decision of the displayed turn, with its plays from best to worst."""
    rows: list[Context] = []
    if decision.cube is not None:
        names = (_("No double"), _("Double, take"), _("Double, pass"))
        rows = [
            {"words": name, "equity": format_signed(value)}
            for name, value in zip(names, decision.cube, strict=True)
        ]
    best = decision.plays[0].equity if decision.plays else 0.0
    for number, play in enumerate(decision.plays):
        steps = [(step.source, step.target) for step in play.steps]
        rows.append(
            {
                "number": number,
                "words": play_label(frame, steps, board_options),
                "equity": format_signed(play.equity),
                "less": format_signed(play.equity - best) if number else "",
                "chances": chances_label(play.chances),
                "chosen": number == decision.played,
                "steps": steps,
            }
        )
    return {
        "kind": decision.kind.value,
        "title": kind_label(decision.kind).capitalize(),
        "words": _cost_label(decision),
        "class": error_class(decision.lost).value,
        "luck": _("Luck of the roll: %(luck)s") % {"luck": format_signed(decision.luck)}
        if decision.luck is not None
        else "",
        "rows": rows,
        "chances": chances_label(decision.chances),
    }


def legal_play_rows(frame: Frame, decision: Decision, board_options: BoardOptions) -> list[Context]:
    """Return every legal play of a roll as a context, with its equity if known, for trying another play."""
    side = frame.side
    if side is None or frame.dice is None:
        return []
    before = frame.board if side is Side.WHITE else frame.board.swap()
    known_values: dict[Any, tuple[int, float]] = {}
    plays = legal_plays(before, frame.dice)
    results = {play.result: number for number, play in enumerate(plays)}
    for number, ranked in enumerate(decision.plays):
        result = literal_result(before, [(step.source, step.target) for step in ranked.steps])
        if result in results:
            known_values[results[result]] = (number, ranked.equity)
    rows = []
    for number, play in enumerate(plays):
        steps = [(step.origin, step.target) for step in play.steps]
        rank, equity = known_values.get(number, (None, None))
        rows.append(
            {
                "number": number,
                "steps": steps,
                "words": play_label(frame, steps, board_options),
                "equity": equity,
                "place": rank,
            }
        )
    return sorted(rows, key=lambda row: (row["place"] is None, row["place"] or 0, row["words"]))


def tried_play_text(row: Context, decision: Decision) -> str:
    """Return a message on what a tried play costs; ``row``: from ``legal_play_rows``."""
    if row["equity"] is None:
        saved_count = len(decision.plays)
        best = decision.plays[0].equity if saved_count else 0.0
        # What was played is kept however bad it was: it says nothing of those that are not.
        ranked = [play.equity for index, play in enumerate(decision.plays) if index != decision.played]
        min_cost = best - min(ranked, default=best)
        return ngettext(
            "Only one play was saved, and it is not %(play)s.",
            "%(play)s is not among the %(number)s best plays: it costs more than %(least)s.",
            saved_count,
        ) % {"play": row["words"], "number": saved_count, "least": format_rounded(min_cost, 3)}
    cost = decision.plays[0].equity - row["equity"]
    if row["place"] == 0:
        return _("%(play)s is the best play: %(equity)s.") % {
            "play": row["words"],
            "equity": format_signed(row["equity"]),
        }
    return _("%(play)s costs %(lost)s: %(equity)s.") % {
        "play": row["words"],
        "lost": format_rounded(cost, 3),
        "equity": format_signed(row["equity"]),
    }


def board_with_play(
    frame: Frame, steps: Sequence[tuple[int, int]], board_options: BoardOptions, title: str
) -> str:
    """Return the board of the frame as SVG, with the arrows of another play."""
    drawing = BoardDrawing.of(frame)
    tried_drawing = BoardDrawing(
        drawing.board,
        drawing.dice,
        frame.side,
        tuple((source, target, False) for source, target in steps),
        drawing.cube,
        drawing.owner,
        drawing.offered_by,
    )
    return board_svg(tried_drawing, board_options, title)
