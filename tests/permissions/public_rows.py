"""What everybody may open: public pages, ratings, records, the API, and the pages behind a personal link."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.permissions.rows import (
    INSIDE_302,
    INSIDE_ONLY,
    QUIET,
    TAKEN,
    UNLISTED,
    Fill,
    Row,
    club,
    event,
    everybody,
    listed,
    match_only,
    statuses,
    unlisted_match,
    way_of,
)
from tests.permissions.world import World
from tournaments.engine.types import Side
from tournaments.models import MatchSlot
from tournaments.selectors.access.links import calendar_token, entry_token, join_token, receipt_token
from tournaments.selectors.access.off_links import unsubscribe_token

PUBLIC = [
    Row("security-txt", everybody(404)),
    Row("public:home", everybody()),
    Row("public:home", everybody(), case="looked for secrets", query="q=Backroom"),
    Row("public:events", everybody()),
    Row("public:events", everybody(), case="looked for secrets", query="q=Backroom"),
    Row("public:clubs", everybody(), case="searched", query="q=a"),
    Row("public:players", everybody()),
    Row("public:players", everybody(), case="of a private player", query="q=Priya"),
    Row("public:ratings", everybody()),
    Row("public:search", everybody(), case="looked for secrets", query="q=Backroom"),
    Row("public:search", everybody(), case="of a private player", query="q=Priya"),
    Row("public:search-json", everybody(), case="looked for secrets", query="q=Backroom"),
    Row("public:search-json", everybody(), case="of a private player", query="q=Priya"),
    Row("public:counting", everybody()),
    Row("public:measuring", everybody()),
    *[Row("public:quiz", everybody(404), event(which), which) for which in ("running", "finished", "draft")],
    *[
        Row("public:quiz-position", everybody(404), lambda _w: {"position": "nonesuch"}, "unknown", how)
        for how in ("get", "post")
    ],
    Row("public:quiz-card", everybody(404), lambda _w: {"position": "nonesuch"}, "unknown"),
    Row("public:rules-help", everybody()),
    Row("public:privacy", everybody()),
    *[Row(f"public:{name}", everybody()) for name in ("start", "manifest", "worker", "handed-over")],
    Row("public:favicon", everybody(302)),
    Row("public:imprint", everybody()),
    Row("public:club", everybody(), club),
    Row("public:club", everybody(), lambda w: {"club": w.federation.public_id}, "federation"),
    Row("public:club", everybody(404), lambda _w: {"club": "nosuchclub"}, "unknown"),
    Row("public:series", everybody(), lambda w: {"series": w.a.series.public_id}, tells=QUIET),
    Row("public:series", INSIDE_ONLY, lambda w: {"series": w.a.hidden_series.public_id}, "of drafts"),
    Row("public:series", everybody(404), lambda _w: {"series": "nosuchone"}, "unknown"),
    Row("public:series-calendar", everybody(), lambda w: {"series": w.a.series.public_id}, tells=QUIET),
    Row(
        "public:series-calendar", INSIDE_ONLY, lambda w: {"series": w.a.hidden_series.public_id}, "of drafts"
    ),
    Row("public:series-calendar", everybody(404), lambda _w: {"series": "nosuchone"}, "unknown"),
    Row("public:club-players", everybody(), club),
    Row("public:club-analyses", everybody(), club),
    Row("public:club-analyses", everybody(404), lambda _w: {"club": "nosuchclub"}, "unknown"),
    Row("public:club-players", everybody(), club, "looking for a private player", query="q=Priya"),
    *[
        Row(f"public:{page}", who, event(which), which, tells=tells)
        for page in ("event", "bracket", "hall", "entries", "draws", "trail-head", "rules", "analyses")
        for which, who, tells in (
            ("running", everybody(), frozenset[str]()),
            ("finished", everybody(), QUIET),
            ("open", everybody(), frozenset[str]()),
            ("unlisted", everybody(), UNLISTED),
            ("draft", INSIDE_ONLY, frozenset[str]()),
        )
    ],
    *[
        Row(f"public:{page}", everybody(), event(which), which)
        for page in ("event", "bracket", "entries", "seasons")
        for which in ("points", "league")
    ],
    *[Row("public:enter", everybody(302), event(which), which) for which in ("running", "unlisted")],
    # It leads to the form of a public event that takes entries.
    Row("public:enter", everybody(302), event("open"), "open", tells=frozenset({"registration link"})),
    Row("public:enter", INSIDE_302, event("draft"), "draft"),
    Row("public:seasons", everybody(), event("unlisted"), "unlisted", tells=UNLISTED),
    Row("public:way", everybody(), way_of("running"), "running"),
    Row("public:way", everybody(), way_of("unlisted"), "unlisted", tells=UNLISTED),
    Row("public:way", INSIDE_ONLY, way_of("draft"), "draft"),
    Row("public:way", everybody(404), lambda w: {**event("running")(w), "entry": "nosuchentry"}, "unknown"),
    Row("public:seasons", INSIDE_ONLY, event("draft"), "draft"),
    Row("public:draws-json", everybody(), event("running")),
    Row("public:draws-json", everybody(), event("unlisted"), "unlisted", tells=UNLISTED),
    Row("public:draws-json", INSIDE_ONLY, event("draft"), "draft"),
    *[Row("public:editions", everybody(), event(which), which) for which in ("running", "league", "points")],
    Row("public:editions", INSIDE_ONLY, event("draft"), "draft"),
    *[Row("public:tables-csv", everybody(), event(which), which) for which in ("running", "league")],
    Row("public:tables-csv", INSIDE_ONLY, event("draft"), "draft"),
    Row("public:verify", everybody()),
    Row("public:verify-script", everybody()),
    *[
        Row("public:prizes-csv", everybody(), event(which), which)
        for which in ("running", "finished", "unlisted", "points")
    ],
    Row("public:prizes-csv", INSIDE_ONLY, event("draft"), "draft"),
    Row("public:points-csv", everybody(), event("points")),
    Row("public:points-csv", everybody(404), event("running"), "no money"),
    Row("public:points-csv", everybody(404), event("draft"), "draft"),
    Row("public:event", everybody(), event("running"), "hall", query="view=hall"),
    *[
        Row("public:match", everybody(), match_only(which), which)
        for which in ("disputed", "reported", "objected")
    ],
    Row("public:match", everybody(), unlisted_match, "unlisted", tells=UNLISTED),
    Row("public:match", everybody(404), lambda _w: {"match": "nosuchmatch"}, "unknown"),
    Row("public:player", everybody(), lambda w: {"player": w.a.public_player.public_id}, tells=QUIET),
    Row("public:player", INSIDE_ONLY, lambda w: {"player": w.a.private.public_id}, "private"),
    Row(
        "public:player", everybody((200, 302, 301)), lambda w: {"player": w.a.merged.public_id}, "merged away"
    ),
]

RATING = [
    Row("rating:list", everybody(), listed),
    Row("rating:list", everybody(404), lambda _w: {"list_id": "nosuchlist"}, "unknown"),
    Row("rating:csv", everybody(), listed),
    Row("rating:json", everybody(), listed),
    Row("rating:official", everybody(), listed),
    Row("rating:official", everybody(), listed, "looking for a private player", query="q=Quentin"),
    Row("rating:official-dates", everybody(), listed),
    *[
        Row(f"rating:official-{page}", everybody(), lambda w: listed(w, number=1), tells=tells)
        for page, tells in (
            ("issue", frozenset[str]()),
            ("csv", frozenset[str]()),
            # What is signed holds the ids of those who were public when it was signed.
            ("signed", frozenset({"quiet player's id"})),
        )
    ],
    *[
        Row(f"rating:official-{page}", everybody(404), lambda w: listed(w, number=2), "unknown")
        for page in ("issue", "csv", "signed")
    ],
    Row("signed", everybody()),
    Row("signing-keys", everybody()),
    Row("site-keys", everybody()),
    Row("rating:why", everybody(), lambda w: listed(w, number=w.a.fact.pk)),
    Row("rating:why", everybody(404), lambda w: listed(w, number=w.b.fact.pk), "another club's fact"),
    Row("rating:why", everybody(), lambda w: listed(w, number=w.a.quiet_fact.pk), "of a private player"),
    Row("rating:why", everybody(), lambda w: listed(w, number=w.a.backroom_fact.pk), "of an unlisted event"),
    Row("rating:what-if", everybody(), listed),
    Row(
        "rating:what-if",
        everybody(),
        listed,
        "with a private player",
        query="first=Priya Private A&second=Ann&length=7",
    ),
    Row("rating:find-players", everybody(), listed, query="q=an"),
    Row("rating:find-players", everybody(), listed, "looking for a private player", query="q=Priya"),
    Row("rating:player", everybody(), lambda w: listed(w, player_id=w.a.public_player.public_id)),
    Row("rating:player", everybody(404), lambda w: listed(w, player_id=w.a.private.public_id), "private"),
    Row("rating:chart", everybody(), lambda w: listed(w, player_id=w.a.public_player.public_id)),
    Row("rating:chart", everybody(404), lambda w: listed(w, player_id=w.a.private.public_id), "private"),
    Row("rating:history-csv", everybody(), lambda w: listed(w, player_id=w.a.public_player.public_id)),
    Row(
        "rating:history-csv", everybody(404), lambda w: listed(w, player_id=w.a.private.public_id), "private"
    ),
    Row("rating:opponents", everybody(), lambda w: listed(w, player_id=w.a.public_player.public_id)),
    Row("rating:opponents", everybody(404), lambda w: listed(w, player_id=w.a.private.public_id), "private"),
    Row(
        "rating:opponents",
        everybody(),
        lambda w: listed(w, player_id=w.a.public_player.public_id),
        "looking for a private player",
        query="second=Priya Private A",
    ),
    Row(
        "rating:versus",
        everybody(),
        lambda w: listed(w, player_id=w.a.fact.winner.public_id, other_id=w.a.fact.loser.public_id),
    ),
    Row(
        "rating:versus",
        everybody(404),
        lambda w: listed(w, player_id=w.a.fact.winner.public_id, other_id=w.a.private.public_id),
        "private",
    ),
]


def mine(side: Side, which: str = "disputed") -> Fill:
    """An own match by an own link."""
    return lambda w: {"token": w.a.token(side, getattr(w.a, which)), "match": getattr(w.a, which).public_id}


def theirs(which: str = "disputed") -> Fill:
    """Somebody else's match by a link of the same event."""
    return lambda w: {"token": w.a.someone_elses_token, "match": getattr(w.a, which).public_id}


