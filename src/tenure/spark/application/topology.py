"""Topology of a pipeline as one streams group (KIP-1071): each step between two topics is a subtopology.

All members of a group send the same topology, because the group rejects a member with another one. Therefore the
topology depends only on the declaration of the pipeline.
"""

from collections.abc import Sequence

from tenure.client.tasks import InternalTopic, Subtopology, Topology
from tenure.spark.application.repartition_through import repartition_pipelines
from tenure.spark.declarations.inputs import state_schema_of
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.topics import Through, Topic

CHANGELOG_CONFIGS = {"cleanup.policy": "compact"}
REPARTITION_CONFIGS = {"cleanup.policy": "delete", "retention.ms": "-1", "segment.bytes": "52428800"}
"""Topic configs of the internal topics between two steps, as in Kafka Streams. Records have no retention time, because
`repartition_purge` deletes them."""


def topology_of(pipeline: PipelineDeclaration) -> Topology:
    """Return the topology of a pipeline together with the pipelines that repartition rows for it (`through`)."""
    pipelines = [*repartition_pipelines(pipeline), pipeline]
    internal = frozenset(internal_topics(pipelines))
    return Topology(
        tuple(subtopology(str(number), pipeline.name, one, internal) for number, one in enumerate(pipelines))
    )


def internal_topics(pipelines: Sequence[PipelineDeclaration]) -> list[str]:
    """Return the topics that one pipeline writes for another pipeline."""
    return [source.name for pipeline in pipelines for source in pipeline.sources if isinstance(source, Through)]


def subtopology(
    subtopology_id: str, group_id: str, pipeline: PipelineDeclaration, internal: frozenset[str]
) -> Subtopology:
    """Return the subtopology of one pipeline. `internal` has the names of all topics between two pipelines."""
    names = tuple(topic.name for topic in pipeline.topics)
    state = state_schema_of(pipeline)
    changelog = InternalTopic(f"{group_id}-{subtopology_id}-state-changelog", configs=CHANGELOG_CONFIGS)
    return Subtopology(
        subtopology_id,
        sources=tuple(name for name in names if name not in internal),
        repartition_sources=tuple(
            InternalTopic(name, configs=REPARTITION_CONFIGS) for name in names if name in internal
        ),
        repartition_sinks=(pipeline.sink.name,)
        if isinstance(pipeline.sink, Topic) and pipeline.sink.name in internal
        else (),
        changelogs=() if state is None else (changelog,),
        copartitioned=(names,) if len(names) > 1 else (),
    )
