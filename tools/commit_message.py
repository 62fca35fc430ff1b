"""Check the form of a commit message: `area: verb …`, at most 72 characters, no full stop; a blank line, then lines of at most 72 characters.

The hook `commit-msg` of `.pre-commit-config.yaml` runs `python tools/commit_message.py FILE`. Exit status 1 and a line for each fault.
"""

import re
import sys
from pathlib import Path
from typing import Final

MAX_LINE_LENGTH: Final = 72
# Merges, reverts and commits to be squashed have a subject written by git.
_GIT_SUBJECT: Final = re.compile(r"(Merge|Revert|fixup!|squash!|amend!) ")
_SUBJECT: Final = re.compile(r"[a-z0-9][\w./, -]*: [^\s].*")
_TRAILER_OR_LINK: Final = re.compile(r"([A-Z][\w-]+: )|.*https?://\S{40}")
_SCISSORS: Final = "# ------------------------ >8"


def message_faults(text: str) -> list[str]:
    """Return the errors of a commit message, a sentence each; comment lines are ignored, as git does."""
    lines = [line.rstrip() for line in text.partition(_SCISSORS)[0].splitlines() if not line.startswith("#")]
    while lines and not lines[-1]:
        lines.pop()
    subject = lines[0] if lines else ""
    if _GIT_SUBJECT.match(subject):
        return []
    faults = []
    if not _SUBJECT.fullmatch(subject):
        faults.append(
            'Begin with the area and a verb, for example "matches: reject reports of finished events".'
        )
    if len(subject) > MAX_LINE_LENGTH:
        faults.append(f"Shorten the subject to {MAX_LINE_LENGTH} characters; it has {len(subject)}.")
    if subject.endswith("."):
        faults.append("Remove the full stop at the end of the subject.")
    if len(lines) > 1 and lines[1]:
        faults.append("Leave the second line empty.")
    faults += [
        f"Wrap line {number} at {MAX_LINE_LENGTH} characters; it has {len(line)}."
        for number, line in enumerate(lines[2:], start=3)
        if len(line) > MAX_LINE_LENGTH and not _TRAILER_OR_LINK.match(line)
    ]
    return faults


def main(file: str) -> int:
    faults = message_faults(Path(file).read_text(encoding="utf-8"))
    print(*faults, sep="\n", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main(sys.argv[1]))
