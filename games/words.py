"""Words for what goes wrong around records (not in them: that is ``messages``): archives and their imports."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "record.unknown": _("There is no such game record, or it is not public yet."),
        "import.unknown": _("There is no such import."),
        "import.file_unknown": _("There is no such record in this import."),
        "analysis.unknown": _("There is no analysis of this match that you may see."),
        "analysis.no_games": _(
            "There is nothing to analyse: no confirmed match has a game record that fits its result."
        ),
        "analysis.no_engine": _(
            "No engine is installed on this site. Whoever runs it can add GNU Backgammon."
        ),
        "analysis.not_fit": _(
            "This record cannot be analysed: it has plays that were not legal, a position that was set up, or other rules."
        ),
        "archive.too_big": _("The archive is too big: at most %(limit)s MB."),
        "archive.broken": _("This is not a zip archive, or it is damaged. Pack the records again."),
        "archive.empty": _("There is no file in this archive."),
        "archive.too_many": _("The archive holds more than %(limit)s files. Split it."),
        "archive.unpacks_too_big": _("The archive unpacks to more than %(limit)s MB. Split it."),
        "packed.name_odd": _("The file's name leads outside the archive."),
        "packed.archive": _("An archive within the archive. Unpack it first."),
        "packed.locked": _("The file is protected by a password."),
        "packed.squeezed": _("The file is packed far more tightly than any record can be."),
        "packed.too_big": _("The file is too big for a game record."),
        "packed.damaged": _("The file cannot be unpacked."),
        "format.jacoby_in_match": _(
            "Jacoby is for money play. In a match to %(length)s points it is never used (rule %(rule)s)."
        ),
        "format.beavers_in_match": _(
            "Beavers are for money play. In a match to %(length)s points they are never used (rule %(rule)s)."
        ),
        "format.raccoons_in_match": _(
            "Raccoons are for money play. In a match to %(length)s points they are never used (rule %(rule)s)."
        ),
        "format.automatic_doubles_in_match": _(
            "Automatic doubles are for money play. In a match to %(length)s points they are never used (rule %(rule)s)."
        ),
        "format.length": _("A match is played to 1 to %(longest)s points (rule %(rule)s)."),
        "format.jacoby_without_cube": _("Without a cube there is no Jacoby (rule %(rule)s)."),
        "format.beavers_without_cube": _("Without a cube there are no beavers (rule %(rule)s)."),
        "format.raccoons_without_cube": _("Without a cube there are no raccoons (rule %(rule)s)."),
        "format.automatic_doubles_without_cube": _(
            "Without a cube there are no automatic doubles (rule %(rule)s)."
        ),
        "format.cube_limit_without_cube": _("Without a cube there is no limit for it (rule %(rule)s)."),
        "format.raccoons_without_beavers": _("Raccoons need beavers (rule %(rule)s)."),
        "format.backgammons_without_gammons": _(
            "Backgammons cannot count where gammons do not (rule %(rule)s)."
        ),
        "format.automatic_doubles": _("Give a number of automatic doubles from 0 up (rule %(rule)s)."),
        "format.cube_limit": _("The limit of the cube is 2, 4, 8 and so on (rule %(rule)s)."),
        "format.holland_without_crawford": _("The Holland rule needs the Crawford rule (rule %(rule)s)."),
    }
)
