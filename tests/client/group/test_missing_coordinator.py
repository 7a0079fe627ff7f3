"""Members while the group has no coordinator, as shortly after a restart of Apache Kafka."""

from __future__ import annotations

import pytest

from tenure.client.errors import UnknownOutcome
from tenure.client.group.group_member import GroupMember
from tenure.client.net.cluster import GROUP_KEY
from tenure.client.values import Assigned, Lost, OffsetAndMetadata, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.testing import Broker
from tests.client.producer.test_transactions import refuse_coordinators
from tests.client.test_against_a_broker import events_until

REFUSALS = 3


@pytest.mark.parametrize("group_protocol", ["classic", "consumer"])
def test_rejoin__coordinator_not_available_after_a_commit_without_an_answer__retried(group_protocol: str) -> None:
    with Broker() as broker:
        broker.create_topic("t")
        with GroupMember(broker.address, "g", ["t"], group_protocol=group_protocol, group_instance_id="a") as member:
            events_until(member, Assigned)
            broker.drop_response("OffsetCommit")
            refused = refuse_coordinators(broker, GROUP_KEY, ErrorCode.COORDINATOR_NOT_AVAILABLE, REFUSALS)
            with pytest.raises(UnknownOutcome):
                member.commit({TopicPartition("t", 0): OffsetAndMetadata(1)}, member.identity)
            member.rejoin_as_new_member()
            assert [type(event) for event in events_until(member, Assigned)] == [Lost, Assigned]
            assert refused.happened == REFUSALS
