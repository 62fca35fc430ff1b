"""Write the rows of a bundle: keep existing rows, add missing ones, replace events that are newer there."""

import hashlib
from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from django.db import connection, models
from django.utils import timezone

from games.models import RecordAnalysis, StoredRecord
from people.ids import new_secret
from people.models import AuditEntry, Club, FederationNumber, OutsideRating, OwnConsent, Player, Version
from rating.models import Fact, Generation, OfficialList, OfficialRow, RatingList
from rating.services.rebuild import read_all_rows
from rating.store.clean import compute_list
from rating.store.reading import merged_players
from rating.store.spans import counted_spans
from tournaments.backups.services.archive import ArchiveReader, BackupRefused, StoredTable
from tournaments.backups.services.kinds import Row, row_writer
from tournaments.backups.services.restoring import insert_rows
from tournaments.backups.services.tables import Table, table_for_model
from tournaments.bundles.services.contents import ANALYSIS_MODELS, BUNDLE_MODELS, EVENT_LOOKUPS
from tournaments.bundles.services.exporting import STANDING_COLUMNS, standings_digest
from tournaments.bundles.services.removals import Removals, local_removals
from tournaments.models import ClubTemplate, Division, Event, Report, Series, Stage
from tournaments.models.report import RecordCopy
from tournaments.models.trail import event_id_from_scope

Model = type[models.Model]
_NUMBER_MODELS: Final[tuple[Model, ...]] = (FederationNumber, OutsideRating)
_ANALYSIS_KEY: Final = ("record_id", "engine", "version", "level")  # identifies an analysis
_CHUNK_SIZE: Final = 500
# Kept from an event that existed here: its relations on this site, and the restriction by an operator.
_LOCAL_COLUMNS: Final = ("id", "series_id", "follows_id", "created_by_id", "shut")


