"""How a body is read: JSON and nothing else, unless a view takes files."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from people.api.problems import TooLarge


class BoundedJSONParser(JSONParser):
    """JSON nested deeper than Python reads is malformed like any other, not a fault of ours; and nobody sends megabytes of it."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        announced = str((parser_context or {})["request"].META.get("CONTENT_LENGTH") or "0")
        if not announced.isdecimal() or int(announced[:20]) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply") from error


@extend_schema_field(OpenApiTypes.BINARY)  # for its maker a file is an address, as in an answer
class FileSent(serializers.FileField):
    """A file beside the other parts of a form."""
