"""Compare how well formulas predict simulated backgammon: FIBS, Backgammon Galaxy, Glicko-2, and Glicko-2 that knows the length.

    .venv/bin/python benchmarks/glicko_length.py [--pairs N] [--exponents]

The results do not use the winning chance of any formula. Players have a skill; two skills give the chance of winning a game, which brings 1,
2, 4 … points as games with a cube do, and a match is played to its length game by game. Each *pair* is the history of a club (players,
spread of skill, lengths, matches) from its own seed. Everything is predicted before it is rated, in order of play; the first third, in which
no player is known, is left out. Prints the mean log-loss of each system, and in how many pairs it is better than Glicko-2 with the same
initial deviation.
"""

import argparse
import math
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rating.formulas import get_system
from rating.formulas.forecasts import predict_results
from rating.formulas.glicko2 import LENGTH_DEVIATION
from rating.formulas.periods import DAY_MICROSECONDS

VALUES = (
    (1, 0.57),
    (2, 0.31),
    (4, 0.10),
    (8, 0.02),
)  # points of a game with a cube, about as often as in play
LENGTHS = ((3, 5, 7), (5, 7, 9, 11), (7, 9, 11, 13, 17), (1, 3, 5, 7, 9, 11, 15, 21))
SPREADS = (0.12, 0.18, 0.26)  # of skill: logit of one game's chance; 150 points of FIBS are 0.17
PLAIN = f"Glicko-2, RD {LENGTH_DEVIATION:g}"
CLUBS = ((24, 1500), (60, 3000), (150, 5000))  # players, matches


def history(seed: int, *, players: int, matches: int, spread: float, lengths: tuple[int, ...]) -> list:
    """Rows of a replay, in order of play."""
    rng = random.Random(seed)
    skills = {n: rng.gauss(0.0, spread) for n in range(1, players + 1)}
    frequency = {n: rng.paretovariate(1.5) for n in skills}
    people, weights = list(frequency), list(frequency.values())
    points, chances = zip(*VALUES, strict=True)
    rows = []
    for number in range(1, matches + 1):
        first = second = 0
        while first == second:
            first, second = rng.choices(people, weights, k=2)
        chance = 1.0 / (1.0 + math.exp(skills[second] - skills[first]))
        length, score = rng.choice(lengths), [0, 0]
        while max(score) < length:
            score[rng.random() >= chance] += rng.choices(points, chances)[0]
        winner, loser = (first, second) if score[0] >= length else (second, first)
        rows.append((number, number * 720 * DAY_MICROSECONDS // matches, 0, winner, loser, length))
    return rows


def loss(code: str, rows: list, **parameters: float) -> float:
    system = get_system(code)
    predicted = predict_results(system, system.read(parameters), rows, start=system.start)
    return -sum(math.log(chance) for chance in predicted[len(rows) // 3 :]) / (
        len(predicted) - len(rows) // 3
    )


def pairs(count: int):
    for seed in range(count):
        players, matches = CLUBS[seed % 3]
        yield history(
            seed,
            players=players,
            matches=matches,
            spread=SPREADS[seed // 3 % 3],
            lengths=LENGTHS[seed // 9 % 4],
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=36)
    parser.add_argument("--exponents", action="store_true", help="try other exponents and typical lengths")
    options = parser.parse_args()
    systems = {
        "FIBS": ("fibs", {}),
        "Galaxy 1": ("galaxy", {}),
        "Glicko-2": ("glicko2", {}),
        PLAIN: ("glicko2", {"deviation": LENGTH_DEVIATION}),
        "Glicko-2, length": ("glicko2_length", {}),
    }
    if options.exponents:
        systems = {PLAIN: ("glicko2", {"deviation": LENGTH_DEVIATION})} | {
            f"length {exponent} / {typical}": ("glicko2_length", {"exponent": exponent, "typical": typical})
            for exponent in (0.25, 0.35, 0.5, 0.65)
            for typical in (9, 25, 50)
        }
    losses: dict[str, list[float]] = {name: [] for name in systems}
    for rows in pairs(options.pairs):
        for name, (code, parameters) in systems.items():
            losses[name].append(loss(code, rows, **parameters))
    plain_losses = losses[PLAIN]
    for name, system_losses in losses.items():
        better_count = sum(own < baseline for own, baseline in zip(system_losses, plain_losses, strict=True))
        print(
            f"{name:22} {sum(system_losses) / len(system_losses):.4f}   better than {PLAIN} in {better_count} of {len(system_losses)}"
        )


if __name__ == "__main__":
    main()
