"""Public randomness: named beforehand with the closed list, mixed into the seed, and checked by `tools/verify_draw.py`. Every way to steer with it is marked.

The drand rounds are real ones. Source: README of https://github.com/mcdcam/python-drand-verify (quicknet 657413, default 3311596) and
https://github.com/hicetnunc2000/random-bridge/issues/2 (default 162810, with the network's genesis and period).
"""

import json
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from faults import Conflict, CrawfordError
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import a_user, an_event
from tests.services.tournaments.test_lots import ROLLS, difference, draw, file_of, opened, resealed
from tests.support.director import words
from tests.support.rounds import publish_next, where
from tools import verify_draw
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.checks.drawn import draw_faults
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw
from tournaments.draws.services.randomness import choose_randomness, fetch_due_rounds, store_drand_value
from tournaments.draws.web.randomness import default_due_time
from tournaments.engine.errors import BadInput
from tournaments.engine.lots.committed import SeedSource, SeedSourceKind, is_briefly_public
from tournaments.engine.lots.randomness import (
    DEFAULT_NETWORK,
    QUICKNET,
    RandomnessChoice,
    RandomnessKind,
    parse_drand_value,
    parse_lottery_value,
)
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.trail.draws import CommitmentPublicitySet, DrawMade, RandomnessNamed
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.stages import StageDetails, add_stage, remove_stage
from tournaments.models import Lot, PublicRandomness
from tournaments.models.trail import audit_scope, parse_row
from tournaments.operators.services.moderating import moderate
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.undo import undo_repair
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.selectors.rounds.next import has_round_to_come

pytestmark = pytest.mark.django_db

ROUND = 657413
SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
VALUE = "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"
PAGE = json.dumps({"round": ROUND, "randomness": VALUE, "signature": SIGNATURE})
DUE = datetime(2023, 9, 15, 11, 0, 3, tzinfo=UTC)
DEFAULT_ROUNDS = {
    3311596: (
        (
            "a696b9409ababce45749c3a4ec369074453dd4a79967734e1390d969c8ad8d98897d217b9121e92c8ddebbddda8d92f9"
            "00e3bd6bf9deb166863b1a19390d743f82774001487594c5c09e581db7365f02b70a2c8cc41ce32446ef08e4890c4754"
        ),
        (
            "8ed588f2a7716fb1349e2d9803da5db0005e98a83783c353d4a08f183236a9ad91d70ddb01266f4b7c576983db464b43"
            "0e65680b9e0098552758afd6c1e6afcb77e3f62fe1b93d42d1cb63abbb2205512fe12fbf74ea9c5ac3b8f5c1e283a1d8"
        ),
        "647c07b2abbf7ff2afb4d670214f565e5cd9f9c91bfdcecb59a21f3c78d73920",
    ),
    162810: (
        (
            "8aee2fb6c79704f54c164ee9fcab89a16e83f843e8d483ba7002c3aee222812263a2e9225ad2e32b80acefe1f066d3db"
            "17ebc4cd2a25e5f7975575c94316851113e674056b0eecb515a01ca62f7a370a5d6d26828dd02243041cab8d33ad4796"
        ),
        (
            "ac27db9e31f65fed65130667dcb323ad2745fa5901f6f8b82f39e3707cd13150d9c25c412f02f32cc9561466d7abbec8"
            "08a31899d4768d2429c3a83d21d41928399b9a6e1e74873069990210ee57c0bc049af5dc1ef0b1b394caade1d77f4c0d"
        ),
        "646c742faded02ebeb15fcb1c34314ed566381df59b90b28ba5af8b12b959c2d",
    ),
}
TYPED = SeedSource(SeedSourceKind.PUBLIC, PAGE, read_from="api.drand.sh")


@pytest.fixture
def tournament(clock):
    """An event that is public since ten minutes before the round."""
    clock.shows(DUE - timedelta(minutes=11))
    found = an_event(8)
    clock.moves(minutes=1)
    opened(found)
    clock.moves(minutes=1)
    return found


def name(tournament, due_at=DUE, **more):
    return choose_randomness(
        **where(tournament), naming=RandomnessChoice(RandomnessKind.DRAND, due_at, **more)
    )


