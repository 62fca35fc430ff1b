"""Request bodies of the players table."""

from rest_framework import serializers

from people.api.parsers import PublicPageField
from tournaments.engine.columns import MAX_CHOICES, MAX_CUSTOM_FIELDS, CustomFieldKind
from tournaments.engine.matrix import CellRequest, CellState, CheckState
from tournaments.shared.api.asking import OverruleField, WhenFullField

MAX_CELLS = 4096  # per request
MAX_NEWCOMERS = 128


class CellInput(serializers.Serializer[object]):
    """One cell: ``player`` by ID, ``division`` by number, the state ``seen`` and the state ``wanted``."""

    player = serializers.CharField(max_length=16)
    division = serializers.IntegerField(min_value=1, max_value=99)
    seen = serializers.ChoiceField(choices=[one.value for one in CellState])
    wanted = serializers.ChoiceField(choices=[one.value for one in CellRequest])


class MarkInput(serializers.Serializer[object]):
    """A mark of a person: what you saw (``seen``), and whether to set it."""

    player = serializers.CharField(max_length=16)
    seen = serializers.ChoiceField(choices=[one.value for one in CheckState])
    wanted = serializers.BooleanField()


class NoteInput(serializers.Serializer[object]):
    """A note about a person, at most 500 characters: the text you saw (``seen``) and want (``wanted``)."""

    player = serializers.CharField(max_length=16)
    seen = serializers.CharField(allow_blank=True, max_length=500)
    wanted = serializers.CharField(allow_blank=True, max_length=500)


class ValueInput(serializers.Serializer[object]):
    """The value of a custom field: ID of the ``column``, what you saw (``seen``) and want (``wanted``)."""

    player = serializers.CharField(max_length=16)
    column = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    seen = serializers.CharField(allow_blank=True, max_length=80)
    wanted = serializers.CharField(allow_blank=True, max_length=80)


class ColumnInput(serializers.Serializer[object]):
    """A custom field; without an ``id`` it is a new one."""

    id = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**63 - 1)
    name = serializers.CharField(max_length=200)
    kind = serializers.ChoiceField(
        choices=[one.value for one in CustomFieldKind], default=CustomFieldKind.TEXT.value
    )
    choices = serializers.ListField(
        child=serializers.CharField(max_length=200), required=False, default=list, max_length=MAX_CHOICES
    )
    asked = serializers.BooleanField(default=False)
    printed = serializers.BooleanField(default=False)


class ColumnsInput(serializers.Serializer[object]):
    """All custom fields of the event, in order; a field that is left out is deleted with its values.
    ``seen``: the ``columns_version`` that you read; 409 if it has changed.
    """

    columns = serializers.ListField(child=ColumnInput(), max_length=MAX_CUSTOM_FIELDS)
    seen = serializers.CharField(max_length=64)
    until = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="Last time for players to change their values; null for until the event starts; leave out to keep the"
        " present setting.",
    )


class NewcomerInput(serializers.Serializer[object]):
    """A person without a row: ``player`` by ID, or ``name``, and the numbers of the divisions to enter."""

    player = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=160)
    public_page = PublicPageField()
    divisions = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=99), max_length=99
    )
    here = serializers.BooleanField(default=False)
    paid = serializers.BooleanField(default=False)


class MatrixInput(serializers.Serializer[object]):
    """All changes, made together or not at all."""

    cells = serializers.ListField(child=CellInput(), required=False, default=list, max_length=MAX_CELLS)
    here = serializers.ListField(child=MarkInput(), required=False, default=list, max_length=MAX_CELLS)
    paid = serializers.ListField(child=MarkInput(), required=False, default=list, max_length=MAX_CELLS)
    notes = serializers.ListField(child=NoteInput(), required=False, default=list, max_length=MAX_CELLS)
    values = serializers.ListField(child=ValueInput(), required=False, default=list, max_length=MAX_CELLS)
    new = serializers.ListField(child=NewcomerInput(), required=False, default=list, max_length=MAX_NEWCOMERS)
    overrule = OverruleField("Why entries outside the rating limits are accepted; kept in the audit log.")
    when_full = WhenFullField(
        "If no place is free or others are waiting: `ask` and `wait` put new entries on the waiting list; `add` adds a"
        " place beyond the limit. After the draw, for players ahead of the waiting list, and in a division that starts"
        " when full, `ask` rejects the changes with 409."
    )


class MatrixUndoInput(serializers.Serializer[object]):
    """The save to undo: ``last_save`` as you read it."""

    last_save = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
