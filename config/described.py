"""The description of the API (OpenAPI 3.1) as values for a page: groups of operations, parameters, schemas.

Pure except for `describe_api`, which calls drf-spectacular once in a process. The usual viewers are not used:
they need scripts of a megabyte and inline styles, have no dark colors, and fail accessibility checks.
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
    """A part of the text that names a type; ``value``: name of the schema to which the part links, or ""."""

    text: str
    value: str = ""


TypeText = tuple[TypePart, ...]


@dataclass(frozen=True)
class Field:
    """A parameter of an operation, or a member of a schema.

    ``kind``: its type as text; ``says``: the description; ``place``: path, query or header; "" for members.
    """

    name: str
    kind: TypeText
    is_required: bool
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
    """An operation of the API. ``security_schemes``: alternative sets of credentials; an empty set: none are needed.

    ``bodies``: pairs of media type and type of the body.
    """

    key: str
    method: str
    path: str
    summary: str
    says: SafeString
    security_schemes: tuple[tuple[str, ...], ...]
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
    """A schema with a name: an object with ``fields``, or a simpler type, whose text is ``kind``."""

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
    security_schemes: tuple[SecurityScheme, ...]
    groups: tuple[Group, ...]
    values: tuple[NamedSchema, ...]


@cache
def describe_api() -> ApiDescription:
    """Return the description of this release's API, computed once in a process."""
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
    components = schema["components"]
    operations = tuple(_operations(schema))
    groups = (
        Group(
            tag["name"],
            markdown_html(tag.get("description")),
            tuple(operation for name, operation in operations if name == tag["name"]),
        )
        for tag in schema["tags"]
    )
    return ApiDescription(
        version=schema["info"]["version"],
        says=markdown_html(schema["info"].get("description")),
        security_schemes=tuple(
            SecurityScheme(name, scheme["in"], scheme["name"], markdown_html(scheme.get("description")))
            for name, scheme in components.get("securitySchemes", {}).items()
        ),
        groups=tuple(groups),
        values=tuple(
            _parse_named_schema(name, value) for name, value in sorted(components.get("schemas", {}).items())
        ),
    )


def _operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, Operation]]:
    """Yield all operations, each with the name of its group, in the order of their addresses."""
    default_security, components = schema.get("security", [{}]), schema["components"]
    for path, path_item in schema["paths"].items():
        for method in HTTP_METHODS:
            if (operation := path_item.get(method)) is None:
                continue
            bodies = operation.get("requestBody", {}).get("content", {})
            yield (
                operation["tags"][0],
                Operation(
                    key=operation["operationId"],
                    method=method.upper(),
                    path=path,
                    summary=operation.get("summary", ""),
                    says=markdown_html(
                        _without_summary(operation.get("description", ""), operation.get("summary", ""))
                    ),
                    security_schemes=tuple(
                        dict.fromkeys(
                            tuple(requirement) for requirement in operation.get("security", default_security)
                        )
                    ),
                    fields=tuple(_parse_parameter(field) for field in operation.get("parameters", ())),
                    bodies=tuple(
                        (media_type, type_text(media_object.get("schema", {})))
                        for media_type, media_object in bodies.items()
                    ),
                    answers=tuple(
                        _parse_response(status, response, components)
                        for status, response in operation["responses"].items()
                    ),
                ),
            )


def _without_summary(description: str, summary: str) -> str:
    """Return the description without its first sentence, if that is the summary."""
    return description.removeprefix(summary).lstrip(".") if summary else description


def _parse_response(status: str, response: Mapping[str, Any], components: Mapping[str, Any]) -> ApiResponse:
    if "$ref" in response:
        response = components["responses"][_reference_name(response["$ref"])]
    kinds = [
        type_text(media_object["schema"])
        for media_object in response.get("content", {}).values()
        if "schema" in media_object
    ]
    return ApiResponse(status, markdown_html(response.get("description")), kinds[0] if kinds else ())