def verified(tournament, tmp_path, *options):
    path = tmp_path / "draws.json"
    path.write_bytes(file_of(tournament))
    run = subprocess.run(
        [sys.executable, "-I", "-S", verify_draw.__file__, str(path), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    return run.returncode, run.stdout


def page_of(tournament):
    return words(Client().get(reverse("public:draws", args=[tournament.event.public_id])))


def rows_of(tournament, kind):
    return [
        parse_row(row)
        for row in AuditEntry.objects.filter(scope=audit_scope(tournament.event), action=kind.kind).order_by(
            "pk"
        )
    ]


def test_round_when_published_then_its_number_time_and_signature_are_those_of_its_network():
    assert (
        parse_drand_value(PAGE, ROUND).value == VALUE == parse_drand_value(f" {VALUE.upper()}\n", ROUND).value
    )
    assert QUICKNET.time_of(ROUND) == DUE
    assert [QUICKNET.round_at(DUE + timedelta(seconds=n)) for n in (-2, 0, 1)] == [ROUND, ROUND, ROUND + 1]
    for number, (signature, _previous, value) in DEFAULT_ROUNDS.items():
        text = json.dumps({"round": number, "randomness": value, "signature": signature})
        assert parse_drand_value(text, number).value == value
    assert DEFAULT_NETWORK.time_of(162810) == datetime(2020, 9, 17, 4, 2, tzinfo=UTC)


def test_signature_when_a_library_is_there_then_checked_else_said_in_words():
    rounds = {(QUICKNET.hash, ROUND): (SIGNATURE, "")} | {
        (DEFAULT_NETWORK.hash, number): signed[:2] for number, signed in DEFAULT_ROUNDS.items()
    }
    (network, number), signed = next(iter(rounds.items()))
    if verify_draw.is_valid(network, number, *signed) is None:
        row = {
            "network": network,
            "round": number,
            "signature": signed[0],
            "previous_signature": "",
            "value": VALUE,
        }
        assert "NOT CHECKED" in verify_draw.check_signature(row)
        pytest.skip("py_ecc is not installed")
    for (network, number), signed in rounds.items():
        assert verify_draw.is_valid(network, number, *signed) is True
        assert verify_draw.is_valid(network, number + 1, *signed) is False


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        VALUE[:-1] + "g",
        "{",
        '{"round":' + "[" * 1990,
        "[]",
        "{}",
        json.dumps({"round": ROUND}),
        PAGE.replace(str(ROUND), str(ROUND + 1)),
        PAGE.replace(VALUE, VALUE[::-1]),
        PAGE.replace(SIGNATURE, SIGNATURE[:-1]),
        PAGE.replace(f'"{SIGNATURE}"', "7"),
    ],
)
def test_round_when_typed_wrongly_then_refused(text):
    with pytest.raises(BadInput):
        parse_drand_value(text, ROUND)


@pytest.mark.parametrize("text", ["", " ,;", "7 " * 81])
def test_lottery_number_when_typed_wrongly_then_refused(text):
    with pytest.raises(BadInput):
        parse_lottery_value(text)


def test_draw_with_a_drand_round_when_named_publicly_before_then_script_page_and_check_follow_it(
    tournament, clock, tmp_path
):
    named = name(tournament)
    assert (named.round, named.due_at, named.promise) == (ROUND, DUE, tournament.stage.promise)
    assert "drand network quicknet, round 657413" in page_of(tournament)
    clock.shows(DUE)
    draw(tournament, source=TYPED)
    publish_draw(**where(tournament))
    lot = Lot.objects.get()
    assert (lot.by, lot.publicity, lot.typed) == ("public", "public", VALUE)
    assert lot.seed == sha256(f"{lot.secret}|public {VALUE}|{lot.list_hash}".encode()).hexdigest()
    assert tournament.stage.promise != lot.promise
    assert not list(draw_faults(tournament.event))
    page = page_of(tournament)
    assert "entered by the director, source: api.drand.sh" in page
    assert not [
        mark
        for mark in ("not publicly committed", "public number not used", "entries changed")
        if mark in page
    ]
    code, said = verified(tournament, tmp_path, "--commitment", named.commitment)
    assert code == 3
    assert "its signature was NOT CHECKED" in said
    assert said.count("  stage ") == 1  # the signature alone is left to prove
    assert "no noted commitment of its public random number" in verified(tournament, tmp_path)[1]
    made, told = rows_of(tournament, DrawMade)[0], rows_of(tournament, RandomnessNamed)[0]
    assert (made.randomness, made.value) == (1, VALUE)
    assert (told.commitment, told.round, told.list_hash) == (named.commitment, ROUND, lot.list_hash)


