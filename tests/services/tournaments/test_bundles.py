"""Bundles: an event or a club moves to another site with the same ids, once, and only if all of it fits."""

import zipfile
from io import StringIO

import msgspec
import pytest
from django.core.management import CommandError, call_command

from people.models import AuditEntry, Club, Membership, Player, PlayerClub, Version
from people.signing import canonical_json, current_public_key, key_set, sign
from rating.models import Fact, RatingList, Standing
from rating.services import rebuild_list
from tests.factories import an_event
from tests.support.bundles import exported, new_site, take_in
from tests.support.lanes import ON_ONE
from tournaments.backups.services.archive import ArchiveKind, BackupRefused, create_archive, open_archive
from tournaments.backups.services.tables import table_for_model
from tournaments.bundles.services.contents import EVENT_LOOKUPS
from tournaments.bundles.services.exporting import CLUB_KIND, export_club
from tournaments.bundles.services.numbers import BLOCK_SIZE
from tournaments.bundles.services.states import ImportState
from tournaments.checks.soundness import integrity_faults
from tournaments.models import Event, Lot, Match, Stage

pytestmark = [pytest.mark.django_db, *ON_ONE]


@pytest.fixture
def tournament():
    """A running event of which one match is over."""
    tournament = an_event(entries=4, lengths=[3, 3]).publish()
    tournament.settle(tournament.playable()[0], "a")
    tournament.fresh()
    return tournament


MODELS = {model._meta.db_table: model for model in (Player, PlayerClub, Fact, AuditEntry, Version)}


def rows_of_event():
    found = {
        model: list(model.objects.order_by("pk").values()) for model in [Event, *EVENT_LOOKUPS, Player, Club]
    }
    for row in found[Event]:
        row["created_by_id"] = None
    for row in found[Stage]:
        row.pop("secret"), row.pop("promised_at")
    for rows in found.values():
        for row in rows:
            row.pop("user_id", None)
    return found


def trail():
    return list(
        AuditEntry.objects.exclude(link="").order_by("pk").values("pk", "action", "data", "link", "seal")
    )


def packed_again(path, again, change, sign_it=False):
    """The same bundle with a table changed, and signed anew by whoever has the key."""
    with open_archive(path, ArchiveKind.BUNDLE) as old, create_archive(again, ArchiveKind.BUNDLE) as new:
        tables = []
        for table in old.manifest.tables:
            with (
                new.member(f"tables/{table.name}.jsonl") as member,
                old.open(f"tables/{table.name}.jsonl") as rows,
            ):
                member.write(change(table.name, rows.read()))
            tables.append(msgspec.structs.replace(table, sha256=member.sha256))
        manifest = msgspec.structs.replace(old.manifest, tables=tables)

        def signed(content):
            found = sign(content if sign_it else b"")
            return canonical_json({"algorithm": "Ed25519", "key": found.key, "value": found.value})

        new.close(manifest, signed)
    return again


def test_event_when_taken_in_elsewhere_then_the_same_rows_and_it_goes_on(tournament, tmp_path):
    path = exported(tournament, tmp_path / "night.bundle")
    rows, told = rows_of_event(), trail()
    owner = new_site(tournament)
    taken = take_in(path, owner=owner)
    assert taken.has_changes
    assert taken.events == {tournament.event.public_id: ImportState.NEW}
    assert rows_of_event() == rows
    assert trail() == told
    assert Membership.objects.get().user == owner
    assert RatingList.objects.filter(is_main=True).count() == 1
    tournament.fresh()
    tournament.play_out()
    assert integrity_faults(Event.objects.get()) == []
    assert Event.objects.get().status == "finished"
    assert rebuild_list(list_id=RatingList.objects.get().pk).total == Fact.objects.filter(kind=0).count() > 1


def test_event_when_taken_in_twice_then_nothing_is_doubled(tournament, tmp_path):
    path = exported(tournament, tmp_path / "night.bundle")
    owner = new_site(tournament)
    take_in(path, owner=owner)
    rows, told = rows_of_event(), trail()
    taken = take_in(path)
    assert not taken.has_changes
    assert taken.events == {tournament.event.public_id: ImportState.UNCHANGED}
    assert rows_of_event() == rows
    assert trail() == told
    assert Fact.objects.count() == 1
    assert PlayerClub.objects.count() == Player.objects.count()


