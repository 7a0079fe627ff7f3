"""A broker with an authorizer: what clients may do and see, and how refusals are logged and counted.

ACLs tell clients apart by their address: 127.0.0.2 is the administrator, a test gives permissions to the others.
`tests/oracle/test_authorization.py` compares every API with Apache Kafka.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.broker.security.principal import java_host
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, PatternType, Permission, ResourceType
from tenure.protocol.batches import encode_batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AclCreation,
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    CreatableTopic,
    CreateAclsRequest,
    CreateTopicsRequest,
    DeleteAclsFilter,
    DeleteAclsRequest,
    DescribeAclsRequest,
    DescribeGroupsRequest,
    HeartbeatRequest,
    ListGroupsRequest,
    MetadataRequest,
    MetadataRequestTopic,
    PartitionProduceData,
    ProduceRequest,
    StreamsGroupDescribeRequest,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    StreamsGroupTopologyDescriptionUpdateRequest,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopology,
    TopicProduceData,
    TopologyDescription,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, MemberId, TopicName
from tests.command_line import app
from tests.monitoring_pages import read_page
from tests.serving import Serving, serving
from tests.wire import Wire

ADMINISTRATOR = "127.0.0.2"
READER = "127.0.0.3"
AUTHORIZER = f"authorizer.class.name={STANDARD_AUTHORIZER}"
EVERY_ACL = (ResourceType.ANY, None, PatternType.ANY, None, None, AclOperation.ANY, Permission.ANY)
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Yield a broker whose ACLs, created before a restart, let the administrator do everything."""
    directory = tmp_path_factory.mktemp("authorized")
    settings = AUTHORIZER, "super.users=User:ANONYMOUS"
    with serving(directory, *settings, options=("--metrics", "127.0.0.1:0")) as served:
        for kind, name in ((2, "*"), (3, "*"), (5, "*"), (4, CLUSTER_NAME)):
            allow(served, ADMINISTRATOR, kind, name, AclOperation.ALL)
        served.restart("super.users=User:nobody")
        yield served


def connect(broker: Serving, host: str = ADMINISTRATOR) -> Wire:
    return Wire(broker.host, broker.port, source=host)


def allow(
    broker: Serving,
    host: str,
    kind: int,
    name: str,
    operation: AclOperation,
    pattern: PatternType = PatternType.LITERAL,
    permission: Permission = Permission.ALLOW,
) -> None:
    with connect(broker) as wire:
        acl = AclCreation(kind, name, pattern, "User:ANONYMOUS", host, operation, permission)
        assert wire.ask(CreateAclsRequest([acl])).results[0].error_code == 0


def create_topic(broker: Serving, name: str) -> None:
    with connect(broker) as wire:
        assert wire.ask(CreateTopicsRequest([CreatableTopic(name, 1, 1)], 10_000)).topics[0].error_code == 0


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# --- ACLs -------------------------------------------------------------------------------------------------------------


def test_acls__broker_killed_and_restarted__still_stored(tmp_path: Path) -> None:
    with serving(tmp_path, AUTHORIZER, "super.users=User:ANONYMOUS") as broker:
        allow(broker, READER, ResourceType.TOPIC, "t", AclOperation.READ)
        with connect(broker) as wire:
            before = wire.ask(DescribeAclsRequest(*EVERY_ACL)).resources
        broker.kill()
        broker.restart()
        with connect(broker) as wire:
            assert wire.ask(DescribeAclsRequest(*EVERY_ACL)).resources == before
            assert len(before) == 1


