"""Perfect matching of least cost; the only module that imports the matching library (rustworkx, Apache-2.0).

The library maximises and supports weights up to 128 bits, so costs are inverted within that limit. Costs
should differ as much as possible: many equal costs make the search slow (a thousand entries: 1.3 s instead of
0.03 s).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import rustworkx

from tournaments.engine.errors import BadInput

COST_BITS: Final = 120  # the search adds and doubles weights, so a few of the 127 bits stay free

Edge = tuple[int, int, int]  # two vertices and the cost of their pair


def cheapest_perfect_matching(vertices: int, edges: Sequence[Edge]) -> list[tuple[int, int]] | None:
    """Return pairs (lower vertex first) that cover every vertex at the least total cost; None if impossible.

    `vertices`: their number; they are counted from 0. Raises ``BadInput`` if a cost has more than `COST_BITS`
    bits.
    """
    max_cost = max((cost for _i, _j, cost in edges), default=0)
    if max_cost.bit_length() > COST_BITS:
        raise BadInput("pairing.cost_too_large", bits=max_cost.bit_length())
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from([(i, j, max_cost - cost) for i, j, cost in edges])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matching) != vertices:
        return None
    return sorted((i, j) if i < j else (j, i) for i, j in matching)
