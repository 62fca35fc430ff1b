"""Who sat there stays: whole events by chance with take-overs, corrections and undo, and everything that tells who played agrees.

The test keeps its own list of who sat where. Match page, player pages, head-to-head, final places, files, the API and the ratings are held
against it.
"""

import random
from collections import Counter

import pytest
from django.core.cache import cache

from faults import Conflict, Invalid
from people.models import Player
from rating.models import Fact, FactKind
from tests.factories import an_event, names
from tests.support.lanes import the_few_or
from tests.support.rounds import publish_next
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, update_division
from tournaments.models import Entry, EntryPlayer, Match, MatchSlot
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.events.detail import division_views
from tournaments.selectors.events.players import player_events
from tournaments.selectors.matches.detail import finished_matches, match_view, played_matches
from tournaments.selectors.matches.games_out import exported_matches_of_event, exported_matches_of_player
from tournaments.selectors.matches.meetings import head_to_head
from tournaments.selectors.matches.player import my_match
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.repairs.undo import last_repair
from tournaments.selectors.rounds.next import has_round_to_come
from tournaments.site.api.values import Bracket

pytestmark = pytest.mark.django_db
SYSTEMS = ["single_elimination", "swiss", "round_robin", "double_elimination"]
OVER = ("confirmed", "void")


