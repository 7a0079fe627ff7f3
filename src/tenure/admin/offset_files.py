"""Committed offsets as text: CSV as `kafka-consumer-groups --reset-offsets --export` writes it, or JSON.

CSV has rows `topic,partition,offset`, or `group,topic,partition,offset` where several groups are told of, and no
header. JSON also holds what CSV cannot: leader epochs and the metadata of each commit.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tenure.client.values import OffsetAndMetadata, TopicPartition

Offsets: TypeAlias = Mapping[TopicPartition, OffsetAndMetadata]

UNNAMED: Final = ""
"""The group of rows that name none."""


def to_csv(groups: Mapping[str, Offsets]) -> str:
    """Of one group without its name, as Kafka's tool does."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    for group_id, offsets in groups.items():
        name = [group_id] if len(groups) > 1 else []
        rows.writerows([*name, *partition, offsets[partition].offset] for partition in sorted(offsets))
    return out.getvalue()


def as_json(groups: Mapping[str, Offsets]) -> list[dict[str, object]]:
    return [
        {
            "group_id": group_id,
            "offsets": [partition._asdict() | offsets[partition]._asdict() for partition in sorted(offsets)],
        }
        for group_id, offsets in groups.items()
    ]


def read(text: str) -> dict[str, dict[TopicPartition, OffsetAndMetadata]]:
    """By group; rows that name no group stand under `UNNAMED`. Raises ValueError naming what cannot be read."""
    rows = _json_rows(text) if text.lstrip().startswith(("[", "{")) else _csv_rows(text)
    groups: dict[str, dict[TopicPartition, OffsetAndMetadata]] = {}
    for where, group_id, partition, offset in rows:
        if partition.partition < 0 or offset.offset < 0:
            raise ValueError(f"{where}: partitions and offsets are not negative")
        if groups.setdefault(group_id, {}).setdefault(partition, offset) != offset:
            raise ValueError(f"{where}: {partition} stood before with another offset")
    if not groups:
        raise ValueError("no offsets are in it")
    return groups


def of_group(groups: Mapping[str, Offsets], group_id: str) -> Offsets:
    """Those of a group by name, else those that name none. Raises ValueError naming what there is instead."""
    found = groups.get(group_id) or groups.get(UNNAMED)
    if found is None:
        named = ", ".join(f"'{name}'" for name in sorted(groups))
        raise ValueError(f"it holds the offsets of {named}, none of '{group_id}'; name the one to take with --from")
    return found


Row: TypeAlias = tuple[str, str, TopicPartition, OffsetAndMetadata]


def _csv_rows(text: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text), skipinitialspace=True)
    for row in reader:
        where = f"line {reader.line_num}"
        if not row:
            continue
        if len(row) not in (3, 4):
            raise ValueError(
                f"{where} has {len(row)} columns: topic,partition,offset are due, or the group before them"
            )
        *group, topic, partition, offset = row
        name = group[0] if group else UNNAMED
        yield where, name, TopicPartition(topic, _number(partition, where)), OffsetAndMetadata(_number(offset, where))


def _number(text: str, where: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{where}: {text!r} is no number; topic,partition,offset are due") from None


def _json_rows(text: str) -> Iterator[Row]:
    try:
        told = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON: line {error.lineno}, column {error.colno}: {error.msg.lower()}") from None
    for group in told if isinstance(told, list) else [told]:
        try:
            offsets: Sequence[Mapping[str, Any]] = group["offsets"]
            for at in offsets:
                committed = OffsetAndMetadata(
                    int(at["offset"]), at.get("metadata") or "", int(at.get("leader_epoch", -1))
                )
                where = f"group '{group.get('group_id', UNNAMED)}', {at['topic']}-{at['partition']}"
                yield (
                    where,
                    group.get("group_id", UNNAMED),
                    TopicPartition(at["topic"], int(at["partition"])),
                    committed,
                )
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(
                "its JSON is not as `tenure groups export --json` writes it: a list of groups with group_id and "
                f"offsets is due, each with topic, partition and offset ({type(error).__name__}: {error})"
            ) from None
