"""Check-in: when it is open, who is here, undo, approval, and draws that ask who is missing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import Night, a_user, an_event
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
from tournaments.selectors.access.links import entry_token, event_today, join_token
from tournaments.selectors.access.phones import Phone
from tournaments.selectors.check_in import (
    absentees,
    accepted_codes,
    check_in_counts,
    check_in_rows,
    entries_in_draw,
    hall_code,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(clock) -> Night:
    return an_event(8, lengths=[5])


def where(night: Night) -> dict[str, object]:
    return {"actor": night.actor, "event_id": night.event.pk}


def another_division(night: Night, name: str) -> Division:
    details = DivisionDetails(name=name, stages=[StageDetails(lengths=[3])])
    return add_division(**where(night), division=details, first_name="Open")


def opened(night: Night) -> CheckIn:
    return open_check_in(**where(night), division_id=night.division.pk)


def ids(night: Night, *names: str) -> list[int]:
    return [night.entry(name).pk for name in names]


def here(night: Night) -> set[str]:
    return set(Here.objects.filter(entry__division__event=night.event).values_list("entry__name", flat=True))


def rest(night: Night, *but: str):
    return check_in_others(**where(night), division_id=night.division.pk, but=ids(night, *but))


def publish(night: Night, **more: object) -> Stage:
    return publish_draw(**where(night), stage_id=night.stage.pk, **more)


def test_without_a_check_in_draws_are_published_as_ever(night):
    night.publish()
    assert night.stage.status == StageStatus.PUBLISHED
    assert not CheckIn.objects.exists()


def test_check_in_opens_and_closes_by_hand_and_by_the_clock(night, clock):
    found = opened(night)
    assert found.stand(clock.at) is CheckInState.OPEN
    assert found.day == event_today(night.event)
    version = night.fresh().version
    assert opened(night).opens_at == found.opens_at
    assert night.fresh().version == version
    clock.moves(minutes=30)
    closed = close_check_in(**where(night), division_id=night.division.pk)
    assert (closed.closes_at, closed.stand(clock.at)) == (clock.at, CheckInState.CLOSED)
    clock.moves(minutes=5)
    assert opened(night).closes_at is None
    at = clock.at + timedelta(hours=1)
    ahead = set_check_in(
        **where(night),
        division_id=night.division.pk,
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


def test_check_in_on_a_wrong_day_or_closing_before_it_opens_is_refused_with_every_fault(night, clock):
    with pytest.raises(Invalid) as refused:
        set_check_in(
            **where(night),
            division_id=night.division.pk,
            day=night.event.ends_on + timedelta(days=5),
            opens_at=clock.at,
            closes_at=clock.at,
        )
    assert [fault.code for fault in refused.value.faults] == ["check_in.day_odd", "check_in.closes_before"]
    with pytest.raises(NotAllowed):
        open_check_in(actor=Actor.of(a_user("Sam")), event_id=night.event.pk, division_id=night.division.pk)


def test_marked_twice_is_once_and_an_undo_takes_back_what_still_stands(night):
    check_in = opened(night)
    first = check_in_entries(**where(night), entry_ids=ids(night, "Ann", "Bob"))
    again = check_in_entries(**where(night), entry_ids=ids(night, "Bob", "Cleo"))
    assert [entry.name for entry in again.new] == ["Cleo"]
    assert [entry.name for entry in again.before] == ["Bob"]
    assert check_in_counts([check_in])[check_in.pk] == (3, 8)
    row = Here.objects.get(entry__name="Ann")
    assert (row.way, row.by) == (CheckInMethod.LIST, night.director)
    version = night.fresh().version
    nothing = check_in_entries(**where(night), entry_ids=ids(night, "Ann"))
    assert (nothing.new, nothing.audit_id, night.fresh().version) == ((), None, version)
    gone = uncheck_entries(**where(night), entry_ids=ids(night, "Ann", "Dan"))
    assert here(night) == {"Bob", "Cleo"}
    undo_check_in_action(**where(night), division_id=night.division.pk, audit_id=gone.pk)
    back = Here.objects.get(entry__name="Ann")
    assert (back.at, back.way, back.by) == (row.at, row.way, row.by)
    uncheck_entries(**where(night), entry_ids=ids(night, "Bob"))
    undo_check_in_action(**where(night), division_id=night.division.pk, audit_id=first.audit_id)
    assert here(night) == {"Cleo"}
    with pytest.raises(Conflict, match=r"check_in\.back_already"):
        undo_check_in_action(**where(night), division_id=night.division.pk, audit_id=first.audit_id)
    assert integrity_faults(night.fresh()) == []


def test_all_but_these_marks_everybody_who_stood_on_the_list_and_nobody_who_came_since(night):
    check_in = opened(night)
    listed = {guest.pk for guest in check_in_rows(check_in, contacts=True)} - set(ids(night, "Hana"))
    check_in_others(
        **where(night), division_id=night.division.pk, but=ids(night, "Ann", "Bob"), listed=listed
    )
    assert here(night) == {"Cleo", "Dan", "Eva", "Finn", "Gil"}
    assert {row.way for row in Here.objects.all()} == {CheckInMethod.REST}


def test_code_of_a_personal_link_marks_its_player_in_all_open_divisions_and_nothing_else_is_a_code(night):
    jackpot = another_division(night, "Jackpot")
    ann = night.event.divisions.get(position=1).entries.get(name="Ann")
    player = ann.players.get()
    add_entries(**where(night), division_id=jackpot.pk, entries=[NewEntry(player_id=player.pk)])
    for division in Division.objects.filter(event=night.event):
        open_check_in(**where(night), division_id=division.pk)
    found = check_in_by_code(**where(night), text=f"https://x.example/my/{entry_token(ann)}/")
    assert {entry.division_id for entry in found.new} == {ann.division_id, jackpot.pk}
    assert {row.way for row in Here.objects.all()} == {CheckInMethod.CODE}
    assert not check_in_by_code(**where(night), text=entry_token(ann)).new
    with pytest.raises(Invalid, match=r"check_in\.no_code"):
        check_in_by_code(**where(night), text="4006381333931")
    with pytest.raises(Missing):
        check_in_by_code(**where(night), text=entry_token(ann)[:-4] + "AAAA")
    other = an_event(2, club=night.club, director=night.director)
    with pytest.raises(Missing, match=r"check_in\.other_event"):
        check_in_by_code(**where(night), text=entry_token(other.entry("Ann")))


def test_marking_an_expected_player_approves_them(night):
    set_registration(**where(night), is_open=True)
    opened(night)
    (entry,) = register_self(
        actor=Actor.program(), token=join_token(night.event), entry=NewEntry(name="Zoe"), crowd=True
    )
    assert entry.status == EntryStatus.PENDING
    check_in_entries(**where(night), entry_ids=[entry.pk])
    entry.refresh_from_db()
    assert entry.status == EntryStatus.ACTIVE
    assert "Zoe" in here(night)


def test_own_phone_needs_the_code_of_the_hall_and_an_open_check_in(night, clock):
    ann = night.entry("Ann")
    phone = Phone("device-a")
    with pytest.raises(Conflict, match=r"check_in\.none"):
        check_in_by_link(entry=ann, code="B", phone=phone)
    check_in = opened(night)
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
        check_in_by_link(entry=ann, code=typed, phone=Phone("device-b"))
    close_check_in(**where(night), division_id=night.division.pk)
    with pytest.raises(Conflict, match=r"check_in\.closed"):
        check_in_by_link(entry=night.entry("Bob"), code=typed, phone=phone)


def test_draw_with_missing_people_is_refused_until_the_director_says_so_of_each(night):
    opened(night)
    rest(night, "Ann", "Bob")
    night.draw()
    with pytest.raises(Conflict, match=r"check_in\.missing") as refused:
        publish(night)
    assert refused.value.params["count"] == 2
    assert set(refused.value.present["missing"]) == {night.entry(name).public_id for name in ("Ann", "Bob")}
    assert night.stage.status == StageStatus.DRAWN
    uncheck_entries(**where(night), entry_ids=ids(night, "Cleo"))
    with pytest.raises(Conflict, match=r"check_in\.missing") as refused:
        publish(night, absent=ids(night, "Ann", "Bob"))
    assert refused.value.params["names"] == "Cleo"
    publish(night, absent=ids(night, "Ann", "Bob", "Cleo"))
    assert night.stage.status == StageStatus.PUBLISHED
    row = AuditEntry.objects.get(action="draw.publish")
    assert sorted(row.data["absent"]) == sorted(ids(night, "Ann", "Bob", "Cleo"))
    assert integrity_faults(night.fresh()) == []


def test_draw_that_is_thrown_away_is_asked_again_and_one_taken_back_is_not(night):
    opened(night)
    night.draw()
    everybody = {entry.pk for entry in Entry.objects.all()}
    publish(night, absent=everybody)
    unpublish_draw(**where(night), stage_id=night.stage.pk)
    publish(night)
    unpublish_draw(**where(night), stage_id=night.stage.pk)
    draw_stage(**where(night), stage_id=night.stage.pk)
    with pytest.raises(Conflict, match=r"check_in\.missing"):
        publish(night)


def test_missing_people_are_left_out_at_once_but_not_who_came_meanwhile(night):
    opened(night)
    rest(night, "Ann", "Bob", "Cleo")
    night.draw()
    missing = [entry.pk for entry in absentees(night.event, night.stage, entries_in_draw(night.stage))]
    check_in_entries(**where(night), entry_ids=ids(night, "Cleo"))
    out = withdraw_missing(**where(night), stage_id=night.stage.pk, listed=missing)
    assert {entry.name for entry in out} == {"Ann", "Bob"}
    assert night.stage.status == StageStatus.SETUP
    assert night.entry("Ann").status == EntryStatus.WITHDRAWN
    draw_stage(**where(night), stage_id=night.stage.pk)
    publish(night)
    assert len(entries_in_draw(night.stage)) == 6
    with pytest.raises(Conflict, match=r"check_in\.not_asked"):
        withdraw_missing(**where(night), stage_id=night.stage.pk, listed=missing)
    assert integrity_faults(night.fresh()) == []


def test_nobody_is_left_out_of_a_draw_for_whom_nobody_came(night):
    opened(night)
    night.draw()
    everybody = {entry.pk for entry in Entry.objects.all()}
    with pytest.raises(Conflict, match=r"check_in\.too_few_here"):
        withdraw_missing(**where(night), stage_id=night.stage.pk, listed=everybody)
    assert (night.stage.status, Entry.objects.filter(status=EntryStatus.ACTIVE).count()) == ("drawn", 8)
    check_in_entries(**where(night), entry_ids=ids(night, "Ann"))
    with pytest.raises(Conflict, match=r"check_in\.too_few_here"):
        withdraw_missing(**where(night), stage_id=night.stage.pk, listed=everybody)
    check_in_entries(**where(night), entry_ids=ids(night, "Bob"))
    assert len(withdraw_missing(**where(night), stage_id=night.stage.pk, listed=everybody)) == 6


def test_whoever_moves_up_for_somebody_missing_and_is_not_here_either_is_left_out_too(night):
    division = night.division
    update_division(
        **where(night),
        division_id=division.pk,
        division=DivisionDetails(name="Open", capacity=8),
        seen=division_settings_version(division),
    )
    lets_new_names_in(night)
    for name in ("Yves", "Zoe"):
        register_self(actor=Actor.program(), token=join_token(night.event), entry=NewEntry(name=name))
    opened(night)
    rest(night, "Ann", "Yves")
    out = withdraw_missing(**where(night), stage_id=night.stage.pk, listed=ids(night, "Ann"))
    assert [entry.name for entry in out] == ["Ann", "Yves"]
    assert night.entry("Zoe").status == EntryStatus.ACTIVE
    night.draw()
    publish(night)


def test_first_round_of_the_next_day_asks_for_that_day_and_later_rounds_do_not(clock):
    night = an_event(4, lengths=[5], system="swiss", swiss=SwissSettings(rounds=4))
    stage = night.stage

    def next_round(**more: object):
        paired = pair_next_round(**where(night), stage_id=stage.pk)
        return publish_round(**where(night), stage_id=stage.pk, seen=paired.version, **more)

    opened(night)
    rest(night)
    next_round()
    night.play_out()
    next_round()
    night.play_out()
    clock.moves(days=1)
    open_check_in(**where(night), division_id=night.division.pk)
    day_two = CheckIn.objects.order_by("day").last()
    assert day_two.day == event_today(night.event)
    check_in_others(**where(night), division_id=night.division.pk, but=ids(night, "Bob"))
    paired = pair_next_round(**where(night), stage_id=stage.pk)
    with pytest.raises(Conflict, match=r"check_in\.missing"):
        publish_round(**where(night), stage_id=stage.pk, seen=paired.version)
    publish_round(**where(night), stage_id=stage.pk, seen=paired.version, absent=ids(night, "Bob"))
    unpublish_round(**where(night), stage_id=stage.pk)
    assert [
        entry.name for entry in withdraw_missing(**where(night), stage_id=stage.pk, listed=ids(night, "Bob"))
    ] == ["Bob"]
    next_round()
    night.play_out()
    reinstate(**where(night), entry_id=night.entry("Bob").pk)
    next_round()
    assert integrity_faults(night.fresh()) == []


def test_removed_check_in_asks_nobody(night):
    opened(night)
    rest(night, "Ann")
    night.draw()
    remove_check_in(**where(night), division_id=night.division.pk)
    publish(night)
    assert AuditEntry.objects.get(action="check_in.remove").data["here"] == 7
    with pytest.raises(Conflict, match=r"check_in\.none"):
        check_in_entries(**where(night), entry_ids=ids(night, "Ann"))


def test_entries_moved_to_another_division_stay_here_where_it_has_a_check_in(night):
    second = another_division(night, "B")
    division = Division.objects.get(event=night.event, position=1)
    for one in (division, second):
        open_check_in(**where(night), division_id=one.pk)
    ann = division.entries.get(name="Ann")
    check_in_entries(**where(night), entry_ids=[ann.pk])
    move_entries(**where(night), entry_ids=[ann.pk], division_id=second.pk)
    assert Here.objects.get().check_in.division_id == second.pk
    third = another_division(night, "C")
    move_entries(**where(night), entry_ids=[ann.pk], division_id=third.pk)
    assert not Here.objects.exists()


def test_telephones_are_on_the_list_for_directors_alone(night):
    check_in = opened(night)
    ann = night.entry("Ann")
    EntryDetail.objects.create(entry=ann, player=ann.players.get(), phone="+49 30 1234")
    with_phones = {guest.name: guest.phones for guest in check_in_rows(check_in, contacts=True)}
    assert with_phones["Ann"] == (("Ann", "+49 30 1234"),)
    assert not any(guest.phones for guest in check_in_rows(check_in, contacts=False))


def test_event_in_the_evening_before_asks_for_the_first_day(night, clock):
    set_check_in(
        **where(night),
        division_id=night.division.pk,
        day=night.event.ends_on,
        opens_at=timezone.now() + timedelta(days=1),
    )
    night.draw()
    with pytest.raises(Conflict, match=r"check_in\.missing"):
        publish(night)


def test_code_of_the_hall_is_one_for_all_divisions_and_gone_from_displays_once_they_are_drawn(night, clock):
    side = another_division(night, "Beginners")
    first_one = side.event.divisions.order_by("position")[0]
    for division in (first_one, side):
        open_check_in(**where(night), division_id=division.pk)
    event, now = night.fresh(), timezone.now()
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
