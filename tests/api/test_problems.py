"""Every refusal under /api/ is a problem of RFC 9457 in one shape, whoever refuses."""

import json
import re
import sqlite3
from collections.abc import Iterator

import django.db
import pytest
import redis.exceptions
from django.core.cache import cache
from django.core.exceptions import RequestDataTooBig
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from rest_framework.throttling import AnonRateThrottle

from config import refusals
from config.gate import MAX_BODY_BYTES, reject_malformed
from people.api.problems import PROBLEMS_PATH
from people.caching import increment_counter
from rating.selectors import club_lists
from tests.factories import an_event
from tests.support.lanes import the_few_or
from tests.support.problems import problem_of
from tests.support.tournaments import first_match, link_of, signed_in
from tournaments.desk.services.notes import write_note
from tournaments.matches.web.link_phones import MAX_CODE_TRIES, TRIES_PERIOD_SECONDS
from tournaments.notices.services.announcing import announce
from tournaments.series.services.series import create_series
from tournaments.series.services.templates import save_template

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(4, lengths=[5]).publish()


@pytest.fixture
def director(tournament):
    return signed_in(tournament.director)


@pytest.fixture
def reporting(tournament):
    return reverse("api:report", args=[first_match(tournament).public_id])


def test_address_that_nobody_has_is_a_problem_under_api_and_a_page_elsewhere():
    for address in (
        "/api/",
        "/api/v1/nowhere/",
        "/api/v2/clubs/",
        "/api/v1/clubs/%00/",
        "/api/v1/clubs/a b/",
    ):
        assert problem_of(Client().get(address))["code"] == "request.address_unknown"
    assert problem_of(Client().post("/api/v1/nowhere/"))["status"] == 404
    assert b"<!DOCTYPE html>" in Client().get("/nowhere/").content


def test_address_without_its_last_slash_leads_readers_on_and_senders_nowhere(reporting):
    assert Client().get("/api/v1/clubs")["Location"] == "/api/v1/clubs/"
    assert problem_of(Client().post(reporting.removesuffix("/"), {}))["code"] == "request.address_unknown"


def test_nobody_is_told_to_sign_in_and_how(tournament, reporting):
    asked = Client().post(reporting, {}, content_type="application/json")
    assert asked["WWW-Authenticate"] == 'Link realm="crawford"'
    assert problem_of(asked)["code"] == "request.not_signed_in"
    assert asked.status_code == 401
    by_session = Client().post(reverse("api:undo", args=[tournament.event.public_id]), {})
    assert (problem_of(by_session)["code"], by_session.status_code) == ("request.not_signed_in", 403)


def test_link_that_nobody_has_is_named(reporting):
    answer = Client().post(
        reporting, {}, content_type="application/json", headers={"Authorization": "Link x"}
    )
    assert (answer.status_code, problem_of(answer)["code"]) == (401, "link.broken")


