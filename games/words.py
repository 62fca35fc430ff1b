"""Messages on archives and imports of records; messages on records themselves are in ``messages``."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "record.unknown": _("The game record was not found or is not public yet."),
        "import.unknown": _("The import was not found."),
        "import.file_unknown": _("The record was not found in this import."),
        "analysis.unknown": _("No analysis of this match is available to you."),
        "analysis.no_games": _(
            "No matches to analyse. A match needs a confirmed result and a game record that agrees with it."
        ),
        "analysis.no_engine": _(
            "No analysis engine is installed on this site. The site operator can add GNU Backgammon."
        ),
        "analysis.not_fit": _(
            "This record cannot be analysed: it contains illegal plays, a manually set up position or "
            "unsupported rules."
        ),
        "archive.too_big": _("The archive is too large. The limit is %(limit)s MB."),
        "archive.broken": _("The file is damaged or not a zip archive. Create the archive again."),
        "archive.empty": _("The archive contains no files."),
        "archive.too_many": _(
            "The archive contains more than %(limit)s files. Split it into smaller archives."
        ),
        "archive.unpacks_too_big": _(
            "The unpacked archive is larger than %(limit)s MB. Split it into smaller archives."
        ),
        "packed.name_odd": _("The file path points outside the archive."),
        "packed.archive": _("The archive contains another archive. Unpack it first."),
        "packed.locked": _("The file is password-protected. Remove the password and try again."),
        "packed.squeezed": _("The compression ratio is too high for a game record. Pack the file again."),
        "packed.too_big": _("The file is too large for a game record."),
        "packed.damaged": _("The file cannot be unpacked."),
        "format.jacoby_in_match": _(
            "The Jacoby rule applies only to money play, not to a match to %(length)s points (rule %(rule)s)."
        ),
        "format.beavers_in_match": _(
            "Beavers are allowed only in money play, not in a match to %(length)s points (rule %(rule)s)."
        ),
        "format.raccoons_in_match": _(
            "Raccoons are allowed only in money play, not in a match to %(length)s points (rule %(rule)s)."
        ),
        "format.automatic_doubles_in_match": _(
            "Automatic doubles are allowed only in money play, not in a match to %(length)s points (rule "
            "%(rule)s)."
        ),
        "format.length": _("Enter a match length between 1 and %(longest)s points (rule %(rule)s)."),
        "format.jacoby_without_cube": _("The Jacoby rule needs a cube (rule %(rule)s)."),
        "format.beavers_without_cube": _("Beavers need a cube (rule %(rule)s)."),
        "format.raccoons_without_cube": _("Raccoons need a cube (rule %(rule)s)."),
        "format.automatic_doubles_without_cube": _("Automatic doubles need a cube (rule %(rule)s)."),
        "format.cube_limit_without_cube": _("A cube limit needs a cube (rule %(rule)s)."),
        "format.raccoons_without_beavers": _("Raccoons need beavers (rule %(rule)s)."),
        "format.backgammons_without_gammons": _(
            "Backgammons can count only if gammons count (rule %(rule)s)."
        ),
        "format.automatic_doubles": _("Enter a number of automatic doubles of 0 or more (rule %(rule)s)."),
        "format.cube_limit": _("Enter a cube limit of 2, 4, 8 or a higher power of two (rule %(rule)s)."),
        "format.holland_without_crawford": _("The Holland rule needs the Crawford rule (rule %(rule)s)."),
    }
)
