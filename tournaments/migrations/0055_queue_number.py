"""The order of waiting lists, where an entry that comes back goes to the end; and new names by the registration link wait for approval.

Existing entries all have 0 and keep their order, the one in which they entered. Existing events keep what is set; the new default is for events
that are created from now on.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0054_withdrawn")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="queue_number",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AlterField(
            model_name="event",
            name="approves_all",
            field=models.BooleanField(default=True, verbose_name="new names also need approval"),
        ),
    ]
