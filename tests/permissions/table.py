"""Every address of the site: how its arguments are filled from the world, and what each visitor gets to see.

A row says the status for each visitor and which secrets the page may tell to people from outside (an unlisted event's
page tells its name to whoever has the address). Rows of one address may be many; an address without a row fails.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.permissions.world import VISITORS, World, latest_report
from tournaments.engine.types import Side
from tournaments.links import join_token

Fill = Callable[[World], Mapping[str, Any]]
Statuses = Mapping[str, frozenset[int]]

# What an allowed visitor may get for an empty or odd form: done, shown again, moved on, refused; never a crash.
TAKEN = frozenset({200, 201, 202, 302, 400, 404, 409, 422, 429})


@dataclass(frozen=True)
class Row:
    """One visit."""

    name: str
    who: Statuses
    fill: Fill = lambda _world: {}
    case: str = ""
    method: str = "get"
    data: Fill = lambda _world: {}
    query: str = ""
    tells: frozenset[str] = frozenset()
    headers: Fill = field(default=lambda _world: {})

    @property
    def section(self) -> str:
        """The app's part of the name; sign-in and the rest go together."""
        space, colon, _name = self.name.partition(":")
        return space if colon else "site"

    @property
    def title(self) -> str:
        return " ".join(filter(None, [self.method.upper(), self.name, self.case]))


def statuses(nobody: Any, stranger: Any, other: Any, director: Any, owner: Any) -> Statuses:
    given = (nobody, stranger, other, director, owner)
    return {
        visitor: frozenset([status]) if isinstance(status, int) else frozenset(status)
        for visitor, status in zip(VISITORS, given, strict=True)
    }


def everybody(status: Any = 200) -> Statuses:
    return statuses(*[status] * 5)


def members(status: Any = 200, outside: int = 403) -> Statuses:
    """Behind a sign-in, for directors and owners of the club."""
    return statuses(302, outside, outside, status, status)


def owners(status: Any = 200) -> Statuses:
    return statuses(302, 403, 403, 403, status)


SIGNED_IN = statuses(302, 200, 200, 200, 200)
INSIDE_ONLY = statuses(404, 404, 404, 200, 200)
UNLISTED = frozenset({"unlisted event", "unlisted event's id", "private player"})


def event(which: str) -> Fill:
    return lambda world: {"event": getattr(world.a, which).event.public_id}


def club(world: World) -> Mapping[str, Any]:
    return {"club": world.a.club.public_id}


def match_of(which: str) -> Fill:
    return lambda world: {
        "event": world.a.running.event.public_id,
        "match": getattr(world.a, which).public_id,
    }


def match_only(which: str) -> Fill:
    return lambda world: {"match": getattr(world.a, which).public_id}


def listed(world: World, **more: Any) -> Mapping[str, Any]:
    return {"list_id": world.a.list.public_id, **more}


def unlisted_match(world: World) -> Mapping[str, Any]:
    return {"match": world.a.unlisted.playable()[0].public_id}


