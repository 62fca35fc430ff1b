"""Measure the error of the forecast, and how often its bands hold, for events of every kind of stage played by the services on a simulated clock.

Run by `forecast_accuracy.py --kinds N`. Each event is drawn, called, reported and paired as a director would do it, in a SQLite database in
memory; winners and durations are random. After a quarter, a half and three quarters of the matches, the worker's own service makes a
forecast from the rows, once without any other event and once with five previous evenings of the club, which differ by a tenth. For
comparison, the same simulation is made with the exact pace and spread of the event: its remaining error is chance, and no forecast can be
better.
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
FOLDER = tempfile.TemporaryDirectory(prefix="crawford-bench-")
os.environ["DATABASE_URL"] = "sqlite://:memory:"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CRAWFORD_VAR", FOLDER.name)

import django

django.setup()

import gc
import itertools
import math
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from faults import CrawfordError
from people.actors import Actor
from people.models import Club
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.hall.durations import Durations, TimedMatch, duration_statistics, estimate_durations
from tournaments.engine.hall.plays import simulate_forecast
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings, Flight
from tournaments.engine.stages.feeding import Feeding, FeedPart, FeedSource
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import STAGE_UNDER_WAY, EventStatus, MatchStatus, StageStatus
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.events.services.templates import event_template
from tournaments.hall.services.calling import call_next
from tournaments.hall.services.forecasts import update_forecast
from tournaments.matches.services.reports import submit_report
from tournaments.models import Event, EventForecast, Match, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.hall.playing import load_forecast_input
from tournaments.selectors.rounds.next import can_pair_round, next_round
from tournaments.selectors.standings.feeds import is_feed_resolved
from tournaments.site.services.clubs import create_club_with_list

MOMENTS: Final = (0.25, 0.50, 0.75)
MORNING: Final = datetime(2027, 3, 6, 9, tzinfo=UTC)
ERROR: Final = 0.10
BAND: Final = (0.85, 0.95)
EVENINGS: Final = 5  # of the club, earlier
APART: Final = 0.1  # how far their paces lie apart, as a logarithm
LESSONS: Final = 3_000  # matches that teach the pace and spread of an event exactly
Stages = tuple[StageDetails, ...]


@dataclass(frozen=True)
class Kind:
    """A kind of event: its stages by chance, and how many entries it has."""

    name: str
    stages: Callable[[random.Random], Stages]
    sizes: tuple[int, ...]


def _elimination(system: str = "single_elimination", **stage_options) -> Callable[[random.Random], Stages]:
    return lambda rng: (
        StageDetails(system=system, lengths=rng.choice(([7], [5, 5, 7, 9])), **stage_options),
    )


def _flights(*flights: Flight) -> Callable[[random.Random], Stages]:
    return _elimination(bracket=BracketSettings(flights=flights))


def _swiss(rounds: int = 0, lives: int = 0) -> Callable[[random.Random], Stages]:
    settings = SwissSettings(lives=lives) if lives else SwissSettings(rounds=rounds)
    return lambda rng: (StageDetails(system="swiss", lengths=rng.choice(([5], [7])), swiss=settings),)


def _round_robin(chance: random.Random) -> Stages:
    settings = SwissSettings(all_at_once=chance.random() < 0.5)
    return (StageDetails(system="round_robin", lengths=[5], swiss=settings, by_arrangement=False),)


def _template(code: str) -> Callable[[random.Random], Stages]:
    return lambda _chance: tuple(event_template(code).divisions[0].stages)


def _fed_by_an_undrawn_stage(_chance: random.Random) -> Stages:
    """A Swiss, then a main draw of its best eight, whose first losers have a last chance with the losers of its second round."""
    losers = Feeding(FeedPart.LOSERS, also=(FeedSource(2, FeedPart.LOSERS, 2, 2),))
    return (
        StageDetails(system="swiss", lengths=[5], swiss=SwissSettings(rounds=3)),
        StageDetails(name="Main", lengths=[7, 9], fed_by=1, takes=8),
        StageDetails(name="Last chance", lengths=[3, 5], fed_by=2, takes=1, feed=losers),
    )


_PROGRESSIVE: Final = Flight(FlightKind.PROGRESSIVE, (5, 7), rounds=2)
KINDS: Final = (
    Kind("single elimination", _elimination(), (24, 32, 64)),
    Kind("double elimination", _elimination("double_elimination"), (16, 24, 32)),
    Kind(
        "double, second final",
        _elimination("double_elimination", bracket=BracketSettings(recharge=True)),
        (16, 24),
    ),
    Kind("first-match consolation", _flights(Flight(FlightKind.FIRST_MATCH, (5,))), (16, 24, 32)),
    Kind("progressive consolation", _flights(_PROGRESSIVE), (16, 24, 32)),
    Kind("weekend: consolation, last chance", _template("weekend"), (16, 24, 32)),
    Kind("last chance fed by a running stage", _template("last_chance"), (16, 24, 32)),
    Kind("last chance fed by an undrawn stage", _fed_by_an_undrawn_stage, (16, 24)),
    Kind("Swiss", _swiss(rounds=5), (12, 16, 24)),
    Kind("Swiss, 2 lives", _swiss(lives=2), (8, 16, 24)),
    Kind("Swiss, 3 lives", _swiss(lives=3), (8, 16, 24)),
    Kind("Swiss, 4 lives", _swiss(lives=4), (8, 16)),
    Kind("round robin", _round_robin, (8, 9, 10, 12)),
    Kind("groups into finals", _template("groups"), (12, 16, 20)),
    Kind("Swiss into main and consolation", _template("swiss_finals"), (16, 24)),
)


class Clock:
    """The time of the services: it stands where the event is."""

    def __init__(self) -> None:
        self.at = MORNING

    def __call__(self) -> datetime:
        return self.at


@dataclass
class Measured:
    """What was seen of one kind at one moment. ``least``: the errors of who knows pace and spread."""

    errors: list[float] = field(default_factory=list)
    least: list[float] = field(default_factory=list)
    bias: list[float] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)


@dataclass
class Hall:
    """One event while it is played."""

    event: Event
    actor: Actor
    clock: Clock
    chance: random.Random
    pace: float  # minutes a point
    cv: float
    gamma: bool
    taught: list[dict[str, list[float]]]  # by earlier evenings of the club
    exact: Durations
    seen: dict[tuple[bool, float], tuple[datetime, list[int]]] = field(default_factory=dict)  # when, band
    exactly: dict[float, int] = field(default_factory=dict)
    over: int = 0
    keys: "itertools.count[int]" = field(default_factory=itertools.count)

    def play(self) -> None:
        """To its end."""
        running: list[tuple[datetime, int]] = []
        self._bring_forward()
        match_count = sum(
            match.length > 0 and match.is_likely
            for match in load_forecast_input(self.event, self.clock.at).to_play
        )
        moments = {max(1, round(share * match_count)): share for share in MOMENTS}
        while True:
            for match in self._called():
                heappush(running, (self.clock.at + self._lasts(match.length), match.pk))
            if not running:
                break
            self.clock.at, pk = heappop(running)
            self._report(pk)
            self.over += 1
            self._bring_forward()
            if self.over in moments:
                for match in self._called():
                    heappush(running, (self.clock.at + self._lasts(match.length), match.pk))
                for is_known in (False, True):
                    self.seen[is_known, moments[self.over]] = self.clock.at, self._forecast(is_known=is_known)
                self.exactly[moments[self.over]] = self._forecast_exactly()
        self.event.refresh_from_db()
        if self.event.status != EventStatus.FINISHED:
            raise AssertionError(f"{self.event.name} is {self.event.status}, not finished")

    def _called(self) -> list[Match]:
        if not Match.objects.filter(stage__division__event=self.event, status=MatchStatus.READY).exists():
            return []
        try:
            return call_next(actor=self.actor, event_id=self.event.pk, everything=True)
        except CrawfordError:  # nothing can be called now
            return []

    def _lasts(self, length: int) -> timedelta:
        return timedelta(minutes=lasts(self.chance, length, self.pace, self.cv, gamma=self.gamma))

    def _report(self, pk: int) -> None:
        length = Match.objects.values_list("length", flat=True).get(pk=pk)
        score = (length, 0) if self.chance.random() < 0.5 else (0, length)
        submit_report(
            actor=self.actor,
            match_id=pk,
            entry=None,
            claim=Claim(*score),
            submission_key=f"{self.event.pk}-{next(self.keys)}",
        )

    def _bring_forward(self) -> None:
        """Draw and pair whatever can be."""
        stages = Stage.objects.filter(division__event=self.event).exclude(status=StageStatus.FINISHED)
        for stage in stages.order_by("position"):
            arguments = {"actor": self.actor, "event_id": self.event.pk, "stage_id": stage.pk}
            is_in_rounds = stage.system in Stage.IN_ROUNDS
            if stage.status == StageStatus.SETUP and is_feed_resolved(stage):
                if is_in_rounds:
                    publish_round(**arguments, seen=pair_next_round(**arguments, seed=self.event.pk).version)
                else:
                    draw_stage(**arguments, seed=self.event.pk)
                    publish_draw(**arguments)
            elif is_in_rounds and stage.status in STAGE_UNDER_WAY and self._nothing_open(stage):
                draw = load_draw(stage)
                if can_pair_round(stage, draw):
                    pairing = next_round(stage, draw) or pair_next_round(**arguments, seed=self.event.pk)
                    publish_round(**arguments, seen=pairing.version)

    @staticmethod
    def _nothing_open(stage: Stage) -> bool:
        return not Match.objects.filter(
            stage=stage, status__in=[MatchStatus.READY, MatchStatus.CALLED]
        ).exists()

    def _forecast(self, *, is_known: bool) -> list[int]:
        earlier_forecasts = EventForecast.objects.exclude(event=self.event.pk).order_by("pk")
        for row, taught in zip(earlier_forecasts, self.taught, strict=True):
            EventForecast.objects.filter(pk=row.pk).update(taught=taught if is_known else {})
        update_forecast(event_id=self.event.pk)
        return EventForecast.objects.get(event=self.event.pk).summary["over"]

    def _forecast_exactly(self) -> int:
        forecast_input = load_forecast_input(self.event, self.clock.at.replace(second=0, microsecond=0))
        forecast = simulate_forecast(
            forecast_input.to_play,
            forecast_input.tables,
            self.exact,
            seed=self.event.pk,
            people=forecast_input.people,
        )
        return forecast.over.median


def lasts(rng: random.Random, length: int, pace: float, cv: float, *, gamma: bool) -> float:
    """Minutes that a match lasts, with a mean of ``pace`` for each point."""
    mean = length * pace
    if gamma:
        return rng.gammavariate(1 / cv**2, mean * cv**2)
    spread = math.sqrt(math.log(1 + cv**2))
    return rng.lognormvariate(math.log(mean) - spread**2 / 2, spread)


def new_event(kind: Kind, club: Club, actor: Actor, rng: random.Random) -> Event:
    """An event of that kind with its entries."""
    size = rng.choice(kind.sizes)
    event = create_event(
        actor=actor,
        club_id=club.pk,
        details=EventDetails(
            name=kind.name,
            starts_on=MORNING.date(),
            ends_on=MORNING.date() + timedelta(days=1),
            tables=max(2, rng.choice((size // 2, size // 3, size // 4))),
        ),
        divisions=[DivisionDetails(stages=tuple(replace(stage) for stage in kind.stages(rng)))],
    )
    add_entries(
        actor=actor,
        event_id=event.pk,
        division_id=event.divisions.get().pk,
        entries=[NewEntry(name=f"Player {number}") for number in range(1, size + 1)],
    )
    event.refresh_from_db()
    return event


@contextmanager
def rolled_back() -> Iterator[None]:
    """Everything is undone in the end; the services may have durable blocks within, as in Django's `TestCase`."""
    block = transaction.atomic()
    block._from_testcase = True
    with block:
        yield
        transaction.set_rollback(True)


