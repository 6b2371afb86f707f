"""Several Python threads and one filter: nothing is lost, nothing hangs."""

from __future__ import annotations

import threading
from typing import Any, Callable

import pytest

from bloomery import Counting, Filter, Scalable

np = pytest.importorskip("numpy")


def run(*work: Callable[[], None]) -> None:
    errors: list[BaseException] = []

    def guarded(call: Callable[[], None]) -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(each,)) for each in work]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
        assert not each.is_alive()
    assert not errors, errors


@pytest.mark.parametrize("make", [lambda: Filter(2_000_000), lambda: Scalable(1000), lambda: Counting(2_000_000)])
def test_no_key_is_lost(make: Callable[[], Any]) -> None:
    f = make()
    parts = [np.arange(i * 100_000, (i + 1) * 100_000) for i in range(4)]
    texts = [str(i) for i in range(5000)]

    def in_bulk(keys: Any) -> Callable[[], None]:
        return lambda: [f.update(piece) for piece in np.array_split(keys, 10)] and None

    def one_by_one() -> None:
        for text in texts:
            f.add(text)

    def ask() -> None:
        for _ in range(20):
            f.contains_many(parts[0])
            f.rate  # noqa: B018

    run(*map(in_bulk, parts), one_by_one, ask)
    for part in parts:
        assert f.contains_many(part).all()
    assert f.contains_many(texts).all()


def test_two_filters_merged_into_each_other() -> None:
    f, g = Filter(1_000_000), Filter(1_000_000)
    f.update(range(1000))
    g.update(range(1000, 2000))

    def merge(to: Filter, of: Filter) -> Callable[[], None]:
        return lambda: [to.update(of) for _ in range(50)] and None

    run(merge(f, g), merge(g, f), merge(f, f), lambda: [f == g for _ in range(50)] and None)
    assert f == g
    assert f.contains_many(range(2000)).all()


def test_closing_waits_for_the_others() -> None:
    f = Filter(5_000_000)
    keys = np.arange(2_000_000)
    started = threading.Event()

    def ask() -> None:
        started.set()
        try:
            for _ in range(100):
                f.contains_many(keys)
        except ValueError as error:
            assert "closed" in str(error)

    def close() -> None:
        started.wait()
        f.close()

    run(ask, ask, close)


@pytest.mark.parametrize("call", [lambda f: f.add(1), lambda f: 1 in f, lambda f: f.update(range(10)), lambda f: f.rate])
def test_nobody_waits_for_ever(call: Callable[[Filter], Any]) -> None:
    f = Filter(5_000_000)
    keys = np.arange(1_000_000)
    done = threading.Event()

    def in_bulk() -> None:
        while not done.is_set():
            f.update(keys)

    def others() -> None:
        try:
            for _ in range(5):
                call(f)
        finally:
            done.set()

    run(in_bulk, in_bulk, others)
