"""Damaged data directories: `python -m tests.storage.damaged --cases 1000`.

Each case copies the data directory of a real broker, damages one or two files at random, and starts a broker on it. An
oracle knows which records and commits were acknowledged, and which bytes hold them. It demands:

- every acknowledged record outside of the damaged bytes is served, where it was;
- nothing else is served, and every timestamp is answered with the right record;
- every record that is not served is named by a message of the refused start, of the start, or of the read. Where the
  inventory was damaged too, and the record's file is gone or cut off, the report of the inventory's damage is enough.
  If the last segment of a killed broker ends between two batches, it may be that less was written; such cases are
  counted separately;
- a second start has the same result.

A refused start is followed by `repair` with every loss accepted.
"""

import argparse
import asyncio
import logging
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tenure.broker.broker import Broker
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.config.start_error import StartError
from tenure.broker.requests.context import Context
from tenure.protocol.batches import Batch, CorruptBatch, decode_records, encode_batch, read_batches, verify_crc
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.messages import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tenure.storage.data_directory import DataDirectory, partition_directory
from tenure.storage.errors import LogDamaged, StorageError
from tenure.storage.log.partition import Partition
from tenure.storage.recovery.inventory_check import DataMissing
from tenure.storage.recovery.last_stop import CLEAN_MARKER
from tenure.storage.recovery.repair import Repair
from tests.broker.handlers.test_records import Topic
from tests.broker.handlers.test_topics import create
from tests.broker.wire import Wire
from tests.serving import serving

TOPICS = ("orders", "flights")
PARTITIONS = 2
BATCHES = 40
GROUPS = 12
SETTINGS = (
    f"offsets.topic.num.partitions={PARTITIONS}",
    "offsets.topic.segment.bytes=1500",
    "tenure.data.durability=fsync",
    "log.cleaner.enable=false",
)
LOG = "tenure.broker"
PATIENCE_S = 30.0

Damager = Callable[[random.Random, Path], str]
"""Function that damages something in the directory, and describes it."""


class Stored(NamedTuple):
    """Batch at the place where the broker wrote it."""

    file: str
    begin: int
    data: bytes
    offsets: range


class Acknowledged(NamedTuple):
    """Records and offsets that were acknowledged to clients. Partitions are named by their directories."""

    directory: Path
    records: dict[str, dict[int, bytes]]
    start_offsets: dict[str, int]
    commits: dict[str, int]
    """Committed offset of each group, for partition 0 of the first topic."""
    batches: dict[str, list[Stored]]


class Seen(NamedTuple):
    """Records, commits and messages after a start."""

    records: dict[str, dict[int, bytes]]
    commits: dict[str, int]
    messages: list[str]


class Wrong(AssertionError):
    pass


# --- undamaged data directories ---------------------------------------------------------------------------------------


def make_directory(path: Path, *, is_clean: bool) -> Acknowledged:
    """Run a broker on the directory, then stop or kill it."""
    records: dict[str, dict[int, bytes]] = {}
    commits: dict[str, int] = {}
    rng = random.Random(14)
    now_ms = time.time_ns() // 1_000_000
    with serving(path, *SETTINGS) as broker, Wire(broker) as wire:
        for name in TOPICS:
            settings = {"segment_ms": "20000", "index_interval_bytes": "200", "retention_ms": "-1"}
            assert create(wire, name, PARTITIONS, **settings) == 0
            topic = Topic(wire, name)
            for partition in range(PARTITIONS):
                of_partition = records.setdefault(partition_directory(name, partition), {})
                for n in range(BATCHES):
                    made = [
                        Record(0, now_ms - 1_000_000 + n * 3_000, b"%d" % n, rng.randbytes(rng.randint(5, 60)))
                        for _ in range(rng.randint(1, 4))
                    ]
                    answer = topic.produce(encode_batch(made), partition=partition)
                    assert answer.error_code == 0
                    of_partition |= {answer.base_offset + i: record.value or b"" for i, record in enumerate(made)}
        first = Topic(wire, TOPICS[0])
        for n in range(GROUPS * 6):
            group = f"g{n % GROUPS}"
            assert commit(first, group, n) == 0
            commits[group] = n
        deleted = DeleteRecordsTopic(TopicName(TOPICS[1]), [DeleteRecordsPartition(PartitionId(1), 30)])
        assert wire.ask(DeleteRecordsRequest([deleted])).topics[0].partitions[0].error_code == 0
        broker.terminate() if is_clean else broker.kill()
    directory = path / "broker"
    batches = {found.name: list(stored(found)) for found in sorted(directory.iterdir()) if found.is_dir()}
    starts = {partition_directory(TOPICS[1], 1): 30}
    return Acknowledged(directory, records, starts, commits, batches)


