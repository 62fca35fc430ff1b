"""Every address of the site: how its arguments are filled from the world, and what each visitor gets to see.

Rows of one address may be many; an address without a row fails.
"""

from tests.permissions.director_rows import DIRECTOR, LEDGER, PEOPLE
from tests.permissions.operator_rows import OPERATORS
from tests.permissions.public_rows import ACCOUNT, API, GAMES, PLAYER, PUBLIC, RATING, RATING_API
from tests.permissions.rows import Row

TABLE: list[Row] = [
    *(*PUBLIC, *RATING, *PLAYER, *PEOPLE, *DIRECTOR),
    *OPERATORS,
    *(*ACCOUNT, *API, *LEDGER, *RATING_API, *GAMES),
]
