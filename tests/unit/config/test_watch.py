"""What the site writes down for those who keep it running: figures, ids of requests, lines, reports."""

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sentry_sdk
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory
from prometheus_client.mmap_dict import MmapedDict
from sentry_sdk.transport import Transport

from config.log import JsonFormatterWithoutKeys, KeylessFormatter, RequesterFilter, RequestFieldsFilter
from config.watch import gauges, metrics
from config.watch.inside import may_read_metrics
from config.watch.messages import SENT_AT_HEADER
from config.watch.metrics import _add_metric_file, fold_ended_processes
from config.watch.reporting import sentry_options
from config.watch.requests import REQUEST_ID_HEADER, MonitoredSite, with_refusal_count
from config.watch.tasks import REQUEST_ID_KEY, _on_task_ended, _on_task_started, add_message_headers
from people import caching
from people.tasks import send_mail
from people.watched import CURRENT_WORK_STATS, WorkStats, clean_request_id

ROOT = Path(__file__).resolve().parents[3]
PERSON = "ada@example.org"


class Inner:
    """A site that says what it was asked; its body is made while it is read."""

    def __init__(self, status: str = "200 OK", route: str = "public:event") -> None:
        self.status, self.route = status, route
        self.seen: list[WorkStats | None] = []

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        if environ["PATH_INFO"] == "/breaks":
            raise RuntimeError
        now = CURRENT_WORK_STATS.get()
        if now is not None:
            now.route = self.route
        start_response(self.status, [("Content-Type", "text/plain")])
        return self.parts()

    def parts(self) -> Any:
        self.seen.append(CURRENT_WORK_STATS.get())
        yield b"body"

    def instant_response(self, environ: dict[str, Any]) -> Any:
        return (200, [], b"kept") if environ["PATH_INFO"] == "/kept" else None


def asked(site: MonitoredSite, path: str = "/", **headers: str) -> tuple[str, dict[str, str], bytes]:
    given: list[Any] = []
    parts = site(
        {"REQUEST_METHOD": "GET", "PATH_INFO": path, "wsgi.input": io.BytesIO(), **headers},
        lambda status, fields: given.append((status, dict(fields))),
    )
    body = b"".join(parts)
    parts.close()
    return given[0][0], given[0][1], body


def figure(name: str, **labels: str) -> float:
    """As Prometheus would read it."""
    for metric in metrics.AllProcessesCollector().collect():
        for sample in metric.samples:
            if sample.name == name and sample.labels == labels:
                return float(sample.value)
    return 0.0


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("0af7651916cd43dd8448eb211c80319c", True),
        ("req-1.2_3-abcdef", True),
        ("short", False),
        ("x" * 65, False),
        ("abcdefgh\r\nSet-Cookie: a=b", False),
        ("<script>alert(1)</script>", False),
        ("ünïcödé-id", False),
        (None, False),
        (17, False),
    ],
)
def test_request_id_when_it_comes_from_outside_then_only_plain_ones_are_taken(
    given: object, taken: bool
) -> None:
    assert bool(clean_request_id(given)) is taken
    _, headers, _ = asked(MonitoredSite(Inner()), HTTP_X_REQUEST_ID=given)  # type: ignore[arg-type]
    assert (headers[REQUEST_ID_HEADER] == given) is taken
    assert clean_request_id(headers[REQUEST_ID_HEADER])


def test_request_when_it_is_answered_then_its_id_holds_until_the_body_is_read() -> None:
    inner = Inner()
    _, headers, body = asked(MonitoredSite(inner), HTTP_X_REQUEST_ID="from-the-proxy")
    assert (headers[REQUEST_ID_HEADER], body) == ("from-the-proxy", b"body")
    assert inner.seen[0] is not None
    assert inner.seen[0].request_id == "from-the-proxy"
    assert CURRENT_WORK_STATS.get() is None


