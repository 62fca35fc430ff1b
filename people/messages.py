"""Words for error codes: the one table every app adds to, and the one function that reads it.

Pure rooms and services speak in codes; a person reads ``describe(fault)``. An unknown code is refused loudly, because a
fault without words would reach somebody as a riddle. Parameters are data (numbers, names, days), never sentences: a day or a
time is written as the language writes it, and a code whose words lie elsewhere has a function that finds them. A refusal that others
than directors read names a player or an entry by the object itself, which is called here as its reader may call it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from faults import CrawfordError, Fault

Words = str | Promise | Callable[[Mapping[str, Any]], str]

_WORDS: dict[str, Words] = {}


def register(words: Mapping[str, Words]) -> None:
    """Add an app's table of code → translated text with ``%(param)s`` places, or a function of the parameters. A code can
    have one text only.
    """
    for code, text in words.items():
        if code in _WORDS and str(_WORDS[code]) != str(text):
            raise LookupError(f"error code {code!r} already has words")
        _WORDS[code] = text


def known_codes() -> frozenset[str]:
    """All codes that have words."""
    return frozenset(_WORDS)


def every_text() -> dict[str, str]:
    """The text of each code, by code, with “…” where a parameter stands; empty where the words are found by a function."""
    return {
        code: "" if callable(text) else re.sub(r"%\(\w+\)[a-z]", "…", str(text))
        for code, text in sorted(_WORDS.items())
    }


def describe(fault: Fault | CrawfordError) -> str:
    """The sentence for ``fault`` in the active language; raises ``LookupError`` for a code without words."""
    try:
        text = _WORDS[fault.code]
    except KeyError:
        raise LookupError(f"no words for error code {fault.code!r}") from None
    if callable(text):
        return text(fault.all_params)
    values = {name: _readable(value) for name, value in fault.all_params.items()}
    return str(text) % values if values else str(text)


def _readable(value: object) -> object:
    """Days and times as the language writes them; a time by the clock of its own zone."""
    if isinstance(value, datetime):
        return date_format(value, "DATETIME_FORMAT")
    return date_format(value, "DATE_FORMAT") if isinstance(value, date) else value


def describe_all(error: CrawfordError) -> list[str]:
    """One sentence for each fault of ``error``."""
    return [describe(fault) for fault in error.faults]


def by_field(faults: Iterable[Fault]) -> dict[str, list[str]]:
    """Sentences grouped by the field they concern; those without a field under ``""``."""
    found: dict[str, list[str]] = {}
    for fault in faults:
        found.setdefault(fault.field or "", []).append(describe(fault))
    return found


register(
    {
        "club.unknown": _("There is no such club."),
        "club.name_missing": _("Give the club a name."),
        "name.web_address": _("Names must not contain a web address. Remove it."),
        "club.name_long": _("The name is too long: %(limit)s characters at most."),
        "club.timezone_unknown": _(
            "No time zone is known as “%(timezone)s”. Type a larger city nearby, or the country."
        ),
        "club.day_ahead": _("Choose a day that is not after %(latest)s."),
        "club.day_odd": _("Give a day between the years %(first)s and %(last)s."),
        "club.other_federation": _(
            "The club belongs to %(name)s on that day. A club belongs to one federation at a time: let it leave there first."
        ),
        "club.listed_already": _("The events of this club are in the lists of the site already."),
        "club.parent_loop": _("A club cannot belong to itself or to one of its own member clubs."),
        "member.asked_often": _("You have made many invitations within an hour. Go on a little later."),
        "member.by_invitation": _(
            "%(name)s has to accept a role with more in it: invite them to it instead."
        ),
        "club.guest": _("You help here without an account. Make one of your own to found a club."),
        "invitation.unknown": _("This link is no invitation, or not a whole one. Was it copied completely?"),
        "invitation.used": _("This invitation was accepted already. It works once."),
        "invitation.withdrawn": _("This invitation was withdrawn."),
        "invitation.expired": _("This invitation is too old, or its events are over."),
        "invitation.answered": _("This invitation was answered already, or withdrawn."),
        "invitation.has_role": _("You have this role already, or one with more in it."),
        "invitation.needs_account": _(
            "This role needs an account of your own. Sign out, make one, and open the link again."
        ),
        "invitation.too_many": _(
            "%(limit)s invitations of this club wait for an answer. Withdraw some before you make more."
        ),
        "guest.name_missing": _("Say who you are."),
        "guest.name_long": _("The name is too long: %(limit)s characters at most."),
        "member.role_unknown": _("There is no role called “%(role)s”."),
        "member.last_owner": _("A club needs an owner. Make somebody else an owner first."),
        "member.gone": _("This person has no role in the club any more."),
        "people.not_owner": _("Only an owner of the club may do this."),
        "player.other_club": _("The home club of this player is %(club)s: only its directors may do this."),
        "people.not_director": _("Only a director of the club may do this."),
        "player.name_missing": _("Give the player a name."),
        "player.name_long": _("The name is too long: %(limit)s characters at most."),
        "player.name_odd": _("A name needs at least one letter."),
        "player.day_odd": _("%(day)s is no day. Write it as in 2026-12-31."),
        "player.number_odd": _("Write a federation and a number of at most %(limit)s letters each."),
        "player.number_twice": _("The number %(number)s stands there twice."),
        "player.outside_odd": _("Write a source of at most %(limit)s letters, a number and a day."),
        "player.outside_twice": _("%(source)s has two ratings of the same day."),
        "player.numbers_many": _("At most %(limit)s numbers and as many ratings can be kept."),
        "player.numbers_changed": _(
            "Somebody else has changed the numbers of %(name)s meanwhile. Load the page again."
        ),
        "player.country_odd": _("Use the two-letter code of the country, for example FI."),
        "account.last_owner": _("You are the last owner of %(club)s. Hand it over first."),
        "player.shown_odd": _("Choose one of the names that are offered."),
        "player.chooses_name": _("This player has an account, and chooses the name in public themselves."),
        "player.name_known": _(
            "%(name)s is known already. Choose the player, or say that this is another person of the same name."
        ),
        "player.unknown": _("There is no such player."),
        "claim.unknown": _("There is no such link. Ask at the desk for a new one."),
        "push.keys": _("This browser did not say how it can be woken. Reload the page and try again."),
        "push.service": _(
            "This browser is woken by a service that this site does not know. Tell whoever runs the site."
        ),
        "claim.used": _("This link has been used, or a newer one was made. Ask at the desk for a new one."),
        "claim.expired": _("This link was good for a day. Ask at the desk for a new one."),
        "claim.has_account": _("%(name)s has an account already."),
        "claim.needs_account": _(
            "This needs an account of your own. Sign out, make one, and open the link again."
        ),
        "claim.guardian": _("%(name)s is a minor: only a parent or guardian takes this link, and says so."),
        "claim.other_player": _(
            "Your account is %(name)s already. If both are you, ask a director to merge the two players."
        ),
        "claim.is_other_player": _(
            "This account is %(name)s already. If both are one person, merge the two."
        ),
        "claim.asked_often": _("You have asked for %(limit)s players already. Wait for the answers."),
        "claim.not_asked": _("Nobody asks for this player any more."),
        "claim.answered": _("This was answered already."),
        "claim.too_old": _("This was asked too long ago. They can ask again."),
        "claim.no_account": _("%(name)s has no account."),
        "player.same": _("This is one and the same player."),
        "player.merged_already": _("%(name)s has already been merged into another player."),
    }
)

# What is asked behind the “?” of an address of the API: `people.api.filters`, `people.api.pages`.
# Quotas: which, how much, and whom to ask.
register(
    {
        "quota.clubs": _(
            "An account may own %(limit)s clubs, and yours owns %(have)s. For more, ask whoever runs this site: %(contact)s"
        ),
        "quota.checks": _(
            "%(limit)s records a day are checked for one visitor. Come back tomorrow, or ask whoever runs this site for more: %(contact)s"
        ),
        "quota.members": _(
            "A club may have %(limit)s people with a role, and this one has %(have)s. For more, ask whoever runs this site: %(contact)s"
        ),
        "quota.invitations": _(
            "A club may make %(limit)s invitations within a day, and this one has made %(have)s. For more, ask whoever runs this site:"
            " %(contact)s"
        ),
        "quota.players": _(
            "A club may know %(limit)s players, and this one knows %(have)s. For more, ask whoever runs this site: %(contact)s"
        ),
        "quota.entries": _(
            "An event may have %(limit)s entries in all, and this one has %(have)s. For more, ask whoever runs this site: %(contact)s"
        ),
        "quota.lists": _(
            "A club may have %(limit)s rating lists, and this one has %(have)s. For more, ask whoever runs this site: %(contact)s"
        ),
        "quota.archives": _(
            "A club may hand in %(limit)s archives within a day, and this one handed in %(have)s. For more, ask whoever runs this site:"
            " %(contact)s"
        ),
        "quota.unknown": _("There is no such quota."),
        "quota.amount": _("Give a whole number, %(limit)s at most."),
        "quota.same": _("That is what is allowed already."),
        "operator.no_reason": _("Say why."),
        "operator.reason_long": _("The reason is too long: %(limit)s characters at most."),
    }
)

register(
    {
        "filter.unknown": _("%(name)s is no parameter here. There are: %(allowed)s."),
        "filter.twice": _("Give this parameter once."),
        "filter.missing": _("%(name)s is missing."),
        "filter.choice": _("Give one of these: %(allowed)s."),
        "filter.day": _("Give a day as in 2026-12-31."),
        "filter.truth": _("Give true or false."),
        "filter.text": _("Give a text of %(limit)s characters at most, on one line."),
        "filter.whole_from": _("Give a whole number, %(least)s or more."),
        "filter.whole": _("Give a whole number from %(least)s to %(most)s."),
        "filter.number": _("Give a number from %(least)s to %(most)s, with two decimals at most."),
        "page.unknown": _("There is no page %(page)s: the last one is %(last)s."),
    }
)

# What the API refuses before anything of ours is asked: `people.api.problems`, `config.refusals`, `config.gate`.
register(
    {
        "request.unreadable": _("The body cannot be read. Send what its Content-Type says, in UTF-8."),
        "request.unknown_field": _("%(name)s is no field here. The nearest is %(nearest)s."),
        "request.odd": _("Something in the address, the headers or the form is not what this site reads."),
        "request.not_signed_in": _("Sign in first, or send a personal link that is valid."),
        "request.csrf": _(
            "With a session, a change needs the header X-CSRFToken with the value of the cookie csrftoken."
        ),
        "account.unknown": _("There is no account with this address."),
        "account.suspended": _("This account is suspended already."),
        "account.operator": _(
            "This account is an operator's. Whoever has the server suspends it: manage.py suspend."
        ),
        "account.active": _("This account is not suspended."),
        "account.second_factor": _(
            "This account may look into the admin, so it needs a second factor. Set it up on its page."
        ),
        "request.not_allowed": _("This is not for you: a personal link or another account may do it."),
        "request.address_unknown": _("There is no such address. The description of the API lists them all."),
        "request.method": _(
            "This address does not take that method: the header Allow names those that it takes."
        ),
        "request.not_acceptable": _("Answers are application/json here, and the header Accept allows none."),
        "request.too_large": _("This is more than is read here at once. Send less."),
        "request.too_slow": _("It came too slowly, and what there is of it was thrown away. Send it again."),
        "request.broken_off": _("Only a part of it arrived, and nothing was done with it. Send it again."),
        "request.too_many_at_once": _(
            "Several large files from your network are being checked already. Send this one again in a minute."
        ),
        "request.no_length": _("Say with Content-Length how long it is: cut off, it could pass for a whole."),
        "request.media_type": _("Bodies of this media type are not read here. Usual is application/json."),
        "request.key_odd": _("An Idempotency-Key has %(limit)s printable characters at most."),
        "request.key_used": _("This key was used for something else. Take a new one for each request."),
        "request.key_running": _("The same is being done just now. Ask again in a second."),
        "request.key_done": _("This was done, and the answer is not kept any more. Look how it stands now."),
        "request.too_often": _("Too many requests. Try again in %(seconds)s s."),
        "site.fault": _("Something broke on our side. It has been written down, and nothing was half done."),
        "site.locked": _(
            "Somebody else is writing there. Nothing was stored; send the same again in a few seconds."
        ),
        "site.unavailable": _("The site cannot reach its database or its cache. Try again in a few seconds."),
        "site.no_room": _("The site has no room for this just now. Nothing was kept of it; try again later."),
        "site.busy": _("More people are asking than the site can answer. Try again in a few seconds."),
        "field.required": _("This has to be there."),
        "field.null": _("This cannot be null."),
        "field.blank": _("This cannot be empty."),
        "field.invalid": _("This is not what belongs here."),
        "field.invalid_choice": _("This is none of the values that there are."),
        "field.choice": _("Give one of these: %(allowed)s."),
        "field.unknown": _("%(name)s cannot be set here. There are: %(allowed)s."),
        "field.whole": _("Give a whole number."),
        "field.truth": _("Give true or false."),
        "field.text": _("Give a text."),
        "field.not_a_list": _("This has to be a list."),
        "field.not_a_dict": _("This has to be an object."),
        "field.empty": _("There has to be something in it."),
        "field.min_value": _("This number is too small."),
        "field.max_value": _("This number is too large."),
        "field.min_length": _("This is too short."),
        "field.max_length": _("This is too long."),
    }
)
