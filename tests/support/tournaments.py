"""What tests of pages and API ask for again and again: a page as somebody, the text of a page, a match of a night."""

from dataclasses import replace
from html.parser import HTMLParser

from django.test import Client

from people.actors import Actor
from people.models import User
from tests.factories import Night
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


def opened(night: Night) -> Night:
    """No draft any more: strangers see the event."""
    change_event_status(actor=night.actor, event_id=night.event.pk, action=EventAction.OPEN)
    night.fresh()
    return night


def lets_new_names_in(night: Night) -> None:
    """Registration is open, and who enters under a name that nobody has is in at once."""
    set_registration(actor=night.actor, event_id=night.event.pk, is_open=True)
    set_approval_required(actor=night.actor, event_id=night.event.pk, everybody=False)


def first_match(night: Night) -> Match:
    return night.playable()[0]


def link_of(night: Night, match: Match, side: str) -> str:
    """The token of the personal link of one side of a match."""
    return entry_token(night.entry_at(match, side))


def stranger_to(night: Night, match: Match) -> str:
    """The token of somebody in the event who has no part in the match."""
    inside = MatchSlot.objects.filter(match=match).values("entry")
    return entry_token(night.division.entries.exclude(pk__in=inside).first())


def revoke(night: Night, match: Match, side: str) -> None:
    renew_entry_link(
        actor=Actor.of(night.director), event_id=night.event.pk, entry_id=night.entry_at(match, side).pk
    )


def unrate(stage: Stage) -> None:
    """The director has said that no result of it goes to the ratings, with nothing asked."""
    stage.settings = replace(stage.settings, conduct=replace(stage.settings.conduct, rated=False))
    stage.save()
