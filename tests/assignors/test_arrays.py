"""Assignors with arrays of indices as input, and an array as result."""

import numpy as np
import pytest

from tenure.assignors import cooperative, round_robin, sticky
from tenure.assignors import range as range_assignor
from tenure.assignors.group import NOBODY, Claims, Group, Racks

ASSIGNORS = [range_assignor, round_robin, sticky, cooperative]


def indices(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize("assignor", ASSIGNORS)
@pytest.mark.parametrize("others_want", [(0, 2), (0,)])
def test_array_assignors__topic_without_subscribers__its_partitions_unassigned(
    assignor: "type[sticky]", others_want: tuple[int, ...]
) -> None:
    group = Group(np.array([2, 3, 1]), (indices(0, 2), indices(*others_want)))
    owners = assignor.assign(group)
    assert (owners[2:5] == NOBODY).all()
    assert (owners[[0, 1, 5]] != NOBODY).all()


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_array_assignors__topic_without_subscribers_and_members_with_racks__its_partitions_unassigned(
    assignor: "type[sticky]",
) -> None:
    racks = Racks(indices(0, 1), (frozenset({0}), frozenset({1})), indices(0, 1, 0, 1))
    owners = assignor.assign(Group(np.array([2, 2]), (indices(0), indices(0)), racks=racks))
    assert owners.tolist() == [0, 1, NOBODY, NOBODY]


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_array_assignors__no_members_or_no_topics__no_partition_assigned(assignor: "type[sticky]") -> None:
    assert assignor.assign(Group(np.array([2]), ())).tolist() == [NOBODY, NOBODY]
    assert assignor.assign(Group(np.array([], np.int64), (indices(), indices()))).tolist() == []


def test_array_sticky__two_claims_of_a_partition_without_generations__both_ignored() -> None:
    claims = Claims(indices(0, 0, 1, 1), indices(0, 1, 1, 1))
    owners = sticky.assign(Group(np.array([4]), (indices(0), indices(0)), claims))
    assert owners.tolist() == [0, 0, 1, 1]
