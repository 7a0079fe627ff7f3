"""Check of a pipeline's declared output columns against its sinks, before the pipeline starts.

Only columns that are known before the first batch can be checked. A function over batches does not declare the columns
of its side outputs. The columns of its main output are known only if it declares them with `output=`.
"""

from tenure.pipeline.operators.user_function import MAIN
from tenure.spark.declarations.inputs import bind_operator
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.sinks.outputs import outputs_of


def check_rows(pipeline: PipelineDeclaration) -> None:
    """Check that the sinks of all outputs can store the pipeline's rows.

    Raises:
        PipelineConfigError: A sink cannot store them.
        PipelineStopped: The sink is not reachable.
    """
    work = bind_operator(pipeline)
    if work is None:
        return
    outputs = outputs_of(pipeline)
    if work.output is not None:
        outputs[MAIN].check_rows(work.output)
    for side, columns in work.sides.items():
        outputs[side].check_rows(columns)
