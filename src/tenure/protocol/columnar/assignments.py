"""Encoder of the assignments of all members of a group, from one array with the owner of each partition."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tenure.protocol.columnar.walk import sliding_words
from tenure.protocol.consumer_protocol import NEWEST

HEAD_BYTES: Final = 6
"""Size of the version and the number of topics."""
TAIL_BYTES: Final = 4
"""Size of the user data, which are null: only their length is encoded."""
COUNT_BYTES: Final = 4
"""Size of the number of partitions of a topic, and of each partition number."""


def encode_assignments(
    owners: NDArray[np.int32], members: int, names: Sequence[str], partitions: NDArray[np.int64]
) -> list[bytes]:
    """Return the encoded assignment of each member, in the format of `encode_assignment`.

    Args:
        owners: Owner of each partition: the index of a member, or a negative number if the partition has no owner.
            Partitions are ordered by topic, then by number.
        members: Number of members.
        names: Topic names, ascending.
        partitions: Number of partitions of each topic.
    """
    if not members:
        return []
    order = np.argsort(owners, kind="stable")
    order = order[np.searchsorted(owners[order], 0) :]
    topics = np.repeat(np.arange(len(names)), partitions)[order]
    numbers = (np.arange(len(owners)) - np.repeat(np.cumsum(partitions) - partitions, partitions))[order]
    cells = owners[order].astype(np.int64) * max(len(names), 1) + topics
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    counts = np.diff(starts, append=len(cells))
    of_members, of_topics = owners[order][starts], topics[starts]

    encoded = [len(text).to_bytes(2, "big") + text for text in map(str.encode, names)]
    name_bytes = np.array([len(name) for name in encoded], np.int64)[of_topics]
    sizes = name_bytes + COUNT_BYTES * (1 + counts)
    positions = np.cumsum(sizes) - sizes + HEAD_BYTES + of_members * np.int64(HEAD_BYTES + TAIL_BYTES)
    ends = np.cumsum(HEAD_BYTES + TAIL_BYTES + np.bincount(of_members, sizes, members).astype(np.int64))
    heads = np.concatenate(([0], ends[:-1]))

    data = np.zeros(int(ends[-1]), np.uint8)
    int16s, int32s = sliding_words(data, ">i2"), sliding_words(data, ">i4")
    int16s[heads] = NEWEST
    int32s[heads + 2] = np.bincount(of_members, minlength=members)
    int32s[ends - TAIL_BYTES] = -1
    for size in np.unique(name_bytes).tolist():
        table = np.array([name if len(name) == size else b"" for name in encoded], f"V{size}")
        rows = name_bytes == size
        sliding_words(data, f"V{size}")[positions[rows]] = table[of_topics[rows]]
    int32s[positions + name_bytes] = counts
    firsts = positions + name_bytes + COUNT_BYTES * (1 - starts)
    int32s[np.repeat(firsts, counts) + COUNT_BYTES * np.arange(len(cells))] = numbers
    blob = data.tobytes()
    return [blob[start:end] for start, end in zip(heads.tolist(), ends.tolist(), strict=True)]
