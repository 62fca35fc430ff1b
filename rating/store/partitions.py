"""Tables of rating history: a common one, and on PostgreSQL a partition for each large rebuild."""

from django.db import connection, transaction

from rating.models.history import COMMON_PARTITION, Generation

# Lists with more results get a partition of their own when they are rebuilt on PostgreSQL.
OWN_PARTITION_ABOVE = 20_000


def is_postgresql() -> bool:
    return connection.vendor == "postgresql"


def partition_table(shelf: int) -> str:
    return "rating_change" if shelf == COMMON_PARTITION else f"rating_change_{int(shelf)}"


def add_partition(generation: Generation) -> None:
    """Create a table without indexes for the generation, which no reader sees yet.

    Its check constraint saves a scan when it is attached.
    """
    table = partition_table(generation.shelf)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TABLE {table} (LIKE rating_change, CHECK (shelf = {int(generation.shelf)}))")


def index_partition(generation: Generation) -> None:
    """Create the indexes of the generation's table.

    They do not begin with the generation, as the table has only one.
    """
    table = partition_table(generation.shelf)
    with transaction.atomic(), connection.cursor() as cursor:
        # For this transaction only: behind a pooler the connection is shared.
        cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
        cursor.execute(f"CREATE INDEX ON {table} (moment)")
        cursor.execute(f"CREATE UNIQUE INDEX ON {table} (player_id, fact_id)")


def attach_partition(generation: Generation) -> None:
    """Make the generation's table visible to readers from the end of this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"ALTER TABLE rating_change ATTACH PARTITION {partition_table(generation.shelf)}"
            f" FOR VALUES IN ({int(generation.shelf)})"
        )


def drop_partition(generation: Generation) -> None:
    """Drop the generation's table. Waits briefly for readers; if they take longer, the sweep tries again."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '500ms'")
        cursor.execute(f"DROP TABLE IF EXISTS {partition_table(generation.shelf)}")
