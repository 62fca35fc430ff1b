"""Small honest game records made by hand: each game is an opening, an answer, and then somebody gives up."""

OPENING = "31: 8/5 6/5", "42: 8/4 6/4"
BAD_OPENING = "31: 8/4 6/5", "42: 8/4 6/4"


def a_record(
    left: str,
    right: str,
    length: int,
    winners: str,
    *,
    opening: tuple[str, str] = OPENING,
    start: tuple[int, int] = (0, 0),
    in_all: bool = False,
) -> bytes:
    """A match in which ``winners`` ("lrl…") each win one point: the left player opens, the loser resigns a single game.

    ``opening`` is how the first game begins, and with ``in_all`` every one.
    """
    score = {"l": start[0], "r": start[1]}
    lines = [f" {length} point match", ""]
    for number, winner in enumerate(winners, start=1):
        lines += [f" Game {number}", f" {left} : {score['l']}".ljust(35) + f"{right} : {score['r']}"]
        first, second = opening if number == 1 or in_all else OPENING
        lines.append(f"  1) {first}".ljust(35) + second)
        score[winner] += 1
        ends = " and the match" if score[winner] == length else ""
        if winner == "l":
            lines.append("  2) 62: 24/18 13/11".ljust(35) + "????")
            lines.append(f"      Wins 1 point{ends}")
        else:
            lines.append("  2) ????")
            lines.append(" " * 36 + f"Wins 1 point{ends}")
        lines.append("")
    return "\n".join(lines).encode()
