"""Contexts of analysed play over many matches; no rating of too few decisions."""

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
from games.web.trends import Dot, trend_svg
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
    """Return the label of ratings over these analyses: plain *PR* only if all come from the files."""
    engines = _engine_names(rows)
    return _("PR est. (%(engine)s)") % {"engine": engines} if engines else _("PR")


def _short_rating_label(rows: Collection[RecordAnalysis]) -> str:
    """Return the label for the head of a table, beside which the engines are named."""
    return _("PR est.") if _engine_names(rows) else _("PR")


def _engine_names(rows: Collection[RecordAnalysis]) -> str:
    """Return the names of the engines that made the estimates."""
    return "; ".join(dict.fromkeys(engine_label(row) for row in rows if not row.of_file))


def rating_text(rating: float | None, counted: int, *, estimated: bool) -> str:
    """Return “5.3 ±0.4”; empty if there are too few decisions."""
    if rating is None or counted < MIN_DECISIONS:
        return ""
    return (
        f"{format_or_dash(rating)} ±{format_rounded(PR_MARGIN, 1)}" if estimated else format_or_dash(rating)
    )


def _notes(rows: Collection[RecordAnalysis]) -> list[str]:
    """Return notes on the numbers."""
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


def player_play_context(
    played: Sequence[OwnMatch], address: Callable[[str], str] | None = None
) -> Context | None:
    """Return the context of `matches/_play.html` for one player; None without matches.

    ``address``: returns a match's link by its id, instead of its public page.
    """
    if not played:
        return None
    sums = [one.sums for one in played]
    rows = [one.of.row for one in played]
    whole, estimated = pool_sides(sums), bool(_engine_names(rows))
    matches = _own_match_contexts(played, address or url_builder("public:match"))
    cube = whole.cube_errors
    return {
        "words": rating_label(rows),
        "short": _short_rating_label(rows),
        "rating": rating_text(whole.rating, whole.counted, estimated=estimated),
        "checker": rating_text(whole.checker_rating, whole.checker_counted, estimated=estimated),
        "cube": rating_text(whole.cube_rating, whole.cube_counted, estimated=estimated),
        "counted": whole.counted,
        "checker_counted": whole.checker_counted,
        "cube_counted": whole.cube_counted,
        "errors": whole.errors[ErrorClass.ERROR],
        "blunders": whole.errors[ErrorClass.BLUNDER],
        "missed_doubles": cube[CubeError.MISSED_DOUBLE],
        "wrong_doubles": cube[CubeError.WRONG_DOUBLE],
        "wrong_takes": cube[CubeError.WRONG_TAKE],
        "wrong_passes": cube[CubeError.WRONG_PASS],
        "count": len(played),
        "few": _too_few_message(whole),
        "lengths": [
            {
                "length": row.length,
                "matches": row.matches,
                "counted": row.whole.counted,
                "rating": rating_text(row.whole.rating, row.whole.counted, estimated=estimated),
            }
            for row in summaries_by_length(sums)
        ],
        "first": [_roll_context(row) for row in summaries_by_roll(sums, reply=False)[:MAX_ROLLS]],
        "reply": [_roll_context(row) for row in summaries_by_roll(sums, reply=True)[:MAX_ROLLS]],
        "picture": _trend_picture(played, matches),
        "matches": matches[::-1][:MAX_MATCHES],
        "notes": _notes(rows),
    }


def _too_few_message(whole: Performance) -> str:
    """Return the text displayed instead of a rating."""
    if whole.counted >= MIN_DECISIONS:
        return ""
    return ngettext(
        "%(number)s decision: not enough for a PR.",
        "%(number)s decisions: not enough for a PR.",
        whole.counted,
    ) % {"number": whole.counted}


def _roll_context(row: RollSummary) -> Context:
    return {
        "roll": f"{row.high}-{row.low}",
        "times": row.times,
        "lost": format_rounded(row.mean_lost, 3),
        "errors": row.errors,
    }


