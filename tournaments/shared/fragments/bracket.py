"""Template context of an elimination bracket for ``_bracket.html``.

A *section* (main draw, consolation, last chance, lower bracket, grand final) is drawn separately. Its rounds
are columns of equal height. A wide section is divided into *parts* of equal height, each a tree that ends in
one match, with the *later* rounds beside them. On screen the parts are one drawing; on paper each is a sheet.

Matches that are not played take little space: a bye is one line with the name alone, and a match without any
entry is empty. A consolation is drawn from its first round in which a match is played.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.engine.brackets.double import GRAND_FINAL
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.brackets.structure import THIRD_PLACE
from tournaments.engine.stages.elimination import BracketSettings, drop_rule
from tournaments.engine.statuses import AT_TABLE, MatchStatus
from tournaments.engine.types import MatchNo, ResultKind, Side
from tournaments.models import MatchSlot
from tournaments.selectors.draws import Draw, DrawnMatch, DrawnRound, DrawnSide
from tournaments.shared.fragments.bracket_cells import render_cell
from tournaments.shared.fragments.cards import Context, is_unplayed, match_note, side_player_url, url_builder
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import result_kind_note, round_name_from_code
from tournaments.shared.words.statuses import MATCH_STATUS_STYLES, badge_label

MAX_PART_MATCHES: Final = 16  # in the first round of one part: 32 entries fit on a page in readable lines
MAX_PART_ROUNDS: Final = 6
SMALL_SECTION_MATCHES: Final = 4  # up to this size sections share a sheet of paper
LARGE_SECTION_MATCHES: Final = 128  # from this size a browser renders only visible parts
MAX_UNCUT_ROUNDS: Final = 8  # maximum number of columns in one drawing, if the first is short enough

_Kind = MatchSlot.SourceKind
_TONES: Final[Mapping[MatchStatus, str]] = {status: MATCH_STATUS_STYLES[status].tone for status in AT_TABLE}


def bracket_context(
    draw: Draw,
    title: str,
    *,
    player_urls: Mapping[int, str] | None = None,
    match_url: Callable[[str], str] | None = None,
) -> Context:
    """Return the template context of all sections of an elimination bracket.

    ``player_urls``: dictionary of entry ids and the pages of their players, for the names of winners;
    ``match_url``: function from the public id of a match to its address, by default that of its public page.
    """
    return _Drawing(draw, player_urls or {}, match_url or url_builder("public:match")).context(title)


def hidden_rounds(draw: Draw) -> frozenset[int]:
    """Return the numbers of the rounds that the drawing leaves out.

    These are the first rounds of a consolation, last chance or lower bracket in which no match is played.
    """
    return _Drawing(draw, {}, str).hidden_rounds


def split_section(counts: Sequence[int]) -> tuple[int, int]:
    """Return into how many parts a section is divided, and how many of its rounds these parts contain.

    ``counts``: the number of matches in each round, first round first.
    """
    if counts[0] <= MAX_PART_MATCHES and len(counts) <= MAX_UNCUT_ROUNDS:
        return 1, len(counts)
    matches = min(counts[0], MAX_PART_MATCHES)
    while matches > 1:
        parts = counts[0] // matches
        part_rounds = sum(count >= parts for count in counts)
        if part_rounds <= MAX_PART_ROUNDS:
            return parts, part_rounds
        matches //= 2
    return 1, len(counts)


@dataclass(frozen=True)
class _Drawing:
    draw: Draw
    pages: Mapping[int, str]
    match_url: Callable[[str], str]

    @cached_property
    def words(self) -> "_Labels":
        return _Labels()

    def context(self, title: str) -> Context:
        return {
            "key": self.key,
            "title": title,
            "sections": [self._section(name) for name in self.draw.sections],
            "seeded": any(side.seed for match in self.draw.matches for side in match.sides),
        }

    @cached_property
    def key(self) -> str:
        """Prefix of the bracket's HTML ids, different from that of another bracket on the same page."""
        return f"s{self.draw.stage.pk}"

    @cached_property
    def settings(self) -> BracketSettings:
        return self.draw.stage.settings.bracket

    @cached_property
    def matches_by_number(self) -> dict[MatchNo, DrawnMatch]:
        return {match.number: match for match in self.draw.matches}

    @cached_property
    def next_slots(self) -> dict[tuple[MatchNo, str], tuple[DrawnMatch, DrawnSide]]:
        """The next match and its slot, keyed by match number and source kind (winner of, loser of)."""
        return {
            (side.source_number, side.source_kind): (match, side)
            for match in self.draw.matches
            for side in match.sides
            if side.source_number is not None
        }

    @cached_property
    def lines(self) -> dict[MatchNo, tuple[DrawnSide, ...]]:
        """The sides of each match that the drawing shows, keyed by match number.

        Sides that will have no entry are omitted unless a rule explains why.
        """
        return {
            match.number: tuple(
                side
                for side in match.sides
                if self.draw.can_have_entry(side) or self._vacancy_reason(match, side)
            )
            for match in self.draw.matches
        }

    @cached_property
    def hidden_rounds(self) -> frozenset[int]:
        """Numbers of the opening rounds that are not drawn, because no match is played in them.

        Only sections for losers have such rounds: every entry advances without a match.
        """
        numbers: list[int] = []
        for name in self.draw.sections:
            if SECTIONS[name].fed_by is None:
                continue
            ladder = [r for r in self.draw.rounds if r.section == name and r.code != THIRD_PLACE]
            numbers += [r.number for r in takewhile(self._is_skipped, ladder[:-1])]
        return frozenset(numbers)

    def _is_skipped(self, round_: DrawnRound) -> bool:
        return not any(
            self.draw.needs_play(match) or any(self._vacancy_reason(match, side) for side in match.sides)
            for match in round_.matches
        )

    def _section(self, name: str) -> Context:
        rounds = [r for r in self.draw.rounds if r.section == name]
        ladder = [r for r in rounds if r.code != THIRD_PLACE and r.number not in self.hidden_rounds]
        third_place_matches = [match for r in rounds if r.code == THIRD_PLACE for match in r.matches]
        parts, part_rounds = split_section([len(r.matches) for r in ladder])
        columns = [self._column(ladder, depth) for depth in range(len(ladder))]
        for left, right in pairwise(columns):
            left["after"] = {"id": right["id"], "name": right["name"]}
            right["before"] = {"id": left["id"], "name": left["name"]}
        champion = (
            self.draw.champion_of(name)
            if len(self.draw.sections_sharing_places()) == len(self.draw.sections)
            else None
        )
        if name == GRAND_FINAL:
            champion = self.draw.champion
        return {
            "id": f"{self.key}-{name}",
            "code": name,
            "name": section_name(name),
            "passed": ", ".join(
                round_name_from_code(r.code) for r in rounds if r.number in self.hidden_rounds
            ),
            "size": len(ladder),
            "vast": len(ladder[0].matches) > LARGE_SECTION_MATCHES,
            "small": len(ladder[0].matches) <= SMALL_SECTION_MATCHES,
            "deserted": not any(self.lines[match.number] for r in rounds for match in r.matches),
            "columns": columns,
            "parts": [_part(columns[:part_rounds], part, parts) for part in range(parts)],
            "later": columns[part_rounds:],
            "champion": champion and {"name": champion.name, "url": side_player_url(self.pages, champion)},
            "third_place": self._match_cell(third_place_matches[0], round_name_from_code(THIRD_PLACE), set())
            if third_place_matches
            else None,
        }

    def _column(self, ladder: Sequence[DrawnRound], depth: int) -> Context:
        round_ = ladder[depth]
        next_count = len(ladder[depth + 1].matches) if depth + 1 < len(ladder) else 0
        previous_numbers = {match.number for match in ladder[depth - 1].matches} if depth else set()
        name = round_name_from_code(round_.code)
        return {
            "id": f"{self.key}-r{round_.number}",
            "depth": depth + 1,
            "name": name,
            "to": ngettext("to %(length)s point", "to %(length)s points", round_.length)
            % {"length": round_.length},
            "join": _connector(len(round_.matches), next_count),
            "matches": [self._match_cell(match, name, previous_numbers) for match in round_.matches],
        }

    def _match_cell(
        self, match: DrawnMatch, round_name: str, previous_numbers: Collection[MatchNo]
    ) -> SafeString:
        """Return the HTML cell of a match.

        ``previous_numbers``: numbers of the matches in the column before, from which connecting lines lead to
        this match.
        """
        lines = self.lines[match.number]
        is_fed = any(
            side.source_number in previous_numbers and self.lines[side.source_number]
            for side in match.sides
            if side.source_number is not None
        )
        is_quiet = not all(self.draw.can_have_entry(side) for side in match.sides)
        tag = "" if is_quiet else self._state(match)
        return render_cell(
            {
                "public_id": match.public_id,
                "number": match.number,
                "id": f"{self.key}m{match.number}",
                "classes": "" if is_fed else " is-start",
                "quiet": is_quiet,
                "url": "" if is_quiet else self.match_url(match.public_id),
                "status": match.status.value,
                "sentence": "" if is_quiet else self._match_description(match, round_name, tag),
                "tone": _TONES.get(match.status, ""),
                "tag": tag,
                "sides": [self._side(match, side, previous_numbers) for side in lines],
                "ways": [] if is_quiet else self._exit_links(match),
            }
        )

    def _side(self, match: DrawnMatch, side: DrawnSide, previous_numbers: Collection[MatchNo]) -> Context:
        is_loser = side.source_kind == _Kind.LOSER_OF
        is_far = side.source_number is not None and (is_loser or side.source_number not in previous_numbers)
        vacancy_reason = self._vacancy_reason(match, side) if side.vacant else ""
        kind, number = self._origin(side) if is_far or not side.name else (side.source_kind, None)
        is_winner = match.winner is side.side and not match.is_bye
        return {
            "classes": (" is-winner" if is_winner else "")
            + ("" if side.name else " is-open")
            + (" is-out" if vacancy_reason else ""),
            "entry": side.entry_public_id,
            "name": side.name,
            "seed": side.seed,
            "score": None if is_unplayed(match) else match.scores[0 if side.side is Side.A else 1],
            "out": vacancy_reason,
            "words": vacancy_reason or self._origin_label(kind, number),
            "open_line": side.is_open_line,
            "from": f"{self.key}m{number}" if is_far else "",
            "from_short": f"{self.words.letters[kind]}{number}" if is_far and side.name else "",
        }

    def _origin(self, side: DrawnSide) -> tuple[str, MatchNo | None]:
        """Return the source kind and the match number that fill the slot, skipping matches without play."""
        while side.source_kind == _Kind.WINNER_OF and side.source_number is not None:
            source = self.matches_by_number[side.source_number]
            lines = self.lines[source.number]
            if len(lines) != 1 or lines[0].source_number is None:
                break
            side = lines[0]
        return side.source_kind, side.source_number

    def _vacancy_reason(self, match: DrawnMatch, side: DrawnSide) -> str:
        """Return why the loser of an earlier match does not take the slot (rule F17).

        Empty if no rule excluded the loser, or if there is no such loser.
        """
        if side.source_kind != _Kind.LOSER_OF or side.source_number is None or side.is_placed_by_hand:
            return ""
        source = self.matches_by_number[side.source_number]
        rule = drop_rule(self.settings, match.section, match.round_code)
        if source.winner is None or source.is_bye or rule is None or rule.side is not None:
            return ""
        loser = source.sides[1 if source.winner is Side.A else 0].name
        kind = ResultKind(source.result_kind)
        if kind not in rule.after:
            return _("%(name)s is out: %(how)s") % {"name": loser, "how": result_kind_note(kind)}
        return _("%(name)s is out: already won a match") % {"name": loser} if rule.first_match_only else ""

    def _exit_links(self, match: DrawnMatch) -> list[Context]:
        """Return links to the loser's next match, and to the winner's if that is in another section.

        The drawing has no connecting lines to these matches.
        """
        links = []
        for kind in (_Kind.LOSER_OF, _Kind.WINNER_OF):
            target, slot = self.next_slots.get((match.number, kind), (None, None))
            while target is not None and target.round_number in self.hidden_rounds:
                target, slot = self.next_slots.get((target.number, _Kind.WINNER_OF), (None, None))
            if target is None or slot is None:
                continue
            if not self.draw.can_have_entry(slot) and not self._vacancy_reason(target, slot):
                continue
            if kind == _Kind.LOSER_OF or target.section != match.section:
                label_params = {"number": target.number}
                label = self.words.out if slot.vacant else self.words.ways[kind] % label_params
                links.append({"to": f"{self.key}m{target.number}", "words": label})
        return links

    def _match_description(self, match: DrawnMatch, round_name: str, state: str) -> str:
        """Describe the match in one sentence, for screen readers."""
        a, b = (side.name or self._origin_label(*self._origin(side)) for side in match.sides)
        if match.winner is None:
            outcome = self.words.against % {"a": a, "b": b}
        else:
            has_a_won = match.winner is Side.A
            scores = match.scores if has_a_won else match.scores[::-1]
            outcome = self.words.beats % {"winner": a if has_a_won else b, "loser": b if has_a_won else a}
            if None not in scores and not is_unplayed(match):
                outcome = f"{outcome} {scores[0]}\N{EN DASH}{scores[1]}"
        return self.words.sentence % {
            "number": match.number,
            "round": round_name,
            "what": f"{outcome}, {state}" if state else outcome,
        }

    def _state(self, match: DrawnMatch) -> str:
        """Return the state of a match that is at a table, otherwise a note such as “walkover”, or empty."""
        label = self.words.states.get(match.status, "")
        if label and match.table:
            return self.words.tables.get(match.status, label) % {"table": match.table}
        return label or match_note(match)

    def _origin_label(self, kind: str, number: MatchNo | None) -> str:
        if kind == _Kind.HELD:
            return self.words.open_line
        return self.words.origins[kind] % {"number": number} if number is not None else "\N{EN DASH}"


