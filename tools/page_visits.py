"""The visits of `compare_pages.py`: who requests what, and what is recorded of each response.

Depends only on Django, the names of models and fields, and `tests.settings` of the checkout it runs in, so that the same program can visit
earlier and later releases.
"""

import hashlib
import logging
import os
import random
import re
import secrets
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tools.page_objects import Subjects

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)  # some hours after the packed database was made
KEPT_HEADERS = (
    "Content-Type",
    "Location",
    "Vary",
    "Cache-Control",
    "Content-Disposition",
    "Content-Language",
)
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
RANDOM_FIELDS = {"csrfmiddlewaretoken", "submission_key"}
MOST_FORMS = 60  # of one page
RANDOM = random.Random()
Data = tuple[tuple[str, str], ...]


def random_below(exclusive_upper_bound: int) -> int:
    return RANDOM.randrange(exclusive_upper_bound)


def fix_random_sources() -> None:
    """Replace sources of random numbers by repeatable ones, before any module of the site is imported."""
    secrets.choice = RANDOM.choice
    secrets.randbelow = random_below
    secrets.token_bytes = lambda nbytes=32: RANDOM.randbytes(nbytes or 32)
    secrets.token_hex = lambda nbytes=32: RANDOM.randbytes(nbytes or 32).hex()
    secrets.token_urlsafe = lambda nbytes=32: RANDOM.randbytes(nbytes or 32).hex()
    uuid.uuid4 = lambda: uuid.UUID(int=RANDOM.getrandbits(128), version=4)


class Clock:
    """A stopped clock, which always returns ``NOW``."""

    def __call__(self) -> datetime:
        return NOW

    def time(self) -> float:
        return NOW.timestamp()


def set_up(database: Path) -> None:
    """Set up Django with the database file, which is migrated by the present code, and a stopped clock."""
    fix_random_sources()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ.pop("CRAWFORD_TEST_DATABASE", None)
    import django

    logging.disable()
    django.setup()
    from django.core.cache.backends import base, locmem
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_test_environment
    from django.utils import timezone

    connection.close()
    connection.settings_dict["NAME"] = str(database)
    call_command("migrate", verbosity=0)
    setup_test_environment()
    clock = Clock()
    timezone.now = clock
    base.time = locmem.time = clock  # type: ignore[attr-defined]


@contextmanager
def rolled_back() -> Iterator[None]:
    """Run the block and roll back everything that it wrote to the database.

    Services that require to be the outermost transaction run inside. The page cache is cleared before.
    """
    from django.core.cache import cache
    from django.db import transaction

    cache.clear()  # pages are cached by event and version, and versions repeat after a rollback
    RANDOM.seed("pages")
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined]  # noqa: SLF001 (what Django's own tests set)
    with atomic:
        try:
            yield
        finally:
            transaction.set_rollback(True)


