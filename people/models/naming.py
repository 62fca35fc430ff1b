"""Name fields. Reading follows the audience (``people.audience``); writing stores the full name.

In SQL the column becomes an expression wherever it is used: in a select, a filter, an order. The attribute of
an object follows the audience, too: an object that a service has read, or a parameter of an error, shows on a
page no more than that page may show. An object read for another audience than ``FULL`` does not hold the full
name, and cannot be saved with it.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Self, cast

from django.db import models
from django.db.models.expressions import Col
from django.db.models.query_utils import DeferredAttribute
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from people.audience import FORMER_PLAYER_NAME, HIDDEN_MARKER, Audience, current_audience, override_audience

if TYPE_CHECKING:
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField

NAME_COLUMNS: Final = {Audience.PUBLIC: "public_name", Audience.HALL: "hall_name"}
_HIDDEN = re.compile(rf"{HIDDEN_MARKER}(\d*)")


def display_name(name: str) -> str:
    """Return a stored name as displayed: placeholders of hidden and erased players are translated."""
    return (
        _translate_placeholders(name, get_language())
        if HIDDEN_MARKER in name or FORMER_PLAYER_NAME in name
        else name
    )


@lru_cache(maxsize=4096)
def _translate_placeholders(name: str, _language: str | None) -> str:
    """Return ``name`` with its placeholders translated; cached, because a page repeats the same few."""
    name = _HIDDEN.sub(
        lambda match: _("Player %(number)s") % {"number": match[1]} if match[1] else _("Hidden player"), name
    )
    return name.replace(FORMER_PLAYER_NAME, _("former player"))


class NameCol(Col):
    """A name column in a query; its SQL gives the name for the current audience."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column = NAME_COLUMNS.get(current_audience())
        if column is None:
            return super().as_sql(compiler, connection)
        quote: Callable[[str], str] = compiler.quote_name_unless_alias
        field = cast("NameField", self.target)
        return field.sql_for(f"{quote(self.alias)}.", column, connection), ()


class NameAttribute(DeferredAttribute):
    """The attribute of a model object that returns its name for the current audience.

    Before the object is stored, it returns the name that was set.
    """

    field: "NameField"

    def __init__(self, field: "NameField") -> None:
        super().__init__(field)
        self.others = f"_{field.attname}_for_others"  # names found for other audiences

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        if instance is None or self.field.attname not in instance.__dict__:
            return super().__get__(instance, cls)
        audience = current_audience()
        if instance.named_for is audience or instance._state.adding:  # noqa: SLF001 (Django documents it)
            return instance.__dict__[self.field.attname]
        names_by_audience = instance.__dict__.setdefault(self.others, {})
        if audience not in names_by_audience:
            names_by_audience[audience] = self.field.name_for(instance, audience)
        return names_by_audience[audience]

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = value
        instance.__dict__.pop(self.others, None)


class NameField(_Text):
    """The name of a player or of another named row."""

    descriptor_class = NameAttribute

    def name_for(self, instance: Any, audience: Audience) -> str:
        """Return the name of ``instance``, which was read for another audience, for ``audience``.

        Makes a query if the columns that were read do not suffice.
        """
        attributes = instance.__dict__
        read_name, wanted_name = (
            attributes.get(NAME_COLUMNS[name_audience]) if name_audience in NAME_COLUMNS else ""
            for name_audience in (instance.named_for, audience)
        )
        if read_name == "" and wanted_name is not None:  # it holds its own name and that for others
            return display_name(wanted_name) if wanted_name else cast("str", attributes[self.attname])
        return self._reload_name(instance, audience)

    def _reload_name(self, instance: Any, audience: Audience) -> str:
        """Return the name read from the database; that of a hidden player if the row no longer exists."""
        with override_audience(audience):
            rows = type(instance)._base_manager.filter(pk=instance.pk)  # noqa: SLF001 (public API of Django models)
            return cast(
                "str", rows.values_list(self.attname, flat=True).first() or display_name(HIDDEN_MARKER)
            )

    def sql_for(self, table: str, column: str, connection: Any) -> str:  # noqa: ARG002
        """Return the SQL of the name for an audience: ``column`` unless it is empty, else the full name.

        ``table``: the quoted table with a dot after it.
        """
        return f"CASE WHEN {table}{column} <> '' THEN {table}{column} ELSE {table}{self.column} END"

    def get_col(self, alias: Any, output_field: Any = None) -> Any:
        return NameCol(alias, self, output_field)

    @cached_property
    def cached_col(self) -> Any:
        return NameCol(self.model._meta.db_table, self)  # noqa: SLF001 (public API of Django models)

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> str | None:
        return display_name(value) if value else value

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        if not add and getattr(model_instance, "named_for", Audience.FULL) is not Audience.FULL:
            message = f"{self.name} was read for others, and cannot be written back"
            raise RuntimeError(message)
        return model_instance.__dict__[self.attname]

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class RestrictedNameField(NameField):
    """A name that operators can restrict: while the row is ``shut``, only the audience ``FULL`` sees it."""

    def name_for(self, instance: Any, audience: Audience) -> str:
        if instance.shut and audience is not Audience.FULL:
            return ""
        if instance.shut and instance.named_for is not Audience.FULL:
            return self._reload_name(instance, audience)
        return cast("str", instance.__dict__[self.attname])

    def sql_for(self, table: str, column: str, connection: Any) -> str:  # noqa: ARG002
        return f"CASE WHEN {table}shut <> '' THEN '' ELSE {table}{self.column} END"


class SearchField(NameField):
    """The text of a name that searches use.

    Of an abbreviated or hidden name only what is displayed is found.
    """

    def sql_for(self, table: str, column: str, connection: Any) -> str:  # noqa: ARG002
        return f"CASE WHEN {table}{column} <> '' THEN LOWER({table}{column}) ELSE {table}{self.column} END"


class Named(models.Model):
    """A model with a name; ``named_for`` of each object is the audience for which the object was read."""

    named_for: Audience = Audience.FULL

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: Any, field_names: Any, values: Any, **more: Any) -> Self:
        row = super().from_db(db, field_names, values, **more)
        row.named_for = current_audience()
        return row

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        self.named_for = current_audience()
