"""Static files of production: short, named after what they hold, and each module finds those that it imports."""

import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage

from config.shortened import MinifiedFiles
from config.static import HashedStaticStorage

ROOT = Path(__file__).resolve().parents[3] / "static"
IMPORTED = re.compile(r"""(?:from|import)\s*\(?["']\./([\w.-]+)["']""")


class Names(HashedStaticStorage):
    """Without the packing, which takes seconds."""

    def compress_files(self, _paths):
        return iter(())


@pytest.fixture
def collected(tmp_path):
    names = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file())
    (tmp_path / "static").mkdir()
    storage = Names(location=tmp_path / "static", base_url="/static/")
    source = FileSystemStorage(location=ROOT)
    paths = {name: (source, name) for name in names}
    for name in names:
        with source.open(name) as file:
            storage.save(name, file)
    failed = [done for _name, _hashed, done in storage.post_process(paths) if isinstance(done, Exception)]
    assert failed == []
    return storage


def test_modules_find_what_they_import_under_its_hashed_name_and_scripts_are_short(collected):
    short = whole = imports = 0
    for name, hashed in collected.hashed_files.items():
        if not name.endswith((".js", ".css")):
            continue
        text = (Path(collected.location) / hashed).read_text()
        short, whole = short + len(text), whole + len((ROOT / name).read_text())
        for other in IMPORTED.findall(text):
            imports += 1
            assert (Path(collected.location) / "js" / other).is_file(), f"{name} imports {other}"
            assert f"js/{other}" in collected.hashed_files.values(), f"{name} imports {other} without a hash"
    assert imports > 5
    assert short < 0.85 * whole


def test_other_files_stay_as_they_are():
    opened = MinifiedFiles(FileSystemStorage(location=ROOT)).open("img/icons.svg")
    assert opened.read() == (ROOT / "img/icons.svg").read_bytes()
