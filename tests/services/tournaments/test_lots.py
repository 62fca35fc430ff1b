"""Draws that anybody can check: promised before, kept for ever, repeated by `tools/verify_draw.py` with Python alone."""

import json
import subprocess
import sys
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from faults import Conflict, CrawfordError, Invalid
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import a_user, an_event, names
from tests.support.director import words
from tests.support.rounds import play_to_the_end, publish_next, where
from tools import verify_draw, verify_pairing
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw, unpublish_draw
from tournaments.engine.lots.committed import (
    DrawReason,
    SeedResult,
    SeedSource,
    SeedSourceKind,
    commitment_for,
    derive_seed,
    json_digest,
)
from tournaments.engine.lots.lists import draw_lines, unseeded_entries
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings, SeparateBy
from tournaments.engine.stages.swiss import AvoidancePolicy, SwissSettings
from tournaments.engine.statuses import EventAction
from tournaments.engine.trail.draws import CommitmentPublicitySet, DrawMade
from tournaments.events.services.events import EventDetails, change_event_status, update_event
from tournaments.events.services.stages import StageDetails, add_stage, remove_stage
from tournaments.models import Entry, Event, Lot, Stage
from tournaments.models.trail import audit_scope, parse_row
from tournaments.operators.services.moderating import moderate
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.lots import draws_document, is_repeat_draw
from tournaments.selectors.repairs.late import free_lines
from tournaments.selectors.seeding import draw_list, draw_participants

pytestmark = pytest.mark.django_db
ROLLS = "31 64 22 15 66 43 21 55 16 34 12 65 41"


def file_of(tournament):
    return (json.dumps(draws_document(tournament.event), sort_keys=True, indent=1) + "\n").encode()


def resealed(document):
    """The file of somebody who changed a thing and knows how the digest is made."""
    rest = {key: part for key, part in document.items() if key != "digest"}
    return (json.dumps({**rest, "digest": json_digest(rest)}, sort_keys=True, indent=1) + "\n").encode()


