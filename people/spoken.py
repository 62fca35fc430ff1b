"""Find explicitly set values: whether a player or director set something since, by the audit log.

Rows of the audit log keep the ids of the players they concern.
"""

from collections.abc import Collection, Mapping

from django.db.models import QuerySet

from people.models import AuditEntry
from people.services.consents import OWN_CONSENT_ACTIONS
from people.services.numbers import NUMBERS_ACTION


def players_with_set_numbers(players: Collection[int], *, excluded_ids: Collection[int]) -> set[int]:
    """Return which of ``players`` (ids) have numbers or outside ratings set by rows other than ``excluded_ids``."""
    rows = _rows(players, [NUMBERS_ACTION]).values_list("pk", "subject_id")
    return {player for pk, player in rows if player is not None and pk not in excluded_ids}


def players_with_set_consents(
    players: Collection[int], clubs: Mapping[str, str], *, excluded_ids: Collection[int]
) -> set[int]:
    """Return which of ``players`` chose, by rows other than ``excluded_ids``, about one of ``clubs`` on their page.

    ``clubs``: names by public id; rows of earlier releases have the club's name only.
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
