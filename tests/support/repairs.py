"""What tests of repairs compare: an event as it stands, without versions, times and names of ledger rows."""

from rating.models import Fact, FactKind
from tests.factories import Tournament
from tournaments.models import Entry, EntryPlayer, Match, MatchSlot, Report, Stage
from tournaments.selectors.arranged import entries_with_cancelled_results


def standing_facts() -> list[tuple[object, ...]]:
    """Results in the ledger that have not been taken back."""
    rows = Fact.objects.filter(later__isnull=True).exclude(kind=FactKind.VOID)
    told = ("winner_id", "loser_id", "length", "winner_score", "loser_score", "result_kind", "played_at")
    return sorted(rows.values_list(*told))


def state_of(tournament: Tournament) -> dict[str, object]:
    """Statuses, results, slots, what stands of what was said, entries and their players, and the ledger."""
    stages = Stage.objects.filter(division__event=tournament.event)
    matches = Match.objects.filter(stage__in=stages)
    told = (
        "stage_id", "number", "status", "length", "result_kind", "winner_side", "score_a", "score_b", "start_a",
        "start_b", "called_at", "started_at", "played_at", "round__length",
    )  # fmt: skip
    slots = MatchSlot.objects.filter(match__in=matches)
    live = Report.objects.filter(match__in=matches, state__in=["open", "confirmed"])
    entries = Entry.objects.filter(division__event=tournament.event)
    return {
        "event": tournament.fresh().status,
        "stages": sorted(stages.values_list("pk", "status")),
        "struck": [list(entries_with_cancelled_results(stage)) for stage in stages.order_by("pk")],
        "matches": sorted(matches.order_by("pk").values_list(*told)),
        "slots": sorted(
            slots.values_list("match__number", "side", "entry_id", "by_hand", "has_won", "match__stage_id")
        ),
        "reports": sorted(
            live.values_list("match__number", "state", "kind", "score_a", "score_b", "match__stage_id")
        ),
        "entries": sorted(entries.values_list("pk", "name", "status", "seed")),
        "players": sorted(
            EntryPlayer.objects.filter(entry__in=entries).values_list("entry_id", "player_id", "attempt")
        ),
        "ledger": standing_facts(),
    }