def test_requests_when_answered_then_counted_by_the_name_of_their_address() -> None:
    labels = {"route": "test:route", "method": "GET", "status": "404"}
    before = figure("crawford_requests_total", **labels)
    kept = {"route": "(memory)", "method": "GET", "status": "200"}
    from_memory = figure("crawford_requests_total", **kept)
    site = MonitoredSite(Inner("404 Not Found", route="test:route"))
    for number in range(3):
        asked(site, f"/e/{number}/")
    answer = site.instant_response({"REQUEST_METHOD": "GET", "PATH_INFO": "/kept"})
    assert answer is not None
    assert dict(answer[1])[REQUEST_ID_HEADER]
    assert site.instant_response({"REQUEST_METHOD": "GET", "PATH_INFO": "/x"}) is None
    with pytest.raises(RuntimeError):
        asked(site, "/breaks")
    assert figure("crawford_requests_total", **labels) == before + 3
    assert figure("crawford_requests_total", **kept) == from_memory + 1
    assert figure("crawford_requests_total", route="(none)", method="GET", status="500") >= 1
    assert CURRENT_WORK_STATS.get() is None


@pytest.mark.parametrize(
    ("path", "status", "route"),
    [
        ("/en/", "200 OK", "(memory)"),
        ("/static/css/x.css", "200 OK", "(file)"),
        ("/readyz", "503 Service Unavailable", "(watch)"),
        ("/wp-login.php", "404 Not Found", "(none)"),
    ],
)
def test_request_when_it_needed_no_view_then_counted_by_its_kind(path: str, status: str, route: str) -> None:
    labels = {"route": route, "method": "GET", "status": status[:3]}
    before = figure("crawford_requests_total", **labels)
    asked(MonitoredSite(Inner(status, route="")), path)
    assert figure("crawford_requests_total", **labels) == before + 1


def test_refusal_when_the_site_was_never_asked_then_counted_by_its_code() -> None:
    before = figure("crawford_refused_total", code="site.busy")
    refuse = with_refusal_count(lambda path, status, code: (status, [], f"{path} {code}".encode()))
    assert refuse("/x", 503, "site.busy") == (503, [], b"/x site.busy")
    assert figure("crawford_refused_total", code="site.busy") == before + 1


@pytest.mark.django_db
def test_statements_and_cache_when_used_then_counted_for_who_uses_them() -> None:
    MonitoredSite(Inner())
    watched = WorkStats()
    before = CURRENT_WORK_STATS.set(watched)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.execute("SELECT 2")
        assert [caching.get_or_compute("watch", ["a"], 60, lambda: 1) for _ in range(3)] == [1, 1, 1]
    finally:
        CURRENT_WORK_STATS.reset(before)
        cache.clear()
    assert (watched.statements, watched.hits, watched.misses) == (2, 2, 1)


def test_folder_when_processes_have_ended_then_their_counts_stay_and_their_files_go(tmp_path: Path) -> None:
    """Another process counts, ends, and is added up; twice."""
    script = (
        "import os, sys; os.environ['CRAWFORD_VAR'] = sys.argv[1]; import django; django.setup();"
        "from config.watch import metrics as m; assert m.IS_ENABLED;"
        "m.REQUESTS.labels('r', 'GET', '200').inc(2); m.TASK_LAST_END.labels('t').set(float(sys.argv[2]));"
        "m.TASK_SECONDS.labels('t').observe(3);"
        "print(sum(s.value for f in m.AllProcessesCollector().collect() for s in f.samples if s.name == 'crawford_requests_total'))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "METRICS_FOLDER": ""}
    told = [
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path), stamp],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
        ).stdout
        for stamp in ("50", "20")
    ]  # fmt: skip
    assert told == ["2.0\n", "4.0\n"]
    files = {path.name for path in (tmp_path / "metrics").glob("*.db")}
    assert len(files) == 6, "of the last one and of all that have ended"


def test_files_when_added_then_counts_are_summed_and_the_later_time_stays(tmp_path: Path) -> None:
    for name, values in (("gauge_max_1.db", [5.0]), ("gauge_max_0.db", [9.0]), ("counter_1.db", [5.0])):
        made = MmapedDict(str(tmp_path / name))
        for value in values:
            made.write_value("key", value, 0.0)
        made.close()
    _add_metric_file(tmp_path / "gauge_max_1.db", tmp_path / "gauge_max_0.db")
    _add_metric_file(tmp_path / "counter_1.db", tmp_path / "counter_0.db")
    _add_metric_file(tmp_path / "counter_1.db", tmp_path / "counter_0.db")

    def value(name: str) -> float:
        return next(iter(MmapedDict.read_all_values_from_file(str(tmp_path / name))))[1]

    assert (value("gauge_max_0.db"), value("counter_0.db")) == (9.0, 10.0)
    assert fold_ended_processes() == 0, "this process lives"


