"""Build script for setuptools in the staged tree of `compiled/extensions.py`; the file `modules` names the modules."""

from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup

CONFIG = ["--config-file", "mypy.ini"]

setup(
    ext_modules=mypycify(
        [*CONFIG, *Path("modules").read_text().split()], opt_level="1", debug_level="0", multi_file=True
    )
)
