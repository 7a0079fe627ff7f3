"""Sums of 64-bit integers that raise an error where Spark does in ANSI mode, instead of wrapping around.

The sum is checked after each value, in the order of the log. A check only at the end of each batch would miss an
overflow that a later value of the batch cancels out. The error would then depend on where batches end.
"""

from typing import Any, Final

import numpy

LOW_BITS: Final = 32

LOW_MASK: Final = (1 << LOW_BITS) - 1

INT64: Final = numpy.iinfo(numpy.int64)

SAFE: Final = float(1 << 62)
"""If the absolute values sum up to less than this limit, no partial sum overflows. Half of the range allows for
rounding."""


def add_to_sums(sums: Any, groups: Any, values: Any) -> None:
    """Add values to the sums of their groups, in place.

    Args:
        sums: Sum of each group so far, as an array of int64.
        groups: Index of each value's group.
        values: Array of int64.

    Raises:
        OverflowError: A sum leaves the range of int64 after one of the values.
    """
    if len(values) and magnitude(sums) + magnitude(values) > SAFE and overflows(sums, groups, values):
        raise sum_overflow()
    numpy.add.at(sums, groups, values)


def add_checked(one: int, other: int) -> int:
    """Return the sum of two integers. Raises OverflowError if it leaves the range of int64."""
    total = one + other
    if not INT64.min <= total <= INT64.max:
        raise sum_overflow()
    return total


def sum_overflow() -> OverflowError:
    return OverflowError("the sum of integers leaves the range of 64 bits: sum doubles, as in sum(cast(n as double))")


def magnitude(numbers: Any) -> float:
    """Return an approximate sum of the absolute values."""
    return float(numpy.abs(numbers.astype(numpy.float64)).sum())


def overflows(sums: Any, groups: Any, values: Any) -> bool:
    """Return whether a prefix of a group's sum leaves the range of int64.

    The upper and lower 32 bits of the numbers are summed separately, so that the check itself does not overflow.
    """
    order = numpy.argsort(groups, kind="stable")
    ordered, added = groups[order], values[order]
    first = numpy.flatnonzero(numpy.concatenate([[True], ordered[1:] != ordered[:-1]]))
    lengths = numpy.diff([*first, len(ordered)])
    high, low = (
        prefix_sums(of_added, first, lengths) + numpy.repeat(of_sums[ordered[first]], lengths)
        for of_added, of_sums in ((added >> LOW_BITS, sums >> LOW_BITS), (added & LOW_MASK, sums & LOW_MASK))
    )
    high += low >> LOW_BITS
    return bool(((high < -(1 << 31)) | (high >= 1 << 31)).any())


def prefix_sums(numbers: Any, first: Any, lengths: Any) -> Any:
    """Return for each number the sum of its group up to this number.

    The numbers of a group are contiguous. `first` has the index of each group's first number, and `lengths` its size.
    """
    whole = numpy.cumsum(numbers)
    return whole - numpy.repeat(whole[first] - numbers[first], lengths)