class BundleLoader:
    """Reads a bundle and writes its rows to the database. ``numbers``: the ids written so far."""

    def __init__(self, bundle: ArchiveReader, path: Path) -> None:
        self._bundle, self._path = bundle, path
        self._kept: dict[str, StoredTable] = {table.name: table for table in bundle.manifest.tables}
        self.numbers: set[int] = set()
        self._new_lists: list[int] = []

    # --- reading ---

    def rows(self, model: Model) -> Iterator[Row]:
        """Yield the bundle's rows of a model's table. Raises ``BackupRefused`` if it has other columns."""
        table = table_for_model(model)
        stored_table = self._kept.get(table.name)
        if stored_table is None:
            return
        if tuple(map(tuple, stored_table.columns)) != table.columns:
            raise BackupRefused(
                f"{self._path} was created by a different release ({self._bundle.manifest.release}). Update both sites to the same"
                " release first."
            )
        yield from self._bundle.rows(stored_table)

    def has_table(self, model: Model) -> bool:
        """Return whether the bundle has this table; a bundle of an earlier release may lack it."""
        return table_for_model(model).name in self._kept

    def row_dicts(self, model: Model) -> Iterator[dict[str, Any]]:
        """Yield the bundle's rows of a model's table as dictionaries keyed by column."""
        names = _column_names(table_for_model(model))
        for row in self.rows(model):
            yield dict(zip(names, row, strict=True))

    def links(self) -> dict[str, set[str]]:
        """Return the hashes of each audit log's chain in the bundle, keyed by scope ("event:17")."""
        links_by_scope: dict[str, set[str]] = {}
        for row in self.row_dicts(AuditEntry):
            links_by_scope.setdefault(row["scope"], set()).add(row["link"])
        return links_by_scope

    def players(self) -> set[int]:
        """Return the ids of the bundle's players."""
        return {row["id"] for row in self.row_dicts(Player)}

    def removals(self) -> Removals:
        """Return what was removed on this site about the bundle's players."""
        return local_removals(
            names={row["id"]: row["name"] for row in self.row_dicts(Player)},
            imported_ids={row["id"] for row in self.row_dicts(AuditEntry)},
            clubs={row["public_id"]: row["name"] for row in self.row_dicts(Club)},
        )

    def single_id(self, model: Model) -> int:
        """Return the id of the only row of a table. Raises ``BackupRefused`` if there is not exactly one."""
        numbers = [row["id"] for row in self.row_dicts(model)]
        if len(numbers) != 1:
            raise BackupRefused(
                f"The content of {self._path} is inconsistent: {len(numbers)} rows in {table_for_model(model).name}"
            )
        return int(numbers[0])

    def inconsistent_rows(self) -> Iterator[str]:
        """Yield a message for each row that refers to a club, event or player outside of the bundle."""
        numbers = {model: {row["id"] for row in self.row_dicts(model)} for model in BUNDLE_MODELS}
        for model in BUNDLE_MODELS:
            references = [
                (str(field.column), numbers.get(field.related_model, frozenset[int]()))
                for field in model._meta.local_concrete_fields  # noqa: SLF001 (Django's own word for it)
                if field.related_model is not None
            ]
            for row in self.row_dicts(model):
                bad_column = next(
                    (
                        column
                        for column, known_ids in references
                        if row[column] is not None and row[column] not in known_ids
                    ),
                    "",
                )
                if bad_column:
                    yield f"row {row['id']} of {model._meta.db_table} refers in {bad_column} to something that is not in the file"  # noqa: SLF001
        other_events = {event_id_from_scope(row["scope"]) for row in self.row_dicts(AuditEntry)} - numbers[
            Event
        ]
        local_events = [
            pk
            for chunk in _chunks(sorted(other_events))
            for pk in Event.objects.filter(pk__in=chunk).values_list("pk", flat=True)
        ]
        yield from (f"the audit log of another event, {pk}" for pk in local_events)
        yield from (
            f"row {row['id']} of the audit log has no club"
            for row in self.row_dicts(AuditEntry)
            if row["club_id"] is None and event_id_from_scope(row["scope"]) not in numbers[Event]
        )
        for row in self.row_dicts(StoredRecord):
            if hashlib.sha256(b64decode(row["content"])).hexdigest() != row["sha256"]:
                yield f"game record {row['id']} does not have the stated checksum"
        kinds = {"event": numbers[Event], "outline": numbers[Event], "division": numbers[Division]}
        for row in self.row_dicts(Version):
            if row["of_id"] not in kinds.get(row["kind"], frozenset[int]()):
                yield f"a version of {row['kind']} {row['of_id']}, which is not in the file"

    # --- writing ---

    def add_by_public_id(self, model: Model) -> list[int]:
        """Add the rows whose public ids do not exist here; return their ids."""
        rows = list(self.row_dicts(model))
        id_by_public_id = _ids_by_column(model, "public_id", [row["public_id"] for row in rows])
        for row in rows:
            if id_by_public_id.get(row["public_id"], row["id"]) != row["id"]:
                raise self._id_conflict(model, row["id"])
        new_rows = [list(row.values()) for row in rows if row["public_id"] not in id_by_public_id]
        return self._add(model, new_rows)

    def add_missing_pairs(self, model: Model, players: Collection[int] | None = None) -> None:
        """Add rows to which nothing refers by id, unless an equal row exists.

        ``players``: only rows of these.
        """
        table = table_for_model(model)
        names = _column_names(table)[1:]
        bool_indexes = [index for index, (_name, kind) in enumerate(table.columns[1:]) if kind == "truth"]
        placeholders = ", ".join(["%s"] * len(names))
        target = f"{table.name} ({', '.join(map(connection.ops.quote_name, names))})"
        with connection.cursor() as cursor:
            for row in self.rows(model):
                values = row[1:]
                if players is not None and values[names.index("player_id")] not in players:
                    continue
                for index in bool_indexes:
                    values[index] = bool(values[index])
                cursor.execute(
                    f"INSERT INTO {target} VALUES ({placeholders}) ON CONFLICT DO NOTHING",  # noqa: S608 (our names)
                    values,
                )

    def add_club_rows(self, removals: Removals) -> bool:
        """Add what belongs to a club beside its events; return whether anything was added."""
        self.add_missing_pairs(
            OwnConsent, self.players() - removals.players_with_set_consents - removals.erased.keys()
        )
        numbers_added = self._add_player_numbers(removals)
        added_ids = [*self.add_by_public_id(Series), *self.add_by_public_id(ClubTemplate)]
        self._demote_main_lists()
        self._new_lists = self.add_by_public_id(RatingList)
        RatingList.objects.filter(pk__in=self._new_lists).update(needs_rebuild=True)
        official_lists = self._add_missing(OfficialList, "rating_list_id")
        rows = self._add_missing(OfficialRow, "official_id")
        return bool(added_ids or numbers_added or self._new_lists or official_lists or rows)

    def _demote_main_lists(self) -> None:
        """Make a club's main rating list, created here for a single imported event, a secondary list."""
        for row in self.row_dicts(RatingList):
            if row["is_main"]:
                main_lists = RatingList.objects.filter(club=row["club_id"], is_main=True).exclude(
                    public_id=row["public_id"]
                )
                main_lists.update(is_main=False, version=models.F("version") + 1)

    def _add_player_numbers(self, removals: Removals) -> bool:
        """Add federation numbers and outside ratings of players who have none here; not after changes here.

        Returns whether anything was added.
        """
        player_ids = {row["player_id"] for model in _NUMBER_MODELS for row in self.row_dicts(model)}
        merged_into = {player: removals.now.get(player, player) for player in player_ids}
        have_numbers = {
            player
            for model in _NUMBER_MODELS
            for chunk in _chunks(sorted({*merged_into, *merged_into.values()}))
            for player in model._base_manager.filter(player__in=chunk).values_list("player", flat=True)  # noqa: SLF001
        }
        players_to_add = {player for player in player_ids if not have_numbers & {player, merged_into[player]}}
        players_to_add -= removals.numbers | removals.erased.keys()
        for model in _NUMBER_MODELS:
            self.add_missing_pairs(model, players_to_add)
        return bool(players_to_add)

    def add_analyses(self) -> bool:
        """Add finished analyses of records that exist here, unless one is finished or in progress here.

        Returns whether anything was added.
        """
        hashes = {row["id"]: row["sha256"] for row in self.row_dicts(StoredRecord)}
        record_by_sha = _ids_by_column(StoredRecord, "sha256", list(hashes.values()))
        rows = [row for row in self.row_dicts(RecordAnalysis) if hashes[row["record_id"]] in record_by_sha]
        _replace_ids(
            rows, "record_id", {pk: record_by_sha[sha] for pk, sha in hashes.items() if sha in record_by_sha}
        )
        row_by_key = {tuple(row[name] for name in _ANALYSIS_KEY): row for row in rows}
        for chunk in _chunks(sorted({row["record_id"] for row in rows})):
            for analysis in RecordAnalysis.objects.filter(record__in=chunk):
                key = (analysis.record_id, analysis.engine, analysis.version, analysis.level)
                if analysis.state in {RecordAnalysis.State.DONE, RecordAnalysis.State.WORKING}:
                    row_by_key.pop(key, None)
                elif key in row_by_key:  # requested here, and done there
                    analysis.delete()
        new_rows = list(row_by_key.values())
        self._add(RecordAnalysis, [list(row.values()) for row in new_rows])
        analysis_ids = {row["id"] for row in new_rows}
        for model in ANALYSIS_MODELS:
            analysis_rows = [row for row in self.row_dicts(model) if row["analysis_id"] in analysis_ids]
            self._add(model, [list(row.values()) for row in analysis_rows])
        return bool(new_rows)

    def replace_events(self, events: Collection[int]) -> None:
        """Replace all rows of these events (ids) by those of the bundle."""
        if not events:
            return
        local_events = Event.objects.filter(pk__in=events)
        local_values = {row["id"]: row for row in local_events.values(*_LOCAL_COLUMNS)}
        stages = Stage.objects.filter(division__event__in=local_events)
        secrets = {
            pk: (secret, promised_at)
            for pk, secret, promised_at in stages.values_list("pk", "secret", "promised_at")
        }
        for model, lookup in reversed(list(EVENT_LOOKUPS.items())):
            related_rows = model._base_manager.filter(**{f"{lookup}__in": local_events})  # noqa: SLF001 (Django's own word for it)
            model._base_manager.filter(pk__in=related_rows.values("pk"))._raw_delete(connection.alias)  # noqa: SLF001
        local_events._raw_delete(connection.alias)  # noqa: SLF001
        owners: dict[Model, set[int]] = {Event: set(events)}
        self._add(
            Event,
            [
                [{**row, **local_values.get(row["id"], {})}[name] for name in row]
                for row in self.row_dicts(Event)
                if row["id"] in events
            ],
        )
        records: Mapping[int, int] = {}
        for model, lookup in EVENT_LOOKUPS.items():
            field = model._meta.get_field(lookup.partition("__")[0])  # noqa: SLF001
            column_name, owner_ids = str(field.column), owners[field.related_model]  # type: ignore[union-attr,index]
            rows = [row for row in self.row_dicts(model) if row[column_name] in owner_ids]
            if model is Stage:
                _set_secrets(rows, secrets)
            if model is Report:
                records = self._add_game_records()
            if model in {Report, RecordCopy}:
                _replace_ids(rows, "record_id", records)
            owners[model] = {row["id"] for row in rows}
            self._add(model, [list(row.values()) for row in rows])

    def add_facts(self) -> list[Fact]:
        """Add facts of the ledger that are missing here, and return them."""
        added_ids = self._add_missing(Fact, "source_key")
        return [
            fact for chunk in _chunks(added_ids) for fact in Fact.objects.filter(pk__in=chunk).order_by("pk")
        ]

    def add_audit_log(self) -> list[int]:
        """Add missing audit log entries, and mark entries here that were undone since.

        Return the ids added.
        """
        undone_by = {
            row["id"]: row["undone_by_id"] for row in self.row_dicts(AuditEntry) if row["undone_by_id"]
        }
        added_ids = self._add_missing(AuditEntry, "link")
        local_entries = AuditEntry.objects.filter(club=self.single_id(Club))
        for entry in local_entries.filter(pk__in=list(undone_by), undone_by=None):
            AuditEntry.objects.filter(pk=entry.pk).update(undone_by_id=undone_by[entry.pk])
        return added_ids

    def set_versions(self) -> None:
        """Raise version numbers to those of the bundle, so that pages of imported events are rendered."""
        rows = [(row["kind"], row["of_id"], row["number"]) for row in self.row_dicts(Version)]
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO people_version (kind, of_id, number) VALUES (%s, %s, %s) ON CONFLICT (kind, of_id)"
                " DO UPDATE SET number = excluded.number WHERE excluded.number > people_version.number",
                rows,
            )

    # --- asking ---

    def standings_mismatches(self) -> Iterator[str]:
        """Yield a message for each new rating list whose ratings differ from a computation from the ledger."""
        for rating_list in RatingList.objects.filter(pk__in=self._new_lists):
            closed, _colon, digest = self._bundle.manifest.standings.get(rating_list.public_id, "").partition(
                ":"
            )
            if not digest:
                continue
            generation = Generation(
                rating_list=rating_list,
                clubs=counted_spans(rating_list),
                merges={str(player): target for player, target in merged_players().items()},
                closed=int(closed),
            )
            _steps, rows = compute_list(rating_list, generation, read_all_rows(rating_list, generation))
            names = [name.removesuffix("_id") for name in STANDING_COLUMNS]
            computed_digest = standings_digest(tuple(getattr(row, name) for name in names) for row in rows)
            if computed_digest != digest:
                yield f"the ratings of {rating_list.name} do not match the ledger"

    # --- the hands ---

    def _add(self, model: Model, rows: Sequence[Row]) -> list[int]:
        """Insert rows and return their ids. Raises ``BackupRefused`` if an id is in use."""
        table = table_for_model(model)
        numbers = [int(row[0]) for row in rows]
        for chunk in _chunks(numbers):
            used_id = model._base_manager.filter(pk__in=chunk).values_list("pk", flat=True).first()  # noqa: SLF001
            if used_id is not None:
                raise self._id_conflict(model, used_id)
        change = row_writer(table.kinds())
        insert_rows(table.name, _column_names(table), map(change, rows) if change else rows)
        self.numbers.update(numbers)
        return numbers

    def _add_missing(self, model: Model, same_column: str) -> list[int]:
        """Insert the rows whose ids do not exist here; return their ids.

        Existing rows have to be equal in the column ``same_column``; raises ``BackupRefused`` otherwise.
        """
        rows = list(self.row_dicts(model))
        existing: dict[int, Any] = {}
        for chunk in _chunks([row["id"] for row in rows]):
            existing |= dict(model._base_manager.filter(pk__in=chunk).values_list("pk", same_column))  # noqa: SLF001
        for row in rows:
            if existing.get(row["id"], row[same_column]) != row[same_column]:
                raise self._id_conflict(model, row["id"])
        return self._add(model, [list(row.values()) for row in rows if row["id"] not in existing])

    def _add_game_records(self) -> Mapping[int, int]:
        """Add missing game records; return the ids of all records here, keyed by their ids in the bundle."""
        rows = list(self.row_dicts(StoredRecord))
        id_by_sha = _ids_by_column(StoredRecord, "sha256", [row["sha256"] for row in rows])
        self._add(StoredRecord, [list(row.values()) for row in rows if row["sha256"] not in id_by_sha])
        return {row["id"]: id_by_sha.get(row["sha256"], row["id"]) for row in rows}

    def _id_conflict(self, model: Model, number: int) -> BackupRefused:
        return BackupRefused(
            f"{self._path} cannot be imported: row {number} of {table_for_model(model).name} is something else on this site. Sites can only"
            " exchange files if one began as a copy of the other. Restore a backup into a new database instead."
        )


def _column_names(table: Table) -> list[str]:
    return [name for name, _kind in table.columns]


def _chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), _CHUNK_SIZE):
        yield numbers[start : start + _CHUNK_SIZE]


def _ids_by_column(model: Model, column: str, values: Sequence[str]) -> dict[str, int]:
    id_by_value: dict[str, int] = {}
    for start in range(0, len(values), _CHUNK_SIZE):
        matching = model._base_manager.filter(**{f"{column}__in": values[start : start + _CHUNK_SIZE]})  # noqa: SLF001
        id_by_value |= dict(matching.values_list(column, "pk"))
    return id_by_value


def _set_secrets(rows: Iterable[dict[str, Any]], known_secrets: Mapping[int, tuple[str, Any]]) -> None:
    """Set the secret of each stage's next draw: that of this site, if there is one, or a new secret."""
    for row in rows:
        secret, promised_at = known_secrets.get(row["id"]) or (new_secret(), timezone.now())
        row["secret"], row["promised_at"] = secret, str(promised_at.replace(tzinfo=None))


def _replace_ids(rows: Iterable[dict[str, Any]], column: str, numbers: Mapping[int, int]) -> None:
    for row in rows:
        row[column] = numbers.get(row[column]) if row[column] is not None else None