def verified(data, tmp_path, noted=None):
    """What the script says to somebody who has ``noted`` these commitments; None: all that there were."""
    draws = [row for stage in json.loads(data)["stages"] for row in stage["draws"]]
    noted = [row["promise"] for row in draws if row["promise"]] if noted is None else noted
    path = tmp_path / "draws.json"
    path.write_bytes(data)
    run = subprocess.run(
        [
            *(sys.executable, "-I", "-S", verify_draw.__file__, str(path)),
            *(word for one in noted for word in ("--commitment", one)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    return run.returncode, run.stdout


def difference(data):
    """What the script says is different, or nothing."""
    try:
        for stage in verify_draw.read(data)["stages"]:
            list(verify_draw.check_stage(stage))
    except verify_draw.Difference as found:
        return str(found)
    return ""


def draw(tournament, **source):
    return draw_stage(**where(tournament), **source)


def by_hand(tournament):
    stage = tournament.stage
    return SeedSource(
        SeedSourceKind.HAND,
        order=tuple(reversed(unseeded_entries(draw_list(stage, draw_participants(stage))))),
    )


def with_clubs(tournament, marks):
    for number, entry in enumerate(Entry.objects.filter(division=tournament.division).order_by("pk")):
        entry.party = f"Party {number % marks}" if number % 3 else ""
        entry.save()


@pytest.mark.parametrize("method", ["blind", "seeded"])
@pytest.mark.parametrize("by", ["server", "dice", "hand"])
def test_draw_of_37_when_made_in_any_way_then_the_script_repeats_it_with_python_alone(by, method, tmp_path):
    tournament = an_event(37, lengths=[5], draw_method=method, bracket=BracketSettings(apart=(SeparateBy.PARTY,)))  # fmt: skip
    with_clubs(tournament, 5)
    if method == "seeded":
        for seed, entry in enumerate(
            Entry.objects.filter(division=tournament.division).order_by("-pk")[:6], start=1
        ):
            entry.seed = seed
            entry.save()
    source = {
        "server": SeedSource(),
        "dice": SeedSource(SeedSourceKind.DICE, ROLLS),
        "hand": by_hand(tournament),
    }[by]
    draw(tournament, source=source)
    publish_draw(**where(tournament))
    code, said = verified(file_of(tournament), tmp_path)
    assert "Everything is as it was drawn." in said
    assert (code, "NOT PROVED" in said) == ((0, False) if by == "server" else (3, True))
    lines = Lot.objects.get().outcome["lines"]
    drawn = [line.split(". ", 1)[1].split(" – ") for line in said.splitlines() if " – " in line]
    assert [one for pair in drawn for one in pair] == [str(line or "bye") for line in lines]
    assert len(lines) == 64
    assert sum(line is None for line in lines) == 27


def test_file_of_a_small_draw_when_any_byte_is_changed_then_it_is_found():
    tournament = an_event(3).publish(seed=None)
    document = json.loads(file_of(tournament))
    data = resealed({**document, "audit": []})  # which the digest holds like the rest
    assert difference(data) == ""
    unseen = [
        (place, byte)
        for place in range(len(data))
        for byte in {data[place] ^ 1, data[place] ^ 32, ord("0"), ord(" ")} - {data[place]}
        if not difference(data[:place] + bytes([byte]) + data[place + 1 :])
    ]
    assert unseen == []
    assert all(difference(data[:place] + data[place + 1 :]) for place in range(len(data)))


@pytest.mark.parametrize(
    "name",
    ["secret", "seed", "promise", "list_hash", "by", "what", "listed", "outcome", "number", "promised_at"],
)
def test_file_when_somebody_changes_a_draw_and_its_digest_then_the_difference_is_named(name):
    tournament = an_event(5).publish(seed=None)
    document = json.loads(file_of(tournament))
    row = document["stages"][0]["draws"][0]
    match row[name]:
        case {"lines": lines}:
            lines[0], lines[-1] = lines[-1], lines[0]
        case {"entries": entries}:
            entries.pop()
        case int():
            row[name] = 7
        case str() as text:
            row[name] = "9" + text[1:] if not text.startswith("9") else "8" + text[1:]
    assert "Stage" in difference(resealed(document))


def test_secret_when_a_draw_is_made_then_it_is_the_one_that_was_promised_and_another_is_promised():
    tournament = an_event(4)
    before = tournament.stage
    draw(tournament)
    (lot,), after = Lot.objects.all(), tournament.stage
    assert commitment_for(lot.secret) == lot.promise == before.promise
    assert lot.seed == sha256(f"{lot.secret}|{lot.list_hash}".encode()).hexdigest() == after.draw_seed
    assert after.promise != before.promise
    assert after.promised_at >= lot.at >= lot.promised_at == before.promised_at


def test_draws_when_five_are_made_then_five_rows_with_reasons_each_promised_before():
    tournament = an_event(6)
    promised = []
    for why in (
        DrawReason.UNSPECIFIED,
        DrawReason.OTHER,
        DrawReason.MISTAKE,
        DrawReason.UNSPECIFIED,
        DrawReason.ENTRIES,
    ):
        promised.append(tournament.stage.promise)
        draw(tournament, source=SeedSource(why=why))
    lots = list(Lot.objects.order_by("number"))
    assert [lot.why for lot in lots] == ["first", "other", "mistake", "unsaid", "entries"]
    assert [lot.promise for lot in lots] == promised
    assert len({lot.seed for lot in lots}) == 5
    assert all(is_repeat_draw(lots, lot) for lot in lots[1:])
    rows = json.loads(file_of(tournament))["stages"][0]["draws"]
    assert [row["shown"] for row in rows] == [True] * 4 + [False]
    assert {rows[-1][name] for name in ("secret", "seed", "listed", "outcome")} == {None}
    assert difference(file_of(tournament)) == ""


def test_draw_when_thrown_away_or_taken_back_then_it_stays_to_be_seen():
    tournament = an_event(4)
    draw(tournament)
    discard_draw(**where(tournament))
    draw(tournament)
    publish_draw(**where(tournament))
    unpublish_draw(**where(tournament))
    draw(tournament)
    rows = json.loads(file_of(tournament))["stages"][0]["draws"]
    assert [row["shown"] for row in rows] == [True, True, False]


def test_stage_when_taken_away_after_a_draw_then_its_draws_stay_to_be_seen(tmp_path):
    tournament = an_event(4)
    stage = add_stage(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        stage=StageDetails(lengths=[5]),
    )
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk)
    discard_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk)
    remove_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk)
    code, text = verified(file_of(tournament), tmp_path)
    assert (code, f"Stage {stage.pk}: drawn 1 times" in text) == (0, True)
    client = Client()
    client.force_login(tournament.director)
    page = client.get(reverse("public:draws", args=[tournament.event.public_id])).content.decode()
    assert "A removed stage" in page


