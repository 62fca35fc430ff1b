"""API of the players table: status of all people in each division, changes, and undo of the last save.

For signed-in directors; assistants can read it without payments and notes, and check players in. 403: not
permitted. 404: not found. 409: a cell has changed since it was read (``matrix.stale``; ``present.cells``
names each with its ``field`` of the body), or the save cannot be undone. 422: invalid.
"""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from names.public_page import PublicPage
from people.api.answers import Answer, Moment, field_description, response_schemas
from people.api.bodies import parse_body
from people.api.filters import resolve_parameter
from people.models import Club
from people.permissions import may_direct
from people.selectors import player_for_club, refresh_row
from tournaments import models
from tournaments.engine.columns import CustomField, CustomFieldKind
from tournaments.engine.limits import LimitComparison
from tournaments.engine.matrix import CellState, CheckState
from tournaments.engine.new_entry import WhenFull
from tournaments.events.services.columns import set_custom_fields
from tournaments.matrix.api.cells import division_id_by_number, map_faults_to_body, parse_changes
from tournaments.matrix.api.inputs import ColumnsInput, MatrixInput, MatrixUndoInput
from tournaments.matrix.services.entering import Newcomer
from tournaments.matrix.services.saving import save_players_table
from tournaments.matrix.services.taking_back import undo_last_save
from tournaments.selectors.columns import custom_fields_version
from tournaments.selectors.matrix import last_save, load_players_table
from tournaments.selectors.matrix_limits import division_proposals, table_verdicts
from tournaments.selectors.matrix_undo import undo_exceptions_of_row
from tournaments.shared.api.asking import (
    director_actor,
    helper_actor,
    map_fault_fields,
)
from tournaments.shared.api.event_view import EventView


class MatrixDivision(Answer, frozen=True):
    """A column of the table."""

    number: int
    name: str
    have: Annotated[int, field_description("Number of places taken.")]
    room: Annotated[int | None, field_description("null without a limit.")]
    waiting: int
    open: Annotated[bool, field_description("Whether entries can be changed.")]
    free_lines: Annotated[
        int | None,
        field_description("Lines of a finished draw for late entries at random; null if it accepts none."),
    ]
    check_in: Annotated[bool, field_description("Whether there is a check-in today.")]


class MatrixCell(Answer, frozen=True):
    """The status of a person in a division."""

    division: Annotated[int, field_description("The number of the division.")]
    state: CellState
    entry: Annotated[str | None, field_description("ID of the entry.")]
    place: Annotated[int | None, field_description("On the waiting list, from 1.")]
    locked: Annotated[str, field_description("Why the cell cannot be changed; empty if it can.")]
    fit: Annotated[
        LimitComparison | None,
        field_description(
            "How the player's rating compares with the division's limits; null if it has none, or if you are an"
            " assistant."
        ),
    ]


class MatrixColumn(Answer, frozen=True):
    """A custom field. Only for directors."""

    id: int
    name: str
    kind: CustomFieldKind
    choices: list[str]
    asked: Annotated[bool, field_description("Whether players fill it in when they enter through the link.")]
    printed: Annotated[bool, field_description("Whether it is printed on the attendance list.")]


class MatrixValue(Answer, frozen=True):
    """The value of a custom field."""

    column: int
    value: str


class MatrixPerson(Answer, frozen=True):
    """A row of the table."""

    player: str
    name: str
    cells: list[MatrixCell]
    here: CheckState
    paid: Annotated[CheckState | None, field_description("Only for directors.")]
    note: Annotated[str | None, field_description("Only for directors.")]
    values: Annotated[
        list[MatrixValue], field_description("Values of the custom fields. Only for directors.")
    ]


class MatrixProposal(Answer, frozen=True):
    """The division that suits a person's ratings."""

    player: str
    into: Annotated[
        int | None,
        field_description("Number of the division; null if none, or if they are in the right one."),
    ]
    out_of: Annotated[list[int], field_description("Numbers of the divisions that they would leave for it.")]
    unknown: Annotated[bool, field_description("Whether no source of a limit has a rating.")]
    old: Annotated[bool, field_description("Whether the rating is more than a year old.")]


class EventMatrix(Answer, frozen=True):
    """All people with an entry in the event, by name."""

    divisions: list[MatrixDivision]
    columns: Annotated[
        list[MatrixColumn], field_description("The custom fields of the event. Only for directors.")
    ]
    columns_version: Annotated[
        str,
        field_description(
            "Send this as `seen` when you set the custom fields. Only for directors; otherwise empty."
        ),
    ]
    columns_until: Annotated[
        Moment | None,
        field_description("Last time for players to change their values; null if until the event starts."),
    ]
    people: list[MatrixPerson]
    proposals: Annotated[
        list[MatrixProposal],
        field_description(
            "Suggestions by the rating limits of the divisions. Only for directors; nothing is changed automatically."
        ),
    ]
    last_save: Annotated[int | None, field_description("ID of the last save, for undoing it.")]
    last_save_keeps: Annotated[
        list[str],
        field_description(
            "Names of players who would stay as they are if it were undone, because they have been notified. Only for"
            " directors."
        ),
    ]


