"""Writes to every address of the site: those of the permission tables, the forms of pages, and what a player does by a personal link."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.permissions.rows import Row
from tests.permissions.shared import rolled_back
from tests.permissions.table import TABLE
from tests.permissions.test_every_url import address_of, ask
from tests.permissions.world import World, a_record
from tournaments.engine.types import Side

BROKEN = 3  # times that a form is sent with one of its fields broken


@dataclass(frozen=True)
class Write:
    """One request that changes something, or tries to."""

    title: str
    address: str
    data: Mapping[str, Any] = field(default_factory=dict)
    method: str = "post"
    headers: Mapping[str, str] = field(default_factory=dict)

    def send(self, client: Client) -> Any:
        for value in self.data.values():
            if hasattr(value, "seek"):
                value.seek(0)
        row = Row(
            self.title, {}, method=self.method, data=lambda _w: self.data, headers=lambda _w: self.headers
        )
        return ask(client, self.address, row, None)  # type: ignore[arg-type]

    @property
    def by_link(self) -> bool:
        return "Authorization" in self.headers or "/my/" in self.address


class _Forms(HTMLParser):
    """The forms of a page that are sent with POST: where each goes, and its fields as they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, Any]]] = []
        self._open: dict[str, Any] | None = None
        self._area = self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "form":
            self._open = {}
            if given.get("method", "").lower() == "post":
                self.forms.append((given.get("action", ""), self._open))
        elif self._open is None or "disabled" in given:
            return
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in given or self._select not in self._open):
            self._open[self._select] = value
        elif tag == "textarea":
            self._area = name
            self._open[name] = ""
        elif tag in {"input", "button"} and name:
            kind = given.get("type", "text")
            if kind in {"checkbox", "radio"} and "checked" not in given:
                return
            if kind != "file":
                self._open.setdefault(name, value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._area:
            self._open[self._area] += data


def of_tables(world: World) -> Iterator[Write]:
    """The writes of the permission tables: as their rows say, with nothing and with nonsense in each place."""
    for row in TABLE:
        if row.method == "get":
            continue
        data = dict(row.data(world))
        written = Write(row.title, address_of(row, world), data, row.method, dict(row.headers(world)))
        yield written
        if data:
            yield replace(written, title=f"{row.title} without a body", data={})
            yield replace(written, title=f"{row.title} with nonsense", data=dict.fromkeys(data, "\0"))


def of_forms(client: Client, row: Row, world: World, rng: random.Random) -> list[Write]:
    """The forms of the page of ``row``, each as it stands and with one of its fields broken."""
    with rolled_back():
        address = address_of(row, world)
        answer = ask(client, address, row, world)
        if answer.status_code != 200 or "html" not in answer.get("Content-Type", ""):
            return []
        parser = _Forms()
        parser.feed(answer.content.decode())
    found = []
    for action, fields in parser.forms:
        where = urlsplit(urljoin(address, action))
        if where.netloc:
            continue
        goal = where.path + (f"?{where.query}" if where.query else "")
        named = sorted(name for name in fields if name != "csrfmiddlewaretoken")
        found.append(Write(f"form of {row.title}", goal, fields))
        for broken in rng.sample(named, min(BROKEN, len(named))):
            odd = {**fields, broken: rng.choice(("", "\0", "x" * 300, "-1"))}
            found.append(Write(f"form of {row.title} with a broken {broken}", goal, odd))
    return found


def of_links(world: World) -> list[Write]:
    """What a player can do by a personal link, on its pages and in the API: refused and accepted."""
    match, objected, reported = world.a.disputed, world.a.objected, world.a.reported
    holder = world.a.token(Side.B, match)
    loser, other = world.a.token(Side.A, objected), world.a.token(Side.A, reported)

    def page(name: str, data: Mapping[str, Any], token: str = holder, of: Any = None) -> Write:
        kwargs = {"token": token, **({"match": of.public_id} if of is not None else {})}
        return Write(f"player:{name}", reverse(f"player:{name}", kwargs=kwargs), data)

    def program(name: str, data: Mapping[str, Any], token: str = holder, of: Any = match) -> Write:
        args = [of.public_id] if of is not None else []
        return Write(
            f"api:{name}", reverse(f"api:{name}", args=args), data, "json", {"Authorization": f"Link {token}"}
        )

    def record(*names: str) -> SimpleUploadedFile:
        return SimpleUploadedFile("match.mat", a_record(*names, seed=3))

    claim = {"score_a": 5, "score_b": 2, "kind": "played", "winner": "a", "submission_key": "own-1"}
    return [
        page("phone", {"phone_code": ""}),
        page("phone", {"ask": "yes"}),
        page("code", {}),
        page("here", {"code": ""}),
        page("answer", {"coming": "coming"}, of=match),
        page("answer", {"coming": ""}, of=match),
        page("object", {"text": ""}, loser, objected),
        page("object", {"text": "No."}, holder, match),
        page("object", {"text": "That is wrong."}, loser, objected),
        page("report", claim, of=match),
        page("report", {"score_a": "x"}, of=match),
        page("report", {**claim, "record": record("No", "Body")}, of=match),
        page("report", {**claim, "check": "1", "record": record("No", "Body")}, of=match),
        page("report", {"check": "1", "record": record("No", "Body"), "record_left": "a"}, of=match),
        page("agree", {"version": "1", "submission_key": "own-2"}, other, reported),
        page("agree", {"version": "7", "submission_key": "own-3"}, of=match),
        page("leave", {"sure": "yes"}),
        page("agreements", {}),
        page("link-notices", {}),
        program("report", claim),
        program("report", {**claim, "score_a": 99}),
        program("report", {**claim, "seen": 77}),
        replace(program("report", {**claim, "record": record("No", "Body")}), method="post"),
        program("agree", {"version": 1, "submission_key": "own-4"}, other, reported),
        program("agree", {"version": 9, "submission_key": "own-5"}),
        program("object", {"text": "That is wrong."}, loser, objected),
        program("object", {"text": "No."}),
        program("answer", {"coming": "coming"}),
        program("link-phone", {"code": "1"}, of=None),
        program("link-code", {}, of=None),
    ]  # fmt: skip
