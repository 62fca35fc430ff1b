"""The names of time zones that this computer knows: read from some 600 files, once in a process."""

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

# CLDR's primaryZones (supplemental/metaZones), and the one where nearly everybody of the country lives.
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
# What people write for the place they live in; as names of zones some of them would never have a summer time.
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
    """Every name that may be chosen."""
    return frozenset(available_timezones())


@cache
def place_timezones() -> tuple[str, ...]:
    """Those that are named after places, and UTC, for a list to choose from."""
    return tuple(sorted(name for name in timezone_names() if name == "UTC" or is_place_zone(name)))


def is_place_zone(name: str) -> bool:
    """Whether a zone is named after a place and not after an abbreviation, a country or a distance."""
    return name.partition("/")[0] in CONTINENTS


def match_zones(text: str) -> tuple[str, ...]:
    """The zones that ``text`` may mean: a zone's own name, a city, an abbreviation, a country in many languages.

    One where it is clear, several where people have to choose, none where nobody knows it. Countries: CLDR's territories and
    its primary zones.

    >>> match_zones("new york"), match_zones("PST"), match_zones("Deutschland")
    (('America/New_York',), ('America/Los_Angeles',), ('Europe/Berlin',))
    """
    text = text.strip()
    if short := ABBREVIATIONS.get(text.upper()):
        return (short,)
    if text in timezone_names():
        return (text,)
    wanted = fold_text(text)
    if not wanted:
        return ()
    same = tuple(zone for zone in timezone_names() if fold_text(zone) == wanted)
    if same:
        return same[:1]
    if cities := _zones_by_city().get(wanted):
        return tuple(sorted(cities))
    return zones_of_country(countries().stated(text))


def zones_of_country(code: str) -> tuple[str, ...]:
    """The zones of a country (two capitals), its main one alone where it has one."""
    if code in MAIN_ZONES:
        return (MAIN_ZONES[code],)
    territories: dict[str, list[str]] = get_global("territory_zones")  # type: ignore[assignment]
    return tuple(sorted(zone for zone in territories.get(code, ()) if zone in timezone_names()))


@cache
def zone_choices(language: str) -> tuple[tuple[str, str], ...]:
    """Each zone that a list offers, with city and country as ``language`` calls them: both are found while typing."""
    locale = Locale.parse(language, sep="-")
    territories: dict[str, str] = get_global("zone_territories")  # type: ignore[assignment]
    rows = []
    for zone in place_timezones():
        country = locale.territories.get(territories.get(zone, ""), "")
        words = [_city_name(zone, locale), *([country] if country else [])]
        rows.append((zone, ", ".join(words)))
    return tuple(rows)


def _city_name(zone: str, locale: Locale) -> str:
    named: str = locale.time_zones.get(zone, {}).get("city", "")
    return named or zone.rpartition("/")[2].replace("_", " ")


@cache
def _zones_by_city() -> Mapping[str, frozenset[str]]:
    """Folded names of cities → zones named after them: as the zone is called, and in the large languages."""
    found: dict[str, set[str]] = {}
    for zone in place_timezones():
        found.setdefault(fold_text(zone.rpartition("/")[2]), set()).add(zone)
    for language in LANGUAGES:
        for zone, names in Locale.parse(language).time_zones.items():
            if "city" in names and is_place_zone(zone) and zone in timezone_names():
                found.setdefault(fold_text(names["city"]), set()).add(zone)
    found.pop("", None)
    return {name: frozenset(zones) for name, zones in found.items()}
