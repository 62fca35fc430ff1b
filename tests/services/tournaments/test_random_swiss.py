"""Whole Swiss events by chance through the services: drop-outs, returns, late entries, byes asked for, corrections.

After every round the same must hold: nobody sits twice in a round, who is withdrawn is not paired, every entry that has
played stands in the table once, all points are accounted for, and the check finds no better pairing.
"""

import random

import pytest

from people.models import Player
from tests.factories import an_event, names
from tests.support.lanes import the_few_or
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import NewEntry, add_entry, withdraw_entry
from tournaments.models import Match, MatchSlot, Round
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.reinstating import reinstate
from tournaments.rounds.services.requests import sit_out
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import broken_pairing_criteria
from tournaments.selectors.standings.tables import drawn_entries, pairing_history, standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns]


class Chaos:
    """One event and everything that can happen in it between rounds."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.count = self.rng.randrange(4, 15)
        settings = SwissSettings(
            rounds=self.rng.randrange(3, 6),
            bye_points=self.rng.choice([1, 2]),
            late_points=self.rng.choice([0, 1]),
            clubs=self.rng.choice(["ignore", "avoid"]),
        )
        self.tournament = an_event(self.count, system="swiss", swiss=settings, lengths=[3])
        self.tournament.rng = self.rng
        self.settings = settings
        for player in Player.objects.all():
            player.home_club = self.rng.choice([self.tournament.club, None])
            player.save()

    @property
    def where(self):
        return {
            "actor": self.tournament.actor,
            "event_id": self.tournament.event.pk,
            "stage_id": self.tournament.stage.pk,
        }

    def between_rounds(self) -> None:
        at = {"actor": self.tournament.actor, "event_id": self.tournament.event.pk}
        entries = list(self.tournament.division.entries.order_by("pk"))
        active = [entry for entry in entries if entry.status == "active"]
        if self.rng.random() < 0.4 and len(active) > 4:
            withdraw_entry(**at, entry_id=self.rng.choice(active).pk)
        gone = [entry for entry in entries if entry.status == "withdrawn"]
        if self.rng.random() < 0.3 and gone:
            reinstate(**at, entry_id=self.rng.choice(gone).pk)
        if self.rng.random() < 0.4:
            name = names(self.count + 1)[-1]
            self.count += 1
            add_entry(**at, division_id=self.tournament.division.pk, entry=NewEntry(name=name))
        active = list(self.tournament.division.entries.filter(status="active"))
        if self.rng.random() < 0.3 and len(active) > 4:
            sit_out(**self.where, entry_id=self.rng.choice(active).pk, points=self.rng.choice([0, 1, 2]))

    def correct_one(self) -> None:
        match = self.rng.choice(list(Match.objects.filter(status="confirmed").exclude(result_kind="bye")))
        claim = Claim(3, 1) if match.winner_side == "b" else Claim(2, 3)
        correct_result(
            actor=self.tournament.actor,
            event_id=self.tournament.event.pk,
            match_id=match.pk,
            claim=claim,
            submission_key=self.tournament.key(),
        )

    def play_round(self, number: int) -> None:
        active = set(self.tournament.division.entries.filter(status="active").values_list("pk", flat=True))
        found = pair_next_round(**self.where, seed=number)
        publish_round(**self.where, seen=found.version)
        self.tournament.fresh()
        seated = list(
            MatchSlot.objects.filter(match__round__number=number)
            .exclude(entry=None)
            .values_list("entry", flat=True)
        )
        rests = {int(entry) for entry in Round.objects.get(number=number).rests}
        assert len(seated) == len(set(seated))
        assert set(seated) | rests == active
        assert not set(seated) & rests
        self.tournament.play_out()

    def is_accounted_for(self) -> None:
        draw = load_draw(self.tournament.stage)
        rows = standings_table(draw).rows
        assert sorted(row.entry for row in rows) == list(drawn_entries(draw))
        points = sum(
            sum(m.points_a + m.points_b for m in played.meetings) + sum(rest.points for rest in played.rests)
            for played in pairing_history(draw)
        )
        assert sum(row.values["points"] for row in rows) == points
        assert [row.first for row in rows] == sorted(row.first for row in rows)


@pytest.mark.parametrize("seed", the_few_or(range(12), range(6)))
def test_random_swiss_when_anything_happens_then_nothing_is_lost_and_no_better_pairing_existed(seed):
    chaos = Chaos(seed)
    for number in range(1, chaos.settings.rounds + 1):
        chaos.play_round(number)
        chaos.is_accounted_for()
        assert broken_pairing_criteria(chaos.tournament.stage, load_draw(chaos.tournament.stage)) == ()
        if number < chaos.settings.rounds:
            chaos.between_rounds()
    assert chaos.tournament.event.status == "finished"
    chaos.correct_one()
    chaos.is_accounted_for()
