"""Reserve members and expected instances with other clients, which do not distinguish reserve members.

Three static members join a group whose target size is two: the third one gets no partitions until an operator removes
an active one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tenure.admin import Admin
from tenure.admin.group_members import MemberToRemove
from tests.interop.group_of_three import group_of_three
from tests.interop.member import LIBRARIES
from tests.interop.producing import create_topic, produce
from tests.serving import serving

PARTITIONS = 6
RECORDS = 120

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]


@pytest.mark.parametrize("library", LIBRARIES)
def test_target_group_size_2__three_members_of_a_library__one_in_reserve_until_another_is_removed(
    library: str, tmp_path: Path
) -> None:
    with serving(tmp_path, "offsets.topic.num.partitions=1") as broker, Admin(broker.address) as admin:
        create_topic(broker.address, "work", PARTITIONS)
        admin.expect("group", ["instance-1", "instance-2", "instance-3"])
        with group_of_three(library, broker.address, "group", "work", tmp_path) as group:
            group.wait_until_shared(PARTITIONS)
            admin.alter_group_configs("group", {"target.group.size": "2"})

            def in_reserve() -> list[str]:
                return [member.instance for member in group.members if not member.assigned]

            def shared() -> bool:
                owned = sorted(one for member in group.members for one in member.assigned)
                return owned == list(range(PARTITIONS))

            group.wait("two share all partitions", lambda: shared() and len(in_reserve()) == 1)
            group.wait_until_read(produce(library, broker.address, "work", RECORDS))
            (described,) = admin.describe_groups(["group"])
            assert (described.state, len(described.members)) == ("Stable", 3)

            gone = next(member for member in group.members if member.assigned)
            gone.kill()
            admin.remove_members("group", [MemberToRemove(group_instance_id=gone.instance)])
            group.wait("the standby has taken over", lambda: shared() and in_reserve() == [gone.instance])
            group.wait_until_read(produce(library, broker.address, "work", RECORDS))
