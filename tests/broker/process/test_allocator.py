"""Cost of a large answer for the kernel, counted in new pages."""

import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long

PROGRAM = """
from resource import RUSAGE_SELF, getrusage
from tenure.broker.process.allocator import configure_allocator

def answer():
    parts = [bytes(b"x" * 1_000_000) for _ in range(4)]
    return b"".join(parts)

configure_allocator()
answer()
before = getrusage(RUSAGE_SELF).ru_minflt
for _ in range(10):
    answer()
print(getrusage(RUSAGE_SELF).ru_minflt - before)
"""
PAGES_OF_ONE_ANSWER = 1_000


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to keep freed memory")
def test_freed_memory__several_large_answers_in_turn__pages_of_the_first_are_used_again() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert int(done.stdout) < PAGES_OF_ONE_ANSWER
