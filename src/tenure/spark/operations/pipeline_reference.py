"""How people name a pipeline on a command line: `module:attribute`, `file.py:attribute`, or by its group alone.

A file is imported as Python itself would import it from its own directory, under its own name: Spark's workers look a
function up by its module's name, in the same places as this process.
"""

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.pipeline import Pipeline


def pipeline_named(reference: str) -> Pipeline:
    """Raises `PipelineConfigError` with what is wrong: no such file, an error in it, no such attribute."""
    place, colon, attribute = reference.rpartition(":") if ":" in reference else (reference, "", "")
    if not place or (colon and not attribute):
        raise PipelineConfigError(
            f"{reference!r} does not name a pipeline: write MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE."
        )
    module = _module_of_file(place) if place.endswith(".py") else _module(place, os.getcwd())
    return _attribute(module, place, attribute) if attribute else _only(module, place)


def group_named(reference: str) -> str:
    """The group of a pipeline that is declared somewhere, or the group itself where that is what was named."""
    return pipeline_named(reference).name if is_module_or_file(reference) else reference


def is_module_or_file(reference: str) -> bool:
    return ":" in reference or reference.endswith(".py")


def _module_of_file(place: str) -> ModuleType:
    file = Path(place).resolve()
    if not file.is_file():
        raise PipelineConfigError(f"There is no file {place}: name the file that declares the pipeline.")
    module = _module(file.stem, str(file.parent))
    if Path(module.__file__ or "").resolve() != file:
        _stop_looking_in(str(file.parent))
        raise PipelineConfigError(
            f"{place} cannot be imported, because another module is named {file.stem}"
            f" ({module.__file__ or 'built in'}): rename the file."
        )
    return module


def _stop_looking_in(directory: str) -> None:
    """Tasks would find there what the pipeline does not mean."""
    if directory in sys.path:
        sys.path.remove(directory)


def _module(name: str, directory: str) -> ModuleType:
    if directory not in sys.path:
        sys.path.insert(0, directory)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
            raise _broken(name, error) from error
        raise PipelineConfigError(f"There is no module {name}: check the name and the current directory.") from None
    except Exception as error:  # Whatever a user's module may raise.
        raise _broken(name, error) from error


def _broken(name: str, error: Exception) -> PipelineConfigError:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    at = "" if trace is None else f" ({trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno})"
    if isinstance(error, SyntaxError):
        at = f" ({error.filename}, line {error.lineno})"
    return PipelineConfigError(f"Module {name} cannot be imported: {type(error).__name__}: {error}{at}.")


def _attribute(module: ModuleType, place: str, attribute: str) -> Pipeline:
    found = getattr(module, attribute, None)
    if isinstance(found, Pipeline):
        return found
    what = "nothing of that name" if found is None else f"a {type(found).__name__} of that name"
    raise PipelineConfigError(f"{place} has {what}, '{attribute}'; it has {_pipelines_in(module)}.")


def _only(module: ModuleType, place: str) -> Pipeline:
    found = [value for value in vars(module).values() if isinstance(value, Pipeline)]
    if len(found) == 1:
        return found[0]
    raise PipelineConfigError(f"Name one pipeline of the file, as in {place}:NAME; there is {_pipelines_in(module)}.")


def _pipelines_in(module: ModuleType) -> str:
    names = [name for name, value in vars(module).items() if isinstance(value, Pipeline)]
    return f"the pipeline {', '.join(names)}" if names else "no pipeline"
