"""The same keys give the same bits in every process."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import bloomery
from bloomery import Filter

PROGRAM = """
import hashlib, uuid, datetime
from bloomery import Filter
f = Filter(1000, 0.01)
f.update(["a", "ä", b"bytes", 7, -7, 2**70, ("a", 1), uuid.UUID(int=5), datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)])
print(hashlib.sha256(bytes(f)).hexdigest())
"""


def test_bits_do_not_depend_on_the_hash_seed_of_python() -> None:
    made = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "random")
    }
    assert len(made) == 1


def answers(f: Filter) -> tuple[bool, str]:
    return all(str(i) in f for i in range(1000)), hashlib.sha256(bytes(f)).hexdigest()


def opened_answers(path: str) -> bool:
    with bloomery.open(path) as f:
        return bool(f.contains_many([str(i) for i in range(1000)]).all())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_have_the_same_keys(method: str, full: Filter, tmp_path: Path) -> None:
    path = tmp_path / "a.bloom"
    full.save(path)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(answers, [full, full]) == [answers(full)] * 2
        assert pool.map(opened_answers, [str(path)] * 4) == [True] * 4


def part_of(arguments: tuple[int, int]) -> Any:
    begin, end = arguments
    f = Filter(100_000, 0.01)
    f.update(range(begin, end))
    return f


def test_filters_made_in_parts_are_one_filter() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(part_of, [(i, i + 25_000) for i in range(0, 100_000, 25_000)])
    whole = Filter(100_000, 0.01)
    whole.update(range(100_000))
    assert parts[0].union(*parts[1:]) == whole


def test_a_fork_in_the_middle_of_a_bulk_call_does_not_hang() -> None:
    np = pytest.importorskip("numpy")
    f = Filter(10_000_000)
    keys = np.arange(10_000_000)
    thread = threading.Thread(target=f.update, args=(keys,))
    thread.start()
    time.sleep(0.005)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            1 in f  # noqa: B015
        except RuntimeError:
            os._exit(3)
        os._exit(0)
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) in (0, 3)
