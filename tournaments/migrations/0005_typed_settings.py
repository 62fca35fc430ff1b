"""What a director sets for a stage moves from the common bag ``options`` into a column of its own, with a version."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TOGETHER = 500  # stages
CONDUCT = ("lateness", "clocks", "rated")
SWISS = (
    *("rounds", "tie_breaks", "bye_points", "late_points", "clubs", "parties"),
    *("lives", "group_count", "all_at_once", "prizes"),
)
BRACKET = ("third_place", "recharge", "flights", "apart", "prizes")
OWN = {
    "swiss": SWISS,
    "round_robin": SWISS,
    "double_round_robin": SWISS,
    "single_elimination": BRACKET,
    "double_elimination": BRACKET,
    "money": ("jacoby", "beavers", "raccoons", "automatic_doubles", "min_sessions"),
}


def typed(system: str, bag: dict[str, Any]) -> dict[str, Any]:
    """The settings of a stage as version 1 keeps them."""
    return {
        "v": 1,
        "own": {name: bag[name] for name in OWN.get(system, ()) if name in bag},
        "conduct": {name: bag[name] for name in CONDUCT if name in bag},
    }


def settled(bag: dict[str, Any]) -> int | None:
    """How many rounds there are, where a schedule was drawn or the director has ended the stage."""
    return bag.get("rounds") if bag.get("ended") or bag.get("order") else None


def read_the_bag(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Every key to where it belongs; so many stages at once."""
    stages = apps.get_model("tournaments", "Stage").objects
    keys = sorted(stages.values_list("pk", flat=True))
    for at in range(0, len(keys), TOGETHER):
        some = list(stages.filter(pk__in=keys[at : at + TOGETHER]).only("pk", "system", "options"))
        for stage in some:
            stage.kept_settings = typed(stage.system, stage.options)
            stage.rounds_settled = settled(stage.options)
        stages.bulk_update(some, ["kept_settings", "rounds_settled"])


def fill_the_bag(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Back into the bag, as the release before reads it."""
    stages = apps.get_model("tournaments", "Stage").objects.all()
    for stage in list(stages):
        kept = stage.kept_settings
        stage.options = {**stage.options, **kept.get("own", {}), **kept.get("conduct", {})}
        if stage.rounds_settled is not None:
            stage.options |= {"rounds": stage.rounds_settled, "ended": not stage.options.get("order")}
        if not stage.options.get("clocks"):
            stage.options.pop("clocks", None)
        stage.save(update_fields=["options"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_by_arrangement")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="kept_settings",
            field=models.JSONField(blank=True, default=dict, verbose_name="settings"),
        ),
        migrations.AddField(
            model_name="stage",
            name="rounds_settled",
            field=models.PositiveSmallIntegerField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="stage",
            name="options",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.RunPython(read_the_bag, fill_the_bag, elidable=True),
    ]
