"""Draw a board as SVG on the server, for pages without scripts and for sharing.

``static/js/viewer_board.js`` draws the same. Attributes only, no styles, which the content security policy
forbids; every part also has a class, so that a page can set its own colours. 640 × 480 pixels: fourteen
columns (six points, bar, six points, tray) inside a frame.
"""

from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from games.rules.numbering import label
from games.rules.position import BAR, Position
from games.rules.sides import SIDES, Side
from games.rules.xgid import XgId, XgidAction
from games.web.viewing import BoardOptions, Frame

WIDTH, HEIGHT = 640, 480
COLUMN_WIDTH, TOP, BOTTOM, LEFT = 44, 34, 446, 12
CHECKER_RADIUS = 19
MIDDLE_Y = HEIGHT // 2
MAX_STACK = 5  # checkers on a point before they are counted

COLOURS = {
    "board-frame": "#5b3a21",
    "board-field": "#efe2c6",
    "board-bar": "#6d4729",
    "board-light": "#d9b98a",
    "board-dark": "#9c5a3c",
    "board-white": "#fffaf0",
    "board-black": "#2b2522",
    "board-edge": "#2b2522",
    "board-edge-light": "#f3e6cf",
    "board-die": "#fffaf0",
    "board-pip": "#2b2522",
    "board-cube": "#f6f1e7",
    "board-label": "#f3e6cf",
    "board-arrow": "#1d6a8a",
}


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """What is drawn of a board. ``board`` is the position as White sees it.

    ``steps``: the arrows (from, to, hit) of ``roller``. ``offered_by``: the side whose double waits for an
    answer.
    """

    board: Position
    dice: tuple[int, int] | None = None
    roller: Side | None = None
    steps: tuple[tuple[int, int, bool], ...] = ()
    cube: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    show_cube: bool = True

    @classmethod
    def of(cls, frame: Frame) -> "BoardDrawing":
        cube, offered_by = frame.cube, None
        value = cube.value
        if cube.offer is not None:
            value, offered_by = cube.offer.value, cube.offer.by
        elif frame.kind == "double" and frame.side is not None:
            value, offered_by = value * 2, frame.side
        return cls(frame.board, frame.dice, frame.side, frame.steps, value, cube.owner, offered_by)

    @classmethod
    def from_xgid(cls, xgid: XgId) -> "BoardDrawing":
        board = xgid.position if xgid.turn is Side.WHITE else xgid.position.swap()
        offered_by = xgid.turn if xgid.action is not XgidAction.TO_ROLL else None
        cube = xgid.cube * 2 if offered_by is not None else xgid.cube
        return cls(board, xgid.dice, xgid.turn, (), cube, xgid.owner, offered_by)


def column_x(column: int) -> float:
    """Return the middle of one of the fourteen columns of the board, in pixels.

    Columns 0–5 and 7–12 are points, 6 is the bar, 13 the tray.
    """
    return LEFT + COLUMN_WIDTH * (column + 0.5)


def place_coordinates(board_options: BoardOptions, side: Side, place: int) -> tuple[float, bool]:
    """Return x of a place in ``side``'s own numbering, and whether the place is in the lower half.

    Home may be on the left or the right, and either side below (rule R4).
    """
    is_bottom = side is board_options.bottom
    if place == BAR:
        return column_x(6), not is_bottom
    if place == 0:
        return column_x(0 if board_options.home_left else 13), is_bottom
    point = place if is_bottom else BAR - place  # as the player below counts
    is_lower = point <= 12
    inner = point - 1 if is_lower else 24 - point  # 0 next to the tray
    column = 12 - inner if inner < 6 else 11 - inner
    if board_options.home_left:
        column = 13 - column
    return column_x(column), is_lower


