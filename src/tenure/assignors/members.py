"""Order of members (rule 7.9): static members first, by instance id; then dynamic members, by member id.

A restart of a static member changes its member id but not its instance id, so the member keeps its position
in this order and gets the same partitions.
"""

from collections.abc import Sequence
from typing import Any


def member_order(member_id: str, group_instance_id: str | None) -> tuple[bool, bytes]:
    """Return the sort key of a member."""
    return group_instance_id is None, utf_16(member_id if group_instance_id is None else group_instance_id)


def in_member_order(member_ids: Sequence[str], instance_ids: Sequence[str | None]) -> list[int]:
    """Return the indices of members in the order of `member_order`. ASCII names are sorted without a conversion."""
    are_dynamic = instance_ids.count(None) == len(member_ids)
    pairs = zip(member_ids, instance_ids, strict=True)
    names = member_ids if are_dynamic else [one if named is None else named for one, named in pairs]
    keys: Sequence[Any] = names if "".join(names).isascii() else [utf_16(name) for name in names]
    by_name = sorted(range(len(names)), key=keys.__getitem__)
    return by_name if are_dynamic else sorted(by_name, key=lambda number: instance_ids[number] is None)


def utf_16(name: str) -> bytes:
    """Return the UTF-16 code units of a name, by which Java sorts. Python sorts by code points instead."""
    return name.encode("utf-16-be", "surrogatepass")
