"""Texts of notifications: title and one or two sentences, short enough for a locked phone; mail adds a link.

Texts are in the active language; they show the names that the recipient may see. `notices.web.previews` shows
each kind with example facts to translators.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine import alerts
from tournaments.engine.alerts import RESTORED, Alert
from tournaments.engine.matches.arranging import ProposalOutcome
from tournaments.selectors.alert_facts import AlertFacts
from tournaments.shared.words.names import (
    clock_time,
    date_label,
    event_dates_label,
    round_name_in_section,
    weekday_and_time,
)

MAX_TITLE_LENGTH, MAX_BODY_LENGTH = 80, 300  # characters that a push message shows at most


class AlertText(NamedTuple):
    """Text of a notification: ``title`` in one line, ``body`` as plain text."""

    title: str
    body: str


# Labels of the kinds in the notification settings.
ALERT_LABELS: Final[Mapping[type[Alert], str | Promise]] = {
    alerts.MatchCalled: gettext_lazy("Your match is called"),
    alerts.MatchUpNext: gettext_lazy("Your next match is coming up"),
    alerts.CallCleared: gettext_lazy("A call is cancelled"),
    alerts.ResultToConfirm: gettext_lazy("Your opponent has reported a result"),
    alerts.ResultDisputed: gettext_lazy("You and your opponent reported different results"),
    alerts.DrawPublished: gettext_lazy("The draw is published"),
    alerts.RoundPublished: gettext_lazy("A round is paired"),
    alerts.AnnouncementMade: gettext_lazy("The director makes an announcement"),
    alerts.EventChanged: gettext_lazy("Date, time or place of the event changes"),
    alerts.EventCancelled: gettext_lazy("The event is cancelled"),
    alerts.PlaceReceived: gettext_lazy("You move up from the waiting list"),
    alerts.DeadlineNear: gettext_lazy("The deadline for a match is near"),
    alerts.MessageReceived: gettext_lazy("Your opponent sends you a message"),
    alerts.TimesOffered: gettext_lazy("Your opponent offers times to play"),
    alerts.TimesAnswered: gettext_lazy("Your opponent answers the times you offered, or cancels one"),
    alerts.AgreedTimeNear: gettext_lazy("You play tomorrow, as agreed"),
}


def alert_text(alert: Alert, facts: AlertFacts) -> AlertText:
    """Return the text of a notification in the active language, cut to what a push message can show."""
    title, body = _TEXT_BUILDERS[type(alert)](alert, facts)
    return AlertText(_shorten(title, MAX_TITLE_LENGTH), _shorten(body, MAX_BODY_LENGTH))


def _shorten(text: str, max_length: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= max_length else f"{text[: max_length - 1].rstrip()}…"


def _opponent_line(facts: AlertFacts) -> str:
    """Return a sentence with opponent, match length and round: “Against Bob, to 7 points. Semifinal.”"""
    params = {
        "name": facts.opponent,
        "length": facts.length,
        "round": round_name_in_section(facts.section, facts.code),
    }
    return _("Against %(name)s, to %(length)s points. %(round)s.") % params


def _match_called_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    title = (
        _("Table %(table)s: your match is called") % {"table": facts.table}
        if facts.table is not None
        else _("Your match is called")
    )
    return AlertText(title, f"{_opponent_line(facts)} {facts.event.name}")


def _match_near_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    title = _("Your match starts at about %(time)s") % {"time": clock_time(facts.begins, facts.event)}
    body = _opponent_line(facts) if facts.opponent else _("Your opponent is not known yet.")
    return AlertText(title, f"{body} {facts.event.name}")


def _call_cancelled_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    body = _("Against %(name)s. You do not need to go to the table now.") % {"name": facts.opponent}
    return AlertText(_("Call cancelled: your match is waiting again"), f"{body} {facts.event.name}")


def _to_confirm_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    params = {"name": facts.opponent, "mine": facts.own_points, "theirs": facts.opponent_points}
    body = _("%(name)s reported %(mine)s–%(theirs)s (your points first). Is this correct?") % params
    return AlertText(_("Please confirm a result"), f"{body} {facts.event.name}")


def _result_disputed_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    title = _("You and %(name)s reported different results") % {"name": facts.opponent}
    body = _("Check your result, or wait for the director.")
    return AlertText(title, f"{body} {facts.event.name}")


def _draw_published_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    body = (
        _opponent_line(facts) if facts.opponent else _("Your first match will appear there once it is known.")
    )
    return AlertText(_("The draw is published"), f"{body} {facts.event.name}")


def _round_paired_text(alert: alerts.RoundPublished, facts: AlertFacts) -> AlertText:
    body = _opponent_line(facts) if facts.opponent else _("You are sitting out this round.")
    if facts.opponent and facts.table is not None:
        table = _("Table %(table)s.") % {"table": facts.table}
        body = f"{body} {table}"
    return AlertText(_("Round %(round)s is paired") % {"round": alert.round}, f"{body} {facts.event.name}")


def _announcement_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    return AlertText(facts.event.name, facts.text)


def _event_changed_text(alert: alerts.EventChanged, facts: AlertFacts) -> AlertText:
    event, parts = facts.event, []
    if RESTORED in alert.what:
        parts.append(_("The event is no longer cancelled."))
    if {"starts_on", "ends_on", RESTORED} & set(alert.what):
        parts.append(_("When: %(when)s.") % {"when": event_dates_label(event)})
    if {"opens_at", "timezone"} & set(alert.what) and event.opens_at is not None:
        parts.append(_("Play starts at %(time)s.") % {"time": f"{event.opens_at:%H:%M}"})
    if "place" in alert.what:
        place = event.place or _("not known yet")
        parts.append(_("Where: %(place)s.") % {"place": place})
    return AlertText(
        _("%(event)s has changed") % {"event": event.name},
        " ".join(parts) or _("See the event’s page for details."),
    )


def _event_cancelled_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    return AlertText(
        _("%(event)s is cancelled") % {"event": facts.event.name},
        _("If a reason was given, it is shown on the event’s page."),
    )


def _moved_up_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    body = _("A place became free: %(name)s now takes part in %(event)s. %(when)s.") % {
        "name": facts.entry.name,
        "event": facts.event.name,
        "when": event_dates_label(facts.event),
    }
    return AlertText(_("You have a place"), body)


def _deadline_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    day = date_label(facts.day) if facts.day is not None else ""
    title = _("Play %(name)s by %(day)s") % {"name": facts.opponent, "day": day}
    body = _("This is the deadline for your match to %(length)s points.") % {"length": facts.length}
    return AlertText(title, f"{body} {facts.event.name}")


def _message_received_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    body = _("Read the message and reply on your match page.")
    return AlertText(
        _("%(name)s sent you a message") % {"name": facts.opponent}, f"{body} {facts.event.name}"
    )


def _times_offered_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    title = _("%(name)s offered times for your match") % {"name": facts.opponent}
    first = _("First time offered: %(when)s.") % {"when": weekday_and_time(facts.begins, facts.event)}
    then = _("Accept one or offer other times on your page.")
    return AlertText(title, f"{first} {then} {facts.event.name}")


def _times_answered_text(alert: alerts.TimesAnswered, facts: AlertFacts) -> AlertText:
    params = {"name": facts.opponent}
    if alert.what == ProposalOutcome.AGREED:
        return AlertText(
            _("%(name)s accepted a time to play") % params, f"{_meeting_label(facts)} {facts.event.name}"
        )
    title, body = _("%(name)s cancelled the agreed time") % params, _("Arrange another time on your page.")
    if alert.what == ProposalOutcome.DECLINED:
        title = _("%(name)s cannot play at the times you offered") % params
        body = _("Offer other times on your page.")
    return AlertText(title, f"{body} {facts.event.name}")


def _meeting_near_text(_alert: Alert, facts: AlertFacts) -> AlertText:
    title = _("You play %(name)s") % {"name": facts.opponent}
    return AlertText(title, f"{_meeting_label(facts)} {facts.event.name}")


def _meeting_label(facts: AlertFacts) -> str:
    params = {"when": weekday_and_time(facts.begins, facts.event), "place": facts.place}
    return _("%(when)s, %(place)s.") % params if facts.place else _("%(when)s.") % params


_TEXT_BUILDERS: Final[Mapping[type[Alert], Callable[[Any, AlertFacts], AlertText]]] = {
    alerts.MatchCalled: _match_called_text,
    alerts.MatchUpNext: _match_near_text,
    alerts.CallCleared: _call_cancelled_text,
    alerts.ResultToConfirm: _to_confirm_text,
    alerts.ResultDisputed: _result_disputed_text,
    alerts.DrawPublished: _draw_published_text,
    alerts.RoundPublished: _round_paired_text,
    alerts.AnnouncementMade: _announcement_text,
    alerts.EventChanged: _event_changed_text,
    alerts.EventCancelled: _event_cancelled_text,
    alerts.PlaceReceived: _moved_up_text,
    alerts.DeadlineNear: _deadline_text,
    alerts.MessageReceived: _message_received_text,
    alerts.TimesOffered: _times_offered_text,
    alerts.TimesAnswered: _times_answered_text,
    alerts.AgreedTimeNear: _meeting_near_text,
}
