"""What this room refuses, in words. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "notice.unknown": _("There is no such announcement."),
        "notice.until_odd": _(
            "It can stand until a moment in the next %(days)s days, or until you take it away."
        ),
        "notice.said": _("Just this is announced already."),
        "notice.too_many": _(
            "%(limit)s announcements stand already. Take one away first: nobody reads more."
        ),
        "notice.too_often": _("That was a lot in %(minutes)s minutes. Wait a little."),
        "notice.changed": _("Somebody else has changed this announcement meanwhile."),
        "notice.gone": _("This announcement has been taken away, or its time is over."),
        "notice.stands": _("This announcement stands already."),
        "notice.kind_unknown": _("There is no such kind of notice."),
        "push.too_many": _("%(limit)s phones are told already. Take one of them off first."),
        "push.unknown": _(
            "This browser is not known here any more. Open your page and tap “Tell me on this phone” again."
        ),
        "push.notice_unknown": _("There is no such notice."),
        "notice.action_unknown": _("An announcement can be taken away or shown again."),
    }
)
