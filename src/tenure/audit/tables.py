"""Tables of an audit, with the meaning of each column. `docs/audit.md` lists them for users.

Each row that the pipeline writes contains the position of its source record (`log_partition`, `log_offset`), so the
order of a group's rows is that of its log. The pipeline writes each row exactly once. The driver writes LOG_ENDS and
TOPICS.
"""

from typing import Final, NamedTuple

import pyarrow as pa

TIME: Final = pa.timestamp("ms", "UTC")
TEXT: Final = pa.string()


class TableColumn(NamedTuple):
    name: str
    type: pa.DataType
    meaning: str


class AuditTable(NamedTuple):
    name: str
    """Name of the table and of its directory."""
    meaning: str
    columns: tuple[TableColumn, ...]

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([(column.name, column.type) for column in self.columns])


LOG_PARTITION: Final = TableColumn("log_partition", pa.int32(), "Partition of `__consumer_offsets`.")
LOG_OFFSET: Final = TableColumn("log_offset", pa.int64(), "Offset of the record.")
RECORD_TIME: Final = TableColumn("time", TIME, "Timestamp of the record: when the coordinator wrote it.")
GROUP: Final = TableColumn("group", TEXT, "Group.")
EPOCH: Final = TableColumn(
    "epoch", pa.int32(), "Generation of a classic group, group epoch of a consumer or streams group."
)
TOPIC: Final = TableColumn("topic", TEXT, "Topic; null if the records only have its id.")
TOPIC_ID: Final = TableColumn("topic_id", TEXT, "Topic id as 22 characters; null if the records only have the name.")
PARTITION: Final = TableColumn("partition", pa.int32(), "Partition of the topic.")
PLACE: Final = (LOG_PARTITION, LOG_OFFSET, RECORD_TIME, GROUP)

REBALANCES: Final = AuditTable(
    "rebalances",
    "One row for each new generation of a classic group and each new epoch of a consumer or streams group.",
    (
        *PLACE,
        TableColumn("group_type", TEXT, "`classic`, `consumer` or `streams`."),
        EPOCH,
        TableColumn(
            "missed_epochs",
            pa.int32(),
            "Number of epochs since the group's previous row that left no record; null for its first row.",
        ),
        TableColumn("protocol", TEXT, "Assignor of a classic group, as its members chose it."),
        TableColumn("members", pa.int32(), "Number of members after the rebalance."),
        TableColumn("joined", pa.int32(), "Number of members that joined, except those in `replaced`."),
        TableColumn("left", pa.int32(), "Number of members that left or timed out, except those in `replaced`."),
        TableColumn("replaced", pa.int32(), "Number of static members that returned under a new member id."),
        TableColumn("changed", pa.int32(), "Number of members whose subscription has changed."),
        TableColumn("causes", pa.list_(TEXT), "Causes that the records show; empty if they show none."),
        TableColumn(
            "needed_moves",
            pa.int32(),
            "Number of partitions that the best sticky assignment would have moved; null if unknown.",
        ),
    ),
)

MEMBERS: Final = AuditTable(
    "members",
    "One row for each member that joins, leaves, is replaced or changes its subscription.",
    (
        *PLACE,
        TableColumn(
            "epoch",
            pa.int32(),
            "Generation of a classic group after the event. Epoch of another group: after `left`, before other events.",
        ),
        TableColumn("event", TEXT, "`joined`, `left`, `replaced`, `changed` or `away` (static, will return)."),
        TableColumn("member_id", TEXT, "Member id."),
        TableColumn("instance_id", TEXT, "`group.instance.id` of a static member."),
        TableColumn("previous_member_id", TEXT, "Old member id of a replaced member. It is fenced from then on."),
        TableColumn("client_id", TEXT, "`client.id`."),
        TableColumn("client_host", TEXT, "Host of the member."),
        TableColumn("session_timeout_ms", pa.int32(), "Session timeout; null if it is a setting of the group."),
        TableColumn("rebalance_timeout_ms", pa.int32(), "Rebalance timeout."),
        TableColumn("topics", pa.list_(TEXT), "Subscribed topics."),
    ),
)

