"""Messages for the error codes of this package; those of shared codes are in `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "notice.unknown": _("Announcement not found."),
        "notice.until_odd": _(
            "Choose an end time within the next %(days)s days, or show the announcement until you remove it."
        ),
        "notice.said": _("This text is already announced."),
        "notice.too_many": _("%(limit)s announcements are already shown. Remove one first."),
        "notice.too_often": _(
            "Too many announcements in %(minutes)s minutes. Wait a little, then try again."
        ),
        "notice.changed": _("Another person has changed this announcement in the meantime."),
        "notice.gone": _("This announcement has been removed or has ended."),
        "notice.stands": _("This announcement is already shown."),
        "notice.kind_unknown": _("Notification type not found."),
        "push.too_many": _("%(limit)s phones already receive notifications. Remove one of them first."),
        "push.unknown": _(
            "This browser is no longer registered for notifications. Open your page and select “Turn on "
            "notifications” again."
        ),
        "push.notice_unknown": _("Notification not found."),
        "notice.action_unknown": _("An announcement can only be removed or shown again."),
    }
)