class PlayersTableView(EventView):
    """Get the table of players and divisions."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_matrix", responses=response_schemas(EventMatrix))
    def get(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        helper_actor(request, visible.event)
        return Response(_players_table(request, visible.event))

    @extend_schema(
        operation_id="events_save_matrix", request=MatrixInput, responses=response_schemas(EventMatrix)
    )
    def post(self, request: Request, event: str) -> Response:
        """Change several cells of the table of players and divisions at once."""
        visible = self.get_visible_event(request, event)
        actor, body = helper_actor(request, visible.event), parse_body(request, MatrixInput)
        divisions = {
            column.number: column.division.pk for column in load_players_table(visible.event).columns
        }
        changes = parse_changes(body, divisions)
        newcomers = [
            _newcomer(visible.event.club, divisions, number, item) for number, item in enumerate(body["new"])
        ]
        with map_faults_to_body(changes, divisions):
            save_players_table(
                actor=actor,
                event_id=visible.event.pk,
                changes=list(changes.values()),
                new=newcomers,
                overrule=body["overrule"],
                when_full=WhenFull(body["when_full"]),
                new_when_full=WhenFull(body["when_full"]),
            )
        return Response(_players_table(request, visible.event))


class PlayersTableUndo(EventView):
    """Undo the last save of the table of players and divisions."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="events_undo_matrix", request=MatrixUndoInput, responses=response_schemas(EventMatrix)
    )
    def post(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        actor, body = director_actor(request, visible.event.club), parse_body(request, MatrixUndoInput)
        undo_last_save(actor=actor, event_id=visible.event.pk, audit_id=body["last_save"])
        return Response(_players_table(request, visible.event))


class CustomFieldsView(EventView):
    """Replace all custom fields of the event."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="events_set_columns", request=ColumnsInput, responses=response_schemas(EventMatrix)
    )
    def put(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        actor, body = (
            director_actor(request, visible.event.club),
            parse_body(request, ColumnsInput, EventMatrix),
        )
        columns = [
            CustomField(
                column["name"],
                CustomFieldKind(column["kind"]),
                tuple(column["choices"]),
                column["asked"],
                column["printed"],
                column["id"],
            )
            for column in body["columns"]
        ]
        until = body.get("until", "as it is")
        event_id, expected_version = visible.event.pk, body["seen"]
        with map_fault_fields(
            {"name": "columns", "name-#": "columns.#.name", "choices-#": "columns.#.choices"}
        ):
            # An unknown field is a fault of the body, not a 404.
            resolve_parameter(
                "columns",
                lambda: set_custom_fields(
                    actor=actor, event_id=event_id, columns=columns, seen=expected_version, until=until
                ),
            )
        return Response(_players_table(request, refresh_row(visible.event)))


def _newcomer(club: Club, divisions: dict[int, int], number: int, body: dict[str, Any]) -> Newcomer:
    player_id, path = body["player"], f"new.{number}"
    player = (
        resolve_parameter(f"{path}.player", lambda: player_for_club(club, player_id)) if player_id else None
    )
    return Newcomer(
        body["name"] or (player.name if player is not None else ""),
        player.pk if player is not None else None,
        tuple(
            division_id_by_number(divisions, division_number, f"{path}.divisions.{index}")
            for index, division_number in enumerate(body["divisions"])
        ),
        body["here"],
        body["paid"],
        field=f"{path}.name",
        public_page=PublicPage(body["public_page"]),
    )


def _players_table(request: Request, event: models.Event) -> EventMatrix:
    table, last, is_director = (
        load_players_table(event),
        last_save(event),
        may_direct(request.user, event.club),
    )
    verdicts = table_verdicts(event, table, table.people) if is_director else {}
    numbers = {column.division.pk: column.number for column in table.columns}
    return EventMatrix(
        divisions=[
            MatrixDivision(
                number=column.number,
                name=column.division.name,
                have=column.placed_count,
                room=column.division.capacity,
                waiting=column.waiting,
                open=column.open,
                free_lines=column.lines,
                check_in=column.check_in is not None,
            )
            for column in table.columns
        ],
        columns=[
            MatrixColumn(
                id=field.pk,
                name=field.name,
                kind=CustomFieldKind(field.kind),
                choices=list(field.choices),
                asked=field.asked,
                printed=field.printed,
            )
            for field in table.own
            if is_director
        ],
        columns_version=custom_fields_version(event) if is_director else "",
        columns_until=event.columns_until,
        people=[
            MatrixPerson(
                player=person.public_id,
                name=person.name,
                cells=[
                    MatrixCell(
                        division=column.number,
                        state=cell.state,
                        entry=cell.public_id or None,
                        place=cell.place,
                        locked=cell.lock_reason,
                        fit=verdicts[column.division.pk][person.pk].fit
                        if column.division.pk in verdicts
                        else None,
                    )
                    for column in table.columns
                    for cell in [person.cells[column.division.pk]]
                ],
                here=person.check_in_state,
                paid=person.paid if is_director else None,
                note=person.note if is_director else None,
                values=[MatrixValue(int(pk), value) for pk, value in person.custom_values.items()]
                if is_director
                else [],
            )
            for person in table.people
        ],
        proposals=[
            MatrixProposal(
                player=name,
                into=numbers[proposal.target_division] if proposal.target_division is not None else None,
                out_of=[numbers[pk] for pk in proposal.left_divisions],
                unknown=proposal.is_rating_unknown,
                old=proposal.is_rating_old,
            )
            for name, proposal in division_proposals(table, table.people, verdicts).items()
        ],
        last_save=last.pk if last is not None else None,
        last_save_keeps=list(undo_exceptions_of_row(event, last).names.values())
        if is_director and last is not None
        else [],
    )
