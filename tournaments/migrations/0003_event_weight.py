"""What master points of an event are multiplied by: 1 for all events there were."""

from decimal import Decimal

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_formats")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="weight",
            field=models.DecimalField(
                decimal_places=2,
                default=Decimal("1.00"),
                max_digits=4,
                verbose_name="weight for master points",
            ),
        ),
    ]
