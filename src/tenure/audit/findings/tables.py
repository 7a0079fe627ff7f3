"""Tables of findings. They are computed from the collected tables, and replaced after each run."""

from typing import Final

import pyarrow as pa

from tenure.audit.tables import (
    EPOCH,
    GROUP,
    LOG_OFFSET,
    LOG_PARTITION,
    PARTITION,
    PLACE,
    TEXT,
    TIME,
    TOPIC,
    AuditTable,
    TableColumn,
)

PAUSE_MS: Final = TableColumn("pause_ms", pa.int64(), "Time between the two commits; null if there is no commit after.")

REBALANCE_COSTS: Final = AuditTable(
    "rebalance_costs",
    "One row for each row of `rebalances`, with its causes and its cost.",
    (
        *PLACE,
        TableColumn("group_type", TEXT, "`classic`, `consumer` or `streams`."),
        EPOCH,
        TableColumn("causes", pa.list_(TEXT), "Causes, see below; `unknown` if the records show none."),
        TableColumn("members", pa.int32(), "Number of members after the rebalance."),
        TableColumn(
            "moved", pa.int32(), "Number of partitions that got another owner between this rebalance and the next one."
        ),
        TableColumn(
            "moved_without_need",
            pa.int32(),
            "Number of moves that the best sticky assignment does not make; null if that assignment is unknown.",
        ),
        TableColumn("paused_ms", pa.int64(), "Sum of the pauses of the moved partitions."),
        TableColumn("longest_pause_ms", pa.int64(), "Longest of these pauses; null if there is none."),
    ),
)

PAUSES: Final = AuditTable(
    "pauses",
    "One row for each move of a partition: the pause between the last commit before the move and the first one after.",
    (
        *PLACE,
        EPOCH,
        TOPIC,
        PARTITION,
        TableColumn("previous_owner", TEXT, "Owner before the move."),
        TableColumn("owner", TEXT, "Owner after the move."),
        TableColumn("last_commit", TIME, "Last commit before the move; null if there is none."),
        TableColumn(
            "first_commit", TIME, "First commit after the move; null if there is none before the partition's next move."
        ),
        PAUSE_MS,
    ),
)

FLAPPING: Final = AuditTable(
    "flapping_members",
    "Members that left and came back several times within ten minutes.",
    (
        LOG_PARTITION,
        GROUP,
        TableColumn("member", TEXT, "Instance id, or client id and host of dynamic members."),
        TableColumn("returns", pa.int32(), "Maximum number of returns within ten minutes."),
        TableColumn("first_time", TIME, "Start of these ten minutes."),
        TableColumn("total_returns", pa.int32(), "Number of all returns."),
    ),
)

BACKWARD: Final = AuditTable(
    "backward_commits",
    "Commits with a lower offset than the one before.",
    (
        LOG_PARTITION,
        GROUP,
        TOPIC,
        PARTITION,
        TableColumn("time", TIME, "Timestamp of the commit; start of its minute if `from_offset` is null."),
        LOG_OFFSET,
        TableColumn("commits", pa.int64(), "Number of commits with a lower offset."),
        TableColumn(
            "from_offset",
            pa.int64(),
            "Offset of the previous commit; null if both are in one row of `commits`, which has no single offsets.",
        ),
        TableColumn("to_offset", pa.int64(), "Lower offset; null if `from_offset` is null."),
    ),
)

GROUPS: Final = AuditTable(
    "groups",
    "One row for each group, with its costs.",
    (
        LOG_PARTITION,
        GROUP,
        TableColumn("group_type", TEXT, "`classic`, `consumer`, `streams`, or `simple`: only offsets, no members."),
        TableColumn("members", pa.int32(), "Number of members at the end of the log."),
        TableColumn("first_time", TIME, "First rebalance or commit."),
        TableColumn("last_time", TIME, "Last rebalance or commit."),
        TableColumn("commits", pa.int64(), "Number of commits."),
        TableColumn("rebalances", pa.int32(), "Number of rebalances."),
        TableColumn("missed_epochs", pa.int32(), "Number of epochs that left no record."),
        TableColumn("moved", pa.int32(), "Number of moves of partitions."),
        TableColumn("moved_without_need", pa.int32(), "Number of moves that the best sticky assignment does not make."),
        TableColumn(
            "paused_ms", pa.int64(), "Sum of the pauses of all moved partitions: the cost by which groups are ranked."
        ),
        TableColumn("median_pause_ms", pa.int64(), "Median pause; null if there is none."),
        TableColumn("p99_pause_ms", pa.int64(), "99th percentile of the pauses; null if there is none."),
        TableColumn("restarts", pa.int32(), "How often a member left or was replaced."),
        TableColumn("deployments", pa.int32(), "How often more than half of the members left and came back."),
        TableColumn("deployment_moves", pa.int32(), "Number of moves of partitions during deployments."),
        TableColumn("flapping_members", pa.int32(), "Number of flapping members."),
        TableColumn("backward_commits", pa.int64(), "Number of commits with a lower offset than the one before."),
        TableColumn("expired_offsets", pa.int64(), "Number of committed offsets that were removed."),
        TableColumn("lag", pa.int64(), "Records behind the ends of the logs at the last sample; null without one."),
    ),
)

LAG: Final = AuditTable(
    "lag",
    "One row for each minute in which a group committed a partition and the end of the partition's log was sampled.",
    (
        LOG_PARTITION,
        GROUP,
        TOPIC,
        PARTITION,
        TableColumn("window", TIME, "Start of the minute, as in `commits`."),
        TableColumn(
            "committed_offset",
            pa.int64(),
            "Committed offset at the last sample of the minute, as if all commits of a minute were evenly spread.",
        ),
        TableColumn("end_offset", pa.int64(), "End of the log at this sample."),
        TableColumn("lag", pa.int64(), "Difference of the two, at least 0."),
    ),
)

FOUND: Final = (REBALANCE_COSTS, PAUSES, FLAPPING, BACKWARD, GROUPS, LAG)
"""Tables that are computed from one partition of `__consumer_offsets` after the other."""

ADVICE: Final = AuditTable(
    "advice",
    "One row for each change that would have helped an expensive group: the cost of its history without and with it.",
    (
        GROUP,
        TableColumn("aim", TEXT, "`fewer moves` or `shorter pauses`."),
        TableColumn("change", TEXT, "Change of the group, such as `static members`."),
        TableColumn("steps", pa.int32(), "Number of starts and ends of members that were replayed."),
        TableColumn("rebalances", pa.int32(), "Number of rebalances in the replay without the change."),
        TableColumn("moved", pa.int32(), "Number of moves of partitions without the change."),
        TableColumn("paused_ms", pa.int64(), "Sum of the pauses without the change."),
        TableColumn("rebalances_after", pa.int32(), "Number of rebalances with the change."),
        TableColumn("moved_after", pa.int32(), "Number of moves of partitions with the change."),
        TableColumn("paused_ms_after", pa.int64(), "Sum of the pauses with the change."),
    ),
)
"""Table of the recommended changes. The report writes it, because their effects come from simulations."""