def test_event_when_it_went_on_there_then_taken_further_and_an_older_bundle_changes_nothing(
    tournament, tmp_path
):
    early = exported(tournament, tmp_path / "early.bundle")
    tournament.play_out()
    late = exported(tournament, tmp_path / "late.bundle")
    rows = rows_of_event()
    take_in(early, owner=new_site(tournament))
    secret = Stage.objects.get().secret
    Event.objects.update(shut="hidden")
    assert take_in(late).events == {tournament.event.public_id: ImportState.UPDATED}
    assert Stage.objects.get().secret == secret  # of the promise that stands here
    assert Event.objects.get().shut == "hidden"  # by an operator of this site
    Event.objects.update(shut="")
    assert rows_of_event() == rows
    assert Fact.objects.count() == 3
    again = take_in(early)
    assert again.events == {tournament.event.public_id: ImportState.OLDER}
    assert not again.has_changes
    assert rows_of_event() == rows


def test_event_when_it_went_on_here_and_there_then_neither_is_written_over(tournament, tmp_path):
    early = exported(tournament, tmp_path / "early.bundle")
    tournament.play_out()
    late = exported(tournament, tmp_path / "late.bundle")
    take_in(early, owner=new_site(tournament))
    tournament.fresh()
    tournament.settle(tournament.playable()[0], "b")
    rows = rows_of_event()
    with pytest.raises(BackupRefused, match="was changed on both sites"):
        take_in(late)
    assert rows_of_event() == rows


def test_bundle_when_made_then_holds_no_secret_of_a_draw_to_come_and_no_account(tournament, tmp_path):
    secret = Stage.objects.get().secret
    path = exported(tournament, tmp_path / "night.bundle")
    with zipfile.ZipFile(path) as bundle:
        content = b"".join(bundle.read(name) for name in bundle.namelist())
    assert secret.encode() not in content
    assert tournament.director.email.encode() not in content
    assert b"people_user" not in content


@pytest.mark.parametrize(
    ("member", "content"),
    [
        ("manifest.json", b"[]"),
        ("manifest.json", b'{"format": '),
        ("manifest.json", b'{"format": ' + b"[" * 100_000),
        ("signature.json", None),
    ],
    ids=["list", "cut off", "without end", "unpacks to much"],
)
def test_bundle_when_its_last_parts_are_odd_then_refused_as_damaged(tournament, tmp_path, member, content):
    path, odd = exported(tournament, tmp_path / "night.bundle"), tmp_path / "odd.bundle"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(odd, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.infolist():
            odd_one = content or old.read(one) + b" " * 70_000
            new.writestr(one, odd_one if one.filename == member else old.read(one))
    with pytest.raises(BackupRefused, match="damaged"):
        take_in(odd)


def test_bundle_when_another_key_signed_it_then_refused_until_that_is_named(tournament, tmp_path, settings):
    path = exported(tournament, tmp_path / "night.bundle")
    theirs = tmp_path / "crawford.json"
    theirs.write_bytes(msgspec.json.encode(key_set([current_public_key()])))
    settings.SECRET_KEY = "the secret of another site, which has a key of its own to sign with"
    owner = new_site(tournament)
    words = ("import_event", str(path))
    with pytest.raises(CommandError, match="signed with an unknown key"):
        call_command(*words, owner=owner.email, stdout=StringIO())
    assert not Event.objects.exists()
    call_command(*words, owner=owner.email, key=theirs, stdout=StringIO())
    assert Event.objects.exists()


def test_bundle_when_a_result_in_it_was_changed_then_refused(tournament, tmp_path):
    path = exported(tournament, tmp_path / "night.bundle")

    def change(name, rows):
        return rows.replace(b'"Ann', b'"Bea') if name == "people_player" else rows.replace(b"3", b"2", 1)

    changed = packed_again(path, tmp_path / "changed.bundle", change)
    owner = new_site(tournament)
    with pytest.raises(BackupRefused, match="was changed after signing"):
        take_in(changed, owner=owner)
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("what", "fault"),
    [
        ("winner", "inconsistent"),
        ("score", "inconsistent"),
        ("trail", "it was changed"),
        ("seed", "its seed does not follow from the list and secret"),
        ("lines", "its outcome does not follow from the seed"),
        ("ledger", "who did not play it"),
    ],
)
def test_bundle_when_its_site_holds_what_does_not_fit_then_refused(tournament, tmp_path, what, fault):
    match = Match.objects.filter(status="confirmed").get()
    if what == "winner":
        Match.objects.filter(pk=match.pk).update(
            winner_side="b", score_a=match.score_b, score_b=match.score_a
        )
    elif what == "score":
        Match.objects.filter(pk=match.pk).update(score_b=match.score_b + 1)
    elif what == "trail":
        row = AuditEntry.objects.filter(subject_id=match.pk, action__startswith="match.").last()
        AuditEntry.objects.filter(pk=row.pk).update(actor_label="Somebody else")
    elif what == "seed":
        Lot.objects.update(seed="0" * 64)
    elif what == "lines":
        lot = Lot.objects.get()
        Lot.objects.update(outcome={"lines": lot.outcome["lines"][::-1]})
    else:
        with_other = Fact.objects.get()
        super(type(Fact.objects.all()), Fact.objects.all()).update(
            winner_id=with_other.loser_id, loser_id=with_other.winner_id
        )
    path = exported(tournament, tmp_path / "night.bundle")
    owner = new_site(tournament)
    with pytest.raises(BackupRefused, match=fault):
        take_in(path, owner=owner)
    assert not Event.objects.exists()
    assert not Fact.objects.exists()


