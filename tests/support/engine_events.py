"""Random whole events in the pure engine: every system, walk-overs, drop-outs, late entries, corrections, undo.

`run_event(seed)` plays one and raises `AssertionError` where an invariant breaks:
nobody in two open matches at once, no slot filled from nowhere, every entry placed, the journal of what was done
replays to the same state, an undone intervention leaves nothing behind, standings do not depend on the order in which
results arrived. Used by the property tests and by `benchmarks/random_events.py`.
"""

from collections import Counter
from dataclasses import dataclass, field

from tournaments.engine.brackets.avoidance import blind_draw_separated
from tournaments.engine.brackets.consolation import (
    CONSOLATION,
    PLAYED_KINDS,
    PLAYED_OR_WALKOVER,
    add_first_match_consolation,
    add_last_chance,
    add_progressive_consolation,
)
from tournaments.engine.brackets.correction import place_late_entry, preview_repairs, slots_for_late_entries
from tournaments.engine.brackets.double import DOUBLE_ELIMINATION_SECTIONS, double_elimination
from tournaments.engine.brackets.progression import SlotState, advance
from tournaments.engine.brackets.seeding import blind_draw, seeded_draw
from tournaments.engine.brackets.structure import MAIN, SourceKind, single_elimination
from tournaments.engine.chance import Chance
from tournaments.engine.pairing.checker import Criterion, check_swiss
from tournaments.engine.pairing.history import (
    Entrant,
    PairedMatch,
    RestingEntry,
    SwissRound,
    contenders_after,
    remaining_lives,
)
from tournaments.engine.pairing.round_robin import qualifiers, round_robin, serpentine_groups
from tournaments.engine.pairing.swiss import pair_round
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.ranking import elimination_places
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, Outcome, ResultKind, Side

SYSTEMS = (
    "single", "third place", "first-match consolation", "progressive consolation", "last chance", "double",
    "swiss", "lives", "round robin", "groups",
)  # fmt: skip
TIE_BREAKS = ("points", "head_to_head", "buchholz", "sonneborn_berger", "match_points_difference")
KINDS = [ResultKind.PLAYED] * 10 + [ResultKind.RETIRED, ResultKind.WALKOVER, ResultKind.FORFEIT]
LENGTH = 5


@dataclass
class Summary:
    """What happened, for the command's figures."""

    system: str
    entries: int
    counts: Counter = field(default_factory=Counter)


def run_event(seed, largest=300):
    chance = Chance(seed, "event")
    system = SYSTEMS[seed % len(SYSTEMS)]
    largest = min(largest, {"round robin": 24, "groups": 64}.get(system, 300))
    count = 3 + chance.below(largest - 2) if chance.below(3) else 3 + chance.below(14)
    summary = Summary(system, count)
    play = {"swiss": play_swiss, "lives": play_lives, "round robin": play_round_robin, "groups": play_groups}
    play.get(system, play_bracket)(system, count, seed, chance, summary.counts)
    return summary


# Eliminations.


def draw(system, count, seed, chance):
    entries = [EntryId(n) for n in range(1, count + 1)]
    clubs = {e: f"club {e % 7}" for e in entries if e % 3}
    lines = (seeded_draw(entries), blind_draw(entries, seed), blind_draw_separated(entries, [clubs], seed))[
        chance.below(3)
    ]
    if system == "double":
        return double_elimination(lines, recharge=seed % 2 == 0), DOUBLE_ELIMINATION_SECTIONS
    bracket = single_elimination(lines, third_place=system == "third place")
    after = (PLAYED_KINDS, PLAYED_OR_WALKOVER)[chance.below(2)]
    if system == "first-match consolation":
        bracket = add_first_match_consolation(bracket, admitted_kinds=after)
    elif system in ("progressive consolation", "last chance"):
        bracket = add_progressive_consolation(
            bracket, 1 + chance.below(len(bracket.rounds)), admitted_kinds=after
        )
        if system == "last chance" and len(bracket.section(CONSOLATION)[0].matches) > 1:
            bracket = add_last_chance(bracket, 1, admitted_kinds=after)
    return bracket, (MAIN,)


