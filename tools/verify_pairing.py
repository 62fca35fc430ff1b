"""Pair the rounds of a Swiss again from the public file of its draws, in Crawford's own environment.

    python tools/verify_pairing.py draws.json

``verify_draw.py`` repeats draws and lots with Python alone, and checks whether a pairing is legal. To check that no better pairing existed,
this program pairs each published round again from its field and seed, and applies the changes that the director made by hand. Prints each
round, or the first difference with exit code 1.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import verify_draw
from tournaments.engine.chance import parse_seed
from tournaments.engine.lots.lists import replay_round


def check_round(row: dict[str, Any]) -> str:
    """Pair a published round again.

    Return a sentence, or raise ``verify_draw.Difference`` if the pairs differ.
    """
    outcome = row["outcome"]
    replayed = replay_round(outcome, parse_seed(row["seed"]))
    name = f"round {row['round']}"
    verify_draw.same(f"the pairs of {name}", replayed["pairs"], outcome["pairs"])
    verify_draw.same(f"the bye of {name}", replayed["bye"], outcome["bye"])
    swap_note = f", {len(outcome['swaps'])} changed by hand" if outcome["swaps"] else ""
    return f"{name}: the same {len(replayed['pairs'])} pairs{swap_note}"


def check(document: dict[str, Any]) -> Iterator[str]:
    """Run all checks of ``verify_draw``, then pair each published Swiss round again.

    Yields a line for each.
    """
    for stage in document["stages"]:
        list(verify_draw.check_stage(stage))
        for row in stage["draws"]:
            if row["what"] == "round" and row["shown"] and row["outcome"]:
                yield f"Stage {stage['stage']}, {check_round(row)}"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        sys.stdout.write(__doc__ or "")
        return 2
    try:
        for line in check(verify_draw.read(Path(arguments[0]).read_bytes())):
            sys.stdout.write(f"{line}\n")
    except (verify_draw.Difference, OSError) as error:
        sys.stdout.write(f"DIFFERENT. {error}\n")
        return 1
    sys.stdout.write("Every pairing is the one that the program makes.\n")
    return 0


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main(sys.argv[1:]))
