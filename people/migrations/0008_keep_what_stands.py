"""Keep the clubs that appear on players' pages at the time of the update."""

from django.db import migrations, models


def keep_what_stands(apps, _schema_editor):
    """Let home clubs accept the clubs that know their players, so that present page content stays."""
    link, consent = apps.get_model('people', 'PlayerClub'), apps.get_model('people', 'PageConsent')
    pairs = link.objects.exclude(player__home_club=None).exclude(club=models.F('player__home_club'))
    rows = pairs.values_list('player__home_club', 'club').order_by('player__home_club', 'club').distinct()
    consent.objects.bulk_create([consent(home_id=home, club_id=club) for home, club in rows.iterator()], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0007_foreign_clubs'),
    ]

    operations = [
        migrations.RunPython(keep_what_stands, migrations.RunPython.noop),
    ]
