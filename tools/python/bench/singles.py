"""Time bloomery beside the filters that other packages provide, in turns: medians and minima.

    PYTHONPATH=build/python python3 tools/python/bench/singles.py [KEYS]

Packages that are not installed are left out: pip install abloom rbloom numpy pyarrow.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from typing import Any, Callable

import bloomery

ROUNDS = 9


def abloom_filter(n: int) -> Any:
    import abloom

    # Its hash changes with each process unless asked otherwise.
    return abloom.BloomFilter(n, 0.01, serializable=True)


def abloom_unstable(n: int) -> Any:
    import abloom

    return abloom.BloomFilter(n, 0.01)


def rbloom_filter(n: int) -> Any:
    import rbloom

    return rbloom.Bloom(n, 0.01)


MAKERS: dict[str, Callable[[int], Any]] = {
    "bloomery": lambda n: bloomery.Filter(n, 0.01),
    "abloom": abloom_filter,
    "abloom, unstable hash": abloom_unstable,
    "rbloom": rbloom_filter,
}


def usable() -> dict[str, Callable[[int], Any]]:
    found = {}
    for name, make in MAKERS.items():
        try:
            make(10).add("a")
        except (ImportError, TypeError) as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
        else:
            found[name] = make
    return found


def compare(what: str, n: int, cases: dict[str, Callable[[], None]]) -> None:
    """Runs all cases in turns, and prints nanoseconds per key."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(ROUNDS):
        for name, run in cases.items():
            begin = time.perf_counter_ns()
            run()
            times[name].append((time.perf_counter_ns() - begin) / n)
    shown = "  ".join(f"{name} {min(t):.1f} ({statistics.median(t):.1f})" for name, t in times.items())
    print(f"{what:28} {shown}", flush=True)


def add_each(f: Any, keys: list[Any]) -> None:
    add = f.add
    for key in keys:
        add(key)


def ask_each(f: Any, keys: list[Any]) -> None:
    for key in keys:
        key in f  # noqa: B015


def main(n: int) -> None:
    makers = usable()
    rng = random.Random(1)
    integers = [rng.getrandbits(63) for _ in range(n)]
    texts = [f"https://example.com/{value:016x}" for value in integers]
    print(f"{n:,} keys, 1 %, kernel {bloomery.kernel()}; ns per key: minimum (median)")
    for name, keys in (("int", integers), ("str", texts)):
        filters = {each: make(n) for each, make in makers.items()}
        compare(f"add({name})", n, {each: lambda f=f: add_each(f, keys) for each, f in filters.items()})  # type: ignore[misc]
        compare(f"{name} in f", n, {each: lambda f=f: ask_each(f, keys) for each, f in filters.items()})  # type: ignore[misc]
        compare(f"update(list of {name})", n, {each: lambda f=f: f.update(keys) for each, f in filters.items()})  # type: ignore[misc]
    try:
        import numpy
        import pyarrow
    except ImportError as error:
        print(f"arrays: left out ({error})", file=sys.stderr)
        return
    array = numpy.array(integers, dtype="uint64")
    column = pyarrow.array(texts)
    filters = {each: make(n) for each, make in makers.items()}
    ours = filters.pop("bloomery")
    compare("update(numpy)", n, {"bloomery": lambda: ours.update(array), **{each: lambda f=f: add_each(f, integers) for each, f in filters.items()}})  # type: ignore[misc]
    compare("many in f, numpy", n, {"bloomery": lambda: ours.contains_many(array), "packed": lambda: ours.contains_many(array, packed=True), "2 threads": lambda: ours.contains_many(array, packed=True, threads=2), **{each: lambda f=f: ask_each(f, integers) for each, f in filters.items()}})  # type: ignore[misc]
    for f in (ours, *filters.values()):
        f.update(texts)
    compare("many in f, Arrow strings", n, {"bloomery": lambda: ours.contains_many(column), "2 threads": lambda: ours.contains_many(column, threads=2), **{each: lambda f=f: ask_each(f, texts) for each, f in filters.items()}})  # type: ignore[misc]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
