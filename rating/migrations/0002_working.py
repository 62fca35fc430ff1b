"""Keep what the working of a Glicko-2 period needs; histories of such lists are computed anew to have it."""

from django.db import migrations, models


def compute_anew(apps, schema_editor):
    apps.get_model("rating", "RatingList").objects.filter(system="glicko2").update(needs_rebuild=True)


class Migration(migrations.Migration):
    dependencies = [
        ("rating", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="fact",
            name="opening_deviation",
            field=models.FloatField(null=True),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddField(
                    model_name="change",
                    name="volatility",
                    field=models.FloatField(null=True),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE rating_change ADD COLUMN volatility double precision",
                    "ALTER TABLE rating_change DROP COLUMN volatility",
                ),
            ],
        ),
        migrations.RunPython(compute_anew, migrations.RunPython.noop),
    ]