@pytest.mark.parametrize(
    "rolls", ["", "31 64", ROLLS + " 11", ROLLS[:-1] + "7", ROLLS[:-1], "ab" * 13, "٣١" * 13, ROLLS * 2]
)
def test_dice_when_rolled_too_often_or_typed_wrongly_then_refused(rolls):
    tournament = an_event(4)
    with pytest.raises(Invalid) as refused:
        draw(tournament, source=SeedSource(SeedSourceKind.DICE, rolls))
    assert refused.value.code == "lot.rolls_odd"
    assert not Lot.objects.exists()


def test_dice_when_the_list_has_changed_since_it_was_read_out_then_refused():
    tournament = an_event(4)
    seen = json_digest(draw_list(tournament.stage, draw_participants(tournament.stage)))
    Entry.objects.filter(division=tournament.division).last().delete()
    with pytest.raises(Conflict) as refused:
        draw(tournament, source=SeedSource(SeedSourceKind.DICE, ROLLS), seen=seen)
    assert refused.value.code == "lot.list_changed"


@pytest.mark.parametrize("entries", [[], [1], "twice"])
def test_order_by_hand_when_not_everybody_stands_in_it_once_then_refused(entries):
    tournament = an_event(4)
    order = by_hand(tournament).order
    wrong = (*order[:-1], order[0]) if entries == "twice" else tuple(entries)
    with pytest.raises(CrawfordError) as refused:
        draw(tournament, source=SeedSource(SeedSourceKind.HAND, order=wrong))
    assert refused.value.code == "lot.order_odd"


def test_list_when_frozen_then_it_holds_no_names():
    tournament = an_event(9, lengths=[5], bracket=BracketSettings(apart=(SeparateBy.PARTY,)))
    with_clubs(tournament, 2)
    draw(tournament)
    text = json.dumps(Lot.objects.get().listed)
    assert not [name for name in [*names(9), "Party"] if name in text]


def test_late_entry_when_by_lot_then_a_row_of_its_own_and_by_hand_is_marked(tmp_path):
    tournament = an_event(5).publish(seed=None)
    add_late_entry(**where(tournament), entry=NewEntry(name="Zoe"))
    place = free_lines(load_draw(tournament.stage))[0]
    add_late_entry(**where(tournament), entry=NewEntry(name="Yan"), match=place.match.number, side=place.side)
    lot, chosen = Lot.objects.filter(what="late").order_by("number")
    assert (lot.by, chosen.by, lot.why) == ("server", "hand", "first")
    assert len(lot.listed["places"]) == 3
    assert chosen.outcome == {"place": f"{place.match.number}{place.side}"}
    code, said = verified(file_of(tournament), tmp_path)
    assert code == 3  # a place that was chosen proves nothing
    assert "was put on place" in said
    document = json.loads(file_of(tournament))
    row = document["stages"][0]["draws"][1]
    row["outcome"]["place"] = next(one for one in row["listed"]["places"] if one != row["outcome"]["place"])
    assert "the place of the late entry" in difference(resealed(document))


def test_groups_when_drawn_then_the_script_deals_the_same(tmp_path):
    tournament = an_event(11, system="round_robin", lengths=[3], swiss=SwissSettings(group_count=3))  # fmt: skip
    pair_next_round(**where(tournament))
    publish_next(tournament)
    code, said = verified(file_of(tournament), tmp_path)
    assert code == 0
    assert said.count("group ") == 3


def swiss(count, **settings):
    return an_event(count, system="swiss", lengths=[3], swiss=SwissSettings(rounds=3, **settings))


def test_swiss_when_played_then_the_lots_of_each_round_are_repeated(tmp_path):
    tournament = play_to_the_end(swiss(9, parties=AvoidancePolicy.AVOID))
    rounds = Lot.objects.filter(what="round").order_by("number")
    assert [lot.round for lot in rounds] == [1, 2, 3]
    code, said = verified(file_of(tournament), tmp_path)
    assert code == 3, said  # the seed of each round was typed in
    assert said.count(": bye") == 3
    assert len(list(verify_pairing.check(verify_draw.read(file_of(tournament))))) == 3


def test_swiss_when_entries_change_after_the_lots_then_the_file_says_so():
    tournament = swiss(6)
    found = pair_next_round(**where(tournament))
    assert found.seed == tournament.stage.next_seed
    Entry.objects.filter(division=tournament.division).order_by("pk").last().delete()
    publish_next(tournament)
    (stage,) = verify_draw.read(file_of(tournament))["stages"]
    assert any(
        "changed between the lots and the publication" in line for line in verify_draw.check_stage(stage)
    )


