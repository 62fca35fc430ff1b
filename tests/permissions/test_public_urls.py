"""Every public and personal address as nobody, a stranger, another club's director, the club's own, and a player of
another match: nothing leaks, nothing breaks. And no private word on any page that anybody may open.
"""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from people.models import Player
from people.services.players import update_player
from rating.models import Fact, RatingList
from rating.services import update_list_ratings
from tests.factories import a_user, an_event
from tests.permissions.shared import kept, rolled_back
from tests.support.lanes import the_few_or
from tests.support.tournaments import link_of, signed_in, stranger_to, text_of
from tournaments.events.services.events import set_registration
from tournaments.models import Match
from tournaments.selectors.access.links import entry_token, join_token
from tournaments.site.urls import api as api_urls
from tournaments.site.urls import player as player_urls
from tournaments.site.urls import public as public_urls

VISITORS = ["nobody", "stranger", "other_director", "director"]
# `test_every_url` asks each address as each kind of visitor; here they are asked of events of each kind.
SOME = the_few_or(VISITORS, ["nobody", "other_director"])
OTHERS = the_few_or(VISITORS[:3], ["nobody", "other_director"])
EVENT_PARTS = [
    "public:event",
    "public:bracket",
    "public:entries",
    "public:seasons",
    "public:draws",
    "public:rules",
    "public:draws-json",
    "public:editions",
    "public:analyses",
    "public:tables-csv",
    "public:trail-head",
    "api:event",
    "api:bracket",
    "api:draws",
    "api:trail-head",
    "api:matches",
    "api:entries",
    "api:points",
    "api:prizes",
    "api:conduct",
    "api:limits",
    "public:prizes-csv",
    "api:seasons",
    "api:event-analyses",
    "api:tables",
    "api:notices",
    "public:hall",
]
PLAYER_PARTS = ["public:player", "api:player", "api:player-analyses", "api:player-analyses-matches"]
LISTS = [
    "public:home",
    "public:events",
    "public:clubs",
    "public:players",
    "public:ratings",
    "public:counting",
    "public:measuring",
    "public:privacy",
    "public:imprint",
    "public:verify",
    "public:verify-script",
    "public:search",
    "public:search-json",
    "api:events",
    "api:clubs",
    "api:players",
]


class World:
    """One club with an event of each kind, and everybody who might come by."""

    def __init__(self):
        self.running = an_event(
            entries=4, name="Open Running", lengths=[5], director=a_user("Wilma World")
        ).publish()
        self.club = self.running.club
        self.director = self.running.director
        self.draft = an_event(entries=2, club=self.club, name="Hidden Draft", director=self.director)
        self.drawn = an_event(entries=2, club=self.club, name="Hidden Drawing", director=self.director).draw()
        self.unlisted = an_event(
            entries=2, club=self.club, name="Hidden Unlisted", director=self.director, visibility="unlisted"
        ).publish()
        self.unlisted.play_out()
        self.ratings = RatingList.objects.get(club=self.club)
        update_list_ratings(self.ratings.pk)
        self.match = self.running.playable()[0]
        self.running.says(self.match, "a", 5, 3, note="Secret note")
        self.hermit = Player.objects.filter(entries__division=self.running.division, name="Dan").get()
        update_player(
            actor=self.running.actor, club_id=self.club.pk, player_id=self.hermit.pk, name="Dan", listed=False
        )
        self.clients = {
            "nobody": Client(),
            "stranger": signed_in(a_user("Stan Stranger")),
            "other_director": signed_in(an_event(name="Elsewhere").director),
            "director": signed_in(self.director),
        }

    def open_pages(self):
        """Every address that anybody may open."""
        urls = [reverse(name) for name in LISTS]
        clubs = (
            "public:club",
            "public:club-players",
            "public:club-analyses",
            "api:club",
            "api:club-analyses",
            "api:club-analyses-players",
        )
        urls += [reverse(name, args=[self.club.public_id]) for name in clubs]
        for name in EVENT_PARTS:
            urls += [
                reverse(name, args=[tournament.event.public_id])
                for tournament in (self.running, self.unlisted)
            ]
        for tournament in (self.running, self.unlisted):
            first = tournament.division.entries.order_by("pk")[0]
            urls.append(reverse("public:way", args=[tournament.event.public_id, first.public_id]))
        for match in Match.objects.filter(stage__in=[self.running.stage, self.unlisted.stage]):
            urls += [reverse(name, args=[match.public_id]) for name in ("public:match", "api:match")]
        for player in Player.objects.filter(listed=True):
            urls += [reverse(name, args=[player.public_id]) for name in PLAYER_PARTS]
        return urls

    def closed_pages(self):
        """Every address of a draft, of a draw that is not published, of a player who is not public."""
        urls = []
        for tournament in (self.draft, self.drawn):
            urls += [reverse(name, args=[tournament.event.public_id]) for name in EVENT_PARTS]
        for name in ("public:match", "api:match"):
            urls.append(reverse(name, args=[Match.objects.get(stage=self.drawn.stage).public_id]))
        for name in PLAYER_PARTS:
            urls.append(reverse(name, args=[self.hermit.public_id]))
        return urls

    def secrets(self):
        """What must stand on no page that anybody may open."""
        for tournament in (self.running, self.draft, self.drawn, self.unlisted):
            yield join_token(tournament.event)
            for entry in tournament.division.entries.all():
                yield entry_token(entry)
                yield entry_token(entry).split(".")[1]
        yield from ("Secret note", "@example.org", "Wilma World", self.hermit.public_id)
        for tournament in (self.draft, self.drawn):
            yield tournament.event.name
            yield tournament.event.public_id


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker):
    with kept(django_db_blocker, World) as made:
        yield made


