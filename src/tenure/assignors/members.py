"""Order of members (rule 7.9): static members first, by instance id; then dynamic members, by member id.

A restart of a static member changes its member id but not its instance id, so the member keeps its place and gets the
same partitions.
"""


def member_order(member_id: str, group_instance_id: str | None) -> tuple[bool, bytes]:
    """Return the sort key of a member.

    It compares UTF-16 code units as Java does; Python's strings compare code points.
    """
    name = member_id if group_instance_id is None else group_instance_id
    return group_instance_id is None, name.encode("utf-16-be", "surrogatepass")
