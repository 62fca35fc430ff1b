"""No answer to a write, accepted or refused, names a player to a visitor who may not read that name.

Every visitor sends every write of the permission tables, and the forms of the pages they can open: as they stand, and with a field
broken. `.ci/long` sends all of them, other runs a seeded sample and the writes of a personal link.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.permissions.rows import Row
from tests.permissions.shared import kept, rolled_back
from tests.permissions.table import TABLE
from tests.permissions.test_every_url import address_of, ask, text_of
from tests.permissions.world import VISITORS, World, a_record, build_world
from tests.support.lanes import ON_ONE, in_full
from tournaments.engine.types import Side
from tournaments.entries.services.teams import team_name
from tournaments.models import Entry, Match

pytestmark = [pytest.mark.django_db, *ON_ONE]

FAMILIES = {"A": "Quuxley", "B": "Wexcombe"}  # of the players of each club, and of nothing else
SAMPLE = 5  # writes of a visitor in a normal run
FORMS = 800  # writes by forms of a visitor in `.ci/long`
BROKEN = 3  # times that a form is sent with one of its fields broken


@dataclass(frozen=True)
class Hidden:
    """The world of the permission tables, in which no player shows a family name in public.

    ``desk``: what an address at which the assistant helps has in it. ``own_name``: of the player who has an account.
    """

    world: World
    desk: frozenset[str]
    own_name: str

    def from_visitor(self, visitor: str, write: "Write") -> list[str]:
        """The family names that this visitor may not read in the answer."""
        if write.by_link:
            return list(FAMILIES.values())
        open_to = {"director": "A", "owner": "A", "other": "B"}.get(visitor)
        if visitor == "assistant" and any(one in write.address for one in self.desk):
            open_to = "A"
        return [family for club, family in FAMILIES.items() if club != open_to]


def build() -> Hidden:
    world = build_world()
    paged = {pk for nook in (world.a, world.b) for pk in (nook.fact.winner_id, nook.fact.loser_id)}
    for number, player in enumerate(Player.objects.order_by("pk")):
        club = "B" if player.club_links.filter(club=world.b.club).exists() else "A"
        player.name = f"Zed{number} {FAMILIES[club]}{number}"
        player.shown_as = "hidden" if number % 2 and player.pk not in paged else "short"
        player.save()
    for entry in Entry.objects.prefetch_related("entry_players__player"):
        entry.name = team_name([row.player.name for row in entry.entry_players.all()])
        entry.save()
    running = world.a.running.event
    matches = Match.objects.filter(stage__division__event=running).values_list("public_id", flat=True)
    own = Player.objects.get(user__name="Petra Player")
    return Hidden(world, frozenset([running.public_id, *matches]), own.name)


@pytest.fixture(scope="module")
def hidden(django_db_setup: None, django_db_blocker: Any) -> Iterator[Hidden]:
    with kept(django_db_blocker, build) as made:
        yield made


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


def faults_of(hidden: Hidden, visitor: str, write: Write) -> list[str]:
    with rolled_back():
        client = hidden.world.clients[visitor]
        client.cookies.pop("messages", None)  # what a write before has left for the next page
        answer = write.send(client)
        told = text_of(answer)
    if visitor == "player" and not write.by_link:
        told = told.replace(hidden.own_name, "")
    return [
        f"{visitor}, {write.title}: {answer.status_code} says {told[told.index(family) - 20 :][:40]!r}"
        for family in hidden.from_visitor(visitor, write)
        if family in told
    ]


def test_answers_to_a_personal_link_name_players_as_in_the_hall(hidden: Hidden) -> None:
    visitors = VISITORS if in_full() else ["nobody"]
    faults = [
        fault
        for write in of_links(hidden.world)
        for visitor in visitors
        for fault in faults_of(hidden, visitor, write)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("visitor", VISITORS)
def test_writes_of_a_visitor_are_answered_without_hidden_names(hidden: Hidden, visitor: str) -> None:
    rng = random.Random(VISITORS.index(visitor))
    writes = list(of_tables(hidden.world))
    pages = [row for row in TABLE if row.method == "get"]
    rng.shuffle(pages)
    forms: list[Write] = []
    for row in pages if in_full() else rng.sample(pages, SAMPLE):
        if len(forms) < FORMS:
            forms += of_forms(hidden.world.clients[visitor], row, hidden.world, rng)
    if not in_full():
        writes, forms = rng.sample(writes, SAMPLE), rng.sample(forms, min(SAMPLE, len(forms)))
    faults = []
    for number, write in enumerate([*writes, *forms]):
        if number % 20 == 0:
            cache.clear()  # whoever sends too much from one address is not answered
        faults += faults_of(hidden, visitor, write)
    assert not faults, "\n".join(faults)
    assert not in_full() or len(writes) + len(forms) >= 1000


def test_api_answers_changes_of_directors_and_helpers_with_full_names(hidden: Hidden) -> None:
    match = hidden.world.a.disputed
    claim = {"score_a": 5, "score_b": 2, "submission_key": "own-1"}
    report = Write("report", reverse("api:report", args=[match.public_id]), claim, "json")
    told = {}
    for visitor in ("director", "owner", "assistant", "stranger"):
        with rolled_back():
            told[visitor] = FAMILIES["A"] in text_of(report.send(hidden.world.clients[visitor]))
    assert told == {"director": True, "owner": True, "assistant": True, "stranger": False}