@pytest.mark.parametrize(
    ("more", "token", "allowed"),
    [
        ({}, "", True),
        ({"REMOTE_ADDR": "::1"}, "", True),
        ({"REMOTE_ADDR": "192.0.2.7"}, "", False),
        ({"REMOTE_ADDR": ""}, "", False),
        # A proxy on this computer asks for somebody else.
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, "", False),
        ({"HTTP_FORWARDED": "for=127.0.0.1"}, "", False),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer the-token"}, "the-token", True),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer the-tokem"}, "the-token", False),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer "}, "", False),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer ünïcödé"}, "the-token", False),
    ],
)
def test_metrics_when_asked_for_then_by_token_or_from_this_computer(
    more: dict[str, str], token: str, allowed: bool, settings
) -> None:
    settings.METRICS_TOKEN = token
    assert may_read_metrics(RequestFactory().get("/metrics", **more)) is allowed


@pytest.mark.django_db(transaction=True)
def test_metrics_when_read_then_requests_queues_ratings_mail_and_soundness_are_there(client: Client) -> None:
    asked(MonitoredSite(Inner()))
    refused = client.get("/metrics", headers={"x-forwarded-for": "192.0.2.7"})
    assert refused.status_code == 403
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"] == gauges.MEDIA_TYPE
    text = answer.content.decode()
    for line in (
        'crawford_requests_total{method="GET",route="public:event",status="200"}',
        'crawford_check{check="database"} 1.0',
        "crawford_ratings_pending 0.0",
        'crawford_mail{state="waiting"} 0.0',
        "crawford_unsound_events 0.0",
        "crawford_disk_free_bytes",
        "crawford_release_info{release=",
    ):
        assert line in text


def test_message_when_sent_then_it_carries_when_and_by_which_request() -> None:
    headers: dict[str, Any] = {}
    add_message_headers(headers=headers)
    assert set(headers) == {SENT_AT_HEADER}
    before = CURRENT_WORK_STATS.set(WorkStats(request_id="by-this-request"))
    try:
        add_message_headers(headers=headers)
    finally:
        CURRENT_WORK_STATS.reset(before)
    assert headers[REQUEST_ID_KEY] == "by-this-request"


def test_task_when_it_runs_then_it_is_counted_and_known_by_its_request() -> None:
    task = send_mail
    labels = {"task": task.name, "state": "success"}
    before = figure("crawford_tasks_total", **labels)
    running = SimpleNamespace(
        name=task.name,
        request=SimpleNamespace(
            headers={REQUEST_ID_KEY: "by-this-request", SENT_AT_HEADER: 1.0},
            delivery_info={"routing_key": "mail"},
        ),
    )
    _on_task_started(task_id="1", task=running)
    now = CURRENT_WORK_STATS.get()
    assert now is not None
    assert (now.request_id, now.task) == ("by-this-request", task.name)
    _on_task_ended(task_id="1", task=running, state="SUCCESS")
    assert CURRENT_WORK_STATS.get() is None
    assert figure("crawford_tasks_total", **labels) == before + 1
    assert figure("crawford_task_last_success_timestamp_seconds", task=task.name) > 1e9
    assert figure("crawford_task_waited_seconds_count", queue="mail") >= 1


def a_record(message: str, *arguments: object, **more: Any) -> logging.LogRecord:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, message, arguments, None)
    record.__dict__.update(more)
    return record


def a_refused_request() -> HttpRequest:
    request = RequestFactory().get("/my/abc-1.KEY/", REMOTE_ADDR="192.0.2.7")
    request.__dict__["_cached_user"] = SimpleNamespace(pk=5)
    return request


