"""Find, by the audit log, which players had values set explicitly by themselves or by a director.

Entries of the audit log keep the ids of the players they concern.
"""

from collections.abc import Collection, Mapping

from django.db.models import QuerySet

from people.models import AuditEntry
from people.services.consents import OWN_CONSENT_ACTIONS
from people.services.numbers import NUMBERS_ACTION


def players_with_set_numbers(players: Collection[int], *, excluded_ids: Collection[int]) -> set[int]:
    """Return the ids of those ``players`` whose federation numbers or outside ratings somebody has set.

    That is, who have an entry about them in the audit log. ``excluded_ids``: entries that do not count.
    """
    rows = _rows(players, [NUMBERS_ACTION]).values_list("pk", "subject_id")
    return {player for pk, player in rows if player is not None and pk not in excluded_ids}


def players_with_set_consents(
    players: Collection[int], clubs: Mapping[str, str], *, excluded_ids: Collection[int]
) -> set[int]:
    """Return the ids of those ``players`` who decided about one of ``clubs`` on their page.

    ``clubs``: names, keyed by public id; entries of earlier releases have the club's name only.
    ``excluded_ids``: entries of the audit log that do not count.
    """
    rows = _rows(players, OWN_CONSENT_ACTIONS).values_list("pk", "subject_id", "data")
    return {
        player
        for pk, player, data in rows
        if player is not None
        and pk not in excluded_ids
        and (data["id"] in clubs if "id" in data else data.get("club") in clubs.values())
    }


def _rows(players: Collection[int], actions: Collection[str]) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(subject_type="people.player", subject_id__in=players, action__in=actions)
