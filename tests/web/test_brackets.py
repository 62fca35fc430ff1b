"""The drawing of an elimination: every section, every way between them, in words for who does not see it."""

import re
from collections import Counter

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from config.sample_draws import sample_draw
from tournaments.engine.stages.elimination import Flight, FlightKind
from tournaments.engine.types import Side
from tournaments.repairs.web.preview_words import cascade_context
from tournaments.selectors.repairs.corrections import Cascade, SlotChangeView
from tournaments.shared.fragments.bracket import bracket_context, split_section

FIRST_MATCH = (Flight(FlightKind.FIRST_MATCH, (3,)), Flight(FlightKind.LAST_CHANCE, (1,)))
PROGRESSIVE = (Flight(FlightKind.PROGRESSIVE, (3,), 10), Flight(FlightKind.LAST_CHANCE, (1,), 2))
KINDS = {
    "plain": {},
    "third place": {"third_place": True},
    "first match": {"flights": FIRST_MATCH},
    "progressive": {"flights": PROGRESSIVE},
    "double": {"system": "double_elimination"},
}


def drawn(entries, **how):
    bracket = bracket_context(sample_draw(entries, **how), "Open")
    return bracket, render_to_string("shared/_bracket.html", {"bracket": bracket})


def cards(html):
    """Each match's list item by its number; empty where nobody comes."""
    found = re.findall(r'<li class="bracket-cell[^"]*" id="s1m(\d+)".*?</li>', html)
    items = re.findall(r'<li class="bracket-cell.*?</li>', html)
    return dict(zip(map(int, found), items, strict=True))


def words_of(card):
    return " ".join(re.sub(r"<[^>]+>", " ", card).split())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("entries", [6, 13, 33, 150])
@pytest.mark.parametrize("rounds", [0, 2, 50])
def test_drawing_of_any_kind_shows_every_match_once_and_leads_nowhere_wrong(kind, entries, rounds):
    draw = sample_draw(entries, rounds=rounds, **KINDS[kind])
    bracket, html = drawn(entries, rounds=rounds, **KINDS[kind])
    empty = {section["code"] for section in bracket["sections"] if section["deserted"]}
    assert empty < set(draw.sections)
    ids = re.findall(r'\bid="([^"]+)"', html)
    shown = [match for match in draw.matches if match.section not in empty]
    unseen = {m.round_number for m in shown if m.round_code != "third_place"} - {
        int(name[4:]) for name in ids if name.startswith("s1-r")
    }
    assert not any(draw.needs_play(match) for match in shown if match.round_number in unseen)
    assert sorted(cards(html)) == [match.number for match in shown if match.round_number not in unseen]
    assert [name for name, times in Counter(ids).items() if times > 1] == []
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)


@pytest.mark.parametrize("kind", ["third place", "first match", "progressive", "double"])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_way_of_a_loser_is_told_at_both_ends(kind, rounds):
    found = cards(drawn(32, rounds=rounds, **KINDS[kind])[1])
    ways = [
        (number, int(to))
        for number, card in found.items()
        for to in re.findall(r'bracket-way" href="#s1m(\d+)"', card)
    ]
    assert ways
    for number, to in ways:
        assert f'href="#s1m{number}"' in found[to], f"{number} to {to}"
    backs = [
        (int(source), number)
        for number, card in found.items()
        for source in re.findall(r'bracket-(?:from|name)" href="#s1m(\d+)"', card)
    ]
    assert sorted(backs) == sorted(ways)


def test_sections_are_drawn_one_by_one_under_their_names():
    bracket, html = drawn(16, **KINDS["progressive"])
    names = ["Main draw", "Consolation", "Last chance"]
    assert [section["name"] for section in bracket["sections"]] == names
    assert re.findall(r'<h3 id="s1-\w+-name">([^<]+)</h3>', html) == names
    assert re.findall(r'<a href="#s1-\w+">([^<]+)</a>', html)[:3] == names
    assert [s["name"] for s in drawn(8, **KINDS["double"])[0]["sections"]] == [
        "Main draw",
        "Lower bracket",
        "Final",
    ]


def test_joins_of_a_progressive_consolation_alternate():
    bracket, _html = drawn(32, **KINDS["progressive"])
    joins = [column["join"] for column in bracket["sections"][1]["columns"]]
    assert joins == ["straight", "pairs"] * 3 + ["straight", "none"]


