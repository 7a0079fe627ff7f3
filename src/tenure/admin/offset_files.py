"""Committed offsets as CSV, in the format of `kafka-consumer-groups --reset-offsets --export`, or as JSON.

CSV has rows `topic,partition,offset` without header, and `group,topic,partition,offset` for several groups. JSON also
contains leader epochs and metadata.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.config_keys import INT32_MAX, INT64_MAX

Offsets: TypeAlias = Mapping[TopicPartition, OffsetAndMetadata]

T = TypeVar("T")

AS_WRITTEN: Final = "write it as `tenure groups export --json` does"
KINDS: Final[dict[type, str]] = {str: "a string", int: "an integer", list: "a list"}
QUOTED_CHARACTERS_MAX: Final = 40
"""Number of characters of an invalid value that an error message shows."""

UNNAMED: Final = ""
"""Key of the rows that do not name a group."""


def to_csv(groups: Mapping[str, Offsets]) -> str:
    """Return CSV rows. The rows of a single group have no column for the group, as in Kafka's tool."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    for group_id, offsets in groups.items():
        name = [group_id] if len(groups) > 1 else []
        rows.writerows([*name, *partition, offsets[partition].offset] for partition in sorted(offsets))
    return out.getvalue()


def as_json(groups: Mapping[str, Offsets]) -> list[dict[str, object]]:
    """Return one JSON object per group."""
    return [
        {
            "group_id": group_id,
            "offsets": [partition._asdict() | offsets[partition]._asdict() for partition in sorted(offsets)],
        }
        for group_id, offsets in groups.items()
    ]


def read(text: str) -> dict[str, dict[TopicPartition, OffsetAndMetadata]]:
    """Parse CSV or JSON into offsets by group. Rows without a group are under the key `UNNAMED`.

    Raises:
        ValueError: The text is invalid; the message names the line or object.
    """
    rows = _json_rows(text) if text.lstrip().startswith(("[", "{")) else _csv_rows(text)
    groups: dict[str, dict[TopicPartition, OffsetAndMetadata]] = {}
    for location, group_id, partition, offset in rows:
        if not 0 <= partition.partition <= INT32_MAX or not 0 <= offset.offset <= INT64_MAX:
            raise ValueError(f"{location}: partition must be from 0 to {INT32_MAX}, and offset from 0 to {INT64_MAX}")
        if groups.setdefault(group_id, {}).setdefault(partition, offset) != offset:
            raise ValueError(f"{location}: partition {partition} is listed twice, with different offsets")
    if not groups:
        raise ValueError("the file contains no offsets")
    return groups


def of_group(groups: Mapping[str, Offsets], group_id: str) -> Offsets:
    """Return the offsets of a group; if the file has none for it, the offsets in rows that name no group.

    Raises ValueError if the file has neither; the message names the groups in the file.
    """
    found = groups.get(group_id) or groups.get(UNNAMED)
    if found is None:
        names = ", ".join(f"'{name}'" for name in sorted(groups))
        raise ValueError(
            f"the file contains offsets of the groups {names}, none of '{group_id}'; select a group with --from"
        )
    return found


Row: TypeAlias = tuple[str, str, TopicPartition, OffsetAndMetadata]


def _csv_rows(text: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text), skipinitialspace=True)
    for row in reader:
        location = f"line {reader.line_num}"
        if not row:
            continue
        if len(row) not in (3, 4):
            raise ValueError(
                f"{location}: {len(row)} columns instead of topic,partition,offset or group,topic,partition,offset"
            )
        *group, topic, partition, offset = row
        name = group[0] if group else UNNAMED
        yield (
            location,
            name,
            TopicPartition(topic, _number(partition, location)),
            OffsetAndMetadata(_number(offset, location)),
        )


def _number(text: str, location: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{location}: {text!r} is not an integer; the columns are topic,partition,offset") from None


def _json_rows(text: str) -> Iterator[Row]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"invalid JSON: line {error.lineno}, column {error.colno}: {error.msg.lower()}") from None
    except RecursionError:
        raise ValueError(f"invalid JSON: it is nested too deeply; {AS_WRITTEN}") from None
    for number, group in enumerate(document if isinstance(document, list) else [document], start=1):
        group_id = _field(group, "group_id", str, f"group {number}", UNNAMED)
        location = f"group '{group_id}'" if group_id else f"group {number}"
        for listed in _field(group, "offsets", list, location):
            topic = _field(listed, "topic", str, location)
            partition = TopicPartition(topic, _field(listed, "partition", int, f"{location}, topic '{topic}'"))
            here = f"{location}, {partition}"
            offset, epoch = _field(listed, "offset", int, here), _field(listed, "leader_epoch", int, here, -1)
            committed = OffsetAndMetadata(offset, _field(listed, "metadata", str, here, ""), epoch)
            yield here, group_id, partition, committed


def _field(container: Any, name: str, kind: type[T], location: str, otherwise: T | None = None) -> T:
    """Return the field `name` of the JSON object `container`, or `otherwise` if the field is missing or null.

    `location` is the position of the object in the file, for error messages.

    Raises:
        ValueError: The field has another type than `kind`, or is missing and `otherwise` is None.
    """
    if not isinstance(container, dict):
        raise ValueError(f"{location}: found {_quoted(container)}, expected an object with '{name}'; {AS_WRITTEN}")
    value = container.get(name)
    if value is None and otherwise is not None:
        return otherwise
    if not isinstance(value, kind) or isinstance(value, bool):
        problem = f"'{name}' is {_quoted(value)}, not {KINDS[kind]}" if name in container else f"'{name}' is missing"
        raise ValueError(f"{location}: {problem}; {AS_WRITTEN}")
    return value


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= QUOTED_CHARACTERS_MAX else f"{text[:QUOTED_CHARACTERS_MAX]}..."
