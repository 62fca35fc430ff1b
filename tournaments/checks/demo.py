"""Create the demo club: a club in the middle of its year, built through the services.

A weekend with consolation, last chance and doubles and a Swiss are in progress; a knockout and a league
season are over, a points league of money play continues, and a cup is open for entries.
"""

import gzip
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress

from games.services import analyses
from people.actors import Actor
from people.models import Club, Membership, Player, Role, User
from rating.selectors import club_lists
from rating.services import create_list, update_list_ratings
from rating.services.lists import ListSettings
from tournaments.checks.simulation import Simulation, new_event, people_names
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EventAction
from tournaments.engine.types import Side
from tournaments.entries.services.consents import set_consents_by_link
from tournaments.entries.services.registration import register_self
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import (
    EventDetails,
    change_event_status,
    create_event,
    set_registration,
)
from tournaments.events.services.stages import StageDetails
from tournaments.events.services.templates import event_template
from tournaments.matches.services.records import Upload
from tournaments.models import Event, Report
from tournaments.money_play.services.sessions import SessionDetails, open_points_league, record_session
from tournaments.selectors.access.links import join_token
from tournaments.site.services.clubs import create_club_with_list

SEED = 1962
PASSWORD = "crawford-demo"  # noqa: S105 (printed on the screen: the demo is for looking around)
DIRECTOR = "director@example.org"
OWNER = "owner@example.org"
TIME_ZONE = "Europe/Helsinki"
VENUE = "Harbour Hall, Pier 4"


@dataclass(frozen=True, slots=True)
class Demo:
    """The club and the events that were created."""

    club: Club
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _DemoClub:
    """The club, its director, and the random source of the demo."""

    club: Club
    actor: Actor
    today: date
    rng: random.Random

    def create(self, details: EventDetails, divisions: Sequence[DivisionDetails]) -> Simulation:
        event = create_event(actor=self.actor, club_id=self.club.pk, details=details, divisions=divisions)
        return Simulation(event=event, director=self.actor, rng=self.rng)

    def details(
        self,
        name: str,
        *,
        starts: int,
        days: int = 1,
        tables: int = 9,
        about: str = "",
        weight: Decimal = Decimal(1),
    ) -> EventDetails:
        """Details of an event of ``days`` days that begins ``starts`` days after today."""
        first = self.today + timedelta(days=starts)
        return EventDetails(
            name=name,
            place=VENUE,
            description=about,
            starts_on=first,
            ends_on=first + timedelta(days=days - 1),
            timezone=TIME_ZONE,
            tables=tables,
            weight=weight,
        )


def make_demo(*, today: date) -> Demo:
    """Create the demo around ``today``. Raises ``ValueError`` if its accounts exist already."""
    if User.objects.filter(email__in=[DIRECTOR, OWNER]).exists():
        raise ValueError("the demo already exists")
    rng = random.Random(SEED)  # noqa: S311 (a demo that looks the same everywhere)
    owner, director = _create_account(OWNER, "Sanna Owner"), _create_account(DIRECTOR, "Kim Director")
    club = create_club_with_list(
        actor=Actor.of(owner),
        name="Harbour Backgammon Club",
        city="Helsinki",
        country="FI",
        about="We meet every Tuesday at seven. Boards, clocks and coffee are here; bring a friend.",
    )
    Membership.objects.create(user=director, club=club, role=Role.DIRECTOR)
    house = _DemoClub(club, Actor.of(director), today, rng)
    points = ListSettings(name="Master points", system="master")
    create_list(actor=house.actor, club_id=club.pk, settings=points)
    names = people_names(36, rng)
    finished = _create_finished_event(house, names[:16])
    known = [NewEntry(player_id=pk) for pk in club_players(club)]
    events = (
        finished,
        _create_league(house, known[:8]),
        _create_weekend(house, known, [NewEntry(name=name) for name in names[16:24]]),
        _create_swiss(house, [NewEntry(name=name) for name in names[24:33]]),
        _create_points_league(house, known[3:8]),
        _create_upcoming_event(house, known[:7], names[33:36]),
    )
    for rating_list in club_lists(club.pk):
        update_list_ratings(rating_list.pk)
    return Demo(club, events)


def club_players(club: Club) -> list[int]:
    """Ids of the players of the club, in the order in which they were added."""
    return list(Player.objects.filter(club_links__club=club).order_by("pk").values_list("pk", flat=True))


def _create_account(email: str, name: str) -> User:
    user = User.objects.create_user(email, PASSWORD, name=name)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=True)
    return user


def _create_finished_event(house: _DemoClub, names: list[str]) -> Event:
    details = house.details(
        "Autumn Open",
        starts=-12,
        days=2,
        tables=12,
        weight=Decimal(2),
        about="Our yearly open: one division, single elimination, everybody welcome.",
    )
    event = new_event(
        club=house.club,
        director=house.actor,
        details=details,
        stage=StageDetails(lengths=[5, 7, 9, 11]),
        entries=[NewEntry(name=name) for name in names],
        rng=house.rng,
    )
    event.clock = datetime.combine(details.starts_on, time(11, 15), tzinfo=ZoneInfo(TIME_ZONE))
    event.draw(SEED)
    _add_analysed_match(event)
    event.play_all()
    return event.event


