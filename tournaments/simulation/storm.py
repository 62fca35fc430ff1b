"""A whole event in which everything happens that happens in a hall, by chance, through the services.

Walk-overs, disputes, drop-outs, late entries, corrections after the next matches were played, corrections taken back. After
every deed that is not a plain result, and after every few of these in a large event, it is asked whether it is still
sound (`selectors.soundness`). The same seed gives the same event.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from people.actors import Actor
from people.errors import CrawfordError
from people.models import Club
from tournaments.engine.errors import BadInput
from tournaments.engine.lifecycle import (
    TO_PLAY,
    UNDER_WAY,
    EntryStatus,
    EventStatus,
    MatchAction,
    MatchStatus,
    StageStatus,
)
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.engine.withdrawing import Leaving
from tournaments.models import Division, Entry, Event, Match, MatchSlot, Stage
from tournaments.selectors.corrections import correction_preview
from tournaments.selectors.draws import draw_of
from tournaments.selectors.entries import entries_out
from tournaments.selectors.late import free_places
from tournaments.selectors.pairings import may_pair, next_round
from tournaments.selectors.play_offs import MOST_IN_PLAY_OFF
from tournaments.selectors.repairs import last_repairs
from tournaments.selectors.soundness import faults_of
from tournaments.selectors.standings import in_rounds, is_swiss, to_play_off
from tournaments.services.buybacks import buy_back
from tournaments.services.corrections import correct_result
from tournaments.services.divisions import DivisionDetails
from tournaments.services.draws import discard_draw, draw_stage, publish_draw
from tournaments.services.entries import add_entries, add_entry, withdraw_entry
from tournaments.services.events import EventDetails, create_event
from tournaments.services.late import add_late_entry, place_on_bye
from tournaments.services.matches import call_next, move_match
from tournaments.services.play_offs import start_play_off, take_back_play_off
from tournaments.services.reports import submit_report
from tournaments.services.rounds import end_stage, pair_next_round, publish_round
from tournaments.services.teams import NewEntry
from tournaments.services.undoing import undo_repair
from tournaments.services.withdrawals import withdraw_after_draw
from tournaments.simulation.names import people_names
from tournaments.simulation.rulings import a_result, rule, won_by
from tournaments.simulation.shapes import NAMES, shape_of
from tournaments.store.claims import least_of

MOST_DEEDS: Final = 1_500
LARGE: Final = 0.1  # so many of the events are of any size


class Unsound(AssertionError):
    """The event contradicts itself; the message says after which deed and how."""


@dataclass(slots=True)
class Storm:
    """One event. ``counts``: how often each deed was done, or tried and refused (``… refused``)."""

    seed: int
    club: Club
    director: Actor
    largest: int = 300
    counts: Counter[str] = field(default_factory=Counter)
    shape: str = ""
    entries: int = 0
    event: Event = field(init=False)
    rng: random.Random = field(init=False)
    _keys: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(f"storm {self.seed}")  # noqa: S311 (has to be repeatable)

    def run(self) -> None:
        """Create, enter, draw, play to the end. Raises ``Unsound`` where anything does not fit."""
        self._create()
        for _ in range(MOST_DEEDS):
            self.event.refresh_from_db()
            if self.event.status == EventStatus.FINISHED:
                break
            self._do(self._deed())
        else:
            raise Unsound(
                f"seed {self.seed} ({self.shape}): {MOST_DEEDS} deeds and no end: {dict(self.counts)}"
            )
        for _ in range(self.rng.randrange(3)):
            self._do(self.rng.choice(self._afterwards()))
        self._check("the end")

    def _create(self) -> None:
        shape = shape_of(NAMES[self.seed % len(NAMES)], self.rng)
        most = max(shape.least, min(shape.most, self.largest))
        small = max(shape.least, min(16, most))
        self.shape = shape.name
        self.entries = self.rng.randint(shape.least, most if self.rng.random() < LARGE else small)
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
            divisions=[DivisionDetails(stages=shape.stages, reentries=self.rng.randrange(2))],
        )
        names = people_names(self.entries, random.Random(self.seed))  # noqa: S311
        add_entries(
            actor=self.director,
            event_id=self.event.pk,
            division_id=self.division.pk,
            entries=[NewEntry(name=name) for name in names],
        )

    @property
    def division(self) -> Division:
        return Division.objects.get(event=self.event)

    def _do(self, deed: Callable[[], str]) -> None:
        """Do it and look at the event. A refusal in words is no fault: people try what cannot be done, too."""
        name = deed.__name__.strip("_").replace("_", " ")
        try:
            done = deed()
        except CrawfordError as refused:
            self.counts[f"{name} refused"] += 1
            done = f"{name}, refused: {refused}"
        else:
            self.counts[name] += 1
        if deed != self._play or self.rng.randrange(1 + self.entries // 8) == 0:
            self._check(done)

    def _check(self, deed: str) -> None:
        faults = faults_of(self.event)
        if faults:
            told = "; ".join(map(str, faults[:5]))
            raise Unsound(f"seed {self.seed} ({self.shape}, {self.entries} entries) after {deed}: {told}")

    def _deed(self) -> Callable[[], str]:
        """What happens next: nearly always a result, now and then something else."""
        stage = self._stage_to_bring_forward()
        if stage is not None:
            return self._bring_forward
        if self.rng.random() < 0.12:
            return self.rng.choice(self._on_the_side())
        return self._play

    def _on_the_side(self) -> list[Callable[[], str]]:
        return [
            self._call,
            self._call_next,
            self._send_back,
            self._drop_out,
            self._come_late,
            self._buy_back,
            self._rule,
            self._rule,
            *self._afterwards(),
            *self._afterwards(),
        ]

    def _afterwards(self) -> list[Callable[[], str]]:
        return [self._correct, self._undo, self._play_off]

    # Draws and rounds.

    def _stage_to_bring_forward(self) -> Stage | None:
        """The stage that has nothing to play until it is drawn or paired."""
        for stage in Stage.objects.filter(division__event=self.event).select_related("fed_by"):
            if stage.status == StageStatus.FINISHED:
                continue
            if Match.objects.filter(stage=stage, status__in=TO_PLAY).exists() and stage.status in UNDER_WAY:
                return None
            return stage
        return None

    def _bring_forward(self) -> str:
        """Draw, pair, or end what cannot go on because too many have gone home."""
        stage = self._stage_to_bring_forward()
        assert stage is not None
        where: dict[str, Any] = {"actor": self.director, "event_id": self.event.pk, "stage_id": stage.pk}
        if not in_rounds(stage):
            draw_stage(**where, seed=self._chance())
            if self.rng.random() < 0.2:
                discard_draw(**where)
                draw_stage(**where, seed=self._chance())
            publish_draw(**where)
            return "the draw"
        draw = draw_of(stage)
        try:
            found = next_round(stage, draw) if may_pair(stage, draw) else None
            if found is None or (is_swiss(stage) and self.rng.random() < 0.1):
                found = pair_next_round(**where, seed=self._chance())
            publish_round(**where, seen=found.seen)
        except (CrawfordError, BadInput):
            if not draw.rounds:
                raise
            end_stage(**where)
            return "the end of the rounds"
        return f"round {found.number}"

    def _chance(self) -> int:
        return self.rng.randrange(10**6)

    # At the tables.

    def _some_match(self, *statuses: MatchStatus) -> Match | None:
        rows = Match.objects.filter(
            stage__division__event=self.event, stage__status__in=UNDER_WAY, status__in=statuses
        )
        found = list(rows.select_related("stage__division").order_by("pk"))
        return self.rng.choice(found) if found else None

    def _play(self) -> str:
        match = self._some_match(*TO_PLAY)
        if match is None:
            return "nothing to play"
        claim = a_result(self.rng, match)
        if self.rng.random() < 0.1 and match.status != MatchStatus.ADJOURNED:
            return self._dispute(match, claim)
        self._director_says(match, claim)
        return f"match {match.number} {claim}"

    def _rule(self) -> str:
        match = self._some_match(*TO_PLAY)
        return rule(self.rng, self.director, match) if match is not None else "nothing to rule on"

    def _dispute(self, match: Match, claim: Claim) -> str:
        """Both sides say that they won, and the director decides."""
        for side in Side:
            entry = MatchSlot.objects.select_related("entry").get(match=match, side=side).entry
            assert entry is not None
            submit_report(
                actor=Actor.named(f"Personal link of {entry.name}"),
                match_id=match.pk,
                entry=entry,
                claim=won_by(match, side, least_of(match).of(side.other)),
                submission_key=self._key(),
            )
        self._director_says(match, claim)
        return f"dispute in match {match.number}, {claim}"

    def _director_says(self, match: Match, claim: Claim) -> None:
        submit_report(
            actor=self.director, match_id=match.pk, entry=None, claim=claim, submission_key=self._key()
        )

    def _call(self) -> str:
        return self._move(MatchAction.CALL, MatchStatus.READY)

    def _call_next(self) -> str:
        called = call_next(**self._where, everything=self.rng.random() < 0.5)
        return f"{len(called)} matches called"

    def _send_back(self) -> str:
        return self._move(MatchAction.SEND_BACK, MatchStatus.CALLED, MatchStatus.PLAYING)

    def _move(self, action: MatchAction, *statuses: MatchStatus) -> str:
        match = self._some_match(*statuses)
        if match is not None and match.status == MatchStatus.CALLED and self.rng.random() < 0.5:
            action = MatchAction.START
        if match is not None:
            move_match(actor=self.director, event_id=self.event.pk, match_id=match.pk, action=action)
        return f"{action} of match {match.number if match is not None else '–'}"

    # Coming and going.

    @property
    def _where(self) -> dict[str, Any]:
        return {"actor": self.director, "event_id": self.event.pk}

    def _drop_out(self) -> str:
        entry = self._some_entry()
        if is_swiss(self._first_stage()):
            withdraw_entry(**self._where, entry_id=entry.pk)
        else:
            withdraw_after_draw(**self._where, entry_id=entry.pk, leaving=self.rng.choice(list(Leaving)))
        return f"{entry.name} dropping out"

    def _come_late(self) -> str:
        stage, late = self._first_stage(), NewEntry(name=f"Late {self._key()}")
        if is_swiss(stage):
            add_entry(**self._where, division_id=stage.division_id, entry=late)
            return f"{late.name} coming late"
        free = free_places(draw_of(stage))
        if not free:
            return "nobody coming late"
        place = self.rng.choice(free)
        add_late_entry(
            **self._where, stage_id=stage.pk, entry=late, match=place.match.number, side=place.side
        )
        return f"{late.name} on the bye of match {place.match.number}"

    def _buy_back(self) -> str:
        out = sorted(entries_out(self._first_stage()))
        if not out:
            return "nobody buying back"
        again = buy_back(**self._where, entry_id=self.rng.choice(out))
        stage = self._first_stage()
        if not is_swiss(stage):
            place = self.rng.choice(free_places(draw_of(stage)))
            place_on_bye(
                **self._where,
                stage_id=stage.pk,
                entry_id=again.pk,
                match=place.match.number,
                side=place.side,
            )
        return f"{again.name} coming back"

    def _some_entry(self) -> Entry:
        rows = Entry.objects.filter(division__event=self.event, status=EntryStatus.ACTIVE)
        return self.rng.choice(list(rows.order_by("pk")))

    def _first_stage(self) -> Stage:
        return Stage.objects.select_related("division").get(division__event=self.event, position=1)

    # Putting right.

    def _correct(self) -> str:
        """Another result for some match, whatever was played since; the repair is by chance of those that there are."""
        rows = Match.objects.filter(stage__division__event=self.event, status=MatchStatus.CONFIRMED)
        found = list(rows.exclude(result_kind=ResultKind.BYE).select_related("stage").order_by("pk"))
        if not found:
            return "nothing to correct"
        match = self.rng.choice(found)
        claim = won_by(match, self.rng.choice(list(Side)), match.length - 1)
        if self.rng.random() < 0.1:
            claim = Claim(match.start_a, match.start_b, ResultKind.DOUBLE_WALKOVER)
        seen = correction_preview(match, claim)
        repair = self.rng.choice(list(seen.repairs))
        correct_result(
            **self._where,
            match_id=match.pk,
            claim=claim,
            submission_key=self._key(),
            seen=match.version,
            previewed=seen.seen,
            repair=repair,
        )
        return f"correction of match {match.number} to {claim} ({repair})"

    def _play_off(self) -> str:
        """Two to four who share a place play it off at once, or it is taken back before it begins."""
        stages = Stage.objects.filter(division__event=self.event, status=StageStatus.FINISHED)
        tied = [
            (stage.pk, group)
            for stage in stages.order_by("pk")
            if in_rounds(stage)
            for group in to_play_off(draw_of(stage))
            if len(group) <= MOST_IN_PLAY_OFF
        ]
        if not tied:
            return "nobody tied"
        pk, group = self.rng.choice(tied)
        start_play_off(**self._where, stage_id=pk, entries=group)
        if self.rng.random() < 0.3:
            take_back_play_off(**self._where, stage_id=pk)
            return "a play-off taken back"
        for match in Match.objects.filter(stage=pk, status__in=TO_PLAY).order_by("pk"):
            self._director_says(match, a_result(self.rng, match))
        return f"a play-off of {len(group)}"

    def _undo(self) -> str:
        last = sorted(last_repairs(self.event))
        if not last:
            return "nothing to undo"
        undo_repair(**self._where, audit_id=last[-1])
        return "an undo"

    def _key(self) -> str:
        self._keys += 1
        return f"trial-{self.event.public_id}-{self._keys}"