def revoked(which: str = "disputed") -> Fill:
    return lambda w: {"token": w.revoked, "match": getattr(w.a, which).public_id}


def _versioned(fill: Fill, **more: int) -> Fill:
    """The record of the first report."""
    return lambda w: {**fill(w), "version": 1, **more}


def _own_entry(w: World) -> dict[str, str]:
    return {"entry": w.a.running.division.entries.first().public_id}


def _by_arrangement(w: World) -> dict[str, str]:
    """An own match of a league."""
    slot = MatchSlot.objects.filter(match__stage__division__event=w.a.league.event, side="a").first()
    return {"token": entry_token(slot.entry), "match": slot.match.public_id}


def _calendar(w: World) -> dict[str, str]:
    # By no name: other tests call these players something else.
    return {"token": calendar_token(w.a.league.entered_first())}


def _token_only(fill: Fill) -> Fill:
    return lambda w: {"token": fill(w)["token"]}


AGREEMENT = {"version": "1", "submission_key": "k-1"}
HANDED = {
    "won": "x",
    "certificate": "x",
    "signature": "x",
    "agreed_at": "1",
    "agreed_certificate": "x",
    "agreed_signature": "x",
}
PLAYER = [
    Row("player:home", everybody(), _token_only(mine(Side.B))),
    Row("player:home", everybody(404), _token_only(revoked()), "revoked"),
    Row("player:manifest", everybody(), _token_only(mine(Side.B))),
    *[Row(f"player:{name}", everybody(405), fill) for name, fill in (("key", _token_only(mine(Side.B))), ("hand-over", mine(Side.B)))],
    *[Row(f"player:{name}", everybody(404), fill, "revoked", "post") for name, fill in (("key", _token_only(revoked())), ("hand-over", revoked()))],
    Row("player:key", everybody((403, 422)), _token_only(mine(Side.B)), "no key", "post"),
    Row("player:hand-over", everybody(404), mine(Side.B), "nothing", "post"),
    Row("player:hand-over", everybody(422), mine(Side.B), "not signed", "post", lambda _w: HANDED),
    Row("player:manifest", everybody(404), _token_only(revoked()), "revoked"),
    Row("player:agreements", everybody(), _token_only(mine(Side.B))),
    Row("player:agreements", everybody(404), _token_only(revoked()), "revoked"),
    Row("player:agreements", everybody(404), _token_only(mine(Side.B)), "nobody", "post"),
    Row("player:home", everybody(404), lambda _w: {"token": "made-up-1.xxxxxxxxxxxxxxxxxxxxxx"}, "forged"),
    Row("player:report", everybody(), mine(Side.B)),
    Row("player:report", everybody(404), theirs(), "another match"),
    Row("player:report", everybody(404), revoked(), "revoked"),
    Row("player:report", everybody(422), mine(Side.B), "empty", "post"),
    Row("player:report", everybody(403), theirs(), "another match", "post"),
    Row("player:report", everybody(404), revoked(), "revoked", "post"),
    Row("player:agree", everybody(405), mine(Side.B)),
    Row("player:agree", everybody(403), theirs(), "another match", "post", lambda _w: AGREEMENT),
    Row("player:agree", everybody(404), revoked(), "revoked", "post", lambda _w: AGREEMENT),
    Row("player:agree", everybody(404), mine(Side.B), "no version", "post"),
    Row("player:agree", everybody(302), mine(Side.B), "", "post", lambda _w: AGREEMENT),
    Row("player:agree", everybody(TAKEN), mine(Side.B), "odd key", "post", lambda _w: {**AGREEMENT, "submission_key": "\0"}),
    Row("player:record", everybody(404), mine(Side.A), "no record came"),
    Row("player:record", everybody(404), theirs("objected"), "another match"),
    Row("player:record", everybody(404), revoked("objected"), "revoked"),
    Row("player:own-play", everybody(), _token_only(mine(Side.B))),
    Row("player:own-play", everybody(404), _token_only(revoked()), "revoked"),
    Row("player:analysis", everybody(404), mine(Side.A), "not confirmed"),
    Row("player:analysis", everybody(404), theirs("objected"), "another match"),
    Row("player:analysis", everybody(404), revoked("objected"), "revoked"),
    Row("player:analysis", everybody(404), theirs("objected"), "another match", "post"),
    Row("player:analysis-file", everybody(404), mine(Side.B, "reported"), "not confirmed"),
    Row("player:analysis-file", everybody(404), theirs("objected"), "another match"),
    Row("player:analysis-file", everybody(404), revoked("objected"), "revoked"),
    Row("player:my-analysis", statuses(302, *[404] * 4), match_only("objected"), "nobody's own"),
    Row("player:my-analysis", statuses(302, *[404] * 4), match_only("objected"), "nobody's own", "post"),
    Row("player:my-analysis-file", statuses(302, *[404] * 4), match_only("objected"), "nobody's own"),
    Row("player:games-file", everybody(), _token_only(mine(Side.B))),
    Row("player:games-file", everybody(404), _token_only(revoked()), "revoked"),
    Row("player:my-games-file", statuses(302, 404, 404, 404, 404, player=200)),
    Row("player:record-copies", everybody(404), _versioned(mine(Side.A)), "no record came"),
    Row("player:record-copies", everybody(), _versioned(mine(Side.A, "reported")), "the other side's"),
    Row("player:record-copies", everybody(), _versioned(mine(Side.B, "reported")), "own"),
    Row("player:record-copies", everybody(404), _versioned(theirs("objected")), "another match"),
    Row("player:record-copies", everybody(404), _versioned(revoked("reported")), "revoked"),
    Row("player:record-copies", everybody(409), _versioned(mine(Side.B, "reported")), "nothing proposed", "post"),
    Row("player:record-copies", everybody(404), _versioned(theirs("objected")), "another match", "post"),
    Row("player:record-copies", everybody(404), _versioned(revoked("reported")), "revoked", "post"),
    Row("player:record-copy", everybody(404), _versioned(mine(Side.B, "reported"), number=1), "no copy"),
    Row("player:record-copy", everybody(404), _versioned(revoked("reported"), number=1), "revoked"),
    Row("player:object", everybody(302), mine(Side.B), "not confirmed"),
    Row("player:object", everybody(), mine(Side.A, "objected")),
    Row("player:object", everybody(404), theirs("objected"), "another match"),
    Row("player:object", everybody(404), revoked("objected"), "revoked", "post", lambda _w: {"text": "No."}),
    Row(
        "player:object", everybody(403), theirs("objected"), "another match", "post", lambda _w: {"text": "No."},

    ),
    Row("player:object", everybody(422), mine(Side.A, "objected"), "empty", "post"),
    Row("player:answer", everybody(405), mine(Side.B)),
    Row("player:answer", everybody(403), theirs(), "another match", "post", lambda _w: {"coming": "coming"}),
    Row("player:answer", everybody(404), revoked(), "revoked", "post", lambda _w: {"coming": "coming"}),
    Row("player:answer", everybody(409), mine(Side.B), "reported already", "post", lambda _w: {"coming": "coming"}),
    Row("player:answer", everybody(422), mine(Side.B), "odd", "post", lambda _w: {"coming": "\0"}),
    Row("player:arrange", everybody(404), mine(Side.B), "at the tables"),
    Row("player:arrange", everybody(404), mine(Side.B), "at the tables", "post", lambda _w: {"do": "write", "text": "\0"}),
    Row("player:arrange", everybody(), _by_arrangement),
    Row("player:arrange", everybody(422), _by_arrangement, "odd", "post", lambda _w: {"do": "offer", "time_1": "\0", "seen": "x"}),
    Row("player:arrange", everybody(409), _by_arrangement, "not seen", "post", lambda _w: {"do": "decline", "seen": "\0"}),
    Row("player:arrange", everybody(404), _by_arrangement, "odd word", "post", lambda _w: {"do": "\0"}),
    Row("player:match-ics", everybody(404), mine(Side.B), "nothing agreed on"),
    Row("player:match-ics", everybody(404), theirs(), "another match"),
    Row("player:match-ics", everybody(404), revoked(), "revoked"),
    Row("player:calendar", everybody(), _calendar),
    Row("player:calendar", everybody(405), _calendar, "nothing to send", "post"),
    Row("player:calendar", everybody(404), _token_only(mine(Side.B)), "a personal link is none"),
    Row("player:arrange", everybody(404), theirs(), "another match"),
    Row("player:arrange", everybody(403), theirs(), "another match", "post", lambda _w: {"do": "write"}),
    Row("player:arrange", everybody(404), revoked(), "revoked"),
    Row("player:here", everybody(405), _token_only(mine(Side.B))),
    Row("player:here", everybody(404), _token_only(revoked()), "revoked", "post", lambda _w: {"code": "BBBBB"}),
    Row("player:here", everybody({409, 422}), _token_only(mine(Side.B)), "no check-in", "post", lambda _w: {"code": "\0"}),
    *[Row(f"player:{name}", everybody(405), _token_only(mine(Side.B))) for name in ("phone", "code")],
    *[Row(f"player:{name}", everybody(404), _token_only(revoked()), "revoked", "post") for name in ("phone", "code")],
    Row("player:phone", everybody(302), _token_only(mine(Side.B)), "ask", "post", lambda _w: {"ask": "yes"}),
    Row("player:phone", everybody(422), _token_only(mine(Side.B)), "wrong code", "post", lambda _w: {"phone_code": "\0" * 99}),
    Row("player:code", everybody((403, 409)), _token_only(mine(Side.B)), "of no phone that speaks", "post"),
    Row("player:leave", everybody(302), _token_only(mine(Side.B)), "drawn already"),
    Row("player:leave", everybody(409), _token_only(mine(Side.B)), "drawn already", "post"),
    Row("player:return", everybody(302), _token_only(mine(Side.B)), "takes part"),
    Row("player:return", everybody(302), _token_only(mine(Side.B)), "takes part", "post"),
    Row("player:keep", everybody(), _token_only(mine(Side.B))),
    Row("player:keep", statuses(200, 404, 404, 404, 404), _token_only(mine(Side.B)), "nobody chosen", "post"),
    *[Row(f"player:{name}", everybody(404), _token_only(revoked()), "revoked") for name in ("leave", "return", "keep")],
    Row("player:claim-mail", everybody()),
    Row("player:claim-mail", everybody(422), case="empty", method="post"),
    Row("player:invitation", everybody(), lambda w: {"token": w.a.invited.token}),
    Row("player:invitation", everybody(404), lambda _w: {"token": "made-up"}, "made up"),
    Row("player:invitation", statuses(409, 302, 302, 409, 409), lambda w: {"token": w.a.invited.token}, "accepted", "post", lambda _w: {"name": "Me"}),
    Row("player:invitation", everybody(302), lambda w: {"token": w.a.invited.token}, "declined", "post", lambda _w: {"decline": "yes"}),
    Row("player:join", everybody(), lambda w: {"token": join_token(w.a.open.event)}),
    Row("player:join", everybody(404), lambda _w: {"token": "forged-1.xxxxxxx"}, "forged"),
    Row("player:join", everybody(), lambda w: {"token": join_token(w.a.draft.event)}, "draft", tells=frozenset({"draft", "draft's id"})),
    Row("player:registered", everybody(), lambda w: {"token": receipt_token(w.a.open.division.entries.get(status="expected"))}),
    Row("player:claim", everybody(404), lambda _w: {"token": "forged"}, "forged"),
    Row("player:me", statuses(302, 200, 200, 200, 200)),
    Row("player:own-analyses", statuses(302, *[(200, 302)] * 4)),
    Row("player:me-json", everybody()),
    Row("player:link-notices", everybody(), _token_only(mine(Side.B))),
    Row("player:link-notices", everybody(404), _token_only(revoked()), "revoked"),
    Row("player:link-notices", everybody(422), _token_only(mine(Side.B)), "empty", "post"),
    Row("player:link-push", everybody(422), _token_only(mine(Side.B)), "empty", "post"),
    *[Row(f"player:{name}", everybody(404), _token_only(revoked()), "revoked", "post") for name in ("link-push", "link-opened")],
    Row("player:link-opened", everybody(404), _token_only(mine(Side.B)), "no notice of theirs", "post"),
    Row("player:notices", statuses(302, 200, 200, 200, 200)),
    Row("player:notices", statuses(302, 422, 422, 422, 422), lambda _w: {}, "empty", "post"),
    Row("player:event-notices", statuses(302, 404, 404, 404, 404), lambda w: {"event": w.a.draft.event.public_id}),
    Row("player:push", everybody(302)),
    Row("player:push", statuses(302, 422, 422, 422, 422), lambda _w: {}, "empty", "post"),
    Row("player:push-renewed", everybody(404), lambda _w: {}, "unproved", "post"),
    Row("player:push-removed", everybody(404), lambda _w: {}, "unproved", "post"),
    Row("player:notices-off", everybody(), lambda w: {"token": unsubscribe_token(w.a.director.pk, "called")}),
    Row("player:notices-off", everybody(404), lambda _w: {"token": "1-called.forged"}, "forged", "post"),
    Row("player:agree-signed-in", everybody(302)),
    Row("player:agree-signed-in", statuses(302, 404, 404, 404, 404), lambda _w: {}, "nobody's player", "post"),
    Row("player:here-signed-in", everybody(302)),
    Row("player:here-signed-in", statuses(302, 404, 404, 404, 404), lambda _w: {}, "nobody's entry", "post"),
    Row("player:answers", statuses(302, 404, 404, 404, 404), lambda _w: {"entry": "nosuchentry"}, "unknown"),
    Row("player:answers", statuses(302, 404, 404, 404, 404), _own_entry, "nobody's entry"),
    Row("player:answers", statuses(302, 404, 404, 404, 404), _own_entry, "nobody's entry, sent", "post"),
    Row("player:return-signed-in", everybody(302)),
    Row("player:return-signed-in", statuses(302, 404, 404, 404, 404), lambda _w: {}, "nobody's entry", "post"),
    Row("player:withdraw", everybody(302)),
    Row("player:withdraw", statuses(302, 404, 404, 404, 404), lambda _w: {}, "nobody's entry", "post"),
    Row("player:registered", everybody(404), lambda _w: {"token": "forged-1.xxxxxxx"}, "forged"),
    Row(
        "player:join", everybody(302), lambda w: {"token": join_token(w.a.open.event)}, "part of a private name", "post",
        lambda _w: {"name": "Priya", "submission_key": "k", "hall": "yes"},
    ),
]  # fmt: skip

