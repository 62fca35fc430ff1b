"""Create the tables of release 0.3.0 at once. Databases of earlier releases run the migrations that it replaces."""

import django.db.models.deletion
import people.ids
import rating.models.lists
from django.conf import settings
from django.db import migrations, models


# Written by hand: Django cannot partition a table, and the history has no foreign keys (`rating.models.history`).
HISTORY = """
    shelf integer NOT NULL,
    generation_id integer NOT NULL,
    fact_id bigint NOT NULL,
    player_id bigint NOT NULL,
    opponent_id bigint,
    moment bigint NOT NULL,
    won smallint,
    before double precision NOT NULL,
    after double precision NOT NULL,
    experience integer NOT NULL,
    deviation double precision,
    volatility double precision
"""


def create_history(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        table = "rating_change_common"
        schema_editor.execute(f"CREATE TABLE rating_change ({HISTORY}) PARTITION BY LIST (shelf)")
        schema_editor.execute(f"CREATE TABLE {table} PARTITION OF rating_change FOR VALUES IN (0)")
    else:
        table = "rating_change"
        schema_editor.execute(f"CREATE TABLE rating_change ({HISTORY})")
    schema_editor.execute(
        f"CREATE UNIQUE INDEX rating_change_player ON {table} (generation_id, player_id, fact_id)"
    )
    schema_editor.execute(f"CREATE INDEX rating_change_order ON {table} (generation_id, moment)")


def drop_history(apps, schema_editor):
    schema_editor.execute("DROP TABLE rating_change")


class Migration(migrations.Migration):

    replaces = [
        ('rating', '0001_initial'),
        ('rating', '0002_working'),
        ('rating', '0003_moderation'),
        ('rating', '0004_places_of_replacements'),
        ('rating', '0005_official'),
        ('rating', '0006_rules_and_play'),
        ('rating', '0007_ranking_rules'),
        ('rating', '0008_table_imports'),
        ('rating', '0009_last_matches'),
        ('rating', '0010_official_requests'),
    ]

    initial = True

    # As in the migrations that it replaces: a database may have all of them, and not yet all of the other apps.
    dependencies = [
        ('people', '0020_kept_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='RatingList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=people.ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('is_main', models.BooleanField(default=False, editable=False)),
                ('system', models.CharField(max_length=20, verbose_name='system')),
                ('parameters', models.JSONField(default=dict)),
                ('start', models.FloatField(verbose_name='start value')),
                ('shortest', models.PositiveSmallIntegerField(default=2, verbose_name='shortest match')),
                ('longest', models.PositiveSmallIntegerField(default=99, verbose_name='longest match')),
                ('disciplines', models.JSONField(default=rating.models.lists.default_disciplines)),
                ('events', models.JSONField(default=list)),
                ('counts_from', models.DateField(blank=True, null=True, verbose_name='counts from')),
                ('counts_until', models.DateField(blank=True, null=True, verbose_name='counts until')),
                ('minimum_matches', models.PositiveIntegerField(default=1, verbose_name='matches required for a ranking')),
                ('provisional_below', models.PositiveIntegerField(default=100, verbose_name='experience below which ratings are provisional')),
                ('needs_rebuild', models.BooleanField(default=True, editable=False)),
                ('archived', models.BooleanField(default=False, editable=False)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rating_lists', to='people.club')),
                ('shut', models.CharField(blank=True, choices=[('hidden', 'hidden'), ('removed', 'removed')], default='', editable=False, max_length=8)),
                ('active_months', models.PositiveSmallIntegerField(default=0, verbose_name='activity period for a ranking, in months')),
                ('members', models.CharField(blank=True, default='', max_length=10, verbose_name='rank members only')),
                ('minimum_experience', models.PositiveIntegerField(default=0, verbose_name='experience required for a ranking')),
                ('provisional_apart', models.BooleanField(default=False, verbose_name='list provisional ratings separately')),
            ],
            options={
                'verbose_name': 'rating list',
                'verbose_name_plural': 'rating lists',
                'ordering': ['club', '-is_main', 'name', 'id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_main', True)), fields=('club',), name='rating_one_main_list')],
            },
        ),
        migrations.CreateModel(
            name='Generation',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('shelf', models.IntegerField(default=0)),
                ('state', models.CharField(choices=[('building', 'in progress'), ('current', 'current'), ('retired', 'replaced'), ('stopped', 'stopped'), ('failed', 'failed')], default='building', max_length=12)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('stop_requested', models.BooleanField(default=False)),
                ('started_by', models.CharField(blank=True, max_length=160)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('touched_at', models.DateTimeField(auto_now=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('emptied', models.BooleanField(default=False)),
                ('merges', models.JSONField(default=dict)),
                ('clubs', models.JSONField(default=list)),
                ('closed', models.BigIntegerField(default=0)),
                ('rating_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='generations', to='rating.ratinglist')),
                ('rule', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name': 'generation',
                'verbose_name_plural': 'generations',
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='ratinglist',
            name='generation',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rating.generation'),
        ),
        migrations.CreateModel(
            name='Fact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.PositiveSmallIntegerField(choices=[(0, 'result'), (1, 'opening rating'), (2, 'place'), (3, 'removal'), (4, 'replacement')])),
                ('source_key', models.CharField(max_length=120, unique=True)),
                ('length', models.PositiveSmallIntegerField(default=0)),
                ('winner_score', models.PositiveSmallIntegerField(default=0)),
                ('loser_score', models.PositiveSmallIntegerField(default=0)),
                ('result_kind', models.CharField(blank=True, max_length=20)),
                ('discipline', models.CharField(blank=True, max_length=12)),
                ('event_key', models.CharField(blank=True, max_length=40)),
                ('event_name', models.CharField(blank=True, max_length=160)),
                ('event_weight', models.FloatField(default=1.0)),
                ('division_rank', models.PositiveSmallIntegerField(default=1)),
                ('place', models.PositiveIntegerField(default=0)),
                ('tied', models.PositiveIntegerField(default=0)),
                ('field', models.PositiveIntegerField(default=0)),
                ('opening_rating', models.FloatField(null=True)),
                ('opening_experience', models.PositiveIntegerField(default=0)),
                ('played_at', models.DateTimeField()),
                ('moment', models.BigIntegerField()),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.club')),
                ('loser', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.player')),
                ('target', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='later', to='rating.fact')),
                ('winner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.player')),
                ('rating_list', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='openings', to='rating.ratinglist')),
                ('opening_deviation', models.FloatField(null=True)),
                ('stands_at', models.BigIntegerField(editable=False, null=True)),
                ('loser_pr', models.FloatField(null=True)),
                ('winner_pr', models.FloatField(null=True)),
            ],
            options={
                'verbose_name': 'ledger entry',
                'verbose_name_plural': 'ledger',
                'ordering': ['moment', 'id'],
                'indexes': [models.Index(fields=['club', 'moment', 'id'], name='rating_fact_order'), models.Index(condition=models.Q(('target__isnull', False)), fields=['target'], name='rating_fact_target'), models.Index(condition=models.Q(('rating_list__isnull', False)), fields=['rating_list'], name='rating_fact_opening')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind__in', [0, 4]), _negated=True), models.Q(('length__gte', 1), ('loser__isnull', False), ('winner__isnull', False), models.Q(('winner', models.F('loser')), _negated=True)), _connector='OR'), name='rating_fact_two_players'), models.CheckConstraint(condition=models.Q(models.Q(('kind__in', [3, 4]), ('target__isnull', False)), models.Q(('kind__in', [0, 1, 2]), ('target__isnull', True)), _connector='OR'), name='rating_fact_targets'), models.UniqueConstraint(condition=models.Q(('target__isnull', False)), fields=('target',), name='rating_fact_taken_back_once')],
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunPython(create_history, drop_history),
            ],
            state_operations=[
                migrations.CreateModel(
                    name='Change',
                    fields=[
                        ('pk', models.CompositePrimaryKey('generation', 'fact', 'player', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('shelf', models.IntegerField()),
                        ('moment', models.BigIntegerField()),
                        ('won', models.SmallIntegerField(null=True)),
                        ('before', models.FloatField()),
                        ('after', models.FloatField()),
                        ('experience', models.IntegerField()),
                        ('deviation', models.FloatField(null=True)),
                        ('opponent', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='people.player')),
                        ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='people.player')),
                        ('fact', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='rating.fact')),
                        ('generation', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='rating.generation')),
                        ('volatility', models.FloatField(null=True)),
                    ],
                    options={
                        'verbose_name': 'rating change',
                        'verbose_name_plural': 'rating history',
                    },
                ),
            ],
        ),
        migrations.CreateModel(
            name='Pending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('applied', models.BooleanField(default=False)),
                ('fact', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='rating.fact')),
                ('rating_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pending', to='rating.ratinglist')),
            ],
            options={
                'verbose_name': 'pending ledger entry',
                'verbose_name_plural': 'pending ledger entries',
                'constraints': [models.UniqueConstraint(fields=('rating_list', 'fact'), name='rating_pending_once')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating', models.FloatField()),
                ('experience', models.IntegerField()),
                ('matches', models.IntegerField()),
                ('wins', models.IntegerField()),
                ('moment', models.BigIntegerField()),
                ('deviation', models.FloatField(null=True)),
                ('volatility', models.FloatField(null=True)),
                ('generation', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='rating.generation')),
                ('player', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='people.player')),
            ],
            options={
                'verbose_name': 'rating status',
                'verbose_name_plural': 'rating statuses',
                'indexes': [models.Index(fields=['generation', '-rating'], name='rating_standing_rank')],
                'constraints': [models.UniqueConstraint(fields=('generation', 'player'), name='rating_standing_once')],
            },
        ),
        migrations.CreateModel(
            name='OfficialList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('day', models.DateField()),
                ('zone', models.CharField(max_length=64)),
                ('moment', models.BigIntegerField()),
                ('issue', models.PositiveSmallIntegerField(default=1)),
                ('scheduled', models.BooleanField(default=False)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('made_at', models.DateTimeField()),
                ('players', models.PositiveIntegerField()),
                ('head', models.JSONField()),
                ('key', models.CharField(max_length=43)),
                ('signature', models.CharField(max_length=88)),
                ('rating_list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='official_lists', to='rating.ratinglist')),
                ('replaces', models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='rating.officiallist')),
            ],
            options={
                'verbose_name': 'official list',
                'verbose_name_plural': 'official lists',
                'ordering': ['rating_list', '-number'],
                'constraints': [models.UniqueConstraint(fields=('rating_list', 'number'), name='rating_official_number'), models.UniqueConstraint(fields=('rating_list', 'day', 'issue'), name='rating_official_issue')],
            },
        ),
        migrations.CreateModel(
            name='OfficialRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('rank', models.PositiveIntegerField(null=True)),
                ('rating', models.FloatField()),
                ('deviation', models.FloatField(null=True)),
                ('experience', models.IntegerField()),
                ('matches', models.IntegerField()),
                ('provisional', models.BooleanField()),
                ('official', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rows', to='rating.officiallist')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.player')),
            ],
            options={
                'verbose_name': 'official list row',
                'verbose_name_plural': 'official list rows',
                'constraints': [models.UniqueConstraint(fields=('official', 'position'), name='rating_official_position'), models.UniqueConstraint(fields=('official', 'player'), name='rating_official_player')],
            },
        ),
        migrations.CreateModel(
            name='OfficialSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('every', models.CharField(blank=True, choices=[('', 'manually only'), ('week', 'weekly'), ('month', 'monthly')], max_length=5)),
                ('day', models.PositiveSmallIntegerField(default=1)),
                ('since', models.DateField()),
                ('rating_list', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='official_schedule', to='rating.ratinglist')),
            ],
            options={
                'verbose_name': 'official list schedule',
                'verbose_name_plural': 'official list schedules',
            },
        ),
        migrations.CreateModel(
            name='TableImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=people.ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('as_of', models.DateTimeField(null=True)),
                ('filename', models.CharField(blank=True, max_length=120, verbose_name='file name')),
                ('file', models.FileField(blank=True, max_length=200, upload_to='ledger-imports')),
                ('create_unknown', models.BooleanField(default=False)),
                ('again', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('check', 'checking'), ('asked', 'checked'), ('take', 'importing'), ('done', 'imported'), ('stopped', 'stopped'), ('failed', 'failed')], default='check', max_length=8)),
                ('phase', models.CharField(blank=True, max_length=12)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('token', models.CharField(blank=True, max_length=16)),
                ('touched_at', models.DateTimeField(null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('stop_requested', models.BooleanField(default=False)),
                ('report', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_imports', to='people.club')),
                ('rating_list', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='rating.ratinglist')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'ledger import',
                'verbose_name_plural': 'ledger imports',
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ('check', 'asked', 'take'))), fields=('club',), name='rating_one_import_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='OfficialRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('note', models.CharField(blank=True, max_length=200)),
                ('replaces', models.PositiveIntegerField(null=True)),
                ('refused', models.CharField(blank=True, max_length=40)),
                ('asked_at', models.DateTimeField(auto_now=True)),
                ('rating_list', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='official_request', to='rating.ratinglist')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'official list request',
                'verbose_name_plural': 'official list requests',
            },
        ),
    ]
