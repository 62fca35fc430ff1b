"""The bags of a stage are empty: what they held has columns and rows of its own."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_fill_stage_rows")]

    operations = [
        migrations.RemoveField(model_name="stage", name="options"),
        migrations.RemoveField(model_name="stage", name="next_round"),
    ]
