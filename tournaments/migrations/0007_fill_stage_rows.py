"""What the bags ``options`` and ``next_round`` hold of a stage that is played in rounds becomes rows, and back again."""

from collections import defaultdict
from datetime import date
from itertools import chain
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TOGETHER = 500  # stages that are read, and rows that are written, at once
IN_ROUNDS = ("swiss", "round_robin", "double_round_robin")


def of_entries(bag: dict[str, Any], coming: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The columns of each entry of a stage, in the order in which the bag names them."""
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    groups = bag.get("groups") or [bag.get("order") or []]
    for number, group in enumerate(groups, start=1):
        for place, entry in enumerate(group, start=1):
            found[entry] |= {"group": number, "place": place}
    for entry in bag.get("struck") or ():
        found[entry]["is_struck"] = True
    for name, values in (("play_off", bag.get("play_off")), ("rest_points", coming.get("rests"))):
        for entry, value in (values or {}).items():
            found[int(entry)][name] = value
    return dict(found)


def of_pairs(bag: dict[str, Any], coming: dict[str, Any]) -> list[dict[str, Any]]:
    """Who is kept apart, then who changes places in the round to come."""
    apart = [
        {"first_id": min(a, b), "second_id": max(a, b), "kind": kind} for a, b, kind in bag.get("pairs") or ()
    ]
    swaps = [
        {"first_id": a, "second_id": b, "kind": "swap", "position": position}
        for position, (a, b) in enumerate(coming.get("swaps") or (), start=1)
    ]
    return [*apart, *swaps]


def unpack(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Bags into rows. An entry that is there no more is named by no row."""
    stages = apps.get_model("tournaments", "Stage").objects.filter(system__in=IN_ROUNDS)
    for some in _in_parts(sorted(stages.values_list("pk", flat=True))):
        _unpack(apps, list(stages.filter(pk__in=some).only("pk", "options", "next_round")))


def _unpack(apps: Apps, stages: list[Any]) -> None:
    of_stage, pair_wish, plan, entry, round_ = (
        apps.get_model("tournaments", name)
        for name in ("StageEntry", "PairWish", "RoundPlan", "Entry", "Round")
    )
    entries = {stage.pk: of_entries(stage.options, stage.next_round) for stage in stages}
    pairs = {stage.pk: of_pairs(stage.options, stage.next_round) for stage in stages}
    named = {*chain.from_iterable(entries.values())}
    named |= {pair[side] for some in pairs.values() for pair in some for side in ("first_id", "second_id")}
    there: set[int] = set()
    for some in _in_parts(sorted(named)):
        there.update(entry.objects.filter(pk__in=some).values_list("pk", flat=True))
    of_stage.objects.bulk_create(
        [
            of_stage(stage_id=pk, entry_id=one, **columns)
            for pk, found in entries.items()
            for one, columns in found.items()
            if one in there
        ],
        batch_size=TOGETHER,
    )
    pair_wish.objects.bulk_create(
        [
            pair_wish(stage_id=pk, **pair)
            for pk, found in pairs.items()
            for pair in found
            if {pair["first_id"], pair["second_id"]} <= there
        ],
        batch_size=TOGETHER,
    )
    plan.objects.bulk_create(
        [
            plan(stage=stage, number=int(number), deadline=date.fromisoformat(day))
            for stage in stages
            for number, day in (stage.options.get("deadlines") or {}).items()
        ],
        batch_size=TOGETHER,
    )
    for stage in stages:
        for number, swaps in (stage.options.get("swaps") or {}).items():
            round_.objects.filter(stage=stage, number=int(number)).update(swaps=swaps)
    seeded = [stage for stage in stages if stage.next_round.get("seed")]
    for stage in seeded:
        stage.next_seed = stage.next_round["seed"]
    apps.get_model("tournaments", "Stage").objects.bulk_update(seeded, ["next_seed"], batch_size=TOGETHER)


def pack(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rows into bags, as the release before reads them."""
    stages = apps.get_model("tournaments", "Stage").objects.filter(system__in=IN_ROUNDS)
    for stage in list(stages):
        bag, coming = stage.options, {"seed": stage.next_seed} if stage.next_seed else {}
        rows = list(stage.stage_entries.order_by("group", "place", "pk"))
        groups: dict[int, list[int]] = defaultdict(list)
        for row in rows:
            if row.group is not None:
                groups[row.group].append(row.entry_id)
        if groups:
            bag["order"] = [entry for group in groups.values() for entry in group]
            bag["groups"] = list(groups.values()) if len(groups) > 1 else []
        bag["struck"] = [row.entry_id for row in rows if row.is_struck]
        bag["play_off"] = {str(row.entry_id): row.play_off for row in rows if row.play_off is not None}
        coming["rests"] = {str(row.entry_id): row.rest_points for row in rows if row.rest_points is not None}
        pairs = list(stage.pair_wishes.order_by("position", "pk"))
        bag["pairs"] = [[p.first_id, p.second_id, p.kind] for p in pairs if p.kind != "swap"]
        coming["swaps"] = [[p.first_id, p.second_id] for p in pairs if p.kind == "swap"]
        bag["swaps"] = {str(one.number): one.swaps for one in stage.rounds.all() if one.swaps}
        bag["deadlines"] = {str(one.number): one.deadline.isoformat() for one in stage.round_plans.all()}
        stage.options = {name: value for name, value in bag.items() if value or name not in BAGGED}
        stage.next_round = {name: value for name, value in coming.items() if value}
        stage.save(update_fields=["options", "next_round"])


BAGGED = ("struck", "play_off", "pairs", "swaps", "deadlines")


def _in_parts(some: list[int]) -> Any:
    return (some[at : at + TOGETHER] for at in range(0, len(some), TOGETHER))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_stage_rows")]

    operations = [migrations.RunPython(unpack, pack, elidable=True)]
