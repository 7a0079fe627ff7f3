"""Partition of the coordinator's topic to which a group or transactional id belongs (rule 6.2)."""

from functools import lru_cache

from tenure.limits.protocol import CACHED_NAME_CHARACTERS_MAX, NAME_PARTITIONS_CACHED_MAX


def partition_of(group_id: str, partitions: int) -> int:
    """Return the partition of a group or transactional id, as Java computes it.

    The partition is `abs(hashCode) % partitions`, where `hashCode` is over UTF-16 code units, and `abs(-2**31)` is 0.
    """
    compute = _remembered if len(group_id) <= CACHED_NAME_CHARACTERS_MAX else _computed
    return compute(group_id, partitions)


def _computed(group_id: str, partitions: int) -> int:
    units = group_id.encode("utf-16-be", "surrogatepass")
    code = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        code = (31 * code + (high << 8 | low)) & 0xFFFFFFFF
    if code >= 2**31:
        code = 2**32 - code
    return 0 if code == 2**31 else code % partitions


_remembered = lru_cache(NAME_PARTITIONS_CACHED_MAX)(_computed)
