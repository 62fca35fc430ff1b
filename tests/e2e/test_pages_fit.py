"""Every kind of page on a phone and on a desk: nothing hangs over the edge, everything has a name, nothing complains."""

import pytest
from django.urls import reverse

from rating.models import Fact
from rating.selectors import club_lists
from rating.services import update_list_ratings
from tests.e2e.pages import Member, Person, Phone
from tests.e2e.readers import violations
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL, in_full
from tournaments.check_in.services.windows import open_check_in
from tournaments.desk.services.notes import write_note
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.columns import CustomField, CustomFieldKind
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.statuses import EventAction
from tournaments.events.services.columns import set_custom_fields
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.events import change_event_status, set_registration
from tournaments.events.services.stages import StageDetails
from tournaments.models import Stage
from tournaments.selectors.access.links import entry_token
from tournaments.series.services.series import create_series, set_event_series
from tournaments.series.services.templates import save_template

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Maximiliane Wolkenkuckucksheim-Donaudampfschifffahrt the Third"

# What axe reads in every run, in light and dark; in the long run it reads all.
READ = (
    "public:event",
    "public:bracket",
    "player:home",
    "director:event",
    "director:entries",
    "director:board",
)

# What a reader of the page cannot name, what hangs over the edge of the window, and what is too small for a thumb (docs/design.md, rule 3).
FAULTS = """() => {
  const faults = [];
  const seen = (node) => node.checkVisibility({ checkVisibilityCSS: true });
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) faults.push(`${wide} px wider than the window`);
  const heads = [...document.querySelectorAll("h1")].length;
  if (heads !== 1) faults.push(`${heads} h1`);
  if (!document.title.trim()) faults.push("no title");
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (seen(field) && !field.labels?.length && !field.ariaLabel && !field.getAttribute("aria-labelledby"))
      faults.push(`a field without a label: ${field.outerHTML.slice(0, 90)}`);
  }
  for (const thing of document.querySelectorAll(":is(a[href], button, summary):not([aria-hidden=true])")) {
    const words = thing.textContent.trim() || thing.ariaLabel || thing.querySelector("[aria-label], img[alt]");
    if (seen(thing) && !words) faults.push(`nothing to read out: ${thing.outerHTML.slice(0, 90)}`);
  }
  const pressed = "button, summary, .button, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])";
  for (const thing of document.documentElement.clientWidth < 500 ? document.querySelectorAll(pressed) : []) {
    const { width, height } = thing.getBoundingClientRect();
    if (seen(thing) && width > 1 && height > 1 && height < 43.5)
      faults.push(`${height} px high for a thumb: ${thing.outerHTML.slice(0, 90)}`);
  }
  for (const thing of document.querySelectorAll(".button"))
    for (const text of thing.childNodes) {
      const range = document.createRange();
      range.selectNodeContents(text);
      if (text.nodeType === 3 && /^\\s*\\S+\\s*$/.test(text.data) && seen(thing) && range.getClientRects().length > 1)
        faults.push(`a word in pieces: ${thing.outerHTML.slice(0, 90)}`);
    }
  const foot = document.querySelector(".app-footer")?.getBoundingClientRect().bottom ?? Infinity;
  const below = Math.round(document.documentElement.scrollHeight - Math.max(foot + scrollY, innerHeight));
  if (below > 1) faults.push(`goes on ${below} px below its footer`);
  for (const picture of document.querySelectorAll("img:not([alt])")) faults.push(`no alt: ${picture.src}`);
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) faults.push(`twice: #${id}`);
  return faults;
}"""