def _own_match_contexts(played: Sequence[OwnMatch], url: Callable[[str], str]) -> list[Context]:
    """Return each match, oldest first, with its own rating regardless of the number of decisions."""
    shapes = []
    for one in played:
        own, match = pool_sides([one.sums]), one.of.match
        opponent = one.opponent
        shapes.append(
            {
                "url": url(match.public_id),
                "opponent": opponent.name if opponent is not None else "–",
                "event": match.stage.division.event.name,
                "day": date_format(one.of.at.date(), "SHORT_DATE_FORMAT") if one.of.at else "",
                "length": match.length,
                "rating": format_or_dash(own.rating),
                "counted": own.counted,
                "won": one.won,
                "even": percent_text(one.sums.even),
            }
        )
    return shapes


def _trend_picture(played: Sequence[OwnMatch], matches: Sequence[Context]) -> str:
    lines = running_ratings([one.sums for one in played])
    dots = [
        Dot(
            pool_sides([one.sums]).rating or 0.0,
            line,
            shape["day"],
            shape["url"],
            _("%(day)s, %(opponent)s: %(rating)s") % shape,
        )
        for one, line, shape in zip(played, lines, matches, strict=True)
        if one.sums.checker_counted + one.sums.cube_counted
    ]
    return trend_svg(
        dots,
        _("PR for each match and over the latest matches combined. The table below contains the values."),
    )


def percent_text(value: float | None) -> str:
    """“62 %”."""
    return "" if value is None else _("%(number)s %%") % {"number": format_rounded(100 * value, 0)}


def play_list_context(play: PerformanceSummary) -> Context:
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
    whole, estimated = row.whole, bool(_engine_names(row.rows))
    return {
        "name": row.name,
        "url": url,
        "rating": rating_text(whole.rating, whole.counted, estimated=estimated),
        "checker": format_or_dash(whole.checker_rating) if whole.checker_counted >= MIN_DECISIONS else "",
        "cube": format_or_dash(whole.cube_rating) if whole.cube_counted >= MIN_DECISIONS else "",
        "counted": whole.counted,
        "blunders": whole.errors[ErrorClass.BLUNDER],
        "matches": len(row.matches),
        "won": row.won,
        "even": format_rounded(row.even, 1) if row.even is not None else "–",
        "luck": format_signed(row.luck, 1) if row.luck is not None else "–",
    }


def highlight_contexts(play: PerformanceSummary) -> list[Context]:
    """Return the best, luckiest and most exciting matches: heading, measure and matches.

    Empty groups are left out.
    """
    best = [(one, _joint_rating_text(one)) for one in play.best]
    lucky = [(one, _luck_text(one)) for one in play.luckiest]
    exciting = [(one, percent_text(one.row.swing)) for one in play.exciting]
    shapes = [
        {
            "key": "best",
            "title": _("Best match"),
            "words": _("combined %(rating)s of both players")
            % {"rating": rating_label([one.row for one, _n in best])},
            "matches": [_highlight_match(one, number) for one, number in best],
        },
        {
            "key": "luckiest",
            "title": _("Luckiest"),
            "words": _("net luck, in winning chances"),
            "matches": [_highlight_match(one, words) for one, words in lucky],
        },
        {
            "key": "exciting",
            "title": _("Most exciting"),
            "words": _("total swing in winning chances"),
            "matches": [_highlight_match(one, number) for one, number in exciting],
        },
    ]
    return [shape for shape in shapes if shape["matches"]]


def _highlight_match(one: MatchPerformance, value: str) -> Context:
    names = [one.seen.seats[side].name if side in one.seen.seats else "–" for side in Side]
    match = one.match
    score = f"{match.score_a}–{match.score_b}" if match.score_a is not None else ""
    return {
        "url": reverse("public:match", args=[match.public_id]),
        "names": " – ".join(names),
        "score": score,
        "value": value,
    }


def _joint_rating_text(one: MatchPerformance) -> str:
    whole = one.combined
    return rating_text(whole.rating, whole.counted, estimated=not one.row.of_file)


def _luck_text(one: MatchPerformance) -> str:
    found = one.luck
    if found is None or found[0] not in one.seen.seats:
        return ""
    return _("%(name)s: +%(share)s") % {
        "name": one.seen.seats[found[0]].name,
        "share": percent_text(found[1]),
    }
