"""Build script for setuptools in the staged tree of `compiled/extensions.py`; the file `modules` names the modules.

With `-Og`, gcc needs a third less time than with `-O1`, but a heartbeat takes 4 to 6 % more instructions
(`make bench ARGS=instructions`). Without `multi_file`, gcc needs more time, not less.
"""

from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup

CONFIG = ["--config-file", "mypy.ini"]

setup(
    ext_modules=mypycify(
        [*CONFIG, *Path("modules").read_text().split()], opt_level="1", debug_level="0", multi_file=True
    )
)
