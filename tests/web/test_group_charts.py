"""Charts of a group's page."""

import pytest

from tenure.web.pages.group_charts import owner_label


@pytest.mark.parametrize(
    ("owner", "label"),
    [
        ("web-0-62b2d745-c7a2-4438-a187-cfa76ddd1086", "web-0 …1086"),
        ("web-1", "web-1"),
        ("HL0gxTq3QmKk7o0dQ1Zf2A", "HL0gxTq3QmKk7o0dQ1Zf2A"),
    ],
    ids=["member id of the coordinator", "instance id", "member id of the client"],
)
def test_owner_label__instance_ids_and_member_ids__only_a_uuid_is_shortened(owner: str, label: str):
    assert owner_label(owner) == label
