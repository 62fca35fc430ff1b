"""Responses of the API: frozen values (``Answer``), written to JSON and described in OpenAPI by msgspec.

A view declares ``responses=response_schemas(values.EventDetail)`` and returns
``Response(values.EventDetail(…))``. ``JSONRenderer`` writes the value. ``describe_answers`` adds the schema
of its class to the OpenAPI description: names, types, nullability, codes of enums, the docstring. What types
cannot express is added to the field: ``Annotated[int, field_description("…")]``.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from django.http import HttpResponse
from django.utils.functional import Promise
from rest_framework import renderers
from rest_framework.request import Request
from rest_framework.response import Response

from people.web.versioned import versioned_response

Schema: TypeAlias = dict[str, Any]
REFERENCE_TEMPLATE: Final = "#/components/schemas/{name}"

Url = Annotated[str, msgspec.Meta(extra_json_schema={"format": "uri"})]
# Always with a time zone, in UTC.
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
# The same as text, where it is part of a signature or hash and must stay as it was written.
MomentText = Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]
_DESCRIBED_KINDS: Final[list[Any]] = []
_PAGE_NAME: Final = re.compile(r"\bPage_([A-Za-z]+)_(?![A-Za-z_])")


class Answer(msgspec.Struct, frozen=True):
    """Base of all response schemas: like a frozen dataclass, but created and encoded four times as fast."""


def field_description(text: str) -> msgspec.Meta:
    """Return the description of a field whose name does not explain it."""
    return msgspec.Meta(description=text)


def one_of(codes: Sequence[str]) -> msgspec.Meta:
    """Return the description of a text field whose value is one of ``codes``; "" among them means no value.

    For codes that are no ``StrEnum``.
    """
    return msgspec.Meta(extra_json_schema={"enum": [str(code) for code in codes]})


def any_of(*kinds: Any) -> msgspec.Meta:
    """Return the schema of a field whose value has one of the types ``kinds``.

    JSON does not tell them apart.
    """
    return msgspec.Meta(extra_json_schema={"anyOf": [schema_of(kind) for kind in kinds]})


def schema_of(kind: Any) -> Schema:
    """Return the OpenAPI schema of the type ``kind``, to be used inside another schema.

    ``describe_answers`` adds the schemas that this schema refers to.
    """
    _DESCRIBED_KINDS.append(kind)
    return _schemas([kind])[0][0]


def _schemas(kinds: Sequence[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """Return the schema of each type, in order, and a dictionary, keyed by name, of schemas they refer to.

    A page of events is named ``EventPage``.
    """
    text = json.dumps(msgspec.json.schema_components(kinds, ref_template=REFERENCE_TEMPLATE))
    schemas, components = json.loads(_PAGE_NAME.sub(r"\1Page", text))
    return schemas, components


def response_schemas(kind: Any, *statuses: int) -> dict[Any, Any]:
    """Return ``responses`` for ``extend_schema``: the schema of ``kind`` for each status, default 200."""
    return {status: schema_of(kind) for status in statuses or (200,)}


def describe_answers(result: Schema, **_: Any) -> Schema:
    """Add all classes passed to ``schema_of``, and their components, to the OpenAPI description.

    A postprocessing hook. Raises ``LookupError`` if two different schemas have the same name.
    """
    _of_each, components = _schemas(_DESCRIBED_KINDS)
    schemas = result["components"]["schemas"]
    for name, schema in components.items():
        if "enum" in schema:
            schema = {"type": "string", **schema}  # noqa: PLW2901  # all of ours are words
        if name in schemas and set(schemas[name].get("enum", ())) != set(
            schema.get("enum", [schema["title"]])
        ):
            raise LookupError(f"two schemas are named {name}")
        schemas[name] = {key: value for key, value in schema.items() if key != "title"}
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


class JSONRenderer(renderers.JSONRenderer):
    """Write responses as compact UTF-8 JSON: ``Answer`` values, dataclasses and values of REST framework."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002 (the framework's signature)
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> bytes:
        return b"" if data is None else msgspec.json.encode(data, enc_hook=_encode_framework_value)


def _encode_framework_value(value: object) -> object:
    if isinstance(value, str | Promise):  # a string type of REST framework, or a text to be translated
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def versioned_answer(
    request: Request, versions: Sequence[object], make_answer: Callable[[], Any], *, role: str = ""
) -> HttpResponse:
    """Return ``make()`` as JSON with an ETag, or a 304 if the client has this version already.

    The ETag is computed from ``versions`` and ``role``; for a 304 ``make_answer`` is not called.
    """
    return versioned_response(request._request, versions, lambda: Response(make_answer()), role=role)  # noqa: SLF001
