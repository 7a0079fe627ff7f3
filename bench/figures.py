"""Figures of benchmarks: the runs of a measurement, the promised bound, and the figure of a peer in the same run."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sample:
    """Several runs of one measurement."""

    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> Sample:
        return cls(tuple(values))

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def __str__(self) -> str:
        if len(self.values) == 1:
            return short(self.median)
        return f"{short(self.median)}  ({short(min(self.values))} – {short(max(self.values))})"


@dataclass(frozen=True, slots=True)
class Figure:
    """Figure. `promised` is a bound: a minimum, or a maximum if less is better; None if nothing is promised."""

    what: str
    unit: str
    ours: Sample
    promised: float | None = None
    less_is_better: bool = False
    peer: str = ""
    theirs: Sample | None = None
    remarks: list[str] = field(default_factory=list)

    @property
    def kept(self) -> bool | None:
        """True if the promise is kept; None if nothing is promised."""
        if self.promised is None:
            return None
        return self.ours.median <= self.promised if self.less_is_better else self.ours.median >= self.promised

    @property
    def ratio(self) -> float | None:
        """Ratio to the peer, above 1 if Tenure is better; None without a peer."""
        if self.unit == "x":
            return self.ours.median
        ours, theirs = self.ours.median, 0.0 if self.theirs is None else self.theirs.median
        if not ours or not theirs:
            return None
        return theirs / ours if self.less_is_better else ours / theirs


def short(value: float) -> str:
    """Return a number with three significant digits."""
    for size, letter in ((1e6, " M"), (1e4, " k")):
        if abs(value) >= size:
            scaled = value / (1e3 if letter == " k" else size)
            return f"{scaled:.3g}{letter}" if abs(scaled) < 100 else f"{scaled:.0f}{letter}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
