"""Metrics in Prometheus' text format, version 0.0.4, which all collectors understand."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias


class Kind(Enum):
    """Type of a metric, under Prometheus' name."""

    COUNTER = "counter"
    GAUGE = "gauge"
    SUMMARY = "summary"
    """Type of a metric that is exposed as a sum and a count."""


class Metric(NamedTuple):
    """Name, type, unit, help text and labels of a metric."""

    name: str
    kind: Kind
    unit: str
    help: str
    labels: tuple[str, ...] = ()


CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

Sample: TypeAlias = tuple[tuple[str, ...], float] | tuple[tuple[str, ...], float, float]
"""Values of the labels, and the value of the metric; for a summary, sum and count."""


def exposition(catalogue: Sequence[Metric], samples: Mapping[str, Sequence[Sample]]) -> str:
    """Return the text with all metrics of the catalogue, in its order, with their samples."""
    lines: list[str] = []
    for metric in catalogue:
        lines += (f"# HELP {metric.name} {_escaped(metric.help)}", f"# TYPE {metric.name} {metric.kind.value}")
        for sample in samples[metric.name]:
            lines += _lines(metric, sample)
    return "\n".join([*lines, ""])


def _lines(metric: Metric, sample: Sample) -> list[str]:
    label_values, *numbers = sample
    labels = ",".join(f'{label}="{_quoted(value)}"' for label, value in zip(metric.labels, label_values, strict=True))
    braces = f"{{{labels}}}" if labels else ""
    suffixes = ("_sum", "_count") if metric.kind is Kind.SUMMARY else ("",)
    return [f"{metric.name}{suffix}{braces} {number!r}" for suffix, number in zip(suffixes, numbers, strict=True)]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', '\\"')