OUT, IN = (302, 302, 302, 302), (200, 200, 200, 200)
ACCOUNT = [
    Row("account_login", statuses(200, *OUT)),
    Row("account_signup", statuses(200, *OUT)),
    Row("account_logout", statuses(302, *IN)),
    Row("account_inactive", everybody()),
    Row("account_reauthenticate", statuses(302, *[(200, 302)] * 4)),
    Row("account_email", statuses(302, *IN)),
    Row("account_email_verification_sent", everybody()),
    Row("account_change_password", statuses(302, *IN)),
    Row("usersessions_list", statuses(302, *IN)),
    Row("account_privacy", statuses(302, *IN)),
    Row("account_everything", everybody(302)),
    Row("account_page_consent", everybody(302)),
    Row("account_page_consent", statuses(302, 404, 404, 404, 404), case="of no club", method="post"),
    Row("account_delete", everybody(302)),
    Row("mfa_login_webauthn", everybody(302)),
    Row("mfa_list_webauthn", statuses(302, *IN)),
    Row("mfa_add_webauthn", everybody(302)),
    Row("mfa_reauthenticate_webauthn", everybody(302)),
    Row("mfa_edit_webauthn", everybody(302), lambda _w: {"pk": 1}),
    Row("mfa_remove_webauthn", everybody(302), lambda _w: {"pk": 1}),
    Row("account_set_password", statuses(302, *OUT)),
    Row("account_reset_password", everybody((200, 302))),
    Row("account_confirm_login_code", everybody((200, 302, 404))),
    Row("account_confirm_email", everybody((200, 302)), lambda _w: {"key": "made-up"}),
    Row("account_reset_password_from_key", everybody((200, 302)), lambda _w: {"uidb36": "1", "key": "made-up"}),
    Row("account_reset_password_from_key_done", everybody((200, 302))),
    Row("account_reset_password_done", everybody((200, 302))),
    Row("mfa_index", statuses(302, *IN)),
    Row("mfa_authenticate", everybody((302, 200))),
    Row("mfa_reauthenticate", statuses(302, *[(200, 302)] * 4)),
    Row("mfa_activate_totp", statuses(302, *[(200, 302)] * 4)),
    Row("mfa_deactivate_totp", statuses(302, *[(200, 302, 404)] * 4)),
    Row("mfa_view_recovery_codes", statuses(302, *[(200, 302, 404)] * 4)),
    Row("mfa_generate_recovery_codes", statuses(302, *[(200, 302, 403, 404)] * 4)),
    Row("mfa_download_recovery_codes", statuses(302, *[(200, 302, 404)] * 4)),
    Row("set_language", everybody((302, 405))),
    Row("set_language", everybody(302), method="post", data=lambda _w: {"language": "de", "next": "https://evil.example/"}),
    Row("schema", everybody()),
    Row("api-docs", everybody()),
    Row("problems", everybody()),
]  # fmt: skip