class _Labels:
    """Translated labels that many matches of a bracket need, looked up once for each drawing."""

    def __init__(self) -> None:
        winner_of, loser_of = _Kind.WINNER_OF, _Kind.LOSER_OF
        self.origins: dict[str, str] = {
            winner_of: _("Winner of %(number)s"),
            loser_of: _("Loser of %(number)s"),
        }
        self.letters: dict[str, str] = {
            winner_of: pgettext("winner of a match, as on a score sheet", "W"),
            loser_of: pgettext("loser of a match, as on a score sheet", "L"),
        }
        self.ways = {
            winner_of: _("Winner to %(number)s"),
            loser_of: _("Loser to %(number)s"),
        }
        self.out = _("Loser is out")
        self.open_line = _("Free line")
        self.against = _("%(a)s against %(b)s")
        self.beats = _("%(winner)s beats %(loser)s")
        self.sentence = _("Match %(number)s, %(round)s: %(what)s")
        self.states = {status: badge_label(status) for status in AT_TABLE}
        self.tables = {
            MatchStatus.PLAYING: _("Table %(table)s"),
            MatchStatus.CALLED: _("Called: table %(table)s"),
        }


def _connector(match_count: int, next_count: int) -> str:
    """Return how lines connect a column of matches with the next: "pairs", "straight" or "none"."""
    if not next_count:
        return "none"
    return "straight" if next_count == match_count else "pairs"


def _part(columns: Sequence[Context], part: int, parts: int) -> Context:
    """Return the template context of part number ``part`` (from 0) of ``parts`` equal parts of a section.

    Each column of the part contains its share of the matches.
    """

    def share(column: Context) -> Context:
        count = len(column["matches"]) // parts
        matches = column["matches"][part * count : (part + 1) * count]
        return {**column, "id": column["id"] if part == 0 else "", "matches": matches}

    shares = [share(column) for column in columns]
    label = _("part %(number)s of %(of)s") % {"number": part + 1, "of": parts} if parts > 1 else ""
    return {"words": label, "rows": len(shares[0]["matches"]), "columns": shares}