@pytest.fixture
def world(made):
    cache.clear()
    with rolled_back():
        yield made


def test_every_address_of_ours_is_visited_below(world):
    """Whoever adds a page is reminded to say here who may see it."""
    visited = {
        *(
            f"public:{name}"
            for name in ("club", "club-players", "series", "series-calendar", "match", "player", "points-csv")
        ),
        *(
            f"api:{name}"
            for name in (
                "club",
                "match",
                "player",
                "report",
                "agree",
                "object",
                "award",
                "late",
                *("slow", "clock", "clock-off", "desk-notes", "settle-desk-note"),
                "take-back-award",
                "adjourn",
                "resume",
                "correct",
                "correct-preview",
                "undo",
                "take-back-prizes",
                "call-next",
                "undo-calls",
                "undo-entries",
                "withdraw-notice",
                *("buy-back", "reinstate", "withdraw-entry"),
                *("expected", "approve", "turn-away", "let-in"),
                *("phones-asking", "phones", "let-phone-in", "refuse-phone", "forget-phones"),
                *("link-phone", "link-code"),
                *(
                    "claims",
                    "answer-claim",
                    "offer-player",
                    "release-player",
                    "take-player",
                    "merge",
                    "player-numbers",
                    "unmerge",
                ),
                *(
                    "invitations",
                    "federations",
                    "leave-federation",
                    "withdraw-invitation",
                    "accept-invitation",
                    "decline-invitation",
                ),
                "record-copies",
                *("answer", "answers", "arrangement", "offer-times", "agree-to-time", "decline-times"),
                *("call-off-time", "write-message", "report-talk", "talk"),
                "club-events",
                "copy-event",
                "check-ins",
                "matrix",
                "matrix-undo",
                "matrix-columns",
                "entry-answers",
                "draw-gates",
                "name-randomness",
                *("analysis", "analysing", "call-analyses-off", "player-analyses", "player-analyses-matches"),
                *("club-analyses", "club-analyses-players"),
                *("event-positions", "position"),
                "mark-here",
                *("event-series", "series", "series-days", "series-table", "club-series"),
                *("club-templates", "club-template", "use-template"),
                "results",
                "play-off",
                "take-back-play-off",
                "record-play-off",
                "forget-play-offs",
            )
        ),
        *(
            f"player:{name}"
            for name in (
                "home",
                "report",
                "agree",
                "object",
                "record",
                *("record-copies", "record-copy"),
                "phone",
                "code",
                "here",
                *("leave", "return"),
                "keep",
                "claim-mail",
                "me-json",
                "join",
                "registered",
                "invitation",
                "claim",
                "me",
                "here-signed-in",
                *("withdraw", "return-signed-in"),
                "answers",
                "agreements",
                "answer",
                "arrange",
                *("analysis", "analysis-file", "games-file", "my-games-file", "own-analyses", "own-play"),
                *("my-analysis", "my-analysis-file"),
                "match-ics",
                "calendar",
                "hand-over",
                "key",
                "manifest",
                "link-notices",
                "link-push",
                "link-opened",
                "notices",
                "event-notices",
                "push",
                "notices-off",
                *("push-renewed", "push-removed"),
                "agree-signed-in",
                "me-json",
                "analysis",
            )
        ),
        *("public:quiz", "public:quiz-position", "public:quiz-card", "public:club-analyses"),
        *("public:privacy", "public:imprint", "public:way", "public:rules-help", "public:enter"),
        *(f"public:{name}" for name in ("favicon", "handed-over", "manifest", "start", "worker")),
        *EVENT_PARTS,
        *LISTS,
    }
    ours = {
        f"{module.app_name}:{pattern.name}"
        for module in (public_urls, player_urls, api_urls)
        for pattern in module.urlpatterns
    }
    assert ours == visited


@pytest.mark.parametrize("visitor", OTHERS)
def test_closed_pages_do_not_exist_for_others(world, visitor):
    for url in world.closed_pages():
        assert world.clients[visitor].get(url).status_code == 404, url


