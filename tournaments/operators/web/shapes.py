"""How things stand on operators' pages: names, addresses, what a deed comes to, and which actions there are."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.models import Club, User
from people.web.operators import QUOTA_NAMES, STATES, kind_name
from tournaments.selectors.operators.lists import numbers_of
from tournaments.selectors.operators.quotas import quota_use
from tournaments.selectors.operators.subjects import TEXTS, Subject

_PAGES = {
    "club": "public:club",
    "event": "public:event",
    "list": "rating:list",
    "player": "public:player",
    "about": "public:club",
    "description": "public:event",
}


def row_of(found: Subject) -> dict[str, Any]:
    """One line of a list."""
    return {
        "kind": found.kind,
        "key": found.key,
        "kind_name": kind_name(found.kind),
        "name": found.name,
        "about": found.about,
        "text": found.text,
        "state": found.state,
        "state_name": STATES.get(found.state, found.state),
        "url": reverse("operators:about", args=[found.kind, found.key]),
    }


def public_address(found: Subject) -> str:
    """Its page, as the public sees it."""
    if found.kind in {"announcement", "note"}:
        assert found.event is not None
        return reverse("public:event", args=[found.event.public_id])
    return reverse(_PAGES[found.kind], args=[found.key]) if found.kind in _PAGES else ""


def consequences(found: Subject) -> list[str]:
    """What hangs on it."""
    numbers = numbers_of(found)
    words = {
        "events": lambda n: ngettext("%(n)s event", "%(n)s events", n),
        "running": lambda n: ngettext("%(n)s of them runs now", "%(n)s of them run now", n),
        "lists": lambda n: ngettext("%(n)s rating list", "%(n)s rating lists", n),
        "members": lambda n: ngettext("%(n)s person with a role", "%(n)s people with a role", n),
        "players": lambda n: ngettext("%(n)s player", "%(n)s players", n),
        "entries": lambda n: ngettext("%(n)s entry", "%(n)s entries", n),
    }
    if found.kind == "event":
        words["running"] = lambda _n: _("It runs now: matches are being played.")
    return [
        words[name](count) % {"n": count} for name, count in numbers.items() if count or name != "running"
    ]


def actions_for(found: Subject) -> list[dict[str, Any]]:
    """What may be done with it as it stands, each with what it comes to."""
    if found.kind == "account":
        if found.state:
            return [_choice("let_in", _("Let in again"), _("It may sign in again, with the roles it had."))]
        return [
            _choice(
                "suspend", _("Suspend"), _("It may do nothing, and is signed out everywhere."), danger=True
            )
        ]
    if found.kind in TEXTS:
        if found.state:
            return [_choice("restore", _("Put back"), _("The words stand again where they stood."))]
        what = _(
            "The words are taken away everywhere at once. Those whose they are see why, and may write others."
        )
        return [_choice("hidden", _("Take away"), what)]
    hide = _choice("hidden", _("Hide"), _HIDES[found.kind]())
    actions = [] if found.state == "hidden" else [hide]
    if found.kind != "player" and found.state != "removed":
        actions.append(_choice("removed", _("Remove"), _REMOVES[found.kind](), danger=True))
    if found.state:
        actions.insert(
            0, _choice("restore", _("Restore"), _("It stands again where it stood, as it is by now."))
        )
    return actions


def _choice(action: str, label: str, what: str, *, danger: bool = False) -> dict[str, Any]:
    return {"action": action, "label": label, "what": what, "danger": danger}


_HIDES = {
    "club": lambda: _(
        "The public sees nothing of the club, its events and its rating lists, and its name stands nowhere. Its people go on, and see why."
    ),
    "list": lambda: _("The public does not see the list. It goes on counting, and its directors see why."),
    "event": lambda: _(
        "The public sees nothing of it, and nobody enters by the link. Directors, assistants and personal links go on; directors see why."
    ),
    "player": lambda: _(
        "No page, no name: they are “Player 17” of an event. Directors of their home club, and they themselves, see why."
    ),
}
_REMOVES = {
    "club": lambda: _(
        "As hidden, and nobody has a role in it: its events stand still, its links end, until it is restored."
    ),
    "list": lambda: _("As hidden, and its directors do not see it either."),
    "event": lambda: _(
        "As hidden, and nobody directs or plays in it: its links end, until it is restored. Results that count for ratings go on counting."
    ),
}


def quota_rows(owner: User | Club) -> list[dict[str, Any]]:
    """The quotas of an account or club."""
    return [
        {
            "code": use.quota.code,
            "name": QUOTA_NAMES[use.quota.code],
            "have": "–" if use.have is None else use.have,
            "limit": use.limit,
            "usual": use.quota.usual,
            "raised": use.allowed is not None,
        }
        for use in quota_use(owner)
    ]