def test_session_without_its_token_is_refused(tournament, reporting):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(tournament.director, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = careful.post(reporting, {}, content_type="application/json")
    assert (answer.status_code, problem_of(answer)["code"]) == (403, "request.csrf")


def test_link_alone_may_agree(director, tournament):
    answer = director.post(reverse("api:agree", args=[first_match(tournament).public_id]), {})
    assert (answer.status_code, problem_of(answer)["code"]) == (403, "request.not_allowed")


def test_method_and_media_types_are_named():
    method = Client().delete("/api/v1/clubs/")
    assert problem_of(method)["status"] in {403, 405}
    check = Client().get("/api/v1/records/check/")
    assert (problem_of(check)["code"], check["Allow"]) == ("request.method", "POST, OPTIONS")
    wanted = Client().get("/api/v1/clubs/", headers={"Accept": "text/html"})
    assert (wanted.status_code, problem_of(wanted)["code"]) == (406, "request.not_acceptable")
    for address in (PROBLEMS_PATH, "/api/v1/docs/", "/api/v1/schema/"):
        assert problem_of(Client().put(address))["status"] in {403, 405}


def test_body_that_breaks_off_says_where(director, tournament):
    address = reverse("api:tables", args=[tournament.event.public_id])
    for odd in ("{", "[" * 100_000, '{"table": NaN}', b"\xff"):
        answer = director.post(address, odd, content_type="application/json")
        assert (answer.status_code, problem_of(answer)["code"]) == (400, "request.unreadable")
    told = problem_of(director.post(address, '{"table": ', content_type="application/json"))
    assert "line 1 column 11" in told["detail"]


def test_forms_are_read_where_a_file_can_come_and_nowhere_else(director, tournament, reporting):
    said = {"table": 1, "in_use": False}
    for sent in (
        director.post(reverse("api:tables", args=[tournament.event.public_id]), said),
        director.post(reporting, "score_a=5", content_type="application/x-www-form-urlencoded"),
        director.post("/api/v1/records/check/", "{}", content_type="application/json"),
    ):
        assert (sent.status_code, problem_of(sent)["code"]) == (415, "request.media_type")


def test_fields_are_named_by_their_way_through_the_body(director, tournament):
    body = {
        "name": "x" * 500,
        "starts_on": "tomorrow",
        "divisions": [{"stages": [{"lengths": [5, "seven"], "system": "chess"}]}, 7],
    }
    address = reverse("api:club-events", args=[tournament.club.public_id])
    told = problem_of(director.post(address, body, content_type="application/json"))
    assert told["status"] == 400
    assert {(fault["field"], fault["code"]) for fault in told["faults"]} == {
        ("name", "field.max_length"),
        ("starts_on", "field.invalid"),
        ("ends_on", "field.required"),
        ("divisions.0.stages.0.lengths.1", "field.invalid"),
        ("divisions.0.stages.0.system", "field.invalid_choice"),
        ("divisions.1", "field.invalid"),
    }
    whole = problem_of(director.post(address, "[]", content_type="application/json"))
    assert (whole["code"], whole["faults"][0]["field"]) == ("field.invalid", None)


def test_conflict_tells_how_it_stands(tournament, reporting):
    match = first_match(tournament)
    tournament.settle(match, "a", 2)
    body = {"score_a": 1, "score_b": 5, "submission_key": "other"}
    headers = {"Authorization": f"Link {link_of(tournament, match, 'b')}"}
    told = problem_of(Client().post(reporting, body, content_type="application/json", headers=headers))
    assert (told["status"], told["present"]["status"]) == (409, "confirmed")


def test_too_many_requests_say_when_to_come_back(monkeypatch, clock):
    cache.clear()
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "1/min"})
    Client().get("/api/v1/clubs/")
    answer = Client().get("/api/v1/clubs/")
    told = problem_of(answer)
    assert (told["status"], told["code"]) == (429, "request.too_often")
    assert int(answer["Retry-After"]) == told["faults"][0]["params"]["seconds"] > 0


def test_too_many_codes_of_a_phone_say_when_to_come_back(tournament):
    for _try in range(MAX_CODE_TRIES):
        increment_counter("often", ["phone-code", "127.0.0.1"], TRIES_PERIOD_SECONDS)
    headers = {"Authorization": f"Link {link_of(tournament, first_match(tournament), 'a')}"}
    answer = Client().post(
        "/api/v1/link/phone/", {"code": "1"}, content_type="application/json", headers=headers
    )
    assert (answer.status_code, problem_of(answer)["code"]) == (429, "phone.codes_often")
    assert answer["Retry-After"] == str(TRIES_PERIOD_SECONDS)
    cache.clear()


def test_more_than_is_read_at_once_is_refused(director, tournament, reporting):
    address = reverse("api:tables", args=[tournament.event.public_id])
    for answer in (
        director.post(address, f'"{"x" * 2_700_000}"', content_type="application/json"),
        director.post(reporting, f'"{"x" * 4_300_000}"', content_type="application/json"),
        Client().post("/api/v1/records/check/", {"length": "5" * 2_700_000}),
    ):
        assert (answer.status_code, problem_of(answer)["code"]) == (413, "request.too_large")


