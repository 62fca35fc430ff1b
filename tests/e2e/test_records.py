"""Game records in a real browser: hand one in with a result, read what is wrong with one, replay by keys and by touch."""

import re
import zipfile

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.models import HeldRecord, RecordImport, StoredRecord
from tests.e2e.pages import Director, Phone, Spectator
from tests.e2e.viewers import Reader
from tests.factories import a_club, an_event
from tests.support.consents import everybody_agrees
from tests.support.records import BAD_OPENING, a_record
from tournaments.engine.statuses import MatchStatus
from tournaments.models import MatchSlot, Report
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tournament():
    made = an_event(entries=4, lengths=[3]).publish()
    everybody_agrees(made.event)
    return made


@pytest.fixture
def sides(tournament):
    match = tournament.playable()[0]
    first, second = (slot.entry for slot in MatchSlot.objects.filter(match=match).order_by("side"))
    return match, first, second


@pytest.fixture
def keep(tmp_path):
    """Files on the visitor's disk."""

    def file(content, name="match.mat"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return file


def opens_report(house, match, entry):
    phone = Phone(house, entry.name, entry)
    phone.goes_to(reverse("player:report", args=[entry_token(entry), match.public_id]))
    phone.page.locator("details.record-field > summary").click()
    return phone


def test_good_record_fills_the_score_in_and_the_result_is_confirmed(house, sides, keep):
    match, ann, bob = sides
    phone = opens_report(house, match, bob)
    # The reporter's own points come first, whoever is on the left in the file.
    phone.page.locator("input[type=file]").set_input_files(keep(a_record(ann.name, bob.name, 3, "lrll")))
    phone.sends("Check file")
    phone.reads("The record is valid.").reads(f"The score has been filled in: {ann.name} 3–1 {bob.name}")
    expect(phone.page.locator("[name=mine]")).to_have_value("1")
    expect(phone.page.locator("[name=theirs]")).to_have_value("3")
    assert not Report.objects.exists()
    assert not phone.visitor.scrolls_sideways()
    phone.sends("Send result")
    phone.reads(f"{ann.name} has to confirm it")

    other = Phone(house, ann.name, ann).opens()
    other.agrees().reads("confirmed")
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == (MatchStatus.CONFIRMED, 3, 1)
    assert StoredRecord.objects.count() == 1

    # Everybody can replay it from the match page now.
    fan = Spectator(house, "Fan", phone=True).goes_to(reverse("public:match", args=[match.public_id]))
    fan.reads("no errors found").follows("Replay")
    expect(fan.page.locator("[data-viewer]")).to_have_class(re.compile("is-ready"))
    fan.reads(f"{ann.name} rolls 3-1 and plays 8/5 6/5.")


def test_illegal_play_is_named_and_its_link_opens_the_viewer_there(house, sides, keep):
    match, ann, bob = sides
    phone = opens_report(house, match, ann)
    record = a_record(ann.name, bob.name, 3, "lrll").replace(b"2) 62: 24/18 13/11", b"2) 62: 24/17 13/11", 1)
    phone.page.locator("input[type=file]").set_input_files(keep(record))
    phone.sends("Check file")
    finding = phone.page.locator("li.finding").first
    expect(finding).to_contain_text("Game 1, turn 3")
    expect(finding).to_contain_text(re.compile(r"Rule R\d+"))
    expect(finding).to_contain_text("24/17 13/11 is not legal")
    # A tab of its own: the form stays as it is, with the file.
    with phone.page.expect_popup() as opened:
        finding.get_by_role("link", name="Show position").click()
    reader = Reader(house, "Viewer", phone=True).goes_to(opened.value.url)
    reader.ready().stands_at(1, 3).hears(f"{ann.name} rolls 6-2 and plays 24/17 13/11.")
    expect(reader.page.locator(".viewer-finding")).to_contain_text("24/17 13/11 is not legal")
    expect(reader.page.locator(".viewer-moves [aria-current=step]")).to_have_text(re.compile("62"))
    phone.reads("match.mat")


def test_record_that_says_otherwise_is_a_dispute_and_the_director_replays_it(house, tournament, sides, keep):
    match, ann, bob = sides
    phone = opens_report(house, match, ann)
    phone.page.locator("input[type=file]").set_input_files(keep(a_record(ann.name, bob.name, 3, "rlrr")))
    phone.page.locator("label.report-side").first.click()
    phone.page.locator("label.report-point").nth(2).click()
    phone.sends("Send result")
    match.refresh_from_db()
    assert match.status == MatchStatus.DISPUTED
    stranger = Spectator(house, "Stranger").goes_to(reverse("public:match", args=[match.public_id]))
    stranger.does_not_read("Game record")

    director = Director(house, "Dora").signs_in(tournament.director)
    director.event = tournament.event
    director.opens("match", match=match.public_id)
    director.reads("ends with a different score").follows("Replay")
    expect(director.page.locator("[data-viewer]")).to_have_class(re.compile("is-ready"))


def test_strange_names_are_settled_by_saying_who_is_on_the_left(house, sides, keep):
    match, ann, bob = sides
    phone = opens_report(house, match, ann).may_see(422)
    phone.page.locator("input[type=file]").set_input_files(keep(a_record("nick1", "nick2", 3, "lrll")))
    phone.page.locator("label.report-side").first.click()
    phone.page.locator("label.report-point").nth(1).click()
    # Sent at once: the question stands first, with the focus, and nothing is chosen for the player.
    phone.sends("Send result").reads("Choose who is who in the file, then send the result.")
    asked = phone.page.get_by_role("group", name="Who is “nick1” in this file?")
    expect(asked).to_be_in_viewport()
    expect(asked.get_by_role("radio")).to_have_count(2)
    expect(asked.get_by_role("radio", checked=True)).to_have_count(0)
    expect(asked.get_by_role("radio").first).to_be_focused()
    asked.locator("label.choice", has_text=bob.name).click()
    phone.sends("Check file").reads(f"{ann.name} 1–3 {bob.name}")
    expect(phone.page.locator("[name=theirs]")).to_have_value("3")


def test_director_records_a_result_from_a_file(house, tournament, sides, keep):
    match, ann, bob = sides
    director = Director(house, "Dora").signs_in(tournament.director)
    director.event = tournament.event
    director.opens("match", match=match.public_id)
    director.page.locator("details.record-field > summary").click()
    director.page.locator("input[type=file]").set_input_files(keep(a_record(bob.name, ann.name, 3, "lrll")))
    director.sends("Check file")
    expect(director.page.locator("#id_score_b")).to_have_value("3")
    director.sends("Record result")
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == (MatchStatus.CONFIRMED, 1, 3)
    assert Report.objects.get().record is not None


def test_viewer_by_keyboard(house, keep):
    reader = Reader(house, "Viewer").checks(keep(a_record("Ann", "Bob", 3, "lrll"))).ready()
    reader.stands_at(1, 1).hears("Ann rolls 3-1 and plays 8/5 6/5.")
    reader.sees_checkers(2, on=24)
    reader.presses("ArrowRight").stands_at(1, 2).hears("Bob rolls 4-2 and plays 8/4 6/4.")
    reader.sees_checkers(2, on=5)  # White has made its five point
    reader.presses("ArrowLeft", "ArrowLeft").stands_at(1, 1)
    reader.presses("PageDown").stands_at(2, 1)
    reader.presses("ArrowLeft").stands_at(1, 5).hears("Ann wins 1 point (resigned).")
    reader.presses("End").stands_at(4, 5)
    expect(reader.page.locator("[data-v=score]").last).to_have_text("2")
    reader.presses("PageUp").stands_at(4, 1)
    reader.presses("Home").stands_at(1, 1)
    # Flip, and another numbering: White's 8/5 6/5 is 17/20 19/20 where White counts up (R5).
    reader.presses("f")
    expect(reader.page.locator("[data-v=bottom] .viewer-name")).to_have_text("Bob")
    reader.page.locator("summary", has_text="Board and numbering").click()
    reader.page.locator("#viewer-numbering").select_option("white_up")
    reader.hears("Ann rolls 3-1 and plays 17/20 19/20.")
    expect(reader.page.locator(".viewer-moves [aria-current=step]")).to_have_text("31 17/20 19/20")
    # By itself, with the space bar, until a key stops it.
    reader.page.locator("#viewer-speed").select_option("600")
    reader.viewer.focus()
    reader.notes_turns().presses(" ").has_passed("2", "3").presses(" ")
    expect(reader.page.locator("[data-step=auto]")).to_have_attribute("aria-pressed", "false")


def test_viewer_by_touch_on_a_phone(house, keep):
    file = keep(a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING, in_all=True))
    reader = Reader(house, "Viewer", phone=True).checks(file).ready()
    assert not reader.visitor.scrolls_sideways()
    reader.viewer.scroll_into_view_if_needed()
    reader.swipes("left").stands_at(1, 2)
    reader.swipes("left").stands_at(1, 3)
    reader.swipes("right").stands_at(1, 2)
    board = reader.page.locator(".viewer-board")
    box = board.bounding_box()
    board.tap(position={"x": box["width"] * 0.8, "y": box["height"] / 2})
    reader.stands_at(1, 3)
    reader.page.locator("[data-step=game-on]").tap()
    reader.stands_at(2, 1)
    for button in reader.page.locator(".viewer-controls .button").all():
        size = button.bounding_box()
        assert size["width"] >= 44
        assert size["height"] >= 44
    # A finding leads to its position and the board comes into view.
    reader.page.locator("li.finding", has_text="Game 3, turn 1").get_by_text("Show position").tap()
    reader.stands_at(3, 1)
    expect(board).to_be_in_viewport()


