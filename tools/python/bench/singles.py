"""Time bloomery beside the filters that other packages provide, in turns.

    PYTHONPATH=build/python python3 tools/python/bench/singles.py [KEYS]

Packages that are not installed are left out: pip install abloom rbloom numpy pyarrow.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from functools import partial
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


def parts_of(keys: Any, size: int) -> list[Any]:
    return [keys[i : i + size] for i in range(0, len(keys), size)]


def compare(what: str, n: int, parts: list[Any], cases: dict[str, Callable[[Any], None]]) -> None:
    """Prints nanoseconds per key. The keys are used in short parts, by all cases in turns, and the least time of each part
    counts: another process that takes the processor for a while then spoils a few parts of one round."""
    names = list(cases)
    least = {name: [1 << 62] * len(parts) for name in names}
    for round_ in range(ROUNDS):
        for i, some in enumerate(parts):
            at = (round_ + i) % len(names)  # the first one pays for loading the keys
            for name in names[at:] + names[:at]:
                begin = time.perf_counter_ns()
                cases[name](some)
                least[name][i] = min(least[name][i], time.perf_counter_ns() - begin)
    shown = "  ".join(f"{name} {sum(times) / n:.1f}" for name, times in least.items())
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
    gc.disable()
    print(f"{n:,} keys, 1 %, kernel {bloomery.kernel()}; ns per key, the least of {ROUNDS} rounds")
    for name, keys in (("int", integers), ("str", texts)):
        filters = {each: make(n) for each, make in makers.items()}
        for f in filters.values():
            f.update(keys)
        some = parts_of(keys[: n // 5], 4000)
        compare(f"{name} in f", n // 5, some, {each: partial(ask_each, f) for each, f in filters.items()})
        compare(f"add({name})", n // 5, some, {each: partial(add_each, f) for each, f in filters.items()})
        compare(f"update(list of {name})", n, parts_of(keys, 20_000), {each: f.update for each, f in filters.items()})
    try:
        import numpy
        import pyarrow
    except ImportError as error:
        print(f"arrays: left out ({error})", file=sys.stderr)
        return
    filters = {each: make(n) for each, make in makers.items()}
    ours = filters.pop("bloomery")
    array = numpy.array(integers, dtype="uint64")
    # Each part as an array for us, and as a list for the loops of the others.
    parts = list(zip(parts_of(array, 100_000), parts_of(integers, 100_000)))
    loops = {each: lambda part, f=f: add_each(f, part[1]) for each, f in filters.items()}
    compare("update(numpy)", n, parts, {"bloomery": lambda part: ours.update(part[0]), **loops})
    loops = {each: lambda part, f=f: ask_each(f, part[1]) for each, f in filters.items()}
    loops["bloomery"] = lambda part: ours.contains_many(part[0])
    compare("many in f, numpy", n, parts, loops)
    ours.update(texts)
    for f in filters.values():
        f.update(texts)
    parts = list(zip(parts_of(pyarrow.array(texts), 100_000), parts_of(texts, 100_000)))
    compare("many in f, Arrow strings", n, parts, loops)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
