"""Every metric that the broker tells: name, kind, unit, labels, and what it means. `docs/metrics.md` has the same.

Names follow Prometheus: the unit last, `_total` for what only grows. Each value is a plain number that somebody keeps
anyway, or counts where it passes; nothing is measured for a metric's sake while a request is served, and everything is
read when it is asked for.
"""

from typing import Final

from tenure.monitoring.exposition import Kind, Metric

C, G, S = Kind.COUNTER, Kind.GAUGE, Kind.SUMMARY

CATALOGUE: Final = (
    # --- the process ---
    Metric("tenure_build_info", G, "", "Always 1; which release this is.", ("version",)),
    Metric("process_start_time_seconds", G, "seconds", "When the process began, as Unix time."),
    Metric("process_cpu_seconds_total", C, "seconds", "Processor time, of all threads."),
    Metric("process_resident_memory_bytes", G, "bytes", "Memory that the process holds."),
    Metric("process_open_fds", G, "files", "Open files, connections among them."),
    Metric("tenure_loop_lag_seconds", G, "seconds", "How late the event loop was when it was last looked at."),
    Metric("tenure_loop_lag_max_seconds", G, "seconds", "The most of that in the last minute."),
    # --- requests ---
    Metric("tenure_connections", G, "connections", "Open connections of clients."),
    Metric("tenure_connections_accepted_total", C, "connections", "Connections that clients have opened."),
    Metric("tenure_requests_total", C, "requests", "Requests that were read.", ("api", "version")),
    Metric(
        "tenure_request_errors_total",
        C,
        "errors",
        "Answers with an error; of Produce and Fetch, partitions. MEMBER_ID_REQUIRED is how dynamic members join.",
        ("api", "error"),
    ),
    Metric("tenure_requests_parked", G, "requests", "Requests that wait for others or for data.", ("api",)),
    # --- groups ---
    Metric("tenure_groups", G, "groups", "Groups by type and state.", ("type", "state")),
    Metric("tenure_group_members", G, "members", "Members of all groups, static or dynamic.", ("kind",)),
    Metric("tenure_group_heartbeats_total", C, "requests", "Heartbeats that were read."),
    Metric("tenure_offset_commits_total", C, "requests", "Commits, accepted or refused as a whole.", ("outcome",)),
    Metric(
        "tenure_group_fences_total",
        C,
        "requests",
        "Requests of members that hold no seat, or held it in another generation or epoch, or under another id.",
        ("error",),
    ),
    Metric("tenure_group_rebalances_total", C, "rebalances", "Rebalances that have begun.", ("cause",)),
    Metric(
        "tenure_group_rebalances_superseded_total",
        C,
        "rebalances",
        "Rebalances that the next one overtook before the leader's assignment came, or all members to the target.",
    ),
    Metric(
        "tenure_group_epoch_moves_total",
        C,
        "epochs",
        "Moves of the epochs of consumer groups; those that come before a target is computed are one rebalance.",
        ("cause",),
    ),
    Metric(
        "tenure_group_seats_taken_over_total",
        C,
        "seats",
        "Static members that came back, and nobody rebalanced.",
    ),
    Metric("tenure_group_departures_total", C, "members", "Members that went.", ("cause",)),
    Metric("tenure_group_sessions_expired_total", C, "members", "Of these, members that were silent for too long."),
    Metric("tenure_offsets_expired_total", C, "offsets", "Committed offsets that grew too old."),
    Metric("tenure_journal_entries_total", C, "entries", "Of the rebalance journal: written or lost.", ("outcome",)),
    # --- transactions ---
    Metric("tenure_transactions", G, "ids", "Transactional ids by the state of their transaction.", ("state",)),
    Metric("tenure_transaction_timeouts_total", C, "transactions", "Transactions that took too long and were aborted."),
    Metric("tenure_transactional_ids_expired_total", C, "ids", "Transactional ids that nobody used any more."),
    Metric(
        "tenure_producer_ids",
        G,
        "producers",
        "Idempotent and transactional producers that partitions remember, each as often as it has partitions.",
    ),
    Metric(
        "tenure_partitions_with_late_transactions",
        G,
        "partitions",
        "Partitions with a transaction that is open longer than any may be: `tenure transactions find-hanging`.",
    ),
    # --- coordinators and their logs ---
    Metric("tenure_coordinator_shards", G, "shards", "Parts of the coordinators by state.", ("state",)),
    Metric("tenure_coordinator_load_seconds", G, "seconds", "What its last load took.", ("shard",)),
    Metric("tenure_topics", G, "topics", "Topics, internal ones included."),
    Metric("tenure_log_bytes", G, "bytes", "Size of the logs that were opened since the start.", ("topic",)),
    Metric("tenure_logs_failed", G, "logs", "Logs that take no writes since their disk failed, or are not served."),
    Metric("tenure_log_sync_seconds", S, "seconds", "What it took to make appended records durable."),
    Metric("tenure_log_sync_failures_total", C, "syncs", "Syncs that failed."),
)
