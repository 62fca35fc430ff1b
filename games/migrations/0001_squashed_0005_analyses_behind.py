"""Create the tables of release 0.3.0 at once. Databases of earlier releases run the migrations that it replaces."""

import django.db.models.deletion
import games.models
import people.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('games', '0001_initial'),
        ('games', '0002_archives_as_files'),
        ('games', '0003_analyses'),
        ('games', '0004_analysed_sides'),
        ('games', '0005_analyses_behind'),
    ]

    initial = True

    # As in the migrations that it replaces: a database may have all of them, and not yet all of the other apps.
    dependencies = [
        ('people', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='HeldRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=games.models.new_key, editable=False, max_length=40, unique=True)),
                ('purpose', models.CharField(max_length=80)),
                ('content', models.BinaryField()),
                ('filename', models.CharField(blank=True, max_length=120, verbose_name='file name')),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={
                'verbose_name': 'stored file',
                'verbose_name_plural': 'stored files',
            },
        ),
        migrations.CreateModel(
            name='StoredRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('content', models.BinaryField()),
                ('size', models.PositiveIntegerField()),
                ('filename', models.CharField(blank=True, max_length=120, verbose_name='file name')),
                ('format', models.CharField(max_length=16, verbose_name='format')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'game record',
                'verbose_name_plural': 'game records',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='RecordImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=people.ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('filename', models.CharField(blank=True, max_length=120, verbose_name='file name')),
                ('sha256', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='record_imports', to='people.club')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('file', models.FileField(blank=True, max_length=200, upload_to='archives')),
            ],
            options={
                'verbose_name': 'record import',
                'verbose_name_plural': 'record imports',
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(fields=('club', 'sha256'), name='games_import_once')],
            },
        ),
        migrations.CreateModel(
            name='ImportedFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('filename', models.CharField(blank=True, max_length=120, verbose_name='file name')),
                ('claimed_at', models.DateTimeField(null=True)),
                ('done', models.BooleanField(default=False)),
                ('refused', models.CharField(blank=True, max_length=40)),
                ('params', models.JSONField(default=dict)),
                ('decision', models.CharField(blank=True, max_length=20)),
                ('complete', models.BooleanField(default=False)),
                ('left', models.CharField(blank=True, max_length=200)),
                ('right', models.CharField(blank=True, max_length=200)),
                ('length', models.PositiveIntegerField(null=True)),
                ('score_left', models.PositiveIntegerField(null=True)),
                ('score_right', models.PositiveIntegerField(null=True)),
                ('findings', models.PositiveIntegerField(default=0)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='games.recordimport')),
                ('record', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='imported', to='games.storedrecord')),
            ],
            options={
                'verbose_name': 'imported file',
                'verbose_name_plural': 'imported files',
                'ordering': ['position'],
                'indexes': [models.Index(condition=models.Q(('done', False)), fields=['batch'], name='games_file_open')],
                'constraints': [models.UniqueConstraint(fields=('batch', 'position'), name='games_file_once')],
            },
        ),
        migrations.CreateModel(
            name='RecordAnalysis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('engine', models.CharField(max_length=40)),
                ('version', models.CharField(blank=True, max_length=40)),
                ('level', models.CharField(max_length=20)),
                ('of_file', models.BooleanField(default=False)),
                ('rates', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('working', 'in progress'), ('done', 'done'), ('failed', 'failed')], default='waiting', max_length=8)),
                ('claimed_at', models.DateTimeField(null=True)),
                ('claim', models.CharField(blank=True, max_length=40)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('games', models.PositiveSmallIntegerField(default=0)),
                ('games_done', models.PositiveSmallIntegerField(default=0)),
                ('failure', models.CharField(blank=True, max_length=40)),
                ('length', models.PositiveSmallIntegerField(default=0)),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('record', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='analyses', to='games.storedrecord')),
                ('swing', models.FloatField(null=True)),
                ('behind', models.BooleanField(default=False)),
            ],
            options={
                'verbose_name': 'analysis',
                'verbose_name_plural': 'analyses',
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['behind', 'id'], name='games_analysis_open')],
                'constraints': [models.UniqueConstraint(fields=('record', 'engine', 'version', 'level'), name='games_analysis_once'), models.UniqueConstraint(condition=models.Q(('state', 'working')), fields=('state',), name='games_analysis_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='AnalysedDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.PositiveSmallIntegerField()),
                ('turn', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(max_length=8)),
                ('side', models.CharField(max_length=5)),
                ('lost', models.FloatField(null=True)),
                ('counts', models.BooleanField()),
                ('luck', models.FloatField(null=True)),
                ('chance', models.FloatField(null=True)),
                ('error', models.CharField(blank=True, max_length=16)),
                ('played', models.PositiveSmallIntegerField(null=True)),
                ('plays', models.JSONField(default=list)),
                ('cube', models.JSONField(null=True)),
                ('chances', models.JSONField(null=True)),
                ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='games.recordanalysis')),
            ],
            options={
                'verbose_name': 'analysed decision',
                'verbose_name_plural': 'analysed decisions',
                'ordering': ['game', 'turn', 'id'],
                'constraints': [models.UniqueConstraint(fields=('analysis', 'game', 'turn', 'kind'), name='games_decision_once')],
            },
        ),
        migrations.CreateModel(
            name='AnalysedSide',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(max_length=5)),
                ('checker_counted', models.PositiveSmallIntegerField()),
                ('cube_counted', models.PositiveSmallIntegerField()),
                ('checker_lost', models.FloatField()),
                ('cube_lost', models.FloatField()),
                ('errors', models.PositiveSmallIntegerField()),
                ('blunders', models.PositiveSmallIntegerField()),
                ('missed_doubles', models.PositiveSmallIntegerField()),
                ('wrong_doubles', models.PositiveSmallIntegerField()),
                ('wrong_takes', models.PositiveSmallIntegerField()),
                ('wrong_passes', models.PositiveSmallIntegerField()),
                ('net_luck', models.FloatField(null=True)),
                ('even', models.FloatField(null=True)),
                ('openings', models.JSONField(default=list)),
                ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sides', to='games.recordanalysis')),
            ],
            options={
                'verbose_name': 'analysed side',
                'verbose_name_plural': 'analysed sides',
                'ordering': ['analysis_id', 'side'],
                'constraints': [models.UniqueConstraint(fields=('analysis', 'side'), name='games_analysed_side_once')],
            },
        ),
    ]
