"""What a director prints, as the browser's printer makes it: nothing around it, no name cut, pages as counted."""

import re

import pytest
from django.urls import reverse

from tests.e2e.pages import Director
from tests.factories import a_club, a_user, an_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEEN = """() => {
  const shown = (one) => one.checkVisibility();
  const around = [...document.querySelectorAll("body > :not(main), .no-print")].filter((one) => one.offsetHeight > 2 && shown(one));
  const cut = [...document.querySelectorAll(".paper-name")].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth);
  const over = [...document.querySelectorAll(".slip, .table-card")].filter((one) => one.scrollHeight > one.clientHeight + 1);
  return [around.length, cut.length, over.length];
}"""


def test_papers_come_out_of_the_printer_whole(house):
    user = a_user("Paula Print")
    tournament = an_event(40, club=a_club(user, "Paper Club"), director=user, tables=10).publish()
    long = "Maximiliana Wolfeschlegelsteinhausen-Papadopoulos " * 3
    tournament.division.entries.filter(name__in=["Ann", "Bob"]).update(name=long.strip())
    director = Director(house, "Paula").signs_in(user)
    for kind, pages in {"slips": 2, "names": 1, "draw": 5, "cards": 3}.items():
        director.goes_to(reverse("director:paper", args=[tournament.event.public_id, kind]))
        director.page.emulate_media(media="print")
        assert director.page.evaluate(SEEN) == [0, 0, 0], kind
        printed = director.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == pages, kind