def test_bye_is_one_quiet_line_without_a_page_and_nobody_at_all_is_nothing():
    _bracket, html = drawn(5, rounds=0)
    found = cards(html)
    assert [number for number, card in found.items() if "is-bye" in card] == [1, 3, 4]
    assert words_of(found[1]) == "1 Ada Abell bye"
    assert 'href="/m/' not in found[1]
    empty = cards(drawn(9, rounds=2, flights=FIRST_MATCH)[1])
    assert any("is-void" in card and words_of(card) == "" for card in empty.values())


def test_consolation_is_drawn_from_its_first_round_with_a_match_on():
    bracket, html = drawn(24, rounds=0, flights=PROGRESSIVE)
    consolation = bracket["sections"][1]
    assert consolation["columns"][0]["name"] == "Round 2"
    assert consolation["passed"] == "Round 1"  # said above it, so that nobody looks for it
    found = cards(html)
    goals = {int(to) for card in found.values() for to in re.findall(r'bracket-way" href="#s1m(\d+)"', card)}
    assert goals <= set(found)
    loser = next(number for number, card in found.items() if "Loser to" in words_of(card))
    assert any(f'href="#s1m{loser}"' in card for card in found.values())


def test_repair_names_no_round_that_the_drawing_leaves_out():
    draw = sample_draw(24, rounds=0, flights=PROGRESSIVE)
    one, two = (next(r.matches[0] for r in draw.rounds if r.code == code) for code in ("round_1", "round_2"))
    seats = tuple(SlotChangeView(match, Side.A, "Ann", "Bob", vacant=False) for match in (one, two))
    cascade = Cascade(None, seats, byes=((one, "Bob"),))
    (group,) = cascade_context(cascade, draw).groups
    assert [line.partition(":")[0] for line in group.lines] == [f"Match {two.number} (Consolation, Round 2)"]


def test_no_line_leads_from_an_empty_cell():
    _bracket, html = drawn(9, rounds=2, flights=FIRST_MATCH)
    found = cards(html)
    empty = {number for number, card in found.items() if "is-void" in card}
    for number, card in found.items():
        fed = {int(source) for source in re.findall(r"Winner of (\d+)", words_of(card))}
        if fed and fed <= empty:
            assert "is-start" in card, number


def test_who_lost_by_walk_over_is_named_where_they_are_not_let_in():
    draw = sample_draw(16, rounds=1, flights=FIRST_MATCH)
    walked = next(match for match in draw.matches if match.result_kind == "walkover")
    gone = walked.sides[1 if walked.winner == "a" else 0].name
    found = cards(drawn(16, rounds=1, flights=FIRST_MATCH)[1])
    assert f"{gone} is out: walkover" in " ".join(map(words_of, found.values()))
    assert "Loser is out" in words_of(found[walked.number])


def test_second_final_that_nobody_needs_says_nothing_of_losers():
    html = drawn(4, rounds=50, **KINDS["double"])[1]
    assert "is out" not in html
    assert "Winner</span>" in html


def test_each_match_is_one_sentence_for_who_does_not_see_it():
    sentences = re.findall(r'aria-label="(Match [^"]+)"', drawn(8, rounds=1)[1])
    assert sentences[0] == "Match 1, Quarterfinal: Ada Abell beats Bruno Lindqvist 5–3"
    assert sentences[-1] == "Match 7, Final: Winner of 5 against Winner of 6"
    assert any(sentence.endswith(", Playing") or ", Table " in sentence for sentence in sentences)


def test_waiting_slot_behind_a_bye_names_who_it_really_waits_for():
    found = cards(drawn(5, rounds=0, flights=FIRST_MATCH)[1])
    assert not [
        card for card in found.values() if re.search(r"Winner of \d+", words_of(card)) and "is-bye" in card
    ]


def test_names_are_escaped(monkeypatch):
    monkeypatch.setattr("config.sample_draws.sample_names", lambda count: ["<b>Bold</b> & 'co'\""] * count)
    html = drawn(8, rounds=2, flights=FIRST_MATCH)[1]
    assert "<b>" not in html
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; &#x27;co&#x27;&quot;" in html


@given(st.integers(0, 9), st.integers(1, 20))
def test_cut_into_parts_is_even_and_each_part_ends_in_one_match(power, straights):
    counts = [1 << power]
    while counts[-1] > 1:
        counts += [counts[-1]] * (straights % 3 > 0) + [counts[-1] // 2]
    parts, held = split_section(counts)
    assert 1 <= held <= len(counts)
    assert all(count % parts == 0 for count in counts[:held])
    assert counts[held - 1] == parts
    assert counts[0] // parts <= 16
    assert held == len(counts) or counts[held] < parts
    assert parts == 1 or held <= 6