def board_svg(
    drawing: BoardDrawing, board_options: BoardOptions, title: str, *, standalone: bool = False
) -> str:
    """Return the complete picture of a board as SVG; ``standalone``: True for a file, with size and title."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label={quoteattr(title)} class="board"'
    )
    size = f' width="{WIDTH * 2}" height="{HEIGHT * 2}"' if standalone else ""
    parts = [
        f"{head}{size}>",
        f"<title>{escape(title)}</title>" if standalone else "",
        *_field(board_options),
        *_labels(board_options),
        *(part for side in SIDES for part in _checkers(drawing, board_options, side)),
        *_arrows(drawing, board_options),
        *_dice(drawing, board_options),
        *(_cube(drawing, board_options) if drawing.show_cube else ()),
        "</svg>",
    ]
    return "".join(parts)


def _svg_element(name: str, kind: str, **values: object) -> str:
    attributes = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in values.items())
    return f'<{name} class="{kind}" fill="{COLOURS[kind]}" {attributes}/>'


def _field(board_options: BoardOptions) -> list[str]:
    tray = column_x(0 if board_options.home_left else 13) - COLUMN_WIDTH / 2
    parts = [
        _svg_element("rect", "board-frame", width=WIDTH, height=HEIGHT, rx=14),
        _svg_element("rect", "board-field", x=LEFT, y=TOP, width=COLUMN_WIDTH * 14, height=BOTTOM - TOP),
    ]
    bar = column_x(7 if board_options.home_left else 6) - COLUMN_WIDTH / 2
    parts += [
        _svg_element("rect", "board-bar", x=x, y=TOP, width=COLUMN_WIDTH, height=BOTTOM - TOP)
        for x in (bar, tray)
    ]
    for point in range(1, BAR):
        x, is_lower = place_coordinates(board_options, board_options.bottom, point)
        kind = "board-dark" if point % 2 else "board-light"
        edge, tip = (BOTTOM, BOTTOM - 176) if is_lower else (TOP, TOP + 176)
        points = f"{x - COLUMN_WIDTH / 2 + 1},{edge} {x + COLUMN_WIDTH / 2 - 1},{edge} {x},{tip}"
        parts.append(_svg_element("polygon", kind, points=points))
    return parts


def _labels(board_options: BoardOptions) -> list[str]:
    parts = []
    for point in range(1, BAR):
        x, is_lower = place_coordinates(board_options, board_options.bottom, point)
        parts.append(
            _text(
                "board-label",
                x,
                BOTTOM + 23 if is_lower else TOP - 12,
                label(board_options.numbering, board_options.bottom, point),
                16,
            )
        )
    return parts


def _text(kind: str, x: float, y: float, text: str, size: int) -> str:
    return (
        f'<text class="{kind}" fill="{COLOURS[kind]}" x="{x}" y="{y}" font-size="{size}" font-weight="600" '
        f'font-family="sans-serif" text-anchor="middle">{escape(text)}</text>'
    )


def _bar_x(board_options: BoardOptions) -> float:
    return column_x(7 if board_options.home_left else 6)


def _half_x(board_options: BoardOptions, *, right: bool) -> float:
    """Return the middle of the left or right half of the board, in pixels."""
    return LEFT + COLUMN_WIDTH * ((10 if right else 3) + board_options.home_left)


def checker_center(board_options: BoardOptions, side: Side, place: int, index: int) -> tuple[float, float]:
    """Return the centre (x, y) of the checker with this ``index`` (from 0) on a place."""
    x, is_lower = place_coordinates(board_options, side, place)
    if place == BAR:
        return _bar_x(board_options), MIDDLE_Y + (1 if is_lower else -1) * (46 + 33 * min(index, 3))
    step = min(index, MAX_STACK - 1) * 2 * CHECKER_RADIUS
    if place == 0:
        step = min(index, 14) * 11
        return x, (BOTTOM - 8 - step) if is_lower else (TOP + 8 + step)
    return x, (BOTTOM - CHECKER_RADIUS - step) if is_lower else (TOP + CHECKER_RADIUS + step)


def _checkers(drawing: BoardDrawing, board_options: BoardOptions, side: Side) -> list[str]:
    counts = drawing.board.own if side is Side.WHITE else drawing.board.other
    kind, other = ("board-white", "board-black") if side is Side.WHITE else ("board-black", "board-white")
    edge = COLOURS["board-edge" if side is Side.WHITE else "board-edge-light"]
    parts = []
    for place, count in enumerate(counts):
        if place == 0:
            for index in range(count):
                x, y = checker_center(board_options, side, 0, index)
                parts.append(
                    _svg_element(
                        "rect",
                        kind,
                        x=x - 17,
                        y=y - 5,
                        width=34,
                        height=10,
                        rx=2,
                        stroke=edge,
                        stroke_width=1,
                    )
                )
            continue
        max_shown = 4 if place == BAR else MAX_STACK
        for index in range(min(count, max_shown)):
            x, y = checker_center(board_options, side, place, index)
            parts.append(
                _svg_element("circle", kind, cx=x, cy=y, r=CHECKER_RADIUS, stroke=edge, stroke_width=1.5)
            )
        if count > max_shown:
            x, y = checker_center(board_options, side, place, max_shown - 1)
            parts.append(_text(other, x, y + 6, str(count), 18))
    return parts


def _arrows(drawing: BoardDrawing, board_options: BoardOptions) -> list[str]:
    """Return the arrows from start to end of each step, as SVG."""
    if drawing.roller is None:
        return []
    side = drawing.roller
    counts = list(drawing.board.own if side is Side.WHITE else drawing.board.other)
    parts = []
    for source, target, _hit in drawing.steps:
        x1, y1 = checker_center(board_options, side, source, max(counts[source] - 1, 0))
        x2, y2 = checker_center(board_options, side, target, counts[target])
        counts[source] = max(counts[source] - 1, 0)
        counts[target] += 1
        colour = COLOURS["board-arrow"]
        parts.append(
            f'<g class="board-move" fill="none" stroke="{colour}" stroke-width="5" stroke-linecap="round" opacity="0.85">'
            f'<path d="M{x1} {y1}L{x2} {y2}"/><circle cx="{x2}" cy="{y2}" r="{CHECKER_RADIUS - 3}" stroke-dasharray="6 6"/></g>'
        )
    return parts


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _dice(drawing: BoardDrawing, board_options: BoardOptions) -> list[str]:
    """Return the dice as SVG, in the roller's right half (rule R9)."""
    if drawing.dice is None or drawing.roller is None:
        return []
    is_right = drawing.roller is board_options.bottom
    middle = _half_x(board_options, right=is_right)
    is_white = drawing.roller is Side.WHITE
    ground, ink = ("board-die", "board-pip") if is_white else ("board-black", "board-die")
    parts = []
    for index, die in enumerate(drawing.dice):
        x = middle + (-24 if index == 0 else 24)
        parts.append(
            _svg_element(
                "rect",
                ground,
                x=x - 18,
                y=MIDDLE_Y - 18,
                width=36,
                height=36,
                rx=7,
                stroke=COLOURS["board-edge"],
            )
        )
        parts += [
            _svg_element("circle", ink, cx=x + 9.5 * dx, cy=MIDDLE_Y + 9.5 * dy, r=3.6)
            for dx, dy in _PIPS[die]
        ]
    return parts


def _cube(drawing: BoardDrawing, board_options: BoardOptions) -> list[str]:
    """Return the cube as SVG: centred it shows 64 and counts 1 (rule R35), else it lies at its owner's edge.

    An offered cube lies in the field of the side that has to answer.
    """
    value = str(drawing.cube) if drawing.cube > 1 else "64"
    if drawing.offered_by is not None:
        x, y = _half_x(board_options, right=drawing.offered_by is not board_options.bottom), float(MIDDLE_Y)
    else:
        x = _bar_x(board_options)
        y = float(
            MIDDLE_Y
            if drawing.owner is None
            else BOTTOM - 24
            if drawing.owner is board_options.bottom
            else TOP + 24
        )
    size = 20 if len(value) < 3 else 15 if len(value) < 4 else 11
    box = _svg_element(
        "rect",
        "board-cube",
        x=x - 19,
        y=y - 19,
        width=38,
        height=38,
        rx=5,
        stroke=COLOURS["board-edge"],
        stroke_width=2,
    )
    return [box, _text("board-pip", x, y + size * 0.36, value, size)]
