"""Log lines that give no key away: in an address, what opens a page by itself is left out.

Django writes the address of a refused request into its log (a form without a token, an address with something wrong
behind it, a fault of ours), long before or after a page of ours could have a say.
"""

import logging
import re

from django.http import HttpRequest

from people.visitors import client_address

_KEY = re.compile(
    r"(/(?:my|join|records/held|account/confirm-email|account/password/reset/key)/)[^/?&\s\"']+"
)
BROKEN = 500


class KeylessFormatter(logging.Formatter):
    """The finished line, traceback and all, without personal links, registration links and the keys of e-mails."""

    def format(self, record: logging.LogRecord) -> str:
        return _KEY.sub(r"\1…", super().format(record))


class Asker(logging.Filter):
    """A line about a request says from which address it came and who was signed in. What is refused (403, 404) has no
    traceback: nothing is broken, and a stranger could fill the log with them.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        # Django's development server hangs its socket there.
        if isinstance(request, HttpRequest):
            # Who was looked up already; a log line asks no database.
            user = request.__dict__.get("_cached_user")
            line = record.getMessage()
            asker = f" [{client_address(request)}, user {getattr(user, 'pk', None) or '-'}]"
            record.msg, record.args = line if line.endswith(asker) else line + asker, ()
            if getattr(record, "status_code", BROKEN) < BROKEN:
                record.exc_info = record.exc_text = None
        return True