class Hall:
    """One event, and what the test itself knows of who sat where."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        system, self.size = SYSTEMS[seed % 4], (1, 1, 2, 3)[seed // 4 % 4]
        count = self.rng.randrange(4, 7)
        more = {
            "swiss": {"swiss": SwissSettings(rounds=3)},
            "round_robin": {"swiss": SwissSettings(rounds=3)},
        }.get(system, {"bracket": BracketSettings()})
        self.tournament = an_event(0, system=system, lengths=[3], **more)
        self.at = {"actor": self.tournament.actor, "event_id": self.tournament.event.pk}
        if self.size > 1:
            sized = DivisionDetails(team_size=self.size)
            update_division(**self.at, division_id=self.tournament.division.pk, division=sized)
        people = [f"{name} Old" for name in names(count * self.size)]
        teams = [people[i * self.size : (i + 1) * self.size] for i in range(count)]
        new = [
            NewEntry(
                lead,
                None,
                tuple(map(NewEntry, others)),
                team=f"Team {lead}" if self.rng.random() < 0.3 and others else "",
            )
            for lead, *others in teams
        ]
        add_entries(**self.at, division_id=self.tournament.division.pk, entries=new)
        self.in_rounds = system in {"swiss", "round_robin"}
        if self.in_rounds:
            publish_next(self.tournament, seed=seed)
        else:
            self.tournament.publish(seed=seed)
        self.newcomers = 0
        self.stack = []
        self.sat = {}
        self.now = {}
        for row in EntryPlayer.objects.filter(division=self.tournament.division).order_by("position"):
            self.now.setdefault(row.entry_id, []).append(row.player_id)
        self.look({})

    def look(self, before):
        """Note who sat in matches that are over since the last look."""
        slots = MatchSlot.objects.filter(match__stage__division__event=self.tournament.event).exclude(
            entry=None
        )
        seen = {}
        for match, side, entry, status in slots.values_list("match_id", "side", "entry_id", "match__status"):
            if status in OVER:
                known = self.sat.get((match, side)) or before.get((match, side))
                fresh = (entry, tuple(self.now[entry]))
                seen[match, side] = known if known is not None and known[0] == entry else fresh
        self.sat = seen

    def play(self):
        for _ in range(self.rng.randrange(1, 4)):
            if not (ready := self.tournament.playable()):
                break
            match = self.rng.choice(ready)
            if self.rng.random() < 0.15:
                self.tournament.says(
                    match, None, 0, 0, kind=ResultKind.WALKOVER, winner=self.rng.choice("ab")
                )
            else:
                self.tournament.settle(match, self.rng.choice("ab"), self.rng.randrange(3))
            self.look({})
        if self.in_rounds and not self.tournament.playable() and has_round_to_come(self.tournament.stage):
            publish_next(self.tournament)
            self.look({})

    def change(self, *, from_now):
        row = self.rng.choice(
            list(EntryPlayer.objects.filter(division=self.tournament.division).order_by("pk"))
        )
        inside = [pk for own in self.now.values() for pk in own]
        chance, known = self.rng.random(), [pk for _entry, own in self.sat.values() for pk in own]
        if chance < 0.25:
            right = NewEntry(player_id=self.rng.choice(inside))
        elif chance < 0.4 and known:
            right = NewEntry(player_id=self.rng.choice(sorted(known)))
        else:
            self.newcomers += 1
            right = NewEntry(name=f"Newcomer {self.newcomers} New")
        before = dict(self.sat), {entry: list(own) for entry, own in self.now.items()}
        at = {"entry_id": row.entry_id, "wrong_id": row.player_id}
        try:
            change_player(**self.at, **at, right=right, from_now=from_now)
        except Invalid:  # the same player, or one of the same team
            return
        wrong = row.player_id
        row.refresh_from_db()
        swap = {wrong: row.player_id} | ({row.player_id: wrong} if row.player_id in inside else {})
        self.now = {entry: [swap.get(pk, pk) for pk in own] for entry, own in self.now.items()}
        if not from_now:
            self.sat = {
                seat: (entry, tuple(swap.get(pk, pk) for pk in own))
                for seat, (entry, own) in self.sat.items()
            }
        self.stack.append((before, {new: old for old, new in swap.items()}))

    def correct(self):
        over = Match.objects.filter(stage=self.tournament.stage, status="confirmed").exclude(
            result_kind="bye"
        )
        if not over:
            return
        match = self.rng.choice(list(over.order_by("pk")))
        claim = self.rng.choice([Claim(3, 0), Claim(1, 3)])
        repairs = correction_preview(match, claim).repairs
        before = dict(self.sat), None
        given = {
            "claim": claim,
            "submission_key": self.tournament.key(),
            "repair": self.rng.choice(list(repairs)),
        }
        correct_result(**self.at, match_id=match.pk, **given)
        self.look({})
        self.stack.append((before, {}))

    def undo(self):
        done = last_repair(self.tournament.fresh(), self.tournament.stage)
        if not self.stack or done is None:
            return
        try:
            undo_repair(**self.at, audit_id=done.pk)
        except Conflict:
            return
        (sat, now), back = self.stack.pop()
        if now is not None:
            self.now = now
            self.sat = {
                seat: sat[seat]
                if sat.get(seat, (None,))[0] == entry
                else (entry, tuple(back.get(pk, pk) for pk in own))
                for seat, (entry, own) in self.sat.items()
            }
        self.look(sat)

    def step(self):
        chance = self.rng.random()
        if chance < 0.4:
            self.play()
        elif chance < 0.65:
            self.change(from_now=True)
        elif chance < 0.75:
            self.change(from_now=False)
        elif chance < 0.85:
            self.correct()
        else:
            self.undo()

    def contradictions(self):
        """Everything that does not say what the test knows."""
        Player.objects.update(listed=True, listed_with_draw=False)
        cache.clear()
        event = self.tournament.fresh()
        found = [str(fault) for fault in integrity_faults(event)]
        matches = Match.objects.filter(stage__division__event=event).select_related(
            "round", "stage__division__event"
        )
        by_pk = {match.pk: match for match in matches}
        called = dict(Player.objects.values_list("pk", "name"))
        played = {}
        for (match, side), (_entry, own) in self.sat.items():
            view = match_view(by_pk[match])
            if tuple(one.pk for one in view.players_of(Side(side))) != own:
                found.append(f"page of match {match} {side}")
            if self.size == 1 and view.row.sides[side == "b"].name != called[own[0]]:
                found.append(f"name in match {match} {side}")
            if by_pk[match].status == "confirmed" and by_pk[match].result_kind != "bye":
                for pk in own:
                    played.setdefault(pk, {})[match] = side
        for pk in called:
            found += self.of_player(Player.objects.get(pk=pk), played.get(pk, {}), called)
        found += self.rated(by_pk, called) + self.answers(event, called) + self.met(by_pk)
        return found

    def of_player(self, player, played, called):
        found = []
        rows = {one.match.pk: one for one in played_matches(player, list(finished_matches(player)))}
        if rows.keys() != played.keys():
            found.append(f"matches of {player}: {sorted(rows)} and {sorted(played)}")
        for match in rows.keys() & played.keys():
            other = Side(played[match]).other
            if rows[match].side != played[match]:
                found.append(f"side of {player} in match {match}")
            if self.size == 1 and rows[match].opponent != called[self.sat[match, other][1][0]]:
                found.append(f"opponent of {player} in match {match}")
        out = {one.match.pk for one in exported_matches_of_player(player, None, None)}
        if out != {pk for pk in played if Match.objects.get(pk=pk).result_kind == "played"}:
            found.append(f"file of {player}")
        now = {entry for entry, own in self.now.items() if player.pk in own}
        then = {entry for entry, own in self.sat.values() if player.pk in own}
        events = player_events(player)
        if {one.entry.pk for one in events.newest} != now | then or events.count != len(now | then):
            found.append(f"events of {player}")
        if any(one.is_taken_over != (one.entry.pk not in now) for one in events.newest):
            found.append(f"replaced or not: {player}")
        if any(one.place is not None for one in events.newest if one.entry.pk not in now):
            found.append(f"a place that is another's: {player}")
        return found

    def rated(self, matches, _called):
        wanted = Counter()
        for match in matches.values():
            if match.status == "confirmed" and match.result_kind == "played" and self.size == 1:
                winner = Side(match.winner_side)
                wanted[self.sat[match.pk, winner][1][0], self.sat[match.pk, winner.other][1][0]] += 1
        facts = (
            Fact.objects.filter(later=None).exclude(kind=FactKind.VOID).values_list("winner_id", "loser_id")
        )
        return (
            []
            if Counter(facts) == wanted
            else [f"rated: {Counter(facts) - wanted}, {wanted - Counter(facts)}"]
        )

    def answers(self, event, called):
        """The API, the file of the event's matches, and the rows of tables and places."""
        found, views = [], division_views(event)
        drawn = [
            match
            for one in Bracket.of(event, views).stages
            for round_ in one.rounds
            for match in round_.matches
        ]
        ids = dict(Match.objects.values_list("public_id", "pk"))
        entries = dict(Entry.objects.values_list("public_id", "pk"))
        for match in drawn:
            for side in match.sides:
                if side.entry is None:
                    continue
                entry, own = self.sat.get((ids[match.id], side.side), (None, self.now[entries[side.entry]]))
                if [one.name for one in side.players] != [called[pk] for pk in own]:
                    found.append(f"API: match {match.number} {side.side}")
                if entry not in {None, entries[side.entry]}:
                    found.append(f"API: entry in match {match.number} {side.side}")
        if self.size == 1:
            for row in exported_matches_of_event(event):
                for side, name in row.names.items():
                    if name != called[self.sat[row.match.pk, side][1][0]]:
                        found.append(f"file of the event: match {row.match.pk}")
        for row in views[0].entries:
            former = {tuple(own) for entry, own in self.sat.values() if entry == row.pk} - {
                tuple(self.now[row.pk])
            }
            named = row.before.names if row.before is not None else ()
            if self.size == 1 and {called[own[0]] for own in former} - set(named):
                found.append(f"row of {row.name}: {named}")
            if [one.pk for one in row.players] != self.now[row.pk]:
                found.append(f"players of {row.name}")
        return found

    def met(self, matches):
        """Head-to-head of those who are about to play."""
        if self.size > 1:
            return []
        found = []
        for match in self.tournament.playable():
            slots = {
                slot.side: slot.entry
                for slot in MatchSlot.objects.filter(match=match).select_related("entry__division__event")
            }
            mine, other = (self.now[slots[side].pk][0] for side in "ab")
            wins = Counter()
            for pk, one in matches.items():
                pair = {side: self.sat.get((pk, side), (None, (None,)))[1][0] for side in "ab"}
                if one.status == "confirmed" and one.winner_side and set(pair.values()) == {mine, other}:
                    wins[pair[one.winner_side]] += 1
            meetings = head_to_head(my_match(slots["a"], match.public_id))
            named = (meetings.won, meetings.lost) if meetings is not None else (0, 0)
            if named != (wins[mine], wins[other]):
                found.append(f"head-to-head in match {match.number}: {named}, {wins}")
        return found


@pytest.mark.by_turns(4)
@pytest.mark.parametrize("seed", the_few_or(range(300), [1]))
def test_any_event_when_players_take_over_then_everything_agrees_who_played(seed):
    hall = Hall(seed)
    for _ in range(14):
        hall.step()
    assert hall.contradictions() == []
    for _ in range(12):
        hall.play()
    assert hall.contradictions() == []