@pytest.fixture
def addresses():
    """Pages with something on them, by who opens them."""
    tournament = an_event(entries=12, lengths=[5, 7]).publish()
    first, second, third, *_ = tournament.playable()
    tournament.says(first, "a", 5, 3)
    tournament.says(first, "b", 3, 5)
    tournament.says(second, "a", 5, 0)
    tournament.settle(third, "a", 1)
    (rating_list,) = club_lists(tournament.club.pk)
    update_list_ratings(rating_list.pk)
    coming = an_event(entries=3, club=tournament.club, director=tournament.director, name=LONG)
    change_event_status(actor=coming.actor, event_id=coming.event.pk, action=EventAction.OPEN)
    set_registration(actor=coming.actor, event_id=coming.event.pk, is_open=True)
    flights = (Flight(FlightKind.PROGRESSIVE, (3,), rounds=2), Flight(FlightKind.LAST_CHANCE, (1,)))
    weekend = an_event(
        entries=40,
        club=tournament.club,
        director=tournament.director,
        bracket=BracketSettings(flights=flights),
    )
    groups = StageDetails(name="Groups", system="round_robin", lengths=[3])
    side = DivisionDetails(
        name=LONG, stages=(groups, StageDetails(name="Knockout", lengths=[5], fed_by=1, takes=2))
    )
    add_division(actor=weekend.actor, event_id=weekend.event.pk, division=side, first_name="Masters")
    where = {
        "actor": weekend.actor,
        "event_id": weekend.event.pk,
        "stage_id": Stage.objects.get(division__event=weekend.event, division__position=1).pk,
    }
    draw_stage(**where)
    publish_draw(**where)
    several = weekend.event.public_id
    player = tournament.entry_at(third, "a").players.get()
    series = create_series(actor=tournament.actor, club_id=tournament.club.pk, name=LONG)
    set_event_series(actor=tournament.actor, event_id=tournament.event.pk, series_id=series.pk)
    template = save_template(actor=tournament.actor, event_id=tournament.event.pk, name=LONG)
    of_coming = {"actor": coming.actor, "event_id": coming.event.pk}
    open_check_in(**of_coming, division_id=coming.division.pk)
    lunch = CustomField(name=LONG[:40], kind=CustomFieldKind.CHOICE, choices=("meat", "fish"), asked=True)
    set_custom_fields(**of_coming, columns=[lunch])
    write_note(actor=tournament.actor, event_id=tournament.event.pk, text=LONG * 5, submission_key="k")
    fact = Fact.objects.filter(club=tournament.club).first().pk
    event, soon, club, ratings = (
        tournament.event.public_id,
        coming.event.public_id,
        tournament.club.public_id,
        rating_list.public_id,
    )
    public = [
        ("public:home", []),
        ("public:club", [club]),
        ("public:club-players", [club]),
        ("public:series", [series.public_id]),
        *[(f"public:{page}", [event]) for page in ("event", "bracket", "entries", "draws", "trail-head")],
        ("public:verify", []),
        ("public:search?q=a", []),
        ("public:event", [soon]),
        *[(f"public:{page}", [several]) for page in ("event", "bracket", "entries")],
        ("public:match", [first.public_id]),
        ("public:match", [third.public_id]),
        ("public:player", [player.public_id]),
        ("rating:list", [ratings]),
        ("rating:what-if", [ratings]),
        ("rating:player", [ratings, player.public_id]),
        ("rating:why", [ratings, fact]),
        ("games:check", []),
        ("account_login", []),
        ("account_signup", []),
        ("account_reset_password", []),
    ]
    tabs = (
        *(
            "event",
            "entries",
            "draw",
            "board",
            "notices",
            "screens",
            "links",
            "helpers",
            "sheet",
            "prizes",
            "papers",
            "settings",
        ),
        "audit",
    )
    directed = [
        ("director:home", []),
        ("director:club-new", []),
        ("director:club", [club]),
        ("director:event-new", [club]),
        ("director:duplicates", [club]),
        ("director:consents", [club]),
        ("director:invite", [club]),
        *[(f"director:{tab}", [event]) for tab in tabs],
        *[
            (f"director:{tab}", [soon])
            for tab in (
                "event",
                "entries",
                "entries?cols=0&col=paid",
                "paste",
                "seeds",
                "divisions",
                "division-new",
                "draw",
                "check-in",
                "matrix",
                "columns",
                "how-long",
                "cancel",
            )
        ],
        *[(f"director:{tab}", [event]) for tab in ("at-desk", "again", "days", "matrix", "check-in")],
        ("director:series", [club]),
        ("director:one-series", [club, series.public_id]),
        ("director:template", [club, template.public_id]),
        ("director:use-template", [club, template.public_id]),
        ("director:conduct", [event, tournament.stage.pk]),
        ("people:numbers", [club, player.public_id]),
        ("director:draw", [several]),
        ("director:matrix", [several]),
        ("director:line-help", [event]),
        ("director:paper", [event, "places"]),
        ("director:holdups", [event]),
        ("director:entries?cols=0&col=rating&col=paid&col=email&col=phone&col=note", [several]),
        ("director:entry", [event, tournament.entry_at(first, "a").public_id]),
        ("director:match", [event, first.public_id]),
        ("director:match", [event, third.public_id]),
        ("people:clubs", []),
        *[(f"people:{page}", [club]) for page in ("players", "settings", "members", "audit")],
        ("people:player", [club, player.public_id]),
        ("rating_director:home", [club]),
        *[(f"rating_director:{page}", [ratings]) for page in ("list", "settings", "ledger")],
        ("games:imports", []),
        ("account_email", []),
        ("account_change_password", []),
        ("mfa_index", []),
        ("mfa_list_webauthn", []),
        ("usersessions_list", []),
    ]
    links = [
        ("player:home", [entry_token(tournament.entry_at(match, side))])
        for match in (first, second, third)
        for side in "ab"
    ]
    return tournament.director, public, directed, links


def faults_of(person: Person, pages: list) -> list[str]:
    """Of the most important pages axe reads the first of each kind, in `.ci/long` every page."""
    found, read = [], set[str]()
    for name, args in pages:
        view, mark, query = name.partition("?")
        person.goes_to(reverse(view, args=args) + mark + query)
        found += [f"{name}: {fault}" for fault in person.page.evaluate(FAULTS)]
        if in_full() or name in {*READ} - read:
            read.add(name)
            found += [f"{name}: {fault}" for fault in violations(person.page)]
    return found


# What fits a phone and has its names there fits a desk: that one in full.
@pytest.mark.parametrize("window", ["phone", pytest.param("desk", marks=ONLY_IN_FULL)])
def test_pages_fit_and_name_everything(house, addresses, window):
    director, public, directed, links = addresses
    how = {"phone": window == "phone", "dark": window == "desk"}
    faults = faults_of(Person(house, "Vera", **how), public)
    faults += faults_of(Phone(house, "Ann", **how), links)
    faults += faults_of(Member(house, "Dora", **how).signs_in(director), directed)
    assert not faults, "\n" + "\n".join(faults)


def test_checker_sees_what_is_wrong(house):
    page = house.visitor("Vera", phone=True).page
    page.set_content(
        "<meta name=viewport content='width=device-width'><title>x</title><h1>a</h1><h1>b</h1><input id=i><button id=i></button><p style='width:900px'>wide</p><img><button style='height:20px'>low</button><a class=button style='display:block;width:2em;overflow-wrap:anywhere'>Incomprehensibilities</a>"
    )
    found = " ".join(page.evaluate(FAULTS))
    for fault in (
        "wider than the window",
        "2 h1",
        "without a label",
        "nothing to read out",
        "no alt",
        "twice: #i",
        "20 px high for a thumb",
        "a word in pieces",
    ):
        assert fault in found
