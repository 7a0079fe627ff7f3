"""Assignors that `group.consumer.assignors` names by import path."""

from typing import NoReturn

import numpy as np

from tenure.assignors.group import Indices
from tenure.assignors.server import ServerGroup


class FirstTakesAll:
    name = "first-takes-all"

    def assign(self, asked: ServerGroup) -> Indices:
        return np.zeros(asked.group.partition_count, np.int32)


class Broken:
    name = "broken"

    def assign(self, asked: ServerGroup) -> NoReturn:
        raise RuntimeError(f"cannot share {asked.topic_names[0]}")


NAMELESS = object()
