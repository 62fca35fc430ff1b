"""Cells of files that spreadsheets open."""

# What a spreadsheet would calculate.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_text(cell: str) -> str:
    """``cell`` as a spreadsheet shows it and never calculates it: with an apostrophe in front where it would."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
