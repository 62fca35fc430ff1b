"""Rank of a division within its event, which decides its weight in lists of master points."""

from django.db.models import F, Func, IntegerField, OuterRef, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from tournaments.models import Division


def division_rank(division: Division) -> int:
    """Return 1 plus the number of divisions of single players before this division in its event."""
    if division.position == 1:
        return 1
    higher_count = Division.objects.filter(
        event_id=division.event_id, team_size=1, position__lt=division.position
    ).count()
    return higher_count + 1


def division_rank_expression(division: str) -> Combinable:
    """Return ``division_rank`` as an expression for queries; ``division``: lookup path to the division."""
    higher_divisions = Division.objects.filter(
        event=OuterRef(f"{division}__event"), team_size=1, position__lt=OuterRef(f"{division}__position")
    )
    rank_rows = higher_divisions.order_by().annotate(rank=Func(F("pk"), function="COUNT")).values("rank")
    return Coalesce(Subquery(rank_rows, output_field=IntegerField()), 0) + 1
