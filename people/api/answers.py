"""What the API answers: one frozen value (``Answer``) for each answer, written to JSON and described by the same library.

A view says ``responses=answered(values.EventDetail)`` and gives ``Response(values.EventDetail(…))``. ``JSONRenderer`` writes
the value, and ``describe_answers`` puts the schema of its class into the API's description: names, types, what may be null,
codes of enums, the docstring. What the types do not say is said beside the field: ``Annotated[int, says("…")]``.
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
REF: Final = "#/components/schemas/{name}"

Url = Annotated[str, msgspec.Meta(extra_json_schema={"format": "uri"})]
# Always with its zone, in UTC.
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
# The same as text that must stay as it was written, for something is signed or hashed over it.
MomentText = Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]
_DESCRIBED_KINDS: Final[list[Any]] = []
_PAGE_NAME: Final = re.compile(r"\bPage_([A-Za-z]+)_(?![A-Za-z_])")


class Answer(msgspec.Struct, frozen=True):
    """Base of all answers: like a frozen dataclass with slots, and made and written four times as fast."""


def field_description(text: str) -> msgspec.Meta:
    """What a field means, where its name does not tell."""
    return msgspec.Meta(description=text)


def one_of(codes: Sequence[str]) -> msgspec.Meta:
    """Which codes a text may be, where they are no ``StrEnum``; an empty one means that there is none."""
    return msgspec.Meta(extra_json_schema={"enum": [str(code) for code in codes]})


def any_of(*kinds: Any) -> msgspec.Meta:
    """For a field that is one of several values which JSON does not tell apart by a type."""
    return msgspec.Meta(extra_json_schema={"anyOf": [schema_of(kind) for kind in kinds]})


def schema_of(kind: Any) -> Schema:
    """The schema of ``kind`` for one place of the description; what it refers to is added at the end."""
    _DESCRIBED_KINDS.append(kind)
    return _schemas([kind])[0][0]


def _schemas(kinds: Sequence[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """Of each kind, and of all that is inside them by name. A page of events is an ``EventPage``."""
    text = json.dumps(msgspec.json.schema_components(kinds, ref_template=REF))
    schemas, components = json.loads(_PAGE_NAME.sub(r"\1Page", text))
    return schemas, components


def response_schemas(kind: Any, *statuses: int) -> dict[Any, Any]:
    """For ``extend_schema``: ``kind`` is answered, with status 200 unless others are given."""
    return {status: schema_of(kind) for status in statuses or (200,)}


def describe_answers(result: Schema, **_: Any) -> Schema:
    """A hook of the description: adds every class that ``schema_of`` was asked for and all that is inside them.

    Raises ``LookupError`` where two things that differ have one name.
    """
    _of_each, components = _schemas(_DESCRIBED_KINDS)
    known = result["components"]["schemas"]
    for name, schema in components.items():
        if "enum" in schema:
            schema = {"type": "string", **schema}  # noqa: PLW2901  # all of ours are words
        if name in known and set(known[name].get("enum", ())) != set(schema.get("enum", [schema["title"]])):
            raise LookupError(f"two schemas are named {name}")
        known[name] = {part: value for part, value in schema.items() if part != "title"}
    result["components"]["schemas"] = dict(sorted(known.items()))
    return result


class JSONRenderer(renderers.JSONRenderer):
    """Answers to JSON, in UTF-8 and without blanks: dataclasses, and what the framework itself gives."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002 (the framework's signature)
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> bytes:
        return b"" if data is None else msgspec.json.encode(data, enc_hook=_encode_framework_value)


def _encode_framework_value(value: object) -> object:
    if isinstance(
        value, str | Promise
    ):  # a kind of text that only the framework knows, or a text to be translated
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def versioned_answer(
    request: Request, versions: Sequence[object], make: Callable[[], Any], *, role: str = ""
) -> HttpResponse:
    """``make()`` as JSON with an ETag, or a 304 without making it."""
    return versioned_response(request._request, versions, lambda: Response(make()), role=role)  # noqa: SLF001
