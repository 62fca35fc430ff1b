"""Whole brackets by chance through the services, and every repair in them by chance: corrections, late entries, withdrawals.

After each repair the rows are what the engine makes of results and placings, nobody waits in two matches of a section,
the ledger has one fact for each rated result; and an undo gives back exactly what was there before.
"""

import random

import pytest

from rating.models import Fact, FactKind
from tests.factories import an_event
from tests.support.lanes import the_few_or
from tests.support.repairs import state_of
from tournaments.engine.brackets.progression import advance
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.stages.feeding import Admission
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.hall.services.calling import move_match
from tournaments.models import Entry, EntryPlayer, Match
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.length import set_match_length, set_round_length
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.undo import undo_repair
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.repairs.late import free_lines
from tournaments.selectors.repairs.undo import last_repair

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns(6)]

ALSO = Admission.ALSO_WALKOVERS
FAMILIES = [
    ("single_elimination", BracketSettings()),
    ("single_elimination", BracketSettings(third_place=True)),
    ("single_elimination", BracketSettings(flights=(Flight(FlightKind.FIRST_MATCH, (3,), admission=ALSO),))),
    (
        "single_elimination",
        BracketSettings(
            flights=(
                Flight(FlightKind.PROGRESSIVE, (3,), rounds=2),
                Flight(FlightKind.LAST_CHANCE, (1,), rounds=1),
            )
        ),
    ),
    ("double_elimination", BracketSettings()),
    ("double_elimination", BracketSettings(recharge=False)),
]


