"""What decides the weight of a division in lists of master points."""

from tournaments.models import Division


def division_rank(division: Division) -> int:
    """1 for the first division of single players in the event, 2 for the second, and so on."""
    if division.position == 1:
        return 1
    above = Division.objects.filter(
        event_id=division.event_id, team_size=1, position__lt=division.position
    ).count()
    return above + 1
