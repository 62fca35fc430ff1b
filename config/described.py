"""The description of the API (OpenAPI 3.1) as values for a page: groups of operations, parameters, schemas.

Pure except for `describe_api`, which calls drf-spectacular once per process. Known viewers are not used: they
need scripts of a megabyte and inline styles, have no dark colors, and fail accessibility checks.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator

HTTP_METHODS = ("get", "post", "put", "patch", "delete")
_CODE = re.compile(r"``?([^`]+)``?")
_LINK = re.compile(r"\[([^\]]+)\]\((/[^)\s]*)\)")
_LIMIT_LABELS = {
    "minimum": "from {}",
    "maximum": "to {}",
    "exclusiveMinimum": "above {}",
    "exclusiveMaximum": "below {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "pattern: {}",
    "default": "default: {}",
}


@dataclass(frozen=True)
class TypePart:
    """A part of a type's text; ``value`` names the schema that it links to."""

    text: str
    value: str = ""


TypeText = tuple[TypePart, ...]


@dataclass(frozen=True)
class Field:
    """A parameter, or a member of a schema. ``place``: path, query or header; empty for members."""

    name: str
    kind: TypeText
    needed: bool
    says: SafeString
    limits: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True)
class ApiResponse:
    status: str
    says: SafeString
    kind: TypeText


@dataclass(frozen=True)
class Operation:
    """An operation. ``ways``: alternative sets of credentials; an empty one means that none are needed."""

    key: str
    method: str
    path: str
    summary: str
    says: SafeString
    ways: tuple[tuple[str, ...], ...]
    fields: tuple[Field, ...]
    bodies: tuple[tuple[str, TypeText], ...]
    answers: tuple[ApiResponse, ...]


@dataclass(frozen=True)
class Group:
    name: str
    says: SafeString
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class NamedSchema:
    """A schema with a name: an object with fields, or a simpler type described by ``kind``."""

    name: str
    says: SafeString
    fields: tuple[Field, ...]
    kind: TypeText


@dataclass(frozen=True)
class SecurityScheme:
    """A header or cookie by which a client authenticates."""

    name: str
    place: str
    key: str
    says: SafeString


@dataclass(frozen=True)
class ApiDescription:
    version: str
    says: SafeString
    ways: tuple[SecurityScheme, ...]
    groups: tuple[Group, ...]
    values: tuple[NamedSchema, ...]


@cache
def describe_api() -> ApiDescription:
    """Return the description of this release, computed once per process."""
    with override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]
        return parse_schema(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


def parse_schema(schema: Mapping[str, Any]) -> ApiDescription:
    """
    >>> part = {"info": {"version": "1"}, "tags": [{"name": "clubs"}], "components": {},
    ...         "paths": {"/clubs/": {"get": {"operationId": "c", "tags": ["clubs"], "responses": {}}}}}
    >>> parse_schema(part).groups[0].operations[0].path
    '/clubs/'
    """
    parts = schema["components"]
    everything = tuple(_operations(schema))
    groups = (
        Group(
            tag["name"],
            markdown_html(tag.get("description")),
            tuple(o for name, o in everything if name == tag["name"]),
        )
        for tag in schema["tags"]
    )
    return ApiDescription(
        version=schema["info"]["version"],
        says=markdown_html(schema["info"].get("description")),
        ways=tuple(
            SecurityScheme(name, way["in"], way["name"], markdown_html(way.get("description")))
            for name, way in parts.get("securitySchemes", {}).items()
        ),
        groups=tuple(groups),
        values=tuple(
            _parse_named_schema(name, value) for name, value in sorted(parts.get("schemas", {}).items())
        ),
    )


def _operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, Operation]]:
    """Operations with the name of their group, by address."""
    usual, parts = schema.get("security", [{}]), schema["components"]
    for path, under in schema["paths"].items():
        for method in HTTP_METHODS:
            if (one := under.get(method)) is None:
                continue
            bodies = one.get("requestBody", {}).get("content", {})
            yield (
                one["tags"][0],
                Operation(
                    key=one["operationId"],
                    method=method.upper(),
                    path=path,
                    summary=one.get("summary", ""),
                    says=markdown_html(_without_summary(one.get("description", ""), one.get("summary", ""))),
                    ways=tuple(dict.fromkeys(tuple(way) for way in one.get("security", usual))),
                    fields=tuple(_parse_parameter(field) for field in one.get("parameters", ())),
                    bodies=tuple(
                        (media, type_text(part.get("schema", {}))) for media, part in bodies.items()
                    ),
                    answers=tuple(
                        _parse_response(status, part, parts) for status, part in one["responses"].items()
                    ),
                ),
            )


