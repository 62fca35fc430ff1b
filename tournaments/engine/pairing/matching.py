"""The one door to the matching library (rustworkx, Apache-2.0): a perfect matching of least cost.

The library maximises and knows weights up to 128 bits, so a cost is turned round inside the limit. Costs should
differ as much as they can: many equal ones make the search slow (a thousand entries: 1.3 s instead of 0.03 s).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import rustworkx

from tournaments.engine.errors import BadInput

COST_BITS: Final = 120  # the search adds and doubles weights on its way: a few bits stay free of the 127

Edge = tuple[int, int, int]  # two vertices and what their pair costs


def cheapest_perfect_matching(vertices: int, edges: Sequence[Edge]) -> list[tuple[int, int]] | None:
    """Pairs (lower vertex first) that cover every vertex at the least total cost; None if there is no such set."""
    dearest = max((cost for _i, _j, cost in edges), default=0)
    if dearest.bit_length() > COST_BITS:
        raise BadInput("pairing.cost_too_large", bits=dearest.bit_length())
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from([(i, j, dearest - cost) for i, j, cost in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) != vertices:
        return None
    return sorted((i, j) if i < j else (j, i) for i, j in found)
