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
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    joined,
    pack_compact_int32s,
    tagged,
    uvarint,
)

pack_16sb: Final = Packer(">16sb").pack
pack_16sx: Final = Packer(">16sx").pack
pack_ZZ: Final = Packer(">??").pack
pack_ZZx: Final = Packer(">??x").pack
pack_Zx: Final = Packer(">?x").pack
pack_Hhx: Final = Packer(">Hhx").pack
pack_b: Final = Packer(">b").pack
pack_bbx: Final = Packer(">bbx").pack
pack_bx: Final = Packer(">bx").pack
pack_dZx: Final = Packer(">d?x").pack
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
pack_ix: Final = Packer(">ix").pack


def write_broker_endpoint_v0_list(out: list[MessagePart], items: list[BrokerEndpoint]) -> None:
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


def write_broker_feature_v0_list(out: list[MessagePart], items: list[BrokerFeature]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.min_supported_version, m.max_supported_version))


def write_register_broker_record_v0(out: list[MessagePart], m: RegisterBrokerRecord) -> None:
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


def write_register_broker_record_v1(out: list[MessagePart], m: RegisterBrokerRecord) -> None:
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


def write_register_broker_record_v2(out: list[MessagePart], m: RegisterBrokerRecord) -> None:
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


def write_register_broker_record_v3(out: list[MessagePart], m: RegisterBrokerRecord) -> None:
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
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_register_broker_record_v4(out: list[MessagePart], m: RegisterBrokerRecord) -> None:
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
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(0, joined(part)))
    if m.cordoned_log_dirs is not None:
        part = []
        n = len(m.cordoned_log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.cordoned_log_dirs)
        tags.append(tagged(1, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_unregister_broker_record_v0(out: list[MessagePart], m: UnregisterBrokerRecord) -> None:
    put = out.append
    put(pack_iqx(m.broker_id, m.broker_epoch))


def write_topic_record_v0(out: list[MessagePart], m: TopicRecord) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_16sx(m.topic_id))


def write_partition_record_v0(out: list[MessagePart], m: PartitionRecord) -> None:
    put = out.append
    if m.directories:
        raise UnsupportedVersion("PartitionRecord.directories exists in versions 1+ only")
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    put(pack_compact_int32s(m.replicas))
    put(pack_compact_int32s(m.isr))
    put(pack_compact_int32s(m.removing_replicas))
    put(pack_compact_int32s(m.adding_replicas))
    put(pack_iii(m.leader, m.leader_epoch, m.partition_epoch))
    tags: list[MessagePart] = []
    if m.leader_recovery_state != 0:
        tags.append(b'\x00\x01' + pack_b(m.leader_recovery_state))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_partition_record_v1(out: list[MessagePart], m: PartitionRecord) -> None:
    put = out.append
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    put(pack_compact_int32s(m.replicas))
    put(pack_compact_int32s(m.isr))
    put(pack_compact_int32s(m.removing_replicas))
    put(pack_compact_int32s(m.adding_replicas))
    put(pack_iii(m.leader, m.leader_epoch, m.partition_epoch))
    n = len(m.directories) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    out.extend(m.directories)
    tags: list[MessagePart] = []
    if m.leader_recovery_state != 0:
        tags.append(b'\x00\x01' + pack_b(m.leader_recovery_state))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_partition_record_v2(out: list[MessagePart], m: PartitionRecord) -> None:
    put = out.append
    put(pack_i16s(m.partition_id, m.topic_id))
    put(pack_compact_int32s(m.replicas))
    put(pack_compact_int32s(m.isr))
    put(pack_compact_int32s(m.removing_replicas))
    put(pack_compact_int32s(m.adding_replicas))
    put(pack_iii(m.leader, m.leader_epoch, m.partition_epoch))
    n = len(m.directories) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    out.extend(m.directories)
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.leader_recovery_state != 0:
        tags.append(b'\x00\x01' + pack_b(m.leader_recovery_state))
    if m.eligible_leader_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.eligible_leader_replicas))
        tags.append(tagged(1, joined(part)))
    if m.last_known_elr is not None:
        part = []
        part.append(pack_compact_int32s(m.last_known_elr))
        tags.append(tagged(2, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_config_record_v0(out: list[MessagePart], m: ConfigRecord) -> None:
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


def write_partition_change_record_v0(out: list[MessagePart], m: PartitionChangeRecord) -> None:
    put = out.append
    if m.directories is not None:
        raise UnsupportedVersion("PartitionChangeRecord.directories exists in versions 1+ only")
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionChangeRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionChangeRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.isr is not None:
        part = []
        part.append(pack_compact_int32s(m.isr))
        tags.append(tagged(0, joined(part)))
    if m.leader != -2:
        tags.append(b'\x01\x04' + pack_i(m.leader))
    if m.replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.replicas))
        tags.append(tagged(2, joined(part)))
    if m.removing_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.removing_replicas))
        tags.append(tagged(3, joined(part)))
    if m.adding_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.adding_replicas))
        tags.append(tagged(4, joined(part)))
    if m.leader_recovery_state != -1:
        tags.append(b'\x05\x01' + pack_b(m.leader_recovery_state))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_partition_change_record_v1(out: list[MessagePart], m: PartitionChangeRecord) -> None:
    put = out.append
    if m.eligible_leader_replicas is not None:
        raise UnsupportedVersion("PartitionChangeRecord.eligible_leader_replicas exists in versions 2+ only")
    if m.last_known_elr is not None:
        raise UnsupportedVersion("PartitionChangeRecord.last_known_elr exists in versions 2+ only")
    put(pack_i16s(m.partition_id, m.topic_id))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.isr is not None:
        part = []
        part.append(pack_compact_int32s(m.isr))
        tags.append(tagged(0, joined(part)))
    if m.leader != -2:
        tags.append(b'\x01\x04' + pack_i(m.leader))
    if m.replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.replicas))
        tags.append(tagged(2, joined(part)))
    if m.removing_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.removing_replicas))
        tags.append(tagged(3, joined(part)))
    if m.adding_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.adding_replicas))
        tags.append(tagged(4, joined(part)))
    if m.leader_recovery_state != -1:
        tags.append(b'\x05\x01' + pack_b(m.leader_recovery_state))
    if m.directories is not None:
        part = []
        n = len(m.directories) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.directories)
        tags.append(tagged(8, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_partition_change_record_v2(out: list[MessagePart], m: PartitionChangeRecord) -> None:
    put = out.append
    put(pack_i16s(m.partition_id, m.topic_id))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.isr is not None:
        part = []
        part.append(pack_compact_int32s(m.isr))
        tags.append(tagged(0, joined(part)))
    if m.leader != -2:
        tags.append(b'\x01\x04' + pack_i(m.leader))
    if m.replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.replicas))
        tags.append(tagged(2, joined(part)))
    if m.removing_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.removing_replicas))
        tags.append(tagged(3, joined(part)))
    if m.adding_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.adding_replicas))
        tags.append(tagged(4, joined(part)))
    if m.leader_recovery_state != -1:
        tags.append(b'\x05\x01' + pack_b(m.leader_recovery_state))
    if m.eligible_leader_replicas is not None:
        part = []
        part.append(pack_compact_int32s(m.eligible_leader_replicas))
        tags.append(tagged(6, joined(part)))
    if m.last_known_elr is not None:
        part = []
        part.append(pack_compact_int32s(m.last_known_elr))
        tags.append(tagged(7, joined(part)))
    if m.directories is not None:
        part = []
        n = len(m.directories) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.directories)
        tags.append(tagged(8, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_fence_broker_record_v0(out: list[MessagePart], m: FenceBrokerRecord) -> None:
    put = out.append
    put(pack_iqx(m.id, m.epoch))


def write_unfence_broker_record_v0(out: list[MessagePart], m: UnfenceBrokerRecord) -> None:
    put = out.append
    put(pack_iqx(m.id, m.epoch))


def write_remove_topic_record_v0(out: list[MessagePart], m: RemoveTopicRecord) -> None:
    put = out.append
    put(pack_16sx(m.topic_id))


def write_user_scram_credential_record_v0(out: list[MessagePart], m: UserScramCredentialRecord) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_b(m.mechanism))
    n = len(m.salt) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.salt)
    n = len(m.stored_key) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.stored_key)
    n = len(m.server_key) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.server_key)
    put(pack_ix(m.iterations))


