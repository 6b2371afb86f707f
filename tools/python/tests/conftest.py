"""What the tests share: the command of the same build, to compare files with."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

import bloomery

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def command() -> Callable[..., bytes]:
    """Runs the bloomery command, and returns what it prints."""
    program = os.environ.get("BLOOMERY")
    if not program:
        pytest.skip("BLOOMERY does not name the command")

    def run(*arguments: Any, keys: bytes = b"") -> bytes:
        done = subprocess.run([program, *map(str, arguments)], input=keys, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture
def full() -> bloomery.Filter:
    """A filter with the keys "0" to "999"."""
    made = bloomery.Filter(1000, 0.01)
    made.update(map(str, range(1000)))
    return made
