"""What a status, a section or an award is stands in one table; everybody else asks for a trait."""

import ast
import re
from dataclasses import fields
from itertools import combinations

import pytest
from django.template.loader import render_to_string

from config.styleguide import sample_context
from games.records.registry import FORMATS, WRITABLE
from games.web.forms import CheckForm
from people.messages import known_codes
from tests.architecture.source import ROOT, modules, nodes, place, tree
from tournaments.engine import statuses as lifecycle
from tournaments.engine.alerts import ALERT_KINDS as ALERTS
from tournaments.engine.brackets.consolation import FLIGHT_RULES, FLIGHTS_BY_SOURCE, FlightKind
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.hall.lines import FILTERS, STATE_FILTERS
from tournaments.engine.matches.rulings import AWARD_RULES, MANUAL_REASONS, Award, AwardReason
from tournaments.engine.new_entry import MARK_LIMITS
from tournaments.engine.notices import NOTICE_KINDS
from tournaments.engine.statuses import EventStatus, MatchStatus, StageStatus, Trait, may_report
from tournaments.engine.types import Side
from tournaments.entries.api.entries import EntryInput
from tournaments.events.web.stage_forms import StageForm
from tournaments.hall.services.calling import MOVE_AUDIT_ACTIONS
from tournaments.hall.web.board import FILTER_LABELS
from tournaments.matches.web.attach_record import RecordForm
from tournaments.models import Entry
from tournaments.notices.web.previews import SAMPLE_ALERTS
from tournaments.notices.web.shown import notice_template
from tournaments.notices.web.words import NEWS_MESSAGES, news_message
from tournaments.selectors.alert_facts import MATCH_ALERT_CHECKS, OTHER_ALERT_CHECKS
from tournaments.shared.words.alerts import ALERT_LABELS
from tournaments.shared.words.flights import FLIGHT_LABELS, SECTION_LABELS, flight_label, section_name
from tournaments.shared.words.moves import MATCH_ACTION_TEXTS
from tournaments.shared.words.rulings import AWARD_LABELS
from tournaments.shared.words.statuses import EVENT_STATUS_STYLES, MATCH_STATUS_STYLES, STATUS_STYLES

STATUSES = {"MatchStatus", "EventStatus", "StageStatus", "EntryStatus"}
REGISTRY = "tournaments/engine/statuses.py"


def sets_of_statuses(source: ast.Module):
    """Every set, tuple or list that names two statuses or more: a table of words, one entry a status, is a mapping."""
    for node in nodes(source, ast.Set, ast.Tuple, ast.List):
        named = [
            one
            for one in node.elts
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in STATUSES
        ]
        if len(named) > 1:
            yield node


def test_statuses_when_several_are_meant_then_by_a_trait():
    faults = [
        f"{place(path, node)}: {ast.unparse(node)}"
        for path in modules("config", "people", "games", "rating", "tournaments")
        if str(path.relative_to(ROOT)) != REGISTRY
        for node in sets_of_statuses(tree(path))
    ]
    assert faults == []


@pytest.mark.parametrize(
    "planted",
    [
        "done = {MatchStatus.CONFIRMED, MatchStatus.VOID}",
        "if match.status in (MatchStatus.CALLED, MatchStatus.PLAYING): pass",
        "rows.filter(status__in=[*OVER, EventStatus.DRAFT, EventStatus.OPEN])",
    ],
)
def test_set_of_statuses_when_planted_then_found(planted):
    assert len(list(sets_of_statuses(ast.parse(planted)))) == 1


def test_word_of_each_status_when_looked_at_then_is_no_set():
    words = "{MatchStatus.CALLED: 'called', MatchStatus.PLAYING: 'playing'}"
    assert list(sets_of_statuses(ast.parse(words))) == []


@pytest.mark.parametrize(
    ("statuses", "table"),
    [
        (MatchStatus, lifecycle.MATCH_STATUS_TRAITS),
        (EventStatus, lifecycle.EVENT_STATUS_TRAITS),
        (StageStatus, lifecycle.STAGE_STATUS_TRAITS),
    ],
)
def test_each_status_when_there_is_one_then_the_table_says_what_it_is(statuses, table):
    assert list(table) == list(statuses)
    assert all(table.values())


