"""A league whose players find the times of their matches themselves."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from tests.factories import Tournament, an_event
from tests.support.rounds import publish_next, where
from tournaments.engine.matches.arranging import TimeProposal
from tournaments.leagues.services import arranging, talking
from tournaments.models import Arrangement, Entry, Match, MatchMessage, Notification
from tournaments.rounds.services.deadlines import set_deadlines
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin, link_actor

BEGINS = date(2027, 3, 1)
LAST_DAY = date(2027, 3, 31)
DAY = timedelta(days=1)
NOW = datetime(2027, 3, 2, 10, tzinfo=UTC)


def a_league_of_two(clock: Any, *, deadline: date | None = LAST_DAY, **event: Any) -> Tournament:
    """Two entries, one match, in Berlin; the round's last day is the 31st of March 2027, and it is the 2nd."""
    clock.shows(NOW)
    fields = {"starts_on": BEGINS, "ends_on": date(2027, 4, 30), "timezone": "Europe/Berlin", **event}
    tournament = an_event(2, system="round_robin", by_arrangement=True, lengths=[5], **fields)
    publish_next(tournament)
    if deadline is not None:
        set_deadlines(**where(tournament), deadlines={1: deadline})
    Notification.objects.all().delete()
    return tournament


class Two:
    """Both sides of the only match: ``two.offers("a", "2027-03-05T20:00")``. Each has seen the last word unless it says otherwise."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @property
    def match(self) -> Match:
        return Match.objects.get(stage__division__event=self.tournament.event)

    @property
    def row(self) -> Arrangement:
        return Arrangement.objects.get(match=self.match)

    def entry(self, side: str) -> Entry:
        return self.tournament.entry_at(self.match, side)

    def asked(self, side: str, seen: int | None, phone: RequestOrigin = NO_ORIGIN) -> dict[str, Any]:
        found = Arrangement.objects.filter(match=self.match).first()
        last = found.version if found is not None else 0
        entry = self.entry(side)
        return {
            "actor": link_actor(entry),
            "match_id": self.match.pk,
            "entry": entry,
            "seen": last if seen is None else seen,
            "phone": phone,
        }

    def offers(self, side: str, *times: str, place: str = "", seen: int | None = None) -> Arrangement:
        proposals = [TimeProposal(datetime.fromisoformat(time), place) for time in times]
        return arranging.offer_times(times=proposals, **self.asked(side, seen))

    def declines(self, side: str, seen: int | None = None) -> Arrangement:
        return arranging.decline_times(**self.asked(side, seen))

    def agrees(self, side: str, number: int = 1, seen: int | None = None) -> Arrangement:
        return arranging.agree_to_time(number=number, **self.asked(side, seen))

    def calls_off(self, side: str, seen: int | None = None) -> Arrangement:
        return arranging.cancel_time(**self.asked(side, seen))

    def agreed(self, time: str = "2027-03-05T20:00", place: str = "") -> Arrangement:
        self.offers("a", time, place=place)
        return self.agrees("b")

    def writes(self, side: str, text: str, key: str = "") -> MatchMessage:
        key = key or f"key-{MatchMessage.objects.count()}"
        return talking.write_message(
            match_id=self.match.pk, entry=self.entry(side), text=text, submission_key=key
        )

    def reports(self, side: str) -> Arrangement:
        asked = self.asked(side, 0)
        del asked["seen"]
        return talking.report_conversation(**asked)

    def settles(self, *, closed: bool, actor: Any = None) -> None:
        asked = {"actor": actor or self.tournament.actor, "event_id": self.tournament.event.pk}
        talking.settle_conversation(**asked, match_id=self.match.pk, closed=closed)
