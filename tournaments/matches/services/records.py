"""Checks of a game record against the match it is submitted for. Writes nothing and takes no lock.

A record that cannot be read, that contradicts itself or the match, or that stops too early supports no
reported result: it is rejected with all problems found (422). A doubtful record (points, score and players
fit, its plays do not fit each other) is stored with the report and confirms nothing: a person has to look. A
valid one that ends with another score than reported is stored with the report and makes it a dispute; a valid
one without any problem may confirm the match alone, if the stage allows that. Where points were awarded
without a game during the match (rule F10), a record cannot know the score: it is stored with the result and
decides nothing, unless it agrees with the result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from faults import Fault, Invalid
from games.records.checking import CheckResult, Unreadable
from games.records.errors import UnreadableRecord
from games.records.findings import Finding, Severity
from games.records.model import Record
from games.records.registry import read_record
from games.records.validation import ExpectedMatch, VerdictDecision, are_sides_swapped
from games.services.checking import check_with_limits
from people.audience import Audience, override_audience
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import AWARD_RULES, awards_from_json
from tournaments.engine.types import Claim, Score, Side
from tournaments.models import Match, MatchSlot
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.records import earlier_records
from tournaments.selectors.seats import players_by_seat, side_name

_UNKNOWN_PLAYERS_CODE: Final = "expected.players"  # the finding that names the expected players
MAX_EARLIER_RECORDS: Final = 3  # records of a player that are searched for names


@dataclass(frozen=True, slots=True)
class Upload:
    """A submitted file.

    ``left``: the side of the match that is the left player of the record; None if the names decide.
    """

    content: bytes
    filename: str
    left: Side | None = None


@dataclass(frozen=True, slots=True)
class RecordEvidence:
    """A finished game record of this match that can support a reported result.

    ``left``: the side that is the record's left player; ``claim``: the result at the end of the record;
    ``has_reliable_score``: False if points were awarded during the match, which the record cannot know.
    """

    upload: Upload
    checked: CheckResult
    left: Side
    claim: Claim
    has_reliable_score: bool = True

    @property
    def is_clean(self) -> bool:
        return self.checked.verdict.decision is VerdictDecision.ACCEPT

    @property
    def is_doubtful(self) -> bool:
        return self.checked.verdict.is_doubtful

    @property
    def format(self) -> str:
        return self.checked.record.format if self.checked.record is not None else ""


def read_evidence(match: Match, upload: Upload) -> RecordEvidence:
    """Check the uploaded record and return it as evidence for the result of ``match``.

    Raises ``Invalid`` (422) with every reason if the record cannot be used.
    """
    check_result = check_upload(match, upload)
    verdict = check_result.verdict
    if check_result.unreadable is not None:
        raise Invalid(faults=[_unreadable_fault(check_result.unreadable)])
    has_awards = _has_awarded_points(match)
    is_finished = verdict.complete or has_awards
    is_usable = verdict.is_acceptable or verdict.is_doubtful
    if not is_usable or not is_finished or verdict.expected_score is None:
        findings = [f for f in verdict.findings if f.severity is not Severity.NOTE] or list(verdict.findings)
        game_numbers = check_result.record.game_numbers if check_result.record is not None else ()
        raise Invalid(
            faults=[_finding_fault(finding, game_numbers) for finding in findings]
            or [Fault("record.incomplete", "record")]
        )
    score = verdict.expected_score
    left = upload.left or (Side.B if verdict.is_swapped else Side.A)
    if upload.left is Side.B:
        score = (score[1], score[0])
    return RecordEvidence(
        upload=upload, checked=check_result, left=left, claim=Claim(*score), has_reliable_score=not has_awards
    )


def _unreadable_fault(unreadable: Unreadable) -> Fault:
    """Return the error for a file that cannot be read as a game record.

    ``params`` has the reason and its place in the file.
    """
    params = {
        "reason": unreadable.code,
        "line": unreadable.place.line,
        "column": unreadable.place.column,
        "details": unreadable.params,
    }
    return Fault("record.unreadable", "record", params)


def _finding_fault(finding: Finding, game_numbers: Sequence[int]) -> Fault:
    """Return the error for one problem found in a record, with its place; games have the file's numbers."""
    params = {
        "finding": finding.code,
        "game": game_numbers[finding.game - 1] if 0 < finding.game <= len(game_numbers) else finding.game,
        "turn": finding.turn,
        "line": finding.line,
        "column": finding.column,
        "details": finding.params,
    }
    return Fault("record.refused", "record", params)


