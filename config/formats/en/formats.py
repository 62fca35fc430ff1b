"""Dates and times in English as the world writes them: the day first, the month in letters, 24 hours.

Nobody has to guess whether 11/9 is in September or in November.
"""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j F"
