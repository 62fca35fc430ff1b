"""Repeat the draws of an event from its public page, with nothing but Python 3.11 and this file.

    python3 -I -S verify_draw.py draws.json [--commitment HEX …] [--audit-head HEX …]

``draws.json`` is the file offered on the page "How it was drawn", or the response of the API (``/api/v1/events/…/draws/``). Prints
the same draws, or the first difference. It checks that

- nothing in the file was changed since it was written (byte for byte);
- each secret matches its commitment, and each seed follows from it, the public number, the dice or the order drawn, and the list;
- public randomness was named before its time, a drand round has the time and the number that its network gives it, and its signature is
  valid (this last check needs the library py_ecc: install it and leave out -I -S);
- rows of the audit log in the file have the hash they claim, and state the same commitments as the draws;
- each draw, each group, each place of a late entry and the lots of each round follow from list and seed;
- the pairings of a Swiss are legal: every entry plays once, no pair that must not meet does, and pairs that have met before are named
  (``verify_pairing.py`` checks, with Crawford itself, that a pairing is the best possible one).

A file alone does not prove that the draw was not chosen: the operator of the server could write it afterwards. The proof is a commitment that you
noted on the event's page before the draw: give each one you noted with ``--commitment``. If you noted the audit log head shown beside the
commitments instead, give it with ``--audit-head``: it proves the commitments that were in the log by then. Exit codes: 0 if the draw is
confirmed and every draw has a noted commitment; 1 if the file contradicts itself or a noted commitment; 2 for wrong usage; 3 if the draw is
confirmed but not everything is proved (what is not is printed).
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Apart = list[dict[int, int]]
Homes = dict[int, int]
Counts = list[list[Counter[int]]]
SPAN = 1 << 64
# drand networks by their chain hash: name, time of round 1 (Unix seconds), seconds between rounds, public key. A network whose public key has 48 bytes signs each
# round together with the signature before it. Source: https://api.drand.sh/CHAIN_HASH/info
QUICKNET_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
DEFAULT_KEY = (
    "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31"
)
DRAND = {
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971": (
        "quicknet",
        1692803367,
        3,
        QUICKNET_KEY,
    ),
    "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce": (
        "default",
        1595431050,
        30,
        DEFAULT_KEY,
    ),
}


class Difference(Exception):
    """The file contradicts the computation."""


def same(label: str, computed: Any, claimed: Any) -> None:
    """Raise ``Difference`` if a computed value differs from the one in the file."""
    if computed != claimed:
        raise Difference(f"{label}: the file has {short(claimed)}, but it should be {short(computed)}")


def short(value: Any) -> str:
    return json.dumps(value)[:200]


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def digest(value: Any) -> str:
    return hashed(json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False))


def once(pairs: list[tuple[str, Any]]) -> Json:
    """Build a JSON object from pairs of key and value; raises ``Difference`` for a key that occurs twice."""
    document = dict(pairs)
    if len(document) != len(pairs):
        raise Difference("the file contains a key twice")
    return document


def read(data: bytes) -> Json:
    """Return the parsed document; its bytes must be in one of the two forms in which it is written."""
    try:
        document = json.loads(data, object_pairs_hook=once)
    except ValueError as error:
        raise Difference(f"this is not valid JSON: {error}") from None
    page = json.dumps(document, sort_keys=True, indent=1) + "\n"
    answer = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    if data not in (page.encode(), answer.encode()):
        raise Difference("the file is not written as the page writes it")
    if not isinstance(document, dict) or document.get("kind") != "crawford-draws" or document.get("v") != 1:
        raise Difference("this is not a draws file of version 1")
    file_digest = document.pop("digest", None)
    same("digest of the file", digest(document), file_digest)
    return document


class Chance:
    """Pseudo-random numbers that depend only on the seed and on the purpose, a text."""

    def __init__(self, seed: str, purpose: str) -> None:
        version = 2 if len(seed) == 64 else 1
        self.numbers = self.stream(f"crawford-chance-{version}|{purpose}|{seed}|")

    @staticmethod
    def stream(prefix: str) -> Iterator[int]:
        block = 0
        while True:
            block_hash = sha256(f"{prefix}{block}".encode()).digest()
            for start in range(0, 32, 8):
                yield int.from_bytes(block_hash[start : start + 8], "big")
            block += 1

    def below(self, n: int) -> int:
        limit = SPAN - SPAN % n
        return next(x for x in self.numbers if x < limit) % n

    def shuffled(self, items: Iterable[int]) -> list[int]:
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result


def standard_lines(size: int) -> list[int]:
    lines = [1, 2]
    while len(lines) < size:
        total = 2 * len(lines) + 1
        lines = [
            seed
            for index, best in enumerate(lines)
            for seed in ((best, total - best) if index % 2 == 0 else (total - best, best))
        ]
    return lines


def seeded(order: list[int]) -> list[int | None]:
    size = 1 << (len(order) - 1).bit_length()
    return [order[s - 1] if s <= len(order) else None for s in standard_lines(size)]


def lines_of(content: Json, row: Json) -> list[int | None]:
    """Return the entries of a bracket from top to bottom; None is a bye."""
    entries = [entry["id"] for entry in content["entries"]]
    marks = [
        {entry["id"]: entry[kind] for entry in content["entries"] if kind in entry}
        for kind in content["apart"]
    ]
    apart = [] if row["by"] == "hand" else marks
    size = 1 << (len(entries) - 1).bit_length()
    byes = size - len(entries)
    if content["order"] == "lot" and content["method"] == "blind":
        if not apart:
            return seeded(shuffled(row, sorted(entries), "blind draw"))
        chance = Chance(row["seed"], "draw apart")
        return Dealing(size, chance.shuffled(sorted(entries)), apart, lambda _seed: 0, chance).lines
    order = order_of(content, row, "unseeded")
    if not apart:
        return seeded(order)
    return Dealing(size, order, apart, lambda seed: 2 * (seed - 1).bit_length() + (seed > byes), None).lines


def order_of(content: Json, row: Json, purpose: str) -> list[int]:
    entries = [entry["id"] for entry in content["entries"]]
    if content["order"] == "qualified":
        return entries
    seeds = {entry["id"]: entry["seed"] for entry in content["entries"] if "seed" in entry}
    unseeded = [entry for entry in entries if entry not in seeds]
    return sorted(seeds, key=seeds.__getitem__) + (shuffled(row, unseeded, purpose) if unseeded else [])


def shuffled(row: Json, entries: list[int], purpose: str) -> list[int]:
    if row["by"] != "hand":
        return Chance(row["seed"], purpose).shuffled(entries)
    same("the entries drawn by hand", sorted(entries), sorted(row["order"]))
    return [*row["order"]]


def groups_of(content: Json, row: Json) -> list[list[int]]:
    order, groups = order_of(content, row, "round robin"), content["groups"]
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for index, entry in enumerate(order):
        line, column = divmod(index, groups)
        dealt[column if line % 2 == 0 else groups - 1 - column].append(entry)
    return dealt


class Dealing:
    """A draw in which entries with the same mark meet as late as possible.

    The bracket is halved recursively, and the entries of each mark are divided evenly between the halves.
    """

    def __init__(
        self, size: int, order: list[int], apart: Apart, band: Callable[[int], int], chance: Chance | None
    ) -> None:
        seeds = standard_lines(size)
        self.apart, self.chance = apart, chance
        self.lines: list[int | None] = [None] * size
        self.bands = [band(seed) if seed <= len(order) else None for seed in seeds]
        self.fill(0, size, {order[s - 1]: line for line, s in enumerate(seeds) if s <= len(order)})

    def fill(self, first: int, last: int, homes: Homes) -> None:
        if not homes:
            return
        if last - first == 1:
            ((self.lines[first], _home),) = homes.items()
            return
        middle = (first + last) // 2
        upper = self.split(homes, first, middle, last)
        lower = {entry: home for entry, home in homes.items() if entry not in upper}
        self.fill(first, middle, self.at_home(upper, first, middle))
        self.fill(middle, last, self.at_home(lower, middle, last))

    def at_home(self, entries: Homes, first: int, last: int) -> Homes:
        homes = {entry: home for entry, home in entries.items() if first <= home < last}
        taken_lines, free_lines = set(homes.values()), dict[int | None, list[int]]()
        for line in range(first, last):
            if line not in taken_lines:
                free_lines.setdefault(self.bands[line], []).append(line)
        for entry, home in entries.items():
            if entry not in homes:
                homes[entry] = free_lines[self.bands[home]].pop(0)
        return homes

    def split(self, homes: Homes, first: int, middle: int, last: int) -> Homes:
        bands, apart, chance = self.bands, self.apart, self.chance
        room = [Counter(bands[first:middle]), Counter(bands[middle:last])]
        is_mirrored = chance is not None and room[0] == room[1] and chance.below(2) == 1
        count: Counts = [[Counter() for _level in apart] for _half in room]
        halves: tuple[Homes, Homes] = ({}, {})
        for entry, home in self.by_band_and_mark(homes):
            band = bands[home]
            crowd = [
                tuple(c[level[entry]] for c, level in zip(side, apart, strict=True) if entry in level)
                for side in count
            ]
            if not room[0][band] or not room[1][band]:
                half = 0 if room[0][band] else 1
            elif crowd[0] != crowd[1]:
                half = 0 if crowd[0] < crowd[1] else 1
            elif chance is None:
                half = int(home >= middle)
            else:
                half = int(chance.below(room[0][band] + room[1][band]) >= room[0][band])
            room[half][band] -= 1
            halves[half][entry] = home
            for tally, level in zip(count[half], apart, strict=True):
                if entry in level:
                    tally[level[entry]] += 1
        self.even_out(halves, count)
        return halves[1] if is_mirrored else halves[0]

    def by_band_and_mark(self, homes: Homes) -> list[tuple[int, int]]:
        rank: dict[tuple[Any, ...], int] = {}
        for entry in homes:
            rank.setdefault(self.codes(entry), len(rank))
        return sorted(homes.items(), key=lambda item: (self.bands[item[1]] or 0, rank[self.codes(item[0])]))

    def codes(self, entry: int) -> tuple[Any, ...]:
        return tuple(level.get(entry, f"alone {entry}") for level in self.apart)

    def even_out(self, halves: tuple[Homes, Homes], count: Counts) -> None:
        for _ in range(4):
            has_swapped = False
            for depth, level in enumerate(self.apart):
                for entry in list(halves[0]) + list(halves[1]):
                    half = 0 if entry in halves[0] else 1
                    code = level.get(entry)
                    if code is None or count[half][depth][code] - count[1 - half][depth][code] < 2:
                        continue
                    other = self.best_swap(entry, half, halves, count)
                    if other is not None:
                        self.swap(entry, other, half, halves, count)
                        has_swapped = True
            if not has_swapped:
                return

    def best_swap(self, entry: int, half: int, halves: tuple[Homes, Homes], count: Counts) -> int | None:
        band, best_entry = self.bands[halves[half][entry]], None
        best: tuple[int, ...] = (0,) * len(self.apart)
        for other, home in halves[1 - half].items():
            if self.bands[home] == band:
                gain = tuple(
                    self.change(level.get(entry), level.get(other), count[half][d], count[1 - half][d])
                    for d, level in enumerate(self.apart)
                )
                if gain < best:
                    best, best_entry = gain, other
        return best_entry

    @staticmethod
    def change(leaves: int | None, comes: int | None, here: Counter[int], there: Counter[int]) -> int:
        if leaves == comes:
            return 0
        change = 0 if leaves is None else 2 * (there[leaves] - here[leaves]) + 2
        return change if comes is None else change + 2 * (here[comes] - there[comes]) + 2

    def swap(self, entry: int, other: int, half: int, halves: tuple[Homes, Homes], count: Counts) -> None:
        halves[1 - half][entry] = halves[half].pop(entry)
        halves[half][other] = halves[1 - half].pop(other)
        for depth, level in enumerate(self.apart):
            for moved, source in ((entry, half), (other, 1 - half)):
                if moved in level:
                    count[source][depth][level[moved]] -= 1
                    count[1 - source][depth][level[moved]] += 1


def check_seed(row: Json, randomness: Json | None) -> None:
    """Check that the seed follows from the commitment, dice or drawn order, and from the list."""
    list_hash = digest(row["listed"])
    same("SHA-256 of the list", list_hash, row["list_hash"])
    source = row["by"]
    if source == "server":
        same("the commitment, which is SHA-256 of the secret", hashed(row["secret"]), row["promise"])
        same("the seed", hashed(f"{row['secret']}|{list_hash}"), row["seed"])
    elif source == "public":
        if randomness is None:
            raise Difference("the public random number that it names is not in the file")
        same("the commitment, which is SHA-256 of the secret", hashed(row["secret"]), row["promise"])
        same("the commitment that the public number was named with", row["promise"], randomness["promise"])
        same("the public number", randomness["value"], row["typed"])
        if not randomness["due_at"] <= row["at"]:
            raise Difference("it was drawn before the time of its public number")
        if (
            row["publicity"] == "public"
            and not randomness["named_at"] <= row["public_since"] < randomness["due_at"]
        ):
            raise Difference("the public number is marked as named publicly before its time, but was not")
        same("the seed", hashed(f"{row['secret']}|public {row['typed']}|{list_hash}"), row["seed"])
    elif source == "dice":
        same("the seed", hashed(f"dice {rolls_in(row['typed'])}|{list_hash}"), row["seed"])
    elif source == "hand" and row["what"] != "late":
        same("the seed", hashed(f"hand {' '.join(map(str, row['order']))}|{list_hash}"), row["seed"])
    elif source == "typed":
        same("the seed", row["typed"], row["seed"])
    elif source != "hand":
        raise Difference(f"unknown source “{source}”")


def rolls_in(text: str) -> str:
    faces = [character for character in text if character.isalnum()]
    rolls = ["".join(faces[index : index + 2]) for index in range(0, len(faces), 2)]
    if set(faces) - set("123456") or len(faces) % 2 or len(rolls) not in (13, 16):
        raise Difference("these are not 13 or 16 rolls of two dice")
    return " ".join("".join(sorted(roll, reverse=True)) if len(rolls) == 16 else roll for roll in rolls)


def check_outcome(row: Json) -> list[str]:
    """Check what followed from list and seed; return lines of text that describe the result."""
    content, outcome = row["listed"], row["outcome"]
    same("what is drawn", content["what"], row["what"])
    if row["what"] == "late":
        places = content["places"]
        if row["by"] == "hand":
            if outcome["place"] not in places:
                raise Difference(f"the place {outcome['place']} was not free")
            return [
                f"entry {content['entry']} was put on place {outcome['place']} by hand, of {len(places)} free ones"
            ]
        late_line = places[Chance(row["seed"], "late entry").below(len(places))]
        same("the place of the late entry", late_line, outcome["place"])
        return [f"entry {content['entry']} takes place {late_line}, of {len(places)} free ones"]
    if row["what"] == "round":
        return check_round(row)
    if "groups" in outcome:
        groups = groups_of(content, row)
        same("the groups", groups, outcome["groups"])
        return [f"group {n}: {' '.join(map(str, group))}" for n, group in enumerate(groups, start=1)]
    bracket_lines = lines_of(content, row)
    if content.get("open", 0) > bracket_lines.count(None):  # reserved lines, two for each match
        bracket_lines = [
            line
            for index in range(0, len(bracket_lines), 2)
            for line in (*bracket_lines[index : index + 2], None, None)
        ]
    same("the draw", bracket_lines, outcome["lines"])
    pairs = enumerate(zip(bracket_lines[::2], bracket_lines[1::2], strict=True), start=1)
    return [f"{n:>4}. {a or 'bye'} – {b or 'bye'}" for n, (a, b) in pairs]


def check_round(row: Json) -> list[str]:
    """Check the lots of a Swiss round and that its pairing is legal.

    Return lines of text that describe them.
    """
    content, outcome = row["listed"], row["outcome"]
    same("the round", content["round"], row["round"])
    if not outcome:
        return ["the lots were drawn, but the round was never published with them"]
    published, messages = outcome["listed"], list[str]()
    if published != content:
        messages.append("entries or results changed between the lots and the publication")
    entry_by_id = {entry["id"]: entry for entry in published["field"]}
    same("the lots", Chance(row["seed"], "swiss pairing").shuffled(sorted(entry_by_id)), outcome["lots"])
    seats = [entry for pair in outcome["pairs"] for entry in pair] + [e for e in [outcome["bye"]] if e]
    same("every entry plays or has the bye once", sorted(entry_by_id), sorted(seats))
    same("a bye for an odd number of entries", len(entry_by_id) % 2 == 1, outcome["bye"] is not None)
    forbidden_pairs = {tuple(pair) for pair in published["never"]}
    for a, b in outcome["pairs"]:
        common_marks = (
            set(entry_by_id[a]["marks"]) & set(entry_by_id[b]["marks"]) & set(published["never_marks"])
        )
        if (min(a, b), max(a, b)) in forbidden_pairs or common_marks:
            raise Difference(f"{a} and {b} must not meet, but do")
        if b in entry_by_id[a]["met"]:
            messages.append(f"{a} and {b} have already met")
    messages += [f"{a} and {b} changed places by hand" for a, b in outcome["swaps"]]
    return (
        messages
        + [f"{n:>4}. {a} – {b}" for n, (a, b) in enumerate(outcome["pairs"], start=1)]
        + ([f"      {outcome['bye']}: bye"] if outcome["bye"] else [])
    )


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def check_randomness(stage: int, randomness: Json) -> Iterator[str]:
    """Check the commitment, time and number of public randomness; yields lines of text that describe it."""
    keys = ("promise", "list_hash", "source", "network", "round", "label", "due_at")
    commitment_data = {"stage": stage, **{key: randomness[key] for key in keys}}
    same("the commitment of the public random number", digest(commitment_data), randomness["commitment"])
    if not randomness["promised_at"] <= randomness["named_at"] < randomness["due_at"]:
        raise Difference("the public random number was named too late")
    if randomness["source"] == "drand":
        name, genesis, period, _key = drand(randomness)
        round_time = datetime.fromtimestamp(genesis + (randomness["round"] - 1) * period, UTC)
        same("the time of the drand round", str(round_time), str(moment(randomness["due_at"])))
        source_text = f"round {randomness['round']} of drand {name}"
    else:
        source_text = f"“{randomness['label']}”"
    yield f"  {randomness['named_at']} public random number {randomness['number']} named: {source_text}, {randomness['due_at']}"
    yield f"    its commitment {randomness['commitment']}, for the list {randomness['list_hash']}"
    if randomness["value"]:
        signature_note = check_signature(randomness) if randomness["source"] == "drand" else NO_SIGNATURE
        yield f"    its number {randomness['value']}, {randomness['origin']} from {randomness['read_from']}; {signature_note}"


VALID = "its signature is valid"
NO_LIBRARY = (
    "its signature was NOT CHECKED: the library py_ecc is not installed, or python3 was started with -I -S"
)
NOT_GIVEN = "its signature is not in the file: compare it with the published round"
NO_SIGNATURE = "compare it with what was published"


def drand(randomness: Json) -> tuple[str, int, int, str]:
    if randomness["network"] not in DRAND:
        raise Difference(f"unknown drand network {randomness['network']}")
    return DRAND[randomness["network"]]


def check_signature(randomness: Json) -> str:
    """Return a phrase on the drand signature of a public number.

    Raises ``Difference`` if it does not match.
    """
    if not randomness["signature"]:
        return NOT_GIVEN
    signature = bytes.fromhex(randomness["signature"])
    same(
        "the number of the drand round, which is SHA-256 of its signature",
        sha256(signature).hexdigest(),
        randomness["value"],
    )
    validity = is_valid(
        randomness["network"], randomness["round"], randomness["signature"], randomness["previous_signature"]
    )
    if validity is False:
        raise Difference(f"the signature of drand round {randomness['round']} is not one of its network")
    return VALID if validity else NO_LIBRARY


@cache
def is_valid(network: str, number: int, signature: str, previous: str) -> bool | None:
    """Return whether a drand network signed this round (BLS on BLS12-381); None without the library."""
    try:
        from py_ecc.bls.g2_primitives import subgroup_check
        from py_ecc.bls.hash_to_curve import hash_to_G1, hash_to_G2
        from py_ecc.bls.point_compression import decompress_G1, decompress_G2
        from py_ecc.optimized_bls12_381 import FQ12, G1, G2, final_exponentiate, neg, pairing
    except ImportError:
        return None
    key = DRAND[network][3]
    on_g1 = len(key) == 192  # signatures in G1, keys in G2; else the other way round
    previous_bytes = b"" if on_g1 else bytes.fromhex(previous)
    message = sha256(previous_bytes + number.to_bytes(8, "big")).digest()
    domain = f"BLS_SIG_BLS12381G{1 if on_g1 else 2}_XMD:SHA-256_SSWU_RO_NUL_".encode()

    def point(text: str) -> Any:
        if len(text) == 96:
            return decompress_G1(int(text, 16))
        return decompress_G2((int(text[:96], 16), int(text[96:], 16)))

    try:
        signature_point, key_point = point(signature), point(key)
    except ValueError:
        return False
    if not subgroup_check(signature_point):
        return False
    if on_g1:
        pairs = ((G2, signature_point), (key_point, neg(hash_to_G1(message, domain, sha256))))
    else:
        pairs = ((signature_point, G1), (hash_to_G2(message, domain, sha256), neg(key_point)))
    product = FQ12.one()
    for left, right in pairs:
        product *= pairing(left, right, final_exponentiate=False)
    return bool(final_exponentiate(product) == FQ12.one())


WORDS = {
    "server": "from the secret of its commitment",
    "public": "from the secret of its commitment and a public number",
    "dice": "by the dice of the hall (this convinces only those who watched)",
    "typed": "from a seed that was typed in (this proves nothing)",
    "hand": "by hand",
}


def is_brief(row: Json, randomness: Json | None, since: str) -> bool:
    """Return whether commitments were public for less than 10 minutes before the result could be known."""
    known_from = randomness["due_at"] if row["by"] == "public" and randomness is not None else row["at"]
    return moment(known_from) - moment(since) < timedelta(minutes=10)


def publicity(row: Json, randomness: Json | None, since: str) -> str:
    """Return a phrase that says whether the file marks the commitment of a draw as public before the draw.

    ``since``: since when the commitments of the stage were public without a break.
    """
    if row["by"] not in ("server", "public"):
        return ""
    recorded = row.get("publicity", "")
    if recorded == "public":
        if not row["promised_at"] <= row["public_since"] <= row["at"]:
            raise Difference("the commitment is marked as public but was not public before the draw")
        brief = ", LESS THAN 10 MINUTES BEFORE THE DRAW" if is_brief(row, randomness, since) else ""
        return f"; commitment {row['promise']} public since {row['public_since']}{brief}"
    if recorded == "private":
        return f"; commitment {row['promise']} NOT PUBLICLY COMMITTED BEFOREHAND"
    return f"; commitment {row['promise']}, publication time not recorded"


def check_audit(rows: list[Json], stages: list[Json]) -> None:
    """Check hashes and commitments of audit log rows; rows from before 0.4 state no commitment."""
    draws = {(stage["stage"], row["number"]): row for stage in stages for row in stage["draws"]}
    for row in rows:
        same(f"the hash of the audit log row of {row['at']}", link(row), row["link"])
        draw_row = draws.get((row["subject"][1], row["data"].get("number")))
        if row["action"] in ("draw.make", "round.pair") and draw_row is not None:
            for audit_key, draw_key in (
                ("commitment", "promise"),
                ("list_hash", "list_hash"),
                ("seed", "seed"),
                ("by", "by"),
            ):
                if audit_key in row["data"]:
                    same(
                        f"the {audit_key} of a draw in the audit log",
                        row["data"][audit_key],
                        draw_row[draw_key],
                    )


def link(row: Json) -> str:
    """Return the hash of an audit log row, which includes all rows before it."""

    def tree(value: Any, path: str) -> Any:
        if isinstance(value, str):
            return row["erased"].get(path) or hashed(f"{row['salts'][path]}|{value}")
        if isinstance(value, dict):
            return {key: tree(part, f"{path}/{key}") for key, part in value.items()}
        if isinstance(value, list):
            return [tree(part, f"{path}/{index}") for index, part in enumerate(value)]
        return value

    fields = {key: row[key] for key in ("at", "action", "subject", "actor", "label")}
    text = json.dumps(fields | {"data": tree(row["data"], "data")}, sort_keys=True, separators=(",", ":"))
    return hashed(f"crawford-trail-1|{row['before']}|{text}")


def committed_by(rows: list[Json], heads: set[str]) -> tuple[set[str], set[str]]:
    """Return the commitments in the audit log when these heads were noted, and the heads missing in the file.

    A row of the file proves itself, and those right before it.
    """
    commitments, found_heads = set[str](), set[str]()
    previous_link = ""  # the hash that the row after this one follows, where its commitments were logged
    for row in reversed(rows):
        if row["link"] in heads:
            found_heads.add(row["link"])
        if row["link"] in heads or row["link"] == previous_link:
            commitments |= stated(row)
            previous_link = row["before"]
    return commitments, heads - found_heads


def stated(row: Json) -> set[str]:
    """Return the commitments that a row of the audit log states."""
    data = row["data"]
    commitments = {commitment for _stage, commitment in data.get("commitments", [])}
    return commitments | {data[name] for name in ("commitment", "next_commitment") if data.get(name)}


def unproved(stages: list[Json], noted: set[str], logged: set[str]) -> Iterator[str]:
    """Yield what is not proved; raises ``Difference`` for a noted commitment that is not in the file."""
    draws = [row for stage in stages for row in stage["draws"]]
    randomness_rows = [row for stage in stages for row in stage.get("randomness", [])]
    known_commitments = {row["promise"] for row in [*stages, *draws]} | {
        row["commitment"] for row in randomness_rows
    }
    for commitment in sorted(noted - known_commitments):
        raise Difference(f"the commitment {commitment} that you noted is not one of this event")
    for stage in stages:
        for row in stage["draws"]:
            name = f"stage {stage['stage']}, draw {row['number']}"
            reasons = unproved_of(row, stage.get("randomness", []), noted | logged)
            yield from (f"{name}: {reason}" for reason in reasons)


def unproved_of(row: Json, randomness_rows: list[Json], noted: set[str]) -> Iterator[str]:
    """Yield what is not proved of a draw. ``randomness_rows``: the public randomness of its stage."""
    is_public = row["by"] == "public"
    randomness = next(
        (candidate for candidate in randomness_rows if candidate["number"] == row.get("randomness")), None
    )
    if row["by"] == "dice":
        yield "dice convince only those who watched them being rolled, after the list was fixed"
    elif row["by"] in ("typed", "hand"):
        yield "typed in by the director, which alone proves nothing"
    elif is_public and randomness is not None and randomness["commitment"] not in noted:
        yield "no noted commitment of its public random number was given, so list and secret could have been chosen afterwards"
    elif not is_public and row["promise"] not in noted:
        yield "no noted commitment was given for it, so it could have been chosen among several"
    if is_public and randomness is not None:
        if row["list_hash"] != randomness["list_hash"]:
            yield "THE LIST WAS CHANGED after its public random number was named"
        if randomness["source"] == "lottery":
            yield f"that the number of “{randomness['label']}” was {randomness['value']} is not in the file: compare it with what was published"
        elif check_signature(randomness) != VALID:
            yield f"that {randomness['value']} is the number of the drand round: {check_signature(randomness)}"
    if passed_over(row, randomness, randomness_rows):
        yield "A PUBLIC NUMBER WAS NAMED AND NOT USED, so the operator of the server could have chosen between the two"


def passed_over(row: Json, randomness: Json | None, randomness_rows: list[Json]) -> bool:
    """Return whether a public number was named for the draw but not used, or replaced once it was known."""
    if randomness is not None and row["by"] != "public":
        return True
    for candidate in randomness_rows:
        later_times = [
            other["named_at"] for other in randomness_rows if other["number"] > candidate["number"]
        ]
        decided_at = min([row["at"], *later_times])
        if (
            candidate is not randomness
            and row["promise"] == candidate["promise"]
            and candidate["due_at"] <= decided_at
        ):
            return True
    return False


def check_stage(stage: Json) -> Iterator[str]:
    commitments, last_time, since = [stage["promise"]], "", ""
    yield f"Stage {stage['stage']}: drawn {len(stage['draws'])} times; next commitment {stage['promise']}"
    randomness_rows = stage.get("randomness", [])
    for number, row in enumerate(randomness_rows, start=1):
        with differences_in(f"Stage {stage['stage']}, public random number {number}"):
            same("the number", number, row["number"])
            yield from check_randomness(stage["stage"], row)
    for number, row in enumerate(stage["draws"], start=1):
        with differences_in(f"Stage {stage['stage']}, draw {row.get('number')}"):
            same("the number", number, row["number"])
            if row["at"] < last_time or (row["promised_at"] or "") > row["at"]:
                raise Difference("the times are not in order")
            if row["promise"] and row["promise"] in commitments:
                raise Difference("a commitment was used twice")
            commitments.append(row["promise"])
            last_time = row["at"]
            public_since = row.get("public_since") or ""
            # A commitment made in public replaces that of the previous draw without a break.
            if not since or public_since != row["promised_at"]:
                since = public_since
            named = next(
                (candidate for candidate in randomness_rows if candidate["number"] == row.get("randomness")),
                None,
            )
            redraw_note = "" if row["why"] == "first" else f", again ({row['why']})"
            title = f"Stage {stage['stage']}, draw {number}, {row['what']} {row['round'] or ''}".rstrip()
            yield f"{title}, {row['at']}, {WORDS.get(row['by'], row['by'])}{redraw_note}{publicity(row, named, since)}"
            if not row["shown"]:
                yield f"  not public yet; list {row['list_hash']}"
                continue
            check_seed(row, named)
            same("the stage", stage["stage"], row["listed"]["stage"])
            yield from (f"  {line}" for line in check_outcome(row))


@contextmanager
def differences_in(name: str) -> Iterator[None]:
    """Add the name of what is checked to a difference that is found in the block."""
    try:
        yield
    except Difference as difference:
        raise Difference(f"{name}: {difference}") from None
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise Difference(f"{name}: something is missing or invalid ({error!r})") from None


def arguments_of(arguments: list[str]) -> tuple[str, set[str], set[str]] | None:
    """Return file, noted commitments and noted heads; None for wrong usage.

    ``--promise`` is the name up to 0.3.
    """
    files, noted, heads, remaining = list[str](), set[str](), set[str](), list(arguments)
    options = {"--commitment": noted, "--promise": noted, "--audit-head": heads}
    while remaining:
        argument = remaining.pop(0)
        if argument in options and remaining:
            options[argument].add(remaining.pop(0).strip().lower())
        elif argument.startswith("-"):
            return None
        else:
            files.append(argument)
    return (files[0], noted, heads) if len(files) == 1 else None


def main(arguments: list[str]) -> int:
    parsed = arguments_of(arguments)
    if parsed is None:
        sys.stdout.write(__doc__)
        return 0 if {"-h", "--help"} & set(arguments) else 2
    path, noted, heads = parsed
    try:
        document = read(Path(path).read_bytes())
        stages = document["stages"]
        for stage in stages:
            for line in check_stage(stage):
                sys.stdout.write(f"{line}\n")
        with differences_in("Audit log"):
            check_audit(document.get("audit", []), stages)
            logged, unknown_heads = committed_by(document.get("audit", []), heads)
        unproved_lines = list(unproved(stages, noted, logged))
    except (Difference, OSError) as fault:
        sys.stdout.write(f"DIFFERENT. {fault}\n")
        return 1
    unproved_lines += [
        f"the audit log head {head} is not one shown beside commitments; the operator can check it: manage.py verify_trail --head"
        for head in sorted(unknown_heads)
    ]
    sys.stdout.write("Everything is as it was drawn.\n")
    if not unproved_lines:
        return 0
    sys.stdout.write("NOT PROVED:\n")
    for line in unproved_lines:
        sys.stdout.write(f"  {line}\n")
    return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
