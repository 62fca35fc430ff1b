"""Frozen lists and the draws computed from them: a draw depends on the list and the random seed only.

A list is JSON (`committed.canonical_json`). Entries are in the order of their ids, or as they qualified.
Marks are numbers of groups (a travel group, a club, a country) without names; an entry that shares a mark
with no other entry has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from tournaments.engine.brackets.avoidance import blind_draw_separated, seeded_draw_separated
from tournaments.engine.brackets.seeding import BracketLines, blind_draw, seeded_draw, with_held_lines
from tournaments.engine.chance import Chance, Seed
from tournaments.engine.lots.committed import Json, SeedResult
from tournaments.engine.pairing.round_robin import serpentine_groups
from tournaments.engine.pairing.swiss import (
    PAIRING_PURPOSE,
    Contender,
    PairingRestrictions,
    pair_round,
    swap_entries,
)
from tournaments.engine.types import EntryId

FROZEN_LIST_VERSION: Final = 1
UNSEEDED_PURPOSE: Final = "unseeded"
SCHEDULE_PURPOSE: Final = "round robin"
LATE_ENTRY_PURPOSE: Final = "late entry"


def number_marks(marks: Mapping[EntryId, str]) -> dict[EntryId, int]:
    """Return for each entry its mark as a number, counted in order of appearance.

    Entries whose mark no other entry has are left out.

    >>> number_marks({EntryId(1): "Rome", EntryId(2): "Oslo", EntryId(3): "Rome"})
    {1: 1, 3: 1}
    """
    shared = [mark for mark, count in Counter(marks.values()).items() if count > 1]
    return {entry: shared.index(mark) + 1 for entry, mark in marks.items() if mark in shared}


def entries_to_json(
    entries: Sequence[EntryId], seeds: Mapping[EntryId, int], marks: Mapping[str, Mapping[EntryId, int]]
) -> list[dict[str, Any]]:
    """Return the entries as in a frozen list: each as a dictionary with its id, seed and marks, if any.

    `marks`: for each kind of mark, the numbers of entries.
    """
    return [
        {
            "id": entry,
            **({"seed": seeds[entry]} if entry in seeds else {}),
            **{kind: numbers[entry] for kind, numbers in marks.items() if entry in numbers},
        }
        for entry in entries
    ]


def draw_lines(frozen_list: Json, drawn: SeedResult) -> BracketLines:
    """Return the entries on the bracket lines from top to bottom; None is a bye or a reserved line.

    `frozen_list`: the frozen list, whose key `open` is the number of reserved lines. A draw by hand does not
    keep clubs apart.
    """
    return with_held_lines(_draw_bracket_lines(frozen_list, drawn), frozen_list.get("open", 0))


def _draw_bracket_lines(content: Json, drawn: SeedResult) -> BracketLines:
    entries = _entry_ids(content)
    separation = [] if drawn.order else _separation_codes(content)
    if content["order"] == "lot" and content["method"] == "blind":
        if separation:
            return blind_draw_separated(entries, separation, drawn.seed)
        return seeded_draw(drawn.order) if drawn.order else blind_draw(entries, drawn.seed)
    order = draw_order(content, drawn, UNSEEDED_PURPOSE)
    return seeded_draw_separated(order, separation) if separation else seeded_draw(order)


def draw_groups(frozen_list: Json, drawn: SeedResult) -> tuple[tuple[EntryId, ...], ...]:
    """Return the entries of each round robin group, in the order of their places in the Berger table.

    The order is best first or random; entries are distributed to groups in serpentine order.
    """
    order = draw_order(frozen_list, drawn, SCHEDULE_PURPOSE)
    return (tuple(order),) if frozen_list["groups"] == 1 else serpentine_groups(order, frozen_list["groups"])


def draw_order(frozen_list: Json, drawn: SeedResult, purpose: str) -> list[EntryId]:
    """Return the entries best first: as they qualified, or else by seed.

    Entries without a seed follow in random order; `purpose`: keeps apart draws from the same random seed.
    """
    entries = _entry_ids(frozen_list)
    if frozen_list["order"] == "qualified":
        return entries
    seeds = {EntryId(row["id"]): row["seed"] for row in frozen_list["entries"] if "seed" in row}
    unseeded = [entry for entry in entries if entry not in seeds]
    return sorted(seeds, key=seeds.__getitem__) + (drawn.shuffled(unseeded, purpose) if unseeded else [])


def unseeded_entries(content: Json) -> list[EntryId]:
    """Return the entries whose order is random; a draw by hand has to name exactly these."""
    if content["order"] == "qualified":
        return []
    return [EntryId(row["id"]) for row in content["entries"] if "seed" not in row]


def draw_late_place(content: Json, drawn: SeedResult) -> str:
    """Return the place that a late entry gets, drawn from the free places of the list."""
    places: Sequence[str] = content["places"]
    return places[Chance(drawn.seed, LATE_ENTRY_PURPOSE).below(len(places))]


def field_to_json(field: Collection[Contender], restrictions: PairingRestrictions) -> dict[str, Any]:
    """Return the contenders of a round as JSON, with everything that affects the pairing.

    Marks become numbers; those that forbid a pair are listed under `never_marks`. Forbidden pairs are under
    `never`, pairs to avoid under `avoid`.
    """
    marks = Counter(mark for contender in field for mark in contender.apart)
    shared = sorted(mark for mark, count in marks.items() if count > 1)
    playing = {contender.entry for contender in field}
    return {
        "field": [
            {
                "id": contender.entry,
                "rank": contender.rank,
                "points": contender.points,
                "met": sorted(contender.met),
                "byes": contender.byes,
                "down": contender.floats_down,
                "up": contender.floats_up,
                "marks": [shared.index(mark) + 1 for mark in sorted(contender.apart) if mark in shared],
            }
            for contender in sorted(field, key=lambda contender: contender.entry)
        ],
        "never": _sorted_pairs(restrictions.forbidden, playing),
        "avoid": _sorted_pairs(restrictions.avoided, playing),
        "never_marks": [shared.index(mark) + 1 for mark in shared if mark in restrictions.forbidden_codes],
    }


def field_from_json(content: Json) -> tuple[list[Contender], PairingRestrictions]:
    """Return the contenders and the pairing restrictions that `field_to_json` froze.

    Marks remain numbers, which gives the same pairing.
    """
    field = [
        Contender(
            EntryId(row["id"]),
            row["rank"],
            row["points"],
            frozenset(EntryId(entry) for entry in row["met"]),
            row["byes"],
            row["down"],
            row["up"],
            frozenset(str(mark) for mark in row["marks"]),
        )
        for row in content["field"]
    ]
    restrictions = PairingRestrictions(
        forbidden=frozenset(frozenset(map(EntryId, pair)) for pair in content["never"]),
        avoided=frozenset(frozenset(map(EntryId, pair)) for pair in content["avoid"]),
        forbidden_codes=frozenset(str(mark) for mark in content["never_marks"]),
    )
    return field, restrictions


def replay_round(published: Json, seed: Seed) -> dict[str, Any]:
    """Return the lots, pairs and bye of a published Swiss round, computed again.

    `published`: what was published, with the contenders (`listed`) and the manual `swaps`; `seed`: the random
    seed.
    """
    field, restrictions = field_from_json(published["listed"])
    pairing = pair_round(field, seed=seed, restrictions=restrictions)
    pairs, bye = pairing.pairs, pairing.bye
    for first, second in published["swaps"]:
        pairs, bye = swap_entries(pairs, bye, EntryId(first), EntryId(second))
    lots = Chance(seed, PAIRING_PURPOSE).shuffled(sorted(contender.entry for contender in field))
    return {"lots": lots, "pairs": [list(pair) for pair in pairs], "bye": bye}


def _sorted_pairs(pairs: Iterable[Collection[EntryId]], playing: Collection[EntryId]) -> list[list[EntryId]]:
    return sorted(sorted(pair) for pair in pairs if all(entry in playing for entry in pair))


def _entry_ids(content: Json) -> list[EntryId]:
    return [EntryId(row["id"]) for row in content["entries"]]


def _separation_codes(content: Json) -> list[Mapping[EntryId, str]]:
    return [
        {EntryId(row["id"]): str(row[kind]) for row in content["entries"] if kind in row}
        for kind in content["apart"]
    ]