def test_acl_requests__broker_without_an_authorizer__security_disabled(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, connect(broker) as wire:
        acl = AclCreation(2, "t", 3, "User:alice", "*", 3, 3)
        wanted = DeleteAclsFilter(*EVERY_ACL)
        codes = [
            wire.ask(DescribeAclsRequest(*EVERY_ACL)).error_code,
            wire.ask(CreateAclsRequest([acl])).results[0].error_code,
            wire.ask(DeleteAclsRequest([wanted])).filter_results[0].error_code,
        ]
        assert codes == [ErrorCode.SECURITY_DISABLED] * 3


def test_acl__removed__next_request_of_the_user_is_refused(broker: Serving) -> None:
    host = "127.0.0.10"
    allow(broker, host, ResourceType.GROUP, "brief", AclOperation.READ)
    with connect(broker, host) as member, connect(broker) as administrator:
        heartbeat = HeartbeatRequest("brief", 1, "nobody")
        assert member.ask(heartbeat).error_code == ErrorCode.UNKNOWN_MEMBER_ID
        administrator.ask(DeleteAclsRequest([DeleteAclsFilter(3, "brief", 3, None, None, 1, 1)]))
        assert member.ask(heartbeat).error_code == ErrorCode.GROUP_AUTHORIZATION_FAILED


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_request__refused_by_the_authorizer__logged_and_counted(broker: Serving) -> None:
    with connect(broker, "127.0.0.11") as wire:
        assert wire.ask(HeartbeatRequest("secret", 1, "nobody")).error_code == ErrorCode.GROUP_AUTHORIZATION_FAILED
    line = "denied: User:ANONYMOUS from 127.0.0.11 may not READ GROUP secret (request HEARTBEAT)"
    until(lambda: line in broker.log)
    metrics = re.findall(r"are at (http://\S+/metrics)", broker.log)[-1]
    total = r'tenure_authorization_refusals_total\{operation="READ",resource="GROUP"\} (\d+)'
    (counted,) = re.findall(total, read_page(metrics).text)
    assert int(counted) >= 1


def test_list_groups__groups_hidden_from_the_client__no_log_line(broker: Serving) -> None:
    create_topic(broker, "unlisted")
    with connect(broker, "127.0.0.12") as wire:
        assert wire.ask(MetadataRequest(None)).topics == []
        assert wire.ask(ListGroupsRequest()).groups == []
    assert "127.0.0.12" not in broker.log


def test_metadata__topic_is_missing__created_only_for_a_client_with_permission(broker: Serving) -> None:
    allow(broker, "127.0.0.13", ResourceType.TOPIC, "made-", AclOperation.DESCRIBE, PatternType.PREFIXED)
    allow(broker, "127.0.0.14", ResourceType.TOPIC, "made-", AclOperation.CREATE, PatternType.PREFIXED)
    allow(broker, "127.0.0.14", ResourceType.TOPIC, "made-", AclOperation.DESCRIBE, PatternType.PREFIXED)
    request = MetadataRequest([MetadataRequestTopic(name="made-here")], True)
    with connect(broker, "127.0.0.13") as wire:
        assert wire.ask(request).topics[0].error_code == ErrorCode.TOPIC_AUTHORIZATION_FAILED
    with connect(broker) as administrator:
        described = MetadataRequest([MetadataRequestTopic(name="made-here")], False)
        assert administrator.ask(described).topics[0].error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    with connect(broker, "127.0.0.14") as wire:
        assert wire.ask(request).topics[0].error_code == ErrorCode.NONE


def test_produce__acks_0_without_permission__connection_closed(broker: Serving) -> None:
    create_topic(broker, "guarded")
    batch = encode_batch([Record(0, 1_700_000_000_000, None, b"value")])
    data = [TopicProduceData("guarded", partition_data=[PartitionProduceData(0, batch)])]
    with connect(broker, "127.0.0.15") as wire:
        wire.send(ProduceRequest(None, 0, 1000, data), 12)
        with pytest.raises(ConnectionError):
            wire.receive()


def test_describe_groups__authorized_operations_requested__operations_that_acls_allow_returned(broker: Serving) -> None:
    allow(broker, "127.0.0.16", ResourceType.GROUP, "some", AclOperation.READ)
    with connect(broker, "127.0.0.16") as wire:
        (group,) = wire.ask(DescribeGroupsRequest(["some"], True), 5).groups
    assert group.authorized_operations == 1 << AclOperation.READ | 1 << AclOperation.DESCRIBE


# --- consumer groups --------------------------------------------------------------------------------------------------


def test_regular_expression__matches_a_topic_the_member_may_not_describe__topic_not_assigned(broker: Serving) -> None:
    host = "127.0.0.17"
    for name in ("plain-open", "plain-hidden"):
        create_topic(broker, name)
    allow(broker, host, ResourceType.GROUP, "by-pattern", AclOperation.READ)
    allow(broker, host, ResourceType.TOPIC, "plain-open", AclOperation.DESCRIBE)
    with connect(broker, host) as member, connect(broker) as administrator:
        joining = ConsumerGroupHeartbeatRequest(
            "by-pattern", "m", 0, rebalance_timeout_ms=5000, subscribed_topic_regex="plain-.*", topic_partitions=[]
        )
        epoch = member.ask(joining).member_epoch
        assigned: set[str] = set()

        def has_topics() -> bool:
            nonlocal epoch
            epoch = member.ask(ConsumerGroupHeartbeatRequest("by-pattern", "m", epoch)).member_epoch
            (group,) = administrator.ask(ConsumerGroupDescribeRequest(["by-pattern"])).groups
            assigned.update(one.topic_name for one in group.members[0].target_assignment.topic_partitions)
            return bool(assigned)

        until(has_topics)
        assert assigned == {"plain-open"}


def test_describe_consumer_group__client_may_not_describe_its_topic__members_hidden(broker: Serving) -> None:
    host = "127.0.0.18"
    create_topic(broker, "unseen")
    allow(broker, host, ResourceType.GROUP, "of-unseen", AclOperation.DESCRIBE)
    with connect(broker) as administrator, connect(broker, host) as wire:
        joining = ConsumerGroupHeartbeatRequest(
            "of-unseen", "m", 0, rebalance_timeout_ms=5000, subscribed_topic_names=["unseen"], topic_partitions=[]
        )
        assert administrator.ask(joining).error_code == 0
        until(
            lambda: bool(
                administrator.ask(ConsumerGroupDescribeRequest(["of-unseen"]))
                .groups[0]
                .members[0]
                .target_assignment.topic_partitions
            )
        )
        (hidden,) = wire.ask(ConsumerGroupDescribeRequest(["of-unseen"])).groups
        assert (hidden.error_code, hidden.members) == (ErrorCode.TOPIC_AUTHORIZATION_FAILED, [])
        allow(broker, host, ResourceType.TOPIC, "unseen", AclOperation.DESCRIBE)
        (shown,) = wire.ask(ConsumerGroupDescribeRequest(["of-unseen"])).groups
        assert [member.member_id for member in shown.members] == ["m"]


# --- streams groups ---------------------------------------------------------------------------------------------------


def join_streams(wire: Wire, group: str, source: str, store: str) -> StreamsGroupHeartbeatResponse:
    """Send the heartbeat of a first member whose topology needs a source topic and a changelog topic."""
    subtopology = StreamsHeartbeatSubtopology(
        "0", [TopicName(source)], state_changelog_topics=[StreamsHeartbeatTopicInfo(TopicName(store))]
    )
    found: StreamsGroupHeartbeatResponse = wire.ask(
        StreamsGroupHeartbeatRequest(
            GroupId(group),
            MemberId("m"),
            rebalance_timeout_ms=5000,
            topology=StreamsHeartbeatTopology(0, [subtopology]),
            active_tasks=[],
            standby_tasks=[],
            warmup_tasks=[],
            process_id="p",
        )
    )
    return found


def test_streams_heartbeat__permissions_added_one_by_one__refused_until_all_are_there(broker: Serving) -> None:
    host, group, source, store = "127.0.0.20", "streaming", "streamed", "streaming-store"
    create_topic(broker, source)
    with connect(broker, host) as wire:
        assert join_streams(wire, group, source, store).error_code == ErrorCode.GROUP_AUTHORIZATION_FAILED
        allow(broker, host, ResourceType.GROUP, group, AclOperation.READ)
        assert join_streams(wire, group, source, store).error_code == ErrorCode.TOPIC_AUTHORIZATION_FAILED
        for topic in (source, store):
            allow(broker, host, ResourceType.TOPIC, topic, AclOperation.DESCRIBE)
        (*_, status) = join_streams(wire, group, source, store).status or []
        assert status.status_detail == (
            f"Internal topics are missing: {store}; Unauthorized to CREATE on topics {store}."
        )
        allow(broker, host, ResourceType.TOPIC, store, AclOperation.CREATE)
        (*_, status) = join_streams(wire, group, source, store).status or []
        assert status.status_detail == f"Internal topics are missing: {store}"
        assert not [each for each in join_streams(wire, group, source, store).status or [] if each.status_code == 3]


@pytest.mark.parametrize("member_id", ["m", "unknown", ""])
def test_topology_description_update__client_has_permission__refused_because_no_plugin_exists(
    broker: Serving, member_id: str
) -> None:
    host, group = "127.0.0.23", f"described-by-{member_id}"
    update = StreamsGroupTopologyDescriptionUpdateRequest(GroupId(group), MemberId(member_id), 0, TopologyDescription())
    with connect(broker, host) as wire:
        assert wire.ask(update).error_code == ErrorCode.GROUP_AUTHORIZATION_FAILED
        allow(broker, host, ResourceType.GROUP, group, AclOperation.READ)
        answer = wire.ask(update)
    assert answer.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert "no streams group topology description plugin" in answer.error_message


def test_describe_streams_group__client_may_not_describe_its_topics__members_hidden(broker: Serving) -> None:
    host, group, source = "127.0.0.21", "streaming-unseen", "streamed-unseen"
    create_topic(broker, source)
    allow(broker, host, ResourceType.GROUP, group, AclOperation.DESCRIBE)
    with connect(broker) as administrator, connect(broker, host) as wire:
        join_streams(administrator, group, source, f"{group}-store")
        (hidden,) = wire.ask(StreamsGroupDescribeRequest([GroupId(group)])).groups
        assert (hidden.error_code, hidden.members) == (ErrorCode.TOPIC_AUTHORIZATION_FAILED, [])
        for topic in (source, f"{group}-store"):
            allow(broker, host, ResourceType.TOPIC, topic, AclOperation.DESCRIBE)
        (shown,) = wire.ask(StreamsGroupDescribeRequest([GroupId(group)])).groups
        assert [member.member_id for member in shown.members] == ["m"]


# --- addresses and commands -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::1", "0:0:0:0:0:0:0:1"),
        ("2001:db8::ff00:42", "2001:db8:0:0:0:0:ff00:42"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1%eth0"),
    ],
)
def test_host_of_an_acl__ip_address__written_as_java_does(address: str, expected: str) -> None:
    assert java_host(address) == expected


