"""Let clubs belong to their present federation from the beginning, as was assumed before."""

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
