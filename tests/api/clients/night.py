"""A club's evening by a client made from the API's description: all matches are reported and agreed to by links, the director calls
and reads.
"""

import json
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from crawford_client import AuthenticatedClient, Client
from crawford_client.api.events import events_bracket, events_call_next, events_matches
from crawford_client.api.matches import matches_agree, matches_report
from crawford_client.api.records import records_check
from crawford_client.models import AgreeInput, CallInput, CheckRequest, Match, Problem, ReportInput
from crawford_client.types import File

TASK: dict[str, Any] = json.loads(Path("task.json").read_text())
EVENT: str = TASK["event"]
Kind = TypeVar("Kind")
DEVICES: dict[str | None, str] = {}  # by entry: as which phone or program its link knows this one


def given(answer: Kind | Problem | None) -> Kind:
    if answer is None:
        raise RuntimeError("nothing came")
    if isinstance(answer, Problem):
        raise TypeError(f"{answer.status} {answer.code}: {answer.detail}")
    return answer


def by_link(entry: str | None) -> AuthenticatedClient:
    known = {"Device": DEVICES[entry]} if entry in DEVICES else {}
    return AuthenticatedClient(
        base_url=TASK["site"], token=TASK["links"][entry], prefix="Link", headers=known
    )


def play(match: Match) -> tuple[str, str]:
    """What is answered to a wrong version, and to the right one."""
    a, b = (by_link(side.entry) for side in match.sides)
    claim = ReportInput(score_a=match.length, score_b=1, submission_key=f"{match.id} a")
    reported = given(matches_report.sync(match.id, client=a, body=claim))
    DEVICES[match.sides[0].entry], version = reported.device or "", reported.report
    too_soon = AgreeInput(version=version + 1, submission_key=f"{match.id} x")
    wrong = matches_agree.sync(match.id, client=b, body=too_soon)
    assert isinstance(wrong, Problem)
    right = AgreeInput(version=version, submission_key=f"{match.id} b")
    agreed = given(matches_agree.sync(match.id, client=b, body=right))
    DEVICES[match.sides[1].entry] = agreed.device or ""
    return wrong.code, agreed.decision


cookies = {"sessionid": TASK["session"], "csrftoken": TASK["token"]}
director = AuthenticatedClient(
    base_url=TASK["site"], cookies=cookies, token=TASK["token"], auth_header_name="X-CSRFToken", prefix=""
)
anybody = Client(base_url=TASK["site"])

called = given(events_call_next.sync(EVENT, client=director, body=CallInput(everything=True)))
answers = []
while to_play := [
    match
    for match in given(events_matches.sync(EVENT, client=anybody))
    if match.status in {"ready", "called", "playing"}
]:
    answers += [play(match) for match in to_play]
record = File(payload=BytesIO(TASK["record"].encode()), file_name="match.mat")
checked = given(records_check.sync(client=anybody, body=CheckRequest(file=record)))
bracket = given(events_bracket.sync(EVENT, client=anybody))

print(
    json.dumps(
        {
            "called": len(called),
            "refused": sorted({refused for refused, _decision in answers}),
            "decided": [decision for _refused, decision in answers],
            "verdict": checked.verdict,
            "winners": [
                place.entry for stage in bracket.stages for place in stage.places if place.first == 1
            ],
        }
    )
)
