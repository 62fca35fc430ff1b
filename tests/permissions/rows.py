"""The words in which the table of addresses is written.

A row says the status for each visitor and which secrets the page may tell to people from outside (an unlisted event's
page tells its name to whoever has the address). Rows of one address may be many; an address without a row fails.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.permissions.world import LIKE_NOBODY, LIKE_STRANGERS, VISITORS, World

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
    def title(self) -> str:
        return " ".join(filter(None, [self.method.upper(), self.name, self.case]))


def statuses(nobody: Any, stranger: Any, other: Any, director: Any, owner: Any, **more: Any) -> Statuses:
    """``more``: those of assistant, reader, former member and player where they get something else than a stranger.

    Who is suspended gets what nobody gets, always.
    """
    given = dict(zip(VISITORS, (nobody, stranger, other, director, owner), strict=False))
    given |= {visitor: more.get(visitor, stranger) for visitor in LIKE_STRANGERS}
    given |= dict.fromkeys(LIKE_NOBODY, nobody)
    return {
        visitor: frozenset([status]) if isinstance(status, int) else frozenset(status)
        for visitor, status in given.items()
    }


def everybody(status: Any = 200) -> Statuses:
    return statuses(*[status] * 5)


def members(status: Any = 200, outside: int = 403) -> Statuses:
    """Behind a sign-in, for directors and owners of the club."""
    return statuses(302, outside, outside, status, status)


def at_desk(status: Any = 200, outside: int = 403) -> Statuses:
    """As `members`, for who helps with the running event, too."""
    return statuses(302, outside, outside, status, status, assistant=status)


def owners(status: Any = 200) -> Statuses:
    return statuses(302, 403, 403, 403, status)


SIGNED_IN = statuses(302, 200, 200, 200, 200)
INSIDE_ONLY = statuses(404, 404, 404, 200, 200)
INSIDE_302 = statuses(404, 404, 404, 302, 302)
QUIET = frozenset({"quiet player"})
UNLISTED = frozenset({"unlisted event", "unlisted event's id", "private player"})


def event(which: str) -> Fill:
    return lambda world: {"event": getattr(world.a, which).event.public_id}


def way_of(which: str) -> Fill:
    def found(world: World) -> Mapping[str, Any]:
        tournament = getattr(world.a, which)
        return {
            "event": tournament.event.public_id,
            "entry": tournament.division.entries.order_by("pk")[0].public_id,
        }

    return found


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
