"""How the commands of `tenure pipeline` are told which one is meant."""

from typing import Annotated, TypeAlias

import typer

Reference: TypeAlias = Annotated[
    str, typer.Argument(metavar="PIPELINE", show_default=False, help="MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE.")
]
Pipelines: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PIPELINE", show_default=False, help="Its name, or MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE of it."
    ),
]
