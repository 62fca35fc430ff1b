"""docs/rules.md names for each rule the places that hold it: they are there, carry its number, and for each a change breaks it."""

import re
from collections import Counter

from tests.architecture.source import APPS, ROOT, modules
from tools.rule_mutants import changes, places, rows

RULES = [*(f"R{number}" for number in range(1, 44)), *(f"F{number}" for number in range(1, 18))]
WHERE = dict(rows())
CODE = (*APPS, "faults", "config", "templates", "static")
KINDS = {".py", ".html", ".txt", ".js", ".css"}
OF_A_TEST = re.compile(r"def test_(?:\w+_)?([rf])(\d{1,2})_")  # `test_f16_wrong_score_when…`
BARE = re.compile(r"`([\w.]+)`")
CITED = re.compile(r"\b([RF])(\d{1,2})\b(?: to \1(\d{1,2})\b)?")


def cited(text: str) -> set[str]:
    """The numbers in a text; "R15 to R17" are three."""
    return {
        f"{letter}{number}"
        for letter, first, last in CITED.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def test_rules_when_listed_then_each_has_one_row():
    assert Counter(rule for rule, _where in rows()) == Counter(RULES)


def test_rules_when_nothing_holds_one_then_the_reason_is_given():
    silent = {rule for rule, where in WHERE.items() if not places(where)}
    assert all(re.match(r"no line: \w+ \w+", WHERE[rule]) for rule in silent)
    assert silent == {"R9", "F6"}


def test_places_when_named_for_a_rule_then_are_there_and_carry_its_number():
    wrong = []
    for rule, where in WHERE.items():
        for place in places(where):
            text = place.text()
            if text is None or rule not in cited(text):
                wrong.append(f"{rule}: {place} " + ("is not there" if text is None else "does not name it"))
    assert wrong == []


def test_functions_when_named_for_a_rule_then_with_their_file():
    """Without its file nobody looks whether it is there, carries the number, and is missed when it is broken."""
    made = {name for path in modules(*APPS) for name in re.findall(r"\bdef (\w+)", path.read_text())}
    bare = {f"{rule}: {name}" for rule, where in WHERE.items() for name in BARE.findall(where)}
    assert {one for one in bare if re.split(r"[ .]", one)[-1] in made} == set()
    assert len(bare) > 5
    assert BARE.findall("`a/b.py:c.d`, `e` and `F.g`") == ["e", "F.g"]


def test_numbers_when_the_code_cites_them_then_the_document_has_them():
    unknown = {}
    for folder in CODE:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in KINDS and (odd := cited(path.read_text()) - WHERE.keys()):
                unknown[str(path.relative_to(ROOT))] = sorted(odd)
    assert unknown == {}


def test_numbers_when_something_holds_them_then_a_test_names_them():
    named: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path.name != "test_rules_doc.py":
            source = path.read_text()
            named |= cited(source) | {letter.upper() + number for letter, number in OF_A_TEST.findall(source)}
    assert {rule for rule, where in WHERE.items() if places(where)} - named == set()


def test_places_when_named_for_a_rule_then_the_product_comes_to_them():
    """A name that stands nowhere but where it is made, or only in what nobody comes to, keeps no rule."""
    sources = [path.read_text() for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    whole = "\n".join(
        re.sub(r"\b(?:def|class) \w+|^_*[A-Z][A-Z_]+\b", "", source, flags=re.MULTILINE) for source in sources
    )
    words = Counter(re.findall(r"\w+", whole))
    never = {
        f"{rule}: {place}"
        for rule, where in WHERE.items()
        for place in places(where)
        if not words[place.name.rpartition(".")[2]]
    }
    assert never == set()


def test_changes_when_a_place_holds_a_rule_then_one_breaks_it_there():
    known = changes()
    held = {rule: places(where) for rule, where in WHERE.items()}
    assert Counter((c.rule, c.place) for c in known) == Counter((r, p) for r in held for p in held[r])
    for change in known:
        source = (ROOT / change.place.path).read_text()
        assert change.of(source) != source
        assert change.tests
        assert all((ROOT / test).is_file() for test in change.tests)


def test_numbers_when_a_text_names_a_row_of_them_then_all_are_meant():
    assert cited("as said (R15 to R17, F2); not R999 or XR3") == {"R15", "R16", "R17", "F2"}
