"""Values of the API as JSON and as schemas."""

import pytest
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import ErrorDetail

from people.api.answers import JSONRenderer, describe_answers, schema_of
from people.api.pages import Page
from tournaments.engine.types import Side
from tournaments.hall.api import HallTable
from tournaments.repairs.api import Move
from tournaments.site.api.values import Club


def described():
    return describe_answers({"components": {"schemas": {}}})["components"]["schemas"]


def test_value_when_described_then_names_types_null_codes_and_words():
    assert schema_of(list[HallTable]) == {
        "type": "array",
        "items": {"$ref": "#/components/schemas/HallTable"},
    }
    assert described()["HallTable"] == {
        "description": "A table of the event, whether it is in use, and the match at the table.",
        "type": "object",
        "properties": {
            "table": {"type": "integer"},
            "in_use": {"type": "boolean"},
            "match": {
                "description": "ID of the match at the table.",
                "anyOf": [{"type": "string"}, {"type": "null"}],
            },
        },
        "required": ["table", "in_use", "match"],
    }
    assert described()["Move"]["properties"]["side"] == {"$ref": "#/components/schemas/Side"}
    assert (described()["Side"]["type"], described()["Side"]["enum"]) == ("string", ["a", "b"])


def test_page_when_described_then_named_after_its_rows():
    assert schema_of(Page[Club]) == {"$ref": "#/components/schemas/ClubPage"}
    assert described()["ClubPage"]["properties"]["results"]["items"] == {"$ref": "#/components/schemas/Club"}


@pytest.mark.parametrize(
    ("name", "other"), [("Move", {"type": "object"}), ("Side", {"type": "string", "enum": ["left"]})]
)
def test_description_when_a_name_is_taken_then_refused(name, other):
    with pytest.raises(LookupError, match=name):
        describe_answers({"components": {"schemas": {name: other}}})


def test_json_when_texts_are_the_framework_s_then_written_and_what_is_no_json_is_refused():
    told = {
        "a": ErrorDetail("wrong", code="x"),
        "b": gettext_lazy("Side"),
        "c": Move(3, Side.A, "Ann", "", True),
    }
    assert (
        JSONRenderer().render(told)
        == b'{"a":"wrong","b":"Side","c":{"match":3,"side":"a","before":"Ann","after":"","vacant":true}}'
    )
    assert JSONRenderer().render(None) == b""
    with pytest.raises(TypeError):
        JSONRenderer().render(object())
