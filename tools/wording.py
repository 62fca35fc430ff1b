"""Find worn phrases and retired terms in texts that people read: `python tools/wording.py`.

Reads the German catalogue, which contains every text of the interface in English and German; and from the source, the texts that are only
in English: management commands, the help and output of `tools/` and `benchmarks/`, and descriptions of the API. The terms are listed in
docs/glossary.md. `make check` runs it. Exit status 1 if anything is found.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"

# Phrases that read as if translated word for word. `is no longer` is fine, and so are standings.
WORN = (
    "whoever",
    "somebody",
    "nobody",
    "anybody",
    "there is no",
    r"is no(?! longer)",
    "no such",
    r"(?:take|takes|taken|took) (?:back|away|in)",
    "once more",
    r"falls? away",
    "anew",
    "stands?",
    r"comes? (?:of|out)",
    "by lot",
    "by itself",
    r"(?:is|are) told",
    "was said",
    "to be there",
    r"calls? off|called off",
    "holds us up",
    "does not take place",
)
# Retired terms, each with the one that is used.
RETIRED = {
    r"walk-overs?": "walkover",
    r"knock-outs?": "knockout",
    "telephone": "phone",
    "matrix": "players (table)",
    "hall board": "display",
    r"hold-ups?": "delays",
    "audit trail": "audit log",
    "head of the trail": "audit log head",
    "desk line": "command bar",
    r"turn(?:ed)? away": "decline",
    r"buy(?:ing)?[ -]backs?|bought back": "re-entry",
    "second factor": "two-step sign-in",
    "programming interface": "API",
    r"throw (?:it )?away": "discard",
    r"promis(?:e|es|ed)": "commitment",
    "soundness": "integrity check",
    "meet late": "kept apart in early rounds",
}
GERMAN = {
    r"Matchs": "Matches",
    r"Ihnen": "dir",
    r"Rebuys?": "Wiedereinstieg",
}
# Texts that may say so, each with its reason.
EXCEPTIONS: dict[str, str] = {}

_ENGLISH = re.compile(rf"\b(?:{'|'.join((*WORN, *RETIRED))})\b", re.IGNORECASE)
_GERMAN = re.compile(rf"\b(?:{'|'.join(GERMAN)})\b")


def texts() -> Iterator[tuple[str, str, str]]:
    """Every text: the first place where it is used, English, German. The forms of a plural come one by one."""
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale="de", domain="django")
    for message in catalogue:
        if not message.id:
            continue
        place = message.locations[0][0] if message.locations else ""
        english, german = (
            one if isinstance(one, list | tuple) else (one,) for one in (message.id, message.string)
        )
        for number, text in enumerate(english):
            yield place, text, german[min(number, len(german) - 1)]


def faults() -> list[str]:
    """Each worn phrase or retired term with its text, and exceptions that nothing needs any more."""
    found, needed = [], set()
    for place, english, german in texts():
        for text, pattern in ((english, _ENGLISH), (german, _GERMAN)):
            for hit in pattern.finditer(text):
                if english in EXCEPTIONS:
                    needed.add(english)
                else:
                    found.append(f"{place}: “{hit[0]}” in “{text[:100]}”")
    return found + [
        f"tools/wording.py: no text needs the exception “{one}”" for one in EXCEPTIONS if one not in needed
    ]


def main() -> int:
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return 0
    found = faults()
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(found)} to be written better")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
