"""A match that was played and confirmed with its games handed in, and what an engine might make of them."""

from random import Random

from django.test import Client

from games.models import AnalysedDecision, AnalysedSide, RecordAnalysis, StoredRecord
from games.records.summing import summed
from games.services.analyses import read, rows_of
from games.services.sums import sides_of
from tests.factories import Night, an_event
from tests.permissions.world import a_record
from tests.support.analyses import random_analysis
from tournaments.engine.types import Side
from tournaments.matches.services.records import Upload, read_for_match
from tournaments.models import Entry, Match
from tournaments.selectors.access.links import entry_token

State = RecordAnalysis.State


def a_played_match(night: Night | None = None) -> Match:
    """The first match of a club night, confirmed; ``tokens`` are the personal links of its sides."""
    if night is None:
        night = an_event(4, lengths=[5])
        night.publish()
    match = night.playable()[0]
    upload = Upload(a_record(*(night.entry_at(match, side).name for side in Side)), "match.mat")
    claim = read_for_match(match, upload).claim
    for who in (Side.A, None):
        night.says(match, who, claim.score_a, claim.score_b, **({"record": upload} if who else {}))
    match = Match.objects.get(pk=match.pk)
    match.tokens = [entry_token(night.entry_at(match, side)) for side in Side]
    return match


def analysed(state=State.DONE, **more) -> RecordAnalysis:
    """The one record that there is, analysed."""
    stored = StoredRecord.objects.get()
    found = read(stored)
    row = RecordAnalysis.objects.create(
        record=stored,
        engine="gnubg",
        version="9.9",
        level="2-ply",
        rates=True,
        state=state,
        games=len(found.replay.games),
        **more,
    )
    if state == State.DONE:
        thoughts = random_analysis(Random(1), found.record)
        AnalysedDecision.objects.bulk_create(rows_of(row, thoughts, found.replay))
        AnalysedSide.objects.bulk_create(sides_of(row, summed(thoughts, found.replay)))
    return row


def agree(match: Match, **replies: str) -> None:
    """Both players answer by their links."""
    entries = Entry.objects.filter(slots__match=match).order_by("slots__side")
    for token, entry in zip(match.tokens, entries, strict=True):
        data = {"player": entry.players.get().public_id, **replies}
        assert Client().post(f"/my/{token}/agreements/", data).status_code == 302
