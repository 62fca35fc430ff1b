"""The API's description is complete: it names every address, what each takes and answers, and every refusal it can give."""

import json
import re

import msgspec
import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.throttling import AnonRateThrottle

from people.api.answers import Answer
from people.api.description import RESPONSE_NAMES, error_statuses
from tools.wording import worn_phrases
from tournaments.site.urls.api import urlpatterns

PROBLEM = "application/problem+json"
BODY = {400, 413, 415}
CHANGE = {401, 403, 404, 409, 422, 429, 503}


def operations(description):
    for path, item in description.says["paths"].items():
        for method, operation in item.items():
            yield f"{method} {path}", operation


def test_description_names_every_address(description):
    paths = description.says["paths"]
    for pattern in urlpatterns:
        address = re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        assert f"/api/v1/{address}" in paths


def test_operations_have_a_name_of_their_own_a_tag_that_is_described_and_a_summary(description):
    found = dict(operations(description))
    tags = {tag["name"] for tag in description.says["tags"]}
    assert len({operation["operationId"] for operation in found.values()}) == len(found) > 40
    for name, operation in found.items():
        assert set(operation["tags"]) <= tags, name
        assert 3 < len(operation["summary"]) < 120, name
        # What the framework would call it where nobody has given it a name.
        assert not operation["operationId"].endswith(("_retrieve", "_create")), name


def texts_in(part, path=""):
    """Every summary and description, with its place."""
    items = part.items() if isinstance(part, dict) else enumerate(part)
    for name, value in items:
        if name in {"summary", "description"} and isinstance(value, str):
            yield f"{path}/{name}", value
        elif isinstance(value, dict | list):
            yield from texts_in(value, f"{path}/{name}")


def test_description_has_no_worn_words(description):
    texts = dict(texts_in(description.says))
    assert len(texts) > 1000
    assert {place: worn_phrases(text) for place, text in texts.items() if worn_phrases(text)} == {}


def test_codes_are_listed_with_words_or_not_at_all(description):
    listed = [
        one
        for _, text in texts_in(description.says)
        for one in re.findall(r"^\* `(.+)` - (.+)$", text, re.MULTILINE)
    ]
    assert ("unlisted", "Unlisted: only people with the link can find it") in listed
    assert [code for code, words in listed if code == words] == []


def test_bodies_take_no_fields_but_those_described_unless_an_answer_may_be_sent_back(description):
    schemas = description.says["components"]["schemas"]

    def body(operation_id):
        operation = next(one for _, one in operations(description) if one["operationId"] == operation_id)
        return schemas[
            operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        ]

    entry = body("events_enter")
    assert entry["additionalProperties"] is False
    assert (
        schemas[entry["properties"]["players"]["items"]["$ref"].rpartition("/")[2]]["additionalProperties"]
        is False
    )
    for open_body in ("events_set_columns", "clubs_create_event"):  # an answer may be sent back
        assert "additionalProperties" not in body(open_body)
    assert "x-open-body" not in json.dumps(description.says)
    answers = {name for name, one in schemas.items() if one.get("additionalProperties") is False}
    assert "Entry" not in answers


def test_refusals_are_problems_and_nothing_else(description):
    responses = description.says["components"]["responses"]
    assert responses.keys() == set(RESPONSE_NAMES.values())
    assert all(list(told["content"]) == [PROBLEM] for told in responses.values())
    for name, operation in operations(description):
        for status, told in operation["responses"].items():
            assert ("$ref" in told) == (int(status) >= 400), name


@pytest.mark.parametrize(
    ("path", "method", "refused"),
    [
        ("/api/v1/clubs/", "get", {404, 422, 429, 503}),
        ("/api/v1/clubs/{club}/", "get", {404, 429, 503}),
        ("/api/v1/matches/{match}/report/", "post", BODY | CHANGE),
        ("/api/v1/matches/{match}/award/", "post", (BODY | CHANGE) - {401}),
        ("/api/v1/events/{event}/entries/{entry}/buy-back/", "post", (BODY | CHANGE) - {401}),
        ("/api/v1/events/{event}/entries/{entry}/turn-away/", "post", CHANGE - {401}),
        ("/api/v1/events/{event}/play-off/", "get", {403, 404, 429, 503}),
        ("/api/v1/matches/{match}/analysis/", "get", {401, 404, 429, 503}),
        ("/api/v1/records/check/", "post", BODY | {429, 503}),
    ],
)
def test_refusals_follow_from_what_an_operation_takes_and_who_may_ask(description, path, method, refused):
    told = {int(status) for status in description.operation(path, method)["responses"]}
    assert {status for status in told if status >= 400} == refused


def test_refusals_when_there_is_nothing_to_refuse_but_too_many_or_not_just_now():
    assert error_statuses("/api/v1/clubs/", "get", {"security": [{"cookieAuth": []}, {}]}) == [429, 503]


def test_refusals_that_pass_say_when_to_come_back(description):
    responses = description.says["components"]["responses"]
    assert {name for name in responses if "Retry-After" in responses[name].get("headers", ())} == {
        "Conflict",
        "TooOften",
        "Unavailable",
    }


