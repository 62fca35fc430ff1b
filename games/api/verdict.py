"""The verdict on a checked record, as returned by the API and printed by `check_record --json`."""

from enum import StrEnum
from typing import Annotated, Any, Self

from games.api.repairs import RecordRepair
from games.records.checking import CheckResult, Unreadable
from games.records.findings import Finding
from games.records.replaying import End, ReplayedGame
from games.records.validation import VerdictDecision
from games.rules.scoring import WinKind
from games.services.repairing import proposed_repairs
from people.api.answers import Answer, field_description, one_of

NOT_WON_ENDS = (End.PASSED, End.FORFEITED, End.UNKNOWN)
PAIR_DESCRIPTION = "Left player first, then the right one."


class Severity(StrEnum):
    """How serious a problem found in the record is.

    A file that cannot be read has only an `unreadable` one.
    """

    REJECT = "reject"
    DOUBT = "doubt"
    INCOMPLETE = "incomplete"
    NOTE = "note"
    UNREADABLE = "unreadable"


class RecordFinding(Answer, frozen=True):
    """One problem or note found in the record. A game, turn, line or column of 0: none in particular."""

    code: str
    severity: Severity
    rule: Annotated[str | None, field_description("The broken rule, as numbered in docs/rules.md.")]
    game: Annotated[int, field_description("From 1.")]
    turn: Annotated[int, field_description("From 1 in each game.")]
    line: int
    column: int
    params: Annotated[dict[str, Any], field_description("The values in the message.")]

    @classmethod
    def of(cls, finding: Finding) -> Self:
        return cls(
            code=finding.code,
            severity=Severity(finding.severity.value),
            rule=finding.rule,
            game=finding.game,
            turn=finding.turn,
            line=finding.line,
            column=finding.column,
            params=_json_value(finding.params),
        )

    @classmethod
    def unreadable(cls, unreadable: Unreadable) -> Self:
        return cls(
            code=unreadable.code,
            severity=Severity.UNREADABLE,
            rule=None,
            game=0,
            turn=0,
            line=unreadable.place.line,
            column=unreadable.place.column,
            params=_json_value(unreadable.params),
        )


class RecordGame(Answer, frozen=True):
    """A game as it was replayed by the rules."""

    number: Annotated[int, field_description("From 1, counted like the findings.")]
    file_number: Annotated[
        int,
        field_description(
            "Game number in the file, if its numbers increase; it may begin with a later game."
        ),
    ]
    score_before: Annotated[list[int], field_description(PAIR_DESCRIPTION)]
    crawford: bool
    winner: Annotated[int | None, field_description("0 for the left player, 1 for the right one.")]
    points: int | None
    kind: Annotated[
        Annotated[str, one_of([*(kind.name.lower() for kind in WinKind), *NOT_WON_ENDS])] | None,
        field_description("How it was won on the board or resigned; neither for a passed or forfeited game."),
    ]
    cube: int
    end: End

    @classmethod
    def of(cls, game: ReplayedGame, file_number: int) -> Self:
        ending = game.ending
        return cls(
            number=game.number,
            file_number=file_number,
            score_before=list(game.score.points),
            crawford=game.crawford,
            winner=None if ending.winner is None else ending.winner.column,
            points=ending.points if ending.end is not End.UNFINISHED else None,
            kind=_win_kind(game),
            cube=ending.cube,
            end=ending.end,
        )


class RecordVerdict(Answer, frozen=True):
    """The verdict on a checked file.

    A file that is not a game record has the verdict `unreadable`, and a finding says where and why.
    """

    file: str
    format: Annotated[str | None, field_description("Null if it could not be read.")]
    players: Annotated[list[str] | None, field_description("Left, then right.")]
    match_length: Annotated[int | None, field_description("0 for money play; null if the file does not say.")]
    games: list[RecordGame]
    final_score: Annotated[list[int] | None, field_description(PAIR_DESCRIPTION)]
    complete: bool
    verdict: VerdictDecision
    findings: list[RecordFinding]
    repairs: Annotated[
        list[RecordRepair],
        field_description("Games with an impossible play for which a correction fits all the rest."),
    ]

    @classmethod
    def of(cls, check_result: CheckResult, filename: str) -> Self:
        record, verdict = check_result.record, check_result.verdict
        replay = verdict.replay
        findings = [RecordFinding.of(finding) for finding in verdict.findings]
        if check_result.unreadable is not None:
            findings.append(RecordFinding.unreadable(check_result.unreadable))
        return cls(
            file=filename,
            format=record.format if record is not None else None,
            players=list(record.players) if record is not None else None,
            match_length=_match_length(check_result),
            games=[
                RecordGame.of(game, number)
                for game, number in zip(replay.games, record.game_numbers, strict=False)
            ]
            if replay is not None and record is not None
            else [],
            final_score=list(replay.score.capped) if replay is not None else None,
            complete=verdict.complete,
            verdict=verdict.decision,
            findings=findings,
            repairs=[RecordRepair.of(repair) for repair in proposed_repairs(check_result)],
        )


def _match_length(check_result: CheckResult) -> int | None:
    """Return the match length; 0 for money play, None if neither the file nor the request states it."""
    record, replay = check_result.record, check_result.verdict.replay
    if record is None or replay is None:
        return None if record is None else record.length
    return None if replay.form.length is None and record.length is None else replay.form.length or 0


def _win_kind(game: ReplayedGame) -> str | None:
    ending = game.ending
    if ending.end in (End.BORE_OFF, End.RESIGNED):
        return ending.kind.name.lower()
    return None if ending.end is End.UNFINISHED else ending.end.value


def _json_value(value: Any) -> Any:
    """Return a parameter as a JSON value."""
    if isinstance(value, dict):
        return {str(key): _json_value(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_json_value(part) for part in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return str(value) if isinstance(value, str) else value
    return str(value)
