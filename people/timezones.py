"""Names of the time zones installed on this system, read from some 600 files once in a process."""

from collections.abc import Mapping
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global

from names.folding import fold_text
from people.countries import LANGUAGES, countries

CONTINENTS: Final = frozenset(
    {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)

# CLDR's primaryZones (supplemental/metaZones), and the zone with most of a country's people.
MAIN_ZONES: Final[Mapping[str, str]] = {
    "CL": "America/Santiago",
    "CN": "Asia/Shanghai",
    "CY": "Asia/Nicosia",
    "DE": "Europe/Berlin",
    "EC": "America/Guayaquil",
    "ES": "Europe/Madrid",
    "MY": "Asia/Kuala_Lumpur",
    "NZ": "Pacific/Auckland",
    "PT": "Europe/Lisbon",
    "UA": "Europe/Kiev",
    "UZ": "Asia/Tashkent",
}
# Abbreviations used for a place; as names of zones some of them would never have a summer time.
ABBREVIATIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("EST", "EDT", "ET"), "America/New_York"),
    **dict.fromkeys(("CDT", "CT"), "America/Chicago"),
    **dict.fromkeys(("MST", "MDT", "MT"), "America/Denver"),
    **dict.fromkeys(("PST", "PDT", "PT"), "America/Los_Angeles"),
    **dict.fromkeys(("GMT", "BST"), "Europe/London"),
    **dict.fromkeys(("CET", "CEST", "MEZ", "MESZ"), "Europe/Berlin"),
    **dict.fromkeys(("EET", "EEST", "OEZ", "OESZ"), "Europe/Helsinki"),
    **dict.fromkeys(("WET", "WEST"), "Europe/Lisbon"),
    **dict.fromkeys(("MSK",), "Europe/Moscow"),
    **dict.fromkeys(("TRT",), "Europe/Istanbul"),
    **dict.fromkeys(("JST",), "Asia/Tokyo"),
    **dict.fromkeys(("KST",), "Asia/Seoul"),
    **dict.fromkeys(("AEST", "AEDT"), "Australia/Sydney"),
    **dict.fromkeys(("NZST", "NZDT"), "Pacific/Auckland"),
}


@cache
def timezone_names() -> frozenset[str]:
    """Return the names of all time zones that may be chosen."""
    return frozenset(available_timezones())


@cache
def place_timezones() -> tuple[str, ...]:
    """Return the names of zones that are named after places, and UTC, sorted, to choose from."""
    return tuple(sorted(name for name in timezone_names() if name == "UTC" or is_place_zone(name)))


def is_place_zone(name: str) -> bool:
    """Return whether a zone is named after a place and not after an abbreviation, country or offset."""
    return name.partition("/")[0] in CONTINENTS


def match_zones(text: str) -> tuple[str, ...]:
    """Return the zones that ``text`` may mean: a zone's name, a city, abbreviation or country.

    One if it is clear, several to choose from, none if unknown. Countries, in many languages: CLDR's
    territories and their primary zones.

    >>> match_zones("new york"), match_zones("PST"), match_zones("Deutschland")
    (('America/New_York',), ('America/Los_Angeles',), ('Europe/Berlin',))
    """
    text = text.strip()
    if abbreviated := ABBREVIATIONS.get(text.upper()):
        return (abbreviated,)
    if text in timezone_names():
        return (text,)
    folded = fold_text(text)
    if not folded:
        return ()
    exact_matches = tuple(zone for zone in timezone_names() if fold_text(zone) == folded)
    if exact_matches:
        return exact_matches[:1]
    if cities := _zones_by_city().get(folded):
        return tuple(sorted(cities))
    return zones_of_country(countries().code_from_cell(text))


def zones_of_country(code: str) -> tuple[str, ...]:
    """Return the names of a country's zones; only the primary one if it has one. ``code``: two capitals."""
    if code in MAIN_ZONES:
        return (MAIN_ZONES[code],)
    territories: dict[str, list[str]] = get_global("territory_zones")  # type: ignore[assignment]
    return tuple(sorted(zone for zone in territories.get(code, ()) if zone in timezone_names()))


@cache
def zone_choices(language: str) -> tuple[tuple[str, str], ...]:
    """Return the choices of zones, as pairs of name and label.

    The label has city and country in ``language``.
    """
    locale = Locale.parse(language, sep="-")
    territories: dict[str, str] = get_global("zone_territories")  # type: ignore[assignment]
    rows = []
    for zone in place_timezones():
        country = locale.territories.get(territories.get(zone, ""), "")
        label_parts = [_city_name(zone, locale), *([country] if country else [])]
        rows.append((zone, ", ".join(label_parts)))
    return tuple(rows)


def _city_name(zone: str, locale: Locale) -> str:
    city: str = locale.time_zones.get(zone, {}).get("city", "")
    return city or zone.rpartition("/")[2].replace("_", " ")


@cache
def _zones_by_city() -> Mapping[str, frozenset[str]]:
    """Return the names of zones, as sets keyed by the normalised name of a city, in several languages."""
    zones_by_name: dict[str, set[str]] = {}
    for zone in place_timezones():
        zones_by_name.setdefault(fold_text(zone.rpartition("/")[2]), set()).add(zone)
    for language in LANGUAGES:
        for zone, names in Locale.parse(language).time_zones.items():
            if "city" in names and is_place_zone(zone) and zone in timezone_names():
                zones_by_name.setdefault(fold_text(names["city"]), set()).add(zone)
    zones_by_name.pop("", None)
    return {name: frozenset(zones) for name, zones in zones_by_name.items()}