def test_pairing_when_a_legal_other_one_stands_in_the_file_then_it_is_found():
    tournament = swiss(6)
    pair_next_round(**where(tournament))
    publish_next(tournament)
    document = json.loads(file_of(tournament))
    assert list(verify_pairing.check(document))
    pairs = document["stages"][0]["draws"][0]["outcome"]["pairs"]
    pairs[0][0], pairs[1][0] = pairs[1][0], pairs[0][0]
    with pytest.raises(verify_draw.Difference, match="the pairs of round 1"):
        list(verify_pairing.check(document))


@pytest.mark.parametrize("what", ["lots", "twice", "never"])
def test_swiss_when_its_file_tells_of_a_round_that_is_not_legal_then_it_is_found(what):
    tournament = swiss(6)
    pair_next_round(**where(tournament))
    publish_next(tournament)
    document = json.loads(file_of(tournament))
    row = document["stages"][0]["draws"][0]
    outcome = row["outcome"]
    if what == "lots":
        outcome["lots"].reverse()
    elif what == "twice":
        outcome["pairs"][0][0] = outcome["pairs"][1][0]
    else:
        outcome["listed"]["never"] = [sorted(outcome["pairs"][0])]
    assert difference(resealed(document))


def opened(tournament, **more):
    """The event with its page open to everybody, or (``visibility``) to those with the link."""
    if more:
        details = EventDetails(
            name=tournament.event.name,
            starts_on=tournament.event.starts_on,
            ends_on=tournament.event.ends_on,
            **more,
        )
        update_event(actor=tournament.actor, event_id=tournament.event.pk, details=details)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.OPEN)


def test_draw_when_made_in_a_draft_then_marked_whatever_is_published_later(tmp_path):
    """Nine drafts of the same entries, of which the best is published: the other eight stay invisible."""
    tournament = an_event(8)
    draw(tournament)
    publish_draw(**where(tournament))
    lot = Lot.objects.get()
    assert (lot.publicity, lot.public_since) == ("private", None)
    page = words(Client().get(reverse("public:draws", args=[tournament.event.public_id])))
    assert "not publicly committed beforehand" in page
    assert "Nobody can choose a draw here" not in page
    code, said = verified(file_of(tournament), tmp_path, [])
    assert (code, "NOT PUBLICLY COMMITTED BEFOREHAND" in said) == (3, True)
    assert "could have been chosen among several" in said


def test_draw_when_the_event_is_unlisted_or_hidden_then_marked():
    tournament = an_event(8)
    opened(tournament, visibility="unlisted")
    draw(tournament)
    assert Lot.objects.get().publicity == "private"
    details = EventDetails(
        name="Night", starts_on=tournament.event.starts_on, ends_on=tournament.event.ends_on
    )
    update_event(actor=tournament.actor, event_id=tournament.event.pk, details=details)
    draw(tournament)
    moderate(
        actor=Actor.of(a_user(is_staff=True)),
        kind="event",
        key=tournament.event.public_id,
        state="hidden",
        reason="x" * 20,
    )
    draw(tournament)
    assert list(Lot.objects.order_by("pk").values_list("publicity", flat=True)) == [
        "private",
        "public",
        "private",
    ]


def test_draw_when_the_event_was_public_before_then_public_since_is_shown_and_written_down(tmp_path):
    tournament = an_event(8)
    opened(tournament)
    committed = tournament.stage.promise
    draw(tournament)
    publish_draw(**where(tournament))
    lot = Lot.objects.get()
    assert (lot.publicity, lot.promise) == ("public", committed)
    assert lot.public_since < lot.at
    page = words(Client().get(reverse("public:draws", args=[tournament.event.public_id])))
    assert "public since" in page
    assert "not publicly committed beforehand" not in page
    rows = AuditEntry.objects.filter(scope=audit_scope(tournament.event)).order_by("pk")
    published = parse_row(rows.get(action=CommitmentPublicitySet.kind))
    assert [one.commitment for one in published.commitments] == [committed]
    made = parse_row(rows.get(action=DrawMade.kind))
    assert (made.commitment, made.publicity, made.next_commitment) == (
        committed,
        "public",
        tournament.stage.promise,
    )
    assert verified(file_of(tournament), tmp_path, [committed])[0] == 0
    assert verified(file_of(tournament), tmp_path, [])[0] == 3
    code, said = verified(file_of(tournament), tmp_path, ["f" * 64])
    assert (code, "that you noted is not one of this event" in said) == (1, True)


