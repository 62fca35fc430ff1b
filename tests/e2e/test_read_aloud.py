"""What somebody hears who listens to the page: the accessibility tree of Chromium itself, in the order in which it is read."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from tests.e2e.pages import Phone
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), ONLY_IN_FULL]

Heard = list[tuple[str, str, str]]


def heard(page: Page) -> Heard:
    """Role, name and description of all that is not ignored, depth first, as a screen reader goes."""
    line = page.context.new_cdp_session(page)
    nodes = line.send("Accessibility.getFullAXTree")["nodes"]
    line.detach()
    by_id = {node["nodeId"]: node for node in nodes}
    found: Heard = []

    def walk(node: dict) -> None:
        if not node.get("ignored"):
            parts = (node.get(part, {}).get("value", "") for part in ("role", "name", "description"))
            found.append(tuple(parts))
        for child in node.get("childIds", []):
            if child in by_id:
                walk(by_id[child])

    walk(next(node for node in nodes if "parentId" not in node))
    return found


def named(tree: Heard, *roles: str) -> list[str]:
    return [name for role, name, _description in tree if role in roles]


def within(tree: Heard, first: tuple[str, str], until: tuple[str, str]) -> Heard:
    """From one node on, up to the next one that is called like the other."""
    names = [node[:2] for node in tree]
    begin = names.index(first)
    return tree[begin : names.index(until, begin)]


@pytest.fixture
def ann(house):
    """She has won her first of three matches, on a phone that has opened her personal link."""
    tournament = an_event(entries=8, lengths=[5]).publish()
    match = tournament.match("Ann", "Gil")
    tournament.beats("Ann", "Gil", 5, 3)
    return Phone(house, "Ann", tournament.entry_at(match, "a")).opens()


def test_way_on_the_players_page_is_read_as_sentences_in_the_order_of_the_rounds(ann):
    way = within(heard(ann.page), ("DisclosureTriangle", "Your path"), ("region", "Your finished matches"))
    said = ("link", "StaticText")
    sentences = list(dict.fromkeys(name for role, name, _more in way[3:] if role in said))
    assert sentences == [
        "Share this path",
        "Quarterfinal: won 5–3 against Gil",
        "Next: Semifinal against the winner of Dan – Eva",
        "After a win: Final against Bob, Cleo, Finn or Hana",
        "After a loss: eliminated.",
    ]
    assert [role for role, _name, _more in way].count("listitem") == 4
    assert named(way, "link") == sentences[:3]  # what there is a page for is a link with the whole sentence


def test_bracket_by_swipe_is_read_round_by_round_with_who_plays_whom_and_which_is_mine(ann):
    tournament = ann.entry.division.event
    ann.goes_to(reverse("public:bracket", args=[tournament.public_id]))
    ann.page.wait_for_selector("[data-mine-described]")
    expected = [
        ("heading", "Quarterfinal to 5 points"),
        ("link", "Match 1, Quarterfinal: Ann beats Gil 5–3"),
        ("link", "Match 2, Quarterfinal: Dan against Eva, Ready"),
        ("link", "Match 3, Quarterfinal: Cleo against Hana, Ready"),
        ("link", "Match 4, Quarterfinal: Bob against Finn, Ready"),
        ("heading", "Semifinal to 5 points"),
        ("link", "Match 5, Semifinal: Ann against Winner of 2"),
        ("link", "Match 6, Semifinal: Winner of 3 against Winner of 4"),
        ("heading", "Final to 5 points"),
        ("link", "Match 7, Final: Winner of 5 against Winner of 6"),
    ]
    turns = [
        "Quarterfinal to 5 points",
        "Next round: Semifinal",
        "Previous round: Quarterfinal",
        "Semifinal to 5 points",
        "Next round: Final",
        "Previous round: Semifinal",
        "Final to 5 points",
    ]
    for turned in (False, True):  # which round is on the screen changes nothing of what is read
        if turned:
            ann.page.get_by_role("link", name="Next round: Semifinal").click()
            ann.page.wait_for_function(
                "() => document.querySelector('.bracket-heads li[aria-current]').textContent.includes('Semifinal')"
            )
        tree = heard(ann.page)
        draw = within(tree, ("region", "Main draw: scroll to see all rounds"), ("contentinfo", ""))
        drawn = within(draw, ("heading", "Quarterfinal to 5 points"), draw[-1][:2]) + draw[-1:]
        assert [node[:2] for node in drawn if node[0] in ("heading", "link")] == expected
        rounds = within(draw, ("navigation", "Rounds: Main draw"), ("heading", "Quarterfinal to 5 points"))
        assert named(rounds, "link") == turns
        mine = [name for role, name, more in drawn if role == "link" and more == "your match"]
        assert mine == [name for _role, name in expected if "Ann" in name]
        assert "" not in named(tree, "link", "button", "searchbox", "heading", "region")
