"""Until now a club belonged to its federation as if it always had: so it does from the beginning."""

from django.db import migrations


def from_the_beginning(apps, _schema_editor):
    club, affiliation = apps.get_model("people", "Club"), apps.get_model("people", "Affiliation")
    members = club.objects.exclude(parent=None).values_list("pk", "parent_id")
    affiliation.objects.bulk_create(
        [affiliation(club_id=pk, federation_id=parent) for pk, parent in members], batch_size=500
    )


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0018_federations_with_days'),
    ]

    operations = [
        migrations.RunPython(from_the_beginning, migrations.RunPython.noop),
    ]
