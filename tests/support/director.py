"""A director's browser: sign in, open pages of an event, press buttons."""

import re
from dataclasses import dataclass

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from people.models import User
from tests.factories import Tournament
from tests.support.door import sign_in
from tournaments.models import Match


@dataclass
class Desk:
    """One visitor's browser at one event."""

    tournament: Tournament
    client: Client

    def url(self, page: str, /, *args: str) -> str:
        return reverse(f"director:{page}", args=[self.tournament.event.public_id, *args])

    def get(self, page: str, /, *args: str, **query: str) -> HttpResponse:
        return self.client.get(self.url(page, *args), query)

    def post(self, page: str, /, *args: str, **fields: object) -> HttpResponse:
        return self.client.post(self.url(page, *args), {k: v for k, v in fields.items() if v is not None})

    def result(self, match: Match, a: int, b: int, **fields: object) -> HttpResponse:
        key = fields.pop("submission_key", f"key-{match.pk}-{a}-{b}")
        data = {"score_a": a, "score_b": b, "kind": "played", "winner": "", "submission_key": key, **fields}
        return self.post("result", match.public_id, **data)


def lines_of(desk: Desk, **query: str) -> dict[str, dict]:
    """The lines of the board by the matches' public ids, in the order in which they stand there."""
    page = desk.get("board", **{"state": "now", **query})
    return {line["id"]: line for group in page.context["groups"] for line in group["lines"]}


def signed_in(user: User | None) -> Client:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        sign_in(client, user)
    return client


def desk_of(tournament: Tournament, user: User | None = None) -> Desk:
    return Desk(tournament, signed_in(user or tournament.director))


def words(response: HttpResponse) -> str:
    """What the page says, without its markup."""
    text = re.sub(r"<(script|style|svg).*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)).replace("&#x27;", "'").replace("&quot;", '"')


def event_fields(**changes: object) -> dict[str, object]:
    """A whole event form as a browser would send it."""
    return {
        "name": "Friday night",
        "place": "Café",
        "starts_on": "2026-11-20",
        "ends_on": "2026-11-20",
        "timezone": "Europe/Helsinki",
        "tables": "8",
        "visibility": "public",
        "weight": "1",
        "description": "",
        "system": "single_elimination",
        "format_preset": "match",
        "lengths": "5, 5, 7, 9",
        "draw_method": "blind",
        "report_policy": "opponent_confirms",
        **changes,
    }
