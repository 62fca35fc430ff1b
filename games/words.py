"""Words for what goes wrong around records (not in them: that is ``messages``): archives and their imports."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "record.unknown": _("There is no such game record, or it is not public yet."),
        "import.unknown": _("There is no such import."),
        "import.file_unknown": _("There is no such record in this import."),
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
    }
)
