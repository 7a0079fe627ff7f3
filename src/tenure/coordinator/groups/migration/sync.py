"""SyncGroup of a classic member to a consumer group (rule 3.9).

The coordinator assigns partitions, so an assignment from a leader is ignored.
"""

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.answers import Synced
from tenure.coordinator.groups.classic.subscriptions import CONSUMER
from tenure.coordinator.groups.classic.sync import names_its_protocol
from tenure.coordinator.groups.commands import SyncGroup
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import MemberState
from tenure.coordinator.groups.migration.embedded_protocol import encoded_assignment
from tenure.coordinator.groups.migration.request_sender import RequestSender, rejoin_timer, sender_of
from tenure.coordinator.groups.records import AssignmentFetched, SessionExtended
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode


def sync_consumer_group(
    groups: Groups, ask: AskId, group: ConsumerGroup, sync: SyncGroup, now: Now
) -> CoordinatorResult:
    if not names_its_protocol(sync):
        return refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    group_id, member_id = sync.group_id, sync.member_id
    sender = sender_of(group, member_id, sync.group_instance_id, sync.generation_id)
    if isinstance(sender, ErrorCode):
        return refuse(ask, sender)
    preferred = sender.classic.supported_protocols[0]
    if sync.protocol_type not in (None, CONSUMER) or sync.protocol_name not in (None, preferred.name):
        return refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if _is_behind(sender):
        result = refuse(ask, ErrorCode.REBALANCE_IN_PROGRESS)
        return CoordinatorResult(rejoin_timer(sender, now), result.replies)
    assignment = encoded_assignment(sender.member.assigned, preferred.metadata, groups.topics())
    deadline_ms = now.tick_ms + sender.session_timeout_ms
    records = (AssignmentFetched(group_id, member_id), SessionExtended(group_id, member_id, deadline_ms))
    return CoordinatorResult(records, ((ask, Synced(CONSUMER, preferred.name, assignment)),))


def _is_behind(sender: RequestSender) -> bool:
    """Return whether the member has to join again instead of syncing.

    A member that has partitions to give up may sync: it gets an assignment without them.
    """
    member = sender.member
    is_behind = member.member_epoch < sender.group.target_epoch
    return is_behind and member.state is not MemberState.UNREVOKED_PARTITIONS