def written(record: logging.LogRecord, *, form: str) -> str:
    """As the site's own handler writes it, while a request is answered."""
    before = CURRENT_WORK_STATS.set(WorkStats(request_id="0af7651916cd43dd", route="player:me"))
    try:
        (RequestFieldsFilter() if form == "json" else RequesterFilter()).filter(record)
        formatter = (
            JsonFormatterWithoutKeys()
            if form == "json"
            else KeylessFormatter("{levelname} {message}", style="{")
        )
        return formatter.format(record)
    finally:
        CURRENT_WORK_STATS.reset(before)


def test_json_line_when_written_then_one_object_with_request_asker_and_route() -> None:
    line = written(
        a_record('Forbidden: "/my/abc-1.KEY"', request=a_refused_request(), status_code=403), form="json"
    )
    told = json.loads(line)
    assert "\n" not in line
    assert "KEY" not in line
    assert told.pop("time").startswith("20")
    assert told == {
        "level": "WARNING",
        "logger": "django.request",
        "message": 'Forbidden: "/my/…"',
        "status_code": 403,
        "address": "192.0.2.7",
        "user": 5,
        "request_id": "0af7651916cd43dd",
        "route": "player:me",
    }


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize(("status", "traceback"), [(403, False), (404, False), (500, True)])
def test_line_when_a_request_is_refused_then_no_traceback(form: str, status: int, traceback: bool) -> None:
    try:
        raise PermissionError("/my/abc-1.KEY/")
    except PermissionError:
        broken = sys.exc_info()
    record = a_record("Refused: %s", "/my/abc-1.KEY/", request=a_refused_request(), status_code=status)
    record.exc_info = broken
    line = written(record, form=form)
    assert ("Traceback" in line) is traceback
    assert "KEY" not in line
    assert "0af7651916cd43dd" in line


def test_text_line_when_nobody_asked_then_as_it_was() -> None:
    record = a_record("Redis is back.")
    RequesterFilter().filter(record)
    assert KeylessFormatter("{message}", style="{").format(record) == "Redis is back."


def breaks(person: str) -> None:
    raise ValueError(f"/my/abc-1.KEY/report/ of {person} broke")


OF_A_REQUEST = {
    "request": {
        "url": f"https://club.example.org/my/abc-1.KEY/?q={PERSON}",
        "method": "POST",
        "headers": {"Cookie": "sessionid=secret-session"},
        "data": {"name": "Ada Abell"},
        "env": {"REMOTE_ADDR": "192.0.2.7"},
    },
}


class Kept(Transport):
    """What would have been sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Any] = []

    def capture_envelope(self, envelope: Any) -> None:
        self.sent.append(envelope.get_event())


def test_report_when_something_breaks_then_without_people_values_and_keys() -> None:
    kept = Kept()
    made = sentry_options("https://key@errors.example.org/1", "1.2.3", "production")
    client = sentry_sdk.Client(**made, transport=kept, default_integrations=False)
    scope = sentry_sdk.Scope(client=client)
    scope.set_user({"email": PERSON})
    scope.set_extra("note", PERSON)
    before = CURRENT_WORK_STATS.set(WorkStats(request_id="0af7651916cd43dd", route="player:report"))
    try:
        breaks(PERSON)
    except ValueError as error:
        event, hint = sentry_sdk.utils.event_from_exception(error, client_options=client.options)
        client.capture_event({**event, **OF_A_REQUEST}, hint, scope)
        logged = {
            "message": "Mail to %s",
            "params": [PERSON],
            "formatted": f"Mail to {PERSON}",
        }
        client.capture_event({"logentry": logged, "level": "error"}, None, scope)
    finally:
        CURRENT_WORK_STATS.reset(before)
    sent, line = kept.sent
    text = json.dumps(kept.sent, default=str)
    assert line["logentry"] == {"message": "Mail to %s"}
    for private in ("KEY", "example.org/my/abc", "secret-session", "Ada Abell", "192.0.2.7", "ada@"):
        assert private not in text, private
    assert sent["release"] == "1.2.3"
    assert sent["tags"] == {"request_id": "0af7651916cd43dd", "route": "player:report"}
    assert sent["exception"]["values"][0]["type"] == "ValueError"
