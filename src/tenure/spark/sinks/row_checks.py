"""Check of a pipeline's declared output columns against its sink, before it starts.

The columns are known if the last step declares or implies them. Only the rows of a function over batches that declares
no `output=` are unknown before the first batch.
"""

from tenure.pipeline.operators.user_function import MAIN
from tenure.spark.declarations.inputs import bind_operator
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.sinks.outputs import outputs_of


def check_rows(pipeline: PipelineDeclaration) -> None:
    """Check that the main sink can take the rows of the pipeline.

    Raises:
        PipelineConfigError: It cannot.
        PipelineStopped: The sink is not reachable.
    """
    work = bind_operator(pipeline)
    if work is not None and work.output is not None:
        outputs_of(pipeline)[MAIN].check_rows(work.output)