@pytest.mark.parametrize(("minutes", "is_brief"), [(5, True), (15, False)])
def test_number_when_named_shortly_before_its_time_then_the_director_is_warned_and_the_draw_marked(
    clock, tmp_path, minutes, is_brief
):
    clock.shows(DUE - timedelta(days=7))
    tournament = an_event(8)
    opened(tournament)
    clock.shows(DUE - timedelta(minutes=minutes))
    client = Client()
    client.force_login(tournament.director)
    name(tournament)
    draw_page = words(client.get(reverse("director:draw", args=[tournament.event.public_id])))
    assert ("less than 10 minutes after your choice became public" in draw_page) is is_brief
    clock.shows(DUE)
    draw(tournament, source=TYPED)
    publish_draw(**where(tournament))
    assert ("publicly committed for less than 10 minutes" in page_of(tournament)) is is_brief
    assert ("LESS THAN 10 MINUTES BEFORE THE DRAW" in verified(tournament, tmp_path)[1]) is is_brief


def test_number_when_its_time_is_the_one_offered_then_it_is_late_enough(clock):
    clock.shows(DUE.replace(second=59))
    event = an_event(2).event
    offered = datetime.fromisoformat(default_due_time(event)).replace(tzinfo=ZoneInfo(event.timezone))
    assert not is_briefly_public(DUE.replace(second=59), offered)


def test_draw_with_a_lottery_number_when_typed_then_its_source_is_kept_and_said_to_be_compared(
    tournament, clock, tmp_path
):
    naming = RandomnessChoice(RandomnessKind.LOTTERY, DUE, "Lotto 6 aus 49,  15 September 2023")
    named = choose_randomness(**where(tournament), naming=naming)
    clock.shows(DUE + timedelta(minutes=5))
    for read_from in ("", " "):
        with pytest.raises(CrawfordError) as refused:
            draw(tournament, source=SeedSource(SeedSourceKind.PUBLIC, "3 7 12", read_from=read_from))
        assert refused.value.code == "randomness.read_from_missing"
    draw(tournament, source=SeedSource(SeedSourceKind.PUBLIC, "3, 7, 12, 25, 33, 49", read_from="television"))
    publish_draw(**where(tournament))
    assert Lot.objects.get().typed == "3 7 12 25 33 49"
    code, said = verified(tournament, tmp_path, "--commitment", named.commitment)
    assert (code, "compare it with what was published" in said) == (3, True)
    assert not list(draw_faults(tournament.event))


def test_round_of_a_swiss_when_drawn_with_a_public_number_then_repeated(clock, tmp_path):
    clock.shows(DUE - timedelta(minutes=5))
    tournament = an_event(6, system="swiss", lengths=[3], swiss=SwissSettings(rounds=3))
    named = name(tournament)
    clock.shows(DUE)
    pair_next_round(**where(tournament), source=TYPED)
    publish_next(tournament)
    _code, said = verified(tournament, tmp_path, "--commitment", named.commitment)
    assert "Everything is as it was drawn." in said
    assert "NOT PUBLICLY COMMITTED" in said  # it was a draft


@pytest.mark.parametrize(
    ("naming", "code"),
    [
        (RandomnessChoice(RandomnessKind.DRAND, DUE - timedelta(minutes=9)), "randomness.time_odd"),
        (RandomnessChoice(RandomnessKind.DRAND, DUE + timedelta(days=400)), "randomness.time_odd"),
        (
            RandomnessChoice(RandomnessKind.DRAND, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
            "randomness.time_odd",
        ),
        (
            RandomnessChoice(RandomnessKind.LOTTERY, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), "x"),
            "randomness.time_odd",
        ),
        (RandomnessChoice(RandomnessKind.DRAND, datetime(1, 1, 1, tzinfo=UTC)), "randomness.time_odd"),
        (RandomnessChoice(RandomnessKind.DRAND, DUE, network="f" * 64), "randomness.network_unknown"),
        (RandomnessChoice(RandomnessKind.LOTTERY, DUE, " "), "randomness.label_missing"),
        (RandomnessChoice(RandomnessKind.LOTTERY, DUE, "x" * 161), "randomness.label_missing"),
    ],
)
def test_naming_when_its_time_is_not_ahead_or_nobody_could_know_it_again_then_refused(
    tournament, naming, code
):
    with pytest.raises(CrawfordError) as refused:
        choose_randomness(**where(tournament), naming=naming)
    assert refused.value.code == code
    assert not PublicRandomness.objects.exists()