def earlier_evenings(
    rng: random.Random, pace: float, cv: float, *, gamma: bool
) -> list[dict[str, list[float]]]:
    """What five evenings of a club taught, as the site keeps it."""
    evenings = []
    for _ in range(EVENINGS):
        evening_pace = pace * math.exp(rng.gauss(0, APART))
        lengths = [5] * 16 + [7] * 8 + [9] * 2
        by_length = duration_statistics(
            TimedMatch(length, 60 * lasts(rng, length, evening_pace, cv, gamma=gamma)) for length in lengths
        )
        evenings.append(
            {str(length): [row.matches, row.total, row.squares] for length, row in by_length.items()}
        )
    return evenings


def measure(
    kind: Kind, club: Club, actor: Actor, clock: Clock, count: int, seed: int
) -> Mapping[tuple[bool, float], Measured]:
    """So many events of a kind, by whether the club was known and by moment; each is rolled back, so that none teaches the next."""
    measured_by_moment: dict[tuple[bool, float], Measured] = defaultdict(Measured)
    rng = random.Random(f"{kind.name} {seed}")
    for _ in range(count):
        clock.at = MORNING
        with rolled_back():
            pace, cv = math.exp(rng.uniform(math.log(6), math.log(10.5))), rng.uniform(0.25, 0.45)
            gamma = rng.random() < 0.5
            event_pace = pace * math.exp(rng.gauss(0, APART))
            lesson_rng = random.Random(f"{kind.name} {seed} {event_pace}")
            hall = Hall(
                event=new_event(kind, club, actor, rng),
                actor=actor,
                clock=clock,
                chance=rng,
                pace=event_pace,
                cv=cv,
                gamma=gamma,
                taught=earlier_evenings(rng, pace, cv, gamma=gamma),
                exact=estimate_durations(
                    [
                        TimedMatch(7, 60 * lasts(lesson_rng, 7, event_pace, cv, gamma=gamma))
                        for _ in range(LESSONS)
                    ],
                    [],
                ),
            )
            hall.play()
        length = (clock.at - MORNING).total_seconds()
        for moment, (at, band) in hall.seen.items():
            now = (at.replace(second=0, microsecond=0) - MORNING).total_seconds()
            first, _early, median, _late, last = (now + second for second in band)
            measured = measured_by_moment[moment]
            measured.errors.append(abs(median - length) / length)
            measured.bias.append((median - length) / length)
            measured.held.append(first <= length <= last)
            measured.least.append(abs(now + hall.exactly[moment[1]] - length) / length)
    return measured_by_moment


