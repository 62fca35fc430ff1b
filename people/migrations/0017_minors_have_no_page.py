"""Unlist minors: they have no public page."""

from django.db import migrations


def no_page(apps, _schema_editor):
    """Unlist the minors that were marked before."""
    apps.get_model('people', 'Player').objects.filter(minor=True).update(listed=False)


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0016_minors_and_guardians'),
    ]

    operations = [
        migrations.RunPython(no_page, migrations.RunPython.noop),
    ]
