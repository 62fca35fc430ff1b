"""A match that was played and confirmed with its games handed in, and what an engine might make of them."""

from games.models import RecordAnalysis, StoredRecord
from games.services.analyses import load_record
from tests.factories import Tournament, an_event
from tests.support import handed_in
from tests.support.handed_in import games_of, keep_thoughts
from tournaments.engine.types import Side
from tournaments.models import Match
from tournaments.selectors.access.links import entry_token

State = RecordAnalysis.State


def a_played_match(tournament: Tournament | None = None) -> Match:
    """The first match of a club night, confirmed; ``tokens`` are the personal links of its sides."""
    if tournament is None:
        tournament = an_event(4, lengths=[5])
        tournament.publish()
    match = tournament.playable()[0]
    games_of(tournament, match)
    match = Match.objects.get(pk=match.pk)
    match.tokens = [entry_token(tournament.entry_at(match, side)) for side in Side]
    return match


def analysed(state=State.DONE, **more) -> RecordAnalysis:
    """The one record that there is, analysed."""
    stored = StoredRecord.objects.get()
    found = load_record(stored)
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
        keep_thoughts(row, found)
    return row


def agree(match: Match, **replies: str) -> None:
    """Both players answer by their links."""
    for side in Side:
        handed_in.agree(match, side, **replies)
