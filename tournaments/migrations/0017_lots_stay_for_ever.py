"""What was drawn stays when its stage is taken away: every row knows its event now, and may lose its stage."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_lots_stay")]
    operations = [
        migrations.AlterField(
            "lot",
            "event",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="lots", to="tournaments.event"
            ),
        ),
        migrations.AlterField(
            "lot",
            "stage",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="lots",
                to="tournaments.stage",
            ),
        ),
    ]