def link(fill: Callable[[World], str]) -> Fill:
    return lambda w: {"Authorization": f"Link {fill(w)}"}


def _entry_of(which: str) -> Fill:
    return lambda w: {**event(which)(w), "entry": getattr(w.a, which).division.entries.first().public_id}


def _phone_of(action: str) -> Fill:
    entry = _entry_of("running")
    return lambda w: entry(w) if action == "forget-phones" else {**entry(w), "number": 7}


def _sends(body: dict[str, object]) -> Fill:
    """This body, whoever sends it."""
    return lambda _w: body


def _claim(_world: World) -> Mapping[str, Any]:
    return {"score_a": 5, "score_b": 2, "kind": "played", "submission_key": "api-1"}


def _template_of(whose: str) -> Fill:
    return lambda w: {**club(w), "template": getattr(w, whose).template.public_id}


API = [
    Row("api:events", everybody()),
    *[
        Row(f"api:{page}", who, event(which), which, tells=tells)
        for page in ("event", "bracket", "matches", "entries", "tables", "notices", "draws", "trail-head")
        for which, who, tells in (
            ("running", everybody(), frozenset[str]()),
            ("unlisted", everybody(), UNLISTED),
            ("draft", statuses(404, 404, 404, (200, 404), (200, 404)), frozenset[str]()),
        )
    ],
    *[
        Row(f"api:{action}", statuses((401, 403), 403, 403, TAKEN, TAKEN, assistant=helped), event("running"), "", "json", data)
        for action, helped, data in (
            ("call-next", TAKEN, lambda _w: {"everything": True}),
            ("tables", TAKEN, lambda _w: {"table": 1, "in_use": False}),
            ("notices", 403, lambda _w: {"text": "Hello"}),
        )
    ],
    Row(
        "api:withdraw-notice", statuses((401, 403), 403, 403, TAKEN, TAKEN),
        lambda w: {**event("running")(w), "notice": w.a.notice.public_id}, "", "json",
    ),
    Row(
        "api:withdraw-notice", statuses((401, 403), 403, 403, 404, 404),
        lambda w: {**event("running")(w), "notice": w.b.notice.public_id}, "another club's", "json",
    ),
    Row("api:call-next", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "draft", "json"),
    Row("api:undo-entries", statuses((401, 403), 403, 403, 409, 409, assistant=403), event("running"), "", "json", lambda _w: {}),
    Row("api:undo-calls", statuses((401, 403), 403, 403, 409, 409, assistant=409), event("running"), "", "json", lambda _w: {}),
    Row("api:analysis", everybody(404), match_only("reported"), "nothing to see"),
    Row("api:analysis", statuses(403, 403, 403, 409, 409), match_only("reported"), "ask", "json", lambda _w: {}),
    Row("api:analysing", statuses((401, 403), 403, 403, 200, 200), event("running")),
    Row("api:analysing", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "ask", "json", lambda _w: {}),
    Row("api:call-analyses-off", statuses((401, 403), 403, 403, 200, 200), event("running"), "", "json", lambda _w: {}),
    *[Row("api:match", everybody(), match_only(which), which) for which in ("disputed", "reported", "objected")],
    Row("api:match", everybody(), unlisted_match, "unlisted", tells=UNLISTED),
    *[
        Row(f"api:{page}", everybody(), event(which), which)
        for page in ("event", "bracket", "matches", "entries", "points", "prizes", "conduct", "seasons")
        for which in ("points", "league")
    ],
    *[
        row
        for page in ("points", "prizes", "conduct", "seasons")
        for row in (
            Row(f"api:{page}", everybody(), event("unlisted"), "unlisted", tells=UNLISTED),
            Row(f"api:{page}", statuses(404, 404, 404, (200, 404), (200, 404)), event("draft"), "draft"),
        )
    ],
    *[Row("api:event-positions", everybody(404), event(which), which) for which in ("running", "finished", "draft")],
    Row("api:position", everybody(404), lambda _w: {"position": "nonesuch"}, "unknown"),
    Row("api:event-analyses", everybody(), event("running")),
    Row("api:event-analyses", everybody(), event("unlisted"), "unlisted", tells=UNLISTED),
    Row("api:event-analyses", statuses(404, 404, 404, (200, 404), (200, 404)), event("draft"), "draft"),
    *[
        row
        for page in ("club-analyses", "club-analyses-players")
        for row in (
            Row(f"api:{page}", everybody(), club),
            Row(f"api:{page}", everybody(422), club, "an unknown series", query="series=nosuchone"),
        )
    ],
    *[
        row
        for page in ("player-analyses", "player-analyses-matches")
        for row in (
            Row(f"api:{page}", everybody(), lambda w: {"player": w.a.public_player.public_id}),
            Row(f"api:{page}", statuses(404, 404, 404, (200, 404), (200, 404)), lambda w: {"player": w.a.private.public_id}, "private"),
        )
    ],
    Row("api:clubs", everybody()),
    Row("api:club", everybody(), club),
    Row("api:players", everybody()),
    Row("api:players", everybody(), case="looking for a private player", query="q=Priya"),
    Row("api:player", everybody(), lambda w: {"player": w.a.public_player.public_id}),
    Row("api:player", statuses(404, 404, 404, (200, 404), (200, 404)), lambda w: {"player": w.a.private.public_id}, "private"),
    *[
        Row(f"api:{action}", everybody((401, 403, 405)), match_only("disputed"))
        for action in ("report", "agree", "object", "answer")
    ],
    *[
        Row(f"api:{action}", everybody((401, 403, 405)), match_only("disputed"))
        for action in ("arrangement", "offer-times", "agree-to-time", "decline-times", "call-off-time", "write-message", "report-talk")
    ],
    Row("api:arrangement", everybody(200), match_only("disputed"), "own link", headers=link(lambda w: w.a.token(Side.A))),
    *[
        Row(f"api:{action}", everybody((409, 422)), match_only("disputed"), "at the tables", "json", _sends(body),
            headers=link(lambda w: w.a.token(Side.A)))
        for action, body in (
            ("offer-times", {"seen": 0, "times": [{"at": "2027-05-01T20:15"}]}), ("agree-to-time", {"seen": 0, "number": 1}),
            ("decline-times", {"seen": 0}), ("call-off-time", {"seen": 0}), ("write-message", {"text": "Hi", "submission_key": "k"}),
            ("report-talk", {}),
        )
    ],
    Row("api:talk", statuses((401, 403), 403, 403, 200, 200), match_only("disputed")),
    Row("api:record-copies", statuses((401, 403), 403, 403, 200, 200, assistant=200), _versioned(match_only("reported"))),
    Row("api:record-copies", everybody(), _versioned(match_only("reported")), "own link", headers=link(lambda w: w.a.token(Side.A, w.a.reported))),
    Row("api:record-copies", everybody(403), _versioned(match_only("reported")), "another's link", headers=link(lambda w: w.a.token(Side.A))),
    Row(
        "api:record-copies", statuses((401, 403), 403, 403, 409, 409, assistant=409), _versioned(match_only("reported")), "nothing proposed", "json",
        lambda _w: {"key": "1.1=31:8/5-6/5"},
    ),
    Row("api:talk", statuses((401, 403), 403, 403, 409, 409), match_only("disputed"), "nothing reported", "json", lambda _w: {"closed": True}),
    Row("api:answers", statuses((401, 403), 403, 403, 200, 200, assistant=200), event("running")),
    Row("api:answers", statuses((401, 403), 404, 404, 200, 200), event("draft"), "draft"),
    Row("api:answer", everybody((409, 422)), match_only("disputed"), "own link", "json", lambda _w: {"coming": "coming"},
        headers=link(lambda w: w.a.token(Side.A))),
    Row("api:report", statuses((401, 403), 403, 403, (201, 409), (201, 409), assistant=(201, 409)), match_only("disputed"), "", "json", _claim),
    *[
        Row(f"api:{action}", statuses((401, 403), 403, 403, (400, 422), (400, 422)), match_only("disputed"), "empty", "json", lambda _w: {})
        for action in ("award", "late", "slow", "clock", "clock-off", "take-back-award", "adjourn", "resume")
    ],
    *[
        Row(f"api:{action}", everybody((401, 403)), match_only("disputed"), "revoked link", "json", _claim,
            headers=link(lambda w: w.revoked))
        for action in ("report", "agree", "object", "answer")
    ],
    *[
        Row(f"api:{action}", everybody((403, 422)), match_only("disputed"), "link of another match", "json", body,
            headers=link(lambda w: w.a.someone_elses_token))
        for action, body in (
            ("report", _claim), ("agree", _sends({"version": 1})), ("object", _sends({"text": "No."})), ("answer", _sends({"coming": "coming"})),
        )
    ],
    Row("api:report", everybody(TAKEN), match_only("disputed"), "own link", "json", _claim,
        headers=link(lambda w: w.a.token(Side.A))),
    *[
        Row(f"api:{action}", statuses((401, 403), 403, 403, TAKEN, TAKEN), match_only("objected"), "", "json", _claim)
        for action in ("correct", "correct-preview")
    ],
    *[Row(f"api:{action}", everybody((401, 403, 405)), match_only("objected")) for action in ("correct", "correct-preview")],
    Row("api:club-events", statuses((401, 403), 403, 403, TAKEN, TAKEN), club, "", "json"),
    Row("api:club-events", everybody((401, 403, 405)), club),
    Row("api:copy-event", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "", "json"),
    Row("api:copy-event", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "draft", "json"),
    Row("api:copy-event", everybody((401, 403, 405)), event("running")),
    Row("api:event-series", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "", "json"),
    Row("api:event-series", everybody((401, 403, 405)), event("running")),
    Row("api:series", everybody(), lambda w: {"series": w.a.series.public_id}),
    Row("api:series", statuses((401, 403), 403, 403, TAKEN, TAKEN), lambda w: {"series": w.a.series.public_id}, "", "put", lambda _w: {}),
    Row("api:series", INSIDE_ONLY, lambda w: {"series": w.a.hidden_series.public_id}, "of drafts"),
    # Who won is told by the name of the entry, as on the pages of the event.
    Row("api:series-days", everybody(), lambda w: {"series": w.a.series.public_id}, tells=QUIET),
    Row("api:series-days", INSIDE_ONLY, lambda w: {"series": w.a.hidden_series.public_id}, "of drafts"),
    Row("api:series-table", everybody(), lambda w: {"series": w.a.series.public_id}),
    Row("api:series-table", INSIDE_ONLY, lambda w: {"series": w.a.hidden_series.public_id}, "of drafts"),
    Row("api:club-series", everybody(), club),
    Row("api:club-series", statuses((401, 403), 403, 403, TAKEN, TAKEN), club, "", "json"),
    Row("api:club-templates", statuses((401, 403), 403, 403, 200, 200), club),
    Row("api:club-templates", statuses((401, 403), 403, 403, TAKEN, TAKEN), club, "", "json"),
    *[
        row
        for name, method in (("club-template", "put"), ("use-template", "json"))
        for row in (
            Row(f"api:{name}", statuses((401, 403), 403, 403, TAKEN, TAKEN), _template_of("a"), "", method, lambda _w: {}),
            Row(f"api:{name}", statuses((401, 403), 403, 403, 404, 404), _template_of("b"), "another club's", method, lambda _w: {}),
            Row(f"api:{name}", everybody((401, 403, 405)), _template_of("a")),
        )
    ],
    Row("api:entries", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "enter", "json"),
    Row("api:entries", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "enter a draft", "json"),
    Row("api:buy-back", statuses((401, 403), 403, 403, TAKEN, TAKEN), _entry_of("running"), "", "json"),
    *[
        row
        for name in ("reinstate", "withdraw-entry")
        for row in (
            Row(f"api:{name}", statuses((401, 403), 404, 404, 409, 409), _entry_of("running"), "", "json"),
            Row(f"api:{name}", everybody((401, 403, 405)), _entry_of("running")),
        )
    ],
    Row("api:buy-back", everybody((401, 403, 405)), _entry_of("running")),
    Row("api:desk-notes", statuses((401, 403), 403, 403, 200, 200, assistant=200), event("running")),
    Row("api:desk-notes", statuses((401, 403), 404, 404, 200, 200), event("draft"), "draft"),
    Row("api:desk-notes", statuses((401, 403), 403, 403, TAKEN, TAKEN, assistant=TAKEN), event("running"), "", "json"),
    Row("api:settle-desk-note", everybody((401, 403, 405)), lambda w: {**event("running")(w), "note": "nonesuch"}),
    Row("api:settle-desk-note", statuses((401, 403), 403, 403, 404, 404, assistant=404),
        lambda w: {**event("running")(w), "note": "nonesuch"}, "no note", "json"),
    Row("api:check-ins", statuses((401, 403), 403, 403, 200, 200, assistant=200), event("running")),
    Row("api:check-ins", statuses((401, 403), 404, 404, 200, 200), event("draft"), "draft"),
    Row("api:check-ins", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "", "json"),
    Row("api:limits", everybody(), event("running")),
    Row("api:limits", everybody(), event("unlisted"), "unlisted", tells=UNLISTED),
    Row("api:limits", statuses(404, 404, 404, (200, 404), (200, 404)), event("draft"), "draft"),
    Row("api:limits", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "set", "put", lambda _w: {"division": 1}),
    Row("api:limits", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "set a draft's", "put", lambda _w: {"division": 1}),
    Row("api:entry-answers", statuses((401, 403), 404, 404, 404, 404), _entry_of("running")),
    Row("api:entry-answers", statuses((401, 403), 404, 404, 404, 404), _entry_of("running"), "set", "json", lambda _w: {"answers": []}),
    Row("api:matrix", statuses((401, 403), 403, 403, 200, 200, assistant=200), event("running")),
    Row("api:matrix", statuses((401, 403), 404, 404, 200, 200), event("draft"), "draft"),
    Row("api:matrix", statuses((401, 403), 403, 403, TAKEN, TAKEN, assistant=TAKEN), event("running"), "", "json"),
    Row("api:draw-gates", statuses((401, 403), 403, 403, 200, 200), event("running")),
    Row("api:draw-gates", statuses((401, 403), 404, 404, 200, 200), event("draft"), "draft"),
    Row("api:draw-gates", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "", "json"),
    Row("api:name-randomness", statuses((401, 403), 403, 403, 409, 409), event("running"), "", "json", lambda _w: {"due_at": "2030-01-01T10:00:00Z"}),
    Row("api:name-randomness", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "draft", "json", lambda _w: {"due_at": "2030-01-01T10:00:00Z"}),
    Row("api:name-randomness", everybody((401, 403, 405)), event("running")),
    Row("api:matrix-columns", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "", "put", lambda _w: {}),
    Row("api:matrix-columns", everybody((401, 403, 405)), event("running")),
    Row("api:matrix-undo", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "", "json"),
    Row("api:matrix-undo", everybody((401, 403, 405)), event("running")),
    Row("api:mark-here", statuses((401, 403), 403, 403, TAKEN, TAKEN, assistant=TAKEN), event("running"), "", "json"),
    Row("api:mark-here", everybody((401, 403, 405)), event("running")),
    Row("api:expected", statuses((401, 403), 403, 403, 200, 200), event("open")),
    Row("api:expected", statuses((401, 403), 404, 404, 200, 200), event("draft"), "draft"),
    Row("api:expected", statuses((401, 403), 403, 403, 200, 200), event("open"), "approve all", "json"),
    *[
        row
        for action in ("approve", "turn-away", "let-in")
        for row in (
            Row(f"api:{action}", statuses((401, 403), 403, 403, 409, 409), _entry_of("open"), "", "json"),
            Row(f"api:{action}", everybody((401, 403, 405)), _entry_of("open")),
        )
    ],
    Row("api:phones-asking", statuses((401, 403), 403, 403, 200, 200, assistant=200), event("running")),
    Row("api:phones-asking", statuses((401, 403), 404, 404, 200, 200), event("draft"), "draft"),
    Row("api:phones", statuses((401, 403), 403, 403, 200, 200, assistant=200), _entry_of("running")),
    *[
        Row(f"api:{action}", statuses((401, 403), 403, 403, (404, 409), (404, 409), assistant=(404, 409)), _phone_of(action), "", "json")
        for action in ("let-phone-in", "refuse-phone", "forget-phones")
    ],
    Row("api:results", everybody(), club),
    Row("api:results", everybody(), lambda w: {"club": w.federation.public_id}, "of a federation"),
    Row("api:results", everybody(), club, "looking for a private player", query="q=Priya"),
    Row("api:results", everybody(404), lambda _w: {"club": "nosuchclub"}, "unknown"),
    Row("api:federations", everybody(), club),
    Row("api:federations", statuses((401, 403), 403, 403, 403, 422), club, "", "json", lambda _w: {"federation": "nosuch"}),
    Row("api:leave-federation", statuses((401, 403), 403, 403, 403, 422), club, "", "json", lambda _w: {"until": "2199-01-01"}),
    Row("api:claims", statuses((401, 403), 403, 403, 200, 200), club),
    Row("api:answer-claim", statuses((401, 403), 403, 403, (404, 422), (404, 422)), lambda w: {**club(w), "claim": 7}, "", "json", lambda _w: {"accept": True}),
    Row("api:offer-player", statuses((401, 403), 403, 403, 201, 201), lambda w: {**club(w), "player": w.a.private.public_id}, "", "json"),
    Row("api:release-player", statuses((401, 403), 403, 403, 409, 409), lambda w: {**club(w), "player": w.a.private.public_id}, "", "json"),
    Row("api:offer-player", statuses((401, 403), 403, 403, 404, 404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's", "json"),
    Row("api:player-numbers", statuses((401, 403), 403, 403, 200, 200), lambda w: {**club(w), "player": w.a.private.public_id}),
    Row("api:player-numbers", statuses((401, 403), 403, 403, TAKEN, TAKEN), lambda w: {**club(w), "player": w.a.private.public_id}, "", "put", lambda _w: {}),
    Row("api:player-numbers", statuses((401, 403), 403, 403, 404, 404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's"),
    Row("account_numbers", statuses(302, *[(200, 404)] * 4)),
    Row("api:merge", statuses((401, 403), 403, 403, 422, 422), lambda w: {**club(w), "player": w.a.private.public_id}),
    Row("api:merge", statuses((401, 403), 403, 403, 400, 400), lambda w: {**club(w), "player": w.a.private.public_id}, "", "json"),
    Row(
        "api:merge", statuses((401, 403), 403, 403, 404, 404), lambda w: {**club(w), "player": w.b.private.public_id},
        "another club's", "json", lambda w: {"keep": w.a.private.public_id},
    ),
    Row("api:unmerge", statuses((401, 403), 403, 403, 404, 404), lambda w: {**club(w), "player": w.b.merged.public_id}, "another club's", "json"),
    Row("api:invitations", statuses((401, 403), 403, 403, 403, 200), club),
    Row("api:invitations", statuses((401, 403), 403, 403, 403, 201), club, "", "json", lambda _w: {"role": "reader"}),
    Row("api:withdraw-invitation", statuses((401, 403), 403, 403, 404, 404), lambda w: {**club(w), "invitation": "nosuch"}, "unknown", "json"),
    *[
        Row(f"api:{name}", statuses((401, 403), 404, 404, 404, 404), lambda _w: {}, "forged", "json", lambda _w: {"token": "forged"})
        for name in ("take-player", "accept-invitation", "decline-invitation")
    ],
    *[Row(f"api:{name}", everybody((401, 403, 405)), case="no link") for name in ("link-phone", "link-code")],
    Row("api:link-phone", everybody((200, 401)), case="own link", headers=link(lambda w: w.a.token(Side.A))),
    Row("api:link-phone", everybody((401, 403)), lambda _w: {}, "revoked", "json", headers=link(lambda w: w.revoked)),
    Row("api:link-phone", everybody(422), lambda _w: {}, "wrong code", "json", lambda _w: {"code": "1"}, headers=link(lambda w: w.a.token(Side.A))),
    Row("api:link-code", everybody((403, 409)), lambda _w: {}, "of no phone that speaks", "json", headers=link(lambda w: w.a.token(Side.A))),
    *[
        Row(f"api:{action}", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "", "json", lambda _w: {"seen": 1, "entries": ["x"]})
        for action in ("play-off", "take-back-play-off", "record-play-off", "forget-play-offs")
    ],
    Row("api:play-off", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "draft", "json", lambda _w: {"seen": 1, "entries": ["x"]}),
    Row("api:play-off", statuses((401, 403), 403, 403, 200, 200), event("league")),
    Row("api:play-off", statuses((401, 403), 404, 404, (200, 404), (200, 404)), event("draft"), "draft"),
    *[
        Row(f"api:{action}", everybody((401, 403, 405)), event("running"))
        for action in ("take-back-play-off", "record-play-off", "forget-play-offs")
    ],
    Row("api:prizes", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "set", "put", lambda _w: {"currency": "EUR"}),
    Row("api:prizes", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "set a draft's", "put", lambda _w: {"currency": "EUR"}),
    Row("api:conduct", statuses((401, 403), 403, 403, TAKEN, TAKEN), event("running"), "set", "put", lambda _w: {"division": 1}),
    Row("api:conduct", statuses((401, 403), 404, 404, TAKEN, TAKEN), event("draft"), "set a draft's", "put", lambda _w: {"division": 1}),
    Row("api:take-back-prizes", statuses((401, 403), 403, 403, 404, 404), event("running"), "", "json", lambda w: {"undo": w.b.merge.pk}),
    Row("api:take-back-prizes", statuses((401, 403), 404, 404, 404, 404), event("draft"), "draft", "json", lambda _w: {"undo": 1}),
    Row("api:undo", statuses((401, 403), 403, 403, 404, 404), event("running"), "", "json", lambda w: {"undo": w.b.merge.pk}),
    Row("api:undo", statuses((401, 403), 404, 404, 404, 404), event("draft"), "draft", "json", lambda _w: {"undo": 1}),
]  # fmt: skip

TABLES = statuses((401, 403), 403, 403, 200, 200)


def _table(world: World) -> Mapping[str, Any]:
    return {"number": world.a.table.public_id}


RATING_API = [
    Row("rating_api:lists", everybody()),
    Row("rating_api:list", everybody(), listed),
    Row("rating_api:leaderboard", everybody(), listed),
    Row("rating_api:leaderboard", everybody(), listed, "looking for a private player", query="q=Quentin"),
    Row("rating_api:official-lists", everybody(), listed),
    Row("rating_api:official-list", everybody(), lambda w: listed(w, number=1)),
    Row("rating_api:official-list", everybody(404), lambda w: listed(w, number=2), "unknown"),
    Row("rating_api:official-rows", everybody(), lambda w: listed(w, number=1)),
    Row("rating_api:change", everybody(), lambda w: listed(w, number=w.a.fact.pk)),
    Row(
        "rating_api:change", everybody(), lambda w: listed(w, number=w.a.quiet_fact.pk), "of a private player"
    ),
    Row(
        "rating_api:change",
        everybody(),
        lambda w: listed(w, number=w.a.backroom_fact.pk),
        "of an unlisted event",
    ),
    Row("rating_api:change", everybody(404), lambda w: listed(w, number=w.b.fact.pk), "another club's"),
    *[
        row
        for page in ("player", "history")
        for row in (
            Row(
                f"rating_api:{page}", everybody(), lambda w: listed(w, player_id=w.a.public_player.public_id)
            ),
            Row(
                f"rating_api:{page}",
                everybody(404),
                lambda w: listed(w, player_id=w.a.quiet.public_id),
                "private",
            ),
        )
    ],
    Row("rating_api:what-if", everybody(422), listed, "empty"),
    Row("rating_api:imports", TABLES, club),
    Row("rating_api:imports", statuses((401, 403), 403, 403, (415, 422), (415, 422)), club, "", "json"),
    Row("rating_api:import", TABLES, _table),
    *[
        Row(f"rating_api:import-{step}", statuses((401, 403), 403, 403, 409, 409), _table, "", "json")
        for step in ("check", "take", "stop")
    ],
]


def imported(w: World, **more: Any) -> Mapping[str, Any]:
    return {"batch": w.a.batch.public_id, **more}


IMPORTS = statuses(302, 404, 404, 200, 200)
GAMES = [
    Row("games:check", everybody()),
    Row("games:check", everybody(422), case="empty", method="post"),
    Row("games:held", everybody(), lambda w: {"key": w.held.key}),
    Row("games:held", everybody(404), lambda _w: {"key": "made-up"}, "unknown"),
    Row("games:positions", everybody()),
    Row("games:positions", everybody(), case="with a roll", query="xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10&play=2"),
    Row("games:positions", everybody(404), case="that is none", query="xgid=nothing"),
    Row("games:positions", everybody(422), case="empty", method="post"),
    Row("games:position", everybody(), lambda _w: {"position_id": "4HPwATDgc-ABMA"}),
    Row("games:position", everybody(404), lambda _w: {"position_id": "not-a-position"}, "unknown"),
    Row("games:xgid", everybody(), lambda _w: {"xgid": "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"}),
    Row("games:xgid", everybody(404), lambda _w: {"xgid": "not-a-position"}, "unknown"),
    Row("games:imports", statuses(302, 403, 200, 200, 200)),
    Row("games:imports", statuses(302, 403, 422, 422, 422), case="empty", method="post"),
    Row("games:import", IMPORTS, imported),
    Row("games:import-file", IMPORTS, lambda w: imported(w, position=w.a.batch.files.get().position)),
    Row("api-records:check", everybody(405)),
    Row("api-records:check", everybody((400, 422)), case="empty", method="post"),
    *[
        Row(f"records:{page}", who, lambda w, more=more, which=which: {"match": getattr(w.a, which).public_id, **more}, which)
        for page, more in (
            ("match", {}),
            ("record", {"version": 1}),
            ("original", {"version": 1}),
            ("export", {"version": 1, "code": "mat"}),
        )
        for which, who in (("disputed", everybody(404)), ("recorded", everybody()), ("reported", INSIDE_ONLY))
    ],
    *[
        Row(f"records:{page}", everybody(404), lambda w, more=more: {"match": w.a.recorded.public_id, "version": 1, "number": 1, **more}, "no copy")
        for page, more in (("copy", {}), ("copy-file", {"code": "mat"}))
    ],
    *[
        Row("records:analysed", everybody(404), lambda w, which=which: {"match": getattr(w.a, which).public_id, "version": 1}, which)
        for which in ("recorded", "reported")
    ],
]  # fmt: skip
