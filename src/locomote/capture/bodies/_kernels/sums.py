"""Sums over overlapping clusters, each from that of a cluster which is nearly the same."""

from __future__ import annotations

from locomote.math._compile import kernel
from locomote.math.vector import Floats, Ints


@kernel
def find_changes(
    starts: Ints, members: Ints, order: Ints, parents: Ints, seen: Ints, spans: Ints, changes: Ints
) -> int:
    """What every cluster has that its parent has not, and the other way round; how many changes there are.

    The members of cluster ``i`` are ``members[starts[i] : starts[i + 1]]``; ``parents (V,)`` are -1 where a cluster has
    none. Filled, in ``order (V,)``: ``changes`` with ``j`` for a member that joins and ``~j`` for one that leaves, and
    ``spans (V + 1,)`` with where those of each cluster begin. ``seen (V,)`` is memory.
    """
    count = 0
    seen[:] = -1
    for n in range(order.shape[0]):
        cluster, parent = order[n], parents[order[n]]
        spans[n] = count
        if parent >= 0:
            for at in range(starts[parent], starts[parent + 1]):
                seen[members[at]] = 2 * n
        for at in range(starts[cluster], starts[cluster + 1]):
            member = members[at]
            if seen[member] != 2 * n:
                changes[count] = member
                count += 1
            seen[member] = 2 * n + 1
        if parent >= 0:
            for at in range(starts[parent], starts[parent + 1]):
                if seen[members[at]] == 2 * n:
                    changes[count] = ~members[at]
                    count += 1
    spans[order.shape[0]] = count
    return count


@kernel
def sum_clusters(values: Floats, order: Ints, parents: Ints, spans: Ints, changes: Ints, sums: Floats) -> None:
    """Fill ``sums (V, K)`` of ``values (V, K)`` over clusters, by the changes of `find_changes`."""
    for n in range(order.shape[0]):
        cluster, parent = order[n], parents[order[n]]
        for k in range(values.shape[1]):
            sums[cluster, k] = sums[parent, k] if parent >= 0 else 0.0
        for at in range(spans[n], spans[n + 1]):
            member, sign = changes[at], 1.0
            if member < 0:
                member, sign = ~member, -1.0
            for k in range(values.shape[1]):
                sums[cluster, k] += sign * values[member, k]
