"""What `_status.html` asks of a status."""

from django.template import Library

from tournaments.shared.words.statuses import LOOKS, badge_words

register = Library()


@register.filter
def badge(status: str) -> dict[str, object] | None:
    """Tone, icon and words of the badge of a match's or event's status; nothing for what is neither."""
    if (look := LOOKS.get(status)) is None:
        return None
    words = badge_words(status)
    return {"tone": look.tone, "icon": look.icon, "is_struck": look.is_struck, "words": words}
