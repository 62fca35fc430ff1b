"""What an operator hides is gone from everything public at once, is there for those whose it is, and comes back as it was."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from faults import Conflict, Missing
from people.actors import Actor
from people.models import Moderation, Player
from rating.models import RatingList
from rating.selectors import club_lists
from rating.services import update_list_ratings
from tests.factories import a_user, an_event
from tests.support.director import signed_in, words
from tests.support.lanes import the_few_or
from tournaments.checks.soundness import integrity_faults
from tournaments.events.services.events import set_registration
from tournaments.models import Event
from tournaments.notices.services.announcing import announce
from tournaments.operators.services.moderating import moderate
from tournaments.selectors.access.links import entry_token, join_token

pytestmark = pytest.mark.django_db
WHY = "It <b>insults</b> somebody"


def shut(kind: str, key: str, state: str = "hidden") -> None:
    moderate(actor=Actor.with_label("an operator"), kind=kind, key=key, state=state, reason=WHY)


@pytest.fixture
def tournament():
    tournament = (
        an_event(entries=2, name="Night of Insults", description="A text of insults").publish().play_out()
    )
    announce(actor=tournament.actor, event_id=tournament.event.pk, text="An insult is announced")
    for rating_list in club_lists(tournament.club.pk):
        update_list_ratings(rating_list.pk)
    return tournament


def where(tournament) -> dict[str, str]:
    """Addresses that show something of it, each with what it would show."""
    event, club, rated = (
        tournament.event.public_id,
        tournament.club.public_id,
        RatingList.objects.get(club=tournament.club),
    )
    player = Player.objects.get(name="Ann").public_id
    match = tournament.stage.rounds.first().matches.first().public_id
    names = [
        *(
            (f"public:{page}", event)
            for page in ("event", "bracket", "hall", "entries", "draws", "trail-head")
        ),
        *(("public:match", match), ("public:club", club), ("public:player", player), ("public:home",)),
        *((f"api:{page}", event) for page in ("event", "bracket", "matches", "entries", "notices")),
        *(("api:match", match), ("api:club", club), ("api:clubs",), ("api:events",), ("api:players",)),
        *(
            ("api:player", player),
            ("rating:list", rated.public_id),
            ("rating:player", rated.public_id, player),
        ),
        *(("rating:csv", rated.public_id), ("rating_api:lists",), ("rating_api:list", rated.public_id)),
    ]
    found = {name: reverse(name, args=args) for name, *args in names}
    return {
        **found,
        "search": "/search/?q=insults",
        "search player": "/search/?q=ann",
        "club players": f"/c/{club}/players/",
    }


def seen(tournament, client: Client | None = None) -> dict[str, tuple[int, str]]:
    client = client or Client()
    answers = {name: client.get(address) for name, address in where(tournament).items()}
    return {
        name: (answer.status_code, b"".join(answer).decode() if answer.streaming else answer.content.decode())
        for name, answer in answers.items()
    }


def naming(said: str, answers: dict[str, tuple[int, str]]) -> set[str]:
    return {name for name, (_status, text) in answers.items() if re.search(rf"\b{re.escape(said)}\b", text)}


OF_EVENT = {"event", "bracket", "hall", "entries", "draws", "trail-head", "matches", "notices", "match"}


CASES = [
    *((kind, "hidden") for kind in ("event", "player", "description", "announcement")),
    *((kind, "removed") for kind in ("club", "list")),
    *the_few_or([("event", "removed"), ("club", "hidden"), ("list", "hidden")], []),
]


def test_public_when_something_is_hidden_then_it_is_nowhere_and_comes_back(tournament):
    """One after the other on the same evening: each begins where the one before has come back."""
    before = seen(tournament)
    for kind, state in CASES:
        goes_and_comes_back(tournament, before, kind, state)


def goes_and_comes_back(tournament, before: dict[str, tuple[int, str]], kind: str, state: str) -> None:
    key, said = {
        "event": (tournament.event.public_id, "Night of Insults"),
        "club": (tournament.club.public_id, tournament.club.name),
        "list": (RatingList.objects.get(club=tournament.club).public_id,) * 2,
        "player": (Player.objects.get(name="Ann").public_id, "Ann"),
        "description": (tournament.event.public_id, "A text of insults"),
        "announcement": (tournament.event.notices.get().public_id, "An insult is announced"),
    }[kind]
    told = naming(said, before)
    assert len(told) > (1 if kind == "description" else 3), told
    shut(kind, key, state)
    after = seen(tournament)
    assert naming(said, after) == set()
    gone = {name for name, (status, _text) in after.items() if status == 404}
    wanted = {
        "event": {name for name in before if name.partition(":")[2] in OF_EVENT},
        "club": {name for name in before if name.partition(":")[2] in {*OF_EVENT, "club", "list", "csv"}}
        | {"rating:player", "club players"},
        "list": {"rating:list", "rating:player", "rating:csv", "rating_api:list"},
        "player": {"public:player", "api:player", "rating:player"},
    }.get(kind, set())
    assert gone == wanted
    assert all(status in {200, 404} for status, _text in after.values())
    shut(kind, key, "")
    again = seen(tournament)
    assert {name: status for name, (status, _text) in again.items()} == dict.fromkeys(before, 200)
    assert naming(said, again) == told
    assert integrity_faults(Event.objects.get(pk=tournament.event.pk)) == []


def test_event_when_hidden_then_answers_as_one_that_never_was(tournament):
    shut("event", tournament.event.public_id)
    for name in ("public:event", "api:event", "director:event"):
        client = (
            signed_in(a_user()) if name.startswith("director") else Client(headers={"accept-language": "en"})
        )
        there, never = (
            client.get(reverse(name, args=[key])) for key in (tournament.event.public_id, "nosuchevent0")
        )
        assert (there.status_code, never.status_code) == (404, 404)
        assert words(there).replace(tournament.event.public_id, "") == words(never).replace(
            "nosuchevent0", ""
        )


def test_directors_when_their_event_is_hidden_then_go_on_and_read_why_and_whom_to_ask(settings):
    settings.OPERATOR_CONTACT = "ops@example.org"
    tournament = an_event(entries=2).publish()
    holder = tournament.stage.rounds.first().matches.first().slots.get(side="a").entry
    shut("event", tournament.event.public_id)
    client = signed_in(tournament.director)
    for address in ("/direct/", reverse("director:board", args=[tournament.event.public_id])):
        page = client.get(address)
        assert page.status_code == 200
        assert "It &lt;b&gt;insults&lt;/b&gt; somebody" in page.content.decode()
        assert "ops@example.org" in page.content.decode()
    assert client.get(reverse("public:event", args=[tournament.event.public_id])).status_code == 200
    assert Client().get(reverse("player:home", args=[entry_token(holder)])).status_code == 200
    tournament.settle(tournament.playable()[0], "a")  # the hall plays on
    shut("event", tournament.event.public_id, "removed")
    assert client.get(reverse("director:board", args=[tournament.event.public_id])).status_code == 404
    assert "Removed by the site operator" in client.get("/direct/").content.decode()
    assert Client().get(reverse("player:home", args=[entry_token(holder)])).status_code == 404
    assert len(Moderation.objects.filter(ended_at=None)) == 1


def test_event_when_removed_then_nothing_is_written_in_it_and_when_restored_it_goes_on():
    tournament = an_event(entries=2).publish()
    match = tournament.playable()[0]
    shut("event", tournament.event.public_id, "removed")
    with pytest.raises(Missing):
        tournament.settle(match, "a")
    shut("event", tournament.event.public_id, "")
    tournament.settle(match, "a")


def test_registration_when_the_event_is_hidden_then_its_link_is_closed():
    tournament = an_event(entries=0)
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    token = join_token(tournament.fresh())
    shut("event", tournament.event.public_id)
    assert Client().get(reverse("player:join", args=[token])).status_code == 404


def test_club_when_removed_then_its_owner_has_no_role_and_reads_why(tournament):
    owner = tournament.club.memberships.get(role="owner").user
    shut("club", tournament.club.public_id, "removed")
    client = signed_in(owner)
    assert client.get(reverse("people:players", args=[tournament.club.public_id])).status_code == 404
    home = client.get("/direct/").content.decode()
    assert "Removed by the site operator" in home
    assert "Night of Insults" not in home
    shut("club", tournament.club.public_id, "")
    assert client.get(reverse("people:players", args=[tournament.club.public_id])).status_code == 200


def test_phone_that_polls_when_the_event_is_hidden_then_gets_no_304(tournament):
    page = reverse("public:event", args=[tournament.event.public_id])
    etag = Client().get(page)["ETag"]
    assert Client().get(page, headers={"if-none-match": etag}).status_code == 304
    shut("event", tournament.event.public_id)
    assert Client().get(page, headers={"if-none-match": etag}).status_code == 404
    shut("event", tournament.event.public_id, "")
    assert Client().get(page, headers={"if-none-match": etag}).status_code == 200


def test_pages_of_others_when_a_club_is_hidden_then_their_copies_are_old(tournament):
    """Whoever polls a page that names the club gets it anew."""
    pages = {name: Client().get(address) for name, address in where(tournament).items()}
    shut("club", tournament.club.public_id)
    for name, page in pages.items():
        if "ETag" in page:
            now = Client().get(
                page.request["PATH_INFO"] + "?" + page.request["QUERY_STRING"],
                headers={"if-none-match": page["ETag"]},
            )
            assert now.status_code in {200, 404}, name


def test_text_when_written_anew_then_it_stays_and_the_old_one_does_not_come_back(tournament):
    shut("description", tournament.event.public_id)
    Event.objects.filter(pk=tournament.event.pk).update(description="Another text")
    with pytest.raises(Conflict):
        shut("description", tournament.event.public_id, "")
    shut("description", tournament.event.public_id)  # the new one, too
    assert Event.objects.get(pk=tournament.event.pk).description == ""
    assert Moderation.objects.get(ended_at=None).kept["text"] == "Another text"
