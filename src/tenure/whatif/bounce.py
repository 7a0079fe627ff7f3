"""Restarts whose cost is forecast: the members that stop, how they stop, and for how long."""

from dataclasses import dataclass
from typing import Final

from tenure.whatif.situation import WhatIfError

ROLLING, ALL, ONE, NONE = "rolling", "all", "one", "none"
BOUNCES: Final = (ROLLING, ALL, ONE, NONE)

MEANINGS: Final = {
    ROLLING: "one member after the other restarts",
    ALL: "all members restart at once",
    ONE: "one member restarts",
    NONE: "no member restarts",
}


@dataclass(frozen=True, slots=True)
class Bounce:
    """Restarts of some or all members."""

    kind: str = ROLLING
    """`rolling`: one after the other. `all`: all at once. `one`: the first member only. `none`."""
    down_ms: int = 20_000
    """Time from the end of a process to the start of its successor."""
    wait_ms: int | None = None
    """Time between a start and the next stop; None: until the group is stable again."""
    crash: bool = False
    """True if members are killed, so that they do not leave the group."""
    times: int = 1
    """Number of times that these restarts are done, one after the other."""

    def __post_init__(self) -> None:
        if self.kind not in BOUNCES:
            raise WhatIfError(f"Unknown restart {self.kind!r}: use one of {', '.join(BOUNCES)}.")

    @property
    def description(self) -> str:
        """Description of the restarts for a reader."""
        return self._once if self.times == 1 else f"{self.times:,} times: {self._once}"

    @property
    def _once(self) -> str:
        if self.kind == NONE:
            return MEANINGS[NONE]
        how = "is killed and is" if self.crash and self.kind != ALL else "is"
        down = f"{self.down_ms / 1000:g} s"
        if self.kind == ALL:
            return f"{MEANINGS[ALL]}, {'killed, and ' if self.crash else ''}down for {down}"
        return f"{MEANINGS[self.kind]}; each {how} down for {down}"
