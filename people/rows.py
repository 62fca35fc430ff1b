"""Read one row by its key."""

from typing import Any, TypeVar

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)
Row = TypeVar("Row")


def one_or_none(rows: "QuerySet[M, Row]") -> Row | None:
    """Return the row that a unique key names, or None.

    For queries that match several rows use ``first``: it orders them, which for one row adds a quarter of the
    cost.
    """
    first_rows: Any = rows.order_by()[:1]
    return next(iter(first_rows), None)
