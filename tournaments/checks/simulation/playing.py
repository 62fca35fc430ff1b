"""Play events at random through the services that people use: for the demo, trials and benchmarks.

The random source is an argument: the same seed plays the same event. Players have a hidden strength; a match
is played point by point (single 70 %, gammon 26 %, backgammon 4 %, cube at 2 in every third game), so scores
look real.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch

from people.actors import Actor
from people.models import Club
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import AT_TABLE, PLAYABLE, MatchAction
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.hall.services.calling import move_match
from tournaments.matches.services.records import Upload, read_evidence
from tournaments.matches.services.reports import confirm_report, submit_report
from tournaments.models import Division, Entry, Event, Match, MatchSlot, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import has_round_to_come, next_round

NO_SHOW_SHARE = 0.02
DISPUTED_SHARE = 0.03
DIRECTOR_SHARE = 0.3


@dataclass(slots=True)
class Simulation:
    """An event that is played at random, or only the first stage of one ``division`` of it.

    ``clock``: the time at which the next results are said to have been played, if given.
    """

    event: Event
    director: Actor
    rng: random.Random
    clock: datetime | None = None
    division: Division | None = None
    strengths: dict[int, float] = field(default_factory=dict)
    seed: int = 0
    _keys: int = 0

    @property
    def stage(self) -> Stage:
        stages = Stage.objects.filter(division__event=self.event)
        return stages.filter(division=self.division)[0] if self.division else stages.get()

    def enter(self, division: str, entries: Sequence[NewEntry]) -> "Simulation":
        """Enter players into the division of this name; return the simulation of that division."""
        target_division = self.event.divisions.get(name=division)
        for chunk in _chunks(entries, 256):
            add_entries(
                actor=self.director, event_id=self.event.pk, division_id=target_division.pk, entries=chunk
            )
        self.event.refresh_from_db()
        return replace(self, division=target_division)

    def draw(self, seed: int) -> None:
        """Draw with ``seed`` and publish the draw: the whole bracket, or the first round."""
        self.seed = seed
        if self.is_in_rounds:
            self._publish_next_round()
            return
        draw_stage(actor=self.director, event_id=self.event.pk, stage_id=self.stage.pk, seed=seed)
        publish_draw(actor=self.director, event_id=self.event.pk, stage_id=self.stage.pk)

    @property
    def is_in_rounds(self) -> bool:
        return self.stage.system in Stage.IN_ROUNDS

    def _publish_next_round(self) -> None:
        stage_kwargs: dict[str, Any] = {
            "actor": self.director,
            "event_id": self.event.pk,
            "stage_id": self.stage.pk,
        }
        stage = self.stage
        pairing = next_round(stage, load_draw(stage)) or pair_next_round(**stage_kwargs, seed=self.seed)
        publish_round(**stage_kwargs, seen=pairing.version)

    def playable(self) -> list[Match]:
        """Return the matches at a table with both sides known and no report."""
        statuses = [status for status in PLAYABLE if status in AT_TABLE]
        return list(
            Match.objects.filter(stage=self.stage, status__in=statuses)
            .order_by("number")
            .prefetch_related(Prefetch("slots", MatchSlot.objects.select_related("entry")))
        )

    def play_all(self) -> int:
        """Play until the stage is over; return the number of matches played."""
        played_count = 0
        while matches := self.playable():
            for match in matches:
                self.play(match)
            played_count += len(matches)
            if self.is_in_rounds and has_round_to_come(self.stage) and not self.playable():
                self._publish_next_round()
        self.event.refresh_from_db()
        return played_count

    def play(self, match: Match) -> None:
        """Play a match to its end and report the result as people do.

        Both sides report, or one reports and the other confirms, or the director reports.
        """
        entries = {Side(slot.side): slot.entry for slot in match.slots.all() if slot.entry is not None}
        chance = self.rng.random()
        if chance < NO_SHOW_SHARE:
            winner = self.rng.choice(list(Side))
            self._report_as_director(match, Claim(0, 0, ResultKind.WALKOVER, winner))
            return
        claim = self.result(match.length, entries)
        if chance < DIRECTOR_SHARE or self.clock is not None:
            self._report_as_director(match, claim)
            return
        reporter, other = entries[Side.A], entries[Side.B]
        if self.rng.random() < 0.5:
            reporter, other = other, reporter
        answer = submit_report(
            actor=_link_actor(reporter),
            match_id=match.pk,
            entry=reporter,
            claim=claim,
            submission_key=self._submission_key(),
        )
        if self.rng.random() < DISPUTED_SHARE:
            submit_report(
                actor=_link_actor(other),
                match_id=match.pk,
                entry=other,
                claim=_wrong_claim(claim, match.length),
                submission_key=self._submission_key(),
            )
            self._report_as_director(match, claim)
            return
        confirm_report(
            actor=_link_actor(other),
            match_id=match.pk,
            entry=other,
            version=answer.report.version,
            submission_key=self._submission_key(),
        )

    def result(self, length: int, entries: dict[Side, Entry]) -> Claim:
        """Return a result of a match to ``length``, played point by point."""
        chance_a = 1 / (1 + 10 ** ((self._strength(entries[Side.B]) - self._strength(entries[Side.A])) / 800))
        score = {Side.A: 0, Side.B: 0}
        while max(score.values()) < length:
            side = Side.A if self.rng.random() < chance_a else Side.B
            cube = 2 if self.rng.random() < 1 / 3 and length > 1 else 1
            value = self.rng.choices((1, 2, 3), (70, 26, 4))[0] * cube
            score[side] = min(length, score[side] + value)
        return Claim(score[Side.A], score[Side.B])

    def start_match(self, match: Match) -> None:
        """Call a match to its table and start it."""
        for action in (MatchAction.CALL, MatchAction.START):
            move_match(actor=self.director, event_id=self.event.pk, match_id=match.pk, action=action)

    def report_win(self, match: Match) -> Claim:
        """Report a win of the first side, without an answer of the other side; return the result."""
        entries = {Side(slot.side): slot.entry for slot in match.slots.all() if slot.entry is not None}
        claim = self.result(match.length, entries)
        if claim.score_b > claim.score_a:
            claim = Claim(claim.score_b, claim.score_a)
        reporter = entries[Side.A]
        submit_report(
            actor=_link_actor(reporter),
            match_id=match.pk,
            entry=reporter,
            claim=claim,
            submission_key=self._submission_key(),
        )
        return claim

    def dispute(self, match: Match) -> None:
        """Report contradictory results: each side reports its own win."""
        claim = self.report_win(match)
        other = MatchSlot.objects.select_related("entry").get(match=match, side=Side.B).entry
        if other is not None:
            submit_report(
                actor=_link_actor(other),
                match_id=match.pk,
                entry=other,
                claim=Claim(claim.score_b, claim.score_a),
                submission_key=self._submission_key(),
            )

    def play_with_games(self, match: Match, record: Upload) -> None:
        """Report the result of a game record as director, and attach the record."""
        evidence = read_evidence(match, record)
        if evidence.claim is not None:
            self._report_as_director(match, evidence.claim, record)

    def _report_as_director(self, match: Match, claim: Claim, record: Upload | None = None) -> None:
        if self.clock is not None:
            self.clock += timedelta(minutes=self.rng.randrange(2, 9))
        submit_report(
            actor=self.director,
            match_id=match.pk,
            entry=None,
            claim=claim,
            submission_key=self._submission_key(),
            played_at=self.clock,
            record=record,
        )

    def _strength(self, entry: Entry) -> float:
        if entry.pk not in self.strengths:
            self.strengths[entry.pk] = random.Random(f"strength of {entry.name}").gauss(0, 180)  # noqa: S311
        return self.strengths[entry.pk]

    def _submission_key(self) -> str:
        self._keys += 1
        division_id = self.division.pk if self.division else 0
        return f"simulation-{self.event.public_id}-{division_id}-{self._keys}"


def new_event(
    *,
    club: Club,
    director: Actor,
    details: EventDetails,
    stage: StageDetails,
    entries: Sequence[NewEntry],
    rng: random.Random,
) -> Simulation:
    """Create an event with one division, enter players, and return its simulation."""
    event = create_event(actor=director, club_id=club.pk, details=details, stage=stage)
    return Simulation(event=event, director=director, rng=rng).enter("", entries)


def _chunks(entries: Sequence[NewEntry], size: int) -> Iterator[Sequence[NewEntry]]:
    return (entries[start : start + size] for start in range(0, len(entries), size))


def _link_actor(entry: Entry) -> Actor:
    return Actor.with_label(f"Personal link of {entry.name}")


def _wrong_claim(claim: Claim, length: int) -> Claim:
    """Return another possible result of the same match, with one point more or less for the loser."""
    if claim.score_a == length:
        return Claim(length, claim.score_b - 1 if claim.score_b else 1 if length > 1 else 0)
    return Claim(claim.score_a - 1 if claim.score_a else 1 if length > 1 else 0, length)
