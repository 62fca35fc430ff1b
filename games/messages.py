"""Messages for problems in records: what is wrong, where, and what to do, as dictionaries keyed by code.

The pure packages use codes only. A code without a message raises an error. Players' names are given by the
caller, because a ``Finding`` has none.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.records.findings import Finding, Severity
from games.records.model import Place, Step
from games.records.replaying import format_steps
from games.records.validation import VerdictDecision
from games.records.writing import Loss

Message = str | Promise


class Coded(Protocol):
    """An object with a code and parameters: a finding, a loss in conversion, an unreadable file."""

    @property
    def code(self) -> str: ...

    @property
    def params(self) -> Mapping[str, Any]: ...


UNREADABLE: dict[str, Message] = {
    "bgf.broken": _(
        "This BGBlitz file is damaged or in an unsupported version. Export the match as .mat or .sgf."
    ),
    "ogxm.broken": _(
        "This OGXM file is damaged or in an unsupported version. Export the match as .mat or .sgf."
    ),
    "ogxm.set_up": _(
        "This OGXM file contains a manually set up position, which is not supported. Export the match as "
        ".mat."
    ),
    "position.none": _(
        "No position was found in this text. Paste an XGID, an OGID, a GNU Backgammon ID, or a position "
        "copied as text from a program."
    ),
    "position.impossible": _(
        "This position is impossible. Check that you copied the whole identifier and nothing else."
    ),
    "position.cube": _("The cube in this position is too high to display."),
    "file.empty": _("The file is empty. Choose the file that your program exported."),
    "file.not_opened": _("The file cannot be opened. Check the file name."),
    "file.too_big": _(
        "The file is too large: %(bytes)s bytes, limit %(limit)s. Export the match without analysis."
    ),
    "file.binary": _(
        "This file is not in a supported game record format. Export the match as .mat or text and try again."
    ),
    "file.unknown_format": _(
        "No game record was found in this file. Export the match as .mat, text, .sgf or .xg and try again."
    ),
    "file.unpacks_too_big": _(
        "The unpacked file is larger than %(limit)s bytes. Export the match without analysis."
    ),
    "record.no_games": _("This file contains no games. Check that you chose the right file."),
    "record.too_much_work": _(
        "Checking this file takes too long. Export the match without analysis, or split the file."
    ),
    "record.too_many_games": _("The file contains more than %(limit)s games. Split it into several files."),
    "record.too_many_actions": _("The file contains more than %(limit)s turns. Split it into several files."),
    "sgf.broken": _("The SGF text is incomplete or inconsistent. Export it again."),
    "sgf.not_backgammon": _("This SGF file is for another game (game %(game)s). Choose a backgammon record."),
    "xg.broken": _("The .xg file is damaged or incomplete. Export it again, or export it as text."),
    "json.broken": _("This file is not a valid record in Crawford’s JSON format. Export it again."),
}

FINDINGS: dict[str, Message] = {
    "cell.unreadable": _("“%(words)s” cannot be read. Correct this turn in the file."),
    "line.ignored": _("The line “%(words)s” could not be read and was skipped."),
    "file.second_match": _("A second match starts here. Only the first one was read."),
    "record.too_many_findings": _(
        "The check stopped after %(limit)s errors. Check that this is the right file."
    ),
    "record.variation": _(
        "This is %(variation)s, which has a different starting position. Only backgammon can be checked."
    ),
    "match.galaxy_money": _(
        "Backgammon Galaxy saves money games as 16-point matches. This record was read as money play "
        "with the Jacoby rule."
    ),
    "match.length_impossible": _(
        "A match length of %(length)s points is not possible. The longest match is %(longest)s points."
    ),
    "match.length_missing": _(
        "The file does not state the match length. Add a line such as “7 point match”."
    ),
    "match.unfinished": _("The record ends before the match is over (%(score)s)."),
    "match.games_after_end": _(
        "The match was over at %(score)s, but the record continues. Check the match length."
    ),
    "match.claimed_over": _("The record says this game won the match, but the score is %(score)s."),
    "match.starting_score": _(
        "The match in this record starts at %(score)s instead of 0–0. Add the earlier games if they are missing."
    ),
    "match.games_missing": _(
        "The record starts with game %(number)s. Add the earlier games or choose the record of the whole "
        "match."
    ),
    "match.name_changes": _(
        "A player name changes here. Score and match length continue, so this was read as the same match."
    ),
    "match.players_change": _("The player names change here. Put each match in its own file."),
    "match.jacoby": _(
        "The file turns on the Jacoby rule, which does not apply in match play. The setting was ignored."
    ),
    "score.carried": _(
        "The game starts at %(stated)s, but the earlier games add up to %(score)s. Correct the score or "
        "add the missing game."
    ),
    "score.automatic_uncounted": _(
        "The score leaves out the automatic double of the previous game (%(stated)s instead of %(score)s)."
    ),
    "crawford.flag": _("The record marks the Crawford game incorrectly here."),
    "expected.length": _(
        "This record is %(stated)s, but %(expected)s was scheduled. Choose the record of this match."
    ),
    "expected.players": _(
        "The players in this record are %(stated)s, but this match is between %(expected)s. Choose the "
        "record of this match."
    ),
    "expected.score": _("The record ends at %(stated)s, but the reported result is %(expected)s."),
    "expected.start": _("The record starts at %(stated)s, but this match started at %(expected)s."),
    "expected.unfinished": _(
        "The record ends at %(score)s, before the end of the match, so it cannot confirm the result."
    ),
    "start.set_up": _("The position was set up manually here. The check continues from this position."),
    "dice.opening_double": _(
        "The opening roll is a double (%(dice)s). If both dice show the same number, the opening "
        "roll is repeated."
    ),
    "turn.missing": _("%(side)s has no turn before this one. The play was checked as recorded."),
    "turn.lost": _(
        "%(side)s has no turn before this one, and later plays do not fit (%(more)s). Add the missing turn."
    ),
    "turn.after_end": _("The game was already over. Later turns were not checked."),
    "play.illegal": _("%(dice)s: %(play)s is not legal: %(reason)s Correct the play in the file."),
    "play.illegal_stands": _(
        "%(dice)s: %(play)s is not legal: %(reason)s Both players continued, so the play counts."
    ),
    "play.slip": _(
        "%(dice)s: %(play)s is not legal: %(reason)s The following turns fit another play of this roll. "
        "Later plays affected: %(more)s. Correct this play."
    ),
    "play.unfitting": _(
        "%(dice)s: %(play)s is not legal: %(reason)s Later plays that do not fit either: %(more)s. This "
        "turn or an earlier one was recorded incorrectly."
    ),
    "play.lost": _(
        "%(dice)s: a legal play was possible, but none was recorded, and later plays do not fit "
        "(%(more)s). Add the missing play."
    ),
    "play.several_illegal": _(
        "%(number)s plays are not legal. Players may overlook one illegal play, but rarely several: "
        "compare these plays with what happened at the board."
    ),
    "play.condoned": _("The record marks this play as illegal. Both players continued, so the play counts."),
    "play.unplayed": _(
        "%(dice)s: a legal play was possible, but none was made. Both players continued, so the turn counts."
    ),
    "play.last_checker": _(
        "%(dice)s: the last checker was borne off with one die where both could be used. The value of "
        "the game does not change."
    ),
    "star.false": _(
        "%(dice)s: the asterisk marks a hit, but no checker was hit. Other plays with this mistake in "
        "this game: %(more)s."
    ),
    "star.missing": _(
        "%(dice)s: this play hits, but the asterisk used elsewhere in this file is missing. Other plays "
        "like this in this game: %(more)s."
    ),
    "cube.impossible": _("%(action)s: %(reason)s Correct the cube action in the file."),
    "cube.impossible_stands": _("%(action)s: %(reason)s Both players continued, so the action counts."),
    "cube.crawford_stands": _("%(action)s in the Crawford game. The result was recorded, so it counts."),
    "cube.unanswered": _("The double has no answer. The answer was inferred from the following play."),
    "cube.value": _("The record gives the cube as %(stated)s here, but it is at %(value)s."),
    "game.unfinished": _("The game has no ending and no result."),
    "game.forfeit": _(
        "%(stated)s points were awarded without the game being finished. It was read as a forfeit."
    ),
    "result.missing": _(
        "The result line is missing. According to the plays or the next score, %(winner)s won %(points)s "
        "points."
    ),
    "result.winner": _(
        "The record names %(stated)s as the winner, but %(winner)s won the game. Correct the result line."
    ),
    "points.contradict": _(
        "The record counts %(stated)s points, but with the cube at %(cube)s the game is worth %(points)s. Correct the result line."
    ),
    "points.uncapped": _(
        "The record shows %(stated)s points where %(needed)s were needed. Only points up to the match "
        "length count."
    ),
    "points.automatic": _(
        "%(stated)s points: read as a game with automatic doubles, which this record does not show "
        "otherwise (cube at %(cube)s)."
    ),
    "points.oversized": _(
        "Some programs write %(stated)s for a loss on time or a forfeit. It counts as %(points)s."
    ),
    "resign.oversized": _(
        "The resignation was for more points (%(stated)s) than the player could still lose."
    ),
}

REASONS: dict[str, Message] = {
    "play.no_such_point": _("this point does not exist."),
    "play.backwards": _("checkers never move backwards."),
    "play.too_many_steps": _("the play uses more moves than the roll allows."),
    "play.no_dice_left": _("the play uses more pips than the roll has."),
    "play.stop_blocked": _("the intermediate point is blocked."),
    "play.not_rolled": _("this number was not rolled."),
    "play.no_checker": _("no checker is on the starting point."),
    "play.blocked": _("the point is blocked."),
    "play.more_possible": _("the play must use as much of the roll as possible."),
    "play.higher_first": _("only one number can be played, and it must be the higher one."),
    "play.bar_first": _("checkers on the bar must enter first."),
    "play.not_all_home": _("not all checkers are in the home board."),
    "play.higher_stands": _("a checker is on a higher point."),
    "cube.not_in_play": _("this format has no cube."),
    "cube.answer_first": _("the last double has no answer yet."),
    "cube.crawford": _("doubling is not allowed in the Crawford game."),
    "cube.before_opening_roll": _("doubling is not allowed before the opening roll."),
    "cube.not_owner": _("the opponent owns the cube."),
    "cube.not_your_turn": _("it is the opponent’s turn."),
    "cube.limit": _("the cube has reached the highest value that is allowed."),
    "cube.holland": _("this event allows doubles only after each player has rolled twice."),
    "cube.no_beavers": _("this format does not allow beavers."),
    "cube.no_raccoons": _("this format does not allow raccoons."),
    "cube.wrong_answer": _("this action does not answer the offer."),
    "cube.nothing_offered": _("nothing was offered."),
}

LOSSES: dict[str, Message] = {
    "loss.name": _("This format cannot store the name “%(name)s”. The file has a simpler spelling."),
    "loss.tag": _("The header line “%(key)s” is missing in the file because this format cannot store it."),
    "loss.set_up": _("This format cannot store a manually set up position."),
    "loss.automatic_doubles": _("This format cannot store automatic doubles."),
    "loss.condoned_play": _("This format cannot store a play marked as illegal."),
    "loss.unplayed_roll": _("This format cannot store a resignation before the roll."),
    "loss.options": _("This format cannot store some rules of this session."),
    "loss.winner": _("This format cannot store a result without a winner."),
    "loss.length": _("The match length is unknown and was left out."),
}

DECISIONS: dict[VerdictDecision, Message] = {
    VerdictDecision.ACCEPT: _("The record is valid."),
    VerdictDecision.ACCEPT_WITH_NOTES: _("The record is valid, with notes."),
    VerdictDecision.DOUBTFUL: _(
        "The record is doubtful: some plays do not fit together. Review these plays."
    ),
    VerdictDecision.REJECT: _("The record has errors."),
    VerdictDecision.UNREADABLE: _("The file cannot be read as a game record."),
}

SEVERITIES: dict[Severity, Message] = {
    Severity.REJECT: _("Error"),
    Severity.DOUBT: _("Doubtful"),
    Severity.INCOMPLETE: _("Incomplete"),
    Severity.NOTE: _("Note"),
}

CUBE_ACTIONS: dict[str, Message] = {
    "double": _("Double"),
    "take": _("Take"),
    "pass": _("Pass"),
    "beaver": _("Beaver"),
}

_MESSAGES: dict[str, Message] = {**UNREADABLE, **FINDINGS, **LOSSES}


def known_codes() -> frozenset[str]:
    """Return all codes that have messages, except reasons inside other messages."""
    return frozenset(_MESSAGES)


def describe(coded: Coded, players: tuple[str, str] | None = None) -> str:
    """Return the message for a finding, a loss or an unreadable file in the active language.

    ``players``: the names of the left and the right player. Raises ``LookupError`` for a code without a
    message.
    """
    try:
        text = _MESSAGES[coded.code]
    except KeyError:
        raise LookupError(f"no words for record code {coded.code!r}") from None
    return str(text) % _format_params(coded.code, coded.params, players)


def reason_message(code: str) -> str:
    """Return the text about a broken rule, for use inside another message. Raises ``LookupError``."""
    try:
        return str(REASONS[code])
    except KeyError:
        raise LookupError(f"no words for reason {code!r}") from None


def location_label(finding: Finding | Loss, numbers: Sequence[int] = ()) -> str:
    """Return where a problem is, such as `Game 2, turn 14, line 31`.

    ``numbers``: the record's own numbers of its games, in order.
    """
    parts = []
    if finding.game:
        number = numbers[finding.game - 1] if finding.game <= len(numbers) else finding.game
        parts.append(gettext("Game %(number)s") % {"number": number})
    if isinstance(finding, Finding) and finding.turn:
        parts.append(gettext("turn %(number)s") % {"number": finding.turn})
    if finding.place.line:
        parts.append(gettext("line %(number)s") % {"number": finding.place.line})
    return ", ".join(parts)


def place_label(place: Place) -> str:
    """Return a place in a file, such as `line 31, column 6`; "" for no place."""
    if not place.line:
        return ""
    return gettext("line %(line)s, column %(column)s") % {"line": place.line, "column": place.column}


def side_name(side: str, players: tuple[str, str] | None = None) -> str:
    """Return the name of the player of a side ("white" or "black"), or the column if names are missing."""
    name = "" if players is None else players[0 if side == "white" else 1]
    if name:
        return name
    return gettext("The left player") if side == "white" else gettext("The right player")


def _format_params(
    message_code: str, params: Mapping[str, Any], players: tuple[str, str] | None
) -> dict[str, Any]:
    formatted = dict(params)
    if message_code == "expected.length":
        return {key: length_label(value) for key, value in formatted.items()}
    if "dice" in formatted:
        formatted["dice"] = "-".join(str(die) for die in formatted["dice"])
    if "steps" in formatted:
        formatted["play"] = format_steps(tuple(Step(*step[:2]) for step in formatted["steps"]))
    if formatted.get("reason"):
        formatted["reason"] = reason_message(formatted["reason"])
    if "action" in formatted:
        formatted["action"] = str(CUBE_ACTIONS[formatted["action"]])
    for key in ("side", "winner", "stated"):
        if formatted.get(key) in ("white", "black"):
            formatted[key] = side_name(formatted[key], players)
    for key in ("score", "stated", "expected"):
        value = formatted.get(key)
        if isinstance(value, tuple) and len(value) == 2:
            formatted[key] = _format_pair(value)
    if "variation" in formatted:
        formatted["variation"] = str(formatted["variation"])[:1].upper() + str(formatted["variation"])[1:]
    return formatted


def _format_pair(pair: tuple[Any, Any]) -> str:
    """Return two values as text: a score, or two players' names; of several names of a player the first."""
    if all(isinstance(part, int) for part in pair):
        return f"{pair[0]}–{pair[1]}"
    names = [part if isinstance(part, str) else part[0] if part else "" for part in pair]
    return gettext("%(one)s and %(other)s") % {"one": names[0] or "?", "other": names[1] or "?"}


def length_label(length: int) -> str:
    """Return a match length as text, such as `a match to 7 points`; 0 is `money play`."""
    if not length:
        return gettext("money play")
    return gettext("a match to %(length)s points") % {"length": length}
