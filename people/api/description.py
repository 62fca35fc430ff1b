"""Complete the OpenAPI description of all operations from what the description contains already.

The last postprocessing hook: it adds to each operation its error responses, a summary, and the CSRF token
that a session needs for a change, so that no view has to declare them.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from people.api.answers import Schema, schema_of
from people.api.problems import MEDIA_TYPE, Problem

_PROBLEM: Final = schema_of(Problem)
# Marks a view whose body may also have the fields of its response; removed from the description.
OPEN_BODY_KEY: Final = "x-open-body"
SAFE_METHODS: Final = ("get", "head", "options")
SESSION, LINK, TOKEN = "cookieAuth", "personalLink", "csrfToken"
# A session shows more: drafts and unlisted items.
PUBLIC_SECURITY: Final[list[dict[str, list[str]]]] = [{SESSION: []}, {}]
RESPONSE_NAMES: Final = {
    400: "Unreadable",
    401: "NotSignedIn",
    403: "NotAllowed",
    404: "Missing",
    409: "Conflict",
    413: "TooLarge",
    415: "OtherMediaType",
    422: "Invalid",
    429: "TooOften",
    503: "Unavailable",
}
# These depend on a link that the body contains.
LINK_PATHS: Final = ("/invitations/accept/", "/invitations/decline/", "/players/take/")
# For readers of the description; `code` and `present` are more precise.
STATUS_DESCRIPTIONS: Final = {
    400: "The body cannot be read, or a field is missing or has the wrong type.",
    401: "You are not signed in, and sent no valid personal link.",
    403: "You are not signed in, the token of the session is missing, or you do not have permission.",
    404: "Not found, or not visible to you.",
    409: "The data has changed: `present` gives the current state, and for directors and assistants `changes` lists"
    " who changed what.",
    413: "The body is too large.",
    415: "The media type of the body is not supported.",
    422: "Rejected by a rule or check, with all errors.",
    429: "Too many requests in a minute.",
    503: "Temporarily unavailable: send the same request again with its key. Another change is being saved, or the"
    " database or cache is down.",
}
# Descriptions of the header `Retry-After`.
RETRY_AFTER_DESCRIPTIONS: Final = {
    409: "Seconds until you can send the request again; only with `request.key_running`.",
    429: "Seconds until you can try again.",
    503: "Seconds until you can try again.",
}
IDEMPOTENCY_KEY_HEADER: Final[Schema] = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "maxLength": 64},
    "description": (
        "A key of your choice. If you send the same request with the same key within two days, nothing is done"
        " again and you get the first response with Idempotent-Replayed: true. With a different body the request is"
        " rejected (422 request.key_used). Responses that contain a secret are not stored: sending the request"
        " again is rejected (409 request.key_done)."
    ),
}


# A list of codes added by the framework that only repeats the codes.
_BARE_CODES: Final = re.compile(r"(?:(?:^|\n)\n?\* `([^`\n]+)` - \1(?=\n|$))+$")


def describe_refusals(result: Schema, **_: Any) -> Schema:
    """Add error responses (each a ``Problem``), a summary and security requirements to every operation."""
    components = result["components"]
    components["responses"] = {RESPONSE_NAMES[status]: _error_response(status) for status in RESPONSE_NAMES}
    schemes = components["securitySchemes"]
    schemes[SESSION]["description"] = "The session of an account that has signed in at /account/login/."
    schemes[TOKEN] = {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRFToken",
        "description": "In addition to the session, for every request that changes something: the value of the cookie csrftoken.",
    }
    for path, method, operation in _operations(result):
        for parameter in operation.get("parameters", ()):
            if parameter["schema"].get("default") == "":
                del parameter["schema"]["default"]  # unset: generators look for it among the codes
        first_paragraph = operation["description"].partition("\n\n")[0]
        operation["summary"] = first_paragraph.partition(". ")[0].strip().rstrip(".")
        answers = {status: answer for status, answer in operation["responses"].items() if int(status) < 400}
        operation["responses"] = answers | {
            str(status): {"$ref": f"#/components/responses/{RESPONSE_NAMES[status]}"}
            for status in error_statuses(path, method, operation)
        }
        if method not in SAFE_METHODS and {} not in operation["security"]:
            _document_idempotency(operation)
        _simplify_security(method, operation)
    result["security"] = PUBLIC_SECURITY
    _forbid_other_fields(result)
    _omit_bare_codes(result)
    return result


def _omit_bare_codes(part: Any) -> None:
    """Remove lists of codes without explanations: the enum next to them has the same codes."""
    if isinstance(part, list):
        for item in part:
            _omit_bare_codes(item)
    elif isinstance(part, dict):
        if isinstance(text := part.get("description"), str) and (match := _BARE_CODES.search(text)):
            part["description"] = text[: match.start()]
            if not part["description"]:
                del part["description"]
        _omit_bare_codes(list(part.values()))


def _forbid_other_fields(result: Schema) -> None:
    """Allow in bodies only the fields that are described.

    Exempt are bodies of PUT and of views that set ``OPEN_BODY_KEY``: a response may be sent back whole
    (``people.api.bodies``).
    """
    schemas = result["components"]["schemas"]
    bodies: dict[bool, set[str]] = {True: set(), False: set()}  # by whether a response may be sent back
    for _path, method, operation in _operations(result):
        is_open = operation.pop(OPEN_BODY_KEY, False) or method == "put"
        for content in operation.get("requestBody", {}).get("content", {}).values():
            _collect_components(content["schema"], schemas, bodies[is_open])
    for name in bodies[False] - bodies[True]:
        if "properties" in schemas[name]:
            schemas[name].setdefault("additionalProperties", False)


def _collect_components(schema: Any, schemas: Schema, collected: set[str]) -> None:
    """Add to ``collected`` the names of all components that are part of ``schema``."""
    if isinstance(schema, list):
        for part in schema:
            _collect_components(part, schemas, collected)
    elif isinstance(schema, dict):
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        if name and name not in collected:
            collected.add(name)
            _collect_components(schemas[name], schemas, collected)
        _collect_components(list(schema.values()), schemas, collected)


def error_statuses(path: str, method: str, operation: Schema) -> list[int]:
    """Return the error statuses that an operation can have, by its body, parameters and security."""
    schemes = {name for requirement in operation["security"] for name in requirement}
    requires_sign_in = {} not in operation["security"]  # authentication is required
    query_names = {
        parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "query"
    }
    conditions = {
        400: "requestBody" in operation,
        401: LINK in schemes,
        403: requires_sign_in,
        404: "{" in path or "page" in query_names or path.endswith(LINK_PATHS),
        409: requires_sign_in and method not in SAFE_METHODS,
        413: "requestBody" in operation,
        415: "requestBody" in operation,
        422: (requires_sign_in and method not in SAFE_METHODS) or bool(query_names),
        429: True,
        503: True,
    }
    return [status for status, is_possible in conditions.items() if is_possible]


def _operations(result: Schema) -> Iterator[tuple[str, str, Schema]]:
    for path, item in result["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def _simplify_security(method: str, operation: Schema) -> None:
    """Remove the security requirements of public read operations: generated clients would require a sign-in.

    These requirements are declared once for the whole description. Add the CSRF token to changes by a
    session.
    """
    if method in SAFE_METHODS and {} in operation["security"]:
        del operation["security"]
    elif operation["security"] == [{}]:
        operation["security"] = []
    elif method not in SAFE_METHODS:
        operation["security"] = [
            {**scheme, TOKEN: []} if SESSION in scheme else scheme for scheme in operation["security"]
        ]


def _document_idempotency(operation: Schema) -> None:
    """Document the header with the idempotency key of an operation (``config.repeats``).

    Not if the header is documented already, or if the operation takes a form with a file.
    """
    if set(operation.get("requestBody", {}).get("content", ())) == {"multipart/form-data"}:
        return
    parameters = operation.setdefault("parameters", [])
    if all(parameter["name"] != IDEMPOTENCY_KEY_HEADER["name"] for parameter in parameters):
        parameters.append(IDEMPOTENCY_KEY_HEADER)


def _error_response(status: int) -> Schema:
    response: Schema = {
        "description": STATUS_DESCRIPTIONS[status],
        "content": {MEDIA_TYPE: {"schema": _PROBLEM}},
    }
    if status in RETRY_AFTER_DESCRIPTIONS:
        response["headers"] = {
            "Retry-After": {"description": RETRY_AFTER_DESCRIPTIONS[status], "schema": {"type": "integer"}}
        }
    if status == 401:
        response["headers"] = {"WWW-Authenticate": {"description": "`Link`.", "schema": {"type": "string"}}}
    return response