ASSIGNMENTS: Final = AuditTable(
    "assignments",
    "One row for each change of a partition's owner.",
    (
        *PLACE,
        EPOCH,
        TOPIC,
        TOPIC_ID,
        PARTITION,
        TableColumn("owner", TEXT, "Instance id of the new owner, or its member id; null without an owner."),
        TableColumn("member_id", TEXT, "Member id of the new owner."),
        TableColumn("previous_owner", TEXT, "Previous owner, named as in `owner`; null if it is unknown."),
        TableColumn("previous_member_id", TEXT, "Member id of the previous owner."),
        TableColumn("previous_since", TIME, "When the previous owner got the partition."),
        TableColumn("released", TIME, "When the previous owner lost it."),
        TableColumn("moved", pa.bool_(), "True if another owner than the previous one got the partition."),
    ),
)

COMMITS: Final = AuditTable(
    "commits",
    "Offset commits by partition and minute. A minute has several rows if the end of a batch or a change of the group's"
    " members divides it.",
    (
        LOG_PARTITION,
        GROUP,
        EPOCH,
        TableColumn(
            "assigned_at",
            pa.int64(),
            "Log offset of the last change of the group's members before these commits; -1 if there is none.",
        ),
        TOPIC,
        TOPIC_ID,
        PARTITION,
        TableColumn("window", TIME, "Start of the minute of the commit timestamps."),
        TableColumn("commits", pa.int64(), "Number of commits."),
        TableColumn(
            "backward", pa.int64(), "Number of commits with a lower offset than the previous commit of the row."
        ),
        TableColumn("first_log_offset", pa.int64(), "Log offset of the first commit."),
        TableColumn("last_log_offset", pa.int64(), "Log offset of the last commit."),
        TableColumn("first_offset", pa.int64(), "Committed offset of the first commit."),
        TableColumn("last_offset", pa.int64(), "Committed offset of the last commit."),
        TableColumn("first_time", TIME, "Timestamp of the first commit."),
        TableColumn("last_time", TIME, "Timestamp of the last commit."),
    ),
)

EXPIRED: Final = AuditTable(
    "expired_offsets",
    "One row for each committed offset that was removed: it expired, or it, its group or its topic was deleted.",
    (*PLACE, TOPIC, PARTITION),
)

RECORDS: Final = AuditTable(
    "records",
    "Records that were read, by type. Several rows for each type, one for each batch of the audit.",
    (
        LOG_PARTITION,
        TableColumn("record_type", pa.int16(), "Type of the key; -1 if it has none."),
        TableColumn("value_version", pa.int16(), "Version of the value; null for tombstones."),
        TableColumn("status", TEXT, "`read`, `unknown` (a type or version that Tenure does not know) or `damaged`."),
        TableColumn("records", pa.int64(), "Number of records."),
        TableColumn("first_log_offset", pa.int64(), "Offset of the first of these records."),
        TableColumn("last_log_offset", pa.int64(), "Offset of the last of these records."),
        TableColumn("first_time", TIME, "Timestamp of the first of these records."),
        TableColumn("last_time", TIME, "Timestamp of the last of these records."),
    ),
)

LOG_ENDS: Final = AuditTable(
    "log_ends",
    "Ends of the logs of committed partitions, sampled while the audit runs.",
    (
        TOPIC,
        PARTITION,
        TableColumn("time", TIME, "Time of the sample."),
        TableColumn("end_offset", pa.int64(), "End of the log."),
    ),
)

TOPICS: Final = AuditTable(
    "topics",
    "Names of topic ids, as the cluster had them while the audit ran.",
    (TOPIC, TOPIC_ID, TableColumn("partitions", pa.int32(), "Number of partitions.")),
)

COLLECTED: Final = (REBALANCES, MEMBERS, ASSIGNMENTS, COMMITS, EXPIRED, RECORDS)
"""Tables that the pipeline writes."""

SAMPLED: Final = (LOG_ENDS, TOPICS)
"""Tables that the driver writes while the pipeline runs."""
