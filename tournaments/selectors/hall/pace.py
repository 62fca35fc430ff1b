"""How long matches of an event last, from itself and from those before it. Loads numpy: for workers, and pages that foretell at once."""

from collections.abc import Mapping
from typing import Any

from tournaments.engine.hall.durations import Durations, Lasted, Seen, Timed, learn
from tournaments.models import Event
from tournaments.selectors.hall.due import taught_before
from tournaments.selectors.hall.playing import Playing


def learned_for(event: Event, playing: Playing) -> Durations:
    """What is known of the durations of its matches, those that go on counted with how long they have; one query."""
    earlier = [_seen(taught) for taught in taught_before(event)]
    finished = [Timed(*match) for match in playing.finished]
    return learn(finished, [Timed(*match) for match in playing.running], earlier)


def _seen(taught: Mapping[str, Any]) -> Seen:
    return {int(length): Lasted(*sums) for length, sums in taught.items()}
