"""The description of the API (OpenAPI 3.1) as values that a page can show: groups of operations, the values they take and give.

Pure but for `describe`, which asks drf-spectacular once in a process. A page of our own and not one of the known viewers: those need scripts of a
megabyte and styles inside the page, know no dark colours, and checkers of accessibility find a hundred faults in them.
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

METHODS = ("get", "post", "put", "patch", "delete")
_CODE = re.compile(r"``?([^`]+)``?")
_LINK = re.compile(r"\[([^\]]+)\]\((/[^)\s]*)\)")
_LIMITS = {
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
class Piece:
    """Words of a type; ``value`` names the value that they lead to."""

    text: str
    value: str = ""


Kind = tuple[Piece, ...]


@dataclass(frozen=True)
class Field:
    """A parameter, or a member of a value. ``place``: path, query or header; empty for members."""

    name: str
    kind: Kind
    needed: bool
    says: SafeString
    limits: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True)
class Answer:
    status: str
    says: SafeString
    kind: Kind


@dataclass(frozen=True)
class Operation:
    """``ways``: for each way to be let in what is sent together; an empty one is for anybody."""

    key: str
    method: str
    path: str
    summary: str
    says: SafeString
    ways: tuple[tuple[str, ...], ...]
    fields: tuple[Field, ...]
    bodies: tuple[tuple[str, Kind], ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Group:
    name: str
    says: SafeString
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class Value:
    """A schema with a name: an object with fields, or something simpler that ``kind`` tells."""

    name: str
    says: SafeString
    fields: tuple[Field, ...]
    kind: Kind


@dataclass(frozen=True)
class Way:
    """What somebody sends to be known: a header or cookie of this name."""

    name: str
    place: str
    key: str
    says: SafeString


@dataclass(frozen=True)
class Description:
    version: str
    says: SafeString
    ways: tuple[Way, ...]
    groups: tuple[Group, ...]
    values: tuple[Value, ...]


@cache
def describe() -> Description:
    """The description of this release, which does not change while a process runs."""
    with override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]
        return read(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


def read(schema: Mapping[str, Any]) -> Description:
    """
    >>> part = {"info": {"version": "1"}, "tags": [{"name": "clubs"}], "components": {},
    ...         "paths": {"/clubs/": {"get": {"operationId": "c", "tags": ["clubs"], "responses": {}}}}}
    >>> read(part).groups[0].operations[0].path
    '/clubs/'
    """
    parts = schema["components"]
    everything = tuple(_operations(schema))
    groups = (
        Group(
            tag["name"],
            as_html(tag.get("description")),
            tuple(o for name, o in everything if name == tag["name"]),
        )
        for tag in schema["tags"]
    )
    return Description(
        version=schema["info"]["version"],
        says=as_html(schema["info"].get("description")),
        ways=tuple(
            Way(name, way["in"], way["name"], as_html(way.get("description")))
            for name, way in parts.get("securitySchemes", {}).items()
        ),
        groups=tuple(groups),
        values=tuple(_value(name, value) for name, value in sorted(parts.get("schemas", {}).items())),
    )


def _operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, Operation]]:
    """Each with the name of its group, addresses in their order."""
    usual, parts = schema.get("security", [{}]), schema["components"]
    for path, under in schema["paths"].items():
        for method in METHODS:
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
                    says=as_html(_without(one.get("description", ""), one.get("summary", ""))),
                    ways=tuple(dict.fromkeys(tuple(way) for way in one.get("security", usual))),
                    fields=tuple(_field(field) for field in one.get("parameters", ())),
                    bodies=tuple((media, kind_of(part.get("schema", {}))) for media, part in bodies.items()),
                    answers=tuple(_answer(status, part, parts) for status, part in one["responses"].items()),
                ),
            )


def _without(description: str, summary: str) -> str:
    """The description without the first sentence, where that is the summary."""
    return description.removeprefix(summary).lstrip(".") if summary else description


def _answer(status: str, part: Mapping[str, Any], parts: Mapping[str, Any]) -> Answer:
    if "$ref" in part:
        part = parts["responses"][_last(part["$ref"])]
    kinds = [kind_of(one["schema"]) for one in part.get("content", {}).values() if "schema" in one]
    return Answer(status, as_html(part.get("description")), kinds[0] if kinds else ())


def _value(name: str, part: Mapping[str, Any]) -> Value:
    needed = part.get("required", ())
    fields = tuple(
        _member(field, one, needed=field in needed) for field, one in part.get("properties", {}).items()
    )
    return Value(name, as_html(part.get("description")), fields, () if fields else kind_of(part))


def _field(part: Mapping[str, Any]) -> Field:
    schema = part.get("schema", {})
    return Field(
        part["name"],
        kind_of(schema),
        bool(part.get("required")),
        as_html(part.get("description")),
        _limits(schema),
        part["in"],
    )


def _member(name: str, part: Mapping[str, Any], *, needed: bool) -> Field:
    return Field(name, kind_of(part), needed, as_html(part.get("description")), _limits(part))


def _limits(part: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        words.format(part[key] if part[key] != "" else '""')
        for key, words in _LIMITS.items()
        if part.get(key) is not None
    )


def kind_of(part: Mapping[str, Any]) -> Kind:
    """The type in words, with what leads to values that have a name.

    >>> "".join(piece.text for piece in kind_of({"type": "array", "items": {"$ref": "#/components/schemas/Club"}}))
    'list of Club'
    >>> "".join(piece.text for piece in kind_of({"type": ["string", "null"], "format": "date"}))
    'string (date) or null'
    """
    if "$ref" in part:
        return (Piece(_last(part["$ref"]), _last(part["$ref"])),)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in part:
            return _one_of([kind_of(one) for one in part[several]])
    if "enum" in part:
        words = [_literal(one) for one in part["enum"]]
        return (Piece(" or ".join(words) if len(words) < 3 else ", ".join(words)),)
    if isinstance(part.get("type"), list):
        return _one_of([kind_of({**part, "type": one}) for one in part["type"]])
    if part.get("type") == "null":
        return (Piece("null"),)
    if part.get("type") == "array":
        return (Piece("list of "), *kind_of(part.get("items", {})))
    if part.get("type") == "object" and isinstance(part.get("additionalProperties"), Mapping):
        return (Piece("object of "), *kind_of(part["additionalProperties"]))
    form = f" ({part['format']})" if "format" in part else ""
    return (Piece(f"{part.get('type', 'anything')}{form}"),)


def _one_of(kinds: list[Kind]) -> Kind:
    found: list[Piece] = []
    for kind in dict.fromkeys(kinds):
        found += [*([Piece(" or ")] if found else []), *kind]
    return tuple(found)


def _literal(one: object) -> str:
    return "null" if one is None else f'"{one}"' if isinstance(one, str) else str(one)


def _last(reference: str) -> str:
    return reference.rpartition("/")[2]


def as_html(words: str | None) -> SafeString:
    """The little Markdown of descriptions as HTML: paragraphs, lists of lines with a star, `code`, links within the site.

    >>> as_html("See [all](/api/v1/problems/): `a < b`")
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
