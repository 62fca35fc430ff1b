"""Add whether a worker has begun a rebuild.

Requested rebuilds were marked by a time before their beginning; all other rows have begun.
"""

from datetime import timedelta

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def mark_requested(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    requested = apps.get_model("rating", "Generation").objects.filter(
        state="building", total=0, touched_at__lt=models.F("started_at") - timedelta(minutes=10)
    )
    requested.update(begun=False)


class Migration(migrations.Migration):
    dependencies = [("rating", "0011_import_same_players")]

    operations = [
        migrations.AddField(
            model_name="generation", name="begun", field=models.BooleanField(default=True)
        ),
        migrations.RunPython(mark_requested, migrations.RunPython.noop),
    ]