def test_draw_when_its_number_is_not_named_or_its_time_has_not_come_then_refused(tournament, clock):
    with pytest.raises(Conflict) as refused:
        draw(tournament, source=TYPED)
    assert refused.value.code == "randomness.none_named"
    name(tournament)
    clock.shows(DUE - timedelta(seconds=1))
    with pytest.raises(Conflict) as refused:
        draw(tournament, source=TYPED)
    assert refused.value.code == "randomness.too_early"
    clock.shows(DUE)
    with pytest.raises(CrawfordError) as refused:
        draw(
            tournament, source=SeedSource(SeedSourceKind.PUBLIC, PAGE.replace(str(ROUND), "1"), read_from="x")
        )
    assert refused.value.code == "randomness.other_round"
    assert not Lot.objects.exists()


def test_naming_when_the_stage_is_drawn_and_published_then_refused(tournament):
    tournament.publish()
    with pytest.raises(Conflict) as refused:
        name(tournament)
    assert refused.value.code == "randomness.not_now"


def test_naming_in_a_round_robin_when_its_only_draw_is_over_then_refused(clock):
    clock.shows(DUE - timedelta(minutes=5))
    tournament = an_event(4, system="round_robin", lengths=[3])
    publish_next(tournament)
    tournament.play_out()
    assert has_round_to_come(tournament.stage)
    with pytest.raises(Conflict) as refused:
        name(tournament)
    assert refused.value.code == "randomness.not_now"


def test_draw_in_a_draft_when_the_event_becomes_public_only_after_the_round_then_marked(clock, tmp_path):
    clock.shows(DUE - timedelta(minutes=5))
    tournament = an_event(8)
    name(tournament)
    clock.shows(DUE + timedelta(minutes=1))
    opened(tournament)
    draw(tournament, source=TYPED)
    publish_draw(**where(tournament))
    assert Lot.objects.get().publicity == "private"
    assert "not publicly committed beforehand" in page_of(tournament)
    assert "NOT PUBLICLY COMMITTED BEFOREHAND" in verified(tournament, tmp_path)[1]


def test_list_when_changed_after_the_number_was_named_then_the_draw_is_marked(tournament, clock, tmp_path):
    named = name(tournament)
    late = [NewEntry(name="Zoe")]
    add_entries(
        actor=tournament.actor, event_id=tournament.event.pk, division_id=tournament.division.pk, entries=late
    )
    clock.shows(DUE)
    draw(tournament, source=TYPED)
    publish_draw(**where(tournament))
    assert "entries changed after the public number was chosen" in page_of(tournament)
    assert "THE LIST WAS CHANGED" in verified(tournament, tmp_path, "--commitment", named.commitment)[1]
    assert not list(draw_faults(tournament.event))


@pytest.mark.parametrize("source", [SeedSource(), SeedSource(SeedSourceKind.DICE, ROLLS)])
def test_draw_without_the_number_that_was_named_then_it_is_said(tournament, clock, tmp_path, source):
    name(tournament)
    clock.shows(DUE + timedelta(seconds=30))
    draw(tournament, source=source)
    publish_draw(**where(tournament))
    assert "public number not used" in page_of(tournament)
    assert (
        "A PUBLIC NUMBER WAS NAMED AND NOT USED"
        in verified(
            tournament,
            tmp_path,
            "--commitment",
            Lot.objects.get().promise or PublicRandomness.objects.get().commitment,
        )[1]
    )


def test_numbers_when_named_until_one_suits_then_marked_and_each_stays_to_be_seen(
    tournament, clock, tmp_path
):
    name(tournament)
    clock.shows(DUE + timedelta(minutes=1))  # known by now, and not liked
    again = RandomnessChoice(RandomnessKind.LOTTERY, DUE + timedelta(minutes=5), "another one")
    named = choose_randomness(**where(tournament), naming=again)
    clock.shows(DUE + timedelta(minutes=6))
    draw(tournament, source=SeedSource(SeedSourceKind.PUBLIC, "7", read_from="somewhere"))
    publish_draw(**where(tournament))
    page = page_of(tournament)
    assert "public number not used" in page
    assert "Chosen but not used: drand network quicknet, round 657413" in page
    assert (
        "A PUBLIC NUMBER WAS NAMED AND NOT USED"
        in verified(tournament, tmp_path, "--commitment", named.commitment)[1]
    )


