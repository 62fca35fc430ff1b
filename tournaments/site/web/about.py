"""The privacy page and the imprint: which data this installation stores, and who operates it."""

from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from people.operator import operator_paragraphs, site_operator
from tournaments.shared.frames.public import public_page, public_view
from tournaments.site.services.retention import RULES

# The data that each retention rule covers.
STORED_DATA: Final[dict[str, str | Promise]] = {
    "sign_ins": gettext_lazy(
        "Sign-ins to your account, and attempts: time, address, browser. Only you can see them."
    ),
    "sessions": gettext_lazy("Where you are signed in."),
    "files": gettext_lazy("A file stored with a form while you fill it in."),
    "kept_answers": gettext_lazy(
        "The response to a change made by a program with a key of its own, so that the program can ask again."
    ),
    "mail": gettext_lazy(
        "E-mail that could not be sent: recipient, subject and reason. The text is deleted immediately."
    ),
    "invitations": gettext_lazy("Invitations to a role in a club, with the address they were sent to."),
    "claims": gettext_lazy("Links that connect a player to an account."),
    "merge_requests": gettext_lazy("Requests from clubs to merge two players."),
    "page_reports": gettext_lazy("Reports of pages, with contact details if given."),
    "contacts": gettext_lazy(
        "E-mail address, phone number and note of an entry. Only directors can see them."
    ),
    "devices": gettext_lazy(
        "A random identifier of the browser that reported a result through a personal link."
    ),
    "phones": gettext_lazy(
        "Random identifiers of the browsers that used a personal link to report or answer."
    ),
    "notifications": gettext_lazy(
        "Which notifications about your matches and events you received by push or e-mail, and whether "
        "they arrived. Only the type of each notification is stored, not its text."
    ),
    "woken": gettext_lazy(
        "The push address of your browser for a personal link. With an account: until you turn off "
        "notifications on the phone."
    ),
    "notification_choices": gettext_lazy("Your notification settings for an event."),
    "answers": gettext_lazy(
        "Whether you are coming to a match, and if not, why. Only the desk can see this."
    ),
    "call_words": gettext_lazy("When you were notified that a match is near."),
    "arrangements": gettext_lazy(
        "Messages between you and your opponent to arrange a match, and when and where you agreed to "
        "play. A director can read the messages only if one of you reports them."
    ),
    "desk_notes": gettext_lazy("Staff notes that directors and assistants of an event wrote to each other."),
    "presences": gettext_lazy(
        "Which pages you last had open while managing an event. Other staff of the event can see this."
    ),
    "helpers": gettext_lazy("Who helped with an event."),
    "guests": gettext_lazy("Guest accounts of assistants who have no account of their own."),
}
# The moment from which each rule counts.
PERIOD_TEXTS: Final[dict[str, str | Promise]] = {
    "sessions": gettext_lazy("until you sign out, otherwise two weeks"),
    "invitations": gettext_lazy("%(time)s after they ended"),
    "claims": gettext_lazy("%(time)s after they ended"),
    "merge_requests": gettext_lazy("%(time)s after the answer"),
    "page_reports": gettext_lazy("%(time)s after they were resolved"),
    **dict.fromkeys(
        (
            "contacts",
            "devices",
            "phones",
            "woken",
            "notification_choices",
            "answers",
            "call_words",
            "arrangements",
            "desk_notes",
            "helpers",
            "guests",
        ),
        gettext_lazy("%(time)s after the event"),
    ),
}
# Cookies by purpose, and how long a browser keeps them.
COOKIES: Final[tuple[tuple[str, str | Promise, str | Promise], ...]] = (
    (settings.SESSION_COOKIE_NAME, gettext_lazy("keeps you signed in"), gettext_lazy("two weeks")),
    ("crawford_in", gettext_lazy("lets pages check who is signed in"), gettext_lazy("two weeks")),
    (settings.CSRF_COOKIE_NAME, gettext_lazy("prevents others from sending forms in your name"), gettext_lazy("a year")),
    (settings.LANGUAGE_COOKIE_NAME, gettext_lazy("your language, if you have chosen one"), gettext_lazy("until the browser is closed")),
    ("messages", gettext_lazy("a message to show on the next page"), gettext_lazy("until it has been shown")),
    ("crawford_device", gettext_lazy("marks this browser as known to your account, so that strangers cannot lock you out"), gettext_lazy("180 days")),
    ("device", gettext_lazy("which browser reported a result through a personal link"), gettext_lazy("400 days")),
    ("answered", gettext_lazy("prevents what this phone saved without a connection from being sent twice"), gettext_lazy("five minutes")),
    ("board, entries", gettext_lazy("a director’s filters on the board and lists"), gettext_lazy("two weeks")),
)  # fmt: skip


def _period_text(period: timedelta) -> str:
    if period.days:
        return ngettext("%(count)s day", "%(count)s days", period.days) % {"count": period.days}
    hours = period.seconds // 3600
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}


def _retention_table() -> list[tuple[str, str]]:
    return [
        (
            str(STORED_DATA[rule.code]),
            str(PERIOD_TEXTS.get(rule.code, "%(time)s")) % {"time": _period_text(rule.kept)},
        )
        for rule in RULES
    ]


def _page(request: HttpRequest, name: str, more: dict[str, Any]) -> HttpResponse:
    operator, operator_texts = site_operator(), operator_paragraphs(name, get_language() or "")
    contact = operator.contact
    link = contact if contact.startswith(("mailto:", "https://", "http://", "tel:")) else ""
    context = {
        "operator": operator,
        "contact": contact.removeprefix("mailto:").removeprefix("tel:"),
        "contact_link": link or (f"mailto:{contact}" if "@" in contact else ""),
        "own": operator_texts,
        **more,
    }
    return public_page(request, f"site/{name}.html", lambda: context, versions=[operator, operator_texts])


@public_view
def privacy(request: HttpRequest) -> HttpResponse:
    """Privacy page: stored data, who sees the data, for how long, and the rights of visitors."""
    extra_context = {
        "table": _retention_table(),
        "cookies": COOKIES,
        "mail": bool(settings.EMAIL_HOST) and settings.MAIL_BACKEND.endswith("smtp.EmailBackend"),
    }
    return _page(request, "privacy", extra_context)


@public_view
def imprint(request: HttpRequest) -> HttpResponse:
    """Imprint of this site."""
    return _page(request, "imprint", {"program": gettext("Crawford, free software under the MIT licence")})
