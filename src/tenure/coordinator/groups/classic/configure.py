"""Changes of the configs of a classic group. A changed config may start a rebalance, or restart the initial delay."""

from tenure.coordinator.answers import ACCEPTED
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.rebalance import prepare_rebalance, wait_for_first_members
from tenure.coordinator.groups.classic.reserve import choose_reserve_members
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import ConfigureGroup
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.records import GroupConfigured
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now


def configure_group(
    groups: Groups, ask: AskId, group: ClassicGroup | None, configure: ConfigureGroup, now: Now
) -> CoordinatorResult:
    draft = Draft(groups, group or groups.new_classic_group(configure.group_id), now)
    before = draft.group.configs
    draft.emit(GroupConfigured(configure.group_id, configure.configs))
    if not configure.at_load:
        _follow(draft, before)
    draft.reply(ask, ACCEPTED)
    return draft.result()


def _follow(draft: Draft, before: GroupConfigs) -> None:
    group = draft.group
    after = group.configs
    if group.state is State.STABLE and after.group_rebalance_counter != before.group_rebalance_counter:
        prepare_rebalance(draft, Why(Cause.REQUESTED))
    elif after.target_group_size != before.target_group_size and _changes_reserve_members(group):
        prepare_rebalance(draft, Why(Cause.RESIZED))
    elif group.initial_remaining_ms is not None and _expected(after) != _expected(before):
        wait_for_first_members(draft)


def _changes_reserve_members(group: ClassicGroup) -> bool:
    """Return whether the present `target.group.size` requires other reserve members than the group has.

    False while members join, because the end of the join phase applies the new size anyway.
    """
    in_a_generation = group.state in (State.STABLE, State.COMPLETING_REBALANCE)
    return in_a_generation and choose_reserve_members(group) != group.reserve_members


def _expected(configs: GroupConfigs) -> tuple[object, int]:
    return configs.group_expected_instance_ids, configs.group_expected_timeout_ms
