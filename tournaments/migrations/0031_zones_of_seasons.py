"""A list that counts from a day or until one, counts from midnight where its club plays: settle where that is, or a later event elsewhere
would move it.
"""

from django.db import migrations
from django.db.models import Q


def settle_zones(apps, _schema_editor):
    club, event = apps.get_model("people", "Club"), apps.get_model("tournaments", "Event")
    dated = Q(rating_lists__counts_from__isnull=False) | Q(rating_lists__counts_until__isnull=False)
    for pk in list(club.objects.filter(dated, timezone="").values_list("pk", flat=True).distinct()):
        newest = event.objects.filter(club=pk).order_by("-starts_on", "-pk")
        zone = newest.values_list("timezone", flat=True).first()
        if zone:
            club.objects.filter(pk=pk).update(timezone=zone)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0030_starts_when_full'),
        ('people', '0019_federations_from_the_beginning'),
        ('rating', '0003_moderation'),
    ]

    operations = [
        migrations.RunPython(settle_zones, migrations.RunPython.noop),
    ]
