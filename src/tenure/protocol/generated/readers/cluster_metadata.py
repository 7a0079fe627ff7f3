"""Generated from `tenure/protocol/tables/cluster_metadata.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.cluster_metadata import (
    AbortTransactionRecord,
    AccessControlEntryRecord,
    BeginTransactionRecord,
    BrokerEndpoint,
    BrokerFeature,
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    ClientQuotaEntity,
    ClientQuotaRecord,
    ConfigRecord,
    ControllerEndpoint,
    ControllerFeature,
    EndTransactionRecord,
    FeatureLevelRecord,
    FenceBrokerRecord,
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    RemoveAccessControlEntryRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    TopicRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UserScramCredentialRecord,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    BrokerId,
)
from tenure.protocol.wire import (
    read_int32s,
    read_tag,
    read_uuids,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_16sbB: Final = Packer(">16sbB").unpack_from
unpack_ZZB: Final = Packer(">??B").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_HhB: Final = Packer(">HhB").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_bbB: Final = Packer(">bbB").unpack_from
unpack_dZB: Final = Packer(">d?B").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hhB: Final = Packer(">hhB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_i16sZB: Final = Packer(">i16s?B").unpack_from
unpack_i16sB: Final = Packer(">i16sB").unpack_from
unpack_i16sqB: Final = Packer(">i16sqB").unpack_from
unpack_iZ16sqB: Final = Packer(">i?16sqB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_iiiB: Final = Packer(">iiiB").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from
unpack_iqqB: Final = Packer(">iqqB").unpack_from


def read_broker_endpoint_v0_list(data: bytes, at: int, announced: int) -> tuple[list[BrokerEndpoint], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[BrokerEndpoint] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("BrokerEndpoint.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("BrokerEndpoint.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, security_protocol, tags = unpack_HhB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(BrokerEndpoint(name, host, port, security_protocol))
    return found, at


def read_broker_feature_v0_list(data: bytes, at: int, announced: int) -> tuple[list[BrokerFeature], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[BrokerFeature] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("BrokerFeature.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        min_supported_version, max_supported_version, tags = unpack_hhB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(BrokerFeature(name, min_supported_version, max_supported_version))
    return found, at


def read_register_broker_record_v0(data: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    broker_id, incarnation_id, broker_epoch, n = unpack_i16sqB(data, at)
    at += 29
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.end_points is null")
    end_points, at = read_broker_endpoint_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.features is null")
    features, at = read_broker_feature_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack = utf8(data[at:end])
        at = end
    else:
        rack = None
    fenced, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return RegisterBrokerRecord(broker_id, False, incarnation_id, broker_epoch, end_points, features, rack, fenced), at


def read_register_broker_record_v1(data: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    broker_id, incarnation_id, broker_epoch, n = unpack_i16sqB(data, at)
    at += 29
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.end_points is null")
    end_points, at = read_broker_endpoint_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.features is null")
    features, at = read_broker_feature_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack = utf8(data[at:end])
        at = end
    else:
        rack = None
    fenced, in_controlled_shutdown, tags = unpack_ZZB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return RegisterBrokerRecord(broker_id, False, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown), at


def read_register_broker_record_v2(data: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, n = unpack_iZ16sqB(data, at)
    at += 30
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.end_points is null")
    end_points, at = read_broker_endpoint_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.features is null")
    features, at = read_broker_feature_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack = utf8(data[at:end])
        at = end
    else:
        rack = None
    fenced, in_controlled_shutdown, tags = unpack_ZZB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return RegisterBrokerRecord(broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown), at


def read_register_broker_record_v3(data: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, n = unpack_iZ16sqB(data, at)
    at += 30
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.end_points is null")
    end_points, at = read_broker_endpoint_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.features is null")
    features, at = read_broker_feature_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack = utf8(data[at:end])
        at = end
    else:
        rack = None
    fenced, in_controlled_shutdown, tags = unpack_ZZB(data, at)
    at += 3
    log_dirs: list[bytes] = []
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("RegisterBrokerRecord.log_dirs is null")
                log_dirs = read_uuids(data, at, n)
                at += 16 * n
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of RegisterBrokerRecord has a wrong size")
    return RegisterBrokerRecord(broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown, log_dirs), at


def read_register_broker_record_v4(data: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, n = unpack_iZ16sqB(data, at)
    at += 30
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.end_points is null")
    end_points, at = read_broker_endpoint_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterBrokerRecord.features is null")
    features, at = read_broker_feature_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack = utf8(data[at:end])
        at = end
    else:
        rack = None
    fenced, in_controlled_shutdown, tags = unpack_ZZB(data, at)
    at += 3
    log_dirs: list[bytes] = []
    cordoned_log_dirs: list[bytes] | None = None
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("RegisterBrokerRecord.log_dirs is null")
                log_dirs = read_uuids(data, at, n)
                at += 16 * n
            elif tag == 1:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    cordoned_log_dirs = read_uuids(data, at, n)
                    at += 16 * n
                else:
                    cordoned_log_dirs = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of RegisterBrokerRecord has a wrong size")
    return RegisterBrokerRecord(broker_id, is_migrating_zk_broker, incarnation_id, broker_epoch, end_points, features, rack, fenced, in_controlled_shutdown, log_dirs, cordoned_log_dirs), at


def read_unregister_broker_record_v0(data: bytes, at: int) -> tuple[UnregisterBrokerRecord, int]:
    broker_id, broker_epoch, tags = unpack_iqB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return UnregisterBrokerRecord(broker_id, broker_epoch), at


def read_topic_record_v0(data: bytes, at: int) -> tuple[TopicRecord, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TopicRecord.name is null")
    end = at + n
    name = utf8(data[at:end])
    at = end
    topic_id, tags = unpack_16sB(data, at)
    at += 17
    if tags:
        at = skip_tags(data, at - 1)
    return TopicRecord(name, topic_id), at


def read_partition_record_v0(data: bytes, at: int) -> tuple[PartitionRecord, int]:
    partition_id, topic_id, n = unpack_i16sB(data, at)
    at += 21
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.replicas is null")
    replicas = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.isr is null")
    isr = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.removing_replicas is null")
    removing_replicas = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.adding_replicas is null")
    adding_replicas = read_int32s(data, at, n)
    at += 4 * n
    leader, leader_epoch, partition_epoch, tags = unpack_iiiB(data, at)
    at += 13
    leader_recovery_state: int = 0
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (leader_recovery_state,) = unpack_b(data, at)
                at += 1
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of PartitionRecord has a wrong size")
    return PartitionRecord(partition_id, topic_id, replicas, isr, removing_replicas, adding_replicas, leader, leader_recovery_state, leader_epoch, partition_epoch), at


def read_partition_record_v1(data: bytes, at: int) -> tuple[PartitionRecord, int]:
    partition_id, topic_id, n = unpack_i16sB(data, at)
    at += 21
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.replicas is null")
    replicas = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.isr is null")
    isr = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.removing_replicas is null")
    removing_replicas = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.adding_replicas is null")
    adding_replicas = read_int32s(data, at, n)
    at += 4 * n
    leader, leader_epoch, partition_epoch, n = unpack_iiiB(data, at)
    at += 13
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.directories is null")
    directories = read_uuids(data, at, n)
    at += 16 * n
    tags = data[at]
    at += 1
    leader_recovery_state: int = 0
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (leader_recovery_state,) = unpack_b(data, at)
                at += 1
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of PartitionRecord has a wrong size")
    return PartitionRecord(partition_id, topic_id, replicas, isr, removing_replicas, adding_replicas, leader, leader_recovery_state, leader_epoch, partition_epoch, directories), at


def read_partition_record_v2(data: bytes, at: int) -> tuple[PartitionRecord, int]:
    partition_id, topic_id, n = unpack_i16sB(data, at)
    at += 21
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.replicas is null")
    replicas = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.isr is null")
    isr = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.removing_replicas is null")
    removing_replicas = read_int32s(data, at, n)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.adding_replicas is null")
    adding_replicas = read_int32s(data, at, n)
    at += 4 * n
    leader, leader_epoch, partition_epoch, n = unpack_iiiB(data, at)
    at += 13
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.directories is null")
    directories = read_uuids(data, at, n)
    at += 16 * n
    tags = data[at]
    at += 1
    leader_recovery_state: int = 0
    eligible_leader_replicas: list[BrokerId] | None = None
    last_known_elr: list[BrokerId] | None = None
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (leader_recovery_state,) = unpack_b(data, at)
                at += 1
            elif tag == 1:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    eligible_leader_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    eligible_leader_replicas = None
            elif tag == 2:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    last_known_elr = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    last_known_elr = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of PartitionRecord has a wrong size")
    return PartitionRecord(partition_id, topic_id, replicas, isr, removing_replicas, adding_replicas, leader, leader_recovery_state, leader_epoch, partition_epoch, directories, eligible_leader_replicas, last_known_elr), at


def read_config_record_v0(data: bytes, at: int) -> tuple[ConfigRecord, int]:
    resource_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConfigRecord.resource_name is null")
    end = at + n
    resource_name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConfigRecord.name is null")
    end = at + n
    name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        value = utf8(data[at:end])
        at = end
    else:
        value = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ConfigRecord(resource_type, resource_name, name, value), at


def read_partition_change_record_v0(data: bytes, at: int) -> tuple[PartitionChangeRecord, int]:
    partition_id, topic_id, tags = unpack_i16sB(data, at)
    at += 21
    isr: list[BrokerId] | None = None
    leader: BrokerId = BrokerId(-2)
    replicas: list[BrokerId] | None = None
    removing_replicas: list[BrokerId] | None = None
    adding_replicas: list[BrokerId] | None = None
    leader_recovery_state: int = -1
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    isr = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    isr = None
            elif tag == 1:
                (leader,) = unpack_i(data, at)
                at += 4
            elif tag == 2:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    replicas = None
            elif tag == 3:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    removing_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    removing_replicas = None
            elif tag == 4:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    adding_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    adding_replicas = None
            elif tag == 5:
                (leader_recovery_state,) = unpack_b(data, at)
                at += 1
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of PartitionChangeRecord has a wrong size")
    return PartitionChangeRecord(partition_id, topic_id, isr, leader, replicas, removing_replicas, adding_replicas, leader_recovery_state), at


def read_partition_change_record_v1(data: bytes, at: int) -> tuple[PartitionChangeRecord, int]:
    partition_id, topic_id, tags = unpack_i16sB(data, at)
    at += 21
    isr: list[BrokerId] | None = None
    leader: BrokerId = BrokerId(-2)
    replicas: list[BrokerId] | None = None
    removing_replicas: list[BrokerId] | None = None
    adding_replicas: list[BrokerId] | None = None
    leader_recovery_state: int = -1
    directories: list[bytes] | None = None
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    isr = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    isr = None
            elif tag == 1:
                (leader,) = unpack_i(data, at)
                at += 4
            elif tag == 2:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    replicas = None
            elif tag == 3:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    removing_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    removing_replicas = None
            elif tag == 4:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    adding_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    adding_replicas = None
            elif tag == 5:
                (leader_recovery_state,) = unpack_b(data, at)
                at += 1
            elif tag == 8:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    directories = read_uuids(data, at, n)
                    at += 16 * n
                else:
                    directories = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of PartitionChangeRecord has a wrong size")
    return PartitionChangeRecord(partition_id, topic_id, isr, leader, replicas, removing_replicas, adding_replicas, leader_recovery_state, directories), at


def read_partition_change_record_v2(data: bytes, at: int) -> tuple[PartitionChangeRecord, int]:
    partition_id, topic_id, tags = unpack_i16sB(data, at)
    at += 21
    isr: list[BrokerId] | None = None
    leader: BrokerId = BrokerId(-2)
    replicas: list[BrokerId] | None = None
    removing_replicas: list[BrokerId] | None = None
    adding_replicas: list[BrokerId] | None = None
    leader_recovery_state: int = -1
    eligible_leader_replicas: list[BrokerId] | None = None
    last_known_elr: list[BrokerId] | None = None
    directories: list[bytes] | None = None
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    isr = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    isr = None
            elif tag == 1:
                (leader,) = unpack_i(data, at)
                at += 4
            elif tag == 2:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    replicas = None
            elif tag == 3:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    removing_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    removing_replicas = None
            elif tag == 4:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    adding_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    adding_replicas = None
            elif tag == 5:
                (leader_recovery_state,) = unpack_b(data, at)
                at += 1
            elif tag == 6:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    eligible_leader_replicas = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    eligible_leader_replicas = None
            elif tag == 7:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    last_known_elr = read_int32s(data, at, n)
                    at += 4 * n
                else:
                    last_known_elr = None
            elif tag == 8:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    directories = read_uuids(data, at, n)
                    at += 16 * n
                else:
                    directories = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of PartitionChangeRecord has a wrong size")
    return PartitionChangeRecord(partition_id, topic_id, isr, leader, replicas, removing_replicas, adding_replicas, leader_recovery_state, directories, eligible_leader_replicas, last_known_elr), at


def read_fence_broker_record_v0(data: bytes, at: int) -> tuple[FenceBrokerRecord, int]:
    id, epoch, tags = unpack_iqB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return FenceBrokerRecord(id, epoch), at


def read_unfence_broker_record_v0(data: bytes, at: int) -> tuple[UnfenceBrokerRecord, int]:
    id, epoch, tags = unpack_iqB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return UnfenceBrokerRecord(id, epoch), at


def read_remove_topic_record_v0(data: bytes, at: int) -> tuple[RemoveTopicRecord, int]:
    topic_id, tags = unpack_16sB(data, at)
    at += 17
    if tags:
        at = skip_tags(data, at - 1)
    return RemoveTopicRecord(topic_id), at


def read_user_scram_credential_record_v0(data: bytes, at: int) -> tuple[UserScramCredentialRecord, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("UserScramCredentialRecord.name is null")
    end = at + n
    name = utf8(data[at:end])
    at = end
    mechanism, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("UserScramCredentialRecord.salt is null")
    end = at + n
    salt = data[at:end]
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("UserScramCredentialRecord.stored_key is null")
    end = at + n
    stored_key = data[at:end]
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("UserScramCredentialRecord.server_key is null")
    end = at + n
    server_key = data[at:end]
    at = end
    iterations, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return UserScramCredentialRecord(name, mechanism, salt, stored_key, server_key, iterations), at


def read_feature_level_record_v0(data: bytes, at: int) -> tuple[FeatureLevelRecord, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FeatureLevelRecord.name is null")
    end = at + n
    name = utf8(data[at:end])
    at = end
    feature_level, tags = unpack_hB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return FeatureLevelRecord(name, feature_level), at


def read_client_quota_entity_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ClientQuotaEntity], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ClientQuotaEntity] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ClientQuotaEntity.entity_type is null")
        end = at + n
        entity_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            entity_name = utf8(data[at:end])
            at = end
        else:
            entity_name = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ClientQuotaEntity(entity_type, entity_name))
    return found, at


def read_client_quota_record_v0(data: bytes, at: int) -> tuple[ClientQuotaRecord, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ClientQuotaRecord.entity is null")
    entity, at = read_client_quota_entity_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ClientQuotaRecord.key is null")
    end = at + n
    key = utf8(data[at:end])
    at = end
    value, remove, tags = unpack_dZB(data, at)
    at += 10
    if tags:
        at = skip_tags(data, at - 1)
    return ClientQuotaRecord(entity, key, value, remove), at


def read_producer_ids_record_v0(data: bytes, at: int) -> tuple[ProducerIdsRecord, int]:
    broker_id, broker_epoch, next_producer_id, tags = unpack_iqqB(data, at)
    at += 21
    if tags:
        at = skip_tags(data, at - 1)
    return ProducerIdsRecord(broker_id, broker_epoch, next_producer_id), at


def read_broker_registration_change_record_v0(data: bytes, at: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id, broker_epoch, tags = unpack_iqB(data, at)
    at += 13
    fenced: int = 0
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (fenced,) = unpack_b(data, at)
                at += 1
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of BrokerRegistrationChangeRecord has a wrong size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced), at


def read_broker_registration_change_record_v1(data: bytes, at: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id, broker_epoch, tags = unpack_iqB(data, at)
    at += 13
    fenced: int = 0
    in_controlled_shutdown: int = 0
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (fenced,) = unpack_b(data, at)
                at += 1
            elif tag == 1:
                (in_controlled_shutdown,) = unpack_b(data, at)
                at += 1
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of BrokerRegistrationChangeRecord has a wrong size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced, in_controlled_shutdown), at


def read_broker_registration_change_record_v2(data: bytes, at: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id, broker_epoch, tags = unpack_iqB(data, at)
    at += 13
    fenced: int = 0
    in_controlled_shutdown: int = 0
    log_dirs: list[bytes] = []
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (fenced,) = unpack_b(data, at)
                at += 1
            elif tag == 1:
                (in_controlled_shutdown,) = unpack_b(data, at)
                at += 1
            elif tag == 2:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("BrokerRegistrationChangeRecord.log_dirs is null")
                log_dirs = read_uuids(data, at, n)
                at += 16 * n
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of BrokerRegistrationChangeRecord has a wrong size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced, in_controlled_shutdown, log_dirs), at


def read_broker_registration_change_record_v3(data: bytes, at: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    broker_id, broker_epoch, tags = unpack_iqB(data, at)
    at += 13
    fenced: int = 0
    in_controlled_shutdown: int = 0
    log_dirs: list[bytes] = []
    cordoned_log_dirs: list[bytes] | None = None
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (fenced,) = unpack_b(data, at)
                at += 1
            elif tag == 1:
                (in_controlled_shutdown,) = unpack_b(data, at)
                at += 1
            elif tag == 2:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("BrokerRegistrationChangeRecord.log_dirs is null")
                log_dirs = read_uuids(data, at, n)
                at += 16 * n
            elif tag == 3:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    cordoned_log_dirs = read_uuids(data, at, n)
                    at += 16 * n
                else:
                    cordoned_log_dirs = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of BrokerRegistrationChangeRecord has a wrong size")
    return BrokerRegistrationChangeRecord(broker_id, broker_epoch, fenced, in_controlled_shutdown, log_dirs, cordoned_log_dirs), at


def read_access_control_entry_record_v0(data: bytes, at: int) -> tuple[AccessControlEntryRecord, int]:
    id, resource_type, n = unpack_16sbB(data, at)
    at += 18
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AccessControlEntryRecord.resource_name is null")
    end = at + n
    resource_name = utf8(data[at:end])
    at = end
    pattern_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AccessControlEntryRecord.principal is null")
    end = at + n
    principal = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AccessControlEntryRecord.host is null")
    end = at + n
    host = utf8(data[at:end])
    at = end
    operation, permission_type, tags = unpack_bbB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return AccessControlEntryRecord(id, resource_type, resource_name, pattern_type, principal, host, operation, permission_type), at


def read_remove_access_control_entry_record_v0(data: bytes, at: int) -> tuple[RemoveAccessControlEntryRecord, int]:
    id, tags = unpack_16sB(data, at)
    at += 17
    if tags:
        at = skip_tags(data, at - 1)
    return RemoveAccessControlEntryRecord(id), at


def read_no_op_record_v0(data: bytes, at: int) -> tuple[NoOpRecord, int]:
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return NoOpRecord(), at


def read_remove_user_scram_credential_record_v0(data: bytes, at: int) -> tuple[RemoveUserScramCredentialRecord, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RemoveUserScramCredentialRecord.name is null")
    end = at + n
    name = utf8(data[at:end])
    at = end
    mechanism, tags = unpack_bB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return RemoveUserScramCredentialRecord(name, mechanism), at


def read_begin_transaction_record_v0(data: bytes, at: int) -> tuple[BeginTransactionRecord, int]:
    tags = data[at]
    at += 1
    name: str | None = None
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    end = at + n
                    name = utf8(data[at:end])
                    at = end
                else:
                    name = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of BeginTransactionRecord has a wrong size")
    return BeginTransactionRecord(name), at


def read_end_transaction_record_v0(data: bytes, at: int) -> tuple[EndTransactionRecord, int]:
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return EndTransactionRecord(), at


def read_abort_transaction_record_v0(data: bytes, at: int) -> tuple[AbortTransactionRecord, int]:
    tags = data[at]
    at += 1
    reason: str | None = None
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    end = at + n
                    reason = utf8(data[at:end])
                    at = end
                else:
                    reason = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of AbortTransactionRecord has a wrong size")
    return AbortTransactionRecord(reason), at


def read_controller_endpoint_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ControllerEndpoint], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[ControllerEndpoint] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ControllerEndpoint.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ControllerEndpoint.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, security_protocol, tags = unpack_HhB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ControllerEndpoint(name, host, port, security_protocol))
    return found, at


def read_controller_feature_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ControllerFeature], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ControllerFeature] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ControllerFeature.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        min_supported_version, max_supported_version, tags = unpack_hhB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ControllerFeature(name, min_supported_version, max_supported_version))
    return found, at


def read_register_controller_record_v0(data: bytes, at: int) -> tuple[RegisterControllerRecord, int]:
    controller_id, incarnation_id, zk_migration_ready, n = unpack_i16sZB(data, at)
    at += 22
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterControllerRecord.end_points is null")
    end_points, at = read_controller_endpoint_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("RegisterControllerRecord.features is null")
    features, at = read_controller_feature_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return RegisterControllerRecord(controller_id, incarnation_id, zk_migration_ready, end_points, features), at


def read_clear_elr_record_v0(data: bytes, at: int) -> tuple[ClearElrRecord, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ClearElrRecord.topic_name is null")
    end = at + n
    topic_name = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ClearElrRecord(topic_name), at


RegisterBrokerRecord.READERS = {
    0: read_register_broker_record_v0,
    1: read_register_broker_record_v1,
    2: read_register_broker_record_v2,
    3: read_register_broker_record_v3,
    4: read_register_broker_record_v4,
}
UnregisterBrokerRecord.READERS = {
    0: read_unregister_broker_record_v0,
}
TopicRecord.READERS = {
    0: read_topic_record_v0,
}
PartitionRecord.READERS = {
    0: read_partition_record_v0,
    1: read_partition_record_v1,
    2: read_partition_record_v2,
}
ConfigRecord.READERS = {
    0: read_config_record_v0,
}
PartitionChangeRecord.READERS = {
    0: read_partition_change_record_v0,
    1: read_partition_change_record_v1,
    2: read_partition_change_record_v2,
}
FenceBrokerRecord.READERS = {
    0: read_fence_broker_record_v0,
}
UnfenceBrokerRecord.READERS = {
    0: read_unfence_broker_record_v0,
}
RemoveTopicRecord.READERS = {
    0: read_remove_topic_record_v0,
}
UserScramCredentialRecord.READERS = {
    0: read_user_scram_credential_record_v0,
}
FeatureLevelRecord.READERS = {
    0: read_feature_level_record_v0,
}
ClientQuotaRecord.READERS = {
    0: read_client_quota_record_v0,
}
ProducerIdsRecord.READERS = {
    0: read_producer_ids_record_v0,
}
BrokerRegistrationChangeRecord.READERS = {
    0: read_broker_registration_change_record_v0,
    1: read_broker_registration_change_record_v1,
    2: read_broker_registration_change_record_v2,
    3: read_broker_registration_change_record_v3,
}
AccessControlEntryRecord.READERS = {
    0: read_access_control_entry_record_v0,
}
RemoveAccessControlEntryRecord.READERS = {
    0: read_remove_access_control_entry_record_v0,
}
NoOpRecord.READERS = {
    0: read_no_op_record_v0,
}
RemoveUserScramCredentialRecord.READERS = {
    0: read_remove_user_scram_credential_record_v0,
}
BeginTransactionRecord.READERS = {
    0: read_begin_transaction_record_v0,
}
EndTransactionRecord.READERS = {
    0: read_end_transaction_record_v0,
}
AbortTransactionRecord.READERS = {
    0: read_abort_transaction_record_v0,
}
RegisterControllerRecord.READERS = {
    0: read_register_controller_record_v0,
}
ClearElrRecord.READERS = {
    0: read_clear_elr_record_v0,
}
