"""Check a record over the API: the verdict of `manage.py check_record --json`. Nothing is stored."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.verdict import RecordVerdict
from games.records.decoding import MAX_BYTES
from games.rules.formats import MAX_MATCH_LENGTH, MatchFormat
from games.rules.numbering import Numbering
from games.services import clean_filename
from games.services.checking import check_with_limits
from games.web.uploads import FORM_OVERHEAD_BYTES, CheckThrottle
from people.api.answers import response_schemas
from people.api.bodies import validated_serializer
from people.api.parsers import UploadedFileField
from people.api.problems import TooLarge


def is_announced_too_large(request: Request) -> bool:
    """Return whether the request's Content-Length exceeds the limit, before the body is read."""
    declared_length = request.META.get("CONTENT_LENGTH") or "0"
    return not declared_length.isdecimal() or int(declared_length) > MAX_BYTES + FORM_OVERHEAD_BYTES


class CheckRequest(serializers.Serializer[Any]):
    """A file and how to read it. Without `length` and `money`, the rules that the file states apply."""

    file = UploadedFileField(allow_empty_file=True, max_length=1000)
    length = serializers.IntegerField(required=False, min_value=1, max_value=MAX_MATCH_LENGTH)
    money = serializers.BooleanField(required=False, default=False)
    jacoby = serializers.BooleanField(required=False, default=False)
    beavers = serializers.BooleanField(required=False, default=False)
    numbering = serializers.ChoiceField(
        choices=[(numbering.value, numbering.value) for numbering in Numbering],
        required=False,
        default=Numbering.OWN.value,
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["money"] and "length" in attrs:
            raise serializers.ValidationError({"length": "Money play has no length."})
        if (attrs["jacoby"] or attrs["beavers"]) and not attrs["money"]:
            raise serializers.ValidationError("jacoby and beavers belong to money (R40, R41).")
        return attrs

    def match_format(self) -> MatchFormat | None:
        data = self.validated_data
        if data["money"]:
            return MatchFormat(jacoby=data["jacoby"], beavers=data["beavers"], raccoons=data["beavers"])
        return MatchFormat(length=data["length"]) if "length" in data else None


class CheckRecord(APIView):
    """Check a game record move by move."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (MultiPartParser,)
    throttle_classes = (CheckThrottle,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if is_announced_too_large(request):
            raise TooLarge
        super().initial(request, *args, **kwargs)

    @extend_schema(
        operation_id="records_check",
        request={"multipart/form-data": CheckRequest},
        responses=response_schemas(RecordVerdict),
        tags=["records"],
    )
    def post(self, request: Request) -> Response:
        """Check a game record move by move.

        A file that is not a game record also gets a normal response, with the `verdict` `unreadable`.
        """
        serializer = validated_serializer(request, CheckRequest)
        file = serializer.validated_data["file"]
        name = clean_filename(file.name or "")
        check_result = check_with_limits(
            file.read(MAX_BYTES + 1),
            name,
            serializer.match_format(),
            None,
            Numbering(serializer.validated_data["numbering"]),
        )
        return Response(RecordVerdict.of(check_result, name))
