"""Id ranges: ids stay the same in a bundle, so two sites must not assign the same ones.

After an import a site assigns ids from a block of its own: a random multiple of 2^32 above all existing ids.
The other site uses its own block. All ids stay below 2^53, which programs of every kind read exactly.
"""

import secrets
from collections.abc import Iterable
from typing import Final

from django.apps import apps
from django.db import connection, models

from tournaments.backups.services.tables import EXCLUDED_TABLES, Table, last_id, set_last_id, table_for_model

BLOCK_SIZE: Final = 1 << 32
_BLOCK_COUNT: Final = 1 << 21
_MAX_BLOCK_STEP: Final = 1 << 14  # limit of the step, which leaves room for more than a hundred steps


def tables_with_ids() -> list[Table]:
    """Return all tables whose ids bundles contain. Computed ratings have small ids and are in no bundle."""
    model_classes = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.app_label in _OWN_APPS and isinstance(model._meta.auto_field, models.BigAutoField)  # noqa: SLF001 (Django's own word for it)
    ]
    return [table for table in map(table_for_model, model_classes) if table.name not in EXCLUDED_TABLES]


_OWN_APPS: Final = {"tournaments", "rating", "games", "people"}


def last_ids() -> dict[str, int]:
    """Return the last id that each table assigned, keyed by table name."""
    return {table.name: last_id(table) for table in tables_with_ids()}


def separate_ids(previous_ids: dict[str, int], imported_ids: Iterable[int]) -> None:
    """Use a new block of ids if imported ids could collide with this site's.

    ``previous_ids``: the `last_ids` before the import. PostgreSQL continues from its sequence, SQLite above the
    largest id.
    """
    own_block = max(previous_ids.values(), default=0) // BLOCK_SIZE
    blocks = {number // BLOCK_SIZE for number in imported_ids}
    if own_block not in blocks and (connection.vendor == "postgresql" or own_block > max(blocks, default=0)):
        return
    block = min(max(own_block, *blocks) + 1 + secrets.randbelow(_MAX_BLOCK_STEP), _BLOCK_COUNT - 1)
    for name in previous_ids:
        set_last_id(name, block * BLOCK_SIZE)
