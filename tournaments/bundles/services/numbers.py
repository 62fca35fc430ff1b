"""Numbers of rows travel as they are, so two sites that exchange bundles must not give out the same ones.

Whoever takes a bundle in counts on in a block of their own: a number by chance times 2^32, above all that is there. What the other site
gives out meanwhile comes from its own block. All stay below 2^53, which programs of every kind read exactly.
"""

import secrets
from collections.abc import Iterable
from typing import Final

from django.apps import apps
from django.db import connection, models

from tournaments.backups.services.tables import EXCLUDED_TABLES, Table, last_id, set_last_id, table_for_model

BLOCK_SIZE: Final = 1 << 32
_BLOCK_COUNT: Final = 1 << 21
_MAX_BLOCK_STEP: Final = 1 << 14  # at most so far above: there is room for a hundred times and more


def tables_with_ids() -> list[Table]:
    """All that give out numbers large enough. What ratings are computed into has small ones, and never travels in a bundle."""
    chosen = [
        one
        for one in apps.get_models(include_auto_created=True)
        if one._meta.app_label in _OWN_APPS and isinstance(one._meta.auto_field, models.BigAutoField)  # noqa: SLF001 (Django's own word for it)
    ]
    return [table for table in map(table_for_model, chosen) if table.name not in EXCLUDED_TABLES]


_OWN_APPS: Final = {"tournaments", "rating", "games", "people"}


def last_ids() -> dict[str, int]:
    """The last number that each table gave out."""
    return {table.name: last_id(table) for table in tables_with_ids()}


def separate_ids(before: dict[str, int], taken: Iterable[int]) -> None:
    """From now on give out numbers that no other site gives out, if numbers came in that ours could run into.

    ``before``: the `last_ids` before anything came in. PostgreSQL goes on counting where it was, SQLite above the largest number that is there.
    """
    ours = max(before.values(), default=0) // BLOCK_SIZE
    blocks = {number // BLOCK_SIZE for number in taken}
    if ours not in blocks and (connection.vendor == "postgresql" or ours > max(blocks, default=0)):
        return
    block = min(max(ours, *blocks) + 1 + secrets.randbelow(_MAX_BLOCK_STEP), _BLOCK_COUNT - 1)
    for name in before:
        set_last_id(name, block * BLOCK_SIZE)
