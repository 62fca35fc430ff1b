"""Matches whose games were handed in, and what a worker would make of them, by chance."""

from __future__ import annotations

from random import Random

from django.test import Client

from games.models import AnalysedDecision, AnalysedSide, RecordAnalysis, StoredRecord
from games.records.summing import summarize_match
from games.services.analyses import LoadedRecord, decision_rows, load_record
from games.services.sums import side_rows
from tests.factories import Tournament
from tests.permissions.world import a_record
from tests.support.analyses import random_analysis
from tournaments.engine.types import Side
from tournaments.matches.services.records import Upload, read_evidence
from tournaments.models import Entry, Match, Report
from tournaments.selectors.access.links import entry_token


def games_of(tournament: Tournament, match: Match, seed: int = 1) -> StoredRecord:
    """The match is confirmed by both, and its games come with the result."""
    names = (tournament.entry_at(match, side).name for side in Side)
    upload = Upload(a_record(*names, seed=seed, length=match.length), "match.mat")
    claim = read_evidence(match, upload).claim
    for who in (Side.A, None):
        tournament.says(match, who, claim.score_a, claim.score_b, **({"record": upload} if who else {}))
    stored = Report.objects.filter(match=match).exclude(record=None).latest("pk").record
    assert stored is not None
    return stored


def thought_over(stored: StoredRecord) -> RecordAnalysis:
    """A finished analysis of it; the one that was asked for, if one was."""
    found = load_record(stored)
    about = {"engine": "gnubg", "version": "9.9", "level": "2-ply"}
    row, _made = RecordAnalysis.objects.get_or_create(record=stored, **about)
    RecordAnalysis.objects.filter(pk=row.pk).update(
        state=RecordAnalysis.State.DONE, rates=True, length=found.replay.form.length
    )
    row.refresh_from_db()
    keep_thoughts(row, found)
    return row


def keep_thoughts(row: RecordAnalysis, found: LoadedRecord) -> None:
    """What the engine thinks, by chance: decisions and their sums."""
    thoughts = random_analysis(Random(1), found.record)
    AnalysedDecision.objects.bulk_create(decision_rows(row, thoughts, found.replay))
    AnalysedSide.objects.bulk_create(side_rows(row, summarize_match(thoughts, found.replay)))


def agree(match: Match, side: Side, **replies: str) -> None:
    """The player of a side says on their own page what they agree to."""
    entry = Entry.objects.get(slots__match=match, slots__side=side)
    data = {"player": entry.players.get().public_id, **replies}
    assert Client().post(f"/my/{entry_token(entry)}/agreements/", data).status_code == 302


def all_agree(match: Match) -> None:
    """Both say on their own pages that everybody may see games and analysis."""
    for side in Side:
        agree(match, side, record="yes", analysis="yes")
