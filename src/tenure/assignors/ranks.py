"""Position of each element of an array among the elements with the same value."""

from typing import Final

import numpy as np

from tenure.assignors.group import Counts, Indices

POSITION_BITS: Final = 32
"""Number of low bits of a sort key that contain the position of the element.

Sorting these keys is faster than an `argsort` that keeps equal values in order.
"""


def ranks_of_sorted(ascending: Counts) -> Counts:
    """Return, for each element of a sorted array, its position among the elements of the same value."""
    starts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])) if len(ascending) else ascending
    return np.arange(len(ascending)) - np.repeat(starts, np.diff(np.append(starts, len(ascending))))


def ranks(values: Indices) -> Counts:
    """Return, for each element, the number of earlier elements with the same value. No value may be negative."""
    positions, counts = np.arange(len(values)), np.bincount(values)
    keys = np.sort(values.astype(np.int64) << POSITION_BITS | positions)
    found = np.empty(len(values), np.int64)
    found[keys & ((1 << POSITION_BITS) - 1)] = positions - np.repeat(np.cumsum(counts) - counts, counts)
    return found
