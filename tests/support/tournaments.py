"""What tests of pages and API ask for again and again: a page as somebody, the text of a page, a match of a night."""

from dataclasses import replace
from html.parser import HTMLParser

from django.test import Client

from people.actors import Actor
from people.models import User
from tests.factories import Tournament
from tests.support.door import sign_in
from tournaments.engine.statuses import EventAction
from tournaments.entries.services.links import renew_entry_link
from tournaments.entries.services.registration import set_approval_required
from tournaments.events.services.events import change_event_status, set_registration
from tournaments.models import Match, MatchSlot, Stage
from tournaments.selectors.access.links import entry_token


class _Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.words = []

    def handle_data(self, data):
        self.words.append(data)


def text_of(response) -> str:
    """What somebody reads on the page, with single blanks."""
    parser = _Text()
    parser.feed(response.content.decode())
    return " ".join(" ".join(parser.words).split())


def signed_in(user: User, **headers) -> Client:
    client = Client(headers=headers)
    sign_in(client, user)
    return client


def opened(tournament: Tournament) -> Tournament:
    """No draft any more: strangers see the event."""
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.OPEN)
    tournament.fresh()
    return tournament


def lets_new_names_in(tournament: Tournament) -> None:
    """Registration is open, and who enters under a name that nobody has is in at once."""
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    set_approval_required(actor=tournament.actor, event_id=tournament.event.pk, everybody=False)


def first_match(tournament: Tournament) -> Match:
    return tournament.playable()[0]


def link_of(tournament: Tournament, match: Match, side: str) -> str:
    """The token of the personal link of one side of a match."""
    return entry_token(tournament.entry_at(match, side))


def stranger_to(tournament: Tournament, match: Match) -> str:
    """The token of somebody in the event who has no part in the match."""
    inside = MatchSlot.objects.filter(match=match).values("entry")
    return entry_token(tournament.division.entries.exclude(pk__in=inside).first())


def revoke(tournament: Tournament, match: Match, side: str) -> None:
    renew_entry_link(
        actor=Actor.of(tournament.director),
        event_id=tournament.event.pk,
        entry_id=tournament.entry_at(match, side).pk,
    )


def unrate(stage: Stage) -> None:
    """The director has said that no result of it goes to the ratings, with nothing asked."""
    stage.settings = replace(stage.settings, conduct=replace(stage.settings.conduct, rated=False))
    stage.save()