def test_what_django_refuses_before_any_view_is_a_problem(settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 10
    host = Client().get("/api/v1/clubs/", headers={"host": "elsewhere.example.org"})
    fields = Client().get("/api/v1/clubs/?" + "&".join("a=1" for _field in range(11)))
    for answer in (host, fields):
        assert (answer.status_code, problem_of(answer)["code"]) == (400, "request.odd")
    page = Client().get("/", headers={"host": "elsewhere.example.org"})
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/api/v1/clubs/", ("application/problem+json", b'"code":"request.too_large"')),
        ("/records/", ("text/plain; charset=utf-8", b"The request is too large")),
    ],
)
def test_what_stands_before_django_says_so_in_the_same_shape(path, said):
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "CONTENT_LENGTH": str(MAX_BODY_BYTES + 1)}
    heads = []
    body = b"".join(
        reject_malformed(WSGIHandler())(environ, lambda status, headers: heads.append((status, headers)))
    )
    assert heads == [("413 Content Too Large", [("Content-Type", said[0])])]
    assert said[1] in body
    assert said[0] == "text/plain; charset=utf-8" or json.loads(body)["status"] == 413


def broken_by(exc: BaseException, path: str = "/api/v1/clubs/"):
    """What is answered to an exception that nobody expected."""
    try:
        raise exc
    except BaseException:
        return refusals.server_error(RequestFactory().get(path))


def test_fault_of_ours_tells_nothing_of_itself():
    answer = broken_by(ZeroDivisionError("secret"))
    assert (answer.status_code, problem_of(answer)["code"]) == (500, "site.fault")
    assert b"secret" not in answer.content
    assert b"<!DOCTYPE html>" in broken_by(ZeroDivisionError("secret"), "/").content


def sqlite_says(code: int) -> django.db.OperationalError:
    cause = sqlite3.OperationalError("secret")
    cause.sqlite_errorcode = code
    error = django.db.OperationalError("secret")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("exc", "status", "code"),
    [
        (django.db.OperationalError("server closed the connection"), 503, "site.unavailable"),
        (django.db.InterfaceError("connection already closed"), 503, "site.unavailable"),
        (redis.exceptions.ConnectionError("secret"), 503, "site.unavailable"),
        (sqlite_says(sqlite3.SQLITE_BUSY), 503, "site.locked"),
        (sqlite_says(sqlite3.SQLITE_ERROR), 500, "site.fault"),
        (django.db.ProgrammingError("no such column"), 500, "site.fault"),
    ],
)
def test_database_or_cache_that_is_away_is_a_503(exc, status, code):
    answer = broken_by(exc)
    assert problem_of(answer)["code"] == code
    seconds = {"site.unavailable": "5", "site.locked": "2", "site.fault": None}[code]
    assert (answer.status_code, answer.get("Retry-After")) == (status, seconds)
    assert b"secret" not in answer.content


def test_database_that_is_away_reaches_the_handler_through_all_of_the_site(settings):
    class Gone:
        def db_for_read(self, model, **hints):
            raise django.db.OperationalError("secret")

    client = Client(raise_request_exception=False)
    settings.DATABASE_ROUTERS = [Gone()]
    answer = client.get("/api/v1/clubs/nobody/")
    assert (answer.status_code, problem_of(answer)["code"]) == (503, "site.unavailable")


def test_refusals_before_the_view_know_too_much_data():
    request = RequestFactory().post("/api/v1/clubs/")
    assert problem_of(refusals.bad_request(request, RequestDataTooBig()))["status"] == 413
    assert problem_of(refusals.forbidden(request, PermissionError()))["code"] == "request.not_allowed"


