"""Parsers of request bodies: JSON only, unless a view accepts files."""

import io
import json
import re
from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from names.public_page import PublicPage
from people.api.problems import TooLarge

# Half of a surrogate pair (RFC 8259, 8.2): Python reads it, but cannot encode it.
_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class BoundedJSONParser(JSONParser):
    """Parser of JSON up to the configured size; JSON nested too deeply and lone surrogates are rejected."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        content_length = str((parser_context or {})["request"].META.get("CONTENT_LENGTH") or "0")
        if not content_length.isdecimal() or int(content_length[:20]) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge
        raw = stream.read()
        try:
            parsed = super().parse(io.BytesIO(raw), media_type, parser_context)
            if _SURROGATE_ESCAPE.search(raw):
                json.dumps(parsed, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply") from error
        except UnicodeEncodeError as error:
            raise ParseError("JSON parse error - half a character") from error
        return parsed


@extend_schema_field(OpenApiTypes.BINARY)  # by default a file is described as an address, as in responses
class UploadedFileField(serializers.FileField):
    """A file in a multipart form."""


class PublicPageField(serializers.ChoiceField):
    """The optional ``public_page`` of a request body: from when a new player has a public page, if at all."""

    def __init__(self) -> None:
        super().__init__(
            choices=[choice.value for choice in PublicPage],
            required=False,
            default=PublicPage.WITH_DRAW.value,
            help_text=(
                "For a new player: `with_draw` once a draw with them is public; `now` if they agreed to it; `none` if"
                " their name should only appear in draws and tables."
            ),
        )
