"""Catalogue of the broker's metrics: name, type, unit, labels and meaning. `docs/metrics.md` is generated from it.

Names follow Prometheus: the unit is last, and counters end in `_total`. Each value is one that the broker has anyway,
or a counter that requests increment; nothing is measured only for a metric.
"""

from typing import Final

from tenure.monitoring.exposition import Kind, Metric

C, G, S = Kind.COUNTER, Kind.GAUGE, Kind.SUMMARY

CATALOGUE: Final = (
    # --- the process ---
    Metric("tenure_build_info", G, "", "Always 1; the label names the release.", ("version",)),
    Metric("process_start_time_seconds", G, "seconds", "Start of the process, as Unix time."),
    Metric("process_cpu_seconds_total", C, "seconds", "Processor time of all threads."),
    Metric("process_resident_memory_bytes", G, "bytes", "Resident memory of the process."),
    Metric("process_open_fds", G, "files", "Open files, including connections."),
    Metric("tenure_loop_lag_seconds", G, "seconds", "Lag of the event loop at its last check, once a second."),
    Metric("tenure_loop_lag_max_seconds", G, "seconds", "Largest lag of the event loop in the last minute."),
    # --- requests ---
    Metric("tenure_connections", G, "connections", "Open client connections."),
    Metric("tenure_connections_accepted_total", C, "connections", "Client connections accepted."),
    Metric(
        "tenure_connections_refused_total",
        C,
        "connections",
        "Connections refused or closed by a limit: per_ip, ip_rate, or limit for max.connections.",
        ("reason",),
    ),
    Metric("tenure_connections_delayed_total", C, "connections", "New connections that waited because of a limit."),
    Metric(
        "tenure_authentication_failures_total",
        C,
        "failures",
        "Logins and TLS handshakes that failed, by SASL mechanism or TLS.",
        ("mechanism",),
    ),
    Metric("tenure_requests_total", C, "requests", "Requests received.", ("api", "version")),
    Metric(
        "tenure_request_errors_total",
        C,
        "errors",
        "Responses with an error; for Produce and Fetch, partitions. New dynamic members get MEMBER_ID_REQUIRED.",
        ("api", "error"),
    ),
    Metric("tenure_requests_parked", G, "requests", "Requests that wait for other members or for data.", ("api",)),
    Metric(
        "tenure_authorization_refusals_total",
        C,
        "refusals",
        "Operations on resources that the authorizer refused.",
        ("operation", "resource"),
    ),
    Metric("tenure_throttled_requests_total", C, "requests", "Requests throttled by a quota of clients.", ("quota",)),
    Metric("tenure_throttle_seconds_total", C, "seconds", "Time for which quotas muted connections.", ("quota",)),
    # --- groups ---
    Metric("tenure_groups", G, "groups", "Groups by type and state.", ("type", "state")),
    Metric("tenure_group_members", G, "members", "Members of all groups, static or dynamic.", ("kind",)),
    Metric("tenure_group_heartbeats_total", C, "requests", "Heartbeats received."),
    Metric(
        "tenure_offset_commits_total",
        C,
        "requests",
        "Offset commits, by outcome: accepted, or refused as a whole.",
        ("outcome",),
    ),
    Metric(
        "tenure_group_fences_total",
        C,
        "requests",
        "Requests refused because of an unknown or fenced member, or an old generation or epoch.",
        ("error",),
    ),
    Metric("tenure_group_rebalances_total", C, "rebalances", "Rebalances begun.", ("cause",)),
    Metric(
        "tenure_group_rebalances_superseded_total",
        C,
        "rebalances",
        "Rebalances followed by another one before all members had their new assignment.",
    ),
    Metric(
        "tenure_group_epoch_moves_total",
        C,
        "epochs",
        "Increments of consumer groups' epochs. All increments before the next assignment are one rebalance.",
        ("cause",),
    ),
    Metric(
        "tenure_group_seats_taken_over_total",
        C,
        "seats",
        "Restarts of static members without a rebalance.",
    ),
    Metric("tenure_group_departures_total", C, "members", "Members that left or were removed.", ("cause",)),
    Metric("tenure_group_sessions_expired_total", C, "members", "Members removed because their session expired."),
    Metric("tenure_offsets_expired_total", C, "offsets", "Committed offsets removed after their retention."),
    Metric(
        "tenure_journal_entries_total", C, "entries", "Entries of the rebalance journal, written or lost.", ("outcome",)
    ),
    # --- transactions ---
    Metric("tenure_transactions", G, "ids", "Transactional ids by the state of their transaction.", ("state",)),
    Metric("tenure_transaction_timeouts_total", C, "transactions", "Transactions aborted because of their timeout."),
    Metric("tenure_transactional_ids_expired_total", C, "ids", "Transactional ids removed because they were unused."),
    Metric(
        "tenure_producer_ids",
        G,
        "producers",
        "Idempotent and transactional producers of all partitions; one per producer and partition.",
    ),
    Metric(
        "tenure_partitions_with_late_transactions",
        G,
        "partitions",
        "Partitions with a transaction open beyond the maximum timeout: see `tenure transactions find-hanging`.",
    ),
    # --- coordinators and their logs ---
    Metric("tenure_coordinator_shards", G, "shards", "Coordinator shards by state.", ("state",)),
    Metric("tenure_coordinator_load_seconds", G, "seconds", "Duration of the last load of the shard.", ("shard",)),
    Metric("tenure_topics", G, "topics", "Topics, including internal ones."),
    Metric(
        "tenure_log_bytes",
        G,
        "bytes",
        "Size of the logs opened since the start; (others): all but the largest topics.",
        ("topic",),
    ),
    Metric("tenure_logs_failed", G, "logs", "Logs that refuse writes since their disk failed, or that are not served."),
    Metric("tenure_log_damaged_ranges", G, "ranges", "Damaged byte ranges set aside in logs opened since the start."),
    Metric("tenure_log_missing_offsets", G, "offsets", "Offsets that are missing because of damaged ranges."),
    Metric("tenure_log_sync_seconds", S, "seconds", "Duration of the syncs that make appended records durable."),
    Metric("tenure_log_sync_failures_total", C, "syncs", "Failed syncs."),
)