class Hall:
    """One event and everything that goes wrong in it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        system, settings = FAMILIES[seed % len(FAMILIES)]
        count = self.rng.randrange(5, 10)
        self.tournament = an_event(entries=count, system=system, bracket=settings, lengths=[5], tables=3)
        self.tournament.rng = self.rng
        self.tournament.publish(seed=seed)
        self.at = {"actor": self.tournament.actor, "event_id": self.tournament.event.pk}
        self.newcomers = 0

    def claim(self, match: Match) -> Claim:
        chance = self.rng.random()
        if chance < 0.1:
            return Claim(0, 0, ResultKind.DOUBLE_WALKOVER)
        if chance < 0.2:
            return Claim(0, 0, ResultKind.WALKOVER, self.rng.choice(list(Side)))
        loser = self.rng.randrange(match.length)
        return Claim(match.length, loser) if chance < 0.6 else Claim(loser, match.length)

    def play(self, most: int) -> None:
        for _ in range(self.rng.randrange(most)):
            ready = self.tournament.playable()
            if not ready:
                return
            match = self.rng.choice(ready)
            if match.status == MatchStatus.READY and self.rng.random() < 0.3:
                move_match(**self.at, match_id=match.pk, action=MatchAction.START)
            if self.rng.random() < 0.2:
                self.tournament.says(match, "a", match.length, 0)
                continue
            claim = self.claim(match)
            self.tournament.says(
                match, None, claim.score_a, claim.score_b, kind=claim.kind, winner=claim.winner
            )

    def correct(self) -> bool:
        over = Match.objects.filter(stage=self.tournament.stage, status="confirmed").exclude(
            result_kind="bye"
        )
        if not over:
            return False
        match = self.rng.choice(list(over))
        more = {"match_id": match.pk, "claim": self.claim(match), "submission_key": self.tournament.key()}
        repairs = correction_preview(match, more["claim"]).repairs
        correct_result(**self.at, **more, repair=self.rng.choice(list(repairs)))
        return True

    def come_late(self) -> bool:
        free = free_lines(load_draw(self.tournament.stage))
        if not free or self.tournament.stage.status == "finished":
            return False
        place = self.rng.choice(free)
        self.newcomers += 1
        newcomer = NewEntry(name=f"Newcomer {self.newcomers}")
        at = {"stage_id": self.tournament.stage.pk, "match": place.match.number, "side": place.side}
        add_late_entry(**self.at, **at, entry=newcomer)
        return True

    def withdraw(self) -> bool:
        active = list(Entry.objects.filter(division=self.tournament.division, status="active"))
        if self.tournament.stage.status == "finished" or len(active) < 3:
            return False
        withdraw_after_draw(**self.at, entry_id=self.rng.choice(active).pk)
        return True

    def change_player(self) -> bool:
        row = self.rng.choice(list(EntryPlayer.objects.filter(division=self.tournament.division)))
        others = EntryPlayer.objects.filter(division=self.tournament.division).exclude(player=row.player)
        self.newcomers += 1
        right = NewEntry(name=f"Really {self.newcomers}")
        if self.rng.random() < 0.5:
            right = NewEntry(player_id=self.rng.choice(list(others)).player_id)
        change_player(**self.at, entry_id=row.entry_id, wrong_id=row.player_id, right=right)
        return True

    def lengthen(self) -> bool:
        to_play = self.tournament.playable()
        if not to_play:
            return False
        match, length = self.rng.choice(to_play), self.rng.randrange(1, 9)
        if self.rng.random() < 0.5:
            set_match_length(**self.at, match_id=match.pk, length=length)
        else:
            number = match.round.number
            set_round_length(**self.at, stage_id=match.stage_id, number=number, length=length)
        return True

    def undo(self) -> None:
        undo_repair(**self.at, audit_id=last_repair(self.tournament.fresh(), self.tournament.stage).pk)

    def hangs_together(self) -> None:
        draw = load_draw(self.tournament.stage)
        states = advance(draw.bracket(), draw.outcomes(), draw.entries_placed_by_hand()).matches
        tables = []
        for match in draw.matches:
            state = states[match.number]
            assert [side.entry_id for side in match.sides] == [state.a.entry, state.b.entry]
            assert [s.has_won for s in match.sides if s.entry_id] == [
                s.has_won for s in (state.a, state.b) if s.entry
            ]
            if state.status is MatchStatus.READY:
                assert match.status not in {MatchStatus.WAITING, MatchStatus.CONFIRMED, MatchStatus.VOID}
                tables.append(match.table)
            else:
                assert match.status is state.status
                assert match.winner == (state.outcome.winner if state.outcome else None)
        given = [table for table in tables if table is not None]
        assert len(given) == len(set(given)) <= 3
        over = all(state.settled for state in states.values())
        assert (self.tournament.stage.status == "finished") is over
        assert (self.tournament.fresh().status == "finished") is over
        rated = [m for m in draw.matches if m.result_kind == "played" and m.status is MatchStatus.CONFIRMED]
        standing = Fact.objects.filter(later__isnull=True).exclude(kind=FactKind.VOID)
        assert standing.count() == len(rated)
        gone = set(Entry.objects.filter(status="withdrawn").values_list("pk", flat=True))
        assert not [m for m in draw.matches if states[m.number].status is MatchStatus.READY and {s.entry_id for s in m.sides} & gone]  # fmt: skip


@pytest.mark.parametrize("seed", the_few_or(range(2 * len(FAMILIES)), range(len(FAMILIES))))
def test_any_repair_when_made_and_undone_then_the_event_hangs_together_and_is_as_before(seed):
    hall = Hall(seed)
    hall.play(10)
    before = [state_of(hall.tournament)]
    for _ in range(10):
        repair = hall.rng.choice(
            [*[hall.correct] * 3, hall.come_late, hall.withdraw, hall.change_player, hall.lengthen]
        )
        if repair():
            hall.hangs_together()
            before.append(state_of(hall.tournament))
            while len(before) > 1 and hall.rng.random() < 0.5:
                hall.undo()
                before.pop()
                now = state_of(hall.tournament)
                for kept in (
                    "entries",
                    "players",
                ):  # who had come late is withdrawn now, and nobody else differs
                    now[kept] = [row for row in now[kept] if row in before[-1][kept]]
                assert now == before[-1]
                hall.hangs_together()
        if hall.rng.random() < 0.5:
            hall.play(4)
            hall.hangs_together()
            before = [state_of(hall.tournament)]
