"""Template contexts of the events and the table of a series."""

from collections.abc import Iterable
from fractions import Fraction

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from tournaments.engine.series.points import PointsRule, PointsScale, SharedPlacePoints
from tournaments.selectors.series import SeriesEvent, SeriesView
from tournaments.shared.fragments.cards import Context, url_builder
from tournaments.shared.words.names import event_dates_label


def day_rows(series_events: Iterable[SeriesEvent], page: str) -> list[Context]:
    """Return the template contexts of events with their winners. ``page``: URL name of the events' links."""
    url = url_builder(page)
    return [
        {
            "event": series_event.event,
            "url": url(series_event.event.public_id),
            "when": event_dates_label(series_event.event),
            "winners": " · ".join(series_event.winners),
            "entries": getattr(series_event.event, "entry_count", 0),
            "expected": getattr(series_event.event, "expected_count", 0),
        }
        for series_event in series_events
    ]


def table_context(view: SeriesView, *, directing: bool = False) -> Context:
    """Return the context of the table: a row for each player with the points of each event.

    Each result says whether it counts. ``directing``: for a director; marks players who are not listed.
    """
    url = url_builder("public:player")
    days = [date_format(event.starts_on, "SHORT_DATE_FORMAT") for event in view.counted]
    return {
        "evenings": len(days),
        "rule": rule_messages(view.series.rule),
        "rows": [
            {
                "rank": row.rank,
                "name": row.player.name,
                "url": url(row.player.public_id) if row.player.listed else "",
                "private": directing and not row.player.listed,
                "total": points_label(row.total),
                "times": len(row.points_by_event),
                "earned": [
                    {
                        "day": days[earned.event_index],
                        "points": points_label(earned.points),
                        "place": earned.place,
                        "counts": earned.counts,
                    }
                    for earned in row.points_by_event
                ],
            }
            for row in view.table
        ],
    }


def points_label(points: Fraction) -> str:
    """Return points such as “8” or “4.67”: up to two decimals, in the active language."""
    rounded = round(points, 2)
    if rounded.denominator == 1:
        return number_format(int(rounded))
    return number_format(float(rounded), decimal_pos=1 if (rounded * 10).denominator == 1 else 2)


def rule_messages(rule: PointsRule) -> list[str]:
    """Return the rule by which places give points, as sentences."""
    if rule.scale is PointsScale.HEADS:
        sentences = [_("A place earns as many points as there are players in it or below.")]
    else:
        sentences = [_("Points by place: %(points)s.") % {"points": ", ".join(map(str, rule.points))}]
        if rule.rest:
            sentences.append(_("All other places: %(points)s.") % {"points": rule.rest})
    sentences.append(
        _("Players in a shared place share the points of its places.")
        if rule.ties is SharedPlacePoints.SHARE
        else _("Players in a shared place all get the points of the best one.")
    )
    if rule.best:
        sentences.append(_("The best %(count)s events of each player count.") % {"count": rule.best})
    if rule.division:
        sentences.append(_("Places of %(division)s count.") % {"division": rule.division})
    return sentences
