"""Generated from `tenure/protocol/tables/cluster_metadata.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    ProducerId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_int32s,
    read_fixed,
    read_tag,
    read_uuids,
    read_uvarint,
    skip_tags,
    tagged,
    too_many,
    utf8,
    uvarint,
)

pack_16sx: Final = Packer(">16sx").pack
pack_ZZ: Final = Packer(">??").pack
pack_ZZx: Final = Packer(">??x").pack
pack_Zx: Final = Packer(">?x").pack
pack_Hhx: Final = Packer(">Hhx").pack
pack_b: Final = Packer(">b").pack
pack_hhx: Final = Packer(">hhx").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_i16s: Final = Packer(">i16s").pack
pack_i16sZ: Final = Packer(">i16s?").pack
pack_i16sq: Final = Packer(">i16sq").pack
pack_iZ16sq: Final = Packer(">i?16sq").pack
pack_iii: Final = Packer(">iii").pack
pack_iq: Final = Packer(">iq").pack
pack_iqqx: Final = Packer(">iqqx").pack
pack_iqx: Final = Packer(">iqx").pack
unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_ZZB: Final = Packer(">??B").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_HhB: Final = Packer(">HhB").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hhB: Final = Packer(">hhB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_i16sZB: Final = Packer(">i16s?B").unpack_from
unpack_i16sB: Final = Packer(">i16sB").unpack_from
unpack_i16sqB: Final = Packer(">i16sqB").unpack_from
unpack_iZ16sqB: Final = Packer(">i?16sqB").unpack_from
unpack_iiiB: Final = Packer(">iiiB").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from
unpack_iqqB: Final = Packer(">iqqB").unpack_from


class BrokerEndpoint(Struct):
    __slots__ = ('name', 'host', 'port', 'security_protocol')

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
        security_protocol: int = 0,
    ) -> None:
        self.name: Final = name
        self.host: Final = host
        self.port: Final = port
        self.security_protocol: Final = security_protocol


class BrokerFeature(Struct):
    __slots__ = ('name', 'min_supported_version', 'max_supported_version')

    def __init__(
        self,
        name: str = "",
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.name: Final = name
        self.min_supported_version: Final = min_supported_version
        self.max_supported_version: Final = max_supported_version


class RegisterBrokerRecord(Message):
    __slots__ = ('broker_id', 'is_migrating_zk_broker', 'incarnation_id', 'broker_epoch', 'end_points', 'features', 'rack', 'fenced', 'in_controlled_shutdown', 'log_dirs', 'cordoned_log_dirs')
    KEY = 0

    def __init__(
        self,
        broker_id: BrokerId = BrokerId(0),
        is_migrating_zk_broker: bool = False,
        incarnation_id: bytes = bytes(16),
        broker_epoch: int = 0,
        end_points: list[BrokerEndpoint] = EMPTY,
        features: list[BrokerFeature] = EMPTY,
        rack: str | None = "",
        fenced: bool = True,
        in_controlled_shutdown: bool = False,
        log_dirs: list[bytes] = EMPTY,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id: Final = broker_id
        self.is_migrating_zk_broker: Final = is_migrating_zk_broker
        self.incarnation_id: Final = incarnation_id
        self.broker_epoch: Final = broker_epoch
        self.end_points: Final = [] if end_points is EMPTY else end_points
        self.features: Final = [] if features is EMPTY else features
        self.rack: Final = rack
        self.fenced: Final = fenced
        self.in_controlled_shutdown: Final = in_controlled_shutdown
        self.log_dirs: Final = [] if log_dirs is EMPTY else log_dirs
        self.cordoned_log_dirs: Final = cordoned_log_dirs


class UnregisterBrokerRecord(Message):
    __slots__ = ('broker_id', 'broker_epoch')
    KEY = 1

    def __init__(
        self,
        broker_id: BrokerId = BrokerId(0),
        broker_epoch: int = 0,
    ) -> None:
        self.broker_id: Final = broker_id
        self.broker_epoch: Final = broker_epoch


class TopicRecord(Message):
    __slots__ = ('name', 'topic_id')
    KEY = 2

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id


class PartitionRecord(Message):
    __slots__ = ('partition_id', 'topic_id', 'replicas', 'isr', 'removing_replicas', 'adding_replicas', 'leader', 'leader_recovery_state', 'leader_epoch', 'partition_epoch', 'directories', 'eligible_leader_replicas', 'last_known_elr')
    KEY = 3

    def __init__(
        self,
        partition_id: PartitionId = PartitionId(-1),
        topic_id: TopicId = ZERO_TOPIC_ID,
        replicas: list[BrokerId] = EMPTY,
        isr: list[BrokerId] = EMPTY,
        removing_replicas: list[BrokerId] = EMPTY,
        adding_replicas: list[BrokerId] = EMPTY,
        leader: BrokerId = BrokerId(-1),
        leader_recovery_state: int = 0,
        leader_epoch: int = -1,
        partition_epoch: int = -1,
        directories: list[bytes] = EMPTY,
        eligible_leader_replicas: list[BrokerId] | None = None,
        last_known_elr: list[BrokerId] | None = None,
    ) -> None:
        self.partition_id: Final = partition_id
        self.topic_id: Final = topic_id
        self.replicas: Final = [] if replicas is EMPTY else replicas
        self.isr: Final = [] if isr is EMPTY else isr
        self.removing_replicas: Final = [] if removing_replicas is EMPTY else removing_replicas
        self.adding_replicas: Final = [] if adding_replicas is EMPTY else adding_replicas
        self.leader: Final = leader
        self.leader_recovery_state: Final = leader_recovery_state
        self.leader_epoch: Final = leader_epoch
        self.partition_epoch: Final = partition_epoch
        self.directories: Final = [] if directories is EMPTY else directories
        self.eligible_leader_replicas: Final = eligible_leader_replicas
        self.last_known_elr: Final = last_known_elr


class ConfigRecord(Message):
    __slots__ = ('resource_type', 'resource_name', 'name', 'value')
    KEY = 4

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.name: Final = name
        self.value: Final = value


class PartitionChangeRecord(Message):
    __slots__ = ('partition_id', 'topic_id', 'isr', 'leader', 'replicas', 'removing_replicas', 'adding_replicas', 'leader_recovery_state', 'directories', 'eligible_leader_replicas', 'last_known_elr')
    KEY = 5

    def __init__(
        self,
        partition_id: PartitionId = PartitionId(-1),
        topic_id: TopicId = ZERO_TOPIC_ID,
        isr: list[BrokerId] | None = None,
        leader: BrokerId = BrokerId(-2),
        replicas: list[BrokerId] | None = None,
        removing_replicas: list[BrokerId] | None = None,
        adding_replicas: list[BrokerId] | None = None,
        leader_recovery_state: int = -1,
        directories: list[bytes] | None = None,
        eligible_leader_replicas: list[BrokerId] | None = None,
        last_known_elr: list[BrokerId] | None = None,
    ) -> None:
        self.partition_id: Final = partition_id
        self.topic_id: Final = topic_id
        self.isr: Final = isr
        self.leader: Final = leader
        self.replicas: Final = replicas
        self.removing_replicas: Final = removing_replicas
        self.adding_replicas: Final = adding_replicas
        self.leader_recovery_state: Final = leader_recovery_state
        self.directories: Final = directories
        self.eligible_leader_replicas: Final = eligible_leader_replicas
        self.last_known_elr: Final = last_known_elr


class FenceBrokerRecord(Message):
    __slots__ = ('id', 'epoch')
    KEY = 7

    def __init__(
        self,
        id: BrokerId = BrokerId(0),
        epoch: int = 0,
    ) -> None:
        self.id: Final = id
        self.epoch: Final = epoch


class UnfenceBrokerRecord(Message):
    __slots__ = ('id', 'epoch')
    KEY = 8

    def __init__(
        self,
        id: BrokerId = BrokerId(0),
        epoch: int = 0,
    ) -> None:
        self.id: Final = id
        self.epoch: Final = epoch


class RemoveTopicRecord(Message):
    __slots__ = ('topic_id',)
    KEY = 9

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.topic_id: Final = topic_id


class FeatureLevelRecord(Message):
    __slots__ = ('name', 'feature_level')
    KEY = 12

    def __init__(
        self,
        name: str = "",
        feature_level: int = 0,
    ) -> None:
        self.name: Final = name
        self.feature_level: Final = feature_level


class ProducerIdsRecord(Message):
    __slots__ = ('broker_id', 'broker_epoch', 'next_producer_id')
    KEY = 15

    def __init__(
        self,
        broker_id: BrokerId = BrokerId(0),
        broker_epoch: int = -1,
        next_producer_id: ProducerId = ProducerId(0),
    ) -> None:
        self.broker_id: Final = broker_id
        self.broker_epoch: Final = broker_epoch
        self.next_producer_id: Final = next_producer_id


class BrokerRegistrationChangeRecord(Message):
    __slots__ = ('broker_id', 'broker_epoch', 'fenced', 'in_controlled_shutdown', 'log_dirs', 'cordoned_log_dirs')
    KEY = 17

    def __init__(
        self,
        broker_id: BrokerId = BrokerId(0),
        broker_epoch: int = 0,
        fenced: int = 0,
        in_controlled_shutdown: int = 0,
        log_dirs: list[bytes] = EMPTY,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id: Final = broker_id
        self.broker_epoch: Final = broker_epoch
        self.fenced: Final = fenced
        self.in_controlled_shutdown: Final = in_controlled_shutdown
        self.log_dirs: Final = [] if log_dirs is EMPTY else log_dirs
        self.cordoned_log_dirs: Final = cordoned_log_dirs


class NoOpRecord(Message):
    __slots__ = ()
    KEY = 20


class BeginTransactionRecord(Message):
    __slots__ = ('name',)
    KEY = 23

    def __init__(
        self,
        name: str | None = None,
    ) -> None:
        self.name: Final = name


class EndTransactionRecord(Message):
    __slots__ = ()
    KEY = 24


class AbortTransactionRecord(Message):
    __slots__ = ('reason',)
    KEY = 25

    def __init__(
        self,
        reason: str | None = None,
    ) -> None:
        self.reason: Final = reason


class ControllerEndpoint(Struct):
    __slots__ = ('name', 'host', 'port', 'security_protocol')

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
        security_protocol: int = 0,
    ) -> None:
        self.name: Final = name
        self.host: Final = host
        self.port: Final = port
        self.security_protocol: Final = security_protocol


class ControllerFeature(Struct):
    __slots__ = ('name', 'min_supported_version', 'max_supported_version')

    def __init__(
        self,
        name: str = "",
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.name: Final = name
        self.min_supported_version: Final = min_supported_version
        self.max_supported_version: Final = max_supported_version


class RegisterControllerRecord(Message):
    __slots__ = ('controller_id', 'incarnation_id', 'zk_migration_ready', 'end_points', 'features')
    KEY = 27

    def __init__(
        self,
        controller_id: BrokerId = BrokerId(0),
        incarnation_id: bytes = bytes(16),
        zk_migration_ready: bool = False,
        end_points: list[ControllerEndpoint] = EMPTY,
        features: list[ControllerFeature] = EMPTY,
    ) -> None:
        self.controller_id: Final = controller_id
        self.incarnation_id: Final = incarnation_id
        self.zk_migration_ready: Final = zk_migration_ready
        self.end_points: Final = [] if end_points is EMPTY else end_points
        self.features: Final = [] if features is EMPTY else features


class ClearElrRecord(Message):
    __slots__ = ('topic_name',)
    KEY = 28

    def __init__(
        self,
        topic_name: TopicName = TopicName(""),
    ) -> None:
        self.topic_name: Final = topic_name


def read_broker_endpoint_v0_list(data: bytes, at: int, n: int) -> tuple[list[BrokerEndpoint], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[BrokerEndpoint] = []
    for _ in range(n):
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


def read_broker_feature_v0_list(data: bytes, at: int, n: int) -> tuple[list[BrokerFeature], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[BrokerFeature] = []
    for _ in range(n):
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
    replicas = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.isr is null")
    isr = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.removing_replicas is null")
    removing_replicas = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.adding_replicas is null")
    adding_replicas = read_fixed(data, at, n, "i", 4)
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
    replicas = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.isr is null")
    isr = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.removing_replicas is null")
    removing_replicas = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.adding_replicas is null")
    adding_replicas = read_fixed(data, at, n, "i", 4)
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
    replicas = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.isr is null")
    isr = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.removing_replicas is null")
    removing_replicas = read_fixed(data, at, n, "i", 4)
    at += 4 * n
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("PartitionRecord.adding_replicas is null")
    adding_replicas = read_fixed(data, at, n, "i", 4)
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
                    eligible_leader_replicas = read_fixed(data, at, n, "i", 4)
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
                    last_known_elr = read_fixed(data, at, n, "i", 4)
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
                    isr = read_fixed(data, at, n, "i", 4)
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
                    replicas = read_fixed(data, at, n, "i", 4)
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
                    removing_replicas = read_fixed(data, at, n, "i", 4)
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
                    adding_replicas = read_fixed(data, at, n, "i", 4)
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
                    isr = read_fixed(data, at, n, "i", 4)
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
                    replicas = read_fixed(data, at, n, "i", 4)
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
                    removing_replicas = read_fixed(data, at, n, "i", 4)
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
                    adding_replicas = read_fixed(data, at, n, "i", 4)
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
                    isr = read_fixed(data, at, n, "i", 4)
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
                    replicas = read_fixed(data, at, n, "i", 4)
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
                    removing_replicas = read_fixed(data, at, n, "i", 4)
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
                    adding_replicas = read_fixed(data, at, n, "i", 4)
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
                    eligible_leader_replicas = read_fixed(data, at, n, "i", 4)
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
                    last_known_elr = read_fixed(data, at, n, "i", 4)
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


def read_no_op_record_v0(data: bytes, at: int) -> tuple[NoOpRecord, int]:
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return NoOpRecord(), at


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


def read_controller_endpoint_v0_list(data: bytes, at: int, n: int) -> tuple[list[ControllerEndpoint], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[ControllerEndpoint] = []
    for _ in range(n):
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


def read_controller_feature_v0_list(data: bytes, at: int, n: int) -> tuple[list[ControllerFeature], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[ControllerFeature] = []
    for _ in range(n):
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


def write_broker_endpoint_v0_list(out: list[bytes], items: list[BrokerEndpoint]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_Hhx(m.port, m.security_protocol))


def write_broker_feature_v0_list(out: list[bytes], items: list[BrokerFeature]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.min_supported_version, m.max_supported_version))


def write_register_broker_record_v0(out: list[bytes], m: RegisterBrokerRecord) -> None:
    put = out.append
    if m.is_migrating_zk_broker:
        raise UnsupportedVersion("RegisterBrokerRecord.is_migrating_zk_broker exists in versions 2+ only")
    if m.in_controlled_shutdown:
        raise UnsupportedVersion("RegisterBrokerRecord.in_controlled_shutdown exists in versions 1+ only")
    if m.log_dirs:
        raise UnsupportedVersion("RegisterBrokerRecord.log_dirs exists in versions 3+ only")
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("RegisterBrokerRecord.cordoned_log_dirs exists in versions 4+ only")
    put(pack_i16sq(m.broker_id, m.incarnation_id, m.broker_epoch))
    n = len(m.end_points) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_endpoint_v0_list(out, m.end_points)
    n = len(m.features) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_feature_v0_list(out, m.features)
    if m.rack is None:
        put(b"\0")
    else:
        text = m.rack.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_Zx(m.fenced))


def write_register_broker_record_v1(out: list[bytes], m: RegisterBrokerRecord) -> None:
    put = out.append
    if m.is_migrating_zk_broker:
        raise UnsupportedVersion("RegisterBrokerRecord.is_migrating_zk_broker exists in versions 2+ only")
    if m.log_dirs:
        raise UnsupportedVersion("RegisterBrokerRecord.log_dirs exists in versions 3+ only")
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("RegisterBrokerRecord.cordoned_log_dirs exists in versions 4+ only")
    put(pack_i16sq(m.broker_id, m.incarnation_id, m.broker_epoch))
    n = len(m.end_points) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_endpoint_v0_list(out, m.end_points)
    n = len(m.features) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_feature_v0_list(out, m.features)
    if m.rack is None:
        put(b"\0")
    else:
        text = m.rack.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ZZx(m.fenced, m.in_controlled_shutdown))


def write_register_broker_record_v2(out: list[bytes], m: RegisterBrokerRecord) -> None:
    put = out.append
    if m.log_dirs:
        raise UnsupportedVersion("RegisterBrokerRecord.log_dirs exists in versions 3+ only")
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("RegisterBrokerRecord.cordoned_log_dirs exists in versions 4+ only")
    put(pack_iZ16sq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch))
    n = len(m.end_points) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_endpoint_v0_list(out, m.end_points)
    n = len(m.features) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_feature_v0_list(out, m.features)
    if m.rack is None:
        put(b"\0")
    else:
        text = m.rack.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ZZx(m.fenced, m.in_controlled_shutdown))


def write_register_broker_record_v3(out: list[bytes], m: RegisterBrokerRecord) -> None:
    put = out.append
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("RegisterBrokerRecord.cordoned_log_dirs exists in versions 4+ only")
    put(pack_iZ16sq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch))
    n = len(m.end_points) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_endpoint_v0_list(out, m.end_points)
    n = len(m.features) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_feature_v0_list(out, m.features)
    if m.rack is None:
        put(b"\0")
    else:
        text = m.rack.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ZZ(m.fenced, m.in_controlled_shutdown))
    tags: list[bytes] = []
    part: list[bytes]
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_register_broker_record_v4(out: list[bytes], m: RegisterBrokerRecord) -> None:
    put = out.append
    put(pack_iZ16sq(m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch))
    n = len(m.end_points) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_endpoint_v0_list(out, m.end_points)
    n = len(m.features) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_broker_feature_v0_list(out, m.features)
    if m.rack is None:
        put(b"\0")
    else:
        text = m.rack.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ZZ(m.fenced, m.in_controlled_shutdown))
    tags: list[bytes] = []
    part: list[bytes]
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(0, b"".join(part)))
    if m.cordoned_log_dirs is not None:
        part = []
        n = len(m.cordoned_log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.cordoned_log_dirs)
        tags.append(tagged(1, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_unregister_broker_record_v0(out: list[bytes], m: UnregisterBrokerRecord) -> None:
    put = out.append
    put(pack_iqx(m.broker_id, m.broker_epoch))


def write_topic_record_v0(out: list[bytes], m: TopicRecord) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_16sx(m.topic_id))


def write_partition_record_v0(out: list[bytes], m: PartitionRecord) -> None:
    put = out.append
    if m.directories:
        raise UnsupportedVersion("PartitionRecord.directories exists in versions 1+ only")
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    n = len(m.replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.replicas))
    n = len(m.isr) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.isr))
    n = len(m.removing_replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.removing_replicas))
    n = len(m.adding_replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.adding_replicas))
    put(pack_iii(m.leader, m.leader_epoch, m.partition_epoch))
    tags: list[bytes] = []
    part: list[bytes]
    if m.leader_recovery_state != 0:
        part = []
        part.append(pack_b(m.leader_recovery_state))
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_partition_record_v1(out: list[bytes], m: PartitionRecord) -> None:
    put = out.append
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    n = len(m.replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.replicas))
    n = len(m.isr) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.isr))
    n = len(m.removing_replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.removing_replicas))
    n = len(m.adding_replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.adding_replicas))
    put(pack_iii(m.leader, m.leader_epoch, m.partition_epoch))
    n = len(m.directories) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    out.extend(m.directories)
    tags: list[bytes] = []
    part: list[bytes]
    if m.leader_recovery_state != 0:
        part = []
        part.append(pack_b(m.leader_recovery_state))
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_partition_record_v2(out: list[bytes], m: PartitionRecord) -> None:
    put = out.append
    put(pack_i16s(m.partition_id, m.topic_id))
    n = len(m.replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.replicas))
    n = len(m.isr) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.isr))
    n = len(m.removing_replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.removing_replicas))
    n = len(m.adding_replicas) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int32s(m.adding_replicas))
    put(pack_iii(m.leader, m.leader_epoch, m.partition_epoch))
    n = len(m.directories) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    out.extend(m.directories)
    tags: list[bytes] = []
    part: list[bytes]
    if m.leader_recovery_state != 0:
        part = []
        part.append(pack_b(m.leader_recovery_state))
        tags.append(tagged(0, b"".join(part)))
    if m.eligible_leader_replicas is not None:
        part = []
        n = len(m.eligible_leader_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.eligible_leader_replicas))
        tags.append(tagged(1, b"".join(part)))
    if m.last_known_elr is not None:
        part = []
        n = len(m.last_known_elr) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.last_known_elr))
        tags.append(tagged(2, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_config_record_v0(out: list[bytes], m: ConfigRecord) -> None:
    put = out.append
    text = m.resource_name.encode()
    put(pack_b(m.resource_type))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.value is None:
        put(b"\0")
    else:
        text = m.value.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


def write_partition_change_record_v0(out: list[bytes], m: PartitionChangeRecord) -> None:
    put = out.append
    if m.directories is not None:
        raise UnsupportedVersion("PartitionChangeRecord.directories exists in versions 1+ only")
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionChangeRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionChangeRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    tags: list[bytes] = []
    part: list[bytes]
    if m.isr is not None:
        part = []
        n = len(m.isr) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.isr))
        tags.append(tagged(0, b"".join(part)))
    if m.leader != -2:
        part = []
        part.append(pack_i(m.leader))
        tags.append(tagged(1, b"".join(part)))
    if m.replicas is not None:
        part = []
        n = len(m.replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.replicas))
        tags.append(tagged(2, b"".join(part)))
    if m.removing_replicas is not None:
        part = []
        n = len(m.removing_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.removing_replicas))
        tags.append(tagged(3, b"".join(part)))
    if m.adding_replicas is not None:
        part = []
        n = len(m.adding_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.adding_replicas))
        tags.append(tagged(4, b"".join(part)))
    if m.leader_recovery_state != -1:
        part = []
        part.append(pack_b(m.leader_recovery_state))
        tags.append(tagged(5, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_partition_change_record_v1(out: list[bytes], m: PartitionChangeRecord) -> None:
    put = out.append
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionChangeRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionChangeRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    tags: list[bytes] = []
    part: list[bytes]
    if m.isr is not None:
        part = []
        n = len(m.isr) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.isr))
        tags.append(tagged(0, b"".join(part)))
    if m.leader != -2:
        part = []
        part.append(pack_i(m.leader))
        tags.append(tagged(1, b"".join(part)))
    if m.replicas is not None:
        part = []
        n = len(m.replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.replicas))
        tags.append(tagged(2, b"".join(part)))
    if m.removing_replicas is not None:
        part = []
        n = len(m.removing_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.removing_replicas))
        tags.append(tagged(3, b"".join(part)))
    if m.adding_replicas is not None:
        part = []
        n = len(m.adding_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.adding_replicas))
        tags.append(tagged(4, b"".join(part)))
    if m.leader_recovery_state != -1:
        part = []
        part.append(pack_b(m.leader_recovery_state))
        tags.append(tagged(5, b"".join(part)))
    if m.directories is not None:
        part = []
        n = len(m.directories) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.directories)
        tags.append(tagged(8, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_partition_change_record_v2(out: list[bytes], m: PartitionChangeRecord) -> None:
    put = out.append
    put(pack_i16s(m.partition_id, m.topic_id))
    tags: list[bytes] = []
    part: list[bytes]
    if m.isr is not None:
        part = []
        n = len(m.isr) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.isr))
        tags.append(tagged(0, b"".join(part)))
    if m.leader != -2:
        part = []
        part.append(pack_i(m.leader))
        tags.append(tagged(1, b"".join(part)))
    if m.replicas is not None:
        part = []
        n = len(m.replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.replicas))
        tags.append(tagged(2, b"".join(part)))
    if m.removing_replicas is not None:
        part = []
        n = len(m.removing_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.removing_replicas))
        tags.append(tagged(3, b"".join(part)))
    if m.adding_replicas is not None:
        part = []
        n = len(m.adding_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.adding_replicas))
        tags.append(tagged(4, b"".join(part)))
    if m.leader_recovery_state != -1:
        part = []
        part.append(pack_b(m.leader_recovery_state))
        tags.append(tagged(5, b"".join(part)))
    if m.eligible_leader_replicas is not None:
        part = []
        n = len(m.eligible_leader_replicas) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.eligible_leader_replicas))
        tags.append(tagged(6, b"".join(part)))
    if m.last_known_elr is not None:
        part = []
        n = len(m.last_known_elr) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(pack_int32s(m.last_known_elr))
        tags.append(tagged(7, b"".join(part)))
    if m.directories is not None:
        part = []
        n = len(m.directories) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.directories)
        tags.append(tagged(8, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_fence_broker_record_v0(out: list[bytes], m: FenceBrokerRecord) -> None:
    put = out.append
    put(pack_iqx(m.id, m.epoch))


def write_unfence_broker_record_v0(out: list[bytes], m: UnfenceBrokerRecord) -> None:
    put = out.append
    put(pack_iqx(m.id, m.epoch))


def write_remove_topic_record_v0(out: list[bytes], m: RemoveTopicRecord) -> None:
    put = out.append
    put(pack_16sx(m.topic_id))


def write_feature_level_record_v0(out: list[bytes], m: FeatureLevelRecord) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_hx(m.feature_level))


def write_producer_ids_record_v0(out: list[bytes], m: ProducerIdsRecord) -> None:
    put = out.append
    put(pack_iqqx(m.broker_id, m.broker_epoch, m.next_producer_id))


def write_broker_registration_change_record_v0(out: list[bytes], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    if m.in_controlled_shutdown != 0:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.in_controlled_shutdown exists in versions 1+ only")
    if m.log_dirs:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.log_dirs exists in versions 2+ only")
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.cordoned_log_dirs exists in versions 3+ only")
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[bytes] = []
    part: list[bytes]
    if m.fenced != 0:
        part = []
        part.append(pack_b(m.fenced))
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_broker_registration_change_record_v1(out: list[bytes], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    if m.log_dirs:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.log_dirs exists in versions 2+ only")
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.cordoned_log_dirs exists in versions 3+ only")
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[bytes] = []
    part: list[bytes]
    if m.fenced != 0:
        part = []
        part.append(pack_b(m.fenced))
        tags.append(tagged(0, b"".join(part)))
    if m.in_controlled_shutdown != 0:
        part = []
        part.append(pack_b(m.in_controlled_shutdown))
        tags.append(tagged(1, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_broker_registration_change_record_v2(out: list[bytes], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.cordoned_log_dirs exists in versions 3+ only")
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[bytes] = []
    part: list[bytes]
    if m.fenced != 0:
        part = []
        part.append(pack_b(m.fenced))
        tags.append(tagged(0, b"".join(part)))
    if m.in_controlled_shutdown != 0:
        part = []
        part.append(pack_b(m.in_controlled_shutdown))
        tags.append(tagged(1, b"".join(part)))
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(2, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_broker_registration_change_record_v3(out: list[bytes], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[bytes] = []
    part: list[bytes]
    if m.fenced != 0:
        part = []
        part.append(pack_b(m.fenced))
        tags.append(tagged(0, b"".join(part)))
    if m.in_controlled_shutdown != 0:
        part = []
        part.append(pack_b(m.in_controlled_shutdown))
        tags.append(tagged(1, b"".join(part)))
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(2, b"".join(part)))
    if m.cordoned_log_dirs is not None:
        part = []
        n = len(m.cordoned_log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.cordoned_log_dirs)
        tags.append(tagged(3, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_no_op_record_v0(out: list[bytes], m: NoOpRecord) -> None:
    put = out.append
    put(b"\0")


def write_begin_transaction_record_v0(out: list[bytes], m: BeginTransactionRecord) -> None:
    put = out.append
    tags: list[bytes] = []
    part: list[bytes]
    if m.name is not None:
        part = []
        text = m.name.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_end_transaction_record_v0(out: list[bytes], m: EndTransactionRecord) -> None:
    put = out.append
    put(b"\0")


def write_abort_transaction_record_v0(out: list[bytes], m: AbortTransactionRecord) -> None:
    put = out.append
    tags: list[bytes] = []
    part: list[bytes]
    if m.reason is not None:
        part = []
        text = m.reason.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_controller_endpoint_v0_list(out: list[bytes], items: list[ControllerEndpoint]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_Hhx(m.port, m.security_protocol))


def write_controller_feature_v0_list(out: list[bytes], items: list[ControllerFeature]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.min_supported_version, m.max_supported_version))


def write_register_controller_record_v0(out: list[bytes], m: RegisterControllerRecord) -> None:
    put = out.append
    put(pack_i16sZ(m.controller_id, m.incarnation_id, m.zk_migration_ready))
    n = len(m.end_points) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_controller_endpoint_v0_list(out, m.end_points)
    n = len(m.features) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_controller_feature_v0_list(out, m.features)
    put(b"\0")


def write_clear_elr_record_v0(out: list[bytes], m: ClearElrRecord) -> None:
    put = out.append
    text = m.topic_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(b"\0")


RegisterBrokerRecord.READERS = {
    0: read_register_broker_record_v0,
    1: read_register_broker_record_v1,
    2: read_register_broker_record_v2,
    3: read_register_broker_record_v3,
    4: read_register_broker_record_v4,
}
RegisterBrokerRecord.WRITERS = {
    0: write_register_broker_record_v0,
    1: write_register_broker_record_v1,
    2: write_register_broker_record_v2,
    3: write_register_broker_record_v3,
    4: write_register_broker_record_v4,
}
UnregisterBrokerRecord.READERS = {
    0: read_unregister_broker_record_v0,
}
UnregisterBrokerRecord.WRITERS = {
    0: write_unregister_broker_record_v0,
}
TopicRecord.READERS = {
    0: read_topic_record_v0,
}
TopicRecord.WRITERS = {
    0: write_topic_record_v0,
}
PartitionRecord.READERS = {
    0: read_partition_record_v0,
    1: read_partition_record_v1,
    2: read_partition_record_v2,
}
PartitionRecord.WRITERS = {
    0: write_partition_record_v0,
    1: write_partition_record_v1,
    2: write_partition_record_v2,
}
ConfigRecord.READERS = {
    0: read_config_record_v0,
}
ConfigRecord.WRITERS = {
    0: write_config_record_v0,
}
PartitionChangeRecord.READERS = {
    0: read_partition_change_record_v0,
    1: read_partition_change_record_v1,
    2: read_partition_change_record_v2,
}
PartitionChangeRecord.WRITERS = {
    0: write_partition_change_record_v0,
    1: write_partition_change_record_v1,
    2: write_partition_change_record_v2,
}
FenceBrokerRecord.READERS = {
    0: read_fence_broker_record_v0,
}
FenceBrokerRecord.WRITERS = {
    0: write_fence_broker_record_v0,
}
UnfenceBrokerRecord.READERS = {
    0: read_unfence_broker_record_v0,
}
UnfenceBrokerRecord.WRITERS = {
    0: write_unfence_broker_record_v0,
}
RemoveTopicRecord.READERS = {
    0: read_remove_topic_record_v0,
}
RemoveTopicRecord.WRITERS = {
    0: write_remove_topic_record_v0,
}
FeatureLevelRecord.READERS = {
    0: read_feature_level_record_v0,
}
FeatureLevelRecord.WRITERS = {
    0: write_feature_level_record_v0,
}
ProducerIdsRecord.READERS = {
    0: read_producer_ids_record_v0,
}
ProducerIdsRecord.WRITERS = {
    0: write_producer_ids_record_v0,
}
BrokerRegistrationChangeRecord.READERS = {
    0: read_broker_registration_change_record_v0,
    1: read_broker_registration_change_record_v1,
    2: read_broker_registration_change_record_v2,
    3: read_broker_registration_change_record_v3,
}
BrokerRegistrationChangeRecord.WRITERS = {
    0: write_broker_registration_change_record_v0,
    1: write_broker_registration_change_record_v1,
    2: write_broker_registration_change_record_v2,
    3: write_broker_registration_change_record_v3,
}
NoOpRecord.READERS = {
    0: read_no_op_record_v0,
}
NoOpRecord.WRITERS = {
    0: write_no_op_record_v0,
}
BeginTransactionRecord.READERS = {
    0: read_begin_transaction_record_v0,
}
BeginTransactionRecord.WRITERS = {
    0: write_begin_transaction_record_v0,
}
EndTransactionRecord.READERS = {
    0: read_end_transaction_record_v0,
}
EndTransactionRecord.WRITERS = {
    0: write_end_transaction_record_v0,
}
AbortTransactionRecord.READERS = {
    0: read_abort_transaction_record_v0,
}
AbortTransactionRecord.WRITERS = {
    0: write_abort_transaction_record_v0,
}
RegisterControllerRecord.READERS = {
    0: read_register_controller_record_v0,
}
RegisterControllerRecord.WRITERS = {
    0: write_register_controller_record_v0,
}
ClearElrRecord.READERS = {
    0: read_clear_elr_record_v0,
}
ClearElrRecord.WRITERS = {
    0: write_clear_elr_record_v0,
}
