"""Names and messages as people type and paste them, made fit to be shown: single blanks, nothing invisible."""

import unicodedata

# Marks that turn the direction of the text around them: in a name they would rearrange the page it stands on.
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSEEN = frozenset({"Cc", "Cs", "Co", "Cn"})


def one_line(text: str) -> str:
    """``text`` with single blanks, composed characters (NFC), and without control, private and direction characters."""
    blanks = " ".join(unicodedata.normalize("NFC", text).split())
    seen = "".join(c for c in blanks if c not in _TURNS and unicodedata.category(c) not in _UNSEEN)
    return " ".join(seen.split())


def paragraphs(text: str) -> str:
    r"""``text`` with its lines as they are, each as `one_line` makes it, and at most one empty line between two.

    >>> paragraphs(" Hi  there \r\n\n\n\nbye")
    'Hi there\n\nbye'
    """
    lines: list[str] = []
    for line in map(one_line, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip()
