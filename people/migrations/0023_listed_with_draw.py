"""Players who get a public page with their first public draw. Those who exist stay as public as they are."""

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
