"""The key of an imported result holds names as the first release folded them, or the same file would count twice."""

from rating.services.keys import name_in_key


def test_name_in_key_when_letters_are_folded_otherwise_today_then_as_it_ever_was():
    assert name_in_key("Søren  ŁOŚ-Weiß") == "søren weiss łos"
