"""The operators' addresses: for staff alone; and the report of a page, for everybody."""

from typing import Any

from tests.permissions.rows import TAKEN, Fill, Row, everybody, statuses

NOBODYS = statuses(302, 403, 403, 403, 403)


def _about(kind: str, of: Any) -> Fill:
    return lambda world: {"kind": kind, "key": of(world)}


_EVENT = _about("event", lambda world: world.a.running.event.public_id)
_CLUB = _about("club", lambda world: world.a.club.public_id)
_OWNER = _about("account", lambda world: str(world.a.owner.pk))

OPERATORS = [
    Row("operators:home", NOBODYS),
    Row("operators:home", NOBODYS, case="looking", query="q=example.org"),
    Row("operators:trail", NOBODYS),
    Row("operators:reports", NOBODYS),
    Row("operators:merge", NOBODYS),
    Row("operators:merge", NOBODYS, case="sent", method="post"),
    Row("operators:undo-merge", everybody(302)),
    Row("operators:undo-merge", NOBODYS, case="sent", method="post"),
    Row("operators:answer", everybody(302), lambda _w: {"report": "nosuchreport"}),
    Row("operators:answer", NOBODYS, lambda _w: {"report": "nosuchreport"}, "sent", "post"),
    Row("operators:about", NOBODYS, _EVENT),
    Row("operators:about", NOBODYS, _OWNER, "an account"),
    Row("operators:about", NOBODYS, lambda _w: {"kind": "event", "key": "nosuchevent"}, "unknown"),
    Row("operators:act", everybody(302), _EVENT),
    Row("operators:act", NOBODYS, _EVENT, "sent", "post", lambda _w: {"action": "removed", "reason": "mine"}),
    Row("operators:act", NOBODYS, _OWNER, "an account", "post", lambda _w: {"action": "suspend", "reason": "x"}),
    Row("operators:quota", everybody(302), _CLUB),
    Row("operators:quota", NOBODYS, _CLUB, "sent", "post", lambda _w: {"quota": "lists", "amount": "99"}),
    Row("report-page", everybody(), query="page=/"),
    Row("report-page", everybody(422), case="of no page", query="page=https://example.org/"),
    Row("report-page", everybody(TAKEN), case="sent", method="post", data=lambda _w: {"page": "/", "text": "Why"}),
]  # fmt: skip