def play_bracket(system, count, seed, chance, counts):
    bracket, sections = draw(system, count, seed, chance)
    journal, withdrawn = [], set()
    results, by_hand = {}, {}
    entrants = set(range(1, count + 1))
    while True:
        state = advance(bracket, results, by_hand)
        check_open_matches(bracket, state, by_hand)
        ready = [n for n, m in state.matches.items() if m.status is MatchStatus.READY]
        if not ready:
            break
        if chance.below(6) == 0:
            withdrawn.add(1 + chance.below(count))
            counts["withdrawals"] += 1
        for number in chance.shuffled(ready)[: 1 + chance.below(len(ready))]:
            results[number] = result(state.matches[number], withdrawn, chance)
            journal.append(("result", number, results[number]))
            counts["results"] += 1
        if chance.below(3) == 0:
            results, by_hand = intervene(bracket, results, by_hand, entrants, journal, chance, counts)
    assert state.finished
    assert_replays(bracket, journal, state)
    places = elimination_places(bracket, dict(reversed(results.items())), sections, by_hand)
    assert set(places) == entrants, f"every entry is placed: {set(places) ^ entrants}"
    assert all(place.settled for place in places.values())
    assert places == elimination_places(bracket, results, sections, by_hand)


def result(match, withdrawn, chance):
    away = [side for side in Side if match.slot(side).entry in withdrawn]
    if len(away) == len(Side) or chance.below(60) == 0:
        return Outcome(None, ResultKind.DOUBLE_WALKOVER)
    if away:
        return Outcome(away[0].other, ResultKind.WALKOVER)
    return Outcome((Side.A, Side.B)[chance.below(2)], KINDS[chance.below(len(KINDS))])


def intervene(bracket, results, by_hand, entrants, journal, chance, counts):
    """A correction or a late entry; half of them are undone at once."""
    before = advance(bracket, results, by_hand)
    what = ("correction", "correction", "late entry")[chance.below(3)]
    newcomer = EntryId(max(entrants) + 1)
    if what == "correction":
        match = sorted(results)[chance.below(len(results))]
        outcome = (Outcome(Side.A), Outcome(Side.B), Outcome(None, ResultKind.DOUBLE_WALKOVER))[
            chance.below(3)
        ]
        repairs = preview_repairs(bracket, results, match, outcome, by_hand)
        name = sorted(repairs)[chance.below(len(repairs))]
        chosen, what = repairs[name], f"corrections: {name}"
        counts["results voided"] += len(chosen.cancelled_matches)
    else:
        free = slots_for_late_entries(bracket, results, by_hand)
        if not free:
            return results, by_hand
        chosen = place_late_entry(bracket, results, newcomer, free[chance.below(len(free))], by_hand)
    counts[what] += 1
    if chance.below(2):
        assert advance(bracket, results, by_hand) == before, "undo gives the state before"
        counts["undone"] += 1
        return results, by_hand
    if newcomer in {
        slot.entry
        for m in advance(bracket, chosen.results, chosen.manual_slots).matches.values()
        for slot in (m.a, m.b)
    }:
        entrants.add(newcomer)
    journal.append(("repair", dict(chosen.results), dict(chosen.manual_slots)))
    return dict(chosen.results), dict(chosen.manual_slots)


def check_open_matches(bracket, state, by_hand):
    seats = Counter()
    placed = {(target.match, target.side) for target in by_hand}
    for number, match in state.matches.items():
        for side in Side:
            slot = match.slot(side)
            if slot.state is SlotState.ENTRY and not match.settled:
                seats[slot.entry] += 1
            source = bracket.match(number).a if side is Side.A else bracket.match(number).b
            if source.match is not None and slot.state is SlotState.ENTRY and (number, side) not in placed:
                before = state.matches[source.match]
                came = before.winner() if source.kind is SourceKind.WINNER_OF else before.loser()
                assert came.entry == slot.entry, "no slot is filled from nowhere"
    assert not seats or max(seats.values()) == 1, "nobody in two open matches at once"


def assert_replays(bracket, journal, state):
    results, by_hand = {}, {}
    for kind, *data in journal:
        if kind == "result":
            results[data[0]] = data[1]
        else:
            results, by_hand = dict(data[0]), dict(data[1])
    assert advance(bracket, results, by_hand) == state, "the journal replays to the same state"


# Swiss, lives, round robins.


def meeting(a, b, chance, *, walkovers=True):
    played = not (walkovers and chance.below(25) == 0)
    lost = chance.below(LENGTH) if played else 0
    first = chance.below(2)
    scores = (LENGTH, lost) if first else (lost, LENGTH)
    return PairedMatch(a, b, 2 * first, 2 - 2 * first, played, *scores, LENGTH)


def swiss_round(entrants, rounds, playing, rests, chance, seed):
    found = pair_round(contenders_after(rounds, entrants, playing), seed=seed)
    seats = [e for pair in found.pairs for e in pair] + [found.bye] * (found.bye is not None)
    assert sorted(seats) == sorted(playing), "everybody once in a round"
    bye = () if found.bye is None else (RestingEntry(found.bye, 2, is_allotted=True),)
    return SwissRound(tuple(meeting(a, b, chance) for a, b in found.pairs), (*rests, *bye))


