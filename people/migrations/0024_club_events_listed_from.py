"""Add when the events of a new club enter the lists of the site. Empty for existing clubs: at once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0023_listed_with_draw")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="events_listed_from",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
