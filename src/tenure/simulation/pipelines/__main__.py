"""`python -m tenure.simulation.pipelines`: lives of pipelines, without Spark; see docs/simulation.md."""

import sys

from tenure.simulation.__main__ import main
from tenure.simulation.pipelines.run import PipelineRun

if __name__ == "__main__":
    sys.exit(main(kind=PipelineRun))
