"""Draws that were made are public rows, and every stage has a secret for its next one."""

import django.db.models.deletion
import django.utils.timezone
import people.ids
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0011_notice'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='promised_at',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.AddField(
            model_name='stage',
            name='secret',
            field=models.CharField(default=people.ids.new_secret, editable=False, max_length=64),
        ),
        migrations.AlterField(
            model_name='round',
            name='seed',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AlterField(
            model_name='stage',
            name='draw_seed',
            field=models.CharField(blank=True, editable=False, max_length=64, verbose_name='seed of the draw'),
        ),
        migrations.AlterField(
            model_name='stage',
            name='next_seed',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.CreateModel(
            name='Lot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('what', models.CharField(max_length=8)),
                ('round', models.PositiveSmallIntegerField(null=True)),
                ('by', models.CharField(max_length=8)),
                ('why', models.CharField(max_length=16)),
                ('at', models.DateTimeField()),
                ('shown_at', models.DateTimeField(null=True)),
                ('promise', models.CharField(blank=True, max_length=64)),
                ('promised_at', models.DateTimeField(null=True)),
                ('secret', models.CharField(blank=True, max_length=64)),
                ('typed', models.CharField(blank=True, max_length=80)),
                ('order', models.JSONField(default=list)),
                ('listed', models.JSONField(default=dict)),
                ('list_hash', models.CharField(max_length=64)),
                ('seed', models.CharField(max_length=64)),
                ('outcome', models.JSONField(default=dict)),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lots', to='tournaments.stage')),
            ],
            options={
                'verbose_name': "recorded draw",
                'verbose_name_plural': "recorded draws",
                'ordering': ['stage_id', 'number'],
                'constraints': [models.UniqueConstraint(fields=('stage', 'number'), name='lot_number_once')],
            },
        ),
    ]
