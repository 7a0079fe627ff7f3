"""`python -m tests.simulation.pipelines`: lives of pipelines, without Spark; see docs/simulation.md."""

import sys

from tests.simulation.__main__ import main
from tests.simulation.pipelines.run import PipelineRun

if __name__ == "__main__":
    sys.exit(main(kind=PipelineRun))