def kinds(count: int, seed: int, only: str = "") -> bool:
    """Print the table; whether every kind is as wanted, at a club that is known."""
    call_command("migrate", verbosity=0)
    settings.DEBUG = False  # or Django keeps every statement
    gc.freeze()
    actor = Actor.program()
    club = create_club_with_list(actor=actor, name="Benchmark")
    clock = Clock()
    timezone.now, real_now = clock, timezone.now
    day = MORNING.date() - timedelta(days=7)
    for number in range(EVENINGS):
        details = EventDetails(name=f"Evening {number}", starts_on=day, ends_on=day)
        event = create_event(actor=actor, club_id=club.pk, details=details, stage=StageDetails(lengths=[5]))
        EventForecast.objects.create(event=event, made_at=MORNING - timedelta(days=7), version=1)
    as_wanted = True
    print(
        f"{count} events of each kind, seed {seed}; wanted: error at 25 % at most {ERROR:.0%}, bands {BAND[0]:.0%} to {BAND[1]:.0%}"
    )
    print("Of the club five earlier evenings are known; in brackets: nothing is known.")
    print(
        "| kind | error at 25 % | pace and spread known exactly | 50 % | 75 % | foretold less real at 25 % | bands of 90 % that held | |"
    )
    print("|---|---|---|---|---|---|---|---|")
    cpu_start = time.process_time()
    try:
        for kind in KINDS:
            if only not in kind.name:
                continue
            measured = measure(kind, club, actor, clock, count, seed)
            errors = {moment: statistics.mean(row.errors) for moment, row in measured.items()}
            hit_rates = {
                is_known: statistics.mean(hit for share in MOMENTS for hit in measured[is_known, share].held)
                for is_known in (True, False)
            }
            is_good = errors[True, 0.25] <= ERROR and BAND[0] <= hit_rates[True] <= BAND[1]
            as_wanted &= is_good
            error_cells = [f"{errors[True, share]:.1%} ({errors[False, share]:.1%})" for share in MOMENTS]
            cells = [
                error_cells[0],
                f"{statistics.mean(measured[True, MOMENTS[0]].least):.1%}",
                *error_cells[1:],
                f"{statistics.mean(measured[True, 0.25].bias):+.1%} ({statistics.mean(measured[False, 0.25].bias):+.1%})",
                f"{hit_rates[True]:.1%} ({hit_rates[False]:.1%})",
                "" if is_good else "NOT AS WANTED",
            ]
            print(f"| {kind.name} | " + " | ".join(cells) + " |", flush=True)
    finally:
        timezone.now = real_now
    print(f"{time.process_time() - cpu_start:.0f} s of processor")
    return as_wanted
