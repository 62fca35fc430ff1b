"""The privacy page and the imprint: what this installation really stores, in words, and who runs it."""

from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from people.operator import operator, own_text
from tournaments.shared.frames.public import public_page, public_view
from tournaments.site.services.retention import RULES

# What each rule of retention is about.
KEPT: Final[dict[str, str | Promise]] = {
    "sign_ins": gettext_lazy(
        "Who signed in to your account and who tried to: time, address, program. You alone see it."
    ),
    "sessions": gettext_lazy("Where you are signed in."),
    "files": gettext_lazy("A file that waits beside a form while you fill it in."),
    "kept_answers": gettext_lazy(
        "What a program was answered that changed something with a key of its own, so that it can ask again."
    ),
    "mail": gettext_lazy(
        "Mail that could not be sent: to whom, about what, and why. The text is gone at once."
    ),
    "invitations": gettext_lazy("Invitations to a role in a club, with the address they were sent to."),
    "claims": gettext_lazy("Links by which an account takes its player."),
    "merge_requests": gettext_lazy("Requests of clubs to merge two players into one."),
    "page_reports": gettext_lazy("Reports of pages, with the contact if one was given."),
    "contacts": gettext_lazy(
        "E-mail address, telephone number and note of an entry. Directors alone see them."
    ),
    "devices": gettext_lazy("A random name of the browser that reported a result by a personal link."),
    "phones": gettext_lazy("Random names of the browsers that spoke by a personal link."),
    "notifications": gettext_lazy(
        "What you were told of your matches and events by push or mail, and whether it came. Of a notice itself only its kind is kept."
    ),
    "woken": gettext_lazy(
        "The address at which your browser’s maker wakes it for a personal link. With an account: until you take the phone off."
    ),
    "notification_choices": gettext_lazy("What you chose to be told of an event."),
    "answers": gettext_lazy("Whether you come to a match, and why not. The desk alone sees it."),
    "call_words": gettext_lazy("When you were told that a match is near."),
    "arrangements": gettext_lazy(
        "What you and your opponent wrote to each other to arrange a match, and when and where you agreed to play. A director reads messages only when one of you reports them."
    ),
    "desk_notes": gettext_lazy(
        "What directors of an event, and who helps them, wrote to each other at the desk."
    ),
    "presences": gettext_lazy("Which pages of a desk you had open last. Who is at the same desk sees it."),
    "helpers": gettext_lazy("Who helped with an event."),
    "guests": gettext_lazy("Accounts of helpers who have none of their own."),
}
# What each rule counts from.
SINCE: Final[dict[str, str | Promise]] = {
    "sessions": gettext_lazy("until you sign out, or two weeks"),
    "invitations": gettext_lazy("%(time)s after they ended"),
    "claims": gettext_lazy("%(time)s after they ended"),
    "merge_requests": gettext_lazy("%(time)s after the answer"),
    "page_reports": gettext_lazy("%(time)s after they were handled"),
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
# Cookies, by what they are for, and how long a browser keeps them.
COOKIES: Final[tuple[tuple[str, str | Promise, str | Promise], ...]] = (
    (settings.SESSION_COOKIE_NAME, gettext_lazy("that you stay signed in"), gettext_lazy("two weeks")),
    ("crawford_in", gettext_lazy("that pages ask who is signed in"), gettext_lazy("two weeks")),
    (settings.CSRF_COOKIE_NAME, gettext_lazy("that nobody sends forms in your name"), gettext_lazy("a year")),
    (settings.LANGUAGE_COOKIE_NAME, gettext_lazy("the language, if you have chosen one"), gettext_lazy("until the browser is closed")),
    ("messages", gettext_lazy("a word that stands on the next page"), gettext_lazy("until it is read")),
    ("crawford_device", gettext_lazy("that this browser is known to your account, so that strangers cannot keep you out"), gettext_lazy("180 days")),
    ("device", gettext_lazy("which browser reported a result by a personal link"), gettext_lazy("400 days")),
    ("answered", gettext_lazy("that what this phone kept without network is not sent twice"), gettext_lazy("five minutes")),
    ("board, entries", gettext_lazy("what a director narrowed board and lists to"), gettext_lazy("two weeks")),
)  # fmt: skip


def _time(kept: timedelta) -> str:
    if kept.days:
        return ngettext("%(count)s day", "%(count)s days", kept.days) % {"count": kept.days}
    hours = kept.seconds // 3600
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}


def _table() -> list[tuple[str, str]]:
    return [
        (str(KEPT[rule.code]), str(SINCE.get(rule.code, "%(time)s")) % {"time": _time(rule.kept)})
        for rule in RULES
    ]


def _page(request: HttpRequest, name: str, more: dict[str, Any]) -> HttpResponse:
    about, own = operator(), own_text(name, get_language() or "")
    contact = about.contact
    link = contact if contact.startswith(("mailto:", "https://", "http://", "tel:")) else ""
    context = {
        "operator": about,
        "contact": contact.removeprefix("mailto:").removeprefix("tel:"),
        "contact_link": link or (f"mailto:{contact}" if "@" in contact else ""),
        "own": own,
        **more,
    }
    return public_page(request, f"site/{name}.html", lambda: context, versions=[about, own])


@public_view
def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored of people, who sees it, for how long, and what anybody may ask."""
    more = {
        "table": _table(),
        "cookies": COOKIES,
        "mail": bool(settings.EMAIL_HOST) and settings.MAIL_BACKEND.endswith("smtp.EmailBackend"),
    }
    return _page(request, "privacy", more)


@public_view
def imprint(request: HttpRequest) -> HttpResponse:
    """Who runs this site."""
    return _page(request, "imprint", {"program": gettext("Crawford, free software under the MIT licence")})
