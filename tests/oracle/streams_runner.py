"""Runner of many histories of streams groups at once: one action of each per round, on both brokers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tenure.protocol.messages import StreamsGroupDescribeRequest
from tests.oracle.consumer_comparison import ConsumerComparison
from tests.oracle.consumer_runner import HELD_MS, ConsumerRunner
from tests.oracle.streams_comparison import StreamsComparison

INTERNAL: Final = {"store": 4, "small_store": 2, "by_key": 4}
"""Partitions of internal topics. They exist from the beginning, because the time at which a broker creates them
itself is not fixed; `scenarios_streams.py` tests that."""


class StreamsRunner(ConsumerRunner):
    kind = "streams"
    comparison_type = StreamsComparison
    describe_request = StreamsGroupDescribeRequest
    topics: Mapping[str, int] = {**ConsumerRunner.topics, **INTERNAL}

    def configure(self, comparisons: Sequence[ConsumerComparison]) -> None:
        """Configure the groups.

        Without warm-up tasks, Apache Kafka keeps no copies of target assignments (docs/differences.md).
        """
        self.alter([one.name for one in comparisons], streams_num_warmup_replicas=0)
        self.alter([one.name for one in comparisons if one.history.is_held], streams_assignment_interval_ms=HELD_MS)
        self.alter([one.name for one in comparisons if one.history.standbys], streams_num_standby_replicas=1)
