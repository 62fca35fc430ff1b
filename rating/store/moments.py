"""Convert times to moments and back. A moment is a time in exact microseconds since 1970."""

from datetime import UTC, datetime, timedelta


def to_moment(at: datetime) -> int:
    """Return the time in exact microseconds since 1970."""
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def from_moment(moment: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment)
