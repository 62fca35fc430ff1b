"""A whole event in which everything happens that happens in a hall, by chance, through the services.

Walk-overs, disputes, drop-outs, late entries, corrections after the next matches were played, corrections taken back. After
every step that is not a plain result, and after every few of these in a large event, it is asked whether it is still
sound (`checks.soundness`). The same seed gives the same event.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.utils import timezone

from faults import CrawfordError
from people.actors import Actor
from people.models import AuditEntry, Club
from tournaments.checks.chained import Looked, broken_links
from tournaments.checks.shown import Shown
from tournaments.checks.simulation import (
    arranging,
    at_desk,
    at_door,
    at_matrix,
    at_tables,
    between,
    checking_in,
    coming,
    going_on,
    mending,
    planning,
    telling,
)
from tournaments.checks.simulation.hall import Hall, Step
from tournaments.checks.simulation.kinds import NAMES, shape_of
from tournaments.checks.simulation.names import people_names
from tournaments.checks.soundness import faults_of
from tournaments.engine.errors import BadInput
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EventStatus
from tournaments.engine.trail.matches import AbsentPassed
from tournaments.engine.types import ResultKind
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails, create_event
from tournaments.models import Event, Match, Stage
from tournaments.models.trail import read_as
from tournaments.selectors.leagues import OF_A_LEAGUE
from tournaments.selectors.standings.tables import in_rounds

MOST_STEPS: Final = 1_500
LARGE: Final = 0.1  # so many of the events are of any size
SMALL: Final = 16  # and the others have no more entries, where the shape allows it
UNREST: Final = (0.2, 0.4, 0.6)  # so many of the steps in an event are something else than a result
CALM: Final = 0.12  # in a large one
AT_THE_DOOR: Final = 0.5  # so many events have a registration link
IN_THE_MATRIX: Final = 0.5  # so many are filled in the matrix before the draw
CHECKED_IN: Final = 3  # every third event has a check-in, but those that start by themselves
EARLY: Final = 0.3  # so many of these: somebody leaves who waits for an opponent

ALWAYS: Final[tuple[Step, ...]] = (
    at_tables.call,
    at_tables.call_next,
    at_tables.send_back,
    at_tables.give_a_ruling,
    at_tables.give_a_ruling,
    coming.drop_out,
    coming.put_right_player,
    mending.change_length,
    mending.take_back,
    at_desk.take_last_back,
    at_desk.take_last_back,
    at_desk.take_result_back,
    at_desk.use_of_table,
    at_desk.change_tables,
    at_desk.give_table,
    at_desk.put_name_right,
    at_desk.leave_together,
    at_matrix.change_cells,
    at_matrix.change_cells,
    at_matrix.take_save,
    at_matrix.set_own_columns,
    telling.announce,
    telling.answer_before_a_match,
    telling.answer_before_a_match,
    telling.choose_notices,
    telling.say_what_is_near,
    telling.change_what_stands,
    telling.set_some_prizes,
    telling.mark_some_paid,
    telling.write_details,
    planning.rules_of_stage,
    planning.clock,
    planning.note,
    planning.schedule,
    planning.once_more,
)
IN_BRACKETS: Final[tuple[Step, ...]] = (coming.come_late, coming.come_late, coming.buy_back)
COMING_AGAIN: Final[tuple[Step, ...]] = (*(coming.buy_back,) * 8, coming.close_lines)
IN_SWISS: Final[tuple[Step, ...]] = (
    coming.come_late,
    coming.come_back,
    coming.buy_back,
    arranging.sit_out,
    arranging.keep_apart,
)
IN_LEAGUES: Final[tuple[Step, ...]] = (
    at_tables.rule_unplayed,
    at_tables.rule_unplayed,
    arranging.last_days,
    *(between.arrange,) * 12,
)
AFTERWARDS: Final[tuple[Step, ...]] = (mending.correct, mending.undo, at_desk.merge)
WITH_A_TABLE: Final[tuple[Step, ...]] = (mending.play_off, arranging.play_off_on_the_side)


class Unsound(AssertionError):
    """The event contradicts itself; the message says after which step and how."""


@dataclass(slots=True)
class RandomEvent:
    """One event. ``counts``: how often each step was done, or tried and refused (``… refused``)."""

    seed: int
    club: Club
    director: Actor
    largest: int = 300
    counts: Counter[str] = field(default_factory=Counter)
    shape: str = ""
    entries: int = 0
    event: Event = field(init=False)
    rng: random.Random = field(init=False)
    hall: Hall = field(init=False)
    shown: Shown = field(init=False)
    _unrest: float = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(f"storm {self.seed}")  # noqa: S311 (has to be repeatable)

    def run(self) -> None:
        """Create, enter, draw, play to the end. Raises ``Unsound`` where anything does not fit."""
        self._create()
        for _ in range(MOST_STEPS):
            self.event.refresh_from_db()
            if self.event.status == EventStatus.FINISHED:
                break
            self._do(self._step())
        else:
            raise Unsound(
                f"seed {self.seed} ({self.shape}): {MOST_STEPS} steps and no end: {dict(self.counts)}"
            )
        with_table = WITH_A_TABLE if in_rounds(self.hall.stages[0]) else ()
        for _ in range(self.rng.randrange(4)):
            self._do(self.rng.choice([*AFTERWARDS, *with_table]))
        self._check("the end")
        broken = list(broken_links(Event.objects.get(pk=self.event.pk), Looked()))
        if broken:
            raise Unsound(f"seed {self.seed} ({self.shape}): its trail: {'; '.join(broken[:5])}")
        self._count_absent()

    def _create(self) -> None:
        shape = shape_of(NAMES[self.seed % len(NAMES)], self.rng)
        most = max(shape.least, min(shape.most, self.largest))
        small = max(shape.least, min(SMALL, most))
        self.shape = shape.name
        each = self.rng.randint(shape.least, most if self.rng.random() < LARGE else small)
        self.entries = each * shape.divisions
        self._unrest = self.rng.choice(UNREST) if each <= SMALL else CALM
        today = timezone.localdate()
        self.event = create_event(
            actor=self.director,
            club_id=self.club.pk,
            details=EventDetails(
                name=f"Trial {self.seed}: {shape.name}",
                starts_on=today,
                ends_on=today + timedelta(days=1),
                visibility="unlisted",
                tables=self.rng.choice([2, 8, 40]),
            ),
            divisions=[
                DivisionDetails(
                    name=f"Division {number}" if shape.divisions > 1 else "",
                    stages=shape.stages,
                    reentries=self.rng.randrange(2) if shape.reentries is None else shape.reentries,
                    capacity=shape.room or None,
                    starts_when_full=shape.room > 0,
                )
                for number in range(1, shape.divisions + 1)
            ],
        )
        self.hall = Hall(self.event, self.director, self.rng)
        self.shown = Shown(self.event)
        names = people_names(self.entries, random.Random(self.seed))  # noqa: S311
        for place, division in enumerate(self.event.divisions.order_by("position")):
            part = names[place * each : (place + 1) * each]
            add_entries(
                **self.hall.where, division_id=division.pk, entries=[NewEntry(name=name) for name in part]
            )
        if self.rng.random() < AT_THE_DOOR:
            for step in at_door.at_the_door(self.hall):
                self._do(step)
        if not shape.room and self.seed % CHECKED_IN == 0:
            for step in checking_in.before_the_draw(self.hall):
                self._do(step)
        if not shape.room and self.rng.random() < IN_THE_MATRIX:
            for step in at_matrix.before_the_draw(self.hall):
                self._do(step)

    def _do(self, step: Step) -> None:
        """Do it and look at the event. A refusal in words is no fault: people try what cannot be done, too."""
        name = step.__name__.strip("_").replace("_", " ")
        try:
            done = step(self.hall)
        except BadInput:
            raise  # services ask before: what makes no sense to the engine here is a fault of ours
        except CrawfordError as refused:
            self.counts[f"{name} refused"] += 1
            done = f"{name}, refused: {refused}"
        else:
            self.counts[name] += 1
        if step is not at_tables.play or self.rng.randrange(1 + self.entries // 8) == 0:
            self._check(done)

    def _check(self, step: str) -> None:
        faults: list[object] = [*faults_of(self.event)]
        stages = self.hall.stages
        if stages[0].division_id != stages[-1].division_id:
            faults += self.shown.stale()
        if faults:
            described = "; ".join(map(str, faults[:5]))
            raise Unsound(
                f"seed {self.seed} ({self.shape}, {self.entries} entries) after {step}: {described}"
            )

    def _count_absent(self) -> None:
        """How often a match passed by itself because somebody had left before it came up."""
        rows = AuditEntry.objects.filter(scope=f"event:{self.event.pk}", action=AbsentPassed.kind)
        tables = Match.objects.filter(stage__division__event=self.event, stage__system__in=Stage.IN_ROUNDS)
        in_tables = set(tables.values_list("pk", flat=True))
        for match, data in rows.values_list("subject_id", "data"):
            where = "in a table" if match in in_tables else "in a bracket"
            found = read_as(AbsentPassed, data)
            both = isinstance(found, AbsentPassed) and found.claim.kind is ResultKind.DOUBLE_WALKOVER
            self.counts[f"{'both' if both else 'one'} absent {where}"] += 1

    def _step(self) -> Step:
        """What happens next: nearly always a result, now and then something else."""
        if going_on.stage_to_bring_forward(self.hall) is not None:
            return going_on.bring_forward
        if self.rng.random() < self._unrest:
            return coming.leave_early if self.rng.random() < EARLY else self.rng.choice(self._on_the_side())
        return at_tables.play

    def _on_the_side(self) -> list[Step]:
        """What may happen here beside results: what every event knows, and what belongs to its system."""
        first = self.hall.stages[0]
        system = first.system
        more: tuple[Step, ...] = IN_SWISS if system == Stage.System.SWISS else ()
        more += IN_BRACKETS if system in Stage.ELIMINATIONS else ()
        more += COMING_AGAIN if first.settings.bracket.open_lines else ()
        more += IN_LEAGUES if system in OF_A_LEAGUE else ()
        more += WITH_A_TABLE if in_rounds(first) else ()
        return [*ALWAYS, *AFTERWARDS, *AFTERWARDS, *more]