def commit(topic: Topic, group: str, offset: int) -> int:
    part = OffsetCommitRequestPartition(PartitionId(0), offset)
    request = OffsetCommitRequest(GroupId(group), topics=[OffsetCommitRequestTopic(topic.name, topic.topic_id, [part])])
    return int(topic.wire.ask(request).topics[0].partitions[0].error_code)


def stored(directory: Path) -> Iterator[Stored]:
    for log in sorted(directory.glob("*.log")):
        data, at = log.read_bytes(), 0
        while at < len(data):
            batch = Batch(data, at)
            yield Stored(log.name, at, batch.raw, range(batch.base_offset, batch.last_offset + 1))
            at += batch.size


# --- damage -----------------------------------------------------------------------------------------------------------


def files_of(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file() and path.name != ".lock")


def random_file(rng: random.Random, directory: Path) -> Path:
    """Draw a file of a kind; each kind is equally likely, and logs more so."""
    kinds: dict[str, list[Path]] = {}
    for path in files_of(directory):
        kinds.setdefault(path.suffix if path.stem.isdigit() else path.name, []).append(path)
    names = sorted(kinds)
    weights = [8 if name == ".log" else 1 for name in names]
    return rng.choice(kinds[rng.choices(names, weights)[0]])


def flip(rng: random.Random, directory: Path) -> str:
    file = random_file(rng, directory)
    data = bytearray(file.read_bytes())
    if not data:
        return truncate_or_delete(rng, directory)
    at, bit = rng.randrange(len(data)), rng.randrange(8)
    data[at] ^= 1 << bit
    file.write_bytes(data)
    return f"flip bit {bit} of byte {at} of {name_of(file)}"


def truncate(rng: random.Random, directory: Path) -> str:
    file = random_file(rng, directory)
    data = file.read_bytes()
    size = rng.choice([0, rng.randrange(len(data) + 1)])
    file.write_bytes(data[:size])
    return f"truncate {name_of(file)} from {len(data)} to {size} bytes"


def delete(rng: random.Random, directory: Path) -> str:
    file = random_file(rng, directory)
    file.unlink()
    return f"delete {name_of(file)}"


def delete_directory(rng: random.Random, directory: Path) -> str:
    chosen = rng.choice(sorted(path for path in directory.iterdir() if path.is_dir()))
    shutil.rmtree(chosen)
    return f"delete {chosen.name}"


def overwrite(rng: random.Random, directory: Path) -> str:
    file = random_file(rng, directory)
    data = bytearray(file.read_bytes())
    at, size = rng.randrange(len(data) + 1), rng.randint(1, 400)
    data[at : at + size] = rng.choice([rng.randbytes(size), bytes(size)])
    file.write_bytes(data)
    return f"overwrite {size} bytes at {at} of {name_of(file)}"


def append(rng: random.Random, directory: Path) -> str:
    file = random_file(rng, directory)
    size = rng.randint(1, 400)
    with file.open("ab") as out:
        out.write(rng.choice([rng.randbytes(size), bytes(size)]))
    return f"append {size} bytes to {name_of(file)}"


def swap(rng: random.Random, directory: Path) -> str:
    one = random_file(rng, directory)
    others = [path for path in files_of(directory) if path.suffix == one.suffix and path != one]
    if not others:
        return delete(rng, directory)
    other = rng.choice(others)
    one_data, other_data = one.read_bytes(), other.read_bytes()
    one.write_bytes(other_data)
    other.write_bytes(one_data)
    return f"swap {name_of(one)} and {name_of(other)}"


def truncate_or_delete(rng: random.Random, directory: Path) -> str:
    return rng.choice([truncate, delete])(rng, directory)


def name_of(file: Path) -> str:
    return f"{file.parent.name}/{file.name}" if file.parent.name != "broker" else file.name


