"""Page that shows all notifications in every language with invented people, for translators and directors."""

from datetime import UTC, date, datetime, time
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override

from people.models import Club
from people.web.access import page_view
from tournaments.engine import alerts
from tournaments.engine.alerts import ALERT_KINDS, Alert
from tournaments.engine.types import Side
from tournaments.models import Division, Entry, Event
from tournaments.notices.services.writing import build_mail
from tournaments.selectors.alert_facts import AlertFacts
from tournaments.shared.words.alerts import ALERT_LABELS, alert_text

_SAMPLE_DATE: Final = date(2026, 12, 4)
# One of each kind, and a second one of kinds with more than one text.
SAMPLE_ALERTS: Final[tuple[Alert, ...]] = (
    alerts.MatchCalled(match=1, table=4),
    alerts.MatchUpNext(match=1, begins="2026-12-04T20:15:00+00:00"),
    alerts.CallCleared(match=1),
    alerts.ResultToConfirm(match=1, side=Side.A, version=1),
    alerts.ResultDisputed(match=1, version=2),
    alerts.DrawPublished(stage=1),
    alerts.RoundPublished(stage=1, round=3),
    alerts.AnnouncementMade(notice=1, version=1),
    alerts.EventChanged(what=("starts_on", "opens_at", "place")),
    alerts.EventCancelled(),
    alerts.PlaceReceived(),
    alerts.DeadlineNear(match=1, day=_SAMPLE_DATE.isoformat()),
    alerts.MessageReceived(match=1, message=1),
    alerts.TimesOffered(match=1, version=1),
    alerts.TimesAnswered(match=1, version=2, what="agreed"),
    alerts.AgreedTimeNear(match=1, at="2026-12-04T20:15:00+00:00"),
)


@page_view
def notification_texts(request: HttpRequest) -> HttpResponse:
    """Page with every text of every kind of notification, as push message and as mail, in every language."""
    languages = [(code, _texts_in_language(code)) for code, _name in settings.LANGUAGES]
    texts_by_kind: dict[str, list[dict[str, Any]]] = {kind: [] for kind in ALERT_KINDS}
    for code, row_by_kind in languages:
        for kind, row in row_by_kind.items():
            texts_by_kind[kind].append({"language": code, **row})
    context = {
        "kinds": [
            {"code": kind.kind, "name": ALERT_LABELS[kind], "texts": texts_by_kind[kind.kind]}
            for kind in ALERT_KINDS.values()
        ]
    }
    return render(request, "notices/texts.html", context)


def _texts_in_language(language: str) -> dict[str, dict[str, Any]]:
    """Return the sample texts in one language, as a dictionary keyed by the code of the kind."""
    with override(language):
        facts = _sample_facts()
        row_by_kind = {}
        for alert in SAMPLE_ALERTS:
            content = alert_text(alert, facts)
            mail = build_mail(content, alert.kind, 0, "ada@example.org")
            row_by_kind[alert.kind] = {"words": content, "subject": mail.subject, "mail": mail.body}
        return row_by_kind


def _sample_facts() -> AlertFacts:
    event = Event(
        club=Club(name="Club"), name="Winter Open", starts_on=_SAMPLE_DATE, ends_on=date(2026, 12, 6), timezone="UTC",
        place="Café Central, Hall 2", opens_at=time(10, 30),
    )  # fmt: skip
    entry = Entry(name="Ada Lovelace", division=Division(event=event))
    return AlertFacts(
        event, entry, opponent="Beata Nowak", table=4, length=7, section="main", code="last_16", own_points=7,
        opponent_points=3, day=_SAMPLE_DATE, begins=datetime(2026, 12, 4, 20, 15, tzinfo=UTC), place="Café Central", text="Dinner is served. The next round begins at 20:30.",
    )  # fmt: skip
