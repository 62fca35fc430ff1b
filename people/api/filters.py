"""Read and validate all parameters of a query string; invalid values are rejected (422).

A ``Query`` declares the parameters of one address, for reading and for the OpenAPI description. Unknown
parameters are rejected, too, because a misspelt filter would return everything. An empty value counts as
none.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from rest_framework import serializers
from rest_framework.request import Request

from faults import Fault, Invalid, Missing, raise_faults

T = TypeVar("T")
TEXT_LIMIT = 80
MAX_INTEGER = 2**31 - 1  # default limit of a number: the range of a database column


class Query(serializers.Serializer[object]):
    """The query parameters of one API address; subclasses declare them as fields."""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """Return the values of the parameters, as a dictionary keyed by parameter name.

        Raises ``Invalid`` with all errors found, each at its parameter.
        """
        query_params, known_names = request.query_params, list(cls().get_fields())
        faults = [
            Fault("filter.unknown", name, {"name": name[:TEXT_LIMIT], "allowed": ", ".join(known_names)})
            for name in query_params
            if name not in known_names
        ]
        faults += [Fault("filter.twice", name) for name in known_names if len(query_params.getlist(name)) > 1]
        serializer = cls(data={name: value for name, value in query_params.items() if value})
        if not serializer.is_valid():
            faults += [
                _parameter_fault(name, serializer.fields[name], errors[0].code)
                for name, errors in serializer.errors.items()
            ]
        raise_faults(faults)
        return dict(serializer.validated_data)


def choice_parameter(kind: Any, text: str) -> Any:
    """Return a field for a parameter that is one of the codes of ``kind``; "" if not given."""
    return serializers.ChoiceField(choices=[str(code) for code in kind], default="", help_text=text)


def text_parameter(text: str) -> Any:
    """Return a field for a text or id parameter; "" if not given."""
    return serializers.CharField(max_length=TEXT_LIMIT, default="", help_text=text)


def resolve_parameter(name: str, find: Callable[[], T]) -> T:
    """Return the result of ``find``.

    If it raises ``Missing``, raise ``Invalid`` (422) for the parameter ``name``.

    A 404 would mean that the address itself does not exist.
    """
    try:
        return find()
    except Missing as error:
        raise Invalid(faults=[fault.at(name) for fault in error.faults]) from error


def _parameter_fault(name: str, field: Any, error_code: str) -> Fault:
    """Return the fault for a rejected parameter, with the values or limits that are allowed."""
    if error_code == "required":
        return Fault("filter.missing", name, {"name": name})
    if isinstance(field, serializers.ChoiceField):
        return Fault("filter.choice", name, {"allowed": ", ".join(field.choices)})
    if isinstance(field, serializers.DateField):
        return Fault("filter.day", name)
    if isinstance(field, serializers.BooleanField):
        return Fault("filter.truth", name)
    if isinstance(field, serializers.CharField):
        return Fault("filter.text", name, {"limit": field.max_length})
    limits = {"least": field.min_value, "most": field.max_value}
    if field.max_value == MAX_INTEGER:
        return Fault("filter.whole_from", name, limits)
    return Fault(
        "filter.whole" if isinstance(field, serializers.IntegerField) else "filter.number", name, limits
    )