def run(broker: Serving, *arguments: str, expect: int = 0) -> str:
    done = CliRunner().invoke(app, ["acls", *arguments, "-b", broker.address], catch_exceptions=False)
    assert done.exit_code == expect, done.output
    return done.output


def test_acls_command__acls_added_listed_and_removed__broker_has_the_same_acls(tmp_path: Path) -> None:
    with serving(tmp_path, AUTHORIZER, "super.users=User:ANONYMOUS") as broker:
        run(broker, "add", "--user", "etl", "--operation", "read", "--topic", "flights-", "--prefix")
        run(broker, "add", "--user", "Group:x", "--operation", "write", "--topic", "*", "--deny", "--host", "10.0.0.9")
        run(broker, "add", "--user", "etl", "--operation", "read", "--group", "delays", "--cluster")
        listed = json.loads(run(broker, "list", "--topic", "flights-2024", "--json"))
        assert [(acl["name"], acl["pattern"], acl["permission"]) for acl in listed] == [
            ("*", "LITERAL", "DENY"),
            ("flights-", "PREFIXED", "ALLOW"),
        ]
        assert len(run(broker, "list", "--user", "etl").splitlines()) == 1 + 3
        assert "Removed 3 ACLs." in run(broker, "remove", "--user", "etl", "--yes")
        (left,) = json.loads(run(broker, "list", "--json"))
        assert left == {
            "resource": "TOPIC", "name": "*", "pattern": "LITERAL", "principal": "Group:x", "host": "10.0.0.9",
            "operation": "WRITE", "permission": "DENY",
        }  # fmt: skip
        assert "An ACL needs" in run(broker, "add", "--user", "etl", expect=2)
        assert "Name what to remove" in run(broker, "remove", "--operation", "read", expect=2)


def test_acls_command__broker_without_an_authorizer__error_names_the_missing_setting(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        assert "the broker has no authorizer; set authorizer.class.name there" in run(broker, "list", expect=1)