DAMAGERS: tuple[Damager, ...] = (flip, flip, truncate, delete, delete_directory, overwrite, append, swap)


# --- start of a broker ------------------------------------------------------------------------------------------------


@contextmanager
def log_lines() -> Iterator[list[str]]:
    lines: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger(LOG)
    before, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        logger.propagate = before


async def start(path: Path) -> Seen:
    """Start a broker, read everything, and stop it cleanly. Raises StorageError and StartError."""
    with log_lines() as messages:
        settings, _ = load_settings(flags=SETTINGS)
        directory = DataDirectory.open(str(path))
        messages += [directory.inventory_damage] if directory.inventory_damage else []
        loop = asyncio.get_running_loop()
        try:
            broker = Broker(Context(settings, directory, Address("127.0.0.1", 9092), loop))
        except LogDamaged:
            directory.close(clean=directory.was_clean)
            raise
        try:
            await broker.start()
            for shard in broker.context.groups.active:
                loaded = loop.create_future()
                shard.when_loaded(lambda loaded=loaded: loaded.set_result(None))  # type: ignore[misc]
                await loaded
            records = {name: await read_all(broker, name, messages) for name in partitions()}
            commits = committed(broker)
            await all_settled(broker)
        finally:
            clean = broker.close()
            directory.close(clean=clean)
    return Seen(records, commits, messages)


async def all_settled(broker: Broker) -> None:
    """Wait for logs that set damaged bytes aside, so that the report of it is seen."""
    for served in broker.context.logs.open.values():
        settled = broker.context.loop.create_future()
        served.when_settled(lambda settled=settled: settled.set_result(None))  # type: ignore[misc]
        await asyncio.wait_for(settled, PATIENCE_S)


def partitions() -> list[str]:
    return [partition_directory(name, partition) for name in TOPICS for partition in range(PARTITIONS)]


async def read_all(broker: Broker, name: str, messages: list[str]) -> dict[int, bytes]:
    topic_name, _, number = name.rpartition("-")
    topic = broker.context.topics.named(TopicName(topic_name))
    if topic is None or int(number) >= topic.partitions:
        messages.append(f"{name} is not served: there is no such topic")
        return {}
    try:
        log = broker.context.logs.of(topic, int(number)).partition
    except StorageError as error:
        messages.append(f"{name} is not served: {error}")
        return {}
    records: list[Record] = []
    offset, deadline_s = log.log_start_offset, time.monotonic() + PATIENCE_S
    while offset < log.log_end_offset:
        try:
            data = log.read(offset, 1 << 20)
        except (StorageError, CorruptBatch):  # while damage is set aside, clients retry
            if time.monotonic() > deadline_s:
                raise
            await asyncio.sleep(0.005)
            continue
        if not data:
            break
        for batch in read_batches(data):
            verify_crc(batch)
            records += [record for record in decode_records(batch) if record.offset >= log.log_start_offset]
            offset = batch.last_offset + 1
    check_timestamps(log, records)
    return {record.offset: record.value or b"" for record in records}


def check_timestamps(log: Partition, records: list[Record]) -> None:
    """Look up every third record by its timestamp, and expect the first one that is not older."""
    for record in records[::3]:
        found = log.offset_for_timestamp(record.timestamp_ms)
        expected = next(each.offset for each in records if each.timestamp_ms >= record.timestamp_ms)
        if found is None or found.offset != expected:
            raise Wrong(f"{log.name} has offset {expected} for timestamp {record.timestamp_ms}, and answers {found}")


def committed(broker: Broker) -> dict[str, int]:
    found: dict[str, int] = {}
    for shard in broker.context.groups.active:
        for group_id, offsets in shard.host.shard.digest()[1].items():
            found[group_id] = max(value.offset for value in offsets.values())
    return found


def contents_or_refusal(path: Path) -> list[str] | Seen:
    """Start a broker; return its contents, or the messages of the refused start."""
    try:
        return asyncio.run(start(path))
    except DataMissing as error:
        damage = [error.inventory_damage] if error.inventory_damage else []
        return [str(finding) for finding in error.findings] + damage
    except (StorageError, StartError) as error:
        return [str(error)]


# --- one case ---------------------------------------------------------------------------------------------------------


