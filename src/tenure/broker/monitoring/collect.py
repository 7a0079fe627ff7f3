"""Collection of the values of all metrics from the objects that have them.

Groups are counted shard by shard; between two shards, the event loop serves clients.
"""

import asyncio
import os
import resource
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final, TypeAlias

from tenure.broker.config import keys
from tenure.broker.monitoring.catalogue import CATALOGUE
from tenure.broker.monitoring.loop_lag import Lag
from tenure.broker.quotas.client_quotas import QuotaKind
from tenure.broker.quotas.connection_limits import REFUSALS
from tenure.broker.requests.authorization import OPERATIONS
from tenure.broker.requests.context import Context
from tenure.broker.security.mechanisms import MECHANISMS
from tenure.broker.server.connection import TLS, UNKNOWN
from tenure.broker.server.server import Server
from tenure.coordinator.groups.causes import DEPARTURES, Cause
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.consumer.group import GroupState
from tenure.coordinator.groups.journal.sentences import trigger_of
from tenure.coordinator.groups.streams.group import GroupState as StreamsGroupState
from tenure.coordinator.transactions.states import NAMES
from tenure.limits.broker import LATE_TRANSACTION_BUFFER_MS, METRICS_TOPICS_MAX
from tenure.monitoring.exposition import Sample
from tenure.protocol.apis import ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS
from tenure.runtime.host import HostState

AnyState: TypeAlias = State | GroupState | StreamsGroupState
STATES_BY_TYPE: Final[Sequence[tuple[str, Iterable[AnyState]]]] = (
    (CLASSIC, State),
    (CONSUMER, GroupState),
    (STREAMS, StreamsGroupState),
)

MEMBERSHIP_APIS: Final = frozenset(
    {
        ApiKey.JOIN_GROUP,
        ApiKey.SYNC_GROUP,
        ApiKey.HEARTBEAT,
        ApiKey.LEAVE_GROUP,
        ApiKey.CONSUMER_GROUP_HEARTBEAT,
        ApiKey.STREAMS_GROUP_HEARTBEAT,
        ApiKey.OFFSET_COMMIT,
    }
)
FENCES: Final = (
    ErrorCode.FENCED_INSTANCE_ID,
    ErrorCode.ILLEGAL_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID,
    ErrorCode.FENCED_MEMBER_EPOCH,
    ErrorCode.STALE_MEMBER_EPOCH,
)
OTHER_TOPICS: Final = "(others)"
STARTED_S: Final = time.time()
"""Approximate start of the process: this module is loaded before the broker loads its logs."""

Found: TypeAlias = Iterator[tuple[str, Sample]]


async def collect(context: Context, server: Server, lag: Lag) -> dict[str, list[Sample]]:
    """Return the samples of all metrics in the catalogue, by metric name."""
    samples: dict[str, list[Sample]] = {metric.name: [] for metric in CATALOGUE}
    for found in (
        _process(),
        _lag(lag),
        _requests(server),
        _refusals(context),
        _throttling(context),
        _rebalances(context),
        _logs(context),
        _transactions(context),
        await _groups(context),
    ):
        for name, sample in found:
            samples[name].append(sample)
    return samples


def _refusals(context: Context) -> Found:
    """Yield the number of refusals by operation and resource type.

    Every combination is included, with 0 if there are none, so that collectors see the first refusal as an increase.
    """
    counts: Mapping[tuple[str, str], int] = {} if context.authorization is None else context.authorization.refusals
    for resource_type, operations in OPERATIONS.items():
        for operation in operations:
            labels = operation.name, resource_type.name
            yield "tenure_authorization_refusals_total", (labels, counts.get(labels, 0))


def _throttling(context: Context) -> Found:
    quotas = context.client_quotas
    for kind in QuotaKind:
        yield "tenure_throttled_requests_total", ((kind.value,), quotas.throttled[kind])
        yield "tenure_throttle_seconds_total", ((kind.value,), quotas.throttled_ms[kind] / 1000)