def test_match_when_looked_at_then_is_ahead_begun_or_over():
    parts = [set(lifecycle.UPCOMING), set(lifecycle.IN_PROGRESS), set(lifecycle.OVER)]
    assert set.union(*parts) == set(MatchStatus)
    assert not any(one & other for one, other in combinations(parts, 2))


def test_traits_of_a_match_when_held_together_then_they_fit():
    assert {status for status in MatchStatus if may_report(status)} == set(lifecycle.AWAITING_RESULT)
    assert set(lifecycle.UNSETTLED).isdisjoint(lifecycle.PLAYABLE)
    assert {*lifecycle.UNSETTLED, *lifecycle.PLAYABLE} == set(lifecycle.AWAITING_RESULT)
    assert {*lifecycle.PLAYERS_BUSY, *lifecycle.UNSETTLED} < set(lifecycle.IN_PROGRESS)
    assert set(lifecycle.PLAYERS_BUSY) < set(lifecycle.AT_TABLE) < set(lifecycle.AWAITING_RESULT)


def test_traits_when_looked_for_then_each_belongs_to_a_status():
    tables = (
        *(lifecycle.MATCH_STATUS_TRAITS, lifecycle.EVENT_STATUS_TRAITS),
        *(lifecycle.STAGE_STATUS_TRAITS, lifecycle.ENTRY_STATUS_TRAITS),
    )
    assert {trait for table in tables for traits in table.values() for trait in traits} == set(Trait)


def test_sections_when_there_are_some_then_each_has_a_name_and_is_fed_by_an_earlier_one():
    earlier = []
    for code, section in SECTIONS.items():
        assert section_name(code)
        assert section.fed_by is None or section.fed_by in earlier
        assert section.first_ranked_section in {*earlier, code}
        earlier.append(code)


@pytest.mark.parametrize("kind", FlightKind)
def test_flight_when_there_is_one_then_it_has_its_row_words_and_fields(kind):
    row = FLIGHT_RULES[kind]
    assert row.section in SECTIONS
    assert flight_label(kind, 2)
    assert {row.duplicate_code, row.alone} <= known_codes()
    fields = {kind.section, *(f"{kind.section}_{name}" for name in ("lengths", "rounds", "admission"))}
    assert fields <= set(StageForm().fields)
    assert bool(FLIGHT_LABELS[kind].choice) is (len(FLIGHTS_BY_SOURCE[row.section]) > 1)
    assert {FLIGHT_RULES[other].source for other in FLIGHTS_BY_SOURCE[row.section]} == {row.source}


def test_sections_that_losers_play_on_in_when_there_are_some_then_each_has_its_words():
    assert list(SECTION_LABELS) == list(FLIGHTS_BY_SOURCE)
    assert set(FLIGHT_LABELS) == set(FLIGHT_RULES) == set(FlightKind)


@pytest.mark.parametrize("name", [section_name, SECTIONS.__getitem__, FlightKind])
def test_section_when_its_code_is_unknown_then_refused_loudly(name):
    with pytest.raises((LookupError, ValueError)):
        name("no_such_section")


@pytest.mark.parametrize("why", AwardReason)
def test_award_when_there_is_a_kind_then_it_has_its_row_and_words(why):
    award = Award(Side.A, 1, why, 7, "a reason")
    assert AWARD_RULES[why].rule.startswith("F")
    assert AWARD_LABELS[why].line(award, "1 point for Ann", {Side.A: "Ann", Side.B: "Ben"})
    assert str(AWARD_LABELS[why].why)
    assert bool(AWARD_LABELS[why].choice) is (why in MANUAL_REASONS)


def test_award_when_its_code_is_unknown_then_refused_loudly():
    with pytest.raises(ValueError, match="slow_play"):
        Award.of({"to": "a", "points": 1, "why": "slow_play", "minutes": None, "note": ""})


