"""The limit of a division on forms that enter somebody: what it is, and the reason for who is outside of it."""

from collections.abc import Collection, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.models import Player
from tournaments.engine.limits import REASON_LIMIT, Fit, Verdict
from tournaments.models import Division, Entry, Event
from tournaments.selectors.entries import places_taken
from tournaments.selectors.limits import verdicts_in
from tournaments.selectors.matches.detail import players_of_entries
from tournaments.shared.words.limits import limit_words, outside_words, verdict_words


def overrule_in(request: HttpRequest) -> str:
    """The reason that was typed."""
    return " ".join(request.POST.get("overrule", "").replace("\0", "").split())[: 2 * REASON_LIMIT]


def limit_shape(request: HttpRequest, division: Division) -> dict[str, Any]:
    """For ``shared/_overrule.html``."""
    return {
        "limit": limit_words(division),
        "limit_outside": outside_words(division),
        "overrule": overrule_in(request),
    }


def over_capacity(entries: Sequence[Entry]) -> list[str]:
    """Of ``entries`` that a director has just given a place: for each division that has too many now, or where others have waited for
    the place, a sentence that says so.
    """
    found = []
    for division in {entry.division_id: entry.division for entry in entries}.values():
        if division.capacity is None:
            continue
        have, waiting = places_taken(division)
        if have > division.capacity:
            words = _("%(division)s has %(have)s entries for %(places)s places.")
            found.append(words % {"division": division.name, "have": have, "places": division.capacity})
        if waiting:
            words = ngettext(
                "%(count)s entry on the waiting list of %(division)s was passed over.",
                "%(count)s entries on the waiting list of %(division)s were passed over.",
                waiting,
            )
            found.append(words % {"division": division.name, "count": waiting})
    return found


def warn_of_entered(
    request: HttpRequest, event: Event, entries: Sequence[Entry], most: int | None = None
) -> None:
    """Warn of ``entries`` that a director has just let in and that do not fit into their division: by its places, or, up to ``most`` of them,
    by a rating.
    """
    for words in [*over_capacity(entries), *doubts_about(event, entries)[:most]]:
        messages.warning(request, words)


def doubts_about(event: Event, entries: Sequence[Entry]) -> list[str]:
    """“Ann: 1620 is above the limit”: of entries that are in, whoever does not fit for certain; nothing where nothing is limited."""
    divisions = {entry.division_id: entry.division for entry in entries}
    found = [
        doubts_by_entry(event, division, [entry.pk for entry in entries if entry.division_id == pk])
        for pk, division in divisions.items()
    ]
    return [words for one in found for doubts in one.values() for words in doubts]


def doubts_of(event: Event, division: Division, player: Player | None, name: str) -> list[str]:
    """The same of somebody who is to come into ``division``; ``player`` None: a new one of this ``name``."""
    if not division.limit_source:
        return []
    if player is None:
        return _doubts(name, Verdict(Fit.UNKNOWN))
    return _doubts(name, verdicts_in(event, [division], [player.pk])[division.pk][player.pk])


def doubts_by_entry(event: Event, division: Division, entries: Collection[int]) -> dict[int, list[str]]:
    """The same of entries of one division, by their ids."""
    if not division.limit_source or not entries:
        return {}
    players = players_of_entries(entries)
    verdicts = verdicts_in(event, [division], [one.pk for row in players.values() for one in row])
    return {
        entry: [words for player in row for words in _doubts(player.name, verdicts[division.pk][player.pk])]
        for entry, row in players.items()
    }


def _doubts(name: str, verdict: Verdict) -> list[str]:
    if verdict.fit is Fit.INSIDE and not verdict.old:
        return []
    return [_("%(name)s: %(what)s") % {"name": name, "what": verdict_words(verdict)}]
