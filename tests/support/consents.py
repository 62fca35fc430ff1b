"""Players who have agreed."""

from tournaments.models import EntryDetail, EntryPlayer, Event


def everybody_agrees(event: Event, reply: str = "yes", kind: str = "record") -> None:
    """All who are entered say so, by whatever way."""
    for row in EntryPlayer.objects.filter(division__event=event):
        EntryDetail.objects.update_or_create(
            entry_id=row.entry_id, player_id=row.player_id, defaults={kind: reply}
        )
