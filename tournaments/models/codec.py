"""Strict JSON codecs for database columns, which convert no types: ``"3"`` is no number, 1 is not true."""

import json
import re
from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, TypeVar, get_args, get_origin

from cattrs import BaseConverter, BaseValidationError, Converter, ForbiddenExtraKeysError, transform_error
from cattrs.cols import homogenous_tuple_structure_factory

from faults import Fault

T = TypeVar("T")
_TYPE_FAULT_CODES: Final = {int: "field.whole", bool: "field.truth", str: "field.text", Decimal: "field.text"}
_DECIMAL: Final = re.compile(r"[0-9]{1,18}(\.[0-9]{1,6})?")


def strict_codec(*, forbid_extra_keys: bool) -> Converter:
    """Return a converter that accepts only values of the right type: numbers, booleans and text.

    ``forbid_extra_keys``: reject unknown keys. Enums are stored by value, and tuples as lists.
    """
    converter = Converter(forbid_extra_keys=forbid_extra_keys, unstruct_collection_overrides={tuple: list})
    for kind in (int, bool, str):
        converter.register_structure_hook(kind, _structure_exact)
    converter.register_structure_hook(Decimal, _structure_decimal)
    converter.register_structure_hook(StrEnum, _structure_enum)
    converter.register_structure_hook_factory(_is_tuple, _tuple_hook)
    converter.register_unstructure_hook(str, str)
    converter.register_unstructure_hook(Decimal, "{:f}".format)
    converter.register_unstructure_hook(StrEnum, str)
    return converter


def _structure_exact(value: object, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError(value)
    return value


def _structure_decimal(value: object, _kind: object) -> Decimal:
    """Parse a decimal from text only: amounts of money are never floats."""
    if not _DECIMAL.fullmatch(_structure_exact(value, str)):
        raise ValueError(value)
    return Decimal(_structure_exact(value, str))


def _structure_enum(value: object, kind: type[StrEnum]) -> StrEnum:
    return kind(_structure_exact(value, str))


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis


def _tuple_hook(kind: type[tuple[T, ...]], converter: BaseConverter) -> Callable[[Any, Any], Any]:
    structure_tuple = homogenous_tuple_structure_factory(kind, converter)

    def structured(value: object, as_kind: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise TypeError(value)
        return structure_tuple(value, as_kind)

    return structured


def codec_faults(error: BaseValidationError) -> tuple[Fault, ...]:
    """Return all errors that a codec found, each with the path of its field (``flights.0.rounds``)."""
    return tuple(map(_parse_fault, transform_error(error, format_exception=_format_fault)))


def _parse_fault(text: str) -> Fault:
    fault_json, _at, path = text.rpartition(" @ $")
    code, params = json.loads(fault_json)
    return Fault(code, re.sub(r"\[(\w+)\]", r".\1", path).strip(".") or None, params)


def _format_fault(error: BaseException, kind: Any) -> str:
    """Return an error of the codec as JSON: a code, and the parameters that say what is expected."""
    if isinstance(error, ForbiddenExtraKeysError):
        allowed_names = ", ".join(field.name for field in fields(error.cl))
        return json.dumps(
            ["field.unknown", {"name": ", ".join(sorted(error.extra_fields)), "allowed": allowed_names}]
        )
    if isinstance(error, KeyError):
        return json.dumps(["field.required", {}])
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return json.dumps(["field.choice", {"allowed": ", ".join(kind)}])
    if get_origin(kind) is tuple:
        return json.dumps(["field.not_a_list", {}])
    return json.dumps([_TYPE_FAULT_CODES.get(kind, "field.not_a_dict"), {}])
