"""Compiled modules: the path of heartbeats, commits, transactions, appends and fetches, and nothing else.

More modules could be compiled, but a C compiler takes 15 s per thousand lines of source. Modules that are left out work
with compiled ones.

A compiled nested function refers to itself through its closure, which is a cycle for each call: the collector took a
tenth of a transaction's time. Callbacks that wait for an answer are therefore a `partial`
(tests/broker/server/test_cycles.py).
"""

from __future__ import annotations

from pathlib import Path

MODULES = """
    protocol/wire protocol/message protocol/codec protocol/dialect protocol/frames
    protocol/records protocol/batches protocol/coordinator_logs/consumer_offsets
    protocol/generated/heartbeat protocol/generated/offset_commit protocol/generated/consumer_offsets
    protocol/generated/readers/heartbeat protocol/generated/readers/offset_commit
    protocol/generated/writers/heartbeat protocol/generated/writers/offset_commit
    protocol/generated/writers/consumer_offsets
    protocol/generated/consumer_group_heartbeat protocol/generated/readers/consumer_group_heartbeat
    protocol/generated/writers/consumer_group_heartbeat
    coordinator/shard coordinator/answers
    coordinator/groups/commands coordinator/groups/records coordinator/groups/answers
    coordinator/timer_heap coordinator/groups/timers coordinator/groups/state coordinator/groups/shard
    coordinator/groups/classic/group coordinator/groups/classic/heartbeat
    coordinator/groups/offsets/changes coordinator/groups/offsets/commit
    coordinator/groups/consumer/member coordinator/groups/consumer/unchanged_heartbeat
    runtime/host runtime/held_replies runtime/codecs
    broker/loop/turn broker/loop/clock broker/loop/schedule broker/coordinators/guarded_callback
    broker/requests/request broker/requests/route broker/requests/steps broker/requests/partition_results
    broker/requests/authorization
    coordinator/metadata/authorizer
    broker/coordinators/served_shard broker/coordinators/groups
    broker/server/dispatch broker/server/metered_request broker/server/connection broker/server/sockets
    broker/server/short_requests broker/server/tls_transport
    broker/handlers/offset_commit broker/handlers/heartbeat broker/handlers/consumer_group_heartbeat
    protocol/generated/streams_group_heartbeat protocol/generated/readers/streams_group_heartbeat
    protocol/generated/writers/streams_group_heartbeat
    coordinator/groups/streams/unchanged_heartbeat broker/handlers/streams_group_heartbeat
    protocol/generated/offset_fetch protocol/generated/readers/offset_fetch protocol/generated/writers/offset_fetch
    coordinator/groups/offsets/fetch broker/handlers/offset_fetch
    protocol/record_walk protocol/record_runs
    protocol/coordinator_logs/transaction_state protocol/transaction_markers
    protocol/generated/transaction_state
    protocol/generated/writers/transaction_state
    protocol/generated/add_partitions_to_txn protocol/generated/add_offsets_to_txn protocol/generated/produce
    protocol/generated/txn_offset_commit protocol/generated/end_txn
    protocol/generated/readers/add_partitions_to_txn protocol/generated/readers/add_offsets_to_txn
    protocol/generated/readers/txn_offset_commit protocol/generated/readers/end_txn protocol/generated/readers/produce
    protocol/generated/writers/add_partitions_to_txn protocol/generated/writers/add_offsets_to_txn
    protocol/generated/writers/txn_offset_commit protocol/generated/writers/end_txn protocol/generated/writers/produce
    coordinator/transactions/shard coordinator/transactions/partitions coordinator/transactions/end
    coordinator/transactions/transaction coordinator/transactions/state coordinator/transactions/records
    coordinator/transactions/commands coordinator/transactions/answers coordinator/transactions/effects
    coordinator/groups/offsets/commit_in_transaction coordinator/groups/offsets/pending
    protocol/coordinator_logs/partition
    runtime/transactions_codec
    broker/coordinators/transactions broker/coordinators/markers broker/coordinators/marker_waiters
    broker/requests/verification broker/logs/served_log
    broker/handlers/add_partitions_to_txn broker/handlers/add_offsets_to_txn broker/handlers/txn_offset_commit
    broker/handlers/end_txn broker/handlers/produce
    storage/log/partition storage/log/readable_log storage/log/producers storage/log/assigned_fields
    storage/log/segments storage/log/roll_and_retention
    storage/log/leader_epochs storage/log/validation storage/log/transactions
    storage/log/segment storage/log/index
    broker/server/client_memory broker/requests/fetch_sessions broker/handlers/fetch
    protocol/generated/fetch protocol/generated/readers/fetch protocol/generated/writers/fetch
"""

SUBCLASSED = frozenset({"Struct", "Message", "GroupsShard", "GroupsCodec", "Dispatcher", "Connection", "ServedLog"})
"""Compiled classes with interpreted subclasses: other messages, the logging codec, the tests' shards, what
`tenure.testing` makes go wrong, and the logs that the simulated bank watches."""


def files(package: Path) -> list[Path]:
    """Return the source files of `MODULES` under the package's directory."""
    return [package / f"{name}.py" for name in MODULES.split()]
