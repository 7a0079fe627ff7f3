"""A target that shares topics with the previous one equals a copy with the same changes, in the same order."""

from random import Random
from typing import Any

import pytest

from tenure.coordinator.groups.consumer.changed_target import ChangedTarget
from tests.quick import quick_first


@pytest.mark.parametrize("seed", quick_first(range(3)))
def test_changed_target__random_changes_in_succession__same_as_a_copy_with_these_changes(seed: int) -> None:
    random = Random(seed)
    copied: dict[Any, frozenset[Any]] = {bytes([topic]): frozenset({topic}) for topic in random.sample(range(30), 20)}
    target: Any = copied
    while copied:
        topics = random.sample(list(copied), min(3, len(copied)))
        changed = {topic: frozenset(range(random.randrange(3))) for topic in topics}
        target = ChangedTarget(target, changed)
        copied = {topic: partitions for topic, partitions in (copied | changed).items() if partitions}
        assert target == copied, f"seed {seed}"
        assert list(target.items()) == list(copied.items()), f"seed {seed}"
        assert list(target) == list(copied)
        assert len(target) == len(copied)
        assert [target.get(bytes([topic])) for topic in range(30)] == [copied.get(bytes([t])) for t in range(30)]
