"""An event that is over, with one match whose analysis holds blunders of each kind."""

from games.models import AnalysedDecision
from tests.factories import an_event
from tests.support.analysed import a_played_match, analysed


def an_event_with_blunders():
    """The night, finished, and its analysed match; ``match.tokens`` are the links of its players."""
    tournament = an_event(4, lengths=[5]).publish()
    match = a_played_match(tournament)
    row = analysed()
    tournament.play_out()
    tournament.fresh()
    return tournament, match, row


def worst_of(row, most=5):
    """The largest blunders that count."""
    found = AnalysedDecision.objects.filter(analysis=row, counts=True, lost__gte=0.08).order_by("-lost", "pk")
    return list(found[:most])
