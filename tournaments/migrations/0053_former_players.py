"""Each match keeps the players who played it, also after another player took over its entry “from now on”.

Existing take-overs are read from the audit log, the last one first. A match that was over then belongs to the players of that time; where
the rating ledger says who played it, to these. A match of which neither says anything keeps the players that its entry has today.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

PAGE = 500
OVER = ("confirmed", "void")
VOID = 3  # a fact that takes another back


def read_take_overs(apps: Any, _schema: object) -> None:
    rows = apps.get_model("people", "AuditEntry").objects.filter(
        action="entry.change_player", undone_by=None, data__from_now=True
    )
    places: dict[int, dict[int, tuple[int, int]]] = {}  # by entry and place: player and position, going back in time
    for row in rows.order_by("-pk").iterator(PAGE):
        entries = row.data.get("undo", {}).get("entries", {})
        for pk, before in entries.items():
            _take_over(apps, int(pk), before, row.at, places)
    # Of a take-over before any of its matches was over an earlier one told who played them.
    apps.get_model("tournaments", "FormerLineup").objects.filter(slots=None).delete()


def read_ledger(apps: Any, _schema: object) -> None:
    """In events with a changed player: where the ledger rates another player than the entry has, that one sat there."""
    changes = apps.get_model("people", "AuditEntry").objects.filter(action="entry.change_player")
    for scope in changes.order_by("scope").values_list("scope", flat=True).distinct():
        event = int(scope.partition(":")[2])
        rated = _rated_in(apps, event)
        slots = apps.get_model("tournaments", "MatchSlot").objects.filter(
            match__stage__division__event=event, match__status__in=OVER, entry__division__team_size=1
        )
        for slot in slots.order_by("pk"):
            if (slot.match_id, slot.side) in rated:
                _sat(apps, slot, rated[slot.match_id, slot.side])


def _sat(apps: Any, slot: Any, player: int) -> None:
    lineups = apps.get_model("tournaments", "FormerLineup").objects
    sat = apps.get_model("tournaments", "FormerPlayer").objects
    now = apps.get_model("tournaments", "EntryPlayer").objects.filter(entry=slot.entry_id, player=player)
    if sat.filter(lineup=slot.former_id, player=player).exists() if slot.former_id else now.exists():
        return
    lineup = None
    if not now.exists():
        lineup = lineups.filter(entry=slot.entry_id, former_players__player=player).first()
        if lineup is None:
            name = apps.get_model("people", "Player").objects.get(pk=player).name
            lineup = lineups.create(entry_id=slot.entry_id, name=name)
            sat.create(lineup=lineup, player_id=player)
            apps.get_model("tournaments", "Entry").objects.filter(pk=slot.entry_id).update(changed_hands=True)
    apps.get_model("tournaments", "MatchSlot").objects.filter(pk=slot.pk).update(former=lineup)


def _rated_in(apps: Any, event: int) -> dict[tuple[int, str], int]:
    """The player that the ledger rates, by match and side."""
    reports = apps.get_model("tournaments", "Report").objects.filter(
        match__stage__division__event=event, state="confirmed"
    )
    finals = {
        f"match:{public_id}:{version}": (match, winner)
        for match, public_id, winner, version in reports.values_list(
            "match_id", "match__public_id", "match__winner_side", "version"
        )
    }
    found: dict[tuple[int, str], int] = {}
    keys = list(finals)
    for start in range(0, len(keys), PAGE):
        facts = apps.get_model("rating", "Fact").objects.filter(
            source_key__in=keys[start : start + PAGE], later=None, winner__isnull=False, loser__isnull=False
        )
        for key, winner, loser in facts.exclude(kind=VOID).values_list("source_key", "winner_id", "loser_id"):
            match, side = finals[key]
            found[match, side] = _merged(apps, winner)
            found[match, "b" if side == "a" else "a"] = _merged(apps, loser)
    return found


def _take_over(
    apps: Any, pk: int, before: Any, at: Any, places: dict[int, dict[int, tuple[int, int]]]
) -> None:
    entry = apps.get_model("tournaments", "Entry").objects.filter(pk=pk).select_related("division").first()
    if entry is None or not before.get("players"):
        return
    if pk not in places:
        own = apps.get_model("tournaments", "EntryPlayer").objects.filter(entry=pk)
        places[pk] = {place.pk: (place.player_id, place.position) for place in own}
    now = dict(places[pk])
    for place, player, *_attempt in before["players"]:
        if place in now:
            places[pk][place] = (_merged(apps, player), now[place][1])
    then = set(places[pk].values())
    others = {player for player, _position in then ^ set(now.values())}
    rated = _rated_in(apps, entry.division.event_id) if entry.division.team_size == 1 else {}
    # Those before an earlier take-over are told by its row, which is read later.
    slots = apps.get_model("tournaments", "MatchSlot").objects.filter(entry=pk, match__status__in=OVER)
    played = []
    for slot in slots.select_related("match"):
        player = rated.get((slot.match_id, slot.side))
        confirmed = slot.match.confirmed_at
        if player in others:
            is_theirs = player in {one for one, _position in then}
        else:
            is_theirs = confirmed is not None and confirmed < at
        if is_theirs:
            played.append(slot.pk)
    if not others or not played:
        return
    lineup = apps.get_model("tournaments", "FormerLineup").objects.create(entry=entry, name=before["name"])
    model = apps.get_model("tournaments", "FormerPlayer")
    model.objects.bulk_create(
        model(lineup=lineup, player_id=player, position=position) for player, position in sorted(then)
    )
    apps.get_model("tournaments", "MatchSlot").objects.filter(pk__in=played).update(former=lineup)
    apps.get_model("tournaments", "Entry").objects.filter(pk=pk).update(changed_hands=True)


def _merged(apps: Any, player: int) -> int:
    players = apps.get_model("people", "Player").objects
    while (into := players.filter(pk=player).values_list("merged_into_id", flat=True).first()) is not None:
        player = into
    return player


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0024_club_events_listed_from"),
        ("rating", "0011_import_same_players"),
        ("tournaments", "0052_public_randomness"),
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
        migrations.RunPython(read_ledger, migrations.RunPython.noop),
    ]
