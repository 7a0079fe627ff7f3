"""Streaming query as a member of its group, called as Spark calls it, on both brokers."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from time import monotonic

import pytest

from tenure.admin import Admin
from tenure.client.configuration import ConfigurationError
from tenure.client.errors import Fenced, OffsetOutOfRange
from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.queries.group_queries import committed_offsets
from tests.spark.source.query import PATIENCE_S, Place, Query, options, places, produce

Begin = Callable[..., Query]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Return a function that starts queries; they are closed when the test ends."""
    with ExitStack() as stack:

        def begun(*arguments: object, **keywords: object) -> Query:
            query = Query(*arguments, **keywords)  # type: ignore[arg-type]
            stack.callback(query.close)
            return query

        yield begun


def committed(address: str, group: str) -> list[Place]:
    found = run(committed_offsets(shared_cluster(address, "tests"), group, None))
    return sorted((at.partition, position.offset) for at, position in found.items())


def alternate(one: Query, other: Query, count: int) -> None:
    """Run batches of both queries until they have read `count` records together, and one more of each."""
    deadline = monotonic() + PATIENCE_S
    while len(one.read) + len(other.read) < count:
        assert monotonic() < deadline, (len(one.read), len(other.read))
        one.trigger()
        other.trigger()
    one.trigger()
    other.trigger()


def share(one: Query, other: Query) -> None:
    """Run batches of both queries until each owns half of the partitions."""
    deadline = monotonic() + PATIENCE_S
    while [len(query.stream.owner.owned) for query in (one, other)] != [2, 2]:
        assert monotonic() < deadline, (one.stream.owner.owned, other.stream.owner.owned)
        one.trigger()
        other.trigger()


def test_stream__starting_offsets_earliest__everything_read_and_committed(
    address: str, topic: str, begin: Begin
) -> None:
    produce(address, topic, 40)
    query = begin(options(address, topic, topic))
    query.drain(40)
    assert sorted(query.read) == places(40)
    assert committed(address, topic) == [(partition, 10) for partition in range(4)]
    with Admin(address) as admin:
        (group,) = admin.describe_groups([topic])
    assert [len(member.partitions) for member in group.members] == [4]


def test_stream__starting_offsets_latest__log_end_at_the_first_request_is_the_start(
    address: str, topic: str, begin: Begin
) -> None:
    produce(address, topic, 8)
    first = begin(options(address, topic, topic, startingOffsets="latest"))
    first.stream.first_offsets()
    first.close()
    produce(address, topic, 12)
    again = begin(options(address, topic, topic, startingOffsets="latest"))
    again.drain(12)
    assert sorted(again.read) == places(12, first=2)


def test_stream__stopped_before_its_last_commit__continues_at_the_checkpoint(
    address: str, topic: str, begin: Begin
) -> None:
    produce(address, topic, 40)
    query = begin(options(address, topic, topic))
    assert query.trigger() == 40
    query.close()
    assert committed(address, topic) == [(partition, 0) for partition in range(4)]
    produce(address, topic, 20)
    again = begin(options(address, topic, topic), query.checkpoint)
    again.drain(20)
    assert sorted(again.read) == places(20, first=10)


def test_stream__another_query_of_the_group_committed_more__offset_of_the_group_applies(
    address: str, topic: str, begin: Begin
) -> None:
    produce(address, topic, 40)
    query = begin(options(address, topic, topic))
    query.drain(40)
    query.close()
    produce(address, topic, 20)
    other = begin(options(address, topic, topic))
    other.drain(20)
    other.close()
    produce(address, topic, 8)
    again = begin(options(address, topic, topic), query.checkpoint)
    again.drain(8)
    assert sorted(query.read + other.read + again.read) == places(68)


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_stream__second_query_joins_and_leaves__all_records_read_once(
    address: str, topic: str, begin: Begin, protocol: str
) -> None:
    how = {"kafka__group__protocol": protocol}
    if protocol == "classic":
        how |= {"kafka__heartbeat__interval__ms": "200"}
    produce(address, topic, 40)
    one = begin(options(address, topic, topic, **how))
    one.drain(40)
    with ThreadPoolExecutor(1) as beside:
        other = beside.submit(begin, options(address, topic, topic, **how)).result()
        joined = beside.submit(other.trigger)
        while not joined.done():
            one.trigger()
        joined.result()
    share(one, other)
    produce(address, topic, 80)
    alternate(one, other, 120)
    assert {at for at, _ in one.read[40:]}
    assert {at for at, _ in other.read}
    other.close()
    produce(address, topic, 40)
    one.drain(160 - len(other.read))
    assert sorted(one.read + other.read) == places(160)