def _process() -> Found:
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield "tenure_build_info", ((_version(),), 1)
    yield "process_start_time_seconds", ((), STARTED_S)
    yield "process_cpu_seconds_total", ((), used.ru_utime + used.ru_stime)
    yield "process_resident_memory_bytes", ((), _resident_bytes(used.ru_maxrss))
    yield "process_open_fds", ((), _open_files())


def _version() -> str:
    try:
        return version("tenure")
    except PackageNotFoundError:  # run from a checkout
        return "0"


def _resident_bytes(most_kilobytes: int) -> int:
    """Return the resident memory of the process in bytes.

    On a system without /proc, return the greatest value so far, which is `most_kilobytes`.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return most_kilobytes * 1024


def _open_files() -> int:
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return 0


def _lag(lag: Lag) -> Found:
    yield "tenure_loop_lag_seconds", ((), lag.last_s)
    yield "tenure_loop_lag_max_seconds", ((), lag.most_s)


def _requests(server: Server) -> Found:
    yield "tenure_connections", ((), server.connections)
    yield "tenure_connections_accepted_total", ((), server.connections_accepted)
    for reason in REFUSALS:
        yield "tenure_connections_refused_total", ((reason,), server.admission.refused[reason])
    yield "tenure_connections_delayed_total", ((), server.admission.delayed)
    for mechanism in (*MECHANISMS, TLS, UNKNOWN):
        yield "tenure_authentication_failures_total", ((mechanism,), server.clients.login_failures[mechanism])
    requests: Counter[tuple[ApiKey, int]] = Counter()
    errors: Counter[tuple[ApiKey, int]] = Counter()
    for key, dialect in server.used_versions:
        api = ApiKey(key)
        requests[api, dialect.version] += dialect.requests
        for error_code, count in dialect.errors.items():
            errors[api, error_code] += count
    for (api, of_version), count in sorted(requests.items()):
        yield "tenure_requests_total", ((_named(api), str(of_version)), count)
    for (api, error_code), count in sorted(errors.items()):
        yield "tenure_request_errors_total", ((_named(api), ErrorCode(error_code).name), count)
    heartbeats = sum(_of_api(requests, api) for api in (ApiKey.HEARTBEAT, ApiKey.CONSUMER_GROUP_HEARTBEAT))
    yield "tenure_group_heartbeats_total", ((), heartbeats)
    refused = _of_api(errors, ApiKey.OFFSET_COMMIT)
    yield "tenure_offset_commits_total", (("accepted",), _of_api(requests, ApiKey.OFFSET_COMMIT) - refused)
    yield "tenure_offset_commits_total", (("refused",), refused)
    for fence in FENCES:
        yield "tenure_group_fences_total", ((fence.name,), sum(errors[api, fence] for api in MEMBERSHIP_APIS))


def _of_api(counted: Counter[tuple[ApiKey, int]], api: ApiKey) -> int:
    return sum(count for (of_api, _), count in counted.items() if of_api is api)


def _named(api: ApiKey) -> str:
    """Return the API's name as in Kafka's documentation, for example OffsetCommit for OFFSET_COMMIT."""
    return "".join(word.capitalize() for word in api.name.split("_"))


def _rebalances(context: Context) -> Found:
    tally, journal = context.journal.tally, context.journal
    for cause in Cause:
        yield "tenure_group_rebalances_total", ((trigger_of(cause),), tally.rebalances[cause])
        yield "tenure_group_epoch_moves_total", ((trigger_of(cause),), tally.epoch_moves[cause])
    for cause in DEPARTURES:
        yield "tenure_group_departures_total", ((trigger_of(cause),), tally.departures[cause])
    yield "tenure_group_sessions_expired_total", ((), tally.departures[Cause.SESSION_EXPIRED])
    yield "tenure_group_rebalances_superseded_total", ((), tally.superseded)
    yield "tenure_group_seats_taken_over_total", ((), tally.seats_taken_over)
    yield "tenure_journal_entries_total", (("written",), journal.entries_written)
    yield "tenure_journal_entries_total", (("lost",), journal.entries_lost)


def _logs(context: Context) -> Found:
    sizes: Counter[str] = Counter()
    failed = len(context.logs.unusable)
    damaged = missing = 0
    for (topic, _), served in context.logs.open.items():
        sizes[topic] += served.partition.size_bytes
        failed += served.partition.has_failed
        damaged += len(served.partition.copies)
        missing += sum(copy.next_offset - copy.first_offset for copy in served.partition.copies)
    largest = sizes.most_common(METRICS_TOPICS_MAX)
    for name, size_bytes in sorted(largest):
        yield "tenure_log_bytes", ((name,), size_bytes)
    if len(sizes) > len(largest):
        yield "tenure_log_bytes", ((OTHER_TOPICS,), sizes.total() - sum(size_bytes for _, size_bytes in largest))
    yield "tenure_topics", ((), sum(1 for _ in context.topics))
    yield "tenure_logs_failed", ((), failed)
    yield "tenure_log_damaged_ranges", ((), damaged)
    yield "tenure_log_missing_offsets", ((), missing)
    syncs = context.logs.syncs
    yield "tenure_log_sync_seconds", ((), syncs.sync_ns / 1e9, syncs.syncs)
    yield "tenure_log_sync_failures_total", ((), syncs.failures)


def _transactions(context: Context) -> Found:
    shards = [served.host.shard.transactions for served in context.transactions.active]
    states = Counter(found.state for transactions in shards for found in transactions.by_id.values())
    for state, name in NAMES.items():
        yield "tenure_transactions", ((name,), states[state])
    yield "tenure_transaction_timeouts_total", ((), sum(transactions.timed_out for transactions in shards))
    yield "tenure_transactional_ids_expired_total", ((), sum(transactions.ids_expired for transactions in shards))
    producers = [served.partition.producers for served in context.logs.open.values()]
    late_before_ms = context.wall_ms() - context.settings[keys.TRANSACTION_MAX_TIMEOUT_MS] - LATE_TRANSACTION_BUFFER_MS
    yield "tenure_producer_ids", ((), sum(len(of_partition.by_id) for of_partition in producers))
    late = sum(of_partition.has_late_transaction(late_before_ms) for of_partition in producers)
    yield "tenure_partitions_with_late_transactions", ((), late)


async def _groups(context: Context) -> Found:
    states: Counter[AnyState] = Counter()
    parked: Counter[str] = Counter()
    members = static = offsets_expired = 0
    for served in context.groups.active:
        shard = served.host.shard
        for group in shard.groups:
            states[group.state] += 1
            members += len(group.members)
            static += len(group.static_members)
        for classic in shard.classic_groups:
            parked["JoinGroup"] += len(classic.parked_joins)
            parked["SyncGroup"] += len(classic.parked_syncs)
        offsets_expired += shard.offsets_expired
        await asyncio.sleep(0)
    return _samples_of_groups(context, states, parked, static, members - static, offsets_expired)


def _samples_of_groups(
    context: Context,
    states: Counter[AnyState],
    parked: Counter[str],
    static: int,
    dynamic: int,
    offsets_expired: int,
) -> Found:
    for of_type, known in STATES_BY_TYPE:
        for state in known:
            yield "tenure_groups", ((of_type, state.value), states[state])
    yield "tenure_group_members", (("static",), static)
    yield "tenure_group_members", (("dynamic",), dynamic)
    yield "tenure_offsets_expired_total", ((), offsets_expired)
    for api, waiting in (("Fetch", len(context.parked)), *((api, parked[api]) for api in ("JoinGroup", "SyncGroup"))):
        yield "tenure_requests_parked", ((api,), waiting)
    for host_state in HostState:
        yield (
            "tenure_coordinator_shards",
            ((host_state.value,), sum(s.host.state is host_state for s in context.shards)),
        )
    for shard in context.shards:
        yield "tenure_coordinator_load_seconds", ((shard.name,), shard.load_s)
