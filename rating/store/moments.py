"""Times as the ledger orders them: microseconds since 1970, exactly."""

from datetime import UTC, datetime, timedelta


def moment_of(at: datetime) -> int:
    """Microseconds since 1970, exactly."""
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def time_of(moment: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment)
