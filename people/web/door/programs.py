"""Short names of browsers from the User-Agent, to be recognised by an account's owner. For display only."""

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
MAX_NAME_LENGTH = 40


def program_name(user_agent: str) -> str:
    """Return “Firefox · Android”; for other programs the first words; "" if there is none.

    >>> program_name("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
    'Firefox · Android'
    >>> program_name("curl/8.9.1")
    'curl/8.9.1'
    """
    names = [
        next((name for mark, name in marks if mark in user_agent), "") for marks in (_BROWSERS, _SYSTEMS)
    ]
    return " · ".join(filter(None, names)) or user_agent[:MAX_NAME_LENGTH]
