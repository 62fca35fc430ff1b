"""Records of games that everybody may read today stay so; from now on both players are asked."""

from django.db import migrations


def records_stay(apps, _schema_editor):
    """All that were handed in so far."""
    apps.get_model('tournaments', 'Report').objects.exclude(record=None).update(record_shown=True)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0025_consents'),
    ]

    operations = [
        migrations.RunPython(records_stay, migrations.RunPython.noop),
    ]
