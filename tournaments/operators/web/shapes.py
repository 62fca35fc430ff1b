"""Template contexts of operators' pages.

Names, addresses, consequences, and available actions of a subject.
"""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.models import Club, User
from people.web.operators import QUOTA_NAMES, STATE_LABELS, kind_name
from tournaments.selectors.operators.lists import subject_counts
from tournaments.selectors.operators.quotas import quota_use
from tournaments.selectors.operators.subjects import TEXT_KINDS, Subject

_PUBLIC_URL_NAMES = {
    "club": "public:club",
    "event": "public:event",
    "list": "rating:list",
    "player": "public:player",
    "about": "public:club",
    "description": "public:event",
}


def subject_row(subject: Subject) -> dict[str, Any]:
    """Return the template context of a subject in a list."""
    return {
        "kind": subject.kind,
        "key": subject.key,
        "kind_name": kind_name(subject.kind),
        "name": subject.name,
        "about": subject.about,
        "text": subject.text,
        "state": subject.state,
        "state_name": STATE_LABELS.get(subject.state, subject.state),
        "url": reverse("operators:about", args=[subject.kind, subject.key]),
    }


def public_url(subject: Subject) -> str:
    """Return the address of the subject's public page, or an empty text if it has none."""
    if subject.kind in {"announcement", "note"}:
        assert subject.event is not None
        return reverse("public:event", args=[subject.event.public_id])
    return (
        reverse(_PUBLIC_URL_NAMES[subject.kind], args=[subject.key])
        if subject.kind in _PUBLIC_URL_NAMES
        else ""
    )


def consequences(subject: Subject) -> list[str]:
    """Return short texts with the numbers of events, players and others that depend on the subject."""
    numbers = subject_counts(subject)
    labels = {
        "events": lambda n: ngettext("%(n)s event", "%(n)s events", n),
        "running": lambda n: ngettext("%(n)s of them in progress", "%(n)s of them in progress", n),
        "lists": lambda n: ngettext("%(n)s rating list", "%(n)s rating lists", n),
        "members": lambda n: ngettext("%(n)s person with a role", "%(n)s people with a role", n),
        "players": lambda n: ngettext("%(n)s player", "%(n)s players", n),
        "entries": lambda n: ngettext("%(n)s entry", "%(n)s entries", n),
    }
    if subject.kind == "event":
        labels["running"] = lambda _n: _("In progress: matches are being played.")
    return [
        labels[name](count) % {"n": count} for name, count in numbers.items() if count or name != "running"
    ]


def actions_for(subject: Subject) -> list[dict[str, Any]]:
    """Return the contexts of the actions available for the subject in its state, with their consequences."""
    if subject.kind == "account":
        if subject.state:
            return [
                _action_context(
                    "let_in",
                    _("Reinstate account"),
                    _("The account can sign in again, with its previous roles."),
                )
            ]
        return [
            _action_context(
                "suspend",
                _("Suspend account"),
                _("The account is signed out everywhere and loses all access."),
                danger=True,
            )
        ]
    if subject.kind in TEXT_KINDS:
        if subject.state:
            return [_action_context("restore", _("Restore text"), _("The text appears again where it was."))]
        description = _(
            "The text is removed everywhere immediately. Its owners can see the reason and write a new text."
        )
        return [_action_context("hidden", _("Remove"), description)]
    hide_action = _action_context("hidden", _("Hide"), _HIDE_TEXTS[subject.kind]())
    actions = [] if subject.state == "hidden" else [hide_action]
    if subject.kind != "player" and subject.state != "removed":
        actions.append(_action_context("removed", _("Remove"), _REMOVE_TEXTS[subject.kind](), danger=True))
    if subject.state:
        actions.insert(
            0,
            _action_context(
                "restore", _("Restore"), _("It appears again where it was, in its current state.")
            ),
        )
    return actions


def _action_context(action: str, label: str, description: str, *, danger: bool = False) -> dict[str, Any]:
    return {"action": action, "label": label, "what": description, "danger": danger}


_HIDE_TEXTS = {
    "club": lambda: _(
        "The public cannot see the club, its events or its rating lists, and its name appears nowhere. "
        "Its people can continue, and see the reason."
    ),
    "list": lambda: _(
        "The public cannot see the list. It keeps counting results, and its directors see the reason."
    ),
    "event": lambda: _(
        "The public cannot see the event, and players cannot enter by link. It stays open to directors, "
        "assistants and personal links; directors see the reason."
    ),
    "player": lambda: _(
        "The player has no public page or name: events show “Player 17”. The player and the directors of "
        "their home club see the reason."
    ),
}
_REMOVE_TEXTS = {
    "club": lambda: _(
        "As when hidden, and all roles in it are suspended: its events are paused and its links do not "
        "work until it is restored."
    ),
    "list": lambda: _("As when hidden, and its directors cannot see it either."),
    "event": lambda: _(
        "As when hidden, and it can neither be managed nor played: its links do not work until it is "
        "restored. Results that count for ratings keep counting."
    ),
}


def quota_rows(owner: User | Club) -> list[dict[str, Any]]:
    """Return the template contexts of the limits of an account or club."""
    return [
        {
            "code": usage.quota.code,
            "name": QUOTA_NAMES[usage.quota.code],
            "have": "–" if usage.used is None else usage.used,
            "limit": usage.limit,
            "usual": usage.quota.default_amount,
            "raised": usage.allowed is not None,
        }
        for usage in quota_use(owner)
    ]
