"""What every refusal of the API must look like (RFC 9457), wherever it comes from."""

import json
from typing import Any

from people.messages import known_codes


def problem_of(response: Any) -> dict[str, Any]:
    """The problem that was answered; fails where it is none, or not one in our shape."""
    assert response["Content-Type"] == "application/problem+json", (
        response.status_code,
        response.content[:80],
    )
    told = json.loads(response.content)
    assert told.keys() - {"present", "changes"} == {"type", "title", "status", "detail", "code", "faults"}
    assert told["status"] == response.status_code >= 400
    assert told["type"] == f"/api/v1/problems/#{told['code']}"
    assert told["title"]
    lead = told["faults"][0]
    assert (lead["code"], lead["detail"]) == (told["code"], told["detail"])
    for fault in told["faults"]:
        assert fault.keys() == {"code", "field", "detail", "params"}
        assert fault["code"] in known_codes()
        assert fault["detail"]
    assert ("present" in told) == (response.status_code == 409)
    assert "changes" not in told or response.status_code == 409
    return dict(told)
