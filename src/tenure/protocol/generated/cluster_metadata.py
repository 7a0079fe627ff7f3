"""Generated from `tenure/protocol/tables/cluster_metadata.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    ProducerId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class BrokerEndpoint(Struct):
    __slots__ = ("name", "host", "port", "security_protocol")

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
    __slots__ = ("name", "min_supported_version", "max_supported_version")

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
    __slots__ = ("broker_id", "is_migrating_zk_broker", "incarnation_id", "broker_epoch", "end_points", "features", "rack", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs")
    TABLE = "cluster_metadata"
    KEY = 0
    VERSIONS = range(0, 5)

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
    __slots__ = ("broker_id", "broker_epoch")
    TABLE = "cluster_metadata"
    KEY = 1
    VERSIONS = range(0, 1)

    def __init__(
        self,
        broker_id: BrokerId = BrokerId(0),
        broker_epoch: int = 0,
    ) -> None:
        self.broker_id: Final = broker_id
        self.broker_epoch: Final = broker_epoch


class TopicRecord(Message):
    __slots__ = ("name", "topic_id")
    TABLE = "cluster_metadata"
    KEY = 2
    VERSIONS = range(0, 1)

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id


class PartitionRecord(Message):
    __slots__ = ("partition_id", "topic_id", "replicas", "isr", "removing_replicas", "adding_replicas", "leader", "leader_recovery_state", "leader_epoch", "partition_epoch", "directories", "eligible_leader_replicas", "last_known_elr")
    TABLE = "cluster_metadata"
    KEY = 3
    VERSIONS = range(0, 3)

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
    __slots__ = ("resource_type", "resource_name", "name", "value")
    TABLE = "cluster_metadata"
    KEY = 4
    VERSIONS = range(0, 1)

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
    __slots__ = ("partition_id", "topic_id", "isr", "leader", "replicas", "removing_replicas", "adding_replicas", "leader_recovery_state", "directories", "eligible_leader_replicas", "last_known_elr")
    TABLE = "cluster_metadata"
    KEY = 5
    VERSIONS = range(0, 3)

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
    __slots__ = ("id", "epoch")
    TABLE = "cluster_metadata"
    KEY = 7
    VERSIONS = range(0, 1)

    def __init__(
        self,
        id: BrokerId = BrokerId(0),
        epoch: int = 0,
    ) -> None:
        self.id: Final = id
        self.epoch: Final = epoch


class UnfenceBrokerRecord(Message):
    __slots__ = ("id", "epoch")
    TABLE = "cluster_metadata"
    KEY = 8
    VERSIONS = range(0, 1)

    def __init__(
        self,
        id: BrokerId = BrokerId(0),
        epoch: int = 0,
    ) -> None:
        self.id: Final = id
        self.epoch: Final = epoch


class RemoveTopicRecord(Message):
    __slots__ = ("topic_id",)
    TABLE = "cluster_metadata"
    KEY = 9
    VERSIONS = range(0, 1)

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.topic_id: Final = topic_id


class UserScramCredentialRecord(Message):
    __slots__ = ("name", "mechanism", "salt", "stored_key", "server_key", "iterations")
    TABLE = "cluster_metadata"
    KEY = 11
    VERSIONS = range(0, 1)

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
        salt: bytes = b"",
        stored_key: bytes = b"",
        server_key: bytes = b"",
        iterations: int = 0,
    ) -> None:
        self.name: Final = name
        self.mechanism: Final = mechanism
        self.salt: Final = salt
        self.stored_key: Final = stored_key
        self.server_key: Final = server_key
        self.iterations: Final = iterations


class FeatureLevelRecord(Message):
    __slots__ = ("name", "feature_level")
    TABLE = "cluster_metadata"
    KEY = 12
    VERSIONS = range(0, 1)

    def __init__(
        self,
        name: str = "",
        feature_level: int = 0,
    ) -> None:
        self.name: Final = name
        self.feature_level: Final = feature_level


class ClientQuotaEntity(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = "",
        entity_name: str | None = "",
    ) -> None:
        self.entity_type: Final = entity_type
        self.entity_name: Final = entity_name


class ClientQuotaRecord(Message):
    __slots__ = ("entity", "key", "value", "remove")
    TABLE = "cluster_metadata"
    KEY = 14
    VERSIONS = range(0, 1)

    def __init__(
        self,
        entity: list[ClientQuotaEntity] = EMPTY,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.entity: Final = [] if entity is EMPTY else entity
        self.key: Final = key
        self.value: Final = value
        self.remove: Final = remove


class ProducerIdsRecord(Message):
    __slots__ = ("broker_id", "broker_epoch", "next_producer_id")
    TABLE = "cluster_metadata"
    KEY = 15
    VERSIONS = range(0, 1)

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
    __slots__ = ("broker_id", "broker_epoch", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs")
    TABLE = "cluster_metadata"
    KEY = 17
    VERSIONS = range(0, 4)

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


class AccessControlEntryRecord(Message):
    __slots__ = ("id", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type")
    TABLE = "cluster_metadata"
    KEY = 18
    VERSIONS = range(0, 1)

    def __init__(
        self,
        id: bytes = bytes(16),
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 0,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.id: Final = id
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.pattern_type: Final = pattern_type
        self.principal: Final = principal
        self.host: Final = host
        self.operation: Final = operation
        self.permission_type: Final = permission_type


class RemoveAccessControlEntryRecord(Message):
    __slots__ = ("id",)
    TABLE = "cluster_metadata"
    KEY = 19
    VERSIONS = range(0, 1)

    def __init__(
        self,
        id: bytes = bytes(16),
    ) -> None:
        self.id: Final = id


class NoOpRecord(Message):
    __slots__ = ()
    TABLE = "cluster_metadata"
    KEY = 20
    VERSIONS = range(0, 1)


class RemoveUserScramCredentialRecord(Message):
    __slots__ = ("name", "mechanism")
    TABLE = "cluster_metadata"
    KEY = 22
    VERSIONS = range(0, 1)

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
    ) -> None:
        self.name: Final = name
        self.mechanism: Final = mechanism


class BeginTransactionRecord(Message):
    __slots__ = ("name",)
    TABLE = "cluster_metadata"
    KEY = 23
    VERSIONS = range(0, 1)

    def __init__(
        self,
        name: str | None = None,
    ) -> None:
        self.name: Final = name


class EndTransactionRecord(Message):
    __slots__ = ()
    TABLE = "cluster_metadata"
    KEY = 24
    VERSIONS = range(0, 1)


class AbortTransactionRecord(Message):
    __slots__ = ("reason",)
    TABLE = "cluster_metadata"
    KEY = 25
    VERSIONS = range(0, 1)

    def __init__(
        self,
        reason: str | None = None,
    ) -> None:
        self.reason: Final = reason


class ControllerEndpoint(Struct):
    __slots__ = ("name", "host", "port", "security_protocol")

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
    __slots__ = ("name", "min_supported_version", "max_supported_version")

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
    __slots__ = ("controller_id", "incarnation_id", "zk_migration_ready", "end_points", "features")
    TABLE = "cluster_metadata"
    KEY = 27
    VERSIONS = range(0, 1)

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
    __slots__ = ("topic_name",)
    TABLE = "cluster_metadata"
    KEY = 28
    VERSIONS = range(0, 1)

    def __init__(
        self,
        topic_name: TopicName = TopicName(""),
    ) -> None:
        self.topic_name: Final = topic_name