def _add_analysed_match(event: Simulation) -> None:
    """Give the first match a game record with analysis, public by consent of both players.

    Two programs played it.
    """
    match = event.playable()[0]
    content = gzip.decompress((Path(__file__).parent / "data" / "demo_match.sgf.gz").read_bytes())
    event.play_with_games(match, Upload(content, "match.sgf", Side.A))
    stored = Report.objects.get(match=match, state=Report.State.CONFIRMED).record
    if stored is None:
        return
    found = analyses.load_record(stored)
    analyses.store_file_analysis(
        record_id=stored.pk, found=found, code="gnubg", version=found.own.engine.split()[-1]
    )
    for entry in (slot.entry for slot in match.slots.all() if slot.entry is not None):
        for player in entry.players.all():
            set_consents_by_link(
                actor=event.director,
                entry_id=entry.pk,
                player_id=player.pk,
                replies={Consent.RECORD: Reply.YES, Consent.ANALYSIS: Reply.YES},
            )


def _create_league(house: _DemoClub, players: Sequence[NewEntry]) -> Event:
    """A season of two divisions, played to the end; its director can create the next one from it."""
    details = house.details("Harbour League", starts=-100, days=90)
    model = event_template("league").divisions[0]
    stage = replace(model.stages[0], lengths=[5])
    divisions = [replace(model, name=name, stages=(stage,)) for name in ("Premier", "Second")]
    season = house.create(details, divisions)
    parts = [season.enter("Premier", players[:4]), season.enter("Second", players[4:])]
    for number, part in enumerate(parts):
        part.draw(SEED + 10 + number)
    for part in parts:
        part.clock = datetime.combine(
            details.starts_on + timedelta(days=30), time(19), tzinfo=ZoneInfo(TIME_ZONE)
        )
        part.play_all()
    return season.event


def _create_weekend(house: _DemoClub, known: Sequence[NewEntry], new: Sequence[NewEntry]) -> Event:
    """Main bracket, consolation and last chance half way, and doubles that have just been drawn."""
    model = event_template("weekend").divisions[0]
    stage = replace(model.stages[0], lengths=[5, 7, 9])
    doubles = DivisionDetails(name="Doubles", team_size=2, stages=(StageDetails(lengths=[5]),))
    about = "A main bracket, a consolation for those who lose early, a last chance after it, and doubles at night."
    event = house.create(
        house.details("Harbour Weekend", starts=0, days=2, about=about),
        [replace(model, name="Open", stages=(stage,)), doubles],
    )
    main = event.enter("Open", [*known[:8], *new])
    main.draw(SEED + 1)
    pairs = event.enter(
        "Doubles",
        [replace(one, partners=(other,)) for one, other in zip(known[8:12], known[12:16], strict=True)],
    )
    pairs.draw(SEED + 2)
    _play_half_way(main)
    return event.event


def _play_half_way(event: Simulation) -> None:
    """Leave one match reported, one disputed and some at their tables."""
    for count in (8, 4, 1):
        for match in sorted(event.playable(), key=lambda match: match.round.section == "main")[:count]:
            event.play(match)
    left = event.playable()
    event.dispute(left[0])
    event.report_win(left[1])
    for match in left[2:5]:
        event.start_match(match)


def _create_swiss(house: _DemoClub, entries: Sequence[NewEntry]) -> Event:
    """Round 1 is over, in round 2 the first results have been reported."""
    details = house.details(
        "Tuesday Swiss", starts=0, about="Every Tuesday at seven: four rounds for everyone."
    )
    event = house.create(details, event_template("club_night").divisions).enter("", entries)
    event.draw(SEED + 3)
    for match in event.playable():
        event.play(match)
    event.draw(SEED + 3)
    event.play(event.playable()[0])
    event.start_match(event.playable()[0])
    return event.event


def _create_points_league(house: _DemoClub, players: Sequence[NewEntry]) -> Event:
    """A points league with a few sessions."""
    details = house.details(
        "Chouette League", starts=-40, days=120, about="Money play for points, Thursdays at eight."
    )
    league = house.create(details, event_template("money").divisions).enter("", players)
    where: dict[str, Any] = {"actor": house.actor, "event_id": league.event.pk, "stage_id": league.stage.pk}
    open_points_league(**where)
    entries = list(league.stage.division.entries.order_by("pk").values_list("pk", flat=True))
    for number, points in enumerate(((8, -5, -3, 0, 0), (0, 4, -7, 3, 0), (-2, 0, 9, -1, -6))):
        scores = {entry: point for entry, point in zip(entries, points, strict=True) if point}
        session = SessionDetails(played_on=details.starts_on + timedelta(days=7 * number), scores=scores)
        record_session(**where, details=session, submission_key=f"demo-{number}")
    return league.event


def _create_upcoming_event(house: _DemoClub, known: Sequence[NewEntry], names: list[str]) -> Event:
    details = house.details(
        "Winter Cup",
        starts=20,
        days=2,
        tables=16,
        about="Doors open at ten, the draw is at eleven.",
    )
    details = replace(details, opens_at=time(11))
    event = new_event(
        club=house.club,
        director=house.actor,
        details=details,
        stage=StageDetails(lengths=[7, 7, 9, 11], draw_method="seeded"),
        entries=known,
        rng=house.rng,
    )
    change_event_status(actor=house.actor, event_id=event.event.pk, action=EventAction.OPEN)
    opened = set_registration(actor=house.actor, event_id=event.event.pk, is_open=True)
    for name in names:
        register_self(actor=Actor.named(name), token=join_token(opened), entry=NewEntry(name=name))
    return opened
