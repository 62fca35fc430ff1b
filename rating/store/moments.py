"""Times as the ledger orders them: microseconds since 1970, exactly."""

from datetime import UTC, datetime, timedelta


def to_moment(at: datetime) -> int:
    """Microseconds since 1970, exactly."""
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def from_moment(moment: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment)
