"""Nothing leaks: memory stays where it is after many operations, and after many errors."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any, Callable

import pytest

import bloomery
from bloomery import Counting, Filter

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")


def resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def many_filters() -> None:
    for i in range(10_000):
        f = Filter(1000)
        f.add(i)
        (f | f.copy()) == Filter.from_bytes(bytes(f))  # noqa: B015


def many_keys() -> None:
    f = Counting(1000)
    texts = [f"ä{i}" for i in range(1000)]
    for _ in range(100):
        for i in range(1000):
            f.add(i)
            ("a", i, b"b") in f  # noqa: B015
            f.discard(i)
            2**70 + i in f  # noqa: B015
        f.update(texts)
        f.contains_many(texts)
        f.count_many(texts)


def many_arrays() -> None:
    f = Filter(1000)
    arrays: list[Any] = [
        np.arange(5000), np.array(["a", "b"]), pa.array(["a", None]), pa.chunked_array([["a"], ["b"]]),
        pa.array(["a", "a"]).dictionary_encode(), [("a", 1)] * 100,
    ]  # fmt: skip
    for _ in range(2000):
        for each in arrays:
            f.update(each)
            f.contains_many(each)


def many_errors() -> None:
    f = Filter(1000)
    other = Filter(5000)
    wrong: list[Callable[[], Any]] = [
        lambda: f.add(1.5), lambda: f.update(["a", "b", None]), lambda: f.update(np.array([1.5])), lambda: f | other,
        lambda: Filter.from_bytes(b"junk" * 1000), lambda: bloomery.load("/nowhere"), lambda: Filter(0),
        lambda: f.update(pa.array([1.5])), lambda: Filter(10, format="nonsense"), lambda: f.add("\ud800"),
    ]  # fmt: skip
    for _ in range(2000):
        for each in wrong:
            with pytest.raises((TypeError, ValueError, OSError)):
                each()


@pytest.mark.parametrize("work", [many_filters, many_keys, many_arrays, many_errors])
def test_memory_stays_flat(work: Callable[[], None]) -> None:
    work()
    before = resident()
    work()
    assert resident() - before < 4 << 20
