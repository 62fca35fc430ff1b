"""What a killed worker left behind is thrown away; what is in use stays, whoever uses it."""

import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from games import tasks
from games.analysis.bounded import ROOT
from games.analysis.folders import LOCK_NAME, PREFIX, sweep_folders, working_folder

WORKS = """
import time
from games.analysis.folders import working_folder
with working_folder() as folder:
    (folder / "answer.sgf").write_text("half")
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def age(folder, seconds=3_600):
    long_ago = time.time() - seconds
    os.utime(folder, (long_ago, long_ago))


def test_folder_when_its_worker_was_killed_then_swept_and_not_before(own_place):
    worker = subprocess.Popen([sys.executable, "-c", WORKS], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        folder = own_place / worker.stdout.readline().strip().rpartition("/")[2]
        age(folder)
        assert sweep_folders() == 0
        assert folder.exists()
    finally:
        os.kill(worker.pid, signal.SIGKILL)
        worker.communicate()
    assert sweep_folders() == 1
    assert not folder.exists()


def test_folder_when_another_begins_then_what_was_left_is_gone_and_the_own_one_after_it(own_place):
    half_made, young = own_place / f"{PREFIX}half", own_place / f"{PREFIX}young"
    half_made.mkdir()
    young.mkdir()
    elsewhere = own_place / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (own_place / f"{PREFIX}link").symlink_to(elsewhere)
    age(half_made)
    with working_folder() as folder:
        assert (folder / LOCK_NAME).exists()
        assert not half_made.exists()
        age(folder)
        assert sweep_folders() == 0
    assert not folder.exists()
    assert young.exists()
    age(young)
    tasks.sweep_folders()
    assert not young.exists()
    assert (elsewhere / "kept").exists()
