"""The order of members (rule 7.9): static ones first, by instance id, dynamic ones after, by member id.

A member id changes with each restart and an instance id does not, so restarted static members are dealt the very same
partitions.
"""


def member_order(member_id: str, group_instance_id: str | None) -> tuple[bool, bytes]:
    """Sort key. Java compares strings by UTF-16 code units, which Python's own order does not."""
    name = member_id if group_instance_id is None else group_instance_id
    return group_instance_id is None, name.encode("utf-16-be", "surrogatepass")