def test_stream__instance_id_used_by_a_second_query__first_is_fenced(address: str, topic: str, begin: Begin) -> None:
    produce(address, topic, 40)
    named = options(address, topic, topic, kafka__group__instance__id="host-a")
    zombie = begin(named)
    assert zombie.trigger() == 40
    other = begin(named)
    other.drain(40)
    with pytest.raises(Fenced):
        zombie.drain(80)


def test_stream__max_offsets_per_trigger__divided_in_proportion_to_lag(address: str, topic: str, begin: Begin) -> None:
    produce(address, topic, 40, partitions=1)
    produce(address, topic, 40)
    query = begin(options(address, topic, topic))
    assert query.trigger(max_records=8) == 8
    assert {at for at, _ in query.read} == {0, 1, 2, 3}
    assert [at for at, _ in query.read].count(0) == 5
    query.drain(80)
    assert sorted(query.read) == sorted([*places(40), *((0, offset) for offset in range(10, 50))])


def test_stream__fewer_than_min_offsets__waits_up_to_max_trigger_delay(address: str, topic: str, begin: Begin) -> None:
    produce(address, topic, 4)
    patient = begin(options(address, topic, f"{topic}-patient", maxTriggerDelay="1d"))
    hasty = begin(options(address, topic, f"{topic}-hasty", maxTriggerDelay="0s"))
    assert patient.trigger(min_records=8) == 4
    assert hasty.trigger(min_records=8) == 4
    produce(address, topic, 4)
    assert patient.trigger(min_records=8) == 0
    assert hasty.trigger(min_records=8) == 4
    produce(address, topic, 4)
    assert patient.trigger(min_records=8) == 8


def test_stream__trigger_available_now__later_records_not_read(address: str, topic: str, begin: Begin) -> None:
    produce(address, topic, 40)
    query = begin(options(address, topic, topic))
    query.stream.stop_at_end()
    assert query.trigger(max_records=20) == 20
    produce(address, topic, 40)
    query.drain(40)
    assert sorted(query.read) == places(40)
    assert committed(address, topic) == [(partition, 10) for partition in range(4)]


def test_stream__log_ends_before_the_checkpoint__error_names_fail_on_data_loss(
    address: str, topic: str, begin: Begin
) -> None:
    produce(address, topic, 40)
    elsewhere = {topic: {"0": 1_000, "1": 10, "2": 10, "3": 10}}
    query = begin(options(address, topic, topic), elsewhere)
    with pytest.raises(OffsetOutOfRange, match=r"at offset 1000, but its log ends at 10.*failOnDataLoss"):
        query.trigger()
    query.close()
    careless = begin(options(address, topic, topic, failOnDataLoss="false"), elsewhere)
    careless.drain(10)
    assert careless.read == [(0, offset) for offset in range(10)]


def test_stream__subscribe_pattern__topics_created_later_read_from_their_first_record(
    address: str, topic: str, begin: Begin
) -> None:
    produce(address, topic, 4)
    how = {"subscribePattern": f"{topic}(-later)?", "startingOffsets": "latest", "kafka__metadata__max__age__ms": "1"}
    query = begin(options(address, topic, topic, **how))
    assert query.trigger() == 0
    with Admin(address) as admin:
        admin.create_topics([f"{topic}-later"], partitions=2)
    produce(address, f"{topic}-later", 4, partitions=2)
    query.drain(4)
    assert query.checkpoint is not None
    assert query.checkpoint[f"{topic}-later"] == {"0": 2, "1": 2}


def test_stream__subscribe_pattern_matches_no_topic__refused(address: str, topic: str) -> None:
    with pytest.raises(ConfigurationError, match=f"No topic matches '{topic}-none': create one"):
        Query(options(address, topic, topic, subscribePattern=f"{topic}-none"))


def test_stream__assign_option__only_these_partitions_read_and_committed(
    address: str, topic: str, begin: Begin
) -> None:
    produce(address, topic, 40)
    by_hand = f'{{"{topic}": [1, 3]}}'
    query = begin(options(address, topic, topic, assign=by_hand))
    query.drain(20)
    assert sorted(query.read) == [place for place in places(40) if place[0] in (1, 3)]
    assert committed(address, topic) == [(1, 10), (3, 10)]
    nobodys = begin(options(address, topic, None, assign=by_hand))
    nobodys.drain(20)