def write_feature_level_record_v0(out: list[MessagePart], m: FeatureLevelRecord) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_hx(m.feature_level))


def write_client_quota_entity_v0_list(out: list[MessagePart], items: list[ClientQuotaEntity]) -> None:
    put = out.append
    for m in items:
        text = m.entity_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.entity_name is None:
            put(b"\0")
        else:
            text = m.entity_name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_client_quota_record_v0(out: list[MessagePart], m: ClientQuotaRecord) -> None:
    put = out.append
    n = len(m.entity) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_client_quota_entity_v0_list(out, m.entity)
    text = m.key.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_dZx(m.value, m.remove))


def write_producer_ids_record_v0(out: list[MessagePart], m: ProducerIdsRecord) -> None:
    put = out.append
    put(pack_iqqx(m.broker_id, m.broker_epoch, m.next_producer_id))


def write_broker_registration_change_record_v0(out: list[MessagePart], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    if m.in_controlled_shutdown != 0:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.in_controlled_shutdown exists in versions 1+ only")
    if m.log_dirs:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.log_dirs exists in versions 2+ only")
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.cordoned_log_dirs exists in versions 3+ only")
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[MessagePart] = []
    if m.fenced != 0:
        tags.append(b'\x00\x01' + pack_b(m.fenced))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_broker_registration_change_record_v1(out: list[MessagePart], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    if m.log_dirs:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.log_dirs exists in versions 2+ only")
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.cordoned_log_dirs exists in versions 3+ only")
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[MessagePart] = []
    if m.fenced != 0:
        tags.append(b'\x00\x01' + pack_b(m.fenced))
    if m.in_controlled_shutdown != 0:
        tags.append(b'\x01\x01' + pack_b(m.in_controlled_shutdown))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_broker_registration_change_record_v2(out: list[MessagePart], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    if m.cordoned_log_dirs is not None:
        raise UnsupportedVersion("BrokerRegistrationChangeRecord.cordoned_log_dirs exists in versions 3+ only")
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.fenced != 0:
        tags.append(b'\x00\x01' + pack_b(m.fenced))
    if m.in_controlled_shutdown != 0:
        tags.append(b'\x01\x01' + pack_b(m.in_controlled_shutdown))
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(2, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_broker_registration_change_record_v3(out: list[MessagePart], m: BrokerRegistrationChangeRecord) -> None:
    put = out.append
    put(pack_iq(m.broker_id, m.broker_epoch))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.fenced != 0:
        tags.append(b'\x00\x01' + pack_b(m.fenced))
    if m.in_controlled_shutdown != 0:
        tags.append(b'\x01\x01' + pack_b(m.in_controlled_shutdown))
    if m.log_dirs:
        part = []
        n = len(m.log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.log_dirs)
        tags.append(tagged(2, joined(part)))
    if m.cordoned_log_dirs is not None:
        part = []
        n = len(m.cordoned_log_dirs) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.extend(m.cordoned_log_dirs)
        tags.append(tagged(3, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_access_control_entry_record_v0(out: list[MessagePart], m: AccessControlEntryRecord) -> None:
    put = out.append
    text = m.resource_name.encode()
    put(pack_16sb(m.id, m.resource_type))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.principal.encode()
    put(pack_b(m.pattern_type))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.host.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_bbx(m.operation, m.permission_type))


def write_remove_access_control_entry_record_v0(out: list[MessagePart], m: RemoveAccessControlEntryRecord) -> None:
    put = out.append
    put(pack_16sx(m.id))


def write_no_op_record_v0(out: list[MessagePart], m: NoOpRecord) -> None:
    put = out.append
    put(b"\0")


def write_remove_user_scram_credential_record_v0(out: list[MessagePart], m: RemoveUserScramCredentialRecord) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_bx(m.mechanism))


def write_begin_transaction_record_v0(out: list[MessagePart], m: BeginTransactionRecord) -> None:
    put = out.append
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.name is not None:
        part = []
        text = m.name.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_end_transaction_record_v0(out: list[MessagePart], m: EndTransactionRecord) -> None:
    put = out.append
    put(b"\0")


def write_abort_transaction_record_v0(out: list[MessagePart], m: AbortTransactionRecord) -> None:
    put = out.append
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.reason is not None:
        part = []
        text = m.reason.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_controller_endpoint_v0_list(out: list[MessagePart], items: list[ControllerEndpoint]) -> None:
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


def write_controller_feature_v0_list(out: list[MessagePart], items: list[ControllerFeature]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hhx(m.min_supported_version, m.max_supported_version))


def write_register_controller_record_v0(out: list[MessagePart], m: RegisterControllerRecord) -> None:
    put = out.append
    put(pack_i16sZ(m.controller_id, m.incarnation_id, m.zk_migration_ready))
    n = len(m.end_points) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_controller_endpoint_v0_list(out, m.end_points)
    n = len(m.features) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_controller_feature_v0_list(out, m.features)
    put(b"\0")


def write_clear_elr_record_v0(out: list[MessagePart], m: ClearElrRecord) -> None:
    put = out.append
    text = m.topic_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(b"\0")


RegisterBrokerRecord.WRITERS = {
    0: write_register_broker_record_v0,
    1: write_register_broker_record_v1,
    2: write_register_broker_record_v2,
    3: write_register_broker_record_v3,
    4: write_register_broker_record_v4,
}
UnregisterBrokerRecord.WRITERS = {
    0: write_unregister_broker_record_v0,
}
TopicRecord.WRITERS = {
    0: write_topic_record_v0,
}
PartitionRecord.WRITERS = {
    0: write_partition_record_v0,
    1: write_partition_record_v1,
    2: write_partition_record_v2,
}
ConfigRecord.WRITERS = {
    0: write_config_record_v0,
}
PartitionChangeRecord.WRITERS = {
    0: write_partition_change_record_v0,
    1: write_partition_change_record_v1,
    2: write_partition_change_record_v2,
}
FenceBrokerRecord.WRITERS = {
    0: write_fence_broker_record_v0,
}
UnfenceBrokerRecord.WRITERS = {
    0: write_unfence_broker_record_v0,
}
RemoveTopicRecord.WRITERS = {
    0: write_remove_topic_record_v0,
}
UserScramCredentialRecord.WRITERS = {
    0: write_user_scram_credential_record_v0,
}
FeatureLevelRecord.WRITERS = {
    0: write_feature_level_record_v0,
}
ClientQuotaRecord.WRITERS = {
    0: write_client_quota_record_v0,
}
ProducerIdsRecord.WRITERS = {
    0: write_producer_ids_record_v0,
}
BrokerRegistrationChangeRecord.WRITERS = {
    0: write_broker_registration_change_record_v0,
    1: write_broker_registration_change_record_v1,
    2: write_broker_registration_change_record_v2,
    3: write_broker_registration_change_record_v3,
}
AccessControlEntryRecord.WRITERS = {
    0: write_access_control_entry_record_v0,
}
RemoveAccessControlEntryRecord.WRITERS = {
    0: write_remove_access_control_entry_record_v0,
}
NoOpRecord.WRITERS = {
    0: write_no_op_record_v0,
}
RemoveUserScramCredentialRecord.WRITERS = {
    0: write_remove_user_scram_credential_record_v0,
}
BeginTransactionRecord.WRITERS = {
    0: write_begin_transaction_record_v0,
}
EndTransactionRecord.WRITERS = {
    0: write_end_transaction_record_v0,
}
AbortTransactionRecord.WRITERS = {
    0: write_abort_transaction_record_v0,
}
RegisterControllerRecord.WRITERS = {
    0: write_register_controller_record_v0,
}
ClearElrRecord.WRITERS = {
    0: write_clear_elr_record_v0,
}