PUBLIC = [
    Row("public:home", everybody()),
    Row("public:home", everybody(), case="looked for secrets", query="q=Backroom"),
    Row("public:club", everybody(), club),
    Row("public:club", everybody(), lambda w: {"club": w.federation.public_id}, "federation"),
    Row("public:club", everybody(404), lambda _w: {"club": "nosuchclub"}, "unknown"),
    Row("public:club-players", everybody(), club),
    Row("public:club-players", everybody(), club, "looking for a private player", query="q=Priya"),
    *[
        Row(f"public:{page}", who, event(which), which, tells=tells)
        for page in ("event", "bracket", "entries")
        for which, who, tells in (
            ("running", everybody(), frozenset[str]()),
            ("finished", everybody(), frozenset[str]()),
            ("open", everybody(), frozenset[str]()),
            ("unlisted", everybody(), UNLISTED),
            ("draft", INSIDE_ONLY, frozenset[str]()),
        )
    ],
    Row("public:event", everybody(), event("running"), "hall", query="view=hall"),
    *[
        Row("public:match", everybody(), match_only(which), which)
        for which in ("disputed", "reported", "objected")
    ],
    Row("public:match", everybody(), unlisted_match, "unlisted", tells=UNLISTED),
    Row("public:match", everybody(404), lambda _w: {"match": "nosuchmatch"}, "unknown"),
    Row("public:player", everybody(), lambda w: {"player": w.a.public_player.public_id}),
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
    Row("rating:why", everybody(), lambda w: listed(w, number=w.a.fact.pk)),
    Row("rating:why", everybody(404), lambda w: listed(w, number=w.b.fact.pk), "another club's fact"),
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


def _token_only(fill: Fill) -> Fill:
    return lambda w: {"token": fill(w)["token"]}


AGREEMENT = {"version": "1", "submission_key": "k-1"}
PLAYER = [
    Row("player:home", everybody(), _token_only(mine(Side.B))),
    Row("player:home", everybody(404), _token_only(revoked()), "revoked"),
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
    Row("player:object", everybody(302), mine(Side.B), "not confirmed"),
    Row("player:object", everybody(), mine(Side.A, "objected")),
    Row("player:object", everybody(404), theirs("objected"), "another match"),
    Row("player:object", everybody(404), revoked("objected"), "revoked", "post", lambda _w: {"text": "No."}),
    Row(
        "player:object", everybody(403), theirs("objected"), "another match", "post", lambda _w: {"text": "No."},

    ),
    Row("player:object", everybody(422), mine(Side.A, "objected"), "empty", "post"),
    Row("player:join", everybody(), lambda w: {"token": join_token(w.a.open.event)}),
    Row("player:join", everybody(404), lambda _w: {"token": "forged-1.xxxxxxx"}, "forged"),
    Row("player:join", everybody(), lambda w: {"token": join_token(w.a.draft.event)}, "draft", tells=frozenset({"draft", "draft's id"})),
    Row(
        "player:join", everybody(302), lambda w: {"token": join_token(w.a.open.event)}, "part of a private name", "post",
        lambda _w: {"name": "Priya", "submission_key": "k"},
    ),
]  # fmt: skip

PEOPLE = [
    Row("people:clubs", SIGNED_IN),
    Row("people:club", members(302), club),
    Row("people:settings", owners(), club),
    Row("people:settings", owners(TAKEN), club, "empty", "post"),
    Row("people:federation", everybody(405), club),
    Row("people:federation", owners(TAKEN), club, "", "post"),
    Row("people:members", owners(), club),
    Row("people:members", owners(TAKEN), club, "unknown address", "post", lambda _w: {"email": "x@example.org", "role": "director"}),
    Row("people:change-role", everybody(405), club),
    Row("people:change-role", owners(TAKEN), club, "", "post", lambda _w: {"member": "999999", "role": "owner"}),
    Row("people:remove-member", everybody(405), club),
    Row("people:remove-member", owners(TAKEN), club, "", "post", lambda _w: {"member": "999999"}),
    Row("people:players", members(), club),
    Row("people:players", members(), club, "looked for", query="q=priya"),
    Row("people:player", members(), lambda w: {**club(w), "player": w.a.public_player.public_id}),
    Row("people:player", members(), lambda w: {**club(w), "player": w.a.private.public_id}, "private"),
    Row("people:player", members(404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's"),
    Row(
        "people:player", members(404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's", "post",
        lambda _w: {"name": "Mine now"},
    ),
    Row("people:player", members(TAKEN), lambda w: {**club(w), "player": w.a.private.public_id}, "empty", "post"),
    Row("people:audit", members(), club),
]  # fmt: skip


def _deed(fill: Fill, deed: str) -> Fill:
    return lambda w: {**fill(w), "deed": deed}


_PAGES = (
    "event",
    "settings",
    "entries",
    "paste",
    "seeds",
    "draw",
    "board",
    "links",
    "sheet",
    "audit",
)
_DEEDS = (
    "open",
    "close",
    "add-entry",
    "withdraw",
    "return",
    "registration",
    "make-draw",
    "revoke",
)
_MATCH_DEEDS = ("result", "decide", "correct", "settle", "table")
_EVENTS = ("running", "finished", "unlisted", "open", "draft")


def _inside(which: str, status: Any = 200) -> Statuses:
    return members(status, outside=404 if which == "draft" else 403)


DIRECTOR = [
    Row("director:home", SIGNED_IN),
    Row("director:club-new", SIGNED_IN),
    Row("director:club-new", statuses(302, TAKEN, TAKEN, TAKEN, TAKEN), method="post"),
    Row("director:club", members(), club),
    Row("director:event-new", members(), club),
    Row("director:event-new", members(TAKEN), club, "empty", "post"),
    Row("director:duplicates", members(), club),
    Row("director:merge", members(404), club, "nothing chosen"),
    Row("director:merge", members(404), club, "another club's private player", query="duplicate=PRIVATE_B"),
    Row(
        "director:merge", members(404), club, "with another club's private player", "post",
        lambda w: {"duplicate": w.a.private.public_id, "keep": w.b.private.public_id},
    ),
    Row("director:undo-merge", everybody(405), club),
    Row("director:undo-merge", members(404), club, "another club's", "post", lambda w: {"merge": str(w.b.merge.pk)}),
    Row("director:undo-merge", members(TAKEN), club, "", "post", lambda w: {"merge": str(w.a.merge.pk)}),
    *[Row(f"director:{page}", _inside(which), event(which), which) for page in _PAGES for which in _EVENTS],
    *[
        Row(f"director:{page}", _inside(which, (200, 302)), event(which), which)
        for page in ("cancel", "restore")
        for which in _EVENTS
    ],
    *[Row(f"director:{deed}", everybody(405), event("draft")) for deed in _DEEDS],
    *[
        Row(f"director:{deed}", _inside(which, TAKEN), event(which), which, "post")
        for deed in ("cancel", "restore", "settings", "paste", "seeds", *_DEEDS)
        for which in ("running", "draft")
    ],
    Row("director:players-json", members(), event("running"), query="q=an"),
    Row("director:players-json", members(), event("running"), "private players", query="q=priya"),
    *[
        Row("director:change-draw", _inside(which, TAKEN), _deed(event(which), deed), f"{deed} {which}", "post")
        for deed in ("publish", "discard", "take-back", "nonsense")
        for which in ("running", "draft")
    ],
    Row("director:change-draw", everybody(405), _deed(event("draft"), "publish")),
    *[Row("director:match", members(), match_of(which), which) for which in ("disputed", "reported", "objected")],
    Row(
        "director:match", members(404),
        lambda w: {"event": w.a.running.event.public_id, "match": w.b.disputed.public_id}, "another club's",
    ),
    Row(
        "director:result", members(404),
        lambda w: {"event": w.a.running.event.public_id, "match": w.b.disputed.public_id}, "another club's", "post",
    ),
    *[Row(f"director:{deed}", everybody(405), match_of("disputed")) for deed in _MATCH_DEEDS],
    *[
        Row(f"director:{deed}", members(TAKEN), match_of(which), which, "post")
        for deed in _MATCH_DEEDS
        for which in ("disputed", "objected")
    ],
    Row(
        "director:decide", members(302), match_of("disputed"), "for one side", "post",
        lambda w: {"version": str(latest_report(w.a.disputed).version), "submission_key": "k-2"},
    ),
    Row("director:match-act", everybody(405), _deed(match_of("disputed"), "call")),
    *[
        Row("director:match-act", members(TAKEN), _deed(match_of("disputed"), deed), deed, "post")
        for deed in ("call", "start", "send-back", "nonsense")
    ],
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
]  # fmt: skip


def link(fill: Callable[[World], str]) -> Fill:
    return lambda w: {"Authorization": f"Link {fill(w)}"}


def _claim(_world: World) -> Mapping[str, Any]:
    return {"score_a": 5, "score_b": 2, "kind": "played", "submission_key": "api-1"}


API = [
    Row("api:events", everybody()),
    *[
        Row(f"api:{page}", who, event(which), which, tells=tells)
        for page in ("event", "bracket", "matches", "entries")
        for which, who, tells in (
            ("running", everybody(), frozenset[str]()),
            ("unlisted", everybody(), UNLISTED),
            ("draft", statuses(404, 404, 404, (200, 404), (200, 404)), frozenset[str]()),
        )
    ],
    *[Row("api:match", everybody(), match_only(which), which) for which in ("disputed", "reported", "objected")],
    Row("api:match", everybody(), unlisted_match, "unlisted", tells=UNLISTED),
    Row("api:clubs", everybody()),
    Row("api:club", everybody(), club),
    Row("api:players", everybody()),
    Row("api:players", everybody(), case="looking for a private player", query="q=Priya"),
    Row("api:player", everybody(), lambda w: {"player": w.a.public_player.public_id}),
    Row("api:player", statuses(404, 404, 404, (200, 404), (200, 404)), lambda w: {"player": w.a.private.public_id}, "private"),
    *[
        Row(f"api:{deed}", everybody((401, 403, 405)), match_only("disputed"))
        for deed in ("report", "agree", "object")
    ],
    Row("api:report", statuses((401, 403), 403, 403, (201, 409), (201, 409)), match_only("disputed"), "", "json", _claim),
    *[
        Row(f"api:{deed}", everybody((401, 403)), match_only("disputed"), "revoked link", "json", _claim,
            headers=link(lambda w: w.revoked))
        for deed in ("report", "agree", "object")
    ],
    *[
        Row(f"api:{deed}", everybody((403, 422)), match_only("disputed"), "link of another match", "json",
            lambda w: {**_claim(w), "version": 1, "text": "No."}, headers=link(lambda w: w.a.someone_elses_token))
        for deed in ("report", "agree", "object")
    ],
    Row("api:report", everybody(TAKEN), match_only("disputed"), "own link", "json", _claim,
        headers=link(lambda w: w.a.token(Side.A))),
]  # fmt: skip

TABLE: list[Row] = [*PUBLIC, *RATING, *PLAYER, *PEOPLE, *DIRECTOR, *ACCOUNT, *API]
