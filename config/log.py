"""Log lines that give no key away: in an address, what opens a page by itself is left out.

Django writes the address of a refused request into its log (a form without a token, an address with something wrong
behind it, a fault of ours), long before or after a page of ours could have a say.
"""

import logging
import re

_KEY = re.compile(
    r"(/(?:my|join|records/held|account/confirm-email|account/password/reset/key)/)[^/?&\s\"']+"
)


class KeylessFormatter(logging.Formatter):
    """The finished line, traceback and all, without personal links, registration links and the keys of e-mails."""

    def format(self, record: logging.LogRecord) -> str:
        return _KEY.sub(r"\1…", super().format(record))
