"""Kinds of columns: each has one neutral form in JSON, read from and written to either kind of database.

Times are UTC as Python writes them (``2026-11-23 20:15:00.250000``, without a fraction of zero), booleans are
0 and 1, bytes are base64, decimals and JSON are strings. The database itself converts most values, so a row
costs Python little.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final

from django.db.models import Field

Row = list[Any]

_KIND_BY_FIELD: Final = {
    "AutoField": "number",
    "BigAutoField": "number",
    "BigIntegerField": "number",
    "BinaryField": "bytes",
    "BooleanField": "truth",
    "CharField": "text",
    "DateField": "date",
    "DateTimeField": "moment",
    "DecimalField": "decimal",
    "FileField": "text",
    "FloatField": "float",
    "GenericIPAddressField": "address",
    "IntegerField": "number",
    "JSONField": "json",
    "PositiveBigIntegerField": "number",
    "PositiveIntegerField": "number",
    "PositiveSmallIntegerField": "number",
    "SmallIntegerField": "number",
    "TextField": "text",
    "TimeField": "clock",
}
_ZERO_MICROSECONDS: Final = "'.000000'"
_POSTGRESQL_SELECTS: Final = {
    "address": "host({0})",
    "clock": f"replace(to_char({{0}}, 'HH24:MI:SS.US'), {_ZERO_MICROSECONDS}, '')",
    "date": "to_char({0}, 'YYYY-MM-DD')",
    "decimal": "{0}::text",
    "json": "{0}::text",
    "moment": f"replace(to_char({{0}} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), {_ZERO_MICROSECONDS}, '')",
    "truth": "{0}::int",
}
# An expression has no declared type, so Django's converters leave it alone.
_SQLITE_SELECTS: Final = {
    "clock": "CAST({0} AS TEXT)",
    "date": "CAST({0} AS TEXT)",
    "decimal": "{0} + 0",
    "moment": "CAST({0} AS TEXT)",
    "truth": "{0} + 0",
}


def column_kind(field: "Field[Any, Any]") -> str:
    """Return the kind of a field's column; of a relation the kind of the column that it refers to.

    Raises ``KeyError`` for an unknown field type.
    """
    while field.remote_field is not None:
        field = field.target_field  # type: ignore[attr-defined]
    kind = _KIND_BY_FIELD[field.get_internal_type()]
    return f"decimal.{field.decimal_places}" if kind == "decimal" else kind  # type: ignore[attr-defined]


def select_expression(kind: str, column: str, vendor: str) -> str:
    """Return SQL that selects a column in its neutral form, or nearly so (`row_reader` does the rest).

    ``column``: quoted name; ``vendor``: of the database.
    """
    templates = _POSTGRESQL_SELECTS if vendor == "postgresql" else _SQLITE_SELECTS
    return templates.get(kind.partition(".")[0], "{0}").format(column)


def row_reader(kinds: Sequence[str]) -> Callable[[Sequence[Any]], Row] | None:
    """Return a function that converts a selected row to neutral values; None if no value needs it."""
    converters = [(index, _value_reader(kind)) for index, kind in enumerate(kinds) if _needs_conversion(kind)]
    return _row_converter(converters) if converters else None


def row_writer(kinds: Sequence[str]) -> Callable[[Sequence[Any]], Row] | None:
    """Return a function that converts neutral values to those of the database; None if no value needs it."""
    converters = [(index, b64decode) for index, kind in enumerate(kinds) if kind == "bytes"]
    return _row_converter(converters) if converters else None


def _needs_conversion(kind: str) -> bool:
    return kind == "bytes" or kind.startswith("decimal")


def _value_reader(kind: str) -> Callable[[Any], str]:
    if kind == "bytes":
        return lambda value: b64encode(value).decode()
    unit = Decimal(1).scaleb(-int(kind.partition(".")[2]))
    return lambda value: str(Decimal(str(value)).quantize(unit))


def _row_converter(converters: Sequence[tuple[int, Callable[[Any], Any]]]) -> Callable[[Sequence[Any]], Row]:
    def changed(row: Sequence[Any]) -> Row:
        new_row = list(row)
        for index, convert in converters:
            if new_row[index] is not None:
                new_row[index] = convert(new_row[index])
        return new_row

    return changed
