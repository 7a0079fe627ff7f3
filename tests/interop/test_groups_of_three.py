"""kafka-python, aiokafka and confluent-kafka: each forms a group of three with us, and stays in its seats.

The members are static. So one that is killed and comes back finds its seat, and a broker that restarts finds its
members: every record is read, and the generation in the log of `__consumer_offsets` is the one they began with.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.consumer_offsets import generations
from tests.interop.group_of_three import group_of_three
from tests.interop.member import LIBRARIES
from tests.interop.producing import create_topic, produce
from tests.serving import serving

PARTITIONS = 6
RECORDS = 300

pytestmark = [
    pytest.mark.interop,
    pytest.mark.timeout(180),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # the libraries' own affair
]


@pytest.mark.parametrize("library", LIBRARIES)
def test_three_static_members__one_killed_then_the_broker_restarted__same_seats_and_nothing_unread(
    library: str, tmp_path: Path
) -> None:
    with serving(tmp_path, "offsets.topic.num.partitions=1", "group.initial.rebalance.delay.ms=1000") as broker:
        create_topic(broker.address, "work", PARTITIONS)
        with group_of_three(library, broker.address, "group", "work", tmp_path) as group:
            group.wait_until_shared(PARTITIONS)
            written = produce(library, broker.address, "work", RECORDS)
            group.wait_until_read(written)
            seats = group.seats
            before = generations(broker.host, broker.port, "group")

            restarted = group.members[1]
            restarted.kill()
            restarted.start()
            written |= produce(library, broker.address, "work", RECORDS)
            group.wait_until_read(written)
            assert group.seats == seats

            broker.restart()
            written |= produce(library, broker.address, "work", RECORDS)
            group.wait_until_read(written)
            assert group.seats == seats
            assert len(written) == 3 * RECORDS
            assert generations(broker.host, broker.port, "group") == before