def test_sentences_are_in_the_language_of_the_reader_and_codes_are_not():
    told = problem_of(Client().get("/api/v1/nowhere/", headers={"Accept-Language": "de"}))
    assert told["code"] == "request.address_unknown"
    assert told["detail"] != problem_of(Client().get("/api/v1/nowhere/"))["detail"]


def test_type_leads_to_the_words_of_the_code():
    assert reverse("problems") == PROBLEMS_PATH
    page = Client().get(problem_of(Client().get("/api/v1/clubs/nobody/"))["type"].partition("#")[0])
    assert b'id="club.unknown"' in page.content
    assert page["Content-Type"].startswith("text/html")


def addresses(resolver: URLResolver, space: str = "", lead: str = "/") -> Iterator[tuple[str, str]]:
    """Names of all addresses under /api/ with their patterns."""
    for found in resolver.url_patterns:
        path = lead + str(found.pattern)
        if isinstance(found, URLResolver):
            yield from addresses(found, f"{space}{found.namespace}:" if found.namespace else space, path)
        elif isinstance(found, URLPattern) and path.startswith("/api/"):
            yield f"{space}{found.name}", path


ADDRESSES = sorted(addresses(get_resolver()))


# Of any address: a method or a format that it does not know, and what Django refuses before any view.
EVERYWHERE = {405, 406}


def described(description, pattern, method):
    """With which statuses the description says that this may be answered; for a method it does not name, with any refusal."""
    path = re.sub(r"<\w+:(\w+)>", r"{\1}", pattern)
    operation = description.says["paths"].get(path, {}).get(method.lower())
    return (
        {int(status) for status in operation["responses"]} | EVERYWHERE if operation else set(range(400, 500))
    )


def test_every_address_with_every_kind_of_nonsense(tournament, director, description):
    match = first_match(tournament)
    entry = tournament.entry_at(match, "a")
    player = entry.players.get().public_id
    notice = announce(actor=tournament.actor, event_id=tournament.event.pk, text="Coffee").public_id
    note = write_note(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        text="Table 4 has no clock",
        submission_key="note-1",
    ).public_id
    known = {
        "event": tournament.event.public_id, "match": match.public_id, "entry": entry.public_id,
        "club": tournament.club.public_id, "player": player, "player_id": player,
        "series": create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Nights").public_id,
        "template": save_template(actor=tournament.actor, event_id=tournament.event.pk, name="Ours").public_id,
        "list_id": club_lists(tournament.club.pk)[0].public_id, "number": 1, "version": 1, "notice": notice, "claim": 1, "invitation": "no-such", "note": note, "position": "no-such",
    }  # fmt: skip
    both = [director, Client()]
    refused = 0
    for number, (name, pattern) in enumerate(ADDRESSES):
        clients = the_few_or(both, [both[number % 2]])
        names = [argument for argument in known if f":{argument}>" in pattern]
        real = reverse(name, kwargs={argument: known[argument] for argument in names})
        unknown = reverse(
            name,
            kwargs={
                argument: 0 if argument in {"number", "version", "claim"} else "no-such" for argument in names
            },
        )
        for client in clients:
            answers = [
                *(client.generic(method, real) for method in ("DELETE", "BREW")),
                *(client.post(real, odd, content_type="application/json") for odd in ("{", "7", '{"seen": {}}')),
                client.get(f"{real}?page=x&nonsense=%00"),
                client.post(real, {"form": "x"}),
                client.post(real, "a=1", content_type="application/x-www-form-urlencoded"),
                *((client.get(unknown), client.post(unknown, "{}", content_type="application/json")) if names else ()),
                client.get(real, headers={"Accept": "image/png"}),
            ]  # fmt: skip
            for answer in answers:
                if answer.status_code >= 400:
                    problem_of(answer)
                    refused += 1
                    may = described(description, pattern, answer.request["REQUEST_METHOD"])
                    assert answer.status_code in may, f"{answer.status_code} {answer.request}"
    assert len(ADDRESSES) > 40
    assert refused > 300 * len(clients)