def run_case(seed: int, acknowledged: Acknowledged, path: Path) -> str:
    """Damage a copy of the directory in `path`; return the outcome. Raises `Wrong`."""
    rng = random.Random(seed)
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(acknowledged.directory, path)
    done = [rng.choice(DAMAGERS)(rng, path) for _ in range(rng.choice([1, 1, 1, 2]))]
    try:
        intact = {name: set(intact_offsets(path / name, batches)) for name, batches in acknowledged.batches.items()}
        knows_deleted = has_same(acknowledged.directory, path, "inventory") or all(
            has_same(acknowledged.directory, path, f"{name}/log-start-offset") for name in acknowledged.start_offsets
        )
        missing = {name: set(missing_offsets(path / name, batches)) for name, batches in acknowledged.batches.items()}
        cut_short = {name: set(offsets_cut_short(acknowledged, name, path / name)) for name in acknowledged.batches}
        outcome, messages, seen = start_after_repair(acknowledged, path)
        if any("/inventory is " in message for message in messages):
            outcome = f"{outcome}, inventory damaged"
        else:
            missing = {name: set() for name in missing}
        if any(cut_short.values()):
            outcome += ", last segment ends between two batches"
            missing = {name: missing[name] | cut_short[name] for name in missing}
        if check_records(acknowledged, intact, knows_deleted, missing, messages, seen):
            outcome += ", with a loss that is not named"
        check_commits(acknowledged, missing, messages, seen)
        again = contents_or_refusal(path)
        if isinstance(again, list) or (again.records, again.commits) != (seen.records, seen.commits):
            raise Wrong(f"the next start has another result: {again}")
        return outcome
    except Exception as error:
        raise Wrong(f"seed {seed}: {'; '.join(done)}: {type(error).__name__}: {error}") from error


def start_after_repair(acknowledged: Acknowledged, path: Path) -> tuple[str, list[str], Seen]:
    """Start the broker, after repair if the start is refused; return the outcome and all messages."""
    outcome, messages = "served", []
    seen = contents_or_refusal(path)
    if isinstance(seen, list):
        if seen != (second := contents_or_refusal(path)):
            raise Wrong(f"refused with {seen}, then {second}")
        outcome, messages = "refused, repaired", seen
        if "meta.properties" in seen[0] or "format version" in seen[0] or "Apache Kafka" in seen[0]:
            outcome = "refused, meta.properties restored"
            shutil.copy(acknowledged.directory / "meta.properties", path / "meta.properties")
        else:
            messages += repair(path)
        seen = contents_or_refusal(path)
    if isinstance(seen, list) and messages:  # a second refusal, because of a damaged metadata log
        messages += [*seen, *repair(path)]
        seen = contents_or_refusal(path)
    if isinstance(seen, list):
        raise Wrong(f"refused after repair: {seen}")
    messages += seen.messages
    return (f"{outcome}, said" if seen.messages and outcome == "served" else outcome), messages, seen


def repair(path: Path) -> list[str]:
    repairing = Repair.begin(str(path))
    try:
        return [f"{finding}: {repairing.accept(finding)}" for finding in repairing.findings]
    finally:
        repairing.close()


def intact_offsets(directory: Path, batches: list[Stored]) -> Iterator[int]:
    content = {log.name: log.read_bytes() for log in directory.glob("*.log")} if directory.is_dir() else {}
    for batch in batches:
        if content.get(batch.file, b"")[batch.begin : batch.begin + len(batch.data)] == batch.data:
            yield from batch.offsets


def missing_offsets(directory: Path, batches: list[Stored]) -> Iterator[int]:
    """Yield the offsets of batches whose file is missing or ends before them."""
    for batch in batches:
        file = directory / batch.file
        if not file.exists() or file.stat().st_size < batch.begin + len(batch.data):
            yield from batch.offsets


def offsets_cut_short(acknowledged: Acknowledged, name: str, directory: Path) -> Iterator[int]:
    """Yield the offsets that the last segment of a killed broker lacks, if it ends between two batches."""
    last = [batch for batch in acknowledged.batches[name] if batch.file == acknowledged.batches[name][-1].file]
    if (acknowledged.directory / CLEAN_MARKER).exists() or not (directory / last[0].file).exists():
        return
    data = (directory / last[0].file).read_bytes()
    is_prefix = b"".join(batch.data for batch in last).startswith(data)
    if is_prefix and len(data) in [batch.begin for batch in last]:
        for batch in last:
            if batch.begin >= len(data):
                yield from batch.offsets