def _parse_named_schema(name: str, schema: Mapping[str, Any]) -> NamedSchema:
    required = schema.get("required", ())
    fields = tuple(
        _parse_member(field, property_schema, required=field in required)
        for field, property_schema in schema.get("properties", {}).items()
    )
    return NamedSchema(
        name, markdown_html(schema.get("description")), fields, () if fields else type_text(schema)
    )


def _parse_parameter(parameter: Mapping[str, Any]) -> Field:
    schema = parameter.get("schema", {})
    return Field(
        parameter["name"],
        type_text(schema),
        bool(parameter.get("required")),
        markdown_html(parameter.get("description")),
        _limit_texts(schema),
        parameter["in"],
    )


def _parse_member(name: str, schema: Mapping[str, Any], *, required: bool) -> Field:
    return Field(
        name, type_text(schema), required, markdown_html(schema.get("description")), _limit_texts(schema)
    )


def _limit_texts(schema: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        template.format(schema[key] if schema[key] != "" else '""')
        for key, template in _LIMIT_LABELS.items()
        if schema.get(key) is not None
    )


def type_text(schema: Mapping[str, Any]) -> TypeText:
    """The type in words, with what leads to values that have a name.

    253,2 +253,2 @@ def type_text(schema: Mapping[str, Any]) -> TypeText:
        >>> "".join(piece.text for piece in type_text({"type": "array", "items": {"$ref": "#/components/schemas/Club"}}))
        'list of Club'
        >>> "".join(piece.text for piece in type_text({"type": ["string", "null"], "format": "date"}))
        'string (date) or null'
    """
    if "$ref" in schema:
        return (TypePart(_reference_name(schema["$ref"]), _reference_name(schema["$ref"])),)
    for combinator in ("anyOf", "oneOf", "allOf"):
        if combinator in schema:
            return _joined_types([type_text(subschema) for subschema in schema[combinator]])
    if "enum" in schema:
        literals = [_literal(value) for value in schema["enum"]]
        return (TypePart(" or ".join(literals) if len(literals) < 3 else ", ".join(literals)),)
    if isinstance(schema.get("type"), list):
        return _joined_types([type_text({**schema, "type": kind}) for kind in schema["type"]])
    if schema.get("type") == "null":
        return (TypePart("null"),)
    if schema.get("type") == "array":
        return (TypePart("list of "), *type_text(schema.get("items", {})))
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return (TypePart("object of "), *type_text(schema["additionalProperties"]))
    format_suffix = f" ({schema['format']})" if "format" in schema else ""
    return (TypePart(f"{schema.get('type', 'anything')}{format_suffix}"),)


def _joined_types(kinds: list[TypeText]) -> TypeText:
    parts: list[TypePart] = []
    for kind in dict.fromkeys(kinds):
        parts += [*([TypePart(" or ")] if parts else []), *kind]
    return tuple(parts)


def _literal(value: object) -> str:
    return "null" if value is None else f'"{value}"' if isinstance(value, str) else str(value)


def _reference_name(reference: str) -> str:
    return reference.rpartition("/")[2]


def markdown_html(text: str | None) -> SafeString:
    """The little Markdown of descriptions as HTML: paragraphs, lists of lines with a star, `code`, links within the site.

    >>> markdown_html("See [all](/api/v1/problems/): `a < b`")
    '<p>See <a href="/api/v1/problems/">all</a>: <code>a &lt; b</code></p>'
    """
    blocks = []
    for block in re.split(r"\n\s*\n", (text or "").strip()):
        lines = [
            _CODE.sub(r"<code>\1</code>", _LINK.sub(r'<a href="\2">\1</a>', escape(line.strip())))
            for line in block.splitlines()
        ]
        if lines and all(line.startswith("* ") for line in lines):
            blocks.append(f"<ul>{''.join(f'<li>{line[2:]}</li>' for line in lines)}</ul>")
        elif lines:
            blocks.append(f"<p>{' '.join(lines)}</p>")
    return mark_safe("".join(blocks))  # noqa: S308 (escaped line by line)
