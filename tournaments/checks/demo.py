"""Create the demo club: a club in the middle of its year, built through the services.

A weekend with consolation, last chance and doubles, and a Swiss are in progress; a knockout and a league
season are over, a points league of money play continues, and a cup takes entries.
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
    """The demo club and the events that were created in it."""

    club: Club
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _DemoClub:
    """What the demo is built with: the club, its director as actor, today's date and the random source."""

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
        days_ahead: int,
        days: int = 1,
        tables: int = 9,
        about: str = "",
        weight: Decimal = Decimal(1),
    ) -> EventDetails:
        """Return the details of an event of ``days`` days that begins ``days_ahead`` days after today."""
        first_day = self.today + timedelta(days=days_ahead)
        return EventDetails(
            name=name,
            place=VENUE,
            description=about,
            starts_on=first_day,
            ends_on=first_day + timedelta(days=days - 1),
            timezone=TIME_ZONE,
            tables=tables,
            weight=weight,
        )


def make_demo(*, today: date) -> Demo:
    """Create the demo with dates around ``today``. Raises ``ValueError`` if its accounts exist already."""
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
    demo_club = _DemoClub(club, Actor.of(director), today, rng)
    master_settings = ListSettings(name="Master points", system="master")
    create_list(actor=demo_club.actor, club_id=club.pk, settings=master_settings)
    names = people_names(36, rng)
    finished = _create_finished_event(demo_club, names[:16])
    known_players = [NewEntry(player_id=pk) for pk in club_players(club)]
    events = (
        finished,
        _create_league(demo_club, known_players[:8]),
        _create_weekend(demo_club, known_players, [NewEntry(name=name) for name in names[16:24]]),
        _create_swiss(demo_club, [NewEntry(name=name) for name in names[24:33]]),
        _create_points_league(demo_club, known_players[3:8]),
        _create_upcoming_event(demo_club, known_players[:7], names[33:36]),
    )
    for rating_list in club_lists(club.pk):
        update_list_ratings(rating_list.pk)
    return Demo(club, events)


def club_players(club: Club) -> list[int]:
    """Return the ids of the players of the club, in the order in which they were added."""
    return list(Player.objects.filter(club_links__club=club).order_by("pk").values_list("pk", flat=True))


def _create_account(email: str, name: str) -> User:
    user = User.objects.create_user(email, PASSWORD, name=name)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=True)
    return user


def _create_finished_event(demo_club: _DemoClub, names: list[str]) -> Event:
    details = demo_club.details(
        "Autumn Open",
        days_ahead=-12,
        days=2,
        tables=12,
        weight=Decimal(2),
        about="Our yearly open: one division, single elimination, everybody welcome.",
    )
    simulation = new_event(
        club=demo_club.club,
        director=demo_club.actor,
        details=details,
        stage=StageDetails(lengths=[5, 7, 9, 11]),
        entries=[NewEntry(name=name) for name in names],
        rng=demo_club.rng,
    )
    simulation.clock = datetime.combine(details.starts_on, time(11, 15), tzinfo=ZoneInfo(TIME_ZONE))
    simulation.draw(SEED)
    _add_analysed_match(simulation)
    simulation.play_all()
    return simulation.event


def _add_analysed_match(simulation: Simulation) -> None:
    """Play a match with an analysed game record, which is public because both players agree.

    The record is of a match between two programs.
    """
    match = simulation.playable()[0]
    content = gzip.decompress((Path(__file__).parent / "data" / "demo_match.sgf.gz").read_bytes())
    simulation.play_with_games(match, Upload(content, "match.sgf", Side.A))
    stored_record = Report.objects.get(match=match, state=Report.State.CONFIRMED).record
    if stored_record is None:
        return
    loaded = analyses.load_record(stored_record)
    analyses.store_file_analysis(
        record_id=stored_record.pk, loaded=loaded, code="gnubg", version=loaded.own.engine.split()[-1]
    )
    for entry in (slot.entry for slot in match.slots.all() if slot.entry is not None):
        for player in entry.players.all():
            set_consents_by_link(
                actor=simulation.director,
                entry_id=entry.pk,
                player_id=player.pk,
                replies={Consent.RECORD: Reply.YES, Consent.ANALYSIS: Reply.YES},
            )


def _create_league(demo_club: _DemoClub, players: Sequence[NewEntry]) -> Event:
    """Create a season of two divisions, played to the end; its director can create the next one from it."""
    details = demo_club.details("Harbour League", days_ahead=-100, days=90)
    template = event_template("league").divisions[0]
    stage = replace(template.stages[0], lengths=[5])
    divisions = [replace(template, name=name, stages=(stage,)) for name in ("Premier", "Second")]
    season = demo_club.create(details, divisions)
    simulations = [season.enter("Premier", players[:4]), season.enter("Second", players[4:])]
    for number, simulation in enumerate(simulations):
        simulation.draw(SEED + 10 + number)
    for simulation in simulations:
        simulation.clock = datetime.combine(
            details.starts_on + timedelta(days=30), time(19), tzinfo=ZoneInfo(TIME_ZONE)
        )
        simulation.play_all()
    return season.event


