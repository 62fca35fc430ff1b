"""What all codecs of JSON in the database share: nothing is made to fit. ``"3"`` is no number, 1 is not true, a text is no list."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar, get_args, get_origin

from cattrs import BaseConverter, Converter
from cattrs.cols import homogenous_tuple_structure_factory

T = TypeVar("T")


def strict_codec(*, forbid_extra_keys: bool) -> Converter:
    """A converter that takes numbers, truth and text as they are, enums by their value, tuples from lists."""
    converter = Converter(forbid_extra_keys=forbid_extra_keys, unstruct_collection_overrides={tuple: list})
    for kind in (int, bool, str):
        converter.register_structure_hook(kind, _exactly)
    converter.register_structure_hook(StrEnum, _code)
    converter.register_structure_hook_factory(_is_tuple, _tuples)
    converter.register_unstructure_hook(str, str)
    converter.register_unstructure_hook(StrEnum, str)
    return converter


def _exactly(value: object, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError(value)
    return value


def _code(value: object, kind: type[StrEnum]) -> StrEnum:
    return kind(_exactly(value, str))


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis


def _tuples(kind: type[tuple[T, ...]], converter: BaseConverter) -> Callable[[Any, Any], Any]:
    each = homogenous_tuple_structure_factory(kind, converter)

    def structured(value: object, as_kind: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise TypeError(value)
        return each(value, as_kind)

    return structured
