"""Every director's address as nobody, as a stranger, as another club's director, as director and as owner."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import get_resolver, reverse

from people.models import AuditEntry
from tests.factories import a_club, a_director, a_user, an_event
from tests.support.director import signed_in
from tests.support.lanes import in_full, the_few_or
from tournaments.models import ClubTemplate, Event, Match, Notice, Series
from tournaments.notices.services.announcing import announce
from tournaments.series.services.series import create_series
from tournaments.series.services.templates import save_template

pytestmark = pytest.mark.django_db

EVENT_PAGES = [
    "event",
    "settings",
    "rules",
    "entries",
    "players-json",
    "paste",
    "entries-csv",
    "entries-xlsx",
    "seeds",
    "divisions",
    "division-new",
    "draw",
    "board",
    "holdups",
    "line",
    "line-help",
    "notices",
    "screens",
    "analyses",
    "links",
    "sheet",
    "prizes",
    "papers",
    "games-file",
    "quiz",
    "how-long",
    "audit",
    "cancel",
    "again",
    "days",
    "late-entry",
    "expected",
    "check-in",
    "matrix",
    "columns",
    "at-desk",
    "helpers",
    "agreements",
]
EVENT_ACTIONS = [
    "open",
    "close",
    "restore",
    "add-entry",
    "withdraw",
    "return",
    "buy-back",
    "close-lines",
    "several-entries",
    "undo-entries",
    "registration",
    "event-series",
    "save-template",
    "approve-entries",
    "turn-away",
    "matrix-save",
    "matrix-undo",
    "phones",
    "admit",
    "off-waiting",
    "approval",
    "make-draw",
    "name-number",
    "revoke",
    "call",
    "table-use",
    "end-help",
]
LEAGUE_PAGES = ["money", "season", "unplayed", "next-season"]  # of this event there are none
MATCH_PAGES = ["match", "match-length"]
MATCH_ACTIONS = [
    "result",
    "decide",
    "correct",
    "settle",
    "table",
    "late",
    "slow",
    "clock",
    "clock-off",
    "award",
    "take-back-award",
    "adjourn",
    "resume",
    "settle-record",
    "settle-talk",
    "set-aside",
]
CLUB_PAGES = [
    "director:club",
    "director:event-new",
    "director:series",
    "director:duplicates",
    "director:consents",
    "people:club",
    "people:players",
    "people:audit",
]
OWNER_PAGES = ["people:settings", "people:members"]
OWNER_ACTIONS = ["people:federation", "people:change-role", "people:remove-member"]


@pytest.fixture
def hall():
    """A running event with everybody who could come by."""
    tournament = an_event(4).publish()
    announce(actor=tournament.actor, event_id=tournament.event.pk, text="Coffee is ready")
    create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Nights")
    save_template(actor=tournament.actor, event_id=tournament.event.pk, name="Ours")
    return {
        "tournament": tournament,
        "people": {
            "nobody": None,
            "stranger": a_user("Sam Stranger"),
            "other": a_club().memberships.get().user,
            "director": a_director(tournament.club),
            "owner": tournament.club.memberships.get(role="owner").user,
        },
    }


def addresses(tournament):
    """All addresses below /direct/ and /clubs/ that name this event, club, match or player: (kind, method, url)."""
    event, club = tournament.event.public_id, tournament.club.public_id
    match = Match.objects.filter(stage=tournament.stage).first().public_id
    player = tournament.club.players.first().public_id
    yield from (("event", "get", reverse(f"director:{name}", args=[event])) for name in EVENT_PAGES)
    yield from (("event", "post", reverse(f"director:{name}", args=[event])) for name in EVENT_ACTIONS)
    yield from (("event", "get", reverse(f"director:{name}", args=[event, match])) for name in MATCH_PAGES)
    yield from (("event", "post", reverse(f"director:{name}", args=[event, match])) for name in MATCH_ACTIONS)
    division, stage, entry = (
        tournament.division.pk,
        tournament.stage.pk,
        tournament.division.entries.first().public_id,
    )
    for page in ("entry", "leave", "wrong-player"):
        yield "event", "get", reverse(f"director:{page}", args=[event, entry])
    notice = Notice.objects.get().public_id
    yield "event", "get", reverse("director:notice", args=[event, notice])
    yield "event", "post", reverse("director:notice-act", args=[event, notice, "withdraw"])
    yield "event", "get", reverse("director:paper", args=[event, "slips"])
    yield "league", "get", reverse("director:record-copies", args=[event, match, 1])  # no record came
    yield "league", "get", reverse("director:record-copy", args=[event, match, 1, 1])  # nor a copy
    yield "event", "post", reverse("director:undo-repair", args=[event, 1])
    yield "event", "post", reverse("director:take-back-prizes", args=[event, 1])
    yield "event", "get", reverse("director:settings-section", args=[event, "schedule"])
    yield "event", "get", reverse("director:division", args=[event, division])
    yield "event", "post", reverse("director:change-division", args=[event, division])
    yield "event", "get", reverse("director:stage-new", args=[event, division])
    yield "event", "get", reverse("director:stage", args=[event, stage])
    yield "event", "get", reverse("director:conduct", args=[event, stage])
    yield "event", "post", reverse("director:remove-stage", args=[event, stage])
    yield from (("league", "get", reverse(f"director:{name}", args=[event])) for name in LEAGUE_PAGES)
    yield "league", "post", reverse("director:change-money", args=[event, "open"])
    yield "event", "post", reverse("director:match-act", args=[event, match, "call"])
    yield "event", "post", reverse("director:settle-note", args=[event, "nonesuch"])
    yield "event", "post", reverse("director:check-in-act", args=[event, "close"])
    yield "event", "post", reverse("director:change-draw", args=[event, "take-back"])
    yield from (("club", "get", reverse(name, args=[club])) for name in CLUB_PAGES)
    yield "club", "get", reverse("director:merge", args=[club])
    series, template = Series.objects.get().public_id, ClubTemplate.objects.get().public_id
    yield "club", "get", reverse("director:one-series", args=[club, series])
    for page in ("template", "use-template"):
        yield "club", "get", reverse(f"director:{page}", args=[club, template])
    yield "club", "get", reverse("director:template-stage", args=[club, template, 1, 1])
    yield from (
        ("club", "get", reverse(f"director:{name}", args=[club]))
        for name in ("club-results", "club-results-csv")
    )
    yield "club", "post", reverse("director:undo-merge", args=[club])
    yield "club", "get", reverse("people:player", args=[club, player])
    yield "club", "get", reverse("people:numbers", args=[club, player])
    yield "club", "post", reverse("director:offer-claim", args=[club, player])
    yield "club", "post", reverse("director:release-player", args=[club, player])
    yield "club", "post", reverse("director:answer-claim", args=[club])
    yield "club", "post", reverse("director:consent", args=[club])
    yield from (("owner", "get", reverse(name, args=[club])) for name in OWNER_PAGES)
    yield from (("owner", "post", reverse(name, args=[club])) for name in OWNER_ACTIONS)


def test_every_address_when_listed_then_the_test_knows_it(hall) -> None:
    """A new address cannot be forgotten here."""
    known = {url for _kind, _method, url in addresses(hall["tournament"])}
    names = set()
    for prefix, space in (("direct/", "director"), ("clubs/", "people")):
        resolver = next(
            p
            for p in get_resolver().url_patterns
            if str(p.pattern) == prefix and getattr(p, "namespace", "") == space
        )
        names |= {(space, pattern.name) for pattern in resolver.url_patterns}
    from django.urls import resolve

    tested = {(resolve(url).namespace, resolve(url).url_name) for url in known}
    without_a_club = {
        ("director", "home"),
        ("director", "notice-texts"),
        ("director", "club-new"),
        ("people", "clubs"),
    }
    # What takes a right away, or needs what one person has sent another: row by row in `director_rows`.
    by_rows = {
        ("people", "leave"),
        ("director", "invite"),
        ("director", "withdraw-invitation"),
        ("director", "answer-merge"),
    }
    assert names - tested == without_a_club | by_rows


# `test_every_url` asks each address as each kind of visitor with what it needs; here each is asked without.
@pytest.mark.parametrize("who", the_few_or(["nobody", "stranger", "other"], ["other"]))
def test_outsider_when_opening_or_sending_anything_then_refused(hall, who) -> None:
    tournament = hall["tournament"]
    client = signed_in(hall["people"][who])
    before = (Event.objects.get().version, AuditEntry.objects.count())
    for _kind, method, url in addresses(tournament):
        for way in the_few_or(["get", "post"], [method]):
            response = client.get(url, follow=who != "nobody") if way == "get" else client.post(url)
            if who == "nobody":
                assert response.status_code == 302 or response.status_code == 405, url
                assert response.status_code == 405 or response["Location"].startswith("/account/login/")
            else:
                assert response.status_code in {403, 405}, (method, url)
            assert tournament.event.name not in response.content.decode()
    assert (Event.objects.get().version, AuditEntry.objects.count()) == before


@pytest.mark.parametrize("who", the_few_or(["stranger", "other"], ["other"]))
def test_draft_when_a_stranger_asks_then_there_is_no_such_event(who) -> None:
    tournament = an_event(2)
    user = a_user() if who == "stranger" else a_club().memberships.get().user
    client = signed_in(user)
    for name in EVENT_PAGES:
        assert client.get(reverse(f"director:{name}", args=[tournament.event.public_id])).status_code == 404
    for name in EVENT_ACTIONS:
        assert client.post(reverse(f"director:{name}", args=[tournament.event.public_id])).status_code == 404


def test_nobody_when_asking_for_what_is_not_there_then_sees_the_same_as_for_what_is() -> None:
    tournament = an_event(2)
    client = signed_in(None)
    there = client.get(reverse("director:event", args=[tournament.event.public_id]))
    not_there = client.get(reverse("director:event", args=["nosuchthing"]))
    assert there.status_code == not_there.status_code == 302


@pytest.mark.parametrize("who", the_few_or(["director", "owner"], ["owner"]))
def test_insider_when_opening_pages_then_sees_them(hall, who) -> None:
    client = signed_in(hall["people"][who])
    for kind, method, url in addresses(hall["tournament"]):
        if method != "get" or url.endswith("/merge/"):
            continue
        expected = {403} if kind == "owner" and who == "director" else {200, 302}
        expected = {404} if kind == "league" else expected
        assert client.get(url).status_code in expected, url


def test_director_when_sending_an_owners_action_then_forbidden(hall) -> None:
    client = signed_in(hall["people"]["director"])
    for kind, method, url in addresses(hall["tournament"]):
        if kind == "owner":
            assert getattr(client, method)(url).status_code == 403, url


def test_actions_when_got_then_lead_to_the_page_above_and_nothing_changes(hall) -> None:
    client = signed_in(hall["people"]["owner"])
    before = (Event.objects.get().version, AuditEntry.objects.count())
    above = set()
    for kind, method, url in addresses(hall["tournament"]):
        if method == "post" and kind != "league":
            answer = client.get(url)
            assert url.startswith(answer["Location"]), url
            if not url.endswith("/merge/undo/"):  # whom to merge, that page is asked
                above.add(answer["Location"])
    for page in sorted(above):
        assert client.get(page).status_code in {200, 302}, page
    assert (Event.objects.get().version, AuditEntry.objects.count()) == before


def test_actions_when_sent_empty_or_odd_then_never_a_server_error(hall) -> None:
    client = signed_in(hall["people"]["owner"])
    odd = {
        "entry": "\0x",
        "player": "\0",
        "name": "\0",
        "seed": "٣",
        "version": "9" * 30,
        "objection": "-1",
        "member": "1e9",
        "merge": "9" * 40,
        "table": "²",
        "stage": "99",
        "list": "\0",
        "do": "dance",
        "score_a": "x",
        "parent": "nosuchclub",
        "keep": "\0",
        "duplicate": "\0",
    }
    question = {"q": "\0%_", "page": "-3", "entry": "\0", "keep": "\0", "duplicate": "\0"}
    for _kind, method, url in addresses(hall["tournament"]):
        for fields in the_few_or(({}, odd), ({}, odd) if method == "post" else (odd,)):
            assert client.post(url, fields).status_code < 500, url
        if method == "get" or in_full():
            assert client.get(url, question).status_code < 500, url


def test_signed_in_page_when_asked_without_the_token_then_refused(hall) -> None:
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(hall["people"]["owner"])
    for _kind, method, url in addresses(hall["tournament"]):
        if method == "post":
            assert client.post(url).status_code == 403, url


def test_event_of_another_club_when_a_match_is_named_across_then_missing(hall) -> None:
    """A director of two events cannot reach a match of one through the address of the other."""
    tournament = hall["tournament"]
    other = an_event(4, club=tournament.club, director=tournament.director).publish()
    client = signed_in(tournament.director)
    foreign = Match.objects.filter(stage=other.stage).first().public_id
    assert (
        client.get(reverse("director:match", args=[tournament.event.public_id, foreign])).status_code == 404
    )
    entry = other.entry("Ann").public_id
    answer = client.post(reverse("director:revoke", args=[tournament.event.public_id]), {"entry": entry})
    assert answer.status_code == 404


def test_change_when_signed_out_meanwhile_then_back_on_the_page_after_signing_in(hall, client) -> None:
    tournament = hall["tournament"]
    page, change = (
        reverse(f"director:{name}", args=[tournament.event.public_id]) for name in ("entries", "withdraw")
    )
    answer = client.post(change, {"entry": "x"}, headers={"referer": f"http://testserver{page}?division=1"})
    assert parse_qs(urlsplit(answer.url).query) == {"next": [f"{page}?division=1"]}
    assert b"You were signed out, so nothing was changed." in client.get(answer.url).content


@pytest.mark.parametrize("referer", ["", "http://elsewhere.example/direct/", "nonsense", "http://testserver"])
def test_change_when_signed_out_and_sent_from_nowhere_known_then_on_to_the_start(
    hall, client, referer
) -> None:
    change = reverse("director:withdraw", args=[hall["tournament"].event.public_id])
    answer = client.post(change, headers={"referer": referer})
    assert parse_qs(urlsplit(answer.url).query) == {"next": ["/"]}
