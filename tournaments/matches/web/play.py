"""Template contexts of players' analysed decisions over many matches.

A rating of too few decisions is not displayed.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import RecordAnalysis
from games.records.performance import CubeError, ErrorClass, Performance
from games.records.summing import (
    MIN_DECISIONS,
    RollSummary,
    pool_sides,
    running_ratings,
    summaries_by_length,
    summaries_by_roll,
)
from games.web.analysed import (
    PR_MARGIN,
    engine_label,
    estimate_message,
    format_or_dash,
    format_rounded,
    format_signed,
)
from games.web.trends import TrendPoint, trend_svg
from tournaments.engine.types import Side
from tournaments.selectors.matches.play import (
    MatchPerformance,
    OwnMatch,
    PerformanceSummary,
    PlayerPerformance,
)
from tournaments.shared.fragments.cards import url_builder

Context = dict[str, Any]
MAX_MATCHES = 20
MAX_ROLLS = 21


def rating_label(rows: Collection[RecordAnalysis]) -> str:
    """Return the label for ratings over these analyses.

    It is "PR" if all analyses come from the files, else "PR est." with the names of the engines that
    estimated.
    """
    engines = _engine_names(rows)
    return _("PR est. (%(engine)s)") % {"engine": engines} if engines else _("PR")


def _short_rating_label(rows: Collection[RecordAnalysis]) -> str:
    """Return the label for a table column, beside which the engines are named."""
    return _("PR est.") if _engine_names(rows) else _("PR")


def _engine_names(rows: Collection[RecordAnalysis]) -> str:
    """Return the names of the engines that made the estimates; empty if no rating is estimated."""
    return "; ".join(dict.fromkeys(engine_label(row) for row in rows if not row.of_file))


def rating_text(rating: float | None, counted: int, *, estimated: bool) -> str:
    """Return a rating as “5.3 ±0.4”, without the margin if not estimated; empty with too few decisions.

    ``counted``: number of decisions that count.
    """
    if rating is None or counted < MIN_DECISIONS:
        return ""
    return (
        f"{format_or_dash(rating)} ±{format_rounded(PR_MARGIN, 1)}" if estimated else format_or_dash(rating)
    )


def _notes(rows: Collection[RecordAnalysis]) -> list[str]:
    """Return the notes that explain the ratings on a page."""
    notes = []
    if engines := _engine_names(rows):
        notes.append(estimate_message(engines))
    if any(row.of_file for row in rows):
        notes.append(_("If a file contains eXtreme Gammon’s own analysis, its values are used."))
    notes.append(
        _(
            "Lower is better. A PR needs at least %(number)s decisions: with fewer, chance alone would "
            "change it by more than 2 in either direction, and over 500 decisions still by 1."
        )
        % {"number": MIN_DECISIONS}
    )
    return notes


def player_performance_context(
    own_matches: Sequence[OwnMatch], url_for: Callable[[str], str] | None = None
) -> Context | None:
    """Return the context of `matches/_play.html` for one player; None without analysed matches.

    ``url_for``: returns the address of a match from its public id; by default that of its public page.
    """
    if not own_matches:
        return None
    sums = [own_match.sums for own_match in own_matches]
    rows = [own_match.of.row for own_match in own_matches]
    performance, estimated = pool_sides(sums), bool(_engine_names(rows))
    matches = _own_match_contexts(own_matches, url_for or url_builder("public:match"))
    cube_errors = performance.cube_errors
    return {
        "words": rating_label(rows),
        "short": _short_rating_label(rows),
        "rating": rating_text(performance.rating, performance.counted, estimated=estimated),
        "checker": rating_text(performance.checker_rating, performance.checker_counted, estimated=estimated),
        "cube": rating_text(performance.cube_rating, performance.cube_counted, estimated=estimated),
        "counted": performance.counted,
        "checker_counted": performance.checker_counted,
        "cube_counted": performance.cube_counted,
        "errors": performance.errors[ErrorClass.ERROR],
        "blunders": performance.errors[ErrorClass.BLUNDER],
        "missed_doubles": cube_errors[CubeError.MISSED_DOUBLE],
        "wrong_doubles": cube_errors[CubeError.WRONG_DOUBLE],
        "wrong_takes": cube_errors[CubeError.WRONG_TAKE],
        "wrong_passes": cube_errors[CubeError.WRONG_PASS],
        "count": len(own_matches),
        "few": _too_few_message(performance),
        "lengths": [
            {
                "length": row.length,
                "matches": row.matches,
                "counted": row.performance.counted,
                "rating": rating_text(row.performance.rating, row.performance.counted, estimated=estimated),
            }
            for row in summaries_by_length(sums)
        ],
        "first": [_roll_context(row) for row in summaries_by_roll(sums, reply=False)[:MAX_ROLLS]],
        "reply": [_roll_context(row) for row in summaries_by_roll(sums, reply=True)[:MAX_ROLLS]],
        "picture": _trend_picture(own_matches, matches),
        "matches": matches[::-1][:MAX_MATCHES],
        "notes": _notes(rows),
    }


def _too_few_message(performance: Performance) -> str:
    """Return the text displayed in place of a rating of too few decisions; empty if there are enough."""
    if performance.counted >= MIN_DECISIONS:
        return ""
    return ngettext(
        "%(number)s decision: not enough for a PR.",
        "%(number)s decisions: not enough for a PR.",
        performance.counted,
    ) % {"number": performance.counted}


def _roll_context(row: RollSummary) -> Context:
    return {
        "roll": f"{row.high}-{row.low}",
        "times": row.times,
        "lost": format_rounded(row.mean_lost, 3),
        "errors": row.errors,
    }


def _own_match_contexts(own_matches: Sequence[OwnMatch], url: Callable[[str], str]) -> list[Context]:
    """Return the template contexts of the matches, oldest first, each with its own rating.

    A single match has a rating even with few decisions.
    """
    contexts = []
    for own_match in own_matches:
        performance, match = pool_sides([own_match.sums]), own_match.of.match
        opponent = own_match.opponent
        contexts.append(
            {
                "url": url(match.public_id),
                "opponent": opponent.name if opponent is not None else "–",
                "event": match.stage.division.event.name,
                "day": date_format(own_match.of.at.date(), "SHORT_DATE_FORMAT") if own_match.of.at else "",
                "length": match.length,
                "rating": format_or_dash(performance.rating),
                "counted": performance.counted,
                "won": own_match.won,
                "even": percent_text(own_match.sums.even),
            }
        )
    return contexts


def _trend_picture(own_matches: Sequence[OwnMatch], matches: Sequence[Context]) -> str:
    combined_ratings = running_ratings([own_match.sums for own_match in own_matches])
    dots = [
        TrendPoint(
            pool_sides([own_match.sums]).rating or 0.0,
            combined_rating,
            context["day"],
            context["url"],
            _("%(day)s, %(opponent)s: %(rating)s") % context,
        )
        for own_match, combined_rating, context in zip(own_matches, combined_ratings, matches, strict=True)
        if own_match.sums.checker_counted + own_match.sums.cube_counted
    ]
    return trend_svg(
        dots,
        _("PR for each match and over the latest matches combined. The table below contains the values."),
    )


def percent_text(value: float | None) -> str:
    """Return a share from 0 to 1 as “62 %”; empty for None."""
    return "" if value is None else _("%(number)s %%") % {"number": format_rounded(100 * value, 0)}


def performance_list_context(play: PerformanceSummary) -> Context:
    """Return the context of `matches/_play_list.html`: players with the sums of their matches."""
    url = url_builder("public:player")
    return {
        "words": rating_label(play.rows),
        "short": _short_rating_label(play.rows),
        "rows": [
            _standing_context(row, url(row.public_id) if row.public_id else "") for row in play.standings
        ],
        "count": len(play.matches),
        "notes": _notes(play.rows) if play.matches else [],
    }


def _standing_context(row: PlayerPerformance, url: str) -> Context:
    performance, estimated = row.combined, bool(_engine_names(row.rows))
    return {
        "name": row.name,
        "url": url,
        "rating": rating_text(performance.rating, performance.counted, estimated=estimated),
        "checker": format_or_dash(performance.checker_rating)
        if performance.checker_counted >= MIN_DECISIONS
        else "",
        "cube": format_or_dash(performance.cube_rating) if performance.cube_counted >= MIN_DECISIONS else "",
        "counted": performance.counted,
        "blunders": performance.errors[ErrorClass.BLUNDER],
        "matches": len(row.matches),
        "won": row.won,
        "even": format_rounded(row.expected_wins, 1) if row.expected_wins is not None else "–",
        "luck": format_signed(row.luck, 1) if row.luck is not None else "–",
    }


def highlight_contexts(play: PerformanceSummary) -> list[Context]:
    """Return template contexts of the best, luckiest and most exciting matches: heading, measure and matches.

    Empty groups are left out.
    """
    best = [(match_performance, _joint_rating_text(match_performance)) for match_performance in play.best]
    lucky = [
        (match_performance, _luck_text(match_performance)) for match_performance in play.luckiest_matches
    ]
    exciting = [
        (match_performance, percent_text(match_performance.row.swing))
        for match_performance in play.most_exciting_matches
    ]
    contexts = [
        {
            "key": "best",
            "title": _("Best match"),
            "words": _("combined %(rating)s of both players")
            % {"rating": rating_label([match_performance.row for match_performance, _n in best])},
            "matches": [_highlight_match(match_performance, value) for match_performance, value in best],
        },
        {
            "key": "luckiest",
            "title": _("Luckiest"),
            "words": _("net luck, in winning chances"),
            "matches": [_highlight_match(match_performance, value) for match_performance, value in lucky],
        },
        {
            "key": "exciting",
            "title": _("Most exciting"),
            "words": _("total swing in winning chances"),
            "matches": [_highlight_match(match_performance, value) for match_performance, value in exciting],
        },
    ]
    return [context for context in contexts if context["matches"]]


def _highlight_match(match_performance: MatchPerformance, value: str) -> Context:
    names = [
        match_performance.analysis.players_by_side[side].name
        if side in match_performance.analysis.players_by_side
        else "–"
        for side in Side
    ]
    match = match_performance.match
    score = f"{match.score_a}–{match.score_b}" if match.score_a is not None else ""
    return {
        "url": reverse("public:match", args=[match.public_id]),
        "names": " – ".join(names),
        "score": score,
        "value": value,
    }


def _joint_rating_text(match_performance: MatchPerformance) -> str:
    combined = match_performance.combined
    return rating_text(combined.rating, combined.counted, estimated=not match_performance.row.of_file)


def _luck_text(match_performance: MatchPerformance) -> str:
    luck = match_performance.luck
    if luck is None or luck[0] not in match_performance.analysis.players_by_side:
        return ""
    return _("%(name)s: +%(share)s") % {
        "name": match_performance.analysis.players_by_side[luck[0]].name,
        "share": percent_text(luck[1]),
    }
