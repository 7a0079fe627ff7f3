"""What is compiled: what a heartbeat and a commit pass through, and nothing else.

More of it would compile as well, but each thousand lines of source cost half a minute of a C compiler. A module that is
left out works with those that are in.
"""

from __future__ import annotations

from pathlib import Path

MODULES = """
    protocol/wire protocol/message protocol/codec protocol/dialect protocol/frames
    protocol/records protocol/consumer_offsets
    protocol/generated/heartbeat protocol/generated/offset_commit protocol/generated/consumer_offsets
    protocol/generated/readers/heartbeat protocol/generated/readers/offset_commit
    protocol/generated/writers/heartbeat protocol/generated/writers/offset_commit
    protocol/generated/writers/consumer_offsets
    protocol/generated/consumer_group_heartbeat protocol/generated/readers/consumer_group_heartbeat
    protocol/generated/writers/consumer_group_heartbeat
    coordinator/shard coordinator/answers
    coordinator/groups/commands coordinator/groups/records coordinator/groups/answers
    coordinator/deadlines coordinator/groups/deadlines coordinator/groups/state coordinator/groups/shard
    coordinator/groups/classic/group coordinator/groups/classic/heartbeat
    coordinator/groups/offsets/changes coordinator/groups/offsets/commit
    coordinator/groups/consumer/member coordinator/groups/consumer/steady
    runtime/host runtime/holding runtime/codecs
    broker/turn broker/request broker/route broker/dispatch broker/served_shard broker/groups
    broker/connection broker/sockets
    broker/handlers/offset_commit
"""

SUBCLASSED = frozenset({"Struct", "Message", "GroupsShard", "GroupsCodec", "Dispatcher", "Connection"})
"""Compiled classes below which interpreted ones stand: other messages, the narrating codec, the tests' shards, and what
`tenure.testing` makes go wrong."""


def files(package: Path) -> list[Path]:
    """The source files of `MODULES` under the package's directory."""
    return [package / f"{name}.py" for name in MODULES.split()]
