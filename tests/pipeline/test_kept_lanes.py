"""A lane's state, looked at and copied from beside while its pipeline runs."""

from collections.abc import Callable
from typing import Any

import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.kept_lanes import ATTEMPTS, KeptLane, copy_lane, of_newest, trouble_with
from tenure.pipeline.layout import Layout
from tests.pipeline.world import World

KEYS = 200


class Interrupted:
    """The world's files, as one sees them who is slow: before a file of a lane's state is opened, something happens."""

    def __init__(self, world: World, happens: Callable[[], object]) -> None:
        self.world = world
        self.happens = happens
        self.times = 0

    def open(self, path: str) -> Any:
        self.times += 1
        self.happens()
        return self.world.files.open(path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.world.files, name)


@pytest.fixture
def world() -> World:
    world = World(1)
    world.produce(KEYS, KEYS)
    return world


def goes_on(world: World, times: int) -> Callable[[], object]:
    """The pipeline works on another batch, so often, and then rests. Its state is written as a whole each time."""
    owner = world.start("a").run()
    left = [times]

    def batch() -> None:
        if left[0]:
            left[0] -= 1
            world.produce(KEYS, KEYS)
            owner.run()

    return batch


def test_verify__pipeline_goes_on_meanwhile__finds_nothing_wrong(world: World) -> None:
    files = Interrupted(world, goes_on(world, ATTEMPTS - 1))
    (lane,) = world.lanes()
    assert trouble_with(files, world.layout, lane) == ""
    assert files.times > ATTEMPTS - 1


def test_verify__a_file_is_gone__says_so_at_once(world: World) -> None:
    files = Interrupted(world, goes_on(world, 0))
    (lane,) = world.lanes()
    for file in world.committed_manifests()[lane].state.files:
        world.files.now.pop(f"{world.layout.state_directory(lane)}/{file.name}")
    assert "bring its directory back" in str(trouble_with(files, world.layout, lane))
    assert files.times == 1


def test_copy__pipeline_goes_on_meanwhile__is_whole(world: World) -> None:
    files = Interrupted(world, goes_on(world, 2))
    (lane,) = world.lanes()
    copy = Layout.of(world.layout.group, "/copy", "/copy")

    def copied(kept: KeptLane) -> KeptLane:
        copy_lane(files, kept, world.layout, copy)
        return kept

    kept = of_newest(files, world.layout, lane, copied)
    assert kept is not None
    assert kept == of_newest(world.files, copy, lane, lambda found: found)
    assert trouble_with(world.files, copy, lane) == ""


def test_newest__pipeline_goes_on_for_ever__gives_up(world: World) -> None:
    files = Interrupted(world, goes_on(world, ATTEMPTS))
    (lane,) = world.lanes()

    def copied(kept: KeptLane) -> None:
        copy_lane(files, kept, world.layout, Layout.of(world.layout.group, "/copy", "/copy"))

    with pytest.raises(PipelineStopped) as stopped:
        of_newest(files, world.layout, lane, copied)
    assert stopped.value.code is Code.STATE_MISSING
