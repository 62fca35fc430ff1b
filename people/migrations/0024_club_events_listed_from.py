"""When the events of a new club come into the lists of the whole site. The events of clubs that exist are there: empty."""

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