def test_number_when_replaced_before_its_time_then_nothing_is_marked(tournament, clock):
    name(tournament, DUE + timedelta(minutes=30))
    name(tournament)
    clock.shows(DUE + timedelta(hours=1))
    draw(tournament, source=TYPED)
    publish_draw(**where(tournament))
    assert "public number not used" not in page_of(tournament)


@pytest.mark.parametrize("is_drawn", [False, True])
def test_number_when_its_stage_is_removed_then_it_stays_to_be_seen(tournament, is_drawn):
    added = StageDetails(lengths=[5])
    stage = add_stage(
        actor=tournament.actor, event_id=tournament.event.pk, division_id=tournament.division.pk, stage=added
    )
    at = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": stage.pk}
    choose_randomness(**at, naming=RandomnessChoice(RandomnessKind.DRAND, DUE + timedelta(minutes=5)))
    choose_randomness(**at, naming=RandomnessChoice(RandomnessKind.DRAND, DUE))
    if is_drawn:
        draw_stage(**at)
        discard_draw(**at)
    remove_stage(**at)
    page = page_of(tournament)
    assert "A removed stage" in page
    assert "Chosen but not used: drand network quicknet, round 657513" in page
    assert ("Chosen but not used: drand network quicknet, round 657413" in page) is not is_drawn
    assert ("drand network quicknet, round 657413" in page, page.count("not drawn yet")) == (True, 1)


def test_draw_again_when_the_number_was_used_then_another_one_has_to_be_named(tournament, clock):
    name(tournament)
    clock.shows(DUE)
    draw(tournament, source=TYPED)
    with pytest.raises(Conflict) as refused:
        draw(tournament, source=TYPED)
    assert refused.value.code == "randomness.none_named"
    discard_draw(**where(tournament))
    assert "entered by the director" in page_of(tournament)  # what was thrown away stays to be seen


def test_late_entry_by_lot_when_undone_and_drawn_for_the_same_entry_again_then_marked(clock):
    clock.shows(DUE - timedelta(minutes=11))
    tournament = an_event(5)
    clock.moves(minutes=1)
    opened(tournament)
    clock.moves(minutes=1)
    draw(tournament)
    publish_draw(**where(tournament))
    entry = add_late_entry(**where(tournament), entry=NewEntry(name="Zoe"))
    assert "A line was already drawn for this entry." not in page_of(tournament)
    placed = AuditEntry.objects.get(scope=audit_scope(tournament.event), action="entry.late")
    undo_repair(actor=tournament.actor, event_id=tournament.event.pk, audit_id=placed.pk)
    player = entry.players.get()
    again = add_late_entry(**where(tournament), entry=NewEntry(name="Zoe", player_id=player.pk))
    assert again == entry
    assert "A line was already drawn for this entry." in page_of(tournament)
    late = Lot.objects.filter(what="late").order_by("number")
    assert [lot.publicity for lot in late] == ["public", "public"]
    logged = {
        one.commitment for row in rows_of(tournament, CommitmentPublicitySet) for one in row.commitments
    }
    made = rows_of(tournament, DrawMade)[0]
    assert {lot.promise for lot in Lot.objects.all()} <= logged | {made.commitment, made.next_commitment}


def test_file_when_a_public_number_is_changed_then_the_difference_is_named(tournament, clock):
    name(tournament)
    clock.shows(DUE)
    draw(tournament, source=TYPED)
    publish_draw(**where(tournament))
    for key, other in {
        "value": "0" * 64,
        "signature": SIGNATURE[::-1],
        "round": ROUND + 1,
        "due_at": "2023-09-15T11:00:06.000000+00:00",
        "promise": "1" * 64,
        "list_hash": "2" * 64,
        "commitment": "3" * 64,
        "number": 2,
        "network": "4" * 64,
    }.items():
        document = json.loads(file_of(tournament))
        document["stages"][0]["randomness"][0][key] = other
        assert difference(resealed(document)), key
    document = json.loads(file_of(tournament))
    document["stages"][0]["randomness"] = []
    assert "not in the file" in difference(resealed(document))
    for row in document["audit"]:
        row["data"] = {**row["data"], "v": 2}
        with pytest.raises(verify_draw.Difference):
            verify_draw.check_audit([row], [])


