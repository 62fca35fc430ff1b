"""Words for what the record room finds: code → translated sentence saying what is wrong, where, and what to do.

The pure rooms speak in codes; only here are they words. An unknown code is refused loudly: a finding without words would
reach somebody as a riddle. Names of players come from outside, because a finding carries none.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.records.findings import Finding, Severity
from games.records.model import Place, Step
from games.records.replaying import compact
from games.records.validation import Decision
from games.records.writing import Loss

Words = str | Promise


class Coded(Protocol):
    """Anything with a code and parameters: a finding, a loss, an unreadable file."""

    @property
    def code(self) -> str: ...

    @property
    def params(self) -> Mapping[str, Any]: ...


UNREADABLE: dict[str, Words] = {
    "bgf.broken": _(
        "This BGBlitz file is damaged, or of a kind that we cannot read. Export the match as .mat or .sgf."
    ),
    "ogxm.broken": _(
        "This OGXM file is damaged, or of a kind that we cannot read. Export the match as .mat or .sgf."
    ),
    "ogxm.set_up": _(
        "A position was put up by hand in this OGXM file; such files we cannot read. Export the match as .mat."
    ),
    "position.none": _(
        "There is no position in this text. Paste an XGID, an OGID, a GNU Backgammon ID, or a position that a program copied as text."
    ),
    "position.impossible": _(
        "This position cannot be: look whether the whole identifier was copied, and nothing of what stands beside it."
    ),
    "position.cube": _("The cube of this position is too large to be shown."),
    "file.empty": _("The file is empty. Choose the file that your program exported."),
    "file.not_opened": _("The file cannot be opened. Check its name."),
    "file.too_big": _(
        "The file is too big: %(bytes)s bytes, at most %(limit)s. Export the match without analysis."
    ),
    "file.binary": _(
        "This is not a game record we can read. Export the match as .mat or text and try again."
    ),
    "file.unknown_format": _(
        "No game record was found in this file. Export the match as .mat, text, .sgf or .xg and try again."
    ),
    "file.unpacks_too_big": _(
        "The file unpacks to more than %(limit)s bytes. Export the match without analysis."
    ),
    "record.no_games": _("There is no game in this file. Check that you chose the right one."),
    "record.too_much_work": _("It takes too long to check. Export the match without analysis, or split it."),
    "record.too_many_games": _("The file holds more than %(limit)s games. Split it into several files."),
    "record.too_many_actions": _("The file holds more than %(limit)s turns. Split it into several files."),
    "sgf.broken": _("The SGF text breaks off or does not fit together. Export it again."),
    "sgf.not_backgammon": _("This SGF file is not backgammon (game %(game)s). Choose a backgammon record."),
    "xg.broken": _("The .xg file is damaged or not complete. Export it again, or as text."),
    "json.broken": _("This is not a record in our own JSON form. Export it again."),
}

FINDINGS: dict[str, Words] = {
    "cell.unreadable": _("“%(words)s” cannot be understood. Correct this turn in the file."),
    "line.ignored": _("The line “%(words)s” was not understood and was left out."),
    "file.second_match": _("A second match begins here. Only the first one was read."),
    "record.too_many_findings": _(
        "More than %(limit)s faults: checking stopped here. Is this the right file?"
    ),
    "record.variation": _(
        "This is %(variation)s, which starts from another position. Only backgammon can be checked."
    ),
    "match.galaxy_money": _(
        "Backgammon Galaxy writes a money game as a 16-point match. It was read as money play with Jacoby."
    ),
    "match.length_impossible": _("A match to %(length)s points cannot be: %(longest)s is the longest."),
    "match.length_missing": _(
        "The file does not say how long the match is. Add a line such as “7 point match”."
    ),
    "match.unfinished": _("The record ends before the match is over (%(score)s)."),
    "match.games_after_end": _(
        "The match was over at %(score)s, but the record goes on. Check the length of the match."
    ),
    "match.claimed_over": _("The record says that this game won the match, but the score is %(score)s."),
    "match.starting_score": _("The match starts at %(score)s instead of 0–0."),
    "match.games_missing": _(
        "The record begins with game %(number)s. Add the games before it, or choose the record of the whole match."
    ),
    "match.name_changes": _("A name changes here. Score and length go on, so it was read as the same match."),
    "match.players_change": _("Other players are named from here on. Put each match into a file of its own."),
    "match.jacoby": _("The file switches Jacoby on. It has no place in a match and was left aside."),
    "score.carried": _(
        "The game starts at %(stated)s, but the games before make it %(score)s. Correct the score or add the missing game."
    ),
    "score.automatic_uncounted": _(
        "The score leaves out the automatic double of the game before (%(stated)s, not %(score)s)."
    ),
    "crawford.flag": _("The record is wrong about whether this is the Crawford game."),
    "expected.length": _(
        "This record is %(stated)s, but %(expected)s was appointed. Choose the record of this match."
    ),
    "expected.players": _(
        "The record is of %(stated)s, but %(expected)s were to play. Choose the record of this match."
    ),
    "expected.score": _("The record ends %(stated)s, but %(expected)s was reported."),
    "expected.start": _("The record starts at %(stated)s, but this match started at %(expected)s."),
    "expected.unfinished": _(
        "The record ends at %(score)s, before the match is over, so it cannot prove the result."
    ),
    "start.set_up": _("The position was set up by hand here. Play is checked from it."),
    "dice.opening_double": _("The opening roll is a double (%(dice)s). Equal dice are rolled again."),
    "turn.missing": _("%(side)s has no turn before this one. Play is checked as it was recorded."),
    "turn.lost": _(
        "%(side)s has no turn before this one, and later plays (%(more)s) do not fit that. Add the turn that is missing."
    ),
    "turn.after_end": _("The game was over; what follows was not checked."),
    "play.illegal": _("%(dice)s: %(play)s is not a legal play: %(reason)s Correct the play in the file."),
    "play.illegal_stands": _(
        "%(dice)s: %(play)s is not a legal play: %(reason)s Both played on, so it stands."
    ),
    "play.slip": _(
        "%(dice)s: %(play)s is not a legal play: %(reason)s What follows fits another play of this roll. Later plays that it makes wrong: %(more)s. Correct this one."
    ),
    "play.unfitting": _(
        "%(dice)s: %(play)s is not a legal play: %(reason)s Later plays that do not fit either: %(more)s. Something here or before was written down wrongly."
    ),
    "play.lost": _(
        "%(dice)s: nothing was played, though it could be, and what follows does not fit that (later plays: %(more)s). Add the play that is missing."
    ),
    "play.several_illegal": _(
        "%(number)s plays are not legal. Players let one stand, rarely several: compare them with what was played."
    ),
    "play.condoned": _("The record marks this play as illegal. Both played on, so it stands."),
    "play.unplayed": _("%(dice)s: nothing was played, though it could be. Both played on, so it stands."),
    "play.last_checker": _(
        "%(dice)s: the last checker went off with one die where both could be used. The value is the same."
    ),
    "star.false": _(
        "%(dice)s: the star marks a hit, but nobody was hit. More such stars in this game: %(more)s."
    ),
    "star.missing": _(
        "%(dice)s: this play hits, but has no star as others in this file. More such plays in this game: %(more)s."
    ),
    "cube.impossible": _("%(action)s: %(reason)s Correct the cube in the file."),
    "cube.impossible_stands": _("%(action)s: %(reason)s Both played on, so it stands."),
    "cube.crawford_stands": _("%(action)s in the Crawford game. The result was recorded, so it stands."),
    "cube.unanswered": _("The double has no answer. It was read from how play went on."),
    "cube.value": _("The cube says %(stated)s here, but it stands at %(value)s."),
    "game.unfinished": _("The game has no end and no result."),
    "game.forfeit": _(
        "%(stated)s points were given without the game being played out. It was read as a forfeit."
    ),
    "result.missing": _(
        "The result line is missing. Play or the next score gives %(points)s points to %(winner)s."
    ),
    "result.winner": _(
        "The record gives the game to %(stated)s, but %(winner)s won it. Correct the result line."
    ),
    "points.contradict": _(
        "The record counts %(stated)s points, but with the cube at %(cube)s the game is worth %(points)s. Correct the result line."
    ),
    "points.uncapped": _(
        "%(stated)s points are shown where %(needed)s were needed. The score counts up to the length of the match."
    ),
    "points.automatic": _(
        "%(stated)s points: read as a game with automatic doubles, which leave no other mark (cube at %(cube)s)."
    ),
    "points.oversized": _(
        "%(stated)s is a program's mark for time or forfeit, not a number of points. It counts as %(points)s."
    ),
    "resign.oversized": _("More was resigned (%(stated)s points) than could still be lost."),
}

REASONS: dict[str, Words] = {
    "play.no_such_point": _("there is no such point."),
    "play.backwards": _("checkers never move backwards."),
    "play.too_many_steps": _("it uses more moves than the roll has."),
    "play.no_dice_left": _("it uses more than the roll."),
    "play.stop_blocked": _("the stop on the way is blocked."),
    "play.not_rolled": _("the roll has no such number."),
    "play.no_checker": _("there is no checker to move."),
    "play.blocked": _("the point is blocked."),
    "play.more_possible": _("more of the roll could be played."),
    "play.higher_first": _("only one number can be played, and it must be the higher."),
    "play.bar_first": _("checkers on the bar must enter first."),
    "play.not_all_home": _("not all checkers are home."),
    "play.higher_stands": _("a checker stands on a higher point."),
    "cube.not_in_play": _("there is no cube in this format."),
    "cube.answer_first": _("the last double has no answer yet."),
    "cube.crawford": _("nobody may double in the Crawford game."),
    "cube.before_opening_roll": _("nobody may double before the opening roll."),
    "cube.not_owner": _("the cube belongs to the other side."),
    "cube.not_your_turn": _("it is not this side's turn."),
    "cube.limit": _("the cube has reached its limit."),
    "cube.holland": _("this event allows doubles only after two rolls each."),
    "cube.no_beavers": _("there are no beavers in this format."),
    "cube.no_raccoons": _("there are no raccoons in this format."),
    "cube.wrong_answer": _("this is no answer to what was offered."),
    "cube.nothing_offered": _("nothing was offered."),
}

LOSSES: dict[str, Words] = {
    "loss.name": _("The name “%(name)s” cannot be written in this format and was changed."),
    "loss.tag": _("The header line “%(key)s” has no place in this format."),
    "loss.set_up": _("A position set up by hand has no place in this format."),
    "loss.automatic_doubles": _("Automatic doubles leave no mark in this format."),
    "loss.condoned_play": _("A play marked as illegal has no place in this format."),
    "loss.unplayed_roll": _("A resignation before the roll leaves no mark in this format."),
    "loss.options": _("Some rules of this session have no place in this format."),
    "loss.winner": _("A result without a winner has no place in this format."),
    "loss.length": _("The length of the match is unknown and is left out."),
}

DECISIONS: dict[Decision, Words] = {
    Decision.ACCEPT: _("The record is in order."),
    Decision.ACCEPT_WITH_NOTES: _("The record is in order, with notes."),
    Decision.DOUBTFUL: _(
        "The record is doubtful: not all plays fit each other. Somebody should look at them."
    ),
    Decision.REJECT: _("The record has faults."),
    Decision.UNREADABLE: _("The file cannot be read as a game record."),
}

SEVERITIES: dict[Severity, Words] = {
    Severity.REJECT: _("Fault"),
    Severity.DOUBT: _("Doubt"),
    Severity.INCOMPLETE: _("Incomplete"),
    Severity.NOTE: _("Note"),
}

CUBE_ACTIONS: dict[str, Words] = {
    "double": _("Double"),
    "take": _("Take"),
    "pass": _("Pass"),
    "beaver": _("Beaver"),
}

_WORDS: dict[str, Words] = {**UNREADABLE, **FINDINGS, **LOSSES}


def known_codes() -> frozenset[str]:
    """All codes that have words."""
    return frozenset(_WORDS)


def describe(found: Coded, players: tuple[str, str] | None = None) -> str:
    """The sentence for a finding, loss or unreadable file in the active language; `LookupError` without words."""
    try:
        text = _WORDS[found.code]
    except KeyError:
        raise LookupError(f"no words for record code {found.code!r}") from None
    return str(text) % _readable(found.code, found.params, players)


def reason(code: str) -> str:
    """The words for a broken rule inside a finding."""
    try:
        return str(REASONS[code])
    except KeyError:
        raise LookupError(f"no words for reason {code!r}") from None


def where(found: Finding | Loss, numbers: Sequence[int] = ()) -> str:
    """Where in the record: `Game 2, turn 14, line 31`. `numbers`: what the record calls its games, one after the other."""
    parts = []
    if found.game:
        number = numbers[found.game - 1] if found.game <= len(numbers) else found.game
        parts.append(gettext("Game %(number)s") % {"number": number})
    if isinstance(found, Finding) and found.turn:
        parts.append(gettext("turn %(number)s") % {"number": found.turn})
    if found.place.line:
        parts.append(gettext("line %(number)s") % {"number": found.place.line})
    return ", ".join(parts)


def place_words(place: Place) -> str:
    """`line 31, column 6`, or nothing for a place that is nowhere."""
    if not place.line:
        return ""
    return gettext("line %(line)s, column %(column)s") % {"line": place.line, "column": place.column}


def side_name(side: str, players: tuple[str, str] | None = None) -> str:
    """The player of a side, or the column where names are missing."""
    name = "" if players is None else players[0 if side == "white" else 1]
    if name:
        return name
    return gettext("The left player") if side == "white" else gettext("The right player")


def _readable(found_code: str, params: Mapping[str, Any], players: tuple[str, str] | None) -> dict[str, Any]:
    shown = dict(params)
    if found_code == "expected.length":
        return {key: length_words(value) for key, value in shown.items()}
    if "dice" in shown:
        shown["dice"] = "-".join(str(die) for die in shown["dice"])
    if "steps" in shown:
        shown["play"] = compact(tuple(Step(*step[:2]) for step in shown["steps"]))
    if shown.get("reason"):
        shown["reason"] = reason(shown["reason"])
    if "action" in shown:
        shown["action"] = str(CUBE_ACTIONS[shown["action"]])
    for key in ("side", "winner", "stated"):
        if shown.get(key) in ("white", "black"):
            shown[key] = side_name(shown[key], players)
    for key in ("score", "stated", "expected"):
        value = shown.get(key)
        if isinstance(value, tuple) and len(value) == 2:
            shown[key] = _pair(value)
    if "variation" in shown:
        shown["variation"] = str(shown["variation"])[:1].upper() + str(shown["variation"])[1:]
    return shown


def _pair(pair: tuple[Any, Any]) -> str:
    """A score, or two players; of several names of a player the first."""
    if all(isinstance(part, int) for part in pair):
        return f"{pair[0]}–{pair[1]}"
    names = [part if isinstance(part, str) else part[0] if part else "" for part in pair]
    return gettext("%(one)s and %(other)s") % {"one": names[0] or "?", "other": names[1] or "?"}


def length_words(length: int) -> str:
    """`a match to 7 points`, `money play`."""
    if not length:
        return gettext("money play")
    return gettext("a match to %(length)s points") % {"length": length}