def play_swiss(_system, count, seed, chance, counts):
    entrants = [Entrant(EntryId(n), n, frozenset({f"club {n % 9}"})) for n in range(1, count + 1)]
    playing = {e.entry for e in entrants if e.entry <= max(2, count - 3)}
    late = [e.entry for e in entrants if e.entry not in playing]
    rounds = []
    for _ in range(3 + chance.below(6)):
        if rounds and late and chance.below(2):
            playing.add(late.pop())
            counts["late entries"] += 1
        if len(playing) > 4 and chance.below(2):
            playing.discard(sorted(playing)[chance.below(len(playing))])
            counts["drop-outs"] += 1
        asked = {e for e in sorted(playing) if chance.below(40) == 0} if len(playing) > 12 else set()
        away = {e.entry for e in entrants} - playing
        rests = [RestingEntry(e, 1) for e in sorted(asked)] + [RestingEntry(e, 0) for e in sorted(away)]
        rounds.append(swiss_round(entrants, rounds, playing - asked, rests, chance, seed))
        counts["results"] += len(rounds[-1].meetings)
    if count < 60:
        broken = {b.criterion for b in check_swiss(rounds, entrants)}
        assert not broken & {Criterion.REMATCH, Criterion.BYE_AGAIN, Criterion.SCORE_GAP}
    assert_standings([e.entry for e in entrants], rounds, seed, chance)
    if chance.below(2):  # a result of an earlier round is corrected: the table follows, the pairings stand
        number = chance.below(len(rounds))
        first, *others = rounds[number].meetings
        turned = PairedMatch(first.a, first.b, first.points_b, first.points_a)
        rounds[number] = SwissRound((turned, *others), rounds[number].rests)
        counts["corrections"] += 1
        assert_standings([e.entry for e in entrants], rounds, seed, chance)


def play_lives(_system, count, seed, chance, counts):
    entrants = [Entrant(EntryId(n), n) for n in range(1, count + 1)]
    lives, rounds = 1 + chance.below(3), []
    while len(alive := remaining_lives(rounds, [e.entry for e in entrants], lives)) > 1:
        rounds.append(swiss_round(entrants, rounds, alive, (), chance, seed))
        counts["results"] += len(rounds[-1].meetings)
        assert len(rounds) < 12 * lives + 30, "an event with lives comes to its end"
    assert len(alive) == 1


def play_round_robin(_system, count, seed, chance, counts):
    entries = [EntryId(n) for n in range(1, count + 1)]
    twice = bool(chance.below(2))
    rounds = [
        SwissRound(tuple(meeting(a, b, chance) for a, b in rnd.pairs))
        for rnd in round_robin(entries, double=twice)
    ]
    counts["results"] += sum(len(rnd.meetings) for rnd in rounds)
    met = Counter(frozenset((m.a, m.b)) for rnd in rounds for m in rnd.meetings)
    assert set(met.values()) == {1 + twice}
    assert len(met) == count * (count - 1) // 2
    return assert_standings(entries, rounds, seed, chance)


def play_groups(_system, count, seed, chance, counts):
    count = max(count, 4)
    number = 1 + chance.below(count // 2)
    tables = []
    for group in serpentine_groups([EntryId(n) for n in range(1, count + 1)], number):
        rounds = [
            SwissRound(tuple(meeting(a, b, chance) for a, b in rnd.pairs)) for rnd in round_robin(group)
        ]
        counts["results"] += sum(len(rnd.meetings) for rnd in rounds)
        tables.append([row.entry for row in assert_standings(group, rounds, seed, chance)])
    each = 2 if number == 1 or chance.below(2) else 1
    going_on = qualifiers(tables, each)
    bracket = single_elimination(seeded_draw(going_on))
    results = {}
    while ready := [n for n, m in advance(bracket, results).matches.items() if m.status is MatchStatus.READY]:
        results |= {n: Outcome((Side.A, Side.B)[chance.below(2)]) for n in ready}
    assert set(elimination_places(bracket, results)) == set(going_on)


def assert_standings(entries, rounds, seed, chance):
    """The table places everybody, without gap, and whatever the order of arrival."""
    rows = rank_entries(Crosstable(entries, rounds, seed=seed), [*TIE_BREAKS, "lot"])
    assert sorted(row.entry for row in rows) == sorted(entries)
    assert [row.first for row in rows] == list(range(1, len(rows) + 1)), "the lot leaves no tie"
    arrived = [
        SwissRound(tuple(chance.shuffled(rnd.meetings)), tuple(chance.shuffled(rnd.rests))) for rnd in rounds
    ]
    assert (
        rank_entries(Crosstable(chance.shuffled(entries), arrived, seed=seed), [*TIE_BREAKS, "lot"]) == rows
    )
    return rows