@pytest.mark.parametrize(
    ("table", "column", "fault"),
    [
        ("people_player", "user_id", "refers in user_id to something that is not in the file"),
        ("people_player", "home_club_id", "refers in home_club_id"),
        ("people_playerclub", "player_id", "refers in player_id"),
        ("rating_fact", "club_id", "refers in club_id"),
        ("rating_fact", "winner_id", "refers in winner_id"),
        ("people_auditentry", "actor_id", "refers in actor_id"),
        ("people_auditentry", "scope", "the audit log of another event"),
        ("people_version", "of_id", "which is not in the file"),
    ],
)
def test_bundle_when_it_is_about_what_did_not_come_with_it_then_refused(
    tournament, tmp_path, table, column, fault
):
    """Whose key is known speaks of its own club and events, not of those that are here beside them."""
    path = exported(tournament, tmp_path / "night.bundle")
    owner = new_site(tournament)
    other = an_event(entries=2, name="Of others")
    there = {
        "user_id": owner.pk,
        "actor_id": owner.pk,
        "club_id": other.club.pk,
        "home_club_id": other.club.pk,
        "scope": f"event:{other.event.pk}",
        "of_id": other.event.pk,
    }
    players = {"player_id", "winner_id"}
    wanted = Player.objects.first().pk if column in players else there[column]

    def change(name, rows):
        if name != table:
            return rows
        columns = [name for name, _kind in table_for_model(MODELS[table]).columns]
        first, *rest = map(msgspec.json.decode, rows.splitlines())
        first[columns.index(column)] = wanted
        return b"".join(msgspec.json.encode(row) + b"\n" for row in (first, *rest))

    changed = packed_again(path, tmp_path / "changed.bundle", change, sign_it=True)
    trail = AuditEntry.objects.count()
    with pytest.raises(BackupRefused, match=fault):
        take_in(changed, owner=owner)
    assert Event.objects.get() == other.event
    assert AuditEntry.objects.count() == trail


@pytest.mark.parametrize("odd", [b"[1]\n", b"{}\n", b"[1,\n", b"\xff\n"])
def test_bundle_when_a_row_is_no_row_of_its_table_then_refused(tournament, tmp_path, odd):
    """Also where the right key has signed it."""
    path = exported(tournament, tmp_path / "night.bundle")
    owner = new_site(tournament)
    for table in ("people_player", "tournaments_match", "rating_fact"):
        changed = packed_again(
            path,
            tmp_path / f"{table}.bundle",
            lambda name, rows, table=table: odd + rows if name == table else rows,
            sign_it=True,
        )
        with pytest.raises(BackupRefused, match=f"Row 1 of {table} is damaged"):
            take_in(changed, owner=owner)
    assert not Event.objects.exists()


def test_event_when_its_numbers_are_something_else_here_then_refused(tournament, tmp_path):
    path = exported(tournament, tmp_path / "night.bundle")
    number = Player.objects.first().pk
    owner = new_site(tournament)
    Player.objects.create(pk=number, name="Somebody else")
    with pytest.raises(BackupRefused, match="is something else on this site"):
        take_in(path, owner=owner)


def test_club_when_not_here_and_nobody_is_named_then_refused(tournament, tmp_path):
    path = exported(tournament, tmp_path / "night.bundle")
    new_site(tournament)
    with pytest.raises(BackupRefused, match="of its owner with --owner"):
        take_in(path)


