"""Texts of the rating limit of a division, and of how a player's rating compares with it."""

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.engine.limits import LimitComparison, LimitVerdict, RatingLimit
from tournaments.models import Division
from tournaments.selectors.limits import source_name


def limit_label(division: Division) -> str:
    """Return the division's rating limit as “1200 to 1500 (USBGF)”; empty without a limit."""
    limit = division.limit
    if limit is None:
        return ""
    params = {"source": source_name(limit.source) or _("a deleted list"), **_bounds(limit)}
    if limit.least is None:
        return _("at most %(most)s (%(source)s)") % params
    if limit.most is None:
        return _("at least %(least)s (%(source)s)") % params
    return _("%(least)s to %(most)s (%(source)s)") % params


def outside_limit_message(division: Division) -> str:
    """Return what happens to players whose rating is outside the limit; empty without a limit."""
    if division.limit is None:
        return ""
    if division.limit.rejects_outsiders:
        return _(
            "Players outside the limit cannot enter; players without such a rating need the director’s "
            "approval."
        )
    return _("Players outside the limit need the director’s approval.")


def limit_rows(division: Division) -> list[tuple[str, str]]:
    """Return the rating limit as a list with one pair of label and text; empty without a limit."""
    label = limit_label(division)
    return [(_("Rating limit"), f"{label}. {outside_limit_message(division)}")] if label else []


def verdict_label(verdict: LimitVerdict) -> str:
    """Return why a rating does not fit the limit: above, below, unknown, or more than a year old.

    Empty for a current rating within the limit.
    """
    if verdict.rating is None:
        return _("no known rating")
    params = {"rating": f"{verdict.rating.value:g}", "day": ""}
    if verdict.rating.on is not None:
        params["day"] = date_format(verdict.rating.on, "DATE_FORMAT")
    parts = []
    if verdict.fit is LimitComparison.ABOVE:
        parts.append(_("%(rating)s is above the limit") % params)
    elif verdict.fit is LimitComparison.BELOW:
        parts.append(_("%(rating)s is below the limit") % params)
    if verdict.is_rating_old:
        parts.append(_("the rating %(rating)s is from %(day)s, more than a year ago") % params)
    return ", ".join(parts)


def _bounds(limit: RatingLimit) -> dict[str, str]:
    return {
        "least": f"{limit.least:g}" if limit.least is not None else "",
        "most": f"{limit.most:g}" if limit.most is not None else "",
    }
