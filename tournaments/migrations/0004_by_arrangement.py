"""Where a stage is played: leagues, whose rounds are all published at once, by arrangement; everything else at the tables."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def send_leagues_home(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A round robin of one group whose rounds are all published at once; the tables kept for its matches are free."""
    stages = apps.get_model("tournaments", "Stage").objects
    robins = stages.filter(system__in=["round_robin", "double_round_robin"]).only("pk", "options")
    leagues = [
        stage.pk
        for stage in robins
        if stage.options.get("all_at_once") and stage.options.get("group_count", 1) == 1
    ]
    stages.filter(pk__in=leagues).update(by_arrangement=True)
    matches = apps.get_model("tournaments", "Match").objects
    matches.filter(stage__in=leagues, status="ready").update(table=None)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_event_weight")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="by_arrangement",
            field=models.BooleanField(default=False, verbose_name="played by arrangement, not at the tables"),
        ),
        migrations.RunPython(send_leagues_home, migrations.RunPython.noop, elidable=True),
    ]
