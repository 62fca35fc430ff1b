"""Summary of the rules with boards; other pages cite the rules' numbers."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.rules.position import Position
from games.rules.sides import Side
from games.web.drawing import BoardDrawing, board_svg
from games.web.viewing import BoardOptions
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.rules import RULES

_BAR_POSITION: Final = Position.from_points(
    {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {6: 4, 5: 3, 4: 3, 8: 3, 13: 2}
)
_BEAR_OFF_POSITION: Final = Position.from_points({6: 3, 5: 3, 4: 2, 2: 1}, {1: 2, 3: 2})


@public_view
def rules(request: HttpRequest) -> HttpResponse:
    """Page with each rule, its number as an anchor, and some with a board."""
    return public_page(request, "matches/rules.html", lambda: {"groups": _groups()}, versions=[])


def _groups() -> list[dict[str, object]]:
    boards = _boards()
    return [
        {
            "name": name,
            "rules": [
                {"number": number, "words": text, "board": boards.get(number)}
                for number, text in rules.items()
            ],
        }
        for name, rules in RULES.items()
    ]


def _boards() -> dict[str, SafeString]:
    start = Position.start()
    return {
        "R3": _board(
            BoardDrawing(start),
            _(
                "Starting position: two checkers on 24, five on 13, three on 8 and five on 6, for each player."
            ),
        ),
        "R21": _board(
            BoardDrawing(_BAR_POSITION, dice=(5, 4), roller=Side.WHITE),
            _(
                "White has a checker on the bar and has rolled 5 and 4. Black holds both points, so White "
                "cannot move."
            ),
        ),
        "R26": _board(
            BoardDrawing(_BEAR_OFF_POSITION, dice=(6, 3), roller=Side.WHITE, steps=((6, 0, False),)),
            _(
                "White bears off from the 6 point with the 6. The 3 point is empty, so with the 3 White must "
                "move a checker from a higher point."
            ),
        ),
        "R36": _board(
            BoardDrawing(start, cube=2, offered_by=Side.BLACK), _("Black offers a double. The cube shows 2.")
        ),
        "F2": _board(BoardDrawing(start, show_cube=False), _("Crawford game: the cube is not in play.")),
    }


def _board(drawing: BoardDrawing, description: str) -> SafeString:
    return mark_safe(board_svg(drawing, BoardOptions(), description))  # noqa: S308 (every text in it is escaped by the drawing)
