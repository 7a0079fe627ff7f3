"""StaticBounceSilent: a whole group of static members restarts, one after the other, in any order."""

from random import Random

import pytest

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Joined
from tenure.protocol.errors import ErrorCode
from tests.coordinator.virtual_host import VirtualHost


@pytest.mark.parametrize("seed", range(20))
def test_static_members__all_restart_in_random_order__no_rebalance(seed: int) -> None:
    """Change neither generation nor assignments; no member has to join again."""
    random = Random(seed)
    host = VirtualHost()
    instance_ids = [f"web-{n}" for n in range(random.randint(1, 6))]
    ids = stable_static_group(host, instance_ids)
    generation_id = host.shard.digest()[0]["g"]["generation_id"]
    for instance_id in random.choices(instance_ids, k=10):
        host.tick_ms += random.randrange(3_000)
        for other in instance_ids:
            host.ask(commands.Heartbeat("g", ids[other], other, generation_id))
        host.ask(join(instance_id))
        answer = host.replies[-1][1]
        assert isinstance(answer, Joined), f"seed {seed}: {answer}"
        assert answer.generation_id == generation_id, f"seed {seed}"
        ids[instance_id] = answer.member_id
        host.ask(commands.SyncGroup("g", ids[instance_id], instance_id, generation_id, "consumer", "range", {}))
        assert host.replies[-1][1].assignment == instance_id.encode(), f"seed {seed}"  # type: ignore[attr-defined]
    codes = {getattr(answer, "error_code", ErrorCode.NONE) for _, answer in host.replies}
    assert codes == {ErrorCode.NONE}, f"seed {seed}: {codes}"
    assert host.shard.digest()[0]["g"]["generation_id"] == generation_id, f"seed {seed}"


def join(instance_id: str) -> commands.JoinGroup:
    return commands.JoinGroup("g", "", instance_id, "c", "/h", 30_000, 60_000, "consumer", [("range", b"x")])


def stable_static_group(host: VirtualHost, instance_ids: list[str]) -> dict[str, str]:
    """Return a Stable group in which each member has its own name as assignment; the first one leads."""
    asks = {host.ask(join(instance_id)): instance_id for instance_id in instance_ids}
    while len(host.replies) < len(instance_ids):
        host.next_moment(host.tick_ms + 60_000)
        host.turn()
    ids = {asks[ask]: answer.member_id for ask, answer in host.replies}  # type: ignore[attr-defined]
    generation_id = host.replies[0][1].generation_id  # type: ignore[attr-defined]
    host.replies.clear()
    for instance_id in reversed(instance_ids):
        assignments = {ids[other]: other.encode() for other in instance_ids} if instance_id == instance_ids[0] else {}
        host.ask(
            commands.SyncGroup("g", ids[instance_id], instance_id, generation_id, "consumer", "range", assignments)
        )
    host.replies.clear()
    return ids
