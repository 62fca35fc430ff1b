"""What is asked behind the “?” of an address: read whole, and refused (422) where it makes no sense.

A ``Query`` names the parameters of one address, for reading and for the API's description. What it does not know is refused,
too: a filter with a slip in its name would answer with everything. An empty value is the same as none.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from rest_framework import serializers
from rest_framework.request import Request

from faults import Fault, Invalid, Missing, raise_faults

T = TypeVar("T")
TEXT_LIMIT = 80
MAX_INTEGER = 2**31 - 1  # of a number that needs no limit of its own: what a database takes


class Query(serializers.Serializer[object]):
    """The parameters of one address."""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """What was asked, by name. Raises ``Invalid`` with every fault, each at its parameter."""
        given, known = request.query_params, list(cls().get_fields())
        faults = [
            Fault("filter.unknown", name, {"name": name[:TEXT_LIMIT], "allowed": ", ".join(known)})
            for name in given
            if name not in known
        ]
        faults += [Fault("filter.twice", name) for name in known if len(given.getlist(name)) > 1]
        form = cls(data={name: value for name, value in given.items() if value})
        if not form.is_valid():
            faults += [
                _parameter_fault(name, form.fields[name], errors[0].code)
                for name, errors in form.errors.items()
            ]
        raise_faults(faults)
        return dict(form.validated_data)


def choice_parameter(kind: Any, text: str) -> Any:
    """A parameter that is one of the codes of ``kind``; "" where it is not given."""
    return serializers.ChoiceField(choices=[str(code) for code in kind], default="", help_text=text)


def text_parameter(text: str) -> Any:
    """A parameter of words, or an id; "" where it is not given."""
    return serializers.CharField(max_length=TEXT_LIMIT, default="", help_text=text)


def resolve_parameter(name: str, find: Callable[[], T]) -> T:
    """What parameter ``name`` names; if there is none, the question makes no sense: 422, for 404 is the address's own."""
    try:
        return find()
    except Missing as missing:
        raise Invalid(faults=[fault.at(name) for fault in missing.faults]) from missing


def _parameter_fault(name: str, field: Any, error: str) -> Fault:
    """What is wrong with the parameter, in the words of what may stand there."""
    if error == "required":
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