def test_draw_when_its_commitment_was_public_for_a_moment_only_then_marked(tmp_path):
    """Several like events, each opened, drawn at once, and all but one put back: none of them may look as if committed."""
    tournament = an_event(8)
    opened(tournament)
    url = reverse("public:draws", args=[tournament.event.public_id])
    assert "a draw before" in words(Client().get(url))
    draw(tournament)
    publish_draw(**where(tournament))
    assert "publicly committed for less than 10 minutes" in words(Client().get(url))
    assert "LESS THAN 10 MINUTES BEFORE THE DRAW" in verified(file_of(tournament), tmp_path, [])[1]


def test_draw_when_its_commitment_was_public_long_enough_then_not_marked(tmp_path):
    tournament = an_event(8)
    opened(tournament)
    earlier = timezone.now() - timedelta(minutes=11)
    Event.objects.filter(pk=tournament.event.pk).update(public_since=earlier)
    Stage.objects.filter(pk=tournament.stage.pk).update(promised_at=earlier)
    assert "a draw before" not in words(
        Client().get(reverse("public:draws", args=[tournament.event.public_id]))
    )
    draw(tournament)
    discard_draw(**where(tournament))
    draw(tournament)  # moments after its commitment was made, but in public
    publish_draw(**where(tournament))
    url = reverse("public:draws", args=[tournament.event.public_id])
    assert Lot.objects.count() == 2
    assert "less than 10 minutes" not in words(Client().get(url))
    assert "LESS THAN" not in verified(file_of(tournament), tmp_path, [])[1]
    unpublish_draw(**where(tournament))
    discard_draw(**where(tournament))
    for status in (EventAction.CLOSE, EventAction.OPEN):  # a break: public again, but drawn at once
        change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=status)
    draw(tournament)
    publish_draw(**where(tournament))
    assert "less than 10 minutes" in words(Client().get(url))
    assert verified(file_of(tournament), tmp_path, [])[1].count("LESS THAN 10 MINUTES") == 1


def test_draw_with_dice_when_the_list_was_known_before_then_marked_as_convincing_only_to_those_who_watched(
    tmp_path,
):
    tournament = an_event(8)
    opened(tournament)
    draw(tournament, source=SeedSource(SeedSourceKind.DICE, ROLLS))
    publish_draw(**where(tournament))
    page = words(Client().get(reverse("public:draws", args=[tournament.event.public_id])))
    assert "only witnesses can confirm it" in page
    code, said = verified(file_of(tournament), tmp_path, [])
    assert (code, "dice convince only those who watched" in said) == (3, True)


def test_file_when_forged_with_a_secret_made_afterwards_then_not_proved_and_against_a_note_different(
    tmp_path,
):
    tournament = an_event(8)
    opened(tournament)
    noted = tournament.stage.promise
    draw(tournament)
    publish_draw(**where(tournament))
    document = json.loads(file_of(tournament))
    row = document["stages"][0]["draws"][0]
    row["secret"] = "0" * 64
    row["promise"] = commitment_for(row["secret"])
    row["seed"] = derive_seed(SeedSource(), row["secret"], row["list_hash"])
    row["outcome"] = {"lines": list(draw_lines(row["listed"], SeedResult(row["seed"])))}
    assert "in the audit log" in verified(resealed(document), tmp_path, [])[1]
    forged = resealed({**document, "audit": []})
    code, said = verified(forged, tmp_path, [])
    assert (code, "NOT PROVED" in said) == (3, True)
    assert verified(forged, tmp_path, [noted])[0] == 1


def test_draw_of_an_earlier_release_then_its_publication_is_said_to_be_unrecorded(tmp_path):
    tournament = an_event(8)
    draw(tournament)
    publish_draw(**where(tournament))
    Lot.objects.update(publicity="", public_since=None)
    page = words(Client().get(reverse("public:draws", args=[tournament.event.public_id])))
    assert "publication time not recorded" in page
    assert "not publicly committed beforehand" not in page
    code, said = verified(file_of(tournament), tmp_path, [])
    assert (code, "publication time not recorded" in said) == (3, True)


@pytest.mark.parametrize(
    "script", sorted(path.name for path in Path(verify_draw.__file__).parent.glob("*.py"))
)
def test_script_when_asked_for_help_then_says_what_it_does(script):
    path = Path(verify_draw.__file__).parent / script
    if '__name__ == "__main__"' not in path.read_text():
        pytest.skip("no program")
    run = subprocess.run(
        [sys.executable, str(path), "--help"],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        timeout=30,
    )
    assert (run.returncode, len(run.stdout) > 50) == (0, True), run.stderr
