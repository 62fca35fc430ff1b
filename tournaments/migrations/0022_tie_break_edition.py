"""Ratings beside a round, for tie-breaks that ask for them. Every Swiss and round robin that is there keeps
counting as it began: by the edition of 2009, the only one there was.
"""

from typing import Any

from django.db import migrations, models

IN_ROUNDS = ("swiss", "round_robin", "double_round_robin")
BEFORE = "fide_2009"


def keep_the_edition(apps: Any, _schema: Any) -> None:
    stages = apps.get_model("tournaments", "Stage").objects
    changed = []
    for stage in stages.filter(system__in=IN_ROUNDS).only("pk", "kept_settings").iterator():
        own = stage.kept_settings.get("own", {})
        if "edition" not in own:
            stage.kept_settings = {**stage.kept_settings, "own": {**own, "edition": BEFORE}}
            changed.append(stage)
    stages.bulk_update(changed, ["kept_settings"], batch_size=500)


def forget_it(apps: Any, _schema: Any) -> None:
    stages = apps.get_model("tournaments", "Stage").objects
    changed = []
    for stage in stages.filter(system__in=IN_ROUNDS).only("pk", "kept_settings").iterator():
        own = dict(stage.kept_settings.get("own", {}))
        if own.pop("edition", None) is not None:
            stage.kept_settings = {**stage.kept_settings, "own": own}
            changed.append(stage)
    stages.bulk_update(changed, ["kept_settings"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_version_rows")]
    operations = [
        migrations.AddField(
            model_name="round", name="ratings", field=models.JSONField(blank=True, default=dict)
        ),
        migrations.RunPython(keep_the_edition, forget_it),
    ]