def test_file_can_be_dropped_and_nothing_of_it_stays(house):
    reader = Reader(house, "Viewer").goes_to("/records/")
    reader.page.evaluate(
        """text => {
            const files = new DataTransfer();
            files.items.add(new File([text], "dropped.mat"));
            document.querySelector("[data-drop]").dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true }));
        }""",
        a_record("Ann", "Bob", 3, "lrll").decode(),
    )
    reader.reads("dropped.mat").sends("Check file").ready().reads("The record is valid.")
    assert not StoredRecord.objects.exists()
    assert not HeldRecord.objects.exists()


def test_viewer_without_scripts_is_made_of_links(house, tournament, sides, keep):
    match, ann, bob = sides
    tournament.says(match, None, 3, 1, record=_upload(ann, bob))
    reader = Reader(house, "Viewer", javascript=False)
    reader.goes_to(reverse("records:match", args=[match.public_id]))
    reader.reads(f"{ann.name} rolls 3-1 and plays 8/5 6/5.")
    with reader.page.expect_navigation():
        reader.page.get_by_role("link", name="Next step").click()
    reader.reads(f"{bob.name} rolls 4-2 and plays 8/4 6/4.")
    expect(reader.page.locator("svg.board")).to_have_count(1)
    with reader.page.expect_navigation():
        reader.page.locator(".viewer-game-link", has_text="4").click()
    expect(reader.page.locator(".viewer-score").last).to_have_text("2")
    reader.checks(keep(a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING, in_all=True)))
    reader.reads("Game 2, turn 1")
    expect(reader.page.locator("li.finding-board svg")).to_have_count(4)


def _upload(ann, bob):
    from tournaments.matches.services.records import Upload

    return Upload(a_record(ann.name, bob.name, 3, "lrll"), "match.mat")


def test_archive_is_checked_while_the_director_watches(house, celery_worker, tmp_path):
    club = a_club()
    owner = club.memberships.get().user
    archive = tmp_path / "season.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for number in range(60):
            packed.writestr(f"{number:02}.mat", a_record(f"Left {number}", "Right", 3, "lrll"))
        packed.writestr("prose.txt", "nothing of the kind")
        packed.writestr("inner.zip", b"PK")
    director = Director(house, "Olga").signs_in(owner)
    director.goes_to(reverse("games:imports"))
    director.page.locator("input[type=file]").set_input_files(archive)
    director.sends("Import")
    director.reads("All files checked").reads("62 of 62").reads("The archive contains another archive")
    assert StoredRecord.objects.count() == 60
    assert RecordImport.objects.get().file.name == ""
    director.follows("00.mat")
    expect(director.page.locator("[data-viewer]")).to_have_class(re.compile("is-ready"))
    assert not HeldRecord.objects.exists()
