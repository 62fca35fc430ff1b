"""“Open a position”: paste what a program copied, see the board and what may be played; the address holds all of it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db
XGID = "-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10"


def show(**query):
    return Client().get(reverse("games:positions"), {"xgid": XGID, **query})


def test_position_when_pasted_then_an_address_of_its_own_shows_it():
    response = Client().post(reverse("games:positions"), {"text": f"XGID={XGID}\n\nX:Ada O:Bo"}, follow=True)

    html = response.content.decode()
    assert response.redirect_chain == [(f"{reverse('games:positions')}?xgid={XGID}", 302)]
    assert "<h1>White to play 3-1</h1>" in html
    assert "7-point match" in html
    assert "16 legal plays" in html
    assert "viewer-moves is-single" in html
    assert 'value="4HPwATDgc/ABMA"' in html


def test_play_when_chosen_then_shown_on_the_board_and_leads_to_the_board_after_it():
    page = show().content.decode()
    number = page[: page.index(">8/5 6/5<")].rsplit("play=", 1)[1].split('"')[0]

    html = show(play=number).content.decode()

    assert "<h1>White plays 3-1: 8/5 6/5</h1>" in html
    assert "board-move" in html
    assert "board-move" not in page
    assert "xgid=-b---BD-B---eE---c-e----B-:0:0:-1:00:2:1:0:7:10" in html.replace("%3A", ":")


@pytest.mark.parametrize("play", ["0", "17", "x", "-1", "9" * 30])
def test_play_when_there_is_none_then_the_roll_is_shown(play):
    assert "White to play 3-1" in show(play=play).content.decode()


def test_roll_when_nothing_can_be_played_then_says_so():
    html = show(xgid="-------------------bbbbbbA:0:0:1:66:0:0:0:0:10").content.decode()

    assert "One legal play" in html
    assert "No legal play" in html


@pytest.mark.parametrize("text", ["", "no position", "XGID=-b:0:0", "x" * 30_000])
def test_text_when_it_is_no_position_then_refused_in_words(text):
    response = Client().post(reverse("games:positions"), {"text": text})

    assert response.status_code == 422
    assert "field-error" in response.content.decode() or "has-error" in response.content.decode()


def test_address_when_it_names_none_then_not_found():
    assert show(xgid="nothing").status_code == 404


def test_file_of_a_position_when_handed_in_for_checking_then_the_board_opens():
    file = SimpleUploadedFile("position.txt", f"XGID={XGID}\n\nX:Ada   O:Bo\n".encode())

    response = Client().post(reverse("games:check"), {"file": file})

    assert (response.status_code, response["Location"]) == (302, f"{reverse('games:positions')}?xgid={XGID}")
