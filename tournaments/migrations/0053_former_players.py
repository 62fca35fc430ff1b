"""Each match keeps the players who played it, also after another player took over its entry “from now on”.

Existing take-overs are read from the audit log, the last one first. A match that was over then belongs to the players of that time; where
the rating ledger says who played it, to these. A match of which neither says anything keeps the players that its entry has today.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

PAGE = 500


def read_take_overs(apps: Any, _schema: object) -> None:
    rows = apps.get_model("people", "AuditEntry").objects.filter(
        action="entry.change_player", undone_by=None, data__from_now=True
    )
    places: dict[int, dict[int, Any]] = {}  # by entry and place (row): who sat there, going back in time
    for row in rows.order_by("-pk").iterator(PAGE):
        for pk, before in row.data.get("undo", {}).get("entries", {}).items():
            _take_over(apps, int(pk), before, row.at, places)


def _take_over(apps: Any, pk: int, before: Any, at: Any, places: dict[int, dict[int, Any]]) -> None:
    of = lambda name: apps.get_model("tournaments", name).objects  # noqa: E731
    entry = of("Entry").filter(pk=pk).first()
    if entry is None or not before.get("players"):
        return
    if pk not in places:
        own = of("EntryPlayer").filter(entry=pk)
        places[pk] = {place.pk: (place.player_id, place.position) for place in own}
    now = dict(places[pk])
    for place, player, *_attempt in before["players"]:
        if place in places[pk]:
            places[pk][place] = (_merged(apps, player), places[pk][place][1])
    then = places[pk]
    if then == now:
        return
    slots = of("MatchSlot").filter(entry=pk, former=None, match__status__in=["confirmed", "void"])
    played = [
        slot.pk
        for slot in slots.select_related("match")
        if _was_played_by(apps, slot, at, {p for p, _ in then.values()}, {p for p, _ in now.values()})
    ]
    if not played:
        return
    lineup = of("FormerLineup").create(entry=entry, name=before["name"])
    of("FormerPlayer").bulk_create(
        apps.get_model("tournaments", "FormerPlayer")(lineup=lineup, player_id=player, position=position)
        for player, position in then.values()
    )
    of("MatchSlot").filter(pk__in=played).update(former=lineup)
    of("Entry").filter(pk=pk).update(changed_hands=True)


def _was_played_by(apps: Any, slot: Any, at: Any, then: set[int], now: set[int]) -> bool:
    """Whether the match was over when the present players (``now``) took over from those before."""
    match = slot.match
    facts = apps.get_model("rating", "Fact").objects.filter(
        source_key__startswith=f"match:{match.public_id}:", later=None
    )
    for winner, loser in facts.exclude(winner=None).values_list("winner_id", "loser_id"):
        player = _merged(apps, winner if match.winner_side == slot.side else loser)
        if player in then ^ now:
            return player in then
    return match.confirmed_at is not None and match.confirmed_at < at


def _merged(apps: Any, player: int) -> int:
    players = apps.get_model("people", "Player").objects
    while (into := players.filter(pk=player).values_list("merged_into_id", flat=True).first()) is not None:
        player = into
    return player


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0024_club_events_listed_from"),
        ("rating", "0011_import_same_players"),
        ("tournaments", "0051_push_device"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="changed_hands",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name="FormerLineup",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=160, verbose_name="name")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_lineups",
                        to="tournaments.entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "former lineup",
                "verbose_name_plural": "former lineups",
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="matchslot",
            name="former",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="slots",
                to="tournaments.formerlineup",
            ),
        ),
        migrations.CreateModel(
            name="FormerPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("position", models.PositiveSmallIntegerField(default=1)),
                (
                    "lineup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_players",
                        to="tournaments.formerlineup",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="former_players",
                        to="people.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "former player of an entry",
                "verbose_name_plural": "former players of entries",
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("lineup", "position"), name="formerplayer_position_once"),
                    models.UniqueConstraint(fields=("lineup", "player"), name="formerplayer_player_once"),
                ],
            },
        ),
        migrations.RunPython(read_take_overs, migrations.RunPython.noop),
    ]
