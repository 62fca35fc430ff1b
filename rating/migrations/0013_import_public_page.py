"""Add from when players created by an import are public. Open imports: from the first public draw."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rating", "0012_generation_begun")]

    operations = [
        migrations.AddField(
            model_name="tableimport",
            name="public_page",
            field=models.CharField(
                choices=[("with_draw", "with_draw"), ("now", "now"), ("none", "none")], default="with_draw", max_length=9
            ),
        ),
    ]
