"""A version row of every event and of its outline, for those that were there before such rows."""

from django.db import migrations

KINDS = ("event", "outline")


def fill(apps, _schema_editor):
    versions = apps.get_model("people", "Version").objects
    events = apps.get_model("tournaments", "Event").objects.values_list("pk", "version")
    rows = [
        versions.model(kind=kind, of_id=pk, number=number)
        for pk, number in events.iterator()
        for kind in KINDS
    ]
    versions.bulk_create(rows, batch_size=300)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_event_lists"), ("people", "0011_version")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
