"""Public randomness that is named for a draw. Draws that were made before had none named for them, and no event or stage has any."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0051_push_device'),
    ]

    operations = [
        migrations.CreateModel(
            name='PublicRandomness',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('of_stage', models.BigIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(max_length=8)),
                ('network', models.CharField(blank=True, max_length=64)),
                ('round', models.BigIntegerField(null=True)),
                ('label', models.CharField(blank=True, max_length=160)),
                ('due_at', models.DateTimeField()),
                ('list_hash', models.CharField(max_length=64)),
                ('promise', models.CharField(max_length=64)),
                ('promised_at', models.DateTimeField()),
                ('named_at', models.DateTimeField()),
                ('commitment', models.CharField(max_length=64)),
                ('value', models.CharField(blank=True, max_length=80)),
                ('signature', models.CharField(blank=True, max_length=192)),
                ('previous', models.CharField(blank=True, max_length=192)),
                ('origin', models.CharField(blank=True, max_length=8)),
                ('read_from', models.CharField(blank=True, max_length=200)),
                ('value_at', models.DateTimeField(null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='randomness', to='tournaments.event')),
                ('stage', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='randomness', to='tournaments.stage')),
            ],
            options={
                'verbose_name': "public random number",
                'verbose_name_plural': "public random numbers",
                'ordering': ['event_id', 'of_stage', 'number'],
            },
        ),
        migrations.AddField(
            model_name='lot',
            name='randomness',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='lots', to='tournaments.publicrandomness'),
        ),
        migrations.AddIndex(
            model_name='publicrandomness',
            index=models.Index(condition=models.Q(('kind', 'drand'), ('value', '')), fields=['due_at'], name='randomness_to_fetch'),
        ),
        migrations.AddConstraint(
            model_name='publicrandomness',
            constraint=models.UniqueConstraint(fields=('of_stage', 'number'), name='randomness_number_once'),
        ),
    ]
