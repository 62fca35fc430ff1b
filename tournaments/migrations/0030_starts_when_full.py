from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0029_event_hours"),
    ]

    operations = [
        migrations.AddField(
            model_name="division",
            name="starts_when_full",
            field=models.BooleanField(default=False, verbose_name="starts automatically when full"),
        ),
    ]