def test_closed_pages_are_there_for_the_club_s_directors_but_for_unpublished_matches(world):
    for url in world.closed_pages():
        expected = 404 if "/m/" in url or "/matches/" in url.removesuffix("matches/") else 200
        assert world.clients["director"].get(url).status_code == expected, url


@pytest.mark.parametrize("visitor", SOME)
def test_open_pages_are_open_to_all_and_tell_others_nothing_private(world, visitor):
    secrets = list(world.secrets()) if visitor in OTHERS else []
    for url in world.open_pages():
        answer = world.clients[visitor].get(url)
        assert answer.status_code == 200, url
        body = answer.content.decode()
        assert not [secret for secret in secrets if secret in body], url


def test_unlisted_events_stand_in_no_list(world):
    lists = [reverse(name) for name in LISTS]
    lists += [reverse(name, args=[world.club.public_id]) for name in ("public:club", "public:club-players")]
    lists += [reverse("public:player", args=[p.public_id]) for p in Player.objects.filter(listed=True)]
    lists += [reverse("rating:list", args=[world.ratings.public_id])]
    for player in Player.objects.filter(listed=True, entries__division=world.unlisted.division):
        lists += [reverse("rating:player", args=[world.ratings.public_id, player.public_id])]
    lists += [
        reverse("rating:why", args=[world.ratings.public_id, pk])
        for pk in Fact.objects.values_list("pk", flat=True)
    ]
    assert Fact.objects.exists()
    for visitor in SOME:
        for url in lists:
            body = world.clients[visitor].get(url).content.decode()
            assert "Hidden Unlisted" not in body, url
            assert world.unlisted.event.public_id not in body, url


def test_personal_pages_show_no_other_link_and_no_note(world):
    token = link_of(world.running, world.match, "b")
    body = Client().get(reverse("player:home", args=[token])).content.decode()
    for secret in world.secrets():
        if secret not in token:
            assert secret not in body, secret


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("name", ["report", "agree", "object"])
def test_personal_doors_are_shut_to_players_of_other_matches_whoever_is_signed_in(world, visitor, name):
    token = stranger_to(world.running, world.match)
    url = reverse(f"player:{name}", args=[token, world.match.public_id])
    data = {"mine": 5, "theirs": 0, "version": 1, "text": "No", "submission_key": "k"}
    assert world.clients[visitor].post(url, data).status_code == 403
    assert world.clients[visitor].get(url).status_code in {404, 405}
    world.match.refresh_from_db()
    assert world.match.status == "reported"


@pytest.mark.parametrize("token", ["x", "a.b", "0-1.AAAA", "é", "0" * 300, "%00", "..", "a-1.b.c"])
@pytest.mark.parametrize("name", ["home", "join"])
def test_made_up_tokens_are_a_friendly_404(world, token, name):
    prefix = "my" if name == "home" else "join"
    response = Client().get(f"/{prefix}/{token}/")
    assert response.status_code == 404
    if token not in {"..", "%00"}:
        assert "This link is not valid" in text_of(response)


def test_registration_link_tells_nothing_but_the_event(world):
    set_registration(actor=world.draft.actor, event_id=world.draft.event.pk, is_open=True)
    body = Client().get(reverse("player:join", args=[join_token(world.draft.fresh())])).content.decode()
    assert "Hidden Draft" in body
    for name in ("Ann", "Bob", "@example.org", "Wilma World"):
        assert name not in body


@pytest.mark.parametrize(
    "path",
    ["/e/%00/", "/e/..%2f..%2fetc/", "/m/'%20OR%201=1/", "/p/<script>/", "/c/9999999999999999999999999999/"],
)
def test_odd_addresses_are_404(world, path):
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "?page=0",
        "?page=-1",
        "?page=x",
        "?page=9e9",
        "?status=no&club=no",
        "?q=%00&club=%00&status=%00",
        "?page=" + "9" * 400,
    ],
)
def test_odd_queries_are_answered(world, query):
    for url in (
        reverse("public:club-players", args=[world.club.public_id]),
        reverse("public:player", args=[Player.objects.filter(listed=True).first().public_id]),
        reverse("api:events"),
        reverse("api:players"),
    ):
        assert Client().get(url + query).status_code in {200, 404, 422}, url + query


@pytest.mark.parametrize(
    "address",
    [
        "/records/held/%00/",
        "/api/v1/ratings/?club=%00",
        "/r/{list}/what-if/?a=%00&b=%00&first=%00&second=%00&length=7",
    ],
)
def test_public_address_when_asked_for_a_nul_then_nothing_is_found(world, client, address):
    """SQLite looks for it in vain, PostgreSQL refuses to look."""
    client.raise_request_exception = False
    answer = client.get(address.format(list=world.ratings.public_id))
    assert answer.status_code in {200, 404, 422}
