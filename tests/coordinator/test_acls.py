"""CreateAcls and DeleteAcls of the metadata shard: results per ACL and filter, records, and a replay of them."""

from random import Random
from typing import Any

import pytest

from tenure.coordinator.metadata.commands import CreateAcls, DeleteAcls
from tenure.coordinator.metadata.shard import MetadataShard
from tenure.coordinator.metadata.state import MetadataSettings
from tenure.coordinator.shard import AskId, LogRecord, Now
from tenure.limits.broker import ACLS_PER_REQUEST_MAX
from tenure.protocol.acls import Acl, AclFilter, AclOperation, PatternType, Permission, ResourceType
from tenure.protocol.coordinator_logs.cluster_metadata import decode_record, encode_record
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import AccessControlEntryRecord

READ = Acl(ResourceType.TOPIC, "orders", PatternType.LITERAL, "User:alice", "*", AclOperation.READ, Permission.ALLOW)


def new_shard() -> MetadataShard:
    return MetadataShard(MetadataSettings(node_id=1, num_partitions=1), Random(1).randbytes)


def ask(shard: MetadataShard, command: object, log: list[Any] | None = None) -> Any:
    result = shard.handle(AskId(1), command, Now(0, 0))
    for record in result.records:
        shard.apply(record)
        if log is not None:
            log.append(record)
    return result.replies[0][1]


def test_create_acls__same_acl_twice__one_record() -> None:
    shard, log = new_shard(), []
    assert ask(shard, CreateAcls([READ, READ]), log).refusals == [None, None]
    assert ask(shard, CreateAcls([READ]), log).refusals == [None]
    assert len(log) == 1
    assert shard.acls.matching(AclFilter()) == [READ]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"resource_name": ""}, "empty resource name"),
        ({"resource_type": ResourceType.ANY}, "and not ANY"),
        ({"resource_type": 77}, "needs a known resource type"),
        ({"operation": 77}, "needs a known operation"),
        ({"resource_type": ResourceType.CLUSTER}, "only valid name for the CLUSTER resource is kafka-cluster"),
        ({"pattern_type": PatternType.MATCH}, "LITERAL or PREFIXED"),
        ({"operation": AclOperation.ANY}, "and not ANY"),
        ({"permission": Permission.ANY}, "ALLOW or DENY"),
        ({"principal": "alice"}, "'alice' is not a principal: write TYPE:NAME"),
    ],
)
def test_create_acls__invalid_acl_between_valid_ones__only_the_invalid_one_refused(
    changes: dict[str, Any], why: str
) -> None:
    shard = new_shard()
    other = READ._replace(resource_name="other")
    first, invalid, last = ask(shard, CreateAcls([READ, READ._replace(**changes), other])).refusals
    assert (first, last) == (None, None)
    assert invalid[0] is ErrorCode.INVALID_REQUEST
    assert why in invalid[1]
    assert shard.acls.matching(AclFilter()) == [READ, other]


def test_delete_acls__overlapping_filters__each_lists_its_matches_and_every_acl_removed_once() -> None:
    shard, log = new_shard(), []
    write = READ._replace(operation=AclOperation.WRITE)
    ask(shard, CreateAcls([READ, write]), log)
    filters = [AclFilter(operation=AclOperation.READ), AclFilter(), AclFilter(principal="User:bob")]
    assert ask(shard, DeleteAcls(filters), log).results == [[READ], [READ, write], []]
    assert len(log) == 4
    assert len(shard.acls) == 0


def test_delete_acls__filter_with_an_unknown_enum_value__only_this_filter_refused() -> None:
    shard = new_shard()
    ask(shard, CreateAcls([READ]))
    unknown, known = ask(shard, DeleteAcls([AclFilter(operation=77), AclFilter()])).results
    assert unknown[0] is ErrorCode.INVALID_REQUEST
    assert known == [READ]


def test_delete_acls__more_matches_than_a_request_may_delete__refused_and_none_deleted() -> None:
    shard = new_shard()
    acls = [READ._replace(resource_name=f"t{number}") for number in range(ACLS_PER_REQUEST_MAX + 1)]
    ask(shard, CreateAcls(acls))
    (result,) = ask(shard, DeleteAcls([AclFilter()])).results
    assert result[0] is ErrorCode.INVALID_REQUEST
    assert len(shard.acls) == len(acls)


def test_replay_of_the_metadata_log__records_of_acls__same_acls() -> None:
    shard, log = new_shard(), []
    ask(shard, CreateAcls([READ, READ._replace(operation=AclOperation.WRITE)]), log)
    ask(shard, DeleteAcls([AclFilter(operation=AclOperation.WRITE)]), log)
    replayed = new_shard()
    for record in log:
        replayed.apply(LogRecord(None, decode_record(encode_record(record.value))))
    assert replayed.digest() == shard.digest()
    assert replayed.acls.matching(AclFilter()) == [READ]


def test_acl_record__encoded__same_bytes_as_kafkas() -> None:
    """Check frame 1, type 18, version 0, the id, and the fields in the order of Kafka's schema."""
    record = AccessControlEntryRecord(bytes(range(16)), *READ)
    assert encode_record(record) == (
        b"\x01\x12\x00" + bytes(range(16)) + b"\x02\x07orders\x03\x0bUser:alice\x02*\x03\x03\x00"
    )
