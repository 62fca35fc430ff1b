"""API: staff notes: list, write, mark as done.

For directors, and for the event's assistants as far as they may read them.

200: done, 201: written, 403: not permitted, 404: not found, 409: too many open notes, 422: empty or too long.
"""

from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.actors import Actor
from people.api.answers import Answer, Moment, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from people.ids import new_public_id
from tournaments.desk.services.notes import set_note_status, write_note
from tournaments.models import DeskNote as Row
from tournaments.selectors.access.visibility import get_event_for_staff
from tournaments.selectors.desk_notes import staff_notes
from tournaments.shared.api.asking import SubmissionKeyField, helper_actor


class DeskNote(Answer, frozen=True):
    """A staff note."""

    id: str
    text: Annotated[str, field_description("Plain text with line breaks.")]
    author: Annotated[
        str | None, field_description("Null if the account was deleted or a program wrote the note.")
    ]
    at: Moment
    for_helpers: Annotated[bool, field_description("Whether the event's assistants can read it, too.")]
    done_at: Annotated[Moment | None, field_description("Null until it is done.")]
    done_by: str | None

    @classmethod
    def of(cls, note: Row) -> "DeskNote":
        return cls(
            id=note.public_id,
            text=note.text,
            author=Actor.of(note.author).label if note.author is not None else None,
            at=note.at,
            for_helpers=note.for_helpers,
            done_at=note.done_at,
            done_by=Actor.of(note.done_by).label if note.done_by is not None else None,
        )


class DeskNoteInput(serializers.Serializer[object]):
    """The text of a staff note, at most 500 characters. Assistants can read what an assistant writes."""

    text = serializers.CharField(max_length=5000, allow_blank=True)
    for_helpers = serializers.BooleanField(default=True)
    submission_key = SubmissionKeyField()


class NoteDoneInput(serializers.Serializer[object]):
    """State of the note: done, or open again."""

    done = serializers.BooleanField(default=True)


class DeskNotes(APIView):
    """List the staff notes of an event, newest first."""

    key_in_body = True
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_desk_notes", responses=response_schemas(list[DeskNote]))
    def get(self, request: Request, event: str) -> HttpResponse:
        found_event, as_helper = get_event_for_staff(request.user, event)
        role = "helper" if as_helper else "director"
        return versioned_answer(
            request,
            [found_event.notes_version],
            lambda: [DeskNote.of(note) for note in staff_notes(found_event, for_assistant=as_helper)],
            role=role,
        )

    @extend_schema(
        operation_id="events_write_desk_note",
        request=DeskNoteInput,
        responses=response_schemas(DeskNote, 201),
    )
    def post(self, request: Request, event: str) -> Response:
        """Write a staff note. The same key again returns the note that was written with it."""
        found_event, _helps = get_event_for_staff(request.user, event)
        body = parse_body(request, DeskNoteInput)
        key = body.pop("submission_key", "") or new_public_id()
        note = write_note(
            actor=helper_actor(request, found_event), event_id=found_event.pk, submission_key=key, **body
        )
        return Response(DeskNote.of(note), status=201)


class SettleDeskNote(APIView):
    """Mark a staff note as done, or open it again."""

    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="events_settle_desk_note", request=NoteDoneInput, responses=response_schemas(DeskNote)
    )
    def post(self, request: Request, event: str, note: str) -> Response:
        found_event, _helps = get_event_for_staff(request.user, event)
        row = set_note_status(
            actor=helper_actor(request, found_event),
            event_id=found_event.pk,
            note_id=note,
            **parse_body(request, NoteDoneInput),
        )
        return Response(DeskNote.of(row))
