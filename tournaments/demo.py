"""The demo club: a finished, a running and an upcoming event, made by the services as people would make them."""

import random
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress

from people.actors import Actor
from people.models import Club, Membership, Player, Role, User
from rating.selectors import club_lists
from rating.services import apply_list
from tournaments.engine.lifecycle import EventAction
from tournaments.links import join_token
from tournaments.models import Event
from tournaments.services.clubs import found_club
from tournaments.services.entries import NewEntry, register_self
from tournaments.services.events import EventDetails, StageDetails, move_event, set_registration
from tournaments.simulation import Simulation, new_event, people_names

SEED = 1962
PASSWORD = "crawford-demo"  # noqa: S105 (printed on the screen: the demo is for looking around)
DIRECTOR = "director@example.org"
OWNER = "owner@example.org"
ZONE = "Europe/Helsinki"


@dataclass(frozen=True, slots=True)
class Demo:
    """What was made."""

    club: Club
    finished: Event
    running: Event
    upcoming: Event


def make_demo(*, today: date) -> Demo:
    """Make the demo around ``today``. Raises ``ValueError`` if its accounts are there already."""
    if User.objects.filter(email__in=[DIRECTOR, OWNER]).exists():
        raise ValueError("the demo is already there")
    rng = random.Random(SEED)  # noqa: S311 (a demo that looks the same everywhere)
    owner, director = _account(OWNER, "Sanna Owner"), _account(DIRECTOR, "Kim Director")
    club = found_club(
        actor=Actor.of(owner),
        name="Harbour Backgammon Club",
        city="Helsinki",
        country="FI",
        about="We meet every Tuesday at seven. Boards, clocks and coffee are here; bring a friend.",
    )
    Membership.objects.create(user=director, club=club, role=Role.DIRECTOR)
    actor = Actor.of(director)
    names = people_names(40, rng)
    finished = _finished(club, actor, today, names[:22], rng)
    players = list(Player.objects.filter(club_links__club=club).order_by("pk"))
    running = _running(club, actor, today, players[:18], names[22:32], rng)
    upcoming = _upcoming(club, actor, today, players[:7], names[32:35], rng)
    for rating_list in club_lists(club.pk):
        apply_list(rating_list.pk)
    return Demo(club, finished, running, upcoming)


def _account(email: str, name: str) -> User:
    user = User.objects.create_user(email, PASSWORD, name=name)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=True)
    return user


def _finished(club: Club, actor: Actor, today: date, names: list[str], rng: random.Random) -> Event:
    first = today - timedelta(days=12)
    event = new_event(
        club=club,
        director=actor,
        details=EventDetails(
            name="Autumn Open",
            place="Harbour Hall, Pier 4",
            description="Our yearly open: one division, single elimination, everybody welcome.",
            starts_on=first,
            ends_on=first + timedelta(days=1),
            timezone=ZONE,
            tables=12,
        ),
        stage=StageDetails(lengths=[5, 7, 7, 9, 11]),
        entries=[NewEntry(name=name) for name in names],
        rng=rng,
    )
    event.clock = datetime.combine(first, time(11, 15), tzinfo=ZoneInfo(ZONE))
    event.draw(SEED)
    event.play_everything()
    return event.event


def _running(
    club: Club, actor: Actor, today: date, known: list[Player], names: list[str], rng: random.Random
) -> Event:
    event = new_event(
        club=club,
        director=actor,
        details=EventDetails(
            name="Tuesday Knock-out",
            place="Harbour Hall, Pier 4",
            starts_on=today,
            ends_on=today,
            timezone=ZONE,
            tables=9,
        ),
        stage=StageDetails(lengths=[5, 5, 7, 9]),
        entries=[NewEntry(player_id=player.pk) for player in known] + [NewEntry(name=name) for name in names],
        rng=rng,
    )
    event.draw(SEED + 1)
    _half_way(event)
    return event.event


def _half_way(event: Simulation) -> None:
    """Play about half of it, and leave one match reported, one disputed and some at their tables."""
    for match in event.playable()[:9]:
        event.play(match)
    left = event.playable()
    event.dispute(left[0])
    event.report_only(left[1])
    for match in left[2:6]:
        event.begin(match)


def _upcoming(
    club: Club, actor: Actor, today: date, known: list[Player], names: list[str], rng: random.Random
) -> Event:
    first = today + timedelta(days=20)
    event = new_event(
        club=club,
        director=actor,
        details=EventDetails(
            name="Winter Cup",
            place="Harbour Hall, Pier 4",
            description="Doors open at ten, the draw is at eleven. Enter yourself with the link from our director.",
            starts_on=first,
            ends_on=first + timedelta(days=1),
            timezone=ZONE,
            tables=16,
        ),
        stage=StageDetails(lengths=[7, 7, 9, 11], draw_method="seeded"),
        entries=[NewEntry(player_id=player.pk) for player in known],
        rng=rng,
    )
    move_event(actor=actor, event_id=event.event.pk, action=EventAction.OPEN)
    opened = set_registration(actor=actor, event_id=event.event.pk, is_open=True)
    for name in names:
        register_self(actor=Actor.named(name), token=join_token(opened), entry=NewEntry(name=name))
    return opened
