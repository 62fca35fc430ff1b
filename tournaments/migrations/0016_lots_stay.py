"""Every draw that was made knows its event."""

import django.db.models.deletion
from django.db import migrations, models


def fill(apps, schema_editor):
    Lot = apps.get_model("tournaments", "Lot")
    lots = list(Lot.objects.select_related("stage__division"))
    for lot in lots:
        lot.event_id = lot.stage.division.event_id
    Lot.objects.bulk_update(lots, ["event"], batch_size=400)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_prizes")]
    operations = [
        migrations.AlterModelOptions(
            "lot",
            options={
                "ordering": ["event_id", "stage_id", "number"],
                "verbose_name": "recorded draw",
                "verbose_name_plural": "recorded draws",
            },
        ),
        migrations.AddField(
            "lot",
            "event",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="lots",
                to="tournaments.event",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
