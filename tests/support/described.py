"""Whether an answer of the API is what the API's own description says: every field, and none besides."""

import re
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker


@cache
def description() -> dict[str, Any]:
    """The description, made strict: an object has the properties that are named, all of them and no others."""
    found = SchemaGenerator().get_schema(request=None, public=True)
    for schema in found["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
            schema["required"] = list(schema["properties"])
    return dict(found)


def address_of(response: Any) -> str:
    """The address that was asked, as the description names it."""
    asked = response.request["PATH_INFO"]
    found = [
        path
        for path in description()["paths"]
        if re.fullmatch(re.sub(r"\\?\{\w+\\?\}", "[^/]+", re.escape(path)), asked)
    ]
    assert found, asked
    return str(min(found, key=lambda path: path.count("{")))


def assert_described(response: Any) -> Any:
    """The body, once it fits; fails with what does not."""
    method = response.request["REQUEST_METHOD"].lower()
    answers = description()["paths"][address_of(response)][method]["responses"]
    assert str(response.status_code) in answers, (response.status_code, response.content[:300])
    schema = answers[str(response.status_code)]["content"]["application/json"]["schema"]
    body = response.json()
    whole = {"components": description()["components"], **schema}
    Draft202012Validator(whole, format_checker=FormatChecker()).validate(body)
    return body


def described(response: Any) -> Any:
    """The response itself; if it is no refusal, its body fits."""
    if response.status_code < 300:
        assert_described(response)
    return response
