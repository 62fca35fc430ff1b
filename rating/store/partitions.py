"""Where history lies: one common table, and on PostgreSQL a partition for each large rebuild."""

from django.db import connection, transaction

from rating.models.history import COMMON_PARTITION, Generation

# A list of more results than this gets a partition of its own when it is rebuilt on PostgreSQL.
OWN_PARTITION_ABOVE = 20_000


def is_postgresql() -> bool:
    return connection.vendor == "postgresql"


def partition_table(shelf: int) -> str:
    return "rating_change" if shelf == COMMON_PARTITION else f"rating_change_{int(shelf)}"


def add_partition(generation: Generation) -> None:
    """A bare table that no reader sees yet. The check spares PostgreSQL a scan when it is attached."""
    table = partition_table(generation.shelf)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TABLE {table} (LIKE rating_change, CHECK (shelf = {int(generation.shelf)}))")


def index_partition(generation: Generation) -> None:
    """All of the partition is one generation's, so its indexes begin with what differs."""
    table = partition_table(generation.shelf)
    with transaction.atomic(), connection.cursor() as cursor:
        # For this transaction alone: behind a pooler the connection is somebody else's next.
        cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
        cursor.execute(f"CREATE INDEX ON {table} (moment)")
        cursor.execute(f"CREATE UNIQUE INDEX ON {table} (player_id, fact_id)")


def attach_partition(generation: Generation) -> None:
    """From the end of this transaction on readers find the partition."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"ALTER TABLE rating_change ATTACH PARTITION {partition_table(generation.shelf)}"
            f" FOR VALUES IN ({int(generation.shelf)})"
        )


def drop_partition(generation: Generation) -> None:
    """Throw a partition away. Waits briefly for readers; the sweep tries again when they were slower."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '500ms'")
        cursor.execute(f"DROP TABLE IF EXISTS {partition_table(generation.shelf)}")