@pytest.mark.parametrize("status", MatchStatus)
def test_match_status_when_there_is_one_then_pages_have_a_badge_for_it(status):
    words = re.sub(r"<[^>]*>", "", render_to_string("shared/_status.html", {"status": status.value})).strip()
    assert words not in {"", status.value}  # a status without a badge shows as its code


def test_statuses_when_there_are_some_then_each_has_its_look_and_its_own_code():
    assert list(MATCH_STATUS_STYLES) == list(MatchStatus)
    assert list(EVENT_STATUS_STYLES) == list(EventStatus)
    assert len(STATUS_STYLES) == len(MatchStatus) + len(EventStatus)
    icons = (ROOT / "static/img/icons.svg").read_text()
    assert all(f'id="{look.icon}"' in icons for look in STATUS_STYLES.values() if look.icon)


def test_moves_when_there_are_some_then_each_has_its_words():
    assert list(MATCH_ACTION_TEXTS) == list(MOVE_AUDIT_ACTIONS)


def test_match_when_looked_for_then_the_board_has_a_state_for_it():
    assert set(STATE_FILTERS) == set(MatchStatus) - {
        MatchStatus.VOID
    }  # that one will not be played: nobody looks for it
    assert list(FILTER_LABELS) == list(FILTERS.values())


@pytest.mark.parametrize(("name", "limit"), MARK_LIMITS.items())
def test_mark_of_an_entry_when_there_is_one_then_it_has_a_column_of_that_width_and_words(name, limit):
    column = Entry._meta.get_field(name)
    assert (column.max_length, column.blank) == (limit, True)
    assert f"entry.{name}_long" in known_codes()
    assert name in EntryInput().fields


def marks_by_name(source: ast.Module):
    """Where marks of an entry are made of some by their names: one that is added would be lost there."""
    for node in nodes(source, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == "EntryMarks" and node.keywords:
            yield node


def test_marks_of_an_entry_when_made_then_of_all_of_them():
    assert list(marks_by_name(ast.parse("marks = EntryMarks(party=one.party)")))
    faults = [
        f"{place(path, node)}: {ast.unparse(node)}"
        for path in modules("tournaments")
        for node in marks_by_name(tree(path))
    ]
    assert faults == []


@pytest.mark.parametrize("field", [CheckForm.base_fields["file"], RecordForm.base_fields["record"]])
def test_record_formats_when_a_form_asks_for_a_file_then_it_names_the_ending_of_each(field):
    words = re.findall(r"\.\w+", str(field.help_text))
    assert set(words) == {entry.suffix for entry in FORMATS.values()}


def test_statuses_when_the_style_guide_shows_them_then_all():
    shown = sample_context()
    assert {one["status"] for one in shown["matches"]} == set(shown["match_statuses"]) == set(MatchStatus)
    assert set(shown["event_statuses"]) == set(EventStatus)


def test_record_formats_when_told_in_the_document_then_all_of_them() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| .+ \| yes \| (yes|no) \|$", (ROOT / "docs/records.md").read_text(), re.MULTILINE
    )
    assert dict(rows) == {code: "yes" if code in WRITABLE else "no" for code in FORMATS}


def test_alerts_when_there_is_a_kind_then_each_table_knows_it_and_its_topic_fits():
    kinds = set(ALERTS.values())
    for table in (
        ALERT_LABELS,
        {*MATCH_ALERT_CHECKS, *OTHER_ALERT_CHECKS},
        {type(one) for one in SAMPLE_ALERTS},
    ):
        assert set(table) == kinds
    assert len(SAMPLE_ALERTS) == len(kinds)
    for one in SAMPLE_ALERTS:
        assert re.fullmatch(r"[a-z0-9-]{1,20}", one.topic)


def test_notices_when_there_is_a_kind_then_it_has_a_sentence_and_a_template_that_says_it():
    assert set(NEWS_MESSAGES) == set(NOTICE_KINDS.values())
    for kind, made in NOTICE_KINDS.items():
        news = made(**{one.name: f"Some {one.name}" for one in fields(made)})
        assert news_message(news)
        page = render_to_string(notice_template(kind), {"news": news})
        assert all(f"Some {one.name}" in page for one in fields(made))
