"""Order of members (rule 7.9): static members first, by instance id; then dynamic members, by member id.

A restart of a static member changes its member id but not its instance id, so the member keeps its place and gets the
same partitions.
"""

from collections.abc import Sequence
from typing import Any


def member_order(member_id: str, group_instance_id: str | None) -> tuple[bool, bytes]:
    """Return the sort key of a member."""
    return group_instance_id is None, utf_16(member_id if group_instance_id is None else group_instance_id)


def in_member_order(member_ids: Sequence[str], instance_ids: Sequence[str | None]) -> list[int]:
    """Return the indices of members in the order of `member_order`. ASCII names are sorted without a conversion."""
    names = [one if named is None else named for one, named in zip(member_ids, instance_ids, strict=True)]
    keys: Sequence[Any] = names if "".join(names).isascii() else [utf_16(name) for name in names]
    is_dynamic = [named is None for named in instance_ids]
    by_name = sorted(range(len(names)), key=keys.__getitem__)
    return sorted(by_name, key=is_dynamic.__getitem__)


def utf_16(name: str) -> bytes:
    """Return the code units of a name, which Java compares; Python's strings compare code points."""
    return name.encode("utf-16-be", "surrogatepass")
