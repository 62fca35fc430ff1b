"""Check-in: when it is open, who is here, undo, approval, and draws that ask who is missing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import Tournament, a_user, an_event
from tests.support.tournaments import lets_new_names_in
from tournaments.check_in.services.leaving_out import withdraw_missing
from tournaments.check_in.services.marking import (
    check_in_by_code,
    check_in_entries,
    check_in_others,
    uncheck_entries,
    undo_check_in_action,
)
from tournaments.check_in.services.own import check_in_by_link
from tournaments.check_in.services.windows import (
    close_check_in,
    open_check_in,
    remove_check_in,
    set_check_in,
)
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw, unpublish_draw
from tournaments.engine.check_in import CheckInMethod, CheckInState
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import EntryStatus, StageStatus
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.registration import register_self
from tournaments.entries.services.several import move_entries
from tournaments.events.services.divisions import (
    DivisionDetails,
    add_division,
    division_settings_version,
    update_division,
)
from tournaments.events.services.events import set_registration
from tournaments.events.services.stages import StageDetails
from tournaments.models import CheckIn, Division, Entry, EntryDetail, Here, LinkPhone, Round, Stage
from tournaments.repairs.services.reinstating import reinstate
from tournaments.rounds.services.rounds import pair_next_round, publish_round, unpublish_round
from tournaments.selectors.access.links import entry_token, join_token
from tournaments.selectors.access.phones import RequestOrigin
from tournaments.selectors.check_in import (
    absentees,
    accepted_codes,
    check_in_counts,
    check_in_rows,
    entries_in_draw,
    hall_code,
)
from tournaments.selectors.event_dates import event_today

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(clock) -> Tournament:
    return an_event(8, lengths=[5])


def where(tournament: Tournament) -> dict[str, object]:
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def another_division(tournament: Tournament, name: str) -> Division:
    details = DivisionDetails(name=name, stages=[StageDetails(lengths=[3])])
    return add_division(**where(tournament), division=details, first_name="Open")


def opened(tournament: Tournament) -> CheckIn:
    return open_check_in(**where(tournament), division_id=tournament.division.pk)


def ids(tournament: Tournament, *names: str) -> list[int]:
    return [tournament.entry(name).pk for name in names]


def here(tournament: Tournament) -> set[str]:
    return set(
        Here.objects.filter(entry__division__event=tournament.event).values_list("entry__name", flat=True)
    )


def rest(tournament: Tournament, *but: str):
    return check_in_others(**where(tournament), division_id=tournament.division.pk, but=ids(tournament, *but))


def publish(tournament: Tournament, **more: object) -> Stage:
    return publish_draw(**where(tournament), stage_id=tournament.stage.pk, **more)


def test_without_a_check_in_draws_are_published_as_ever(tournament):
    tournament.publish()
    assert tournament.stage.status == StageStatus.PUBLISHED
    assert not CheckIn.objects.exists()


def test_check_in_opens_and_closes_by_hand_and_by_the_clock(tournament, clock):
    found = opened(tournament)
    assert found.stand(clock.at) is CheckInState.OPEN
    assert found.day == event_today(tournament.event)
    version = tournament.fresh().version
    assert opened(tournament).opens_at == found.opens_at
    assert tournament.fresh().version == version
    clock.moves(minutes=30)
    closed = close_check_in(**where(tournament), division_id=tournament.division.pk)
    assert (closed.closes_at, closed.stand(clock.at)) == (clock.at, CheckInState.CLOSED)
    clock.moves(minutes=5)
    assert opened(tournament).closes_at is None
    at = clock.at + timedelta(hours=1)
    ahead = set_check_in(
        **where(tournament),
        division_id=tournament.division.pk,
        day=found.day,
        opens_at=at,
        closes_at=at + timedelta(minutes=30),
    )
    assert ahead.pk == found.pk
    assert ahead.stand(clock.at) is CheckInState.NOT_OPEN_YET
    clock.moves(minutes=61)
    assert ahead.stand(clock.at) is CheckInState.OPEN
    kinds = list(AuditEntry.objects.filter(action="check_in.set").values_list("action", flat=True))
    assert len(kinds) == 4


def test_check_in_on_a_wrong_day_or_closing_before_it_opens_is_refused_with_every_fault(tournament, clock):
    with pytest.raises(Invalid) as refused:
        set_check_in(
            **where(tournament),
            division_id=tournament.division.pk,
            day=tournament.event.ends_on + timedelta(days=5),
            opens_at=clock.at,
            closes_at=clock.at,
        )
    assert [fault.code for fault in refused.value.faults] == ["check_in.day_odd", "check_in.closes_before"]
    with pytest.raises(NotAllowed):
        open_check_in(
            actor=Actor.of(a_user("Sam")), event_id=tournament.event.pk, division_id=tournament.division.pk
        )


def test_marked_twice_is_once_and_an_undo_takes_back_what_still_stands(tournament):
    check_in = opened(tournament)
    first = check_in_entries(**where(tournament), entry_ids=ids(tournament, "Ann", "Bob"))
    again = check_in_entries(**where(tournament), entry_ids=ids(tournament, "Bob", "Cleo"))
    assert [entry.name for entry in again.new] == ["Cleo"]
    assert [entry.name for entry in again.before] == ["Bob"]
    assert check_in_counts([check_in])[check_in.pk] == (3, 8)
    row = Here.objects.get(entry__name="Ann")
    assert (row.way, row.by) == (CheckInMethod.LIST, tournament.director)
    version = tournament.fresh().version
    nothing = check_in_entries(**where(tournament), entry_ids=ids(tournament, "Ann"))
    assert (nothing.new, nothing.audit_id, tournament.fresh().version) == ((), None, version)
    gone = uncheck_entries(**where(tournament), entry_ids=ids(tournament, "Ann", "Dan"))
    assert here(tournament) == {"Bob", "Cleo"}
    undo_check_in_action(**where(tournament), division_id=tournament.division.pk, audit_id=gone.pk)
    back = Here.objects.get(entry__name="Ann")
    assert (back.at, back.way, back.by) == (row.at, row.way, row.by)
    uncheck_entries(**where(tournament), entry_ids=ids(tournament, "Bob"))
    undo_check_in_action(**where(tournament), division_id=tournament.division.pk, audit_id=first.audit_id)
    assert here(tournament) == {"Cleo"}
    with pytest.raises(Conflict, match=r"check_in\.back_already"):
        undo_check_in_action(**where(tournament), division_id=tournament.division.pk, audit_id=first.audit_id)
    assert integrity_faults(tournament.fresh()) == []


def test_all_but_these_marks_everybody_who_stood_on_the_list_and_nobody_who_came_since(tournament):
    check_in = opened(tournament)
    listed = {guest.pk for guest in check_in_rows(check_in, with_phone_numbers=True)} - set(
        ids(tournament, "Hana")
    )
    check_in_others(
        **where(tournament),
        division_id=tournament.division.pk,
        but=ids(tournament, "Ann", "Bob"),
        listed=listed,
    )
    assert here(tournament) == {"Cleo", "Dan", "Eva", "Finn", "Gil"}
    assert {row.way for row in Here.objects.all()} == {CheckInMethod.REST}


def test_code_of_a_personal_link_marks_its_player_in_all_open_divisions_and_nothing_else_is_a_code(
    tournament,
):
    jackpot = another_division(tournament, "Jackpot")
    ann = tournament.event.divisions.get(position=1).entries.get(name="Ann")
    player = ann.players.get()
    add_entries(**where(tournament), division_id=jackpot.pk, entries=[NewEntry(player_id=player.pk)])
    for division in Division.objects.filter(event=tournament.event):
        open_check_in(**where(tournament), division_id=division.pk)
    found = check_in_by_code(**where(tournament), text=f"https://x.example/my/{entry_token(ann)}/")
    assert {entry.division_id for entry in found.new} == {ann.division_id, jackpot.pk}
    assert {row.way for row in Here.objects.all()} == {CheckInMethod.CODE}
    assert not check_in_by_code(**where(tournament), text=entry_token(ann)).new
    with pytest.raises(Invalid, match=r"check_in\.no_code"):
        check_in_by_code(**where(tournament), text="4006381333931")
    with pytest.raises(Missing):
        check_in_by_code(**where(tournament), text=entry_token(ann)[:-4] + "AAAA")
    other = an_event(2, club=tournament.club, director=tournament.director)
    with pytest.raises(Missing, match=r"check_in\.other_event"):
        check_in_by_code(**where(tournament), text=entry_token(other.entry("Ann")))


def test_marking_an_expected_player_approves_them(tournament):
    set_registration(**where(tournament), is_open=True)
    opened(tournament)
    (entry,) = register_self(
        actor=Actor.program(), token=join_token(tournament.event), entry=NewEntry(name="Zoe"), crowd=True
    )
    assert entry.status == EntryStatus.PENDING
    check_in_entries(**where(tournament), entry_ids=[entry.pk])
    entry.refresh_from_db()
    assert entry.status == EntryStatus.ACTIVE
    assert "Zoe" in here(tournament)


def test_own_phone_needs_the_code_of_the_hall_and_an_open_check_in(tournament, clock):
    ann = tournament.entry("Ann")
    phone = RequestOrigin("device-a")
    with pytest.raises(Conflict, match=r"check_in\.none"):
        check_in_by_link(entry=ann, code="B", phone=phone)
    check_in = opened(tournament)
    for given, code in (("", "check_in.code_lacking"), ("XXXXX", "check_in.code_wrong")):
        with pytest.raises(Invalid, match=code):
            check_in_by_link(entry=ann, code=given, phone=phone)
    assert not LinkPhone.objects.exists()
    typed = f" {check_in.code[:2].lower()} {check_in.code[2:]}"
    assert [one.name for one in check_in_by_link(entry=ann, code=typed, phone=phone).new] == ["Ann"]
    assert check_in_by_link(entry=ann, code=typed, phone=phone).new == ()
    row = Here.objects.get()
    assert (row.way, row.by) == (CheckInMethod.PHONE, None)
    with pytest.raises(NotAllowed, match=r"phone\.other"):
        check_in_by_link(entry=ann, code=typed, phone=RequestOrigin("device-b"))
    close_check_in(**where(tournament), division_id=tournament.division.pk)
    with pytest.raises(Conflict, match=r"check_in\.closed"):
        check_in_by_link(entry=tournament.entry("Bob"), code=typed, phone=phone)


def test_draw_with_missing_people_is_refused_until_the_director_says_so_of_each(tournament):
    opened(tournament)
    rest(tournament, "Ann", "Bob")
    tournament.draw()
    with pytest.raises(Conflict, match=r"check_in\.missing") as refused:
        publish(tournament)
    assert refused.value.params["count"] == 2
    assert set(refused.value.present["missing"]) == {
        tournament.entry(name).public_id for name in ("Ann", "Bob")
    }
    assert tournament.stage.status == StageStatus.DRAWN
    uncheck_entries(**where(tournament), entry_ids=ids(tournament, "Cleo"))
    with pytest.raises(Conflict, match=r"check_in\.missing") as refused:
        publish(tournament, absent=ids(tournament, "Ann", "Bob"))
    assert refused.value.params["names"] == "Cleo"
    publish(tournament, absent=ids(tournament, "Ann", "Bob", "Cleo"))
    assert tournament.stage.status == StageStatus.PUBLISHED
    row = AuditEntry.objects.get(action="draw.publish")
    assert sorted(row.data["absent"]) == sorted(ids(tournament, "Ann", "Bob", "Cleo"))
    assert integrity_faults(tournament.fresh()) == []


def test_draw_that_is_thrown_away_is_asked_again_and_one_taken_back_is_not(tournament):
    opened(tournament)
    tournament.draw()
    everybody = {entry.pk for entry in Entry.objects.all()}
    publish(tournament, absent=everybody)
    unpublish_draw(**where(tournament), stage_id=tournament.stage.pk)
    publish(tournament)
    unpublish_draw(**where(tournament), stage_id=tournament.stage.pk)
    draw_stage(**where(tournament), stage_id=tournament.stage.pk)
    with pytest.raises(Conflict, match=r"check_in\.missing"):
        publish(tournament)


def test_missing_people_are_left_out_at_once_but_not_who_came_meanwhile(tournament):
    opened(tournament)
    rest(tournament, "Ann", "Bob", "Cleo")
    tournament.draw()
    missing = [
        entry.pk for entry in absentees(tournament.event, tournament.stage, entries_in_draw(tournament.stage))
    ]
    check_in_entries(**where(tournament), entry_ids=ids(tournament, "Cleo"))
    out = withdraw_missing(**where(tournament), stage_id=tournament.stage.pk, listed=missing)
    assert {entry.name for entry in out} == {"Ann", "Bob"}
    assert tournament.stage.status == StageStatus.SETUP
    assert tournament.entry("Ann").status == EntryStatus.WITHDRAWN
    draw_stage(**where(tournament), stage_id=tournament.stage.pk)
    publish(tournament)
    assert len(entries_in_draw(tournament.stage)) == 6
    with pytest.raises(Conflict, match=r"check_in\.not_asked"):
        withdraw_missing(**where(tournament), stage_id=tournament.stage.pk, listed=missing)
    assert integrity_faults(tournament.fresh()) == []


def test_nobody_is_left_out_of_a_draw_for_whom_nobody_came(tournament):
    opened(tournament)
    tournament.draw()
    everybody = {entry.pk for entry in Entry.objects.all()}
    with pytest.raises(Conflict, match=r"check_in\.too_few_here"):
        withdraw_missing(**where(tournament), stage_id=tournament.stage.pk, listed=everybody)
    assert (tournament.stage.status, Entry.objects.filter(status=EntryStatus.ACTIVE).count()) == ("drawn", 8)
    check_in_entries(**where(tournament), entry_ids=ids(tournament, "Ann"))
    with pytest.raises(Conflict, match=r"check_in\.too_few_here"):
        withdraw_missing(**where(tournament), stage_id=tournament.stage.pk, listed=everybody)
    check_in_entries(**where(tournament), entry_ids=ids(tournament, "Bob"))
    assert len(withdraw_missing(**where(tournament), stage_id=tournament.stage.pk, listed=everybody)) == 6


def test_whoever_moves_up_for_somebody_missing_and_is_not_here_either_is_left_out_too(tournament):
    division = tournament.division
    update_division(
        **where(tournament),
        division_id=division.pk,
        division=DivisionDetails(name="Open", capacity=8),
        seen=division_settings_version(division),
    )
    lets_new_names_in(tournament)
    for name in ("Yves", "Zoe"):
        register_self(actor=Actor.program(), token=join_token(tournament.event), entry=NewEntry(name=name))
    opened(tournament)
    rest(tournament, "Ann", "Yves")
    out = withdraw_missing(**where(tournament), stage_id=tournament.stage.pk, listed=ids(tournament, "Ann"))
    assert [entry.name for entry in out] == ["Ann", "Yves"]
    assert tournament.entry("Zoe").status == EntryStatus.ACTIVE
    tournament.draw()
    publish(tournament)


def test_first_round_of_the_next_day_asks_for_that_day_and_later_rounds_do_not(clock):
    tournament = an_event(4, lengths=[5], system="swiss", swiss=SwissSettings(rounds=4))
    stage = tournament.stage

    def next_round(**more: object):
        paired = pair_next_round(**where(tournament), stage_id=stage.pk)
        return publish_round(**where(tournament), stage_id=stage.pk, seen=paired.version, **more)

    opened(tournament)
    rest(tournament)
    next_round()
    tournament.play_out()
    next_round()
    tournament.play_out()
    clock.moves(days=1)
    open_check_in(**where(tournament), division_id=tournament.division.pk)
    day_two = CheckIn.objects.order_by("day").last()
    assert day_two.day == event_today(tournament.event)
    check_in_others(**where(tournament), division_id=tournament.division.pk, but=ids(tournament, "Bob"))
    paired = pair_next_round(**where(tournament), stage_id=stage.pk)
    with pytest.raises(Conflict, match=r"check_in\.missing"):
        publish_round(**where(tournament), stage_id=stage.pk, seen=paired.version)
    publish_round(**where(tournament), stage_id=stage.pk, seen=paired.version, absent=ids(tournament, "Bob"))
    unpublish_round(**where(tournament), stage_id=stage.pk)
    assert [
        entry.name
        for entry in withdraw_missing(**where(tournament), stage_id=stage.pk, listed=ids(tournament, "Bob"))
    ] == ["Bob"]
    next_round()
    tournament.play_out()
    reinstate(**where(tournament), entry_id=tournament.entry("Bob").pk)
    next_round()
    assert integrity_faults(tournament.fresh()) == []


def test_removed_check_in_asks_nobody(tournament):
    opened(tournament)
    rest(tournament, "Ann")
    tournament.draw()
    remove_check_in(**where(tournament), division_id=tournament.division.pk)
    publish(tournament)
    assert AuditEntry.objects.get(action="check_in.remove").data["here"] == 7
    with pytest.raises(Conflict, match=r"check_in\.none"):
        check_in_entries(**where(tournament), entry_ids=ids(tournament, "Ann"))


def test_entries_moved_to_another_division_stay_here_where_it_has_a_check_in(tournament):
    second = another_division(tournament, "B")
    division = Division.objects.get(event=tournament.event, position=1)
    for one in (division, second):
        open_check_in(**where(tournament), division_id=one.pk)
    ann = division.entries.get(name="Ann")
    check_in_entries(**where(tournament), entry_ids=[ann.pk])
    move_entries(**where(tournament), entry_ids=[ann.pk], division_id=second.pk)
    assert Here.objects.get().check_in.division_id == second.pk
    third = another_division(tournament, "C")
    move_entries(**where(tournament), entry_ids=[ann.pk], division_id=third.pk)
    assert not Here.objects.exists()


def test_telephones_are_on_the_list_for_directors_alone(tournament):
    check_in = opened(tournament)
    ann = tournament.entry("Ann")
    EntryDetail.objects.create(entry=ann, player=ann.players.get(), phone="+49 30 1234")
    with_phones = {guest.name: guest.phones for guest in check_in_rows(check_in, with_phone_numbers=True)}
    assert with_phones["Ann"] == (("Ann", "+49 30 1234"),)
    assert not any(guest.phones for guest in check_in_rows(check_in, with_phone_numbers=False))


def test_event_in_the_evening_before_asks_for_the_first_day(tournament, clock):
    set_check_in(
        **where(tournament),
        division_id=tournament.division.pk,
        day=tournament.event.ends_on,
        opens_at=timezone.now() + timedelta(days=1),
    )
    tournament.draw()
    with pytest.raises(Conflict, match=r"check_in\.missing"):
        publish(tournament)


def test_code_of_the_hall_is_one_for_all_divisions_and_gone_from_displays_once_they_are_drawn(
    tournament, clock
):
    side = another_division(tournament, "Beginners")
    first_one = side.event.divisions.order_by("position")[0]
    for division in (first_one, side):
        open_check_in(**where(tournament), division_id=division.pk)
    event, now = tournament.fresh(), timezone.now()
    first, second = CheckIn.objects.order_by("division__position")
    assert first.code == second.code
    found = hall_code(event, now)
    assert found is not None
    assert (found.code, found.divisions, found.is_for_all) == (first.code, ("Open", "Beginners"), True)
    # Opened before codes were shared: the display shows one, and players of the other division type it too.
    CheckIn.objects.filter(pk=second.pk).update(code="OTHER")
    assert hall_code(event, now).code == first.code
    assert hall_code(event, now, (side.position,)).code == first.code
    assert accepted_codes(CheckIn.objects.get(pk=second.pk), now) == [first.code, "OTHER"]
    CheckIn.objects.filter(pk=first.pk).update(
        drawn=Round.objects.create(
            stage=first_one.stages.get(), number=1, code="final", entries_left=2, length=5
        )
    )
    found = hall_code(event, now)
    assert (found.divisions, found.is_for_all) == (("Beginners",), False)
    assert hall_code(event, now, (first_one.position,)) is None
