"""Add players that a director confirmed for their names. Open imports have none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rating", "0010_official_requests")]

    operations = [
        migrations.AddField(model_name="tableimport", name="same_players", field=models.JSONField(default=list)),
    ]
