"""All that notices say, in every language, with made-up people: for translators, and for directors who want to know what players read."""

from datetime import UTC, date, datetime, time
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override

from people.models import Club
from people.web.access import page
from tournaments.engine import alerts
from tournaments.engine.alerts import KINDS, Alert
from tournaments.engine.types import Side
from tournaments.models import Division, Entry, Event
from tournaments.notices.services.writing import mail_of
from tournaments.selectors.alert_facts import Facts
from tournaments.shared.words.alerts import NAMES, words_of

_DAY: Final = date(2026, 12, 4)
# One of each kind, and a second one where it can say something else.
SAMPLES: Final[tuple[Alert, ...]] = (
    alerts.MatchCalled(match=1, table=4),
    alerts.MatchNear(match=1, begins="2026-12-04T20:15:00+00:00"),
    alerts.CallTakenBack(match=1),
    alerts.ToConfirm(match=1, side=Side.A, version=1),
    alerts.ResultDisputed(match=1, version=2),
    alerts.DrawShown(stage=1),
    alerts.RoundShown(stage=1, round=3),
    alerts.Announced(notice=1, version=1),
    alerts.EventChanged(what=("starts_on", "opens_at", "place")),
    alerts.EventOff(),
    alerts.MovedUp(),
    alerts.DeadlineNear(match=1, day=_DAY.isoformat()),
    alerts.Written(match=1, message=1),
    alerts.TimesOffered(match=1, version=1),
    alerts.TimesAnswered(match=1, version=2, what="agreed"),
    alerts.MeetingNear(match=1, at="2026-12-04T20:15:00+00:00"),
)


@page
def texts(request: HttpRequest) -> HttpResponse:
    """Every text of every kind, as a phone shows it and as a mail says it."""
    languages = [(code, _in(code)) for code, _name in settings.LANGUAGES]
    shown: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    for code, found in languages:
        for kind, row in found.items():
            shown[kind].append({"language": code, **row})
    context = {
        "kinds": [
            {"code": kind.kind, "name": NAMES[kind], "texts": shown[kind.kind]} for kind in KINDS.values()
        ]
    }
    return render(request, "notices/texts.html", context)


def _in(language: str) -> dict[str, dict[str, Any]]:
    """By kind, what it says in one language."""
    with override(language):
        facts = _facts()
        found = {}
        for alert in SAMPLES:
            words = words_of(alert, facts)
            mail = mail_of(words, alert.kind, 0, "ada@example.org")
            found[alert.kind] = {"words": words, "subject": mail.subject, "mail": mail.body}
        return found


def _facts() -> Facts:
    event = Event(
        club=Club(name="Club"), name="Winter Open", starts_on=_DAY, ends_on=date(2026, 12, 6), timezone="UTC",
        place="Café Central, Hall 2", opens_at=time(10, 30),
    )  # fmt: skip
    entry = Entry(name="Ada Lovelace", division=Division(event=event))
    return Facts(
        event, entry, opponent="Beata Nowak", table=4, length=7, section="main", code="last_16", mine=7,
        theirs=3, day=_DAY, begins=datetime(2026, 12, 4, 20, 15, tzinfo=UTC), place="Café Central", text="Dinner is served. The next round begins at 20:30.",
    )  # fmt: skip
