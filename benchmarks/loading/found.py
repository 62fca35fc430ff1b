"""What is stored of an event after a storm, as JSON: matches with their results and reports, what is not rated, what is not sound.

python benchmarks/loading/found.py EVENT
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from rating.models import Pending, RatingList
from rating.services import check_list
from rating.services.apply import outdated_lists
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.statuses import MatchStatus
from tournaments.models import Event, Match, Report


def main() -> None:
    event = Event.objects.get(public_id=sys.argv[1])
    matches = Match.objects.filter(stage__division__event=event, status=MatchStatus.CONFIRMED)
    reports = Counter(
        Report.objects.filter(match__stage__division__event=event).values_list("match__public_id", flat=True)
    )
    lists = RatingList.objects.filter(club=event.club_id).values_list("pk", flat=True)
    print(
        json.dumps(
            {
                "scores": {match.public_id: [match.score_a, match.score_b] for match in matches},
                "reports": dict(reports),
                "waiting": len(outdated_lists()) + Pending.objects.filter(applied=False).count(),
                "faults": [
                    *map(str, integrity_faults(event)),
                    *(str(difference) for pk in lists for difference in check_list(list_id=pk)),
                ],
            }
        )
    )


if __name__ == "__main__":
    main()
