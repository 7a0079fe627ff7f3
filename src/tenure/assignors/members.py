"""Order of members (rule 7.9): static members first, by instance id; then dynamic members, by member id.

A restart changes the member id but not the instance id, so restarted static members receive the same partitions.
"""


def member_order(member_id: str, group_instance_id: str | None) -> tuple[bool, bytes]:
    """Return the sort key of a member. Java compares UTF-16 code units, Python code points."""
    name = member_id if group_instance_id is None else group_instance_id
    return group_instance_id is None, name.encode("utf-16-be", "surrogatepass")
