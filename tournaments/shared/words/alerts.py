"""What each kind of alert says: a title and a sentence or two, short enough for a locked phone; in mail with a link below.

Told in the active language, of names as the audience reads them. `PREVIEWS` shows each kind with made-up facts to whoever translates.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine import alerts
from tournaments.engine.alerts import RESTORED, Alert
from tournaments.engine.matches.arranging import TimeNews
from tournaments.selectors.alert_facts import Facts
from tournaments.shared.words.names import clock_time, day_words, round_in_part, weekday_and_time, when_words

TITLE, BODY = 80, 300  # characters that a push message shows at most


class Words(NamedTuple):
    """``title``: one line; ``body``: plain text."""

    title: str
    body: str


# How choices call each kind.
NAMES: Final[Mapping[type[Alert], str | Promise]] = {
    alerts.MatchCalled: gettext_lazy("Your match is called"),
    alerts.MatchNear: gettext_lazy("Your next match is coming up"),
    alerts.CallTakenBack: gettext_lazy("A call is cancelled"),
    alerts.ToConfirm: gettext_lazy("Your opponent has reported a result"),
    alerts.ResultDisputed: gettext_lazy("You and your opponent reported different results"),
    alerts.DrawShown: gettext_lazy("The draw is published"),
    alerts.RoundShown: gettext_lazy("A round is paired"),
    alerts.Announced: gettext_lazy("The director makes an announcement"),
    alerts.EventChanged: gettext_lazy("Date, time or place of the event changes"),
    alerts.EventOff: gettext_lazy("The event is cancelled"),
    alerts.MovedUp: gettext_lazy("You move up from the waiting list"),
    alerts.DeadlineNear: gettext_lazy("The deadline for a match is near"),
    alerts.Written: gettext_lazy("Your opponent sends you a message"),
    alerts.TimesOffered: gettext_lazy("Your opponent offers times to play"),
    alerts.TimesAnswered: gettext_lazy("Your opponent answers the times you offered, or cancels one"),
    alerts.MeetingNear: gettext_lazy("You play tomorrow, as agreed"),
}


def words_of(alert: Alert, facts: Facts) -> Words:
    """What is told, in the active language."""
    title, body = _WORDS[type(alert)](alert, facts)
    return Words(_short(title, TITLE), _short(body, BODY))


def _short(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _against(facts: Facts) -> str:
    """Whom, how long, in which round."""
    words = {
        "name": facts.opponent,
        "length": facts.length,
        "round": round_in_part(facts.section, facts.code),
    }
    return _("Against %(name)s, to %(length)s points. %(round)s.") % words


def _called(_alert: Alert, facts: Facts) -> Words:
    title = (
        _("Table %(table)s: your match is called") % {"table": facts.table}
        if facts.table is not None
        else _("Your match is called")
    )
    return Words(title, f"{_against(facts)} {facts.event.name}")


def _near(_alert: Alert, facts: Facts) -> Words:
    title = _("Your match starts at about %(time)s") % {"time": clock_time(facts.begins, facts.event)}
    body = _against(facts) if facts.opponent else _("Your opponent is not known yet.")
    return Words(title, f"{body} {facts.event.name}")


def _waits_again(_alert: Alert, facts: Facts) -> Words:
    body = _("Against %(name)s. You do not need to go to the table now.") % {"name": facts.opponent}
    return Words(_("Call cancelled: your match is waiting again"), f"{body} {facts.event.name}")


def _to_confirm(_alert: Alert, facts: Facts) -> Words:
    points = {"name": facts.opponent, "mine": facts.mine, "theirs": facts.theirs}
    body = _("%(name)s reported %(mine)s–%(theirs)s (your points first). Is this correct?") % points
    return Words(_("Please confirm a result"), f"{body} {facts.event.name}")


def _disputed(_alert: Alert, facts: Facts) -> Words:
    title = _("You and %(name)s reported different results") % {"name": facts.opponent}
    body = _("Check your result, or wait for the director.")
    return Words(title, f"{body} {facts.event.name}")


def _drawn(_alert: Alert, facts: Facts) -> Words:
    body = _against(facts) if facts.opponent else _("Your first match will appear there once it is known.")
    return Words(_("The draw is published"), f"{body} {facts.event.name}")


def _paired(alert: alerts.RoundShown, facts: Facts) -> Words:
    body = _against(facts) if facts.opponent else _("You are sitting out this round.")
    if facts.opponent and facts.table is not None:
        table = _("Table %(table)s.") % {"table": facts.table}
        body = f"{body} {table}"
    return Words(_("Round %(round)s is paired") % {"round": alert.round}, f"{body} {facts.event.name}")


def _announced(_alert: Alert, facts: Facts) -> Words:
    return Words(facts.event.name, facts.text)


def _event_changed(alert: alerts.EventChanged, facts: Facts) -> Words:
    event, parts = facts.event, []
    if RESTORED in alert.what:
        parts.append(_("The event is no longer cancelled."))
    if {"starts_on", "ends_on", RESTORED} & set(alert.what):
        parts.append(_("When: %(when)s.") % {"when": when_words(event)})
    if {"opens_at", "timezone"} & set(alert.what) and event.opens_at is not None:
        parts.append(_("Play starts at %(time)s.") % {"time": f"{event.opens_at:%H:%M}"})
    if "place" in alert.what:
        place = event.place or _("not known yet")
        parts.append(_("Where: %(place)s.") % {"place": place})
    return Words(
        _("%(event)s has changed") % {"event": event.name},
        " ".join(parts) or _("See the event’s page for details."),
    )


def _event_off(_alert: Alert, facts: Facts) -> Words:
    return Words(
        _("%(event)s is cancelled") % {"event": facts.event.name},
        _("If a reason was given, it is shown on the event’s page."),
    )


def _moved_up(_alert: Alert, facts: Facts) -> Words:
    body = _("A place became free: %(name)s now takes part in %(event)s. %(when)s.") % {
        "name": facts.entry.name,
        "event": facts.event.name,
        "when": when_words(facts.event),
    }
    return Words(_("You have a place"), body)


def _deadline(_alert: Alert, facts: Facts) -> Words:
    day = day_words(facts.day) if facts.day is not None else ""
    title = _("Play %(name)s by %(day)s") % {"name": facts.opponent, "day": day}
    body = _("This is the deadline for your match to %(length)s points.") % {"length": facts.length}
    return Words(title, f"{body} {facts.event.name}")


def _written(_alert: Alert, facts: Facts) -> Words:
    body = _("Read the message and reply on your match page.")
    return Words(_("%(name)s sent you a message") % {"name": facts.opponent}, f"{body} {facts.event.name}")


def _times_offered(_alert: Alert, facts: Facts) -> Words:
    title = _("%(name)s offered times for your match") % {"name": facts.opponent}
    first = _("First time offered: %(when)s.") % {"when": weekday_and_time(facts.begins, facts.event)}
    then = _("Accept one or offer other times on your page.")
    return Words(title, f"{first} {then} {facts.event.name}")


def _times_answered(alert: alerts.TimesAnswered, facts: Facts) -> Words:
    name = {"name": facts.opponent}
    if alert.what == TimeNews.AGREED:
        return Words(
            _("%(name)s accepted a time to play") % name, f"{_meeting_words(facts)} {facts.event.name}"
        )
    title, body = _("%(name)s cancelled the agreed time") % name, _("Arrange another time on your page.")
    if alert.what == TimeNews.DECLINED:
        title = _("%(name)s cannot play at the times you offered") % name
        body = _("Offer other times on your page.")
    return Words(title, f"{body} {facts.event.name}")


def _meeting_near(_alert: Alert, facts: Facts) -> Words:
    title = _("You play %(name)s") % {"name": facts.opponent}
    return Words(title, f"{_meeting_words(facts)} {facts.event.name}")


def _meeting_words(facts: Facts) -> str:
    when = {"when": weekday_and_time(facts.begins, facts.event), "place": facts.place}
    return _("%(when)s, %(place)s.") % when if facts.place else _("%(when)s.") % when


_WORDS: Final[Mapping[type[Alert], Callable[[Any, Facts], Words]]] = {
    alerts.MatchCalled: _called,
    alerts.MatchNear: _near,
    alerts.CallTakenBack: _waits_again,
    alerts.ToConfirm: _to_confirm,
    alerts.ResultDisputed: _disputed,
    alerts.DrawShown: _drawn,
    alerts.RoundShown: _paired,
    alerts.Announced: _announced,
    alerts.EventChanged: _event_changed,
    alerts.EventOff: _event_off,
    alerts.MovedUp: _moved_up,
    alerts.DeadlineNear: _deadline,
    alerts.Written: _written,
    alerts.TimesOffered: _times_offered,
    alerts.TimesAnswered: _times_answered,
    alerts.MeetingNear: _meeting_near,
}