def test_numbers_when_a_bundle_came_in_then_they_go_on_in_a_block_of_their_own(tournament, tmp_path):
    path = exported(tournament, tmp_path / "night.bundle")
    largest = Player.objects.order_by("-pk").values_list("pk", flat=True).first()
    owner = new_site(tournament)
    take_in(path, owner=owner)
    assert Player.objects.create(name="Later").pk // BLOCK_SIZE > largest // BLOCK_SIZE


def test_events_when_several_of_a_site_come_in_one_after_the_other_then_each_is_whole(tournament, tmp_path):
    first = exported(tournament, tmp_path / "first.bundle")
    other = an_event(
        entries=4, club=tournament.club, director=tournament.director, lengths=[3, 3], name="Another"
    ).publish()
    other.settle(other.playable()[0], "b")
    other.fresh()
    second = exported(other, tmp_path / "second.bundle")
    owner = new_site(tournament)
    take_in(first, owner=owner)
    later = Player.objects.create(name="Later").pk
    take_in(second)
    assert Player.objects.create(name="Last").pk > later
    assert Player.objects.filter(pk__gte=later).count() == 2
    assert Fact.objects.count() == 2
    assert [integrity_faults(event) for event in Event.objects.all()] == [[], []]


def test_club_when_taken_in_elsewhere_then_with_its_events_and_the_same_ratings(tournament, tmp_path):
    tournament.play_out()
    rating_list = RatingList.objects.get()
    rebuild_list(list_id=rating_list.pk)
    numbers = ("player_id", "rating", "experience", "matches")
    before = list(Standing.objects.on(RatingList.objects.get()).order_by("player_id").values_list(*numbers))
    path = tmp_path / "club.bundle"
    made = export_club(path, club_id=tournament.club.pk)
    assert set(made.standings) == {rating_list.public_id}
    rows = rows_of_event()
    owner = new_site(tournament)
    assert take_in(path, of=CLUB_KIND, owner=owner).has_changes
    assert rows_of_event() == rows
    rebuild_list(list_id=rating_list.pk)
    assert (
        list(Standing.objects.on(RatingList.objects.get()).order_by("player_id").values_list(*numbers))
        == before
        != []
    )
    assert not take_in(path, of=CLUB_KIND).has_changes
    assert AuditEntry.objects.filter(action="club.import").count() == 1
    with pytest.raises(BackupRefused, match=r"Import it with `manage\.py import_club`"):
        take_in(path)


def test_club_when_its_ratings_do_not_follow_from_its_ledger_then_refused(tournament, tmp_path):
    tournament.play_out()
    rebuild_list(list_id=RatingList.objects.get().pk)
    Standing.objects.filter(matches__gt=0).update(rating=2000)
    path = tmp_path / "club.bundle"
    export_club(path, club_id=tournament.club.pk)
    owner = new_site(tournament)
    with pytest.raises(BackupRefused, match="do not match the ledger"):
        take_in(path, of=CLUB_KIND, owner=owner)
    assert not Club.objects.exists()


def test_commands_when_a_club_moves_then_each_says_what_became_of_it(tournament, tmp_path):
    out = StringIO()
    call_command("export_event", tournament.event.public_id, str(tmp_path / "night.bundle"), stdout=out)
    call_command("export_club", tournament.club.public_id, str(tmp_path / "club.bundle"), stdout=out)
    assert out.getvalue().count("rows.") == 2
    for command, thing in (("export_event", "event"), ("export_club", "club")):
        with pytest.raises(CommandError, match=f"{thing.capitalize()} not found: nosuchone"):
            call_command(command, "nosuchone", str(tmp_path / "none.bundle"), stdout=out)
    event = tournament.event.public_id
    owner = new_site(tournament)
    call_command("import_club", str(tmp_path / "club.bundle"), owner=owner.email, stdout=out)
    assert f"{event}: new\n" in out.getvalue()
    assert out.getvalue().endswith("imported.\n")
    call_command("import_event", str(tmp_path / "night.bundle"), stdout=out)
    assert out.getvalue().endswith("nothing to import.\n")
    with pytest.raises(CommandError, match=r"Account not found: nobody@example\.org\."):
        call_command("import_event", str(tmp_path / "night.bundle"), owner="nobody@example.org", stdout=out)
    with pytest.raises(CommandError, match="contains no public key"):
        call_command(
            "import_event", str(tmp_path / "night.bundle"), key=tmp_path / "night.bundle", stdout=out
        )
