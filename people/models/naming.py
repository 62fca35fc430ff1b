"""Columns of names. What is read from one follows the audience (`people.audience`); what is written is the name itself.

In SQL the column becomes an expression, wherever it stands: in a select, a filter, an order. The attribute of an object follows the
audience as well: an object that a service read, or that came with a refusal, shows a page no more than that page may show. An object
that was read for another audience than ``FULL`` does not hold its own name, and refuses to write it.
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

from people.audience import FORMER, HIDDEN, Audience, names_for, present

if TYPE_CHECKING:
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField

COLUMNS: Final = {Audience.PUBLIC: "public_name", Audience.HALL: "hall_name"}
_HIDDEN = re.compile(rf"{HIDDEN}(\d*)")


def shown(name: str) -> str:
    """A stored name in the reader's words: of somebody hidden, of somebody erased."""
    return _in_words(name, get_language()) if HIDDEN in name or FORMER in name else name


@lru_cache(maxsize=4096)
def _in_words(name: str, _language: str | None) -> str:
    """Kept, as a draw says the same few again and again."""
    name = _HIDDEN.sub(
        lambda found: _("Player %(number)s") % {"number": found[1]} if found[1] else _("Hidden player"), name
    )
    return name.replace(FORMER, _("former player"))


class NameCol(Col):
    """A column of names inside SQL."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column = COLUMNS.get(present())
        if column is None:
            return super().as_sql(compiler, connection)
        quote: Callable[[str], str] = compiler.quote_name_unless_alias
        field = cast("NameField", self.target)
        return field.sql_for(f"{quote(self.alias)}.", column, connection), ()


class NameAttribute(DeferredAttribute):
    """The name of an object for the audience of the moment. An object that is not stored yet has the name that it was given."""

    field: "NameField"

    def __init__(self, field: "NameField") -> None:
        super().__init__(field)
        self.others = f"_{field.attname}_for_others"  # what was found for other audiences

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        if instance is None or self.field.attname not in instance.__dict__:
            return super().__get__(instance, cls)
        audience = present()
        if instance.named_for is audience or instance._state.adding:  # noqa: SLF001 (Django documents it)
            return instance.__dict__[self.field.attname]
        found = instance.__dict__.setdefault(self.others, {})
        if audience not in found:
            found[audience] = self.field.name_for(instance, audience)
        return found[audience]

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = value
        instance.__dict__.pop(self.others, None)


class NameField(_Text):
    """The name of a player, or of whatever else is called by one."""

    descriptor_class = NameAttribute

    def name_for(self, instance: Any, audience: Audience) -> str:
        """The name of a stored object that was read for another audience; where its columns do not tell it, the database is asked."""
        kept = instance.__dict__
        read, wanted = (
            kept.get(COLUMNS[one]) if one in COLUMNS else "" for one in (instance.named_for, audience)
        )
        if read == "" and wanted is not None:  # it holds its own name, and what others are shown
            return shown(wanted) if wanted else cast("str", kept[self.attname])
        return self._read_again(instance, audience)

    def _read_again(self, instance: Any, audience: Audience) -> str:
        """Of an object that is gone there is no name."""
        with names_for(audience):
            rows = type(instance)._base_manager.filter(pk=instance.pk)  # noqa: SLF001 (public API of Django models)
            return cast("str", rows.values_list(self.attname, flat=True).first() or shown(HIDDEN))

    def sql_for(self, table: str, column: str, connection: Any) -> str:  # noqa: ARG002
        """The name for an audience: that of ``column`` where there is one. ``table``: quoted, with its dot."""
        return f"CASE WHEN {table}{column} <> '' THEN {table}{column} ELSE {table}{self.column} END"

    def get_col(self, alias: Any, output_field: Any = None) -> Any:
        return NameCol(alias, self, output_field)

    @cached_property
    def cached_col(self) -> Any:
        return NameCol(self.model._meta.db_table, self)  # noqa: SLF001 (public API of Django models)

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> str | None:
        return shown(value) if value else value

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        if not add and getattr(model_instance, "named_for", Audience.FULL) is not Audience.FULL:
            message = f"{self.name} was read for others, and cannot be written back"
            raise RuntimeError(message)
        return model_instance.__dict__[self.attname]

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class ShutNameField(NameField):
    """The name of what operators can hide: for the public and the hall it has none while it is ``shut``."""

    def name_for(self, instance: Any, audience: Audience) -> str:
        if instance.shut and audience is not Audience.FULL:
            return ""
        if instance.shut and instance.named_for is not Audience.FULL:
            return self._read_again(instance, audience)
        return cast("str", instance.__dict__[self.attname])

    def sql_for(self, table: str, column: str, connection: Any) -> str:  # noqa: ARG002
        return f"CASE WHEN {table}shut <> '' THEN '' ELSE {table}{self.column} END"


class SearchField(NameField):
    """What searches look into; of a name that is not shown nothing but what is shown is found."""

    def sql_for(self, table: str, column: str, connection: Any) -> str:  # noqa: ARG002
        return f"CASE WHEN {table}{column} <> '' THEN LOWER({table}{column}) ELSE {table}{self.column} END"


class Named(models.Model):
    """Rows with a name: each remembers for whom it was read."""

    named_for: Audience = Audience.FULL

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: Any, field_names: Any, values: Any, **more: Any) -> Self:
        row = super().from_db(db, field_names, values, **more)
        row.named_for = present()
        return row

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        self.named_for = present()
