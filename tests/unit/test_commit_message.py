"""The form of commit messages, which the hook `commit-msg` checks."""

import pytest

from tools.commit_message import main, message_faults


@pytest.mark.parametrize(
    "text",
    [
        "matches: reject reports after the event is finished\n",
        "api, docs: paginate analyses\n\nA list of 10,000 took four seconds.\n\nSee: #12\n",
        "db/0053: backfill former players\n\n# a comment that git leaves out, however long it may be, and however it ends.\n",
        "Merge branch 'main' into work of somebody who gave it a very long name that nobody shortens\n",
        "docs: link the regulation\n\nhttps://example.org/" + "a" * 80 + "\n",
    ],
)
def test_message_when_its_form_is_right_then_no_fault(text):
    assert message_faults(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["Begin with the area"]),
        ("Reject reports", ["Begin with the area"]),
        ("matches: " + "x" * 64, ["Shorten the subject to 72 characters; it has 73."]),
        ("matches: reject reports.", ["Remove the full stop"]),
        ("matches: reject reports\nbecause", ["Leave the second line empty."]),
        ("matches: reject reports\n\n" + "y" * 73, ["Wrap line 3 at 72 characters; it has 73."]),
        ("Said.\nmore", ["Begin with the area", "Remove the full stop", "Leave the second line"]),
    ],
)
def test_message_when_its_form_is_wrong_then_a_sentence_for_each_fault(text, said):
    faults = message_faults(text)
    assert len(faults) == len(said)
    assert all(fault.startswith(start) for fault, start in zip(faults, said, strict=True))


def test_hook_when_run_on_a_file_then_its_status_tells(tmp_path, capsys):
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("matches: reject reports\n")
    assert main(str(file)) == 0
    file.write_text("no area")
    assert main(str(file)) == 1
    assert "Begin with the area" in capsys.readouterr().err
