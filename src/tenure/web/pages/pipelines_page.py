"""Page of pipelines, from the metrics that each application serves."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.request import Request, urlopen

from prometheus_client.parser import text_string_to_metric_families

from tenure.limits.web import CACHE_S, METRICS_BYTES_MAX, METRICS_TIMEOUT_S
from tenure.web.pages.cached import Cached
from tenure.web.parts import Part, Parts, element_id
from tenure.web.templates import macro

PREFIX: Final = "tenure_pipeline_"


class DroppedBatch(NamedTuple):
    """Batch that was refused, cancelled or failed."""

    time_ms: int
    lanes: str
    reason: str


@dataclass
class ObservedPipeline:
    """Metrics of one application, and the address from which they were read."""

    url: str
    problem: str = ""
    """Reason why the application has no metrics."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of the application: pipeline, instance id and version."""
    state: str = ""
    values: dict[str, float] = field(default_factory=dict)
    """Values of metrics without the label `lane`, by metric name without the prefix `PREFIX`."""
    lanes: dict[str, dict[str, float]] = field(default_factory=dict)
    """Values of the metrics of each lane, by lane, then by metric name without the prefix `PREFIX`."""
    failures: list[DroppedBatch] = field(default_factory=list)
    """Reasons of the last dropped batches, the latest one first."""

    @property
    def batch_ms(self) -> float | None:
        """Mean time of a batch since the application started; None before its first batch."""
        batches = self.values.get("batch_seconds_count", 0)
        return self.values["batch_seconds_sum"] * 1000 / batches if batches else None


class PipelinesPage:
    """Page of the applications that are given with --pipeline.

    Args:
        urls: Addresses of their metrics, such as http://127.0.0.1:9400/metrics.
    """

    path = "/pipelines"
    template = "pipelines.html"
    is_live = True

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls: Final = urls
        self._pipelines: Final = Cached(self._read_all, CACHE_S)

    def title(self, query: Mapping[str, str]) -> str:  # noqa: ARG002
        return "Pipelines"

    def parts(self, query: Mapping[str, str]) -> Parts:  # noqa: ARG002
        if not self._urls:
            return [Part("none", "pipelines", macro("_pipelines.html", "no_pipelines"))]
        return [_card(found) for found in self._pipelines.get()]

    def _read_all(self) -> list[ObservedPipeline]:
        with ThreadPoolExecutor(max_workers=min(8, len(self._urls))) as pool:
            return list(pool.map(read_pipeline, self._urls))


def _card(found: ObservedPipeline) -> Part:
    card_id = element_id("pipeline", found.url)
    return Part(card_id, "pipelines", macro("_pipelines.html", "pipeline", card_id, found))


def read_pipeline(url: str) -> ObservedPipeline:
    """Read the metrics of an application. If this fails, the result contains the error."""
    try:
        with urlopen(Request(url, headers={"Accept": "text/plain"}), timeout=METRICS_TIMEOUT_S) as answer:
            text = answer.read(METRICS_BYTES_MAX + 1)
        if len(text) > METRICS_BYTES_MAX:
            raise ValueError(f"the response has more than {METRICS_BYTES_MAX:,} bytes")
        return parse(url, text.decode())
    except (OSError, ValueError) as error:
        return ObservedPipeline(url, problem=f"No metrics from {url}: {error}.")


def parse(url: str, text: str) -> ObservedPipeline:
    """Parse the metrics of a pipeline. Raises ValueError if they are metrics of another program."""
    found = ObservedPipeline(url)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            name = sample.name.removeprefix(PREFIX)
            if name == sample.name:
                continue
            if name == "info":
                found.labels = sample.labels
            elif name == "state":
                found.state = sample.labels["state"] if sample.value else found.state
            elif name == "failure_time_seconds":
                labels = sample.labels
                found.failures.append(DroppedBatch(round(sample.value * 1000), labels["lanes"], labels["reason"]))
            elif "lane" in sample.labels:
                found.lanes.setdefault(sample.labels["lane"], {})[name] = sample.value
            elif "phase" not in sample.labels and "quantile" not in sample.labels:
                found.values[name] = sample.value
    if not found.labels:
        raise ValueError("the response contains no pipeline metrics")
    found.failures.sort(reverse=True)
    return found
