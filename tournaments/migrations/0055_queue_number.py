"""The order of waiting lists: an entry that comes back to one goes to its end.

Existing rows all have 0 and keep their order, the one in which they entered.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0051_push_device")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="queue_number",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
    ]