def test_audit_head_when_noted_beside_the_commitments_then_it_proves_them(tournament, clock, tmp_path):
    heads = [tournament.fresh().trail_head]
    draw(tournament)
    heads.append(tournament.fresh().trail_head)
    publish_draw(**where(tournament))
    assert verified(tournament, tmp_path, "--audit-head", heads[0])[0] == 0
    code, said = verified(tournament, tmp_path, "--audit-head", tournament.fresh().trail_head)
    assert (code, "is not one shown beside commitments" in said) == (3, True)
    document = json.loads(file_of(tournament))
    document["audit"][0]["data"]["commitments"][0][1] = "f" * 64
    (tmp_path / "forged.json").write_bytes(resealed(document))
    assert verify_draw.main([str(tmp_path / "forged.json"), "--audit-head", heads[0]]) == 1


def test_commitments_when_a_stage_is_added_or_an_operator_hides_the_event_then_in_the_audit_log(tournament):
    stage = add_stage(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        stage=StageDetails(lengths=[5]),
    )
    assert (stage.pk, stage.promise) in [
        tuple(one) for one in rows_of(tournament, CommitmentPublicitySet)[-1].commitments
    ]
    for kind, key in (("event", tournament.event.public_id), ("club", tournament.club.public_id)):
        for state in ("hidden", ""):
            reason = "x" * 20
            moderate(actor=Actor.of(a_user(is_staff=True)), kind=kind, key=key, state=state, reason=reason)
            assert rows_of(tournament, CommitmentPublicitySet)[-1].public is (not state)
    tournament.fresh()
    assert not list(broken_links(tournament.event, ChainSummary()))
    assert len(rows_of(tournament, CommitmentPublicitySet)) == 6


def test_number_when_named_by_page_and_api_then_the_same_and_drawn_on_the_page(tournament, clock):
    client = Client()
    client.force_login(tournament.director)
    draw_url, place = reverse("director:draw", args=[tournament.event.public_id]), {"stage": "1"}
    assert "Draw with a public random number" not in words(client.get(draw_url))
    assert "Draw with a public random number" in words(client.get(f"{draw_url}?other=1"))
    name_url = reverse("director:name-number", args=[tournament.event.public_id])
    assert client.post(name_url, {**place, "due_at": "soon"}).status_code == 422
    assert (
        client.post(name_url, {**place, "kind": "lottery", "due_at": "2023-09-15T13:00"}).status_code == 422
    )
    assert client.post(name_url, {**place, "due_at": "2023-09-15T11:00:03+00:00"}).status_code == 302
    body = {"due_at": "2023-09-15T11:00:01Z"}
    answer = client.post(
        reverse("api:name-randomness", args=[tournament.event.public_id]),
        body,
        content_type="application/json",
    )
    assert answer.status_code == 201, answer.content
    first, second = PublicRandomness.objects.all()
    assert (first.round, second.round, answer.json()["round"]) == (ROUND, ROUND, ROUND)
    assert answer.json()["commitment"] == second.commitment
    assert "This number has not been published yet" in words(client.get(draw_url))
    clock.shows(DUE)
    assert f"/public/{ROUND}" in client.get(draw_url).content.decode()
    make = reverse("director:make-draw", args=[tournament.event.public_id])
    typed = {**place, "by": "public", "number": "odd", "read_from": "api.drand.sh"}
    refused = client.post(make, typed)
    assert (refused.status_code, "64 hexadecimal digits" in words(refused)) == (422, True)
    assert client.post(make, {**typed, "number": PAGE}).status_code == 302
    assert Lot.objects.get().by == "public"
    document = client.get(reverse("api:draws", args=[tournament.event.public_id])).json()
    assert [row["value"] for row in document["stages"][0]["randomness"]] == ["", VALUE]
    assert document == json.loads(file_of(tournament))


def test_number_when_refused_then_shown_again_in_the_form_of_its_stage_alone(tournament, clock):
    added = StageDetails(lengths=[5])
    add_stage(
        actor=tournament.actor, event_id=tournament.event.pk, division_id=tournament.division.pk, stage=added
    )
    for place in (1, 2):
        choose_randomness(**where(tournament, place), naming=RandomnessChoice(RandomnessKind.DRAND, DUE))
    clock.shows(DUE)
    client = Client()
    client.force_login(tournament.director)
    make = reverse("director:make-draw", args=[tournament.event.public_id])
    typed = {"stage": "2", "by": "public", "number": "no-number", "read_from": "somewhere"}
    refused = client.post(make, typed)
    assert refused.status_code == 422
    numbers = [part["randomness"]["typed"] for part in refused.context["parts"]]
    assert numbers == [
        {"number": "", "read_from": f"https://api.drand.sh/{QUICKNET.hash}/public/{ROUND}"},
        {"number": "no-number", "read_from": "somewhere"},
    ]
    assert refused.content.decode().count("no-number</textarea>") == 1


