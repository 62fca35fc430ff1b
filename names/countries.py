"""Countries as people write them in lists: by name in any language, or by ISO, IOC or FIFA code."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from names.folding import fold_text

# Codes of the IOC and FIFA, and customary ones, that differ from ISO 3166 (alpha-3). ISO wins where a code
# means another country there.
_SPORT_CODES: Final = """
ALG DZ ANG AO ANT AG ARU AW ASA AS BAH BS BAN BD BAR BB BER BM BHU BT BIZ BZ BOT BW BUL BG BUR BF CAM KH CAY KY CGO CG CHA TD
CHI CL CRC CR CRO HR DEN DK ENG GB EQG GQ ESA SV FIJ FJ FRO FO GAM GM GBS GW GEQ GQ GER DE GRE GR GRN GD GUA GT GUI GN HAI HT
HOL NL HON HN ICE IS INA ID IRE IE IRI IR ISV VI IVB VG JAP JP KOS XK KSA SA KUW KW LAT LV LBA LY LES LS LIB LB MAD MG MAS MY
MAW MW MGL MN MON MC MRI MU MTN MR MYA MM NCA NI NED NL NEP NP NGR NG NIG NE NIR GB OMA OM PAR PY PHI PH PLE PS POR PT PUR PR
ROM RO RSA ZA SAM WS SCO GB SEY SC SKN KN SLO SI SOL SB SPA ES SRI LK SUD SD SUI CH SWI CH TAN TZ TGA TO TOG TG TPE TW TRI TT
UAE AE URU UY VAN VU VIE VN VIN VC WAL GB ZAM ZM ZIM ZW UK GB EL GR
"""
_USUAL_NAMES: Final = """
england:GB scotland:GB wales:GB northern ireland:GB great britain:GB britain:GB uk:GB u k:GB schottland:GB nordirland:GB
holland:NL the netherlands:NL hollandia:NL hollande:NL olanda:NL usa:US u s a:US u s:US america:US united states of america:US
czech republic:CZ tschechische republik:CZ turkey:TR macedonia:MK russia:RU ivory coast:CI uae:AE hellas:GR brd:DE
south korea:KR korea:KR eire:IE bosnia:BA bosnien:BA republic of ireland:IE slovak republic:SK inghilterra:GB inglaterra:GB angleterre:GB anglia:GB
skottland:GB skotland:GB schweiz suisse:CH englanti:GB anglie:GB anglicko:GB engeland:GB ingiltere:GB iskocya:GB galler:GB αγγλια:GB англия:GB
ecosse:GB escocia:GB scozia:GB szkocja:GB walia:GB galles:GB gales:GB irlande du nord:GB irlanda del norte:GB grossbritannien:GB gb:GB
grande bretagne:GB gran bretana:GB gran bretagna:GB gra bretanha:GB storbritannien:GB storbritannia:GB iso britannia:GB velka britanie:GB
groot brittannie:GB μεγαλη βρετανια:GB великобритания:GB amerika:US abd:US eeuu:US ee uu:US stati uniti d america:US holanda:NL olanda:NL
hollande:NL holandia:NL hollanti:NL ολλανδια:NL холандия:NL голландия:NL republique tcheque:CZ republica checa:CZ repubblica ceca:CZ czech rep:CZ
tschechei:CZ ελλ:GR κυπ:CY tur:TR türk:TR isvec:SE isr:IL tsjekkiet:CZ hong kong:HK hongkong:HK macau:MO macao:MO kosovo:XK palestine:PS
"""


# Single letters of vehicle registration codes, for columns that hold countries only.
_CAR_CODES: Final = dict(
    zip("A B D E F H I L M N P S V".split(), "AT BE DE ES FR HU IT LU MT NO PT SE VA".split(), strict=True)
)


def _parse_pairs(text: str) -> dict[str, str]:
    codes, name_words = {}, []
    for word in text.split():
        name, separator, code = word.partition(":")
        name_words.append(name)
        if separator:
            codes[" ".join(name_words)] = code
            name_words = []
    return codes


SPORT_CODES: Final[Mapping[str, str]] = dict(
    zip(_SPORT_CODES.split()[::2], _SPORT_CODES.split()[1::2], strict=True)
)
USUAL_NAMES: Final[Mapping[str, str]] = _parse_pairs(_USUAL_NAMES)


@dataclass(frozen=True, slots=True)
class Countries:
    """Look-up tables; the values of both are country codes of two letters (ISO 3166).

    ``names``: keyed by normalised name; ``codes``: keyed by two or three capitals.
    """

    names: Mapping[str, str]
    codes: Mapping[str, str]

    def code_by_name(self, text: str) -> str:
        """Return the code of the country with this name, or ""."""
        return self.names.get(fold_text(text), "")

    def known_code(self, text: str) -> str:
        """Return the country code of two letters for a code in capitals, or ""."""
        return self.codes.get(text, "")

    def code_from_cell(self, text: str) -> str:
        """Return the country code for a cell that holds only a country, as name or code in any case.

        "" if unknown.
        """
        code = text.strip().strip(".").upper()
        return self.code_by_name(text) or self.codes.get(code, "") or _CAR_CODES.get(code, "")
