"""Each public class of the package has a unique name; exceptions have a reason."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[2] / "src" / "tenure"
PUBLIC_CLASS: Final = re.compile(r"class ([^_]\w*)")

REASONS: Final = {
    "The client and the broker are at the two ends of the same thing.": (
        *("OffsetOutOfRange", "Producer", "RecordTooLarge", "Sender"),
        *("Endpoint", "EndpointPartitions", "InternalTopic", "StreamsMember", "Subtopology", "Tasks", "Topology"),
    ),
    "The coordinators of groups and of transactions both have it.": (
        *("Described", "Groups", "Listed", "State", "Timer", "TimerKind", "Transactions"),
    ),
    "Classic, consumer and streams groups and the test broker each have members.": ("GroupState", "Member"),
    "`tenure.spark.Topic` is public; the other one is a topic of the cluster's metadata.": ("Topic",),
    "`tenure.testing.Broker` and its clock are public; they stand for the broker's.": ("Broker", "Clock"),
    "A codec compresses batches, or encodes records; each coordinator's log has unknown records.": (
        "Codec",
        "UnknownRecord",
    ),
}
"""Names that several classes have, by the reason."""


def places_by_name() -> dict[str, list[str]]:
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        if "generated" not in path.parts:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if found := PUBLIC_CLASS.match(line):
                    places[found[1]].append(f"{path.relative_to(SOURCE)}:{number}")
    return places


def test_public_classes__two_with_the_same_name__reason_is_given() -> None:
    explained = {name for names in REASONS.values() for name in names}
    twice = {name: places for name, places in places_by_name().items() if len(places) > 1}
    unexplained = {name: places for name, places in twice.items() if name not in explained}
    assert not unexplained, "rename one of these classes, or give a reason in REASONS"
    assert explained <= set(twice), "remove these names from REASONS"
