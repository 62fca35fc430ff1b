"""HTML of one match of a bracket, built in Python.

A bracket of 1,024 entries has 2,000 matches, and a template takes ten times as long. Labels, names and
addresses are escaped here; all other values are our own codes and numbers.
"""

from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.shared.fragments.cards import Context

LONG_NAME_LENGTH, VERY_LONG_NAME_LENGTH = (
    24,
    60,
)  # characters above which a name needs two, or three, lines in print


def render_cell(match: Context) -> SafeString:
    """Return the list item with the card of a match; the item is empty if the match has no side to draw.

    ``match``: the context that `bracket._Drawing._match_cell` builds.
    """
    if not match["sides"]:
        return mark_safe(f'<li class="bracket-cell is-void{match["classes"]}" id="{match["id"]}"></li>')  # noqa: S308
    bye_class = " is-bye" if match["quiet"] else ""
    sides = "".join(_side(side, match) for side in match["sides"])
    links = "".join(
        f'<a class="bracket-way" href="#{link["to"]}">{escape(link["words"])}</a>' for link in match["ways"]
    )
    html = (
        f'<li class="bracket-cell{match["classes"]}" id="{match["id"]}" data-key="{match["public_id"]}">'
        f'<div class="bracket-match{bye_class}" data-status="{match["status"]}">'
        f"{_number(match)}{_tag(match)}{sides}{links}</div></li>"
    )
    return mark_safe(html)  # noqa: S308 (everything that people typed is escaped above)


def _number(match: Context) -> str:
    """Return the HTML of the match's number, which links to the page of the match if the match has one.

    Screen readers hear the link as one sentence that describes the match.
    """
    if not match["url"]:
        return f'<span class="bracket-link">{match["number"]}</span>'
    return (
        f'<a class="bracket-link" href="{match["url"]}" aria-label="{escape(match["sentence"])}">'
        f"{match['number']}</a>"
    )


def _tag(match: Context) -> str:
    if not match["tag"]:
        return ""
    return f'<span class="bracket-tag" data-tone="{match["tone"]}" aria-hidden="true">{escape(match["tag"])}</span>'


def _side(side: Context, match: Context) -> str:
    entry = f' data-entry="{side["entry"]}"' if side["entry"] else ""
    seed = f' data-seed="{side["seed"]}"' if side["seed"] else ""
    # Hidden from screen readers, which read the sentence; links are never hidden.
    is_linked = bool(match["url"])
    side_hidden = ' aria-hidden="true"' if is_linked and not side["from"] else ""
    part_hidden = ' aria-hidden="true"' if is_linked and side["from"] else ""
    from_link = ""
    if side["name"]:
        name = f'<span class="bracket-name"{seed}{_long_name_attribute(side["name"])}{part_hidden}>{escape(side["name"])}</span>'
        if side["from"]:
            from_link = (
                f'<a class="bracket-from" href="#{side["from"]}" aria-label="{escape(side["from_short"])}: {escape(side["words"])}">'
                f"{escape(side['from_short'])}</a>"
            )
    elif side["from"]:
        name = f'<a class="bracket-name" href="#{side["from"]}">{escape(side["words"])}</a>'
    else:
        name = f'<span class="bracket-name"{part_hidden}>{escape(side["words"])}</span>'
    score = (
        "" if side["score"] is None else f'<span class="bracket-score"{part_hidden}>{side["score"]}</span>'
    )
    if match["quiet"] and not side["out"] and not side["open_line"]:
        score = f'<span class="bracket-score">{escape(_("bye"))}</span>'
    return f'<div class="bracket-side{side["classes"]}"{entry}{side_hidden}>{name}{from_link}{score}</div>'


def _long_name_attribute(name: str) -> str:
    """Return the HTML attribute that makes a long name smaller in print, on two or three lines.

    Empty for a short name.
    """
    return (
        ' data-long="2"'
        if len(name) > VERY_LONG_NAME_LENGTH
        else ' data-long="1"'
        if len(name) > LONG_NAME_LENGTH
        else ""
    )
