"""Arguments of `tenure pipeline` commands that name a pipeline."""

from typing import Annotated, TypeAlias

import typer

Reference: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PIPELINE", show_default=False, help="Pipeline to load, as MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE."
    ),
]
Pipelines: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PIPELINE", show_default=False, help="Name of the pipeline, or MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE."
    ),
]