def _create_weekend(
    demo_club: _DemoClub, known_players: Sequence[NewEntry], new_players: Sequence[NewEntry]
) -> Event:
    """Create main bracket, consolation and last chance, half played, and doubles that are just drawn."""
    template = event_template("weekend").divisions[0]
    stage = replace(template.stages[0], lengths=[5, 7, 9])
    doubles = DivisionDetails(name="Doubles", team_size=2, stages=(StageDetails(lengths=[5]),))
    about = "A main bracket, a consolation for those who lose early, a last chance after it, and doubles at night."
    simulation = demo_club.create(
        demo_club.details("Harbour Weekend", days_ahead=0, days=2, about=about),
        [replace(template, name="Open", stages=(stage,)), doubles],
    )
    main = simulation.enter("Open", [*known_players[:8], *new_players])
    main.draw(SEED + 1)
    pairs = simulation.enter(
        "Doubles",
        [
            replace(entry, partners=(partner,))
            for entry, partner in zip(known_players[8:12], known_players[12:16], strict=True)
        ],
    )
    pairs.draw(SEED + 2)
    _play_half_way(main)
    return simulation.event


def _play_half_way(simulation: Simulation) -> None:
    """Play some matches; leave one match reported, one disputed and some at their tables."""
    for count in (8, 4, 1):
        for match in sorted(simulation.playable(), key=lambda match: match.round.section == "main")[:count]:
            simulation.play(match)
    playable = simulation.playable()
    simulation.dispute(playable[0])
    simulation.report_win(playable[1])
    for match in playable[2:5]:
        simulation.start_match(match)


def _create_swiss(demo_club: _DemoClub, entries: Sequence[NewEntry]) -> Event:
    """Create a Swiss in its second round, with one result in that round."""
    details = demo_club.details(
        "Tuesday Swiss", days_ahead=0, about="Every Tuesday at seven: four rounds for everyone."
    )
    simulation = demo_club.create(details, event_template("club_night").divisions).enter("", entries)
    simulation.draw(SEED + 3)
    for match in simulation.playable():
        simulation.play(match)
    simulation.draw(SEED + 3)
    simulation.play(simulation.playable()[0])
    simulation.start_match(simulation.playable()[0])
    return simulation.event


def _create_points_league(demo_club: _DemoClub, players: Sequence[NewEntry]) -> Event:
    """Create a points league with a few sessions."""
    details = demo_club.details(
        "Chouette League", days_ahead=-40, days=120, about="Money play for points, Thursdays at eight."
    )
    league = demo_club.create(details, event_template("money").divisions).enter("", players)
    league_kwargs: dict[str, Any] = {
        "actor": demo_club.actor,
        "event_id": league.event.pk,
        "stage_id": league.stage.pk,
    }
    open_points_league(**league_kwargs)
    entries = list(league.stage.division.entries.order_by("pk").values_list("pk", flat=True))
    for number, points in enumerate(((8, -5, -3, 0, 0), (0, 4, -7, 3, 0), (-2, 0, 9, -1, -6))):
        scores = {entry: point for entry, point in zip(entries, points, strict=True) if point}
        session = SessionDetails(played_on=details.starts_on + timedelta(days=7 * number), scores=scores)
        record_session(**league_kwargs, details=session, submission_key=f"demo-{number}")
    return league.event


def _create_upcoming_event(
    demo_club: _DemoClub, known_players: Sequence[NewEntry], names: list[str]
) -> Event:
    details = demo_club.details(
        "Winter Cup",
        days_ahead=20,
        days=2,
        tables=16,
        about="Doors open at ten, the draw is at eleven.",
    )
    details = replace(details, opens_at=time(11))
    simulation = new_event(
        club=demo_club.club,
        director=demo_club.actor,
        details=details,
        stage=StageDetails(lengths=[7, 7, 9, 11], draw_method="seeded"),
        entries=known_players,
        rng=demo_club.rng,
    )
    change_event_status(actor=demo_club.actor, event_id=simulation.event.pk, action=EventAction.OPEN)
    opened_event = set_registration(actor=demo_club.actor, event_id=simulation.event.pk, is_open=True)
    for name in names:
        register_self(actor=Actor.with_label(name), token=join_token(opened_event), entry=NewEntry(name=name))
    return opened_event
