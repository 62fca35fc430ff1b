"""Every code has words, the table in the docs is the table in the code, and the commands say what they should."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from games import messages
from games.records.errors import UnreadableRecord
from games.records.findings import SEVERITIES, Severity, finding
from games.records.validation import VerdictDecision
from games.records.writing import Loss
from games.rules import checking, cube

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "records"


def codes_of(word: str) -> set[str]:
    """The codes that readers and writers of records put into this."""
    sources = "".join(path.read_text() for path in sorted((ROOT / "games" / "records").glob("*.py")))
    return set(re.findall(rf'\b{word}\(\s*"([a-z_.]+)"', sources))


def test_codes_when_listed_then_each_has_words_and_no_words_are_left_over():
    assert messages.FINDINGS.keys() == SEVERITIES.keys()
    assert messages.UNREADABLE.keys() == codes_of("UnreadableRecord") | {
        "file.not_opened",  # said by the command
        "record.too_much_work",  # said by the service that gives a check so much time
    }
    assert not messages.UNREADABLE.keys() & SEVERITIES.keys()
    assert messages.LOSSES.keys() == codes_of("Loss")
    assert messages.DECISIONS.keys() == set(VerdictDecision)
    assert messages.SEVERITIES.keys() == set(Severity)


def test_reasons_when_rules_refuse_then_each_has_words():
    source = Path(checking.__file__).read_text() + Path(cube.__file__).read_text()
    told = set(re.findall(r'(?:Fault|RuleError)\(\s*"((?:play|cube)\.[a-z_]+)"', source)) - {"cube.value"}

    assert told
    assert told <= messages.REASONS.keys()


@pytest.mark.parametrize("code", ["no.such_code", "play.blocked"])
def test_unknown_code_when_described_then_refused_loudly(code):
    with pytest.raises(LookupError):
        messages.describe(UnreadableRecord(code))
    with pytest.raises(LookupError):
        messages.reason_message("no.such_reason")


def test_illegal_play_when_described_then_says_what_where_and_why():
    found = finding(
        "play.illegal_stands",
        game=2,
        turn=14,
        rule="R14",
        reason="play.blocked",
        dice=(6, 4),
        steps=((24, 18), (18, 14)),
    )

    assert (
        messages.describe(found)
        == "6-4: 24/14 is not legal: the point is blocked. Both players continued, so the play counts."
    )
    assert messages.location_label(found) == "Game 2, turn 14"


def test_side_when_described_then_the_players_name_or_the_column():
    found = finding("turn.missing", side="black")

    assert messages.describe(found, ("Ada", "Bo")).startswith("Bo has no turn")
    assert messages.describe(found).startswith("The right player has no turn")


def test_words_when_another_language_is_active_then_still_whole():
    with translation.override("de"):
        assert "%(" not in messages.describe(finding("points.uncapped", stated=4, needed=1))
        assert messages.describe(Loss("loss.tag", params={"key": "Site"}))


def test_docs_when_compared_then_the_same_severities_and_rules():
    section = (ROOT / "docs" / "rules.md").read_text().split("## Records: severity")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_.]+)` \| (\w+) \| (\S+) \|", section, re.MULTILINE)

    assert {code: (severity, None if rule == "–" else rule) for code, severity, rule in rows} == {
        code: (severity.value, rule) for code, (severity, rule) in SEVERITIES.items()
    }
    assert len(rows) == len(SEVERITIES)


def run(*arguments):
    out = io.StringIO()
    code = 0
    try:
        call_command("check_record", *[str(argument) for argument in arguments], stdout=out)
    except SystemExit as stopped:
        code = stopped.code
    return code, out.getvalue()


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["bom_and_crlf.txt"], 0),
        (["unfinished_match.mat"], 0),
        (["points_contradict_the_cube.mat", "bom_and_crlf.txt"], 1),
        (["one_wrong_pip.mat", "bom_and_crlf.txt"], 1),
        (["prose.txt"], 2),
        (["prose.txt", "points_contradict_the_cube.mat"], 2),
        (["points_contradict_the_cube.mat", "no such file.mat", "bom_and_crlf.txt"], 2),
    ],
)
def test_check_record_when_run_then_exit_code_of_the_worst(names, code):
    done, said = run(*[GOLDEN / name for name in names])

    assert done == code
    assert len(said.splitlines()) == len(names)


def test_check_record_when_asked_for_json_then_the_whole_story():
    code, said = run("--json", GOLDEN / "crawford_double_counted.mat")

    told = json.loads(said)
    assert code == 0
    assert list(told) == [
        "file", "format", "players", "match_length", "games", "final_score", "complete", "verdict", "findings", "repairs"
    ]  # fmt: skip
    assert (told["format"], told["players"], told["match_length"]) == ("mat", ["Ada", "Bo"], 3)
    assert (told["final_score"], told["complete"], told["verdict"]) == ([3, 1], True, "accept_with_notes")
    third = told["games"][2]
    assert (third["number"], third["score_before"], third["crawford"]) == (3, [2, 0], True)
    assert (third["winner"], third["points"], third["kind"], third["cube"]) == (1, 1, "passed", 1)
    (found,) = told["findings"]
    assert (found["code"], found["severity"], found["rule"], found["game"]) == (
        "cube.crawford_stands",
        "note",
        "F2",
        3,
    )
    assert found["line"] > 1
    assert found["column"] > 1


def test_check_record_when_several_then_a_list_with_the_unreadable_too():
    _, said = run("--json", GOLDEN / "prose.txt", GOLDEN / "money_session.mat")

    first, second = json.loads(said)
    assert (first["verdict"], first["format"], first["findings"][0]["code"]) == (
        "unreadable",
        None,
        "file.unknown_format",
    )
    assert (second["verdict"], second["match_length"]) == ("accept", 0)


def test_check_record_when_another_length_is_expected_then_rejected():
    assert run("--length", 5, GOLDEN / "bom_and_crlf.txt")[0] == 1
    assert run("--length", 2, GOLDEN / "bom_and_crlf.txt")[0] == 0
    assert run("--money", GOLDEN / "bom_and_crlf.txt")[0] == 1


def test_check_record_when_money_options_then_believed_only_if_named():
    assert run("--money", "--beavers", GOLDEN / "beaver.mat")[0] == 0
    assert "does not allow beavers" not in run("--money", "--beavers", GOLDEN / "beaver.mat")[1]
    assert "does not allow beavers" in run("--money", GOLDEN / "beaver.mat", "-v", "2")[1]
    assert run("--money", "--jacoby", GOLDEN / "gammon_from_a_set_position.mat")[0] == 1


@pytest.mark.parametrize(
    "arguments", [["--jacoby"], ["--length", "5", "--beavers"], ["--length", "0"], ["--length", "x"]]
)
def test_check_record_when_options_contradict_then_refused(arguments):
    with pytest.raises(CommandError):
        call_command("check_record", str(GOLDEN / "beaver.mat"), *arguments)


def test_check_record_when_the_numbering_is_named_then_read_so():
    assert run("--numbering", "white_up", GOLDEN / "fixed_numbering.mat") == (
        0,
        f"{GOLDEN / 'fixed_numbering.mat'}: accept, Ada 1–0 Bo (money)\n",
    )


def test_check_record_when_a_name_moves_the_terminal_then_still_one_plain_line(tmp_path):
    file = tmp_path / "odd.json"
    call_command("convert_record", str(GOLDEN / "money_session.mat"), "--to", "json", "-o", str(file))
    file.write_text(file.read_text().replace('"Ada"', '"A\\u001b[2J\\nB"'))

    _, said = run(file)

    assert said.count("\n") == 1
    assert "\x1b" not in said


@pytest.mark.parametrize("to", ["mat", "sgf", "json"])
def test_convert_record_when_run_then_the_same_match(to, tmp_path):
    target = tmp_path / f"converted.{to}"
    call_command("convert_record", str(GOLDEN / "counted_from_zero.sgf"), "--to", to, "-o", str(target))

    code, said = run("--json", target)

    assert code == 0
    assert json.loads(said)["final_score"] == [2, 0]


def test_convert_record_when_something_is_lost_then_said():
    out, err = io.StringIO(), io.StringIO()
    call_command(
        "convert_record", str(GOLDEN / "header_of_galaxy.txt"), "--to", "sgf", stdout=out, stderr=err
    )

    assert out.getvalue().startswith("(;FF[4]GM[6]")
    assert "Player 1 Elo" in err.getvalue()


@pytest.mark.parametrize("name", ["prose.txt", "no such file"])
def test_convert_record_when_there_is_no_record_then_an_error(name):
    with pytest.raises(CommandError):
        call_command("convert_record", str(GOLDEN / name), "--to", "mat")