def _without_summary(description: str, summary: str) -> str:
    """The description without its first sentence if that is the summary."""
    return description.removeprefix(summary).lstrip(".") if summary else description


def _parse_response(status: str, part: Mapping[str, Any], parts: Mapping[str, Any]) -> ApiResponse:
    if "$ref" in part:
        part = parts["responses"][_reference_name(part["$ref"])]
    kinds = [type_text(one["schema"]) for one in part.get("content", {}).values() if "schema" in one]
    return ApiResponse(status, markdown_html(part.get("description")), kinds[0] if kinds else ())


def _parse_named_schema(name: str, part: Mapping[str, Any]) -> NamedSchema:
    needed = part.get("required", ())
    fields = tuple(
        _parse_member(field, one, needed=field in needed) for field, one in part.get("properties", {}).items()
    )
    return NamedSchema(
        name, markdown_html(part.get("description")), fields, () if fields else type_text(part)
    )


def _parse_parameter(part: Mapping[str, Any]) -> Field:
    schema = part.get("schema", {})
    return Field(
        part["name"],
        type_text(schema),
        bool(part.get("required")),
        markdown_html(part.get("description")),
        _limit_texts(schema),
        part["in"],
    )


def _parse_member(name: str, part: Mapping[str, Any], *, needed: bool) -> Field:
    return Field(name, type_text(part), needed, markdown_html(part.get("description")), _limit_texts(part))


def _limit_texts(part: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        words.format(part[key] if part[key] != "" else '""')
        for key, words in _LIMIT_LABELS.items()
        if part.get(key) is not None
    )


def type_text(part: Mapping[str, Any]) -> TypeText:
    """The type in words, with what leads to values that have a name.

    >>> "".join(piece.text for piece in type_text({"type": "array", "items": {"$ref": "#/components/schemas/Club"}}))
    'list of Club'
    >>> "".join(piece.text for piece in type_text({"type": ["string", "null"], "format": "date"}))
    'string (date) or null'
    """
    if "$ref" in part:
        return (TypePart(_reference_name(part["$ref"]), _reference_name(part["$ref"])),)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in part:
            return _joined_types([type_text(one) for one in part[several]])
    if "enum" in part:
        words = [_literal(one) for one in part["enum"]]
        return (TypePart(" or ".join(words) if len(words) < 3 else ", ".join(words)),)
    if isinstance(part.get("type"), list):
        return _joined_types([type_text({**part, "type": one}) for one in part["type"]])
    if part.get("type") == "null":
        return (TypePart("null"),)
    if part.get("type") == "array":
        return (TypePart("list of "), *type_text(part.get("items", {})))
    if part.get("type") == "object" and isinstance(part.get("additionalProperties"), Mapping):
        return (TypePart("object of "), *type_text(part["additionalProperties"]))
    form = f" ({part['format']})" if "format" in part else ""
    return (TypePart(f"{part.get('type', 'anything')}{form}"),)


def _joined_types(kinds: list[TypeText]) -> TypeText:
    found: list[TypePart] = []
    for kind in dict.fromkeys(kinds):
        found += [*([TypePart(" or ")] if found else []), *kind]
    return tuple(found)


def _literal(one: object) -> str:
    return "null" if one is None else f'"{one}"' if isinstance(one, str) else str(one)


def _reference_name(reference: str) -> str:
    return reference.rpartition("/")[2]


def markdown_html(words: str | None) -> SafeString:
    """The little Markdown of descriptions as HTML: paragraphs, lists of lines with a star, `code`, links within the site.

    >>> markdown_html("See [all](/api/v1/problems/): `a < b`")
    '<p>See <a href="/api/v1/problems/">all</a>: <code>a &lt; b</code></p>'
    """
    blocks = []
    for block in re.split(r"\n\s*\n", (words or "").strip()):
        lines = [
            _CODE.sub(r"<code>\1</code>", _LINK.sub(r'<a href="\2">\1</a>', escape(line.strip())))
            for line in block.splitlines()
        ]
        if lines and all(line.startswith("* ") for line in lines):
            blocks.append(f"<ul>{''.join(f'<li>{line[2:]}</li>' for line in lines)}</ul>")
        elif lines:
            blocks.append(f"<p>{' '.join(lines)}</p>")
    return mark_safe("".join(blocks))  # noqa: S308 (escaped line by line)
