"""What a director may still repair: only what people have seen and played, whatever the stage and its event say apart."""

import pytest

from faults import Conflict
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.models import Event, Stage
from tournaments.store.repairs import require_published_draw


@pytest.mark.parametrize("status", ["published", "running", "finished"])
@pytest.mark.parametrize("event", ["running", "finished"])
def test_repair_when_the_draw_is_shown_in_an_event_that_is_played_then_it_is_allowed(event, status):
    require_published_draw(Event(status=EventStatus(event)), Stage(status=StageStatus(status)))


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ("running", "drawn"),  # another division plays, this draw is still the director's own
        ("finished", "setup"),
        ("cancelled", "running"),
        ("open", "published"),
        ("draft", "setup"),
    ],
)
def test_repair_when_the_draw_is_hidden_or_the_event_is_not_played_then_it_is_refused(event, status):
    with pytest.raises(Conflict) as refused:
        require_published_draw(Event(status=EventStatus(event)), Stage(status=StageStatus(status)))
    assert refused.value.code == "match.not_running"
