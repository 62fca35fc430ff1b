"""Since when an event is public, and whether the commitment of a draw was before it was made.

Events that are public now count as public from this migration on: when they became so was not recorded. Draws that were made before say nothing about
the publication of their commitments.
"""

from django.db import migrations, models
from django.utils import timezone


def public_from_now_on(apps, schema_editor):
    events = apps.get_model("tournaments", "Event").objects.exclude(status="draft")
    events.filter(visibility="public", shut="", club__shut="").update(public_since=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0048_event_positions")]

    operations = [
        migrations.AddField("event", "public_since", models.DateTimeField(editable=False, null=True)),
        migrations.AddField("lot", "publicity", models.CharField(blank=True, max_length=8, default=""), preserve_default=False),
        migrations.AddField("lot", "public_since", models.DateTimeField(null=True)),
        migrations.RunPython(public_from_now_on, migrations.RunPython.noop),
    ]
