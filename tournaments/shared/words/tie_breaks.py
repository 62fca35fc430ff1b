"""Names of tie-breaks and of the editions of the regulation that define them."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.engine.standings.editions import EDITIONS, Edition
from tournaments.engine.standings.tie_breaks import OWN_DEFINITION, get_tie_break

# Column head and full name of each tie-break.
_TIE_BREAKS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "points": (gettext_lazy("Points"), gettext_lazy("Points")),
    "wins": (gettext_lazy("Wins"), gettext_lazy("Wins, including walkovers and byes")),
    "wins_played": (gettext_lazy("Wins played"), gettext_lazy("Wins over the board")),
    "rounds_elected": (
        gettext_lazy("Rounds"),
        gettext_lazy("Rounds not given up: not requested off, missed or lost by walkover"),
    ),
    "head_to_head": (
        pgettext_lazy("tie-break", "Direct"),
        gettext_lazy("Head-to-head: points from matches between tied players"),
    ),
    "mini_table": (gettext_lazy("Among tied"), gettext_lazy("Points among tied players")),
    "mini_table_difference": (
        gettext_lazy("Diff. among tied"),
        gettext_lazy("Point difference among tied players"),
    ),
    "buchholz": (gettext_lazy("Buchholz"), gettext_lazy("Buchholz: the opponents’ points")),
    "buchholz_cut_1": (gettext_lazy("Buchholz −1"), gettext_lazy("Buchholz without the lowest")),
    "buchholz_cut_2": (gettext_lazy("Buchholz −2"), gettext_lazy("Buchholz without the two lowest")),
    "buchholz_median_1": (
        gettext_lazy("Median"),
        gettext_lazy("Buchholz without the lowest and the highest"),
    ),
    "buchholz_median_2": (
        gettext_lazy("Median 2"),
        gettext_lazy("Buchholz without the two lowest and the two highest"),
    ),
    "average_buchholz": (
        gettext_lazy("Opp. Buchholz"),
        gettext_lazy("Average of the opponents' Buchholz"),
    ),
    "fore_buchholz": (
        gettext_lazy("Fore-Buchholz"),
        gettext_lazy("Fore-Buchholz: as if the last round had been drawn"),
    ),
    "sonneborn_berger": (
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("Sonneborn-Berger: the points of beaten opponents"),
    ),
    "sonneborn_berger_cut_1": (
        gettext_lazy("Sonneborn-B. −1"),
        gettext_lazy("Sonneborn-Berger without the weakest opponent"),
    ),
    "koya": (
        gettext_lazy("Koya"),
        gettext_lazy("Koya: points against opponents with at least half of the possible points"),
    ),
    "progressive": (
        pgettext_lazy("tie-break", "Progressive"),
        gettext_lazy("Progressive score: the sum of the points after each round"),
    ),
    "progressive_cut_1": (
        gettext_lazy("Progressive −1"),
        gettext_lazy("Progressive score without the first round"),
    ),
    "opponents_rating": (
        gettext_lazy("Opp. rating"),
        gettext_lazy("Average rating of the opponents (ARO)"),
    ),
    "opponents_rating_cut_1": (
        gettext_lazy("Opp. rating −1"),
        gettext_lazy("Average rating of the opponents without the lowest"),
    ),
    "performance": (
        gettext_lazy("Performance"),
        gettext_lazy("Rating performance (TPR), ignoring match lengths"),
    ),
    "perfect_performance": (
        gettext_lazy("Perfect perf."),
        gettext_lazy("Perfect performance (PTP): the lowest rating expected to score as much"),
    ),
    "opponents_performance": (
        gettext_lazy("Opp. perf."),
        gettext_lazy("Average performance of the opponents (APRO)"),
    ),
    "opponents_perfect_performance": (
        gettext_lazy("Opp. perfect perf."),
        gettext_lazy("Average perfect performance of the opponents (APPO)"),
    ),
    "rating": (gettext_lazy("Rating"), gettext_lazy("Rating, highest first")),
    "performance_by_length": (
        gettext_lazy("Perf. by length"),
        gettext_lazy("Rating performance, adjusted for match lengths"),
    ),
    "opponents_win_rate": (gettext_lazy("Opp. rate"), gettext_lazy("Opponents' win rate")),
    "strength_of_schedule": (
        gettext_lazy("Opp. strength"),
        gettext_lazy(
            "Strength of schedule: the share of points that the opponents won in their other matches"
        ),
    ),
    "match_points_won": (gettext_lazy("Won"), gettext_lazy("Match points won")),
    "match_points_lost": (gettext_lazy("Lost"), gettext_lazy("Match points lost, fewer is better")),
    "match_points_difference": (gettext_lazy("Diff."), gettext_lazy("Match points won minus lost")),
    "play_off": (gettext_lazy("Play-off"), gettext_lazy("Play-off, usually matches to one point")),
    "lot": (gettext_lazy("Lot"), gettext_lazy("Drawing of lots")),
    "survival": (gettext_lazy("Lives"), gettext_lazy("How long an entry has kept its lives")),
}

_EDITIONS: Mapping[Edition, tuple[str, str | Promise, str | Promise]] = {
    Edition.FIDE_2026: (
        "FIDE 2026",
        gettext_lazy("FIDE 2026, in force since 1 March 2026"),
        gettext_lazy(
            "A round without play counts as a match against a virtual opponent with the same number of "
            "points as the player, but no more than the points of the opponent who did not play, or than "
            "draws in all rounds. Buchholz is not allowed in a round robin."
        ),
    ),
    Edition.FIDE_2024: (
        "FIDE 2024",
        gettext_lazy("FIDE 2024, in force from August 2024 to February 2026"),
        gettext_lazy(
            "A round without play counts as a match against a virtual opponent with the same number of "
            "points as the player."
        ),
    ),
    Edition.FIDE_2009: (
        "FIDE 2009",
        gettext_lazy("FIDE 2009, used for events before version 0.3"),
        gettext_lazy(
            "A round without play counts as half a point for the player’s opponents; for the player, it "
            "counts as a virtual opponent who draws all later rounds. Head-to-head applies only if all tied "
            "players have met."
        ),
    ),
}


def tie_break_head(code: str) -> str:
    """Return the short name of a tie-break for the head of a column."""
    return str(_TIE_BREAKS[code][0])


def tie_break_name(code: str) -> str:
    """Return the full name of a tie-break."""
    return str(_TIE_BREAKS[code][1])


def lazy_tie_break_name(code: str) -> str | Promise:
    """Return the full name of a tie-break as a lazy string, for choices made before the language is known."""
    return _TIE_BREAKS[code][1]


def tie_break_source(code: str, edition: Edition) -> str:
    """Return the name of the regulation that defines a tie-break, or that the definition is our own.

    Names of regulations are not translated.
    """
    source = get_tie_break(code).source(edition)
    return _("our own definition") if source == OWN_DEFINITION else source


def tie_break_article(code: str, edition: Edition) -> str:
    """Return the article of the regulation that defines a tie-break: “Article 8.1”.

    Empty if there is none.
    """
    article = get_tie_break(code).articles.get(edition, "")
    return _("Article %(number)s") % {"number": article} if article else ""


def edition_name(edition: Edition) -> str:
    """Return the short name of an edition: “FIDE 2026”, the same in every language."""
    return _EDITIONS[edition][0]


def edition_choices() -> list[tuple[str, str | Promise]]:
    """Return the value and label of each edition, newest first, as choices of a form field."""
    return [(edition.value, _EDITIONS[edition][1]) for edition in EDITIONS]


def edition_description(edition: Edition) -> str:
    """Return how the edition differs from the others, in one or two sentences."""
    return str(_EDITIONS[edition][2])
