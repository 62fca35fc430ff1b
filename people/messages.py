"""Messages for error codes: the table to which every app adds, and the functions that read the table.

Pure packages and services raise errors with codes; ``describe(fault)`` returns the message for people. A code
without a message raises ``LookupError``. Parameters are data (numbers, names, dates), not sentences: dates
and times are written in the active language, and a code may have a function that builds its message. An error
that others than directors read has a player or an entry as parameter, which is named as the reader may see
it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from faults import CrawfordError, Fault

Message = str | Promise | Callable[[Mapping[str, Any]], str]

_MESSAGES: dict[str, Message] = {}


def register_messages(messages: Mapping[str, Message]) -> None:
    """Add messages to the table, as a dictionary keyed by code.

    A message is a translated text with places for parameters, ``%(param)s``, or a function of the parameters.
    A code can have one message only: another one raises ``LookupError``.
    """
    for code, text in messages.items():
        if code in _MESSAGES and str(_MESSAGES[code]) != str(text):
            raise LookupError(f"error code {code!r} already has words")
        _MESSAGES[code] = text


def known_codes() -> frozenset[str]:
    """Return all error codes that have messages."""
    return frozenset(_MESSAGES)


def message_texts() -> dict[str, str]:
    """Return the message of each error code, with “…” for parameters; "" if a function builds the message."""
    return {
        code: "" if callable(text) else re.sub(r"%\(\w+\)[a-z]", "…", str(text))
        for code, text in sorted(_MESSAGES.items())
    }


def describe(fault: Fault | CrawfordError) -> str:
    """Return the message for ``fault`` in the active language. Raises ``LookupError`` for an unknown code."""
    try:
        text = _MESSAGES[fault.code]
    except KeyError:
        raise LookupError(f"no words for error code {fault.code!r}") from None
    if callable(text):
        return text(fault.all_params)
    values = {name: _format_value(value) for name, value in fault.all_params.items()}
    return str(text) % values if values else str(text)


def _format_value(value: object) -> object:
    """Return a date or time as text in the active language (a time in its own zone).

    Other values unchanged.
    """
    if isinstance(value, datetime):
        return date_format(value, "DATETIME_FORMAT")
    return date_format(value, "DATE_FORMAT") if isinstance(value, date) else value


def describe_all(error: CrawfordError) -> list[str]:
    """Return the messages of all faults of ``error``, in order."""
    return [describe(fault) for fault in error.faults]


def messages_by_field(faults: Iterable[Fault]) -> dict[str, list[str]]:
    """Return the messages of ``faults``, as a dictionary keyed by field; "" for those without a field."""
    messages: dict[str, list[str]] = {}
    for fault in faults:
        messages.setdefault(fault.field or "", []).append(describe(fault))
    return messages


register_messages(
    {
        "club.unknown": _("Club not found."),
        "club.name_missing": _("Enter a name for the club."),
        "name.web_address": _("Names must not contain a web address. Remove it."),
        "club.name_long": _("The name is too long: %(limit)s characters at most."),
        "club.timezone_unknown": _(
            "Time zone “%(timezone)s” not found. Enter a larger city nearby, or the country."
        ),
        "club.day_ahead": _("Choose a date on or before %(latest)s."),
        "club.day_odd": _("Enter a date between the years %(first)s and %(last)s."),
        "club.other_federation": _(
            "The club belongs to %(name)s on that date. A club can belong to only one federation at a time: "
            "end that membership first."
        ),
        "club.listed_already": _("This club’s events are already listed on this site."),
        "club.parent_loop": _("A club cannot belong to itself or to one of its own member clubs."),
        "member.asked_often": _("You have created too many invitations in the last hour. Try again later."),
        "member.by_invitation": _(
            "%(name)s must accept a role with more permissions. Send an invitation instead."
        ),
        "club.guest": _(
            "You are helping here without an account. Create your own account before you create a club."
        ),
        "invitation.unknown": _(
            "This invitation link is not valid or is incomplete. Check that you copied the whole link."
        ),
        "invitation.used": _(
            "This invitation has already been accepted. An invitation can be used only once."
        ),
        "invitation.withdrawn": _("This invitation has been withdrawn."),
        "invitation.expired": _("This invitation has expired, or its events are over."),
        "invitation.answered": _("This invitation has already been answered or withdrawn."),
        "invitation.has_role": _("You already have this role or one with more permissions."),
        "invitation.needs_account": _(
            "This role requires your own account. Sign out, create an account and open the link again."
        ),
        "invitation.too_many": _(
            "%(limit)s invitations from this club are awaiting an answer. Withdraw some before you create "
            "more."
        ),
        "guest.name_missing": _("Enter your name."),
        "guest.name_long": _("The name is too long: %(limit)s characters at most."),
        "member.role_unknown": _("“%(role)s” is not a valid role. Choose another one."),
        "member.last_owner": _("A club needs an owner. Make another person an owner first."),
        "member.gone": _("This person no longer has a role in the club."),
        "people.not_owner": _("Only an owner of the club can do this."),
        "player.other_club": _("This player’s home club is %(club)s. Only its directors can do this."),
        "people.not_director": _("Only a director of the club can do this."),
        "player.name_missing": _("Enter the player’s name."),
        "player.name_long": _("The name is too long: %(limit)s characters at most."),
        "player.name_odd": _("Enter a name with at least one letter."),
        "player.day_odd": _("“%(day)s” is not a valid date. Use the format 2026-12-31."),
        "player.number_odd": _("Enter a federation and a number, each with at most %(limit)s characters."),
        "player.number_twice": _("The federation number %(number)s is entered twice."),
        "player.outside_odd": _("Enter a source of at most %(limit)s characters, a rating and a date."),
        "player.outside_twice": _("%(source)s has two ratings for the same date."),
        "player.numbers_many": _("You can save at most %(limit)s federation numbers and as many ratings."),
        "player.numbers_changed": _(
            "Another person has changed the numbers of %(name)s in the meantime. Reload the page."
        ),
        "player.country_odd": _("Enter the two-letter country code, for example FI."),
        "account.last_owner": _("You are the last owner of %(club)s. Make another person an owner first."),
        "player.shown_odd": _("Choose one of the names offered."),
        "player.chooses_name": _("This player has an account and chooses their own public name."),
        "player.name_known": _(
            "The name %(name)s is already known. Choose the player, or confirm that this is another person "
            "with the same name."
        ),
        "player.unknown": _("Player not found."),
        "claim.unknown": _("Link not found. Ask at the desk for a new one."),
        "push.keys": _(
            "This browser did not send the data needed for notifications. Reload the page and try again."
        ),
        "push.service": _(
            "This site does not support the push service of this browser. Contact the site operator."
        ),
        "claim.used": _("This link has been used or replaced by a newer one. Ask at the desk for a new one."),
        "claim.expired": _("This link has expired: it was valid for one day. Ask at the desk for a new one."),
        "claim.has_account": _("%(name)s already has an account."),
        "claim.needs_account": _(
            "This requires your own account. Sign out, create an account and open the link again."
        ),
        "claim.guardian": _(
            "%(name)s is a minor. Only a parent or guardian can use this link, and must confirm that "
            "they are one."
        ),
        "claim.other_player": _(
            "Your account is already linked to %(name)s. If both players are you, ask a director to merge "
            "them."
        ),
        "claim.is_other_player": _(
            "This account is already linked to %(name)s. If both players are the same person, merge them."
        ),
        "claim.asked_often": _("You already have %(limit)s open link requests. Wait for the answers."),
        "claim.not_asked": _("Link request not found."),
        "claim.answered": _("This request has already been answered."),
        "claim.too_old": _("This request has expired. The player can send a new one."),
        "claim.no_account": _("%(name)s has no account."),
        "player.same": _("These are the same player. Choose two different players."),
        "player.merged_already": _("%(name)s has already been merged into another player."),
    }
)

# The query string of an API address: `people.api.filters`, `people.api.pages`.
# Quotas: which one, its amount, and the contact for more.
register_messages(
    {
        "quota.clubs": _(
            "An account can own up to %(limit)s clubs, and yours owns %(have)s. To raise the limit, contact "
            "the site operator: %(contact)s"
        ),
        "quota.checks": _(
            "Each visitor can check up to %(limit)s match files a day. Try again tomorrow, or ask the site "
            "operator to raise the limit: %(contact)s"
        ),
        "quota.members": _(
            "Up to %(limit)s people can have a role in a club, and this club has %(have)s. To raise the "
            "limit, contact the site operator: %(contact)s"
        ),
        "quota.invitations": _(
            "A club can create up to %(limit)s invitations a day, and this club has created %(have)s. To "
            "raise the limit, contact the site operator: %(contact)s"
        ),
        "quota.players": _(
            "A club can have up to %(limit)s players, and this club has %(have)s. To raise the limit, "
            "contact the site operator: %(contact)s"
        ),
        "quota.entries": _(
            "An event can have up to %(limit)s entries in total, and this event has %(have)s. To raise the "
            "limit, contact the site operator: %(contact)s"
        ),
        "quota.lists": _(
            "A club can have up to %(limit)s rating lists, and this club has %(have)s. To raise the limit, "
            "contact the site operator: %(contact)s"
        ),
        "quota.archives": _(
            "A club can submit up to %(limit)s archives a day, and this club has submitted %(have)s. To "
            "raise the limit, contact the site operator: %(contact)s"
        ),
        "quota.unknown": _("Limit not found."),
        "quota.amount": _("Enter a whole number, %(limit)s at most."),
        "quota.same": _("This is already the limit. Enter a different number."),
        "operator.no_reason": _("Enter a reason."),
        "operator.reason_long": _("The reason is too long: %(limit)s characters at most."),
    }
)

register_messages(
    {
        "filter.unknown": _("“%(name)s” is not a valid parameter. Valid parameters: %(allowed)s."),
        "filter.twice": _("Specify this parameter only once."),
        "filter.missing": _("The parameter %(name)s is missing."),
        "filter.choice": _("Enter one of these values: %(allowed)s."),
        "filter.day": _("Enter a date in the format 2026-12-31."),
        "filter.truth": _("Enter true or false."),
        "filter.text": _("Enter one line of text with at most %(limit)s characters."),
        "filter.whole_from": _("Enter a whole number of at least %(least)s."),
        "filter.whole": _("Enter a whole number from %(least)s to %(most)s."),
        "filter.number": _("Enter a number from %(least)s to %(most)s with at most two decimal places."),
        "page.unknown": _("Page %(page)s does not exist. The last page is %(last)s."),
    }
)

# Rejected by the API before any service is called: `people.api.problems`, `config.refusals`, `config.gate`.
register_messages(
    {
        "request.unreadable": _(
            "The request body could not be read. Send it in the format given by Content-Type, in UTF-8."
        ),
        "request.unknown_field": _("“%(name)s” is not a valid field. The closest match is “%(nearest)s”."),
        "request.odd": _("The address, the headers or the form data of this request are not valid."),
        "request.not_signed_in": _("Sign in, or use a valid personal link."),
        "request.csrf": _(
            "In a signed-in session, requests that change data must send the X-CSRFToken header with the "
            "value of the csrftoken cookie."
        ),
        "account.unknown": _("No account uses this address."),
        "account.suspended": _("This account is already suspended."),
        "account.operator": _(
            "This account belongs to a site operator. It can be suspended only on the server: manage.py "
            "suspend."
        ),
        "account.active": _("This account is not suspended."),
        "account.second_factor": _(
            "This account can access the admin, so it needs two-step sign-in. Set it up on the account page."
        ),
        "request.not_allowed": _(
            "You do not have permission to do this. Use a personal link or an account that does."
        ),
        "request.address_unknown": _("Address not found. The API description lists all addresses."),
        "request.method": _(
            "This address does not support that method. The Allow header lists the methods it supports."
        ),
        "request.not_acceptable": _(
            "Responses are application/json, which the Accept header does not allow."
        ),
        "request.too_large": _("The request is too large. Send less data."),
        "request.too_slow": _("The request arrived too slowly and was discarded. Send it again."),
        "request.broken_off": _("Only part of the request arrived, and nothing was changed. Send it again."),
        "request.too_many_at_once": _(
            "Several large files from your network are already being checked. Try again in a minute."
        ),
        "request.no_length": _(
            "Send the Content-Length header. Without it, an incomplete request cannot be detected."
        ),
        "request.media_type": _("This media type is not supported here. The usual one is application/json."),
        "request.key_odd": _("Use an Idempotency-Key of at most %(limit)s printable characters."),
        "request.key_used": _(
            "This key was already used for a different request. Use a new key for each request."
        ),
        "request.key_running": _("The same request is being processed. Try again in a second."),
        "request.key_done": _(
            "This request was completed, but its response is no longer stored. Check the current state."
        ),
        "request.too_often": _("Too many requests. Try again in %(seconds)s s."),
        "site.fault": _(
            "Something went wrong on our side. The error was logged, and no partial changes were saved."
        ),
        "site.locked": _(
            "Another change is being saved right now. Nothing was saved. Send the same request again in a "
            "few seconds."
        ),
        "site.unavailable": _("The site cannot reach its database or its cache. Try again in a few seconds."),
        "site.no_room": _("The site has no storage space left for this. Nothing was saved. Try again later."),
        "site.busy": _("The site is receiving more requests than it can answer. Try again in a few seconds."),
        "field.required": _("This field is required."),
        "field.null": _("This field cannot be null."),
        "field.blank": _("This field cannot be empty."),
        "field.invalid": _("Enter a valid value."),
        "field.invalid_choice": _("Choose one of the available values."),
        "field.choice": _("Enter one of these values: %(allowed)s."),
        "field.unknown": _("“%(name)s” cannot be set here. Available: %(allowed)s."),
        "field.whole": _("Enter a whole number."),
        "field.truth": _("Enter true or false."),
        "field.text": _("Enter text."),
        "field.not_a_list": _("This field must be a list."),
        "field.not_a_dict": _("This field must be an object."),
        "field.empty": _("Enter at least one item."),
        "field.min_value": _("Enter a larger number."),
        "field.max_value": _("Enter a smaller number."),
        "field.min_length": _("Enter more characters."),
        "field.max_length": _("Enter fewer characters."),
    }
)