def has_same(before: Path, after: Path, file: str) -> bool:
    return (after / file).exists() and (after / file).read_bytes() == (before / file).read_bytes()


def check_records(
    acknowledged: Acknowledged,
    intact: dict[str, set[int]],
    knows_deleted: bool,
    missing: dict[str, set[int]],
    messages: list[str],
    seen: Seen,
) -> int:
    """Check the records, and return how many lost ones no message names.

    A damaged inventory may no longer name records of `missing`. `knows_deleted` is true if one of the two files with
    deleted offsets is undamaged.
    """
    unnamed = 0
    for name, expected in acknowledged.records.items():
        start_offset, served = acknowledged.start_offsets.get(name, 0), seen.records[name]
        for offset, value in served.items():
            if expected.get(offset) != value:
                raise Wrong(f"{name} serves a record at offset {offset} that nobody wrote there")
        missing = [offset for offset in expected if offset >= start_offset and offset not in served]
        for offset in missing:
            if offset in intact[name] and not is_set_aside(name, messages):
                raise Wrong(f"{name} lost offset {offset}, which was not damaged: {messages}")
            if not is_named(name, offset, messages):
                unnamed += 1
                if offset not in missing[name]:
                    raise Wrong(f"no message names offset {offset} of {name}, which is lost: {messages}")
        if knows_deleted and any(offset < start_offset for offset in served):
            raise Wrong(f"{name} serves records that were deleted")
    return unnamed


def check_commits(acknowledged: Acknowledged, missing: dict[str, set[int]], messages: list[str], seen: Seen) -> None:
    for group, offset in acknowledged.commits.items():
        log = f"__consumer_offsets-{partition_of(GroupId(group), PARTITIONS)}"
        if missing[log] or seen.commits.get(group) == offset:
            continue
        if not any(log in message for message in messages):
            raise Wrong(
                f"group {group} is at {seen.commits.get(group)}, not at {offset}; {log} is not named: {messages}"
            )


def is_set_aside(name: str, messages: list[str]) -> bool:
    """Return whether the records are set aside, and a message says why they are not served."""
    return any(f"{name} is not served" in message or f"{name} belongs to no topic" in message for message in messages)


def is_named(name: str, offset: int, messages: list[str]) -> bool:
    if is_set_aside(name, messages):
        return True
    for message in messages:
        if not re.search(rf"(^|[\s/]){re.escape(name)}[\s/:]", message):
            continue
        ranges = [(int(a), int(b)) for a, b in re.findall(r"offsets (\d+) to (\d+)", message)]
        ranges += [(int(a), 1 << 62) for a in re.findall(r"(?:offsets from|truncated to offset) (\d+)", message)]
        ranges += [(int(a), int(a)) for a in re.findall(r"offset (\d+) is missing", message)]
        if any(first <= offset <= last for first, last in ranges):
            return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.storage.damaged", description="Damage data directories.")
    parser.add_argument("--cases", type=int, default=1000, help="number of damaged directories [1000]")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case [0]")
    parser.add_argument("--place", help="directory to work in; one in memory is fastest [that of the system]")
    arguments = parser.parse_args()
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(dir=arguments.place) as place:
        made = make_directories(Path(place))
        for seed in range(arguments.seed, arguments.seed + arguments.cases):
            try:
                outcomes[run_case(seed, made[seed % 2], Path(place) / "case")] += 1
            except Wrong as error:
                wrong.append(str(error))
                print(f"WRONG {error}", flush=True)
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:6} {outcome}")
    print(f"{len(wrong):6} wrong")
    return 1 if wrong else 0


def make_directories(place: Path) -> tuple[Acknowledged, Acknowledged]:
    """Make the directories of a broker that stopped and of one that was killed."""
    made = []
    for is_clean in (True, False):
        path = place / ("stopped" if is_clean else "killed")
        path.mkdir()
        made.append(make_directory(path, is_clean=is_clean))
    return made[0], made[1]


if __name__ == "__main__":
    sys.exit(main())
