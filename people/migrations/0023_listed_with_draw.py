"""Add ``listed_with_draw``: players listed with their first public draw. Existing players are unchanged."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0022_presence")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="listed_with_draw",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
