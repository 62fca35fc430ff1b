"""Reader of SGF with GM[6] (backgammon): one game tree for each game of a match.

Reads the main line: of several continuations the first, as programs write it. ``sgf_analysis`` reads the
evaluations. The tree is parsed with a counter instead of recursion, so nesting is cheap and limited.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from games.records.decoding import MAX_ACTIONS, MAX_GAMES, MAX_NAME, decode_text
from games.records.errors import UnreadableRecord
from games.records.findings import Finding, finding
from games.records.model import (
    NO_PLACE,
    Action,
    CubeAction,
    CubeKind,
    Game,
    Options,
    Place,
    Record,
    Result,
    Roll,
    RollMark,
    Step,
    Tag,
    Variation,
)
from games.records.reading import ReadResult, name_change_finding
from games.records.sgf_analysis import PROPERTIES, SgfAnalysis, unescape
from games.records.sgf_setup import setup_from
from games.rules.sides import Side

MAX_DEPTH = 200
MAX_NODES = 3 * MAX_ACTIONS  # a node holds at most one action; set-ups and comments have their own nodes
_TOKEN = re.compile(r"\s*+(?:([;()])|([A-Za-z]++)|\[((?:[^\]\\]++|\\.)*+)\])", re.DOTALL)
_RESULT = re.compile(r"\s*([WB])\s*\+\s*(\d{1,9})?\s*(R(?:esign)?)?", re.IGNORECASE)
_TURN = re.compile(r"([1-6])([1-6])((?:[a-z][a-z])*)$")
_INFO = re.compile(r"\s*([a-z]+)\s*:\s*(-?\d{1,9})\s*$", re.IGNORECASE)
_TAG_NAMES = {
    "DT": "EventDate",
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "AN": "Transcriber",
    "US": "User",
    "SO": "Source",
}
_RESIGNS = re.compile(
    r"resign:(\d{1,9})$"
)  # gibbon's resignation, answered by accept or reject; the number is of points
_CUBE_WORDS = {"double": CubeKind.DOUBLE, "take": CubeKind.TAKE, "drop": CubeKind.PASS, "pass": CubeKind.PASS}
_COUNT_FROM_0 = (
    "GNU Backgammon",
    "Crawford",
)  # programs that call the first game 0; the specification calls it 1
_USED_PROPERTIES = frozenset(
    (
        "W",
        "B",
        "MI",
        "PW",
        "PB",
        "RU",
        "RE",
        "CV",
        "GM",
        "PL",
        "AE",
        "AW",
        "AB",
        "DI",
        "CP",
        "CO",
        "VA",
        *_TAG_NAMES,
        *PROPERTIES,
    )
)
# A letter as a point of its own side: White's a is 1, Black's a is 24.
_POINTS = {
    Side.WHITE: {chr(97 + index): index + 1 for index in range(24)} | {"y": 25, "z": 0},
    Side.BLACK: {chr(97 + index): 24 - index for index in range(24)} | {"y": 25, "z": 0},
}

Node = dict[str, list[str]]


class _Tree:
    """The nodes of a game tree: for each its offset in the text, and its properties keyed by name."""

    def __init__(self) -> None:
        self.nodes: list[tuple[int, Node]] = []


def parse_trees(text: str) -> Iterator[_Tree]:
    """Yield the game trees of a file, without variations beside the main line.

    Raises ``UnreadableRecord`` for broken syntax and too deep or too many nodes; a tree that is cut off is
    returned.
    """
    offset, end = 0, len(text)
    depth = 0
    main_depth = 0  # depth of the main line
    is_closed = False  # the main line has ended: what follows within the tree are other variations
    node_count = 0
    tree = _Tree()
    node: Node | None = None
    name = ""
    while True:
        token = _TOKEN.match(text, offset)
        if token is None:
            if text[offset:].strip() and depth:
                raise UnreadableRecord("sgf.broken", place=place_at_offset(text, offset))
            break
        delimiter, identifier, value = token[1], token[2], token[3]
        if delimiter == "(":
            depth += 1
            if depth > MAX_DEPTH:
                raise UnreadableRecord("sgf.broken", place=place_at_offset(text, offset))
            if depth == 1:
                tree, node, main_depth, is_closed = _Tree(), None, 1, False
            elif not is_closed and depth == main_depth + 1:
                main_depth = depth
        elif delimiter == ")":
            if depth == 0:
                break
            if depth == main_depth:
                is_closed = True
            depth -= 1
            if depth == 0:
                yield tree
        elif depth and not is_closed:
            if delimiter == ";":
                node_count += 1
                if node_count > MAX_NODES:
                    raise UnreadableRecord(
                        "record.too_many_actions", {"limit": MAX_ACTIONS}, place_at_offset(text, offset)
                    )
                node = {}
                tree.nodes.append((token.start(1), node))
            elif identifier is not None:
                name = (
                    identifier
                    if identifier.isupper()
                    else "".join(letter for letter in identifier if letter.isupper())
                )
            elif node is not None and value is not None and name in _USED_PROPERTIES:
                node.setdefault(name, []).append(value)
        offset = token.end()
        if offset >= end:
            break
    if depth and tree.nodes:  # cut off in the middle: the good part is kept
        yield tree


def place_at_offset(text: str, offset: int) -> Place:
    """Return line and column of an offset, for a single error; ``_PlaceIndex`` is for many."""
    preceding = text[:offset]
    return Place(preceding.count("\n") + 1, offset - preceding.rfind("\n"))


class _PlaceIndex:
    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def at(self, offset: int) -> Place:
        line = bisect_right(self.starts, offset)
        return Place(line, offset - self.starts[line - 1] + 1)


class SgfReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.places = _PlaceIndex(text)
        self.findings: list[Finding] = []
        self.analysis = SgfAnalysis(_POINTS)
        self.actions = 0

    def read(self) -> ReadResult:
        games: list[Game] = []
        players: tuple[str, str] | None = None
        previous_names: tuple[str, str] | None = None  # the names above the last game
        length: int | None = None
        tags: tuple[Tag, ...] = ()
        options = Options()
        first_number = 1
        for tree in parse_trees(self.text):
            if not tree.nodes:
                continue
            root = tree.nodes[0][1]
            if unescape(root.get("GM", ["6"])[0]).strip() != "6":
                raise UnreadableRecord("sgf.not_backgammon", {"game": root["GM"][0][:10]})
            info = _match_info(root)
            place = self.places.at(tree.nodes[0][0])
            names = (_name(root, "PW"), _name(root, "PB"))
            if players is None:
                players, length = names, info.get("length")
                tags, options = _tags(root, place), _options(root)
                counts_from_zero = unescape(root.get("AP", [""])[0]).startswith(_COUNT_FROM_0)
                first_number = 0 if counts_from_zero or info.get("game", 1) == 0 else 1
            elif info.get("length") != length or _is_new_match(info, first_number):
                self.findings.append(finding("file.second_match", place=place))
                break
            elif (change := name_change_finding(previous_names, names, len(games) + 1, place)) is not None:
                self.findings.append(change)
            previous_names = names
            if len(games) >= MAX_GAMES:
                raise UnreadableRecord("record.too_many_games", {"limit": MAX_GAMES}, place)
            games.append(self._read_game(tree, len(games) + 1, info, first_number, place))
        if not games or players is None:
            raise UnreadableRecord("record.no_games")
        if length is None:
            self.findings.append(finding("match.length_missing"))
        record = Record(players, length, tuple(games), tags, options, format="sgf")
        return ReadResult(record, tuple(self.findings), self.analysis.done)

    def _read_game(
        self, tree: _Tree, index: int, info: dict[str, int], first_number: int, place: Place
    ) -> Game:
        root = tree.nodes[0][1]
        actions: list[Action] = []
        doubler: Side | None = None  # side whose double awaits an answer: distinguishes beaver and double
        automatic_doubles = _automatic_doubles(root)
        rules = unescape(root.get("RU", [""])[0]).casefold()
        score = (max(0, info.get("ws", 0)), max(0, info.get("bs", 0)))
        self.analysis.game(
            index,
            unescape(root.get("AP", [""])[0]),
            info.get("length", 0),
            score,
            crawford="crawfordgame" in rules,
            cube=2**automatic_doubles,
        )
        resignation: Result | None = None
        offered_resignation: Result | None = None  # a resignation awaiting its answer
        for offset, node in tree.nodes:
            node_action: Action | None = None
            if automatic_doubles and node is root:
                self._add_analysis(node, len(actions), node_action)
                continue
            if "AW" in node or "AB" in node or "AE" in node or "CV" in node or "CP" in node or "CO" in node:
                setup = setup_from(node, self.places.at(offset), with_turn="DI" not in node)
                if setup is not None:
                    actions.append(setup)
            if "DI" in node and "PL" in node:
                roll = self._read_bare_roll(node, offset)
                if roll is not None:
                    actions.append(roll)
            for name, side in (("W", Side.WHITE), ("B", Side.BLACK)):
                if name not in node:
                    continue
                text = node[name][0].strip().lower()
                if (resign_match := _RESIGNS.match(text)) is not None:
                    turn_place = self.places.at(offset)
                    offered_resignation = Result(
                        side.other, int(resign_match[1]) or None, resigned=True, place=turn_place
                    )
                    continue
                if (
                    text in ("accept", "reject")
                    and offered_resignation is not None
                    and offered_resignation.winner is side
                ):
                    resignation, offered_resignation = (
                        (offered_resignation if text == "accept" else None),
                        None,
                    )
                    continue
                action = self._read_turn(node[name][0], side, doubler, offset)
                if action is None:
                    self._note_unreadable(node[name][0], index, len(actions) + 1, offset)
                    continue
                if isinstance(action, CubeAction):
                    if action.kind is CubeKind.TAKE and _is_beaver_answer(actions, side):
                        continue
                    doubler = side if action.kind in (CubeKind.DOUBLE, CubeKind.BEAVER) else None
                else:
                    doubler = None
                self.actions += 1
                if self.actions > MAX_ACTIONS:
                    raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS}, action.place)
                actions.append(action)
                node_action = action
            self._add_analysis(node, len(actions), node_action)
        return Game(
            number=info.get("game", index - 1 + first_number) + (1 - first_number),
            score_before=score,
            actions=tuple(actions),
            result=_result(root, place) or resignation,
            crawford=True if "crawfordgame" in rules else None,
            automatic_doubles=automatic_doubles or None,
            place=place,
        )

    def _add_analysis(self, node: Node, turn: int, action: Action | None) -> None:
        if not node.keys().isdisjoint(PROPERTIES):
            self.analysis.node(node, turn, action)

    def _read_turn(
        self, value: str, side: Side, doubler: Side | None, offset: int
    ) -> Roll | CubeAction | None:
        place = self.places.at(offset)
        text = value.strip().lower()
        turn_match = _TURN.match(text)
        if turn_match is not None:
            letters, points = turn_match[3], _POINTS[side]
            if len(letters) > 32:
                return None
            steps = tuple(Step(points[letters[i]], points[letters[i + 1]]) for i in range(0, len(letters), 2))
            if any(step.source == 0 or step.target == 25 for step in steps):
                return None
            return Roll(side, (int(turn_match[1]), int(turn_match[2])), steps, place=place)
        kind = _CUBE_WORDS.get(text)
        if kind is None:
            return None
        if kind is CubeKind.DOUBLE and doubler is side.other:
            kind = CubeKind.BEAVER
        return CubeAction(side, kind, None, place)

    def _read_bare_roll(self, node: Node, offset: int) -> Roll | None:
        """Read ``PL[B]DI[53]``, a roll without a play: the player rolled, then resigned. None if invalid."""
        dice = unescape(node["DI"][0]).strip()
        if not re.fullmatch("[1-6][1-6]", dice):
            return None
        side = Side.WHITE if node["PL"][0].strip().upper().startswith("W") else Side.BLACK
        return Roll(side, (int(dice[0]), int(dice[1])), (), RollMark.UNPLAYED, place=self.places.at(offset))

    def _note_unreadable(self, text: str, game: int, turn: int, offset: int) -> None:
        if len(self.findings) < 50:
            place = self.places.at(offset)
            self.findings.append(
                finding("cell.unreadable", game=game, turn=turn, place=place, words=text.strip()[:80])
            )


def _is_new_match(info: dict[str, int], first_number: int) -> bool:
    """Return whether a game is the first one of another match in the same file; its length is the same."""
    return info.get("game", -1) == first_number and not info.get("ws") and not info.get("bs")


def _is_beaver_answer(actions: list[Action], side: Side) -> bool:
    """Return whether a ``take`` of this side answers a beaver, which needs no answer.

    A beaver counts unless it is refused.
    """
    last = actions[-1] if actions else None
    return isinstance(last, CubeAction) and last.kind is CubeKind.BEAVER and last.side is side.other


def _automatic_doubles(root: Node) -> int:
    """Return the number of automatic doubles (rule F5).

    They show as a cube above 1 at the start of an otherwise ordinary game.
    """
    if root.keys() & {"AW", "AB", "AE", "CP", "CO"}:
        return 0
    setup = setup_from(root, NO_PLACE, with_turn=False)
    return setup.cube.bit_length() - 1 if setup is not None and setup.cube else 0


def _match_info(root: Node) -> dict[str, int]:
    info = {}
    for value in root.get("MI", ()):
        match = _INFO.match(unescape(value))
        if match is not None:
            info[match[1].lower()] = int(match[2])
    if info.get("length", 0) < 0:
        del info["length"]
    return info


def _name(root: Node, key: str) -> str:
    return " ".join(unescape(root.get(key, [""])[0]).split())[:MAX_NAME]


def _tags(root: Node, place: Place) -> tuple[Tag, ...]:
    tags = []
    for key in root:  # in the order of the file
        name = _TAG_NAMES.get(key)
        if name is not None:
            value = " ".join(unescape(root[key][0]).split())[:500]
            if key == "DT" and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
                value = value.replace("-", ".")
            tags.append(Tag(name, value, place))
    return tuple(tags)


def _options(root: Node) -> Options:
    rule_words = {
        word.strip().casefold() for value in root.get("RU", ()) for word in unescape(value).split(":")
    }
    length = _match_info(root).get("length", 0)
    variation = Variation.BACKGAMMON
    for word in rule_words | {value.strip().casefold() for value in root.get("VA", ())}:
        for named_variation in (Variation.NACKGAMMON, Variation.HYPERGAMMON, Variation.LONGGAMMON):
            if word.startswith(named_variation.value[:4]) and word != "long":
                variation = named_variation
    has_rules = "RU" in root
    return Options(
        crawford=bool(rule_words & {"crawford", "crawfordgame"}) if has_rules and length else None,
        jacoby="jacoby" in rule_words
        if has_rules and not length
        else True
        if "jacoby" in rule_words
        else None,
        beavers=None,
        automatic_doubles=None,
        variation=variation,
    )


def _result(root: Node, place: Place) -> Result | None:
    match = _RESULT.match(unescape(root.get("RE", [""])[0]))
    if match is None:
        return None
    winner = Side.WHITE if match[1].upper() == "W" else Side.BLACK
    return Result(winner, int(match[2]) if match[2] else None, resigned=bool(match[3]), place=place)


def read_sgf(data: bytes) -> ReadResult:
    return SgfReader(decode_text(data)).read()
