"""What lies behind a sign-in: clubs, events and ledgers of those who run them."""

from typing import Any

from tests.permissions.rows import (
    QUIET,
    SIGNED_IN,
    TAKEN,
    UNLISTED,
    Fill,
    Row,
    Statuses,
    at_desk,
    club,
    event,
    everybody,
    listed,
    match_of,
    members,
    owners,
    statuses,
)
from tests.permissions.world import latest_report
from tournaments.selectors.columns import custom_fields_version


def _invitation(whose: str = "a") -> Fill:
    """An invitation of a club, or one that it has not."""
    return lambda w: {
        **club(w),
        "invitation": w.a.invited.invitation.public_id if whose == "a" else "nosuchone",
    }


PEOPLE = [
    Row("people:clubs", SIGNED_IN),
    Row("people:club", members(302), club),
    Row("people:settings", owners(), club),
    Row("people:settings", owners(TAKEN), club, "empty", "post"),
    Row("people:federation", everybody(302), club),
    Row("people:federation", owners(TAKEN), club, "", "post"),
    Row("people:members", owners(), club),
    Row("people:leave", everybody(302), club),
    Row("people:leave", statuses(302, 404, 404, 302, 409, reader=302), club, "", "post"),
    Row("director:invite", owners(), club),
    Row("director:invite", owners(TAKEN), club, "unknown address", "post", lambda _w: {"email": "x@example.org", "role": "director"}),
    Row("director:withdraw-invitation", everybody(302), _invitation()),
    Row("director:withdraw-invitation", statuses(302, 403, 403, 403, 302), _invitation(), "", "post"),
    Row("director:withdraw-invitation", statuses(302, 403, 403, 404, 404), _invitation("b"), "another club's", "post"),
    Row("people:change-role", everybody(302), club),
    Row("people:change-role", owners(TAKEN), club, "", "post", lambda _w: {"member": "999999", "role": "owner"}),
    Row("people:remove-member", everybody(302), club),
    Row("people:remove-member", owners(TAKEN), club, "", "post", lambda _w: {"member": "999999"}),
    Row("people:players", members(), club),
    Row("people:players", members(), club, "looked for", query="q=priya"),
    Row("people:player", members(), lambda w: {**club(w), "player": w.a.public_player.public_id}),
    Row("people:player", members(), lambda w: {**club(w), "player": w.a.private.public_id}, "private"),
    Row("director:offer-claim", everybody(302), lambda w: {**club(w), "player": w.a.private.public_id}),
    Row("director:offer-claim", members(), lambda w: {**club(w), "player": w.a.private.public_id}, "of the club", "post"),
    Row("director:offer-claim", members(404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's", "post"),
    Row("director:release-player", everybody(302), lambda w: {**club(w), "player": w.a.private.public_id}),
    Row("director:release-player", members(409), lambda w: {**club(w), "player": w.a.private.public_id}, "without an account", "post"),
    Row("director:release-player", members(404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's", "post"),
    Row("director:answer-claim", everybody(302), club),
    Row("director:answer-claim", members(404), club, "nobody asks", "post"),
    Row("people:numbers", members(), lambda w: {**club(w), "player": w.a.private.public_id}),
    Row("people:numbers", members(404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's"),
    Row(
        "people:numbers", members(422), lambda w: {**club(w), "player": w.a.private.public_id}, "odd", "post",
        lambda _w: {"federation-1": "\0", "number-1": "7", "source-1": "x", "value-1": "nan", "on-1": "x"},
    ),
    Row("people:player", members(404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's"),
    Row(
        "people:player", members(404), lambda w: {**club(w), "player": w.b.private.public_id}, "another club's", "post",
        lambda _w: {"name": "Mine now"},
    ),
    Row("people:player", members(TAKEN), lambda w: {**club(w), "player": w.a.private.public_id}, "empty", "post"),
    Row("people:audit", members(), club),
]  # fmt: skip


def _action(fill: Fill, action: str) -> Fill:
    return lambda w: {**fill(w), "action": action}


_PAGES = (
    "event",
    "settings",
    "again",
    "days",
    "entries",
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
    "audit",
    "helpers",
    "expected",
    "at-desk",
)
_ACTIONS = (
    "open",
    "close",
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
)
_MATCH_ACTIONS = (
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
)
_PARTS = ("division", "stage-new", "stage")
_EVENTS = ("running", "finished", "unlisted", "open", "draft")


def _part_of(which: str, part: str) -> Fill:
    """The division of an event, or its stage, or one of its entries."""
    return lambda w: {
        **event(which)(w),
        **{
            "entry": {"entry": getattr(w.a, which).division.entries.first().public_id},
            "stage": {"stage": getattr(w.a, which).stage.pk},
        }.get(part.removeprefix("remove-"), {"division": getattr(w.a, which).division.pk}),
    }


def _section(which: str, section: str) -> Fill:
    return lambda w: {**event(which)(w), "section": section}


def _notice(whose: str = "a", **more: str) -> Fill:
    """An announcement of a club; of another one it does not exist in this event."""
    return lambda w: {**event("running")(w), "notice": getattr(w, whose).notice.public_id, **more}


def _printed(which: str) -> Fill:
    return lambda w: {**event(which)(w), "kind": "draw"}


def _inside(which: str, status: Any = 200, page: str = "") -> Statuses:
    if which == "running" and page in _AT_DESK:
        return at_desk(status)
    return members(status, outside=404 if which == "draft" else 403)


# What those who help with the running event may do there.
_AT_DESK = {
    "at-desk",
    "set-aside",
    "expected",
    "approve-entries",
    "undo-entries",
    "turn-away",
    "phones",
    "board",
    "line",
    "line-help",
    "call",
    "table-use",
    "result",
    "decide",
    "table",
    "act",
}


def _of_report(which: str) -> Fill:
    return lambda w: {**match_of(which)(w), "version": 1}


def _series_of(whose: str) -> Fill:
    return lambda w: {**club(w), "series": getattr(w, whose).series.public_id}


def _template_of(whose: str) -> Fill:
    return lambda w: {**club(w), "template": getattr(w, whose).template.public_id}


def _stage_of_template(whose: str) -> Fill:
    return lambda w: {**_template_of(whose)(w), "division": 1, "number": 1}


DIRECTOR = [
    Row("director:home", SIGNED_IN),
    Row("director:notice-texts", SIGNED_IN),
    Row("director:club-new", SIGNED_IN),
    Row("director:club-new", statuses(302, TAKEN, TAKEN, TAKEN, TAKEN), method="post"),
    Row("director:club", members(), club),
    Row("director:club-results", members(), club),
    Row("director:club-results", members(422), club, "nonsense", query="since=2026-13-01"),
    Row("director:club-results-csv", members(), club),
    Row("director:event-new", members(), club),
    Row("director:event-new", members(TAKEN), club, "empty", "post"),
    Row("director:series", members(), club),
    Row("director:series", members(TAKEN), club, "empty", "post"),
    *[
        row
        for name, own in (("one-series", _series_of), ("template", _template_of), ("use-template", _template_of), ("template-stage", _stage_of_template))
        for row in (
            Row(f"director:{name}", members(), own("a")),
            Row(f"director:{name}", members(TAKEN), own("a"), "empty", "post"),
            Row(f"director:{name}", members(404), own("b"), "another club's"),
        )
    ],
    Row("director:event-series", members(404), event("running"), "another club's", "post", lambda w: {"series": w.b.series.public_id}),
    Row("director:save-template", members(404), event("running"), "over another club's", "post", lambda w: {"over": w.b.template.public_id}),
    Row("director:duplicates", members(), club),
    Row("director:merge", members(404), club, "nothing chosen"),
    Row("director:merge", members(404), club, "another club's private player", query="duplicate=PRIVATE_B"),
    Row(
        "director:merge", members(404), club, "with another club's private player", "post",
        lambda w: {"duplicate": w.a.private.public_id, "keep": w.b.private.public_id},
    ),
    Row("director:consents", members(), club),
    Row("director:consent", everybody(302), club),
    Row("director:consent", members(302), club, "", "post", lambda w: {"club": w.b.club.public_id}),
    Row("director:consent", members(404), club, "no such club", "post", lambda _w: {"club": "nosuchone"}),
    Row("director:answer-merge", everybody(302), lambda w: {**club(w), "asked": "nosuchone"}),
    Row("director:answer-merge", members(404), lambda w: {**club(w), "asked": "nosuchone"}, "no such request", "post"),
    Row("director:undo-merge", everybody(302), club),
    Row("director:undo-merge", members(404), club, "another club's", "post", lambda w: {"merge": str(w.b.merge.pk)}),
    Row("director:undo-merge", members(TAKEN), club, "", "post", lambda w: {"merge": str(w.a.merge.pk)}),
    *[Row(f"director:{page}", _inside(which, page=page), event(which), which) for page in _PAGES for which in _EVENTS],
    *[
        Row("director:agreements", statuses(302, 403, 403, 200, 200, assistant=helper, reader=200), event(which), which, tells=tells)
        for which, helper, tells in (
            ("running", 200, frozenset[str]()),
            ("finished", 403, QUIET),
            ("unlisted", 403, UNLISTED),
            ("open", 403, frozenset[str]()),
        )
    ],
    Row("director:agreements", members(outside=404), event("draft"), "draft"),
    *[
        Row("director:paper", _inside(which), _printed(which), which)
        for which in _EVENTS
    ],
    *[
        Row("director:settings-section", _inside(which), _section(which, section), f"{which} {section}")
        for section in ("schedule", "registration", "visibility", "notifications")
        for which in ("running", "draft")
    ],
    *[
        Row("director:settings-section", _inside(which, TAKEN), _section(which, "schedule"), f"{which} sent", "post")
        for which in ("running", "draft")
    ],
    *[Row("bundles:event", _inside(which), event(which), which) for which in ("running", "draft")],
    *[
        Row(f"director:{page}", _inside(which, (200, 302)), event(which), which)
        for page in ("cancel", "restore", "rules")
        for which in _EVENTS
    ],
    *[Row(f"director:{action}", everybody(302), event("draft")) for action in _ACTIONS],
    *[
        Row(f"director:{action}", _inside(which, TAKEN, action), event(which), which, "post")
        for action in ("cancel", "restore", "settings", "again", "days", "paste", "seeds", *_ACTIONS)
        for which in ("running", "draft")
    ],
    Row("director:event-new", members(), club, "a kind", query="template=weekend"),
    Row("director:event-new", members(404), club, "no such kind", query="template=quiz"),
    *[
        Row(f"director:{part}", _inside(which, (200, 302)), _part_of(which, part), which)
        for part in (*_PARTS, "entry")
        for which in ("running", "open")
    ],
    *[
        Row(f"director:{part}", _inside(which, TAKEN), _part_of(which, part), f"empty {which}", "post")
        for part in (*_PARTS, "entry", "change-division", "remove-stage")
        for which in ("running", "open")
    ],
    *[
        Row(f"director:{page}", _inside(which, status), _part_of(which, "entry"), f"{method} {which}", method)
        for page in ("leave", "wrong-player")
        for which in ("running", "unlisted", "draft")
        for method, status in (("get", 200), ("post", TAKEN))
    ],
    *[
        Row(
            f"director:{page}", members(404),
            lambda w: {**event("running")(w), "entry": w.b.running.division.entries.first().public_id}, "another club's",
        )
        for page in ("leave", "wrong-player")
    ],
    *[Row("director:notices", _inside(which, TAKEN), event(which), f"empty {which}", "post") for which in ("running", "draft")],
    Row("director:notice", members(), _notice()),
    Row("director:notice", members(TAKEN), _notice(), "empty", "post"),
    Row("director:notice", members(404), _notice("b"), "another club's"),
    Row("director:notice-act", everybody(302), _notice(action="withdraw")),
    *[
        Row("director:notice-act", members(TAKEN), _notice(action=action), action, "post")
        for action in ("withdraw", "show-again", "nonsense")
    ],
    Row("director:notice-act", members(404), _notice("b", action="withdraw"), "another club's", "post"),
    *[Row("director:late-entry", _inside(which), event(which), which) for which in _EVENTS],
    *[Row("director:late-entry", _inside(which, TAKEN), event(which), f"empty {which}", "post") for which in ("running", "draft")],
    Row("director:record-copies", at_desk(), _of_report("reported")),
    Row("director:record-copies", at_desk(404), _of_report("disputed"), "no record came"),
    Row("director:record-copies", at_desk((302, 409)), _of_report("reported"), "nothing proposed", "post"),
    Row("director:record-copy", at_desk(404), lambda w: {**_of_report("reported")(w), "number": 1}, "no copy"),
    *[Row("director:match-length", members(), match_of(which), which) for which in ("disputed", "objected")],
    *[Row("director:match-length", members(TAKEN), match_of(which), f"empty {which}", "post") for which in ("disputed", "objected")],
    Row(
        "director:match-length", members(404),
        lambda w: {"event": w.a.running.event.public_id, "match": w.b.disputed.public_id}, "another club's",
    ),
    *[Row("director:prizes", _inside(which, TAKEN), event(which), f"empty {which}", "post") for which in ("running", "finished", "draft")],
    Row("director:take-back-prizes", everybody(302), lambda w: {**event("running")(w), "change": 1}),
    Row("director:take-back-prizes", members(404), lambda w: {**event("running")(w), "change": w.b.merge.pk}, "no change", "post"),
    Row("director:undo-repair", everybody(302), lambda w: {**event("running")(w), "repair": 1}),
    Row("director:undo-repair", members(404), lambda w: {**event("running")(w), "repair": w.b.merge.pk}, "no repair", "post"),
    Row("director:division-new", _inside("draft", TAKEN), event("draft"), "empty", "post"),
    *[Row(f"director:{part}", everybody(302), _part_of("open", part)) for part in ("change-division", "remove-stage")],
    Row(
        "director:entry", members(404),
        lambda w: {**event("running")(w), "entry": w.b.running.division.entries.first().public_id}, "another club's",
    ),
    Row(
        "director:division", members(404),
        lambda w: {**event("running")(w), "division": w.b.running.division.pk}, "another club's",
    ),
    Row("director:players-json", members(), event("running"), query="q=an"),
    Row("director:players-json", members(), event("running"), "private players", query="q=priya"),
    *[
        Row("director:change-draw", _inside(which, TAKEN), _action(event(which), action), f"{action} {which}", "post")
        for action in ("publish", "discard", "take-back", "nonsense")
        for which in ("running", "draft")
    ],
    Row("director:change-draw", everybody(302), _action(event("draft"), "publish")),
    *[Row(f"director:{page}", members(), event("points"), "points") for page in _PAGES],
    Row("director:money", members(), event("points")),
    Row("director:money", members(404), event("running"), "no money"),
    Row("director:money", members(TAKEN), event("points"), "empty", "post"),
    Row("director:change-money", everybody(302), _action(event("points"), "finish")),
    *[
        Row("director:change-money", members(TAKEN), _action(event("points"), action), action, "post")
        for action in ("open", "take-back", "finish", "reopen", "strike", "restore", "settings", "nonsense")
    ],
    *[
        row
        for page in ("season", "unplayed", "next-season")
        for row in (
            Row(f"director:{page}", members(), event("league")),
            Row(f"director:{page}", members(TAKEN), event("league"), "empty", "post"),
            Row(f"director:{page}", members(404), event("running"), "no league"),
            Row(f"director:{page}", members(404, outside=404), event("draft"), "draft"),
        )
    ],
    Row("director:at-desk", at_desk(TAKEN), event("running"), "empty", "post"),
    *[Row("director:quiz", members(status), event(which), f"{do} {which}", "post", lambda _w, do=do: {"do": do, "position": "\0"})
      for do, which, status in (("show", "running", 409), ("show", "finished", 409), ("hide", "finished", 302), ("out", "finished", 404), ("\0", "finished", 404))],
    *[
        Row("director:analyses", members(status), event("running"), f"{do}", "post", lambda _w, do=do: {"do": do})
        for do, status in (("ask", TAKEN), ("call-off", 302), ("\0", 404))
    ],
    Row("director:settle-note", everybody(302), lambda w: {**event("running")(w), "note": "nonesuch"}),
    Row("director:settle-note", at_desk(404), lambda w: {**event("running")(w), "note": "nonesuch"}, "no note", "post"),
    *[Row("director:match", at_desk(), match_of(which), which) for which in ("disputed", "reported", "objected")],
    Row(
        "director:match", at_desk(404),
        lambda w: {"event": w.a.running.event.public_id, "match": w.b.disputed.public_id}, "another club's",
    ),
    Row(
        "director:result", at_desk(404),
        lambda w: {"event": w.a.running.event.public_id, "match": w.b.disputed.public_id}, "another club's", "post",
    ),
    Row("director:how-long", members(), event("running")),
    Row("director:how-long", members(), event("running"), "the answer alone", query="answer=1"),
    Row("director:how-long", members(), event("running"), "worked out", "post"),
    Row("director:how-long", members(TAKEN), event("running"), "nonsense", "post", lambda _w: {"tables": "many"}),
    Row("director:how-long", members(outside=404), event("draft"), "draft"),
    Row("director:conduct", members(), lambda w: {**event("running")(w), "stage": str(w.a.running.stage.pk)}),
    Row("director:conduct", members(TAKEN), lambda w: {**event("running")(w), "stage": str(w.a.running.stage.pk)}, "empty", "post"),
    Row("director:conduct", members(404), lambda w: {**event("running")(w), "stage": str(w.b.disputed.stage_id)}, "another club's stage"),
    *[Row(f"director:{action}", everybody(302), match_of("disputed")) for action in _MATCH_ACTIONS],
    *[
        Row(f"director:{action}", _inside("running", TAKEN, action), match_of(which), which, "post")
        for action in _MATCH_ACTIONS
        for which in ("disputed", "objected")
    ],
    Row(
        "director:decide", at_desk(302), match_of("disputed"), "for one side", "post",
        lambda w: {"version": str(latest_report(w.a.disputed).version), "submission_key": "k-2"},
    ),
    Row("director:decide", at_desk(TAKEN), match_of("disputed"), "odd key", "post", lambda _w: {"version": "1", "submission_key": "\0"}),
    Row("director:matrix", at_desk(), event("running")),
    Row("director:matrix", members(outside=404), event("draft"), "draft", query="q=a&page=99"),
    Row("director:columns", members(), event("running")),
    Row("director:columns", members(outside=404), event("draft"), "draft"),
    Row("director:columns", members(422), event("open"), "odd", "post",
        lambda w: {"name-1": "a" * 300, "kind-1": "x", "pk-1": "9" * 30, "seen": custom_fields_version(w.a.open.event)}),
    Row("director:columns", members(422), event("open"), "odd day", "post", lambda _w: {"until": "9999-99-99T99:99"}),
    Row("director:matrix", at_desk(), event("running"), "proposed", query="propose=yes"),
    Row("director:matrix-save", everybody(302), event("running")),
    Row("director:matrix-save", at_desk(400), event("running"), "odd row", "post", lambda _w: {"row": "x:y:z:1=in"}),
    Row("director:matrix-save", members(422), event("open"), "ticks and no name", "post", lambda _w: {"new": "1", "name": "\0"}),
    Row("director:matrix-undo", everybody(302), event("running")),
    Row("director:matrix-undo", members(404), event("running"), "odd number", "post", lambda _w: {"save": "9" * 30}),
    Row("director:check-in", at_desk(), event("running")),
    Row("director:check-in", members(), event("open"), "open"),
    Row("director:check-in", members(outside=404), event("draft"), "draft"),
    Row("director:check-in", at_desk(404), event("running"), "odd division", query="division=0&day=2026-13-99"),
    Row("director:check-in-act", everybody(302), lambda w: {**event("running")(w), "action": "here"}),
    *[
        Row("director:check-in-act", at_desk(status), _action(event("running"), action), action, "post", lambda _w, fields=fields: fields)
        for action, status, fields in (
            ("here", 422, {}), ("not-here", 404, {"entry": "nosuchone"}), ("code", 422, {"code": "\0"}), ("undo", 404, {"row": "9" * 30}),
            ("rest", 422, {"listed": "nosuchone"}), ("nonsense", 404, {}), ("set", 422, {"day": "x", "opens": "99"}),
        )
    ],
    *[
        Row("director:check-in-act", members(status), _action(event("running"), action), action, "post", lambda _w, fields=fields: fields)
        for action, status, fields in (
            ("close", 404, {}), ("remove", 404, {}), ("leave-out", 409, {"stage": "1", "absent": "nosuchone"}),
        )
    ],
    Row("director:match-act", everybody(302), _action(match_of("disputed"), "call")),
    *[
        Row("director:match-act", at_desk(TAKEN), _action(match_of("disputed"), action), action, "post")
        for action in ("call", "start", "send-back", "nonsense")
    ],
]  # fmt: skip

_LEDGER_PAGES = (
    "list",
    "settings",
    "formulas",
    "official",
    "import-openings",
    "ledger",
    "ledger-csv",
    "ledger-json",
)
LEDGER = [
    Row("rating_director:home", members(), club),
    Row("rating_director:new", members(), club),
    Row("rating_director:new", members(TAKEN), club, "empty", "post"),
    Row("rating_director:import-results", members(), club),
    Row("rating_director:import-results", members(TAKEN), club, "empty", "post"),
    Row("rating_director:import", members(), lambda w: {**club(w), "number": w.a.table.public_id}),
    Row(
        "rating_director:import",
        members(302),
        lambda w: {**club(w), "number": w.a.table.public_id},
        "over",
        "post",
    ),
    Row(
        "rating_director:import",
        members(404),
        lambda w: {**club(w), "number": w.b.table.public_id},
        "another club's",
    ),
    *[Row(f"rating_director:{page}", members(), listed) for page in _LEDGER_PAGES],
    *[
        Row(f"rating_director:{action}", members(TAKEN), listed, "empty", "post")
        for action in ("settings", "official", "rebuild", "stop", "check", "archive", "import-openings")
    ],
    *[
        Row(f"rating_director:{action}", everybody(302), listed)
        for action in ("rebuild", "stop", "check", "archive")
    ],
    Row("rating_director:correct", members(), lambda w: listed(w, number=w.a.fact.pk)),
    Row("rating_director:correct", members(TAKEN), lambda w: listed(w, number=w.a.fact.pk), "empty", "post"),
    Row("rating_director:correct", members(404), lambda w: listed(w, number=w.b.fact.pk), "another club's"),
    Row("rating_director:void", everybody(302), lambda w: listed(w, number=w.a.fact.pk)),
    Row(
        "rating_director:void",
        members(404),
        lambda w: listed(w, number=w.b.fact.pk),
        "another club's",
        "post",
    ),
    Row("rating_director:void", members(TAKEN), lambda w: listed(w, number=w.a.fact.pk), "", "post"),
]
