"""A secret of its own for each stage that was there: adding the column gave all of them the same."""

from django.db import migrations

from people.ids import new_secret


def renew(apps, schema_editor):
    Stage = apps.get_model("tournaments", "Stage")
    stages = list(Stage.objects.only("pk", "secret"))
    for stage in stages:
        stage.secret = new_secret()
    Stage.objects.bulk_update(stages, ["secret"], batch_size=400)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_lots")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop, elidable=True)]
