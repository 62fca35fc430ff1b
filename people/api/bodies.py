"""Read request bodies. An unknown field is rejected (400), so that a misspelt one is not ignored."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, TypeVar

import msgspec
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer, Field, ListField, ListSerializer, Serializer

from faults import Fault, Unreadable

TEXT_LIMIT = 80
MAX_FAULTS = 20  # per body
# Sent by browser forms for Django.
FORM_ONLY_FIELDS = frozenset({"csrfmiddlewaretoken"})


S = TypeVar("S", bound=Serializer[Any])


def parse_body(
    request: Request, schema: type[Serializer[Any]], answer: type[msgspec.Struct] | None = None
) -> dict[str, Any]:
    """Return the validated data of the request body, as a dictionary keyed by field name.

    ``answer``: for a PUT, the response class of a GET of the same address; fields that only the response has
    may be in the body and are ignored, so that a response can be changed and sent back. Raises ``Unreadable``
    (400, ``request.unknown_field``) for unknown fields, each with the nearest known name, and DRF's
    ``ValidationError`` with every other error at its field.
    """
    return dict(validated_serializer(request, schema, answer).validated_data)


def validated_serializer(request: Request, schema: type[S], answer: type[msgspec.Struct] | None = None) -> S:
    """Return the valid serializer of the request body, for callers that need more than the data.

    Arguments and errors as for ``parse_body``.
    """
    ignored_names = FORM_ONLY_FIELDS | (answer_field_names(answer) if answer is not None else frozenset())
    serializer = schema(data=request.data)
    faults = list(_unknown_field_faults(serializer, request.data, ignored_names))[:MAX_FAULTS]
    if faults:
        raise Unreadable(faults=faults)
    serializer.is_valid(raise_exception=True)
    return serializer


@cache
def answer_field_names(answer: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of all fields of a response class and of the classes nested in it."""
    _of_it, schemas = msgspec.json.schema_components([answer])
    return frozenset(name for schema in schemas.values() for name in schema.get("properties", ()))


def _unknown_field_faults(
    field: Field[Any, Any, Any, Any] | BaseSerializer[Any] | None,
    values: Any,
    ignored_names: frozenset[str],
    path: str = "",
) -> Iterator[Fault]:
    """Yield a fault for each name in ``values`` that ``field`` does not know, at its path in the body.

    Values of a wrong type are skipped: ``field`` itself rejects them.
    """
    if isinstance(field, Serializer) and isinstance(values, Mapping):
        for name in values:
            if name in field.fields:
                yield from _unknown_field_faults(
                    field.fields[name], values[name], ignored_names, f"{path}{name}."
                )
            elif name not in ignored_names:
                close_names = get_close_matches(str(name), field.fields, n=1, cutoff=0)
                params = {"name": str(name)[:TEXT_LIMIT], "nearest": close_names[0] if close_names else ""}
                yield Fault("request.unknown_field", f"{path}{str(name)[:TEXT_LIMIT]}", params)
    elif isinstance(field, ListField | ListSerializer) and isinstance(values, list):
        for number, value in enumerate(values):
            yield from _unknown_field_faults(field.child, value, ignored_names, f"{path}{number}.")
