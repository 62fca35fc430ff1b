"""What Granian hands to Django and back, on a real server: requests whole, answers as they were made, and nobody holds it up."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from config.serving.answers import create_body_folder
from config.serving.lanes import LARGE_BODY_BYTES, THREADS_BY_LANE, lane_name
from config.serving.turns import MAX_WAITING
from tests.support.served import LIMITS, PIECE, PIECES
from tools.services import free_port

GRANIAN = [str(Path(sys.executable).parent / "granian"), "--interface", "rsgi", "--http", "1", "--no-ws"]
PATIENCE = 20
JSON = {"Content-Type": "application/json"}


class Served:
    """The application of `tests.support.served` on a port of this computer."""

    def __init__(self, port: int, process: "subprocess.Popen[str]") -> None:
        self.port, self.process = port, process

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        line.request(method, path, body, headers or {}, encode_chunked="Transfer-Encoding" in (headers or {}))
        answer = line.getresponse()
        content = answer.read()
        line.close()
        return answer, content

    def answered(self, *asked: Any) -> dict[str, Any]:
        return dict(json.loads(self.ask(*asked)[1]))

    def open(self, raw: bytes) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        line.sendall(raw)
        return line


def send_for_ever(line: socket.socket) -> None:
    """A byte now and then, never a pause that is too long."""
    while True:
        line.sendall(b"x")
        time.sleep(0.1)


def start(log: Path, *more: str) -> Served:
    port = free_port()
    with log.open("w") as written:
        process = subprocess.Popen(
            [
                *GRANIAN,
                "--port",
                str(port),
                *more,
                "tests.support.served:application",
            ],
            cwd=settings.BASE_DIR,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "CRAWFORD_VAR": str(log.parent)},
            stdout=written,
            stderr=written,
            text=True,
        )
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as there:
            if there.connect_ex(("127.0.0.1", port)) == 0:
                return Served(port, process)
        time.sleep(0.05)
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """In the end it is stopped, and whoever is inside is answered."""
    log = tmp_path_factory.mktemp("served") / "log"
    started = start(log, "--access-log", "--workers-kill-timeout", "5", "--log-level", "info")
    yield started
    answers: list[int] = []
    asked = threading.Thread(target=lambda: answers.append(started.ask("GET", "/sleep?1")[0].status))
    asked.start()
    time.sleep(0.4)
    started.process.send_signal(signal.SIGTERM)
    asked.join(PATIENCE)
    assert (answers, started.process.wait(PATIENCE)) == ([200], 0)
    assert '"GET /sleep HTTP/1.1" 200' in log.read_text()


def test_request_when_it_comes_then_told_as_it_was_sent(served: Served) -> None:
    with (
        served.open(
            b"GET /caf%C3%A9/a%20b?x=%C3%A9 HTTP/1.1\r\nHost: club.example.org:8000\r\nX-Twice: 1\r\nX-Twice: 2\r\n"
            b"Cookie: a=1\r\nCookie: b=2\r\nX-Forwarded-For: 192.0.2.1\r\nX_Forwarded_For: 6.6.6.6\r\nConnection: close\r\n\r\n"
        ) as line,
        line.makefile("rb") as answer,
    ):
        answered = json.loads(answer.read().partition(b"\r\n\r\n")[2])

    assert answered["PATH_INFO"].encode("latin-1").decode() == "/café/a b"
    assert (answered["QUERY_STRING"], answered["SCRIPT_NAME"], answered["SERVER_PROTOCOL"]) == (
        "x=%C3%A9",
        "",
        "HTTP/1.1",
    )
    assert (answered["HTTP_HOST"], answered["HTTP_X_TWICE"], answered["HTTP_COOKIE"]) == (
        "club.example.org:8000",
        "1,2",
        "a=1; b=2",
    )
    assert (answered["REMOTE_ADDR"], answered["HTTP_X_FORWARDED_FOR"]) == ("127.0.0.1", "192.0.2.1")
    assert (
        answered["SERVER_PORT"],
        answered["wsgi.url_scheme"],
        answered["CONTENT_LENGTH"],
        answered["size"],
    ) == (
        str(served.port),
        "http",
        "",
        0,
    )


@pytest.mark.parametrize("size", [1, 600_000])
def test_body_when_it_is_whole_then_read_from_memory_or_from_a_file(served: Served, size: int) -> None:
    answered = served.answered("POST", "/", b"y" * size, {"Content-Type": "text/plain"})

    assert (answered["size"], answered["CONTENT_LENGTH"], answered["CONTENT_TYPE"]) == (
        size,
        str(size),
        "text/plain",
    )
    assert answered["body"] == "y" * min(size, 100)


def test_body_when_it_comes_in_chunks_then_read_where_its_end_shows(served: Served) -> None:
    chunks = {"Transfer-Encoding": "chunked"}
    parts = {"Content-Type": "multipart/form-data; boundary=q"}

    answered = served.answered("POST", "/", iter([b'{"a":', b"1}"]), {**chunks, **JSON})
    assert (answered["body"], answered["CONTENT_LENGTH"], answered.get("HTTP_TRANSFER_ENCODING")) == (
        '{"a":1}',
        "7",
        None,
    )
    assert served.answered("POST", "/", iter([b"--q\r\n", b"--q--\r\n"]), {**chunks, **parts})["size"] == 12
    assert served.ask("POST", "/", iter([b"--q\r\n"]), {**chunks, **parts})[0].status == 400
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert served.ask("POST", "/", iter([b"points=1"]), {**chunks, **form})[0].status == 411


def test_body_when_it_is_too_large_then_refused_before_it_is_read(served: Served) -> None:
    with served.open(b"POST /api/v1/x/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1500001\r\n\r\n") as line:
        answer = line.recv(4_000)
    assert answer.startswith(b"HTTP/1.1 413")
    assert answer.endswith(b"request.too_large")
    with served.open(
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"16e360\r\n" + b" " * 1_500_000
    ) as chunks:
        chunks.sendall(b"\r\n1\r\n \r\n")
        assert chunks.recv(100).startswith(b"HTTP/1.1 413")


def test_body_when_it_breaks_off_then_nobody_acts_on_it(served: Served) -> None:
    with served.open(b"POST /api/v1/x/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\npoints=1") as line:
        line.shutdown(socket.SHUT_WR)
        answer = line.recv(4_000)
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"request.broken_off" in answer


def test_bodies_when_they_do_not_end_then_others_are_answered_and_these_end_with_408(served: Served) -> None:
    many = 5 * sum(THREADS_BY_LANE.values())
    with ExitStack() as stack:
        lines = [
            stack.enter_context(served.open(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"))
            for _ in range(many)
        ]
        trickle = stack.enter_context(
            served.open(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n")
        )
        began = time.monotonic()
        assert served.ask("GET", "/")[0].status == 200
        assert served.ask("POST", "/", b"whole")[0].status == 200
        assert time.monotonic() - began < LIMITS.silence_seconds, "they waited for bodies that never come"
        with pytest.raises(OSError, match=r"reset|pipe|abort"):
            send_for_ever(trickle)
        assert LIMITS.total_seconds - 0.1 < time.monotonic() - began < LIMITS.total_seconds + 2
        answers = {line.recv(2_000)[:12] for line in lines}
    assert answers == {b"HTTP/1.1 408"}


def test_bodies_when_together_they_are_too_much_then_refused_until_there_is_room(served: Served) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1400000\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(served.open(head + b"x" * 1_300_000))
        time.sleep(0.2)
        answer, answered = served.ask("POST", "/", b"y" * 500_000)
        assert (answer.status, answered) == (503, b"site.no_room")
    deadline = time.monotonic() + PATIENCE
    while served.ask("POST", "/", b"y" * 500_000)[0].status != 200:
        assert time.monotonic() < deadline


def test_answer_when_head_or_unchanged_then_without_a_body(served: Served) -> None:
    answer, content = served.ask("HEAD", "/")
    assert (answer.status, content) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 100
    assert answer.headers.get_all("Set-Cookie") == ["a=1", "b=2"]
    answer, content = served.ask("GET", "/unchanged")
    assert (answer.status, content, answer.headers["ETag"]) == (304, b"", '"1"')


def test_answer_when_it_is_large_then_whole_and_nobody_waits_for_a_slow_reader(served: Served) -> None:
    with ExitStack() as stack:
        for _ in range(2 * THREADS_BY_LANE["read"]):
            stack.enter_context(served.open(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n"))
        answer, content = served.ask("GET", "/large")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/csv")
    assert content == PIECE * PIECES


def test_answer_when_the_application_breaks_then_500(served: Served) -> None:
    assert served.ask("GET", "/broken")[0].status == 500
    assert served.ask("GET", "/")[0].status == 200


def test_lanes_when_one_is_held_then_the_others_go_on(served: Served) -> None:
    """A row that is locked keeps writers waiting, and nobody else."""
    with ExitStack() as stack:
        for _ in range(2 * THREADS_BY_LANE["write"]):
            stack.enter_context(
                served.open(b"POST /sleep?1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx")
            )
        time.sleep(0.1)
        began = time.monotonic()
        served.ask("GET", "/")
        served.ask("GET", "/", None, {"Cookie": "sessionid=1"})
        assert time.monotonic() - began < 0.8


def test_large_checks_of_one_address_take_turns_and_small_ones_wait_for_none(served: Served) -> None:
    check = "/api/v1/records/check/"
    large = f"POST {check}?sleep=0.6 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {LARGE_BODY_BYTES + 1}\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(1 + MAX_WAITING):
            stack.enter_context(served.open(large.encode() + b"x" * (LARGE_BODY_BYTES + 1)))
        time.sleep(0.2)
        began = time.monotonic()
        assert served.ask("POST", check, b"small", JSON)[0].status == 200
        assert time.monotonic() - began < 1.5  # in one line with the others it would take 2.2 s
        answer, code = served.ask("POST", check, b"x" * (LARGE_BODY_BYTES + 1), JSON)
        assert (answer.status, code) == (429, b"request.too_many_at_once")
    until = time.monotonic() + PATIENCE
    while served.ask("POST", check, b"x" * (LARGE_BODY_BYTES + 1), JSON)[0].status == 429:
        assert time.monotonic() < until
        time.sleep(0.2)


@pytest.mark.parametrize(
    ("method", "path", "cookies", "lane"),
    [
        ("GET", "/", "", "read"),
        ("HEAD", "/records/", "a=1", "read"),
        ("GET", "/", "a=1; sessionid=x", "own"),
        ("POST", "/my/x/report/", "", "write"),
        ("DELETE", "/api/v1/x/", "sessionid=x", "write"),
        ("POST", "/api/v1/records/check/", "", "check"),
        ("GET", "/readyz", "sessionid=x", "watch"),
        ("POST", "/healthz", "", "watch"),
    ],
)
def test_lane_of_a_request(method: str, path: str, cookies: str, lane: str) -> None:
    assert lane_name(method, path, cookies, "sessionid") == lane


@pytest.mark.parametrize("name", ["games:check", "games:imports", "api-records:check"])
def test_lane_of_checks_is_where_records_are_checked(name: str) -> None:
    assert lane_name("POST", reverse(name), "", "sessionid") == "check"


def test_folder_when_its_process_was_killed_then_the_next_one_clears_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    alive, hold = create_body_folder()
    killed, lost = create_body_folder()
    (killed / "answer").write_bytes(b"left behind")
    lost.close()
    mine, own_hold = create_body_folder()
    assert sorted(tmp_path.iterdir()) == sorted([alive, mine])
    hold.close()
    own_hold.close()
