"""End of the broker's leadership of the shard (rule 6.5.5): parked requests are refused, classic groups become Dead."""

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups.commands import Resign
from tenure.coordinator.groups.records import GroupDied
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode


def resign(groups: Groups, ask: AskId, _: Resign, now: Now) -> CoordinatorResult:
    classic = groups.classic_groups()
    replies = [
        (parked, Refused(ErrorCode.NOT_COORDINATOR))
        for group in classic
        for parked in (*group.parked_joins.values(), *group.parked_syncs.values())
    ]
    records = [GroupDied(group.group_id, now.wall_ms) for group in classic]
    return CoordinatorResult(records, [*replies, (ask, ACCEPTED)])
