"""The QR code on a player's ticket: a plain SVG that the strict content policy lets through."""

import re
import xml.etree.ElementTree as ET

import qrcode
from qrcode.constants import ERROR_CORRECT_M

from tournaments.shared.fragments.qr import QUIET_ZONE, SHEET_MASK, qr_svg

URL = "https://club.example/my/abcdefghjkmn-1.c2lnbmF0dXJlLW9mLXRoZS1saW5r/"


def _dark_modules(svg):
    modules = set()
    path = ET.fromstring(svg)[1].attrib["d"]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path):
        modules |= {(int(x) + step, int(y)) for step in range(int(width))}
    return modules


def test_qr_svg_draws_exactly_the_modules_of_the_code():
    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=QUIET_ZONE)
    code.add_data(URL)
    code.make(fit=True)
    wanted = {(x, y) for y, row in enumerate(code.get_matrix()) for x, dark in enumerate(row) if dark}
    assert _dark_modules(qr_svg(URL)) == wanted


def test_qr_svg_keeps_four_white_modules_on_every_edge():
    svg = qr_svg(URL)
    side = int(ET.fromstring(svg).attrib["viewBox"].split()[2])
    dark = _dark_modules(svg)
    assert {min(x for x, _ in dark), min(y for _, y in dark)} == {QUIET_ZONE}
    assert max(max(pair) for pair in dark) == side - QUIET_ZONE - 1


def test_qr_svg_has_no_style_script_or_readable_address():
    svg = qr_svg(URL)
    assert "style" not in svg
    assert "script" not in svg
    assert "club.example" not in svg


def test_qr_svg_of_many_says_the_same_in_one_mask():
    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=QUIET_ZONE, mask_pattern=SHEET_MASK)
    code.add_data(URL)
    code.make(fit=True)
    wanted = {(x, y) for y, row in enumerate(code.get_matrix()) for x, dark in enumerate(row) if dark}
    assert _dark_modules(qr_svg(URL, is_one_of_many=True)) == wanted
