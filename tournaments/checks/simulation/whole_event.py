"""Play a whole random event through the services, with everything that happens in a hall.

Walkovers, disputes, withdrawals, late entries, corrections after later matches, undone corrections. The
integrity check (``checks.soundness``) runs after every step other than a plain result, and after some of
these in a large event. The same seed gives the same event.
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
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.checks.shown import VersionWatch
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
from tournaments.checks.simulation.hall import Step, StepContext
from tournaments.checks.simulation.kinds import FORMAT_NAMES, random_format
from tournaments.checks.simulation.names import people_names
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.errors import BadInput
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EventStatus
from tournaments.engine.trail.matches import AbsenceResultRecorded
from tournaments.engine.types import ResultKind
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails, create_event
from tournaments.models import Event, Match, Stage
from tournaments.models.trail import parse_action_as
from tournaments.selectors.leagues import LEAGUE_SYSTEMS
from tournaments.selectors.standings.tables import is_round_based

MAX_STEPS: Final = 1_500
LARGE_SHARE: Final = 0.1  # share of events of any size
SMALL_MAX_ENTRIES: Final = 16  # limit for the other events, if the format allows it
SIDE_STEP_SHARES: Final = (0.2, 0.4, 0.6)  # share of steps other than a result
LARGE_SIDE_STEP_SHARE: Final = 0.12  # in a large event
REGISTRATION_SHARE: Final = 0.5  # share of events with a registration link
PLAYERS_TABLE_SHARE: Final = 0.5  # share of events filled in the players table
CHECK_IN_EVERY: Final = 3  # every third event has a check-in, except those that start by themselves
EARLY_LEAVE_SHARE: Final = 0.3  # share of side steps in which a waiting entry withdraws

COMMON_STEPS: Final[tuple[Step, ...]] = (
    at_tables.call_match,
    at_tables.call_next,
    at_tables.return_to_queue,
    at_tables.give_a_ruling,
    at_tables.give_a_ruling,
    coming.drop_out,
    coming.correct_player,
    mending.change_length,
    mending.unpublish,
    at_desk.undo_last_action,
    at_desk.undo_last_action,
    at_desk.retract_result,
    at_desk.toggle_table,
    at_desk.swap_table_numbers,
    at_desk.assign_table,
    at_desk.correct_name,
    at_desk.withdraw_together,
    at_matrix.change_cells,
    at_matrix.change_cells,
    at_matrix.undo_save,
    at_matrix.change_custom_fields,
    telling.post_announcement,
    telling.answer_some_call,
    telling.answer_some_call,
    telling.choose_notifications,
    telling.notify_near_matches,
    telling.change_some_announcement,
    telling.set_some_prizes,
    telling.mark_some_paid,
    telling.change_details,
    planning.change_stage_rules,
    planning.toggle_clock,
    planning.leave_note,
    planning.change_schedule,
    planning.duplicate_some_event,
)
BRACKET_STEPS: Final[tuple[Step, ...]] = (
    coming.add_one_late_entry,
    coming.add_one_late_entry,
    coming.buy_reentry,
)
RE_ENTRY_STEPS: Final[tuple[Step, ...]] = (*(coming.buy_reentry,) * 8, coming.close_reserved_places)
SWISS_STEPS: Final[tuple[Step, ...]] = (
    coming.add_one_late_entry,
    coming.reinstate_entry,
    coming.buy_reentry,
    arranging.sit_out,
    arranging.keep_apart,
)
LEAGUE_STEPS: Final[tuple[Step, ...]] = (
    at_tables.rule_unplayed,
    at_tables.rule_unplayed,
    arranging.set_last_days,
    *(between.arrange_matches,) * 12,
)
FINISHED_STEPS: Final[tuple[Step, ...]] = (
    mending.correct_some_result,
    mending.undo_last_repair,
    at_desk.merge_some_players,
)
STANDINGS_STEPS: Final[tuple[Step, ...]] = (mending.play_off_tie, arranging.record_outside_play_off)


class InconsistentEvent(AssertionError):
    """The integrity check of a simulated event failed; the message names the step and what is wrong."""


@dataclass(slots=True)
class RandomEvent:
    """One random event. ``counts``: how often each step was done, or was rejected (``… refused``).

    ``max_entries``: the maximum number of entries; ``format_name``: the name of its format.
    """

    seed: int
    club: Club
    director: Actor
    max_entries: int = 300
    counts: Counter[str] = field(default_factory=Counter)
    format_name: str = ""
    entries: int = 0
    event: Event = field(init=False)
    rng: random.Random = field(init=False)
    step_context: StepContext = field(init=False)
    shown: VersionWatch = field(init=False)
    _side_step_share: float = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(f"storm {self.seed}")  # noqa: S311 (has to be repeatable)

    def run(self) -> None:
        """Create the event, enter players, draw, and play to the end.

        Raises ``InconsistentEvent`` if the integrity check fails.
        """
        self._create()
        for _ in range(MAX_STEPS):
            self.event.refresh_from_db()
            if self.event.status == EventStatus.FINISHED:
                break
            self._run_step(self._next_step())
        else:
            raise InconsistentEvent(
                f"seed {self.seed} ({self.format_name}): {MAX_STEPS} steps and no end: {dict(self.counts)}"
            )
        standings_steps = STANDINGS_STEPS if is_round_based(self.step_context.stages[0]) else ()
        for _ in range(self.rng.randrange(4)):
            self._run_step(self.rng.choice([*FINISHED_STEPS, *standings_steps]))
        self._check_integrity("the end")
        link_faults = list(broken_links(Event.objects.get(pk=self.event.pk), ChainSummary()))
        if link_faults:
            raise InconsistentEvent(
                f"seed {self.seed} ({self.format_name}): its trail: {'; '.join(link_faults[:5])}"
            )
        self._count_absent()

    def _create(self) -> None:
        event_format = random_format(FORMAT_NAMES[self.seed % len(FORMAT_NAMES)], self.rng)
        max_entries = max(event_format.min_entries, min(event_format.max_entries, self.max_entries))
        small_max = max(event_format.min_entries, min(SMALL_MAX_ENTRIES, max_entries))
        self.format_name = event_format.name
        division_size = self.rng.randint(
            event_format.min_entries, max_entries if self.rng.random() < LARGE_SHARE else small_max
        )
        self.entries = division_size * event_format.divisions
        self._side_step_share = (
            self.rng.choice(SIDE_STEP_SHARES) if division_size <= SMALL_MAX_ENTRIES else LARGE_SIDE_STEP_SHARE
        )
        today = timezone.localdate()
        self.event = create_event(
            actor=self.director,
            club_id=self.club.pk,
            details=EventDetails(
                name=f"Trial {self.seed}: {event_format.name}",
                starts_on=today,
                ends_on=today + timedelta(days=1),
                visibility="unlisted",
                tables=self.rng.choice([2, 8, 40]),
            ),
            divisions=[
                DivisionDetails(
                    name=f"Division {number}" if event_format.divisions > 1 else "",
                    stages=event_format.stages,
                    reentries=self.rng.randrange(2)
                    if event_format.reentries is None
                    else event_format.reentries,
                    capacity=event_format.auto_start_size or None,
                    starts_when_full=event_format.auto_start_size > 0,
                )
                for number in range(1, event_format.divisions + 1)
            ],
        )
        self.step_context = StepContext(self.event, self.director, self.rng)
        self.shown = VersionWatch(self.event)
        names = people_names(self.entries, random.Random(self.seed))  # noqa: S311
        for index, division in enumerate(self.event.divisions.order_by("position")):
            division_names = names[index * division_size : (index + 1) * division_size]
            add_entries(
                **self.step_context.where,
                division_id=division.pk,
                entries=[NewEntry(name=name) for name in division_names],
            )
        if self.rng.random() < REGISTRATION_SHARE:
            for step in at_door.registration_steps(self.step_context):
                self._run_step(step)
        if not event_format.auto_start_size and self.seed % CHECK_IN_EVERY == 0:
            for step in checking_in.steps_before_draw(self.step_context):
                self._run_step(step)
        if not event_format.auto_start_size and self.rng.random() < PLAYERS_TABLE_SHARE:
            for step in at_matrix.steps_before_draw(self.step_context):
                self._run_step(step)

    def _run_step(self, step: Step) -> None:
        """Do a step and check the event afterwards.

        A rejection with a message is no error: people also try what is not possible.
        """
        name = step.__name__.strip("_").replace("_", " ")
        try:
            outcome = step(self.step_context)
        except BadInput:
            raise  # services check first: input that the engine rejects here is a fault of the program
        except CrawfordError as error:
            self.counts[f"{name} refused"] += 1
            outcome = f"{name}, refused: {error}"
        else:
            self.counts[name] += 1
        if step is not at_tables.play_match or self.rng.randrange(1 + self.entries // 8) == 0:
            self._check_integrity(outcome)

    def _check_integrity(self, step: str) -> None:
        faults: list[object] = [*integrity_faults(self.event)]
        stages = self.step_context.stages
        if stages[0].division_id != stages[-1].division_id:
            faults += self.shown.topics_without_new_version()
        if faults:
            fault_text = "; ".join(map(str, faults[:5]))
            raise InconsistentEvent(
                f"seed {self.seed} ({self.format_name}, {self.entries} entries) after {step}: {fault_text}"
            )

    def _count_absent(self) -> None:
        """Count the matches that ended as walkovers by themselves because a side had withdrawn."""
        rows = AuditEntry.objects.filter(scope=f"event:{self.event.pk}", action=AbsenceResultRecorded.kind)
        table_matches = Match.objects.filter(
            stage__division__event=self.event, stage__system__in=Stage.IN_ROUNDS
        )
        table_match_ids = set(table_matches.values_list("pk", flat=True))
        for match, data in rows.values_list("subject_id", "data"):
            place = "in a table" if match in table_match_ids else "in a bracket"
            absence = parse_action_as(AbsenceResultRecorded, data)
            is_double = (
                isinstance(absence, AbsenceResultRecorded)
                and absence.claim.kind is ResultKind.DOUBLE_WALKOVER
            )
            self.counts[f"{'both' if is_double else 'one'} absent {place}"] += 1

    def _next_step(self) -> Step:
        """Return the next step: in most cases a result."""
        if going_on.stage_to_advance(self.step_context) is not None:
            return going_on.advance_stage
        if self.rng.random() < self._side_step_share:
            return (
                coming.leave_early
                if self.rng.random() < EARLY_LEAVE_SHARE
                else self.rng.choice(self._side_steps())
            )
        return at_tables.play_match

    def _side_steps(self) -> list[Step]:
        """Return the steps besides results that are possible in this event.

        General ones, and those of its system.
        """
        first_stage = self.step_context.stages[0]
        system = first_stage.system
        extra_steps: tuple[Step, ...] = SWISS_STEPS if system == Stage.System.SWISS else ()
        extra_steps += BRACKET_STEPS if system in Stage.ELIMINATIONS else ()
        extra_steps += RE_ENTRY_STEPS if first_stage.settings.bracket.open_lines else ()
        extra_steps += LEAGUE_STEPS if system in LEAGUE_SYSTEMS else ()
        extra_steps += STANDINGS_STEPS if is_round_based(first_stage) else ()
        return [*COMMON_STEPS, *FINISHED_STEPS, *FINISHED_STEPS, *extra_steps]