class _Drand(BaseHTTPRequestHandler):
    answer = PAGE

    earlier = (404, b"")  # what it says of the round before

    def do_GET(self):
        status, body = (200, self.answer.encode())
        if self.path == f"/{QUICKNET.hash}/public/{ROUND - 1}":
            status, body = self.earlier
        else:
            assert self.path == f"/{QUICKNET.hash}/public/{ROUND}"
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args):
        pass


@pytest.fixture
def drand(settings):
    """A drand server of one round."""
    server = HTTPServer(("127.0.0.1", 0), _Drand)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    settings.DRAND_URL = f"http://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_number_when_fetched_then_stored_with_its_source_and_drawn_without_typing(
    tournament, clock, drand, settings
):
    name(tournament)
    assert fetch_due_rounds() == 0  # its time has not come
    clock.shows(DUE)
    assert (fetch_due_rounds(), fetch_due_rounds()) == (1, 0)
    named = PublicRandomness.objects.get()
    url = f"{settings.DRAND_URL}/{QUICKNET.hash}/public/{ROUND}"
    assert (named.value, named.origin, named.read_from) == (VALUE, "fetched", url)
    draw(tournament, source=SeedSource(SeedSourceKind.PUBLIC))
    assert (Lot.objects.get().typed, Lot.objects.get().publicity) == (VALUE, "public")
    assert "fetched from" in page_of(tournament)


@pytest.mark.parametrize("earlier", [(404, b""), (500, b"{}"), (200, b"<html>"), (200, b"\xff")])
def test_number_when_the_one_before_it_is_refused_then_still_fetched(
    tournament, clock, drand, monkeypatch, earlier
):
    monkeypatch.setattr(_Drand, "earlier", earlier)
    other = an_event(4)
    name(other, DUE - timedelta(seconds=3))
    name(tournament)
    clock.shows(DUE)
    assert fetch_due_rounds() == 1
    assert list(PublicRandomness.objects.order_by("round").values_list("value", flat=True)) == ["", VALUE]


def test_numbers_when_the_network_is_silent_then_only_one_of_them_waits(tournament, clock, settings, caplog):
    name(an_event(4), DUE - timedelta(seconds=3))
    name(tournament)
    clock.shows(DUE)
    settings.DRAND_URL = "http://127.0.0.1:1"
    assert fetch_due_rounds() == 0
    assert caplog.text.count("was not fetched") == 1


def test_number_when_the_network_is_silent_or_answers_nonsense_then_it_can_be_typed(
    tournament, clock, settings
):
    name(tournament)
    clock.shows(DUE)
    settings.DRAND_URL = "http://127.0.0.1:1"
    assert fetch_due_rounds() == 0
    with pytest.raises(BadInput):
        store_drand_value(randomness_id=PublicRandomness.objects.get().pk, text="<html>", read_from="x")
    draw(tournament, source=TYPED)
    assert PublicRandomness.objects.get().origin == "typed"


def test_audit_row_of_an_earlier_release_then_checked_for_what_it_states():
    tournament = an_event(4).publish(seed=None)
    document = json.loads(file_of(tournament))
    (row,) = (row for row in document["audit"] if row["action"] == DrawMade.kind)
    for name_of in ("commitment", "publicity", "next_commitment", "randomness", "value"):
        del row["data"][name_of]
    row["link"] = verify_draw.link(row)
    verify_draw.check_audit([row], document["stages"])
    document["stages"][0]["draws"][0]["seed"] = "0" * 64
    with pytest.raises(verify_draw.Difference, match="the seed of a draw in the audit log"):
        verify_draw.check_audit([row], document["stages"])


def test_file_of_an_earlier_release_then_still_verified():
    tournament = an_event(4).publish(seed=None)
    document = json.loads(file_of(tournament))
    del document["audit"]
    for stage in document["stages"]:
        del stage["randomness"]
        for row in stage["draws"]:
            del row["randomness"]
    assert difference(resealed(document)) == ""
    assert list(verify_draw.unproved(document["stages"], set(), set()))
