"""References to pipelines on a command line: `module:attribute`, `file.py:attribute`, or the name of the group.

A file is imported as a module with the name of the file, and its directory is added to the import path. Spark's workers
import the same module by its name, with the same import path.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.pipeline import Pipeline


def pipeline_named(reference: str, py_files: Sequence[str] = ()) -> Pipeline:
    """Import and return the pipeline. It may import modules from `py_files`.

    Raises:
        PipelineConfigError: File, module or attribute is missing or invalid.
    """
    for path in map(os.path.abspath, py_files):
        sys.path.append(os.path.dirname(path) if path.endswith(".py") else path)
    source, colon, attribute = reference.rpartition(":") if ":" in reference else (reference, "", "")
    if not source or (colon and not attribute):
        raise PipelineConfigError(
            f"{reference!r} does not name a pipeline: write MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE."
        )
    module = _module_of_file(source) if source.endswith(".py") else _module(source, os.getcwd())
    return _attribute(module, source, attribute) if attribute else _only(module, source)


def group_named(reference: str, py_files: Sequence[str] = ()) -> str:
    """Return the group of the referenced pipeline; a reference that is a group name is returned unchanged."""
    return pipeline_named(reference, py_files).name if is_module_or_file(reference) else reference


def is_module_or_file(reference: str) -> bool:
    """Return whether the reference names a module or a file."""
    return ":" in reference or reference.endswith(".py")


def _module_of_file(path: str) -> ModuleType:
    file = Path(path).resolve()
    if not file.is_file():
        raise PipelineConfigError(f"There is no file {path}: name the file that declares the pipeline.")
    module = _module(file.stem, str(file.parent))
    if Path(module.__file__ or "").resolve() != file:
        _remove_import_path(str(file.parent))
        raise PipelineConfigError(
            f"File {path} cannot be imported, because another module is named {file.stem}"
            f" ({module.__file__ or 'built in'}): rename the file."
        )
    return module


def _remove_import_path(directory: str) -> None:
    """Remove a directory from the import path after a failed import, so that no task imports modules from it."""
    if directory in sys.path:
        sys.path.remove(directory)


def _module(name: str, directory: str) -> ModuleType:
    if directory not in sys.path:
        sys.path.insert(0, directory)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
            raise _import_error(name, error) from error
        raise PipelineConfigError(f"There is no module {name}: check the name and the current directory.") from None
    except Exception as error:  # A user's module may raise anything.
        raise _import_error(name, error) from error


def _import_error(name: str, error: Exception) -> PipelineConfigError:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    at = "" if trace is None else f" ({trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno})"
    if isinstance(error, SyntaxError):
        at = f" ({error.filename}, line {error.lineno})"
    return PipelineConfigError(f"Module {name} cannot be imported: {type(error).__name__}: {error}{at}.")


def _attribute(module: ModuleType, source: str, attribute: str) -> Pipeline:
    found = getattr(module, attribute, None)
    if isinstance(found, Pipeline):
        return found
    problem = "does not exist" if found is None else f"is a {type(found).__name__} instead of a Pipeline"
    raise PipelineConfigError(f"{attribute} in {source} {problem}; {source} has {_pipelines_in(module)}.")


def _only(module: ModuleType, source: str) -> Pipeline:
    found = [value for value in vars(module).values() if isinstance(value, Pipeline)]
    if len(found) == 1:
        return found[0]
    raise PipelineConfigError(f"Name one pipeline, as in {source}:NAME; {source} has {_pipelines_in(module)}.")


def _pipelines_in(module: ModuleType) -> str:
    names = [name for name, value in vars(module).items() if isinstance(value, Pipeline)]
    return f"the pipeline {', '.join(names)}" if names else "no pipeline"
