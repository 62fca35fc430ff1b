"""Matches whose games were handed in and analysed: the sums are whatever a test wants."""

from __future__ import annotations

from django.test import Client

from games.models import AnalysedSide, RecordAnalysis, StoredRecord
from games.records.summing import MatchSum, SideSum
from games.rules.sides import Side as GameSide
from games.services.sums import sides_of
from tests.factories import Night
from tests.permissions.world import a_record
from tournaments.engine.types import Side
from tournaments.matches.services.records import Upload, read_for_match
from tournaments.models import Entry, Match, Report
from tournaments.selectors.access.links import entry_token


def hand_in(night: Night, match: Match, seed: int = 1) -> StoredRecord:
    """The match is confirmed by both, and its games come with the result."""
    names = (night.entry_at(match, side).name for side in Side)
    upload = Upload(a_record(*names, seed=seed, length=match.length), "match.mat")
    claim = read_for_match(match, upload).claim
    for who in (Side.A, None):
        night.says(match, who, claim.score_a, claim.score_b, **({"record": upload} if who else {}))
    stored = Report.objects.filter(match=match).exclude(record=None).latest("pk").record
    assert stored is not None
    return stored


def sums(decisions: int = 150, lost: float = 1.5, **more: object) -> SideSum:
    """Of one side; the rating is 500 × lost / decisions."""
    return SideSum(5, checker_counted=decisions, checker_lost=lost, **more)  # type: ignore[arg-type]


def analysed_as(
    stored: StoredRecord, white: SideSum, black: SideSum, *, swing: float | None = 2.0, **more: object
) -> RecordAnalysis:
    """A finished analysis that came to these sums."""
    about = {"engine": "gnubg", "version": "9.9", "level": "2-ply", "rates": True, "length": 5, **more}
    row = RecordAnalysis.objects.create(record=stored, state=RecordAnalysis.State.DONE, swing=swing, **about)
    found = MatchSum({GameSide.WHITE: white, GameSide.BLACK: black}, swing)
    AnalysedSide.objects.bulk_create(sides_of(row, found))
    return row


def agree(match: Match, side: Side, **replies: str) -> None:
    """The player of a side says on their own page what they agree to."""
    entry = Entry.objects.get(slots__match=match, slots__side=side)
    data = {"player": entry.players.get().public_id, **replies}
    assert Client().post(f"/my/{entry_token(entry)}/agreements/", data).status_code == 302


def all_agree(match: Match) -> None:
    for side in Side:
        agree(match, side, record="yes", analysis="yes")