def test_moments_are_described_as_such():
    """A type without its zone would come to programs as any text."""
    bare = [
        f"{answer.__name__}.{field.name}"
        for answer in every_answer(Answer)
        for field in msgspec.inspect.type_info(answer).fields
        for moment in moments_in(field.type)
        if moment.tz is not True
    ]
    assert bare == []


def test_moments_that_stay_as_they_were_written_are_described_as_such(description):
    bare = [
        f"{schema}.{name}"
        for schema, said in description.says["components"]["schemas"].items()
        for name, value in said.get("properties", {}).items()
        if not schema.endswith("Input") and name not in TIMES_OF_DAY
        if re.fullmatch(r"at|\w+_at", name) and not formatted(value)
    ]
    assert bare == []


# As clocks show it where the event takes place; a `time` of JSON Schema has seconds and a zone.
TIMES_OF_DAY = {"opens_at", "closes_at", "resumes_at"}


def formatted(value):
    kinds = [value, *value.get("anyOf", ()), *value.get("allOf", ())]
    return any(kind.get("format") == "date-time" for kind in kinds)


def every_answer(base):
    for answer in base.__subclasses__():
        if not getattr(answer, "__parameters__", ()):
            yield answer
        yield from every_answer(answer)


def moments_in(kind):
    if isinstance(kind, msgspec.inspect.Metadata):
        yield from moments_in(kind.type)
    elif isinstance(kind, msgspec.inspect.UnionType):
        for one in kind.types:
            yield from moments_in(one)
    elif isinstance(kind, msgspec.inspect.DateTimeType):
        yield kind


def test_key_is_described_where_it_is_read(description):
    keyed = {
        name
        for name, operation in operations(description)
        if any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", ()))
    }
    changes = {name for name, _ in operations(description) if not name.startswith("get ")}
    assert changes - keyed == {"post /api/v1/records/check/", "post /api/v1/ratings/clubs/{club}/imports/"}


def test_who_may_ask_is_said_with_the_token_that_a_session_needs(description):
    schemes = description.says["components"]["securitySchemes"]
    assert {name: (told["in"], told["name"]) for name, told in schemes.items()} == {
        "cookieAuth": ("cookie", "sessionid"),
        "csrfToken": ("header", "X-CSRFToken"),
        "personalLink": ("header", "Authorization"),
    }
    session = {"cookieAuth": [], "csrfToken": []}
    report = description.operation("/api/v1/matches/{match}/report/", "post")
    read = description.operation("/api/v1/events/{event}/", "get")
    agree = description.operation("/api/v1/matches/{match}/agree/", "post")
    check = description.operation("/api/v1/records/check/", "post")
    analysis = description.operation("/api/v1/matches/{match}/analysis/", "get")
    assert report["security"] == [{"personalLink": []}, session]
    assert agree["security"] == [{"personalLink": []}]
    assert "security" not in {*read, *analysis}
    assert description.says["security"] == [{"cookieAuth": []}, {}]
    assert check["security"] == []


def test_forms_are_described_where_a_file_can_come_and_nowhere_else(description):
    taken = {
        name: set(operation["requestBody"]["content"])
        for name, operation in operations(description)
        if "requestBody" in operation
    }
    report, check, table = (
        taken.pop("post /api/v1/matches/{match}/report/"),
        taken.pop("post /api/v1/records/check/"),
        taken.pop("post /api/v1/ratings/clubs/{club}/imports/"),
    )
    assert report == {"application/json", "multipart/form-data"}
    assert check == table == {"multipart/form-data"}
    assert {media for content in taken.values() for media in content} == {"application/json"}
    bodies = description.says["components"]["schemas"]
    assert bodies["ReportWithRecord"]["properties"].keys() - bodies["ReportInput"]["properties"].keys() == {
        "record",
        "record_left",
    }
    assert bodies["ReportWithRecord"]["properties"]["record"]["format"] == "binary"
    assert bodies["CheckRequest"]["properties"]["file"]["format"] == "binary"


@pytest.mark.django_db
def test_description_and_its_page_are_open_to_everybody():
    assert Client().get("/api/v1/schema/").status_code == 200
    assert Client().get("/api/v1/docs/").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/schema/", "/api/v1/docs/", "/api/v1/problems/"])
def test_pages_about_the_api_cost_a_304_when_unchanged_and_are_limited(path, monkeypatch):
    cache.clear()
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "2/min"})
    first = Client().get(path)
    assert first.status_code == 200
    unchanged, refused = (Client().get(path, headers={"If-None-Match": first["ETag"]}) for _ in range(2))
    assert (unchanged.status_code, refused.status_code) == (304, 429)
    assert int(refused["Retry-After"]) > 0


@pytest.mark.django_db
def test_description_for_programs_in_each_format_and_language():
    texts = {
        (kind, language): Client().get(f"/api/v1/schema/?format={kind}&lang={language}")
        for kind in ("yaml", "json")
        for language in ("en", "de")
    }
    assert len({answer.content for answer in texts.values()}) == len(
        {answer["ETag"] for answer in texts.values()}
    )
    assert json.loads(texts["json", "en"].content)["openapi"].startswith("3.1")
    assert texts["yaml", "en"].content.startswith(b"openapi: 3.1")