def check_upload(match: Match, upload: Upload) -> CheckResult:
    """Check any file against ``match``, to show the result before a report. Never raises for a bad record."""
    names = full_side_names(match)
    check_result = _check_with_names(match, upload, names)
    if upload.left is None and _has_unknown_names(check_result):
        known_names = {side: (*names[side], *earlier_record_names(match, side)) for side in Side}
        if known_names != names:
            check_result = _check_with_names(match, upload, known_names)
        return _with_visible_names(match, check_result)
    return check_result


def _with_visible_names(match: Match, check_result: CheckResult) -> CheckResult:
    """Return ``check_result`` with only those expected players' names that the current reader may see."""
    visible_names = visible_side_names(match)
    findings = tuple(
        replace(
            finding, params={**finding.params, "expected": (visible_names[Side.A], visible_names[Side.B])}
        )
        if finding.code == _UNKNOWN_PLAYERS_CODE
        else finding
        for finding in check_result.verdict.findings
    )
    return replace(check_result, verdict=replace(check_result.verdict, findings=findings))


def _check_with_names(match: Match, upload: Upload, names: Mapping[Side, tuple[str, ...]]) -> CheckResult:
    return check_with_limits(
        upload.content,
        upload.filename,
        match_format(match.stage, match.length),
        ExpectedMatch(
            length=match.length,
            players=None if upload.left is not None else (names[Side.A], names[Side.B]),
            finished=True,
            possible_starts=_start_scores(match, upload.left or Side.A),
            has_awarded_points=_has_awarded_points(match),
            slips=match.stage.settings.conduct.slips,
        ),
    )


def _has_unknown_names(check_result: CheckResult) -> bool:
    return any(finding.code == _UNKNOWN_PLAYERS_CODE for finding in check_result.verdict.findings)


def earlier_record_names(match: Match, side: Side) -> tuple[str, ...]:
    """Return the names under which a side's player appears in earlier records.

    Only records of confirmed matches are read in which it is known who the left player is. The names are not
    stored separately: they go when those records are deleted, and follow a merged player.
    """
    names: list[str] = []
    for content, filename, left in earlier_records(match, side, MAX_EARLIER_RECORDS):
        try:
            players = read_record(content, filename).record.players
        except UnreadableRecord:
            continue
        names.append(players[0] if left else players[1])
    return tuple(dict.fromkeys(name for name in names if name.strip()))


def _start_scores(match: Match, left: Side) -> tuple[tuple[int, int], ...]:
    """Return the scores at which a record may begin, each as a pair with the points of side ``left`` first.

    They are the start of the match, and its adjournment if there was one.
    """
    scores = [Score(match.start_a, match.start_b)]
    if (adjourned := Adjournment.of(match.adjourned)) is not None:
        scores.append(adjourned.score)
    return tuple((score.of(left), score.of(left.other)) for score in scores)


def _has_awarded_points(match: Match) -> bool:
    """Return whether points were awarded to a side during the match, without a game."""
    return any(AWARD_RULES[award.why].is_allowed_mid_match for award in awards_from_json(match.awards))


def full_side_names(match: Match) -> dict[Side, tuple[str, ...]]:
    """Return the full names that a record may give each side: names of the entry and of its players."""
    with override_audience(Audience.FULL):
        return visible_side_names(match)


def visible_side_names(match: Match) -> dict[Side, tuple[str, ...]]:
    """Return the names of each side (entry and players) that the current reader may see."""
    names: dict[Side, list[str]] = {Side.A: [], Side.B: []}
    for side, name in MatchSlot.objects.filter(match=match).values_list("side", side_name()):
        if name:
            names[Side(side)].append(name)
    for (_match, seat_side), players in players_by_seat([match.pk]).items():
        names[seat_side] += [player.name for player in players if player.name not in names[seat_side]]
    return {side: tuple(side_names) for side, side_names in names.items()}


def can_read_names(match: Match) -> bool:
    """Return whether the current reader may see the names of all players of the match."""
    return full_side_names(match) == visible_side_names(match)


def redacted_record(match: Match, record: Record, left: Side | None = None) -> Record:
    """Return ``record`` with only those players' names that the current reader may see.

    ``left``: the side that is the left player; None if only the names can tell. If any visible name differs
    from the full one, the header lines of the record are removed too, because they give persons and place.
    """
    visible_names = visible_side_names(match)
    full_names = full_side_names(match)
    if left is None:
        swapped = are_sides_swapped(record.players, (full_names[Side.A], full_names[Side.B]))
        left = None if swapped is None else Side.B if swapped else Side.A
    all_visible = visible_names == full_names
    if left is None:
        return record if all_visible else replace(record, players=("", ""), tags=())
    seats = ("".join(visible_names[left][:1]), "".join(visible_names[left.other][:1]))
    return replace(record, players=seats, tags=record.tags if all_visible else ())