class Forms(HTMLParser):
    """Parser for the POST forms of a page. ``found``: the action, fields and buttons of each form."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str]], list[tuple[str, str]]]] = []
        self._form: tuple[str, list[tuple[str, str]], list[tuple[str, str]]] | None = None
        self._select: str | None = None
        self._options: list[tuple[str, bool]] = []
        self._radios: set[str] = set()
        self._area: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = (
                (attributes.get("action", ""), [], [])
                if attributes.get("method", "").lower() == "post"
                else None
            )
            self._radios.clear()
            if self._form is not None:
                self.found.append(self._form)
        if self._form is None or "disabled" in attributes:
            return
        name, value = attributes.get("name", ""), attributes.get("value", "")
        fields, buttons = self._form[1:]
        kind = attributes.get("type", "text" if tag == "input" else "submit")
        if tag == "button" or (tag == "input" and kind == "submit"):
            buttons.append((name, value))
        elif tag == "input" and name and kind == "radio":
            if "checked" in attributes or name not in self._radios:
                fields[:] = [field for field in fields if field[0] != name]
                fields.append((name, value))
            self._radios.add(name)
        elif tag == "input" and name and (kind != "checkbox" or "checked" in attributes) and kind != "file":
            fields.append((name, value or ("on" if kind == "checkbox" else "")))
        elif tag == "select" and name:
            self._select, self._options = name, []
        elif tag == "option" and self._select:
            self._options.append((value, "selected" in attributes))
        elif tag == "textarea" and name:
            self._area = name
            fields.append((name, ""))

    def handle_data(self, data: str) -> None:
        if self._area and self._form is not None:
            name, value = self._form[1][-1]
            self._form[1][-1] = (name, value + data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = None
        elif tag == "select" and self._select and self._form is not None:
            selected_values = [value for value, selected in self._options if selected]
            available = [value for value, _ in self._options if value]
            if selected_values or available:
                self._form[1].append((self._select, (selected_values or available)[0]))
            self._select = None

    def sendings(self) -> Iterator[tuple[str, Data]]:
        """Yield the address and data of each form with each of its buttons.

        A form with a score is also yielded with the two scores swapped.
        """
        for action, fields, buttons in self.found:
            if "/i18n/" in action or "/account/" in action:
                continue
            for button in buttons or [("", "")]:
                data = [*fields, button] if button[0] else list(fields)
                yield action, tuple(data)
                value_by_name = dict(data)
                if {"score_a", "score_b"} <= value_by_name.keys():
                    a, b = value_by_name["score_b"] or "5", value_by_name["score_a"] or "2"
                    swapped_scores = {"score_a": a, "score_b": b}
                    yield action, tuple((name, swapped_scores.get(name, value)) for name, value in data)


class Visits:
    """Requests pages and writes the responses to files.

    ``counts``: number of responses by visitor and method.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.clients: dict[int, Any] = {}
        self.sent: set[tuple[int, str, str, Data]] = set()

    def client(self, user: int) -> Any:
        """Return a test client signed in as the user with this id, or not signed in for 0."""
        from allauth.mfa.models import Authenticator
        from django.contrib.auth import get_user_model
        from django.test import Client

        if user not in self.clients:
            RANDOM.seed(f"session of {user}")
            self.clients[user] = Client(raise_request_exception=False)
            if user:
                account = get_user_model().objects.get(pk=user)
                if account.is_staff:  # pages for staff with a second factor only
                    Authenticator.objects.get_or_create(
                        user=account, type="totp", defaults={"data": {"secret": "compared"}}
                    )
                self.clients[user].force_login(account, backend=BACKEND)
        return self.clients[user]

    def get(self, visitor: str, user: int, name: str, path: str, language: str = "en") -> Any:
        """Request a page, record the response, and request it again with its ETag to check for a 304."""
        client, headers = self.client(user), {"Accept-Language": language}
        with rolled_back():
            answer = client.get(path, headers=headers)
            etag = answer.headers.get("ETag")
            repeat_status = (
                client.get(path, headers={**headers, "If-None-Match": etag}).status_code if etag else None
            )
            body = _body(answer)
        self._write(
            f"{visitor}/get", name, path, answer, body, f"ETag: gives {repeat_status}\n" if etag else ""
        )
        return answer

    def send(self, visitor: str, user: int, name: str, path: str, page: Any) -> None:
        """Submit every form of a page that was not submitted before, then the forms of the responses.

        Each change is rolled back.
        """
        for action, data in list(_forms(page).sendings())[:MOST_FORMS]:
            fields = tuple(field for field in data if field[0] not in RANDOM_FIELDS)
            target = action or path
            if (user, target, "", fields) in self.sent:
                continue
            self.sent.add((user, target, "", fields))
            with rolled_back():
                answer = self._post(visitor, user, name, path, target, data)
                if answer.status_code == 200:
                    for number, (next_action, next_data) in enumerate(_forms(answer).sendings()):
                        if number < MOST_FORMS // 3:
                            with _savepoint():
                                self._post(
                                    visitor, user, name, path, next_action or target, next_data, before=fields
                                )

    def _post(
        self, visitor: str, user: int, name: str, path: str, target: str, data: Data, before: Data = ()
    ) -> Any:
        fields: dict[str, list[str]] = {}
        for key, value in data:
            fields.setdefault(key, []).append(value)
        answer = self.client(user).post(target, fields, headers={"Accept-Language": "en"})
        body = _body(answer)
        if answer.status_code in {301, 302, 303} and answer.headers["Location"].startswith("/"):
            after = self.client(user).get(answer.headers["Location"], headers={"Accept-Language": "en"})
            body += b"\n--- then ---\n" + _body(after)
        stable_fields = [field for field in data if field[0] not in RANDOM_FIELDS]
        digest = hashlib.sha256(repr((target, stable_fields, before)).encode()).hexdigest()[:12]
        heading = f"POST {target} {stable_fields}\n" + (f"after {before}\n" if before else "")
        self._write(f"{visitor}/post", name, f"{path}--{digest}", answer, body, heading)
        return answer

    def _write(self, visitor: str, name: str, path: str, answer: Any, body: bytes, heading: str) -> None:
        file_name = re.sub(r"[^\w.=-]+", "_", path.strip("/"))[:150] or "root"
        if len(path) > 150:
            file_name += hashlib.sha256(path.encode()).hexdigest()[:8]
        file = self.folder / visitor / name.replace(":", ".") / f"{file_name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        header_lines = "".join(
            f"{key}: {answer.headers[key]}\n" for key in KEPT_HEADERS if key in answer.headers
        )
        file.write_bytes(f"{path}\n{answer.status_code}\n{header_lines}{heading}\n".encode() + body)
        self.counts[visitor] += 1


@contextmanager
def _savepoint() -> Iterator[None]:
    from django.core.cache import cache
    from django.db import transaction

    cache.clear()
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined]  # noqa: SLF001
    with atomic:
        yield
        transaction.set_rollback(True)
    cache.clear()


def _body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def _forms(answer: Any) -> Forms:
    is_page = answer.headers.get("Content-Type", "").startswith("text/html") and not answer.streaming
    return Forms(answer.content.decode() if is_page else "")


def addresses() -> list[tuple[str, str, tuple[str, ...]]]:
    """Return every address of the site: URL namespace, full URL name, names of its arguments."""
    from django.urls import get_resolver

    def walk(resolver: Any, namespaces: tuple[str, ...]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        for pattern in resolver.url_patterns:
            if hasattr(pattern, "url_patterns"):
                yield from walk(
                    pattern, (*namespaces, pattern.namespace) if pattern.namespace else namespaces
                )
            elif pattern.name:
                names = tuple(sorted(pattern.pattern.regex.groupindex))
                yield (namespaces[0] if namespaces else ""), ":".join((*namespaces, pattern.name)), names

    return sorted(set(walk(get_resolver(), ())))


def visit_everything(database: Path, folder: Path, events: int) -> Mapping[str, int]:
    """Make all visits; return the number of responses by visitor and method. ``events``: 0 for all events."""
    set_up(database)
    visits = Visits(folder)
    subjects = Subjects(events)
    for area, name, names in addresses():
        for subject in subjects.of(area, name, names):
            for visitor, user, language in subject.visitors:
                answer = visits.get(visitor, user, name, subject.path, language)
                if visitor in subject.senders and language == "en":
                    visits.send(visitor, user, name, subject.path, answer)
                if answer.status_code == 405:
                    subjects.only_by_form.add(name)
    return visits.counts
