"""Results and corrections as fast as they come, written by a process of its own: `python -m tests.support.rating_load`.

It queues tasks on the broker of its environment as the site would, and knows nothing of the workers.
"""

import random
import sys

import django


def load(club_id: int, results: int, corrections: int, seed: int) -> None:
    """``results`` results among the club's players, some late, and ``corrections`` of earlier ones."""
    from people.models import Club, Player
    from rating import services
    from rating.models import RatingList
    from tests.support.rating import DAY_ONE, Book

    rng = random.Random(seed)
    club = Club.objects.get(pk=club_id)
    players = {player.name: player for player in Player.objects.filter(home_club=club)}
    book = Book(club, RatingList.objects.get(club=club, is_main=True), players)
    correct_at = set(rng.sample(range(results // 10, results), corrections))
    names = sorted(players)
    facts = []
    for n in range(results):
        winner, loser = rng.sample(names, 2)
        late = DAY_ONE if n % 97 == 0 else None
        facts.append(book.beats(winner, loser, rng.choice((3, 5, 7, 9)), at=late, key=f"storm:{n}"))
        if n in correct_at:
            target = facts.pop(rng.randrange(len(facts)))
            if rng.random() < 0.5:
                services.void_result(source_key=target.source_key, reason="entered twice")
            else:
                facts.append(book.replace(target, *rng.sample(names, 2), key=f"storm:{n}:fix"))


if __name__ == "__main__":
    django.setup()
    load(*(int(word) for word in sys.argv[1:]))
