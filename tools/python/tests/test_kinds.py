"""The other kinds: remove, count, grow, forget, except."""

from __future__ import annotations

import pytest

import bloomery
from bloomery import Accurate, Cascade, Counting, DLeft, DynamicCount, Filter, Scalable, Spectral, Window

REMOVABLE = [Counting, Spectral, DynamicCount, DLeft, Accurate]


@pytest.mark.parametrize("cls", REMOVABLE)
def test_keys_can_be_removed(cls: type[Counting]) -> None:
    f = cls(1000, 0.001)
    f.update(range(500))
    assert f.discard(7) is True
    assert 7 not in f
    f.remove(8)
    with pytest.raises(KeyError, match="8"):
        f.remove(8)
    assert f.discard(8) is False
    assert f.discard_many([9, 10**9]).tolist() == [True, False]
    assert f.contains_many(range(10, 500)).all()


@pytest.mark.parametrize("cls", REMOVABLE)
def test_keys_are_counted(cls: type[Counting]) -> None:
    f = cls(1000, 0.001)
    f.update(["a", "b", "a"])
    assert f.count("a") == 2
    assert f.count_many(["a", "b", "c"]).tolist() == [2, 1, 0]


def test_what_a_kind_cannot_do_it_does_not_have() -> None:
    f = Filter(10)
    for name in ("remove", "discard", "count", "advance", "reserve", "report_false_positive"):
        assert not hasattr(f, name)
    assert not hasattr(Scalable(10), "remove")


def test_a_scalable_filter_grows() -> None:
    f = Scalable(100, 0.01)
    f.update(range(10_000))
    assert f.contains_many(range(10_000)).all()
    assert f.contains_many(range(10**9, 10**9 + 50_000)).mean() < 0.013
    f.reserve(1000)
    limited = Scalable(100, 0.01, most_layers=1)
    with pytest.raises(bloomery.FullError):
        limited.update(range(10_000))


def test_parameters_reach_the_library() -> None:
    assert Scalable(100, fast=True).add("a")
    assert Counting(100, counter_bits=8, blocked=True).info()
    assert Spectral(100, policy="minimal-increase").add("a")
    assert DLeft(100, counter_bits=4, stash=10).add("a")
    assert Accurate(100, block_bits=2048).add("a")
    assert DynamicCount(100, mean_count=3).add("a")
    assert Window(100, span=60, generations=16, refresh=False, overfill=True).add("a")
    with pytest.raises(bloomery.ArgumentError):
        Counting(100, counter_bits=99)


def test_a_window_forgets() -> None:
    f = Window(1000, 0.001, span="60s")
    f.advance(0)
    f.add("old")
    f.advance(1000)
    f.add("new")
    assert "old" not in f
    assert "new" in f


def test_exceptions() -> None:
    f = Filter(1000, 0.1)
    f.update(range(1000))
    wrong = next(key for key in range(10**9, 10**9 + 1000) if key in f)
    e = f.with_exceptions()
    e.report_false_positive(wrong)
    assert wrong not in e
    assert wrong in f
    assert e.contains_many(range(1000)).all()
    assert e.withdraw(wrong) is True
    assert wrong in e
    keyed = f.with_exceptions(fingerprints=True)
    keyed.report_false_positive(wrong)
    assert wrong not in keyed
    with pytest.raises(TypeError, match="with_exceptions"):
        bloomery.Excepted(100)


def test_a_cascade_makes_no_errors() -> None:
    stored, others = [f"s{i}" for i in range(1000)], [f"o{i}" for i in range(5000)]
    c = Cascade(stored, others)
    assert c.contains_many(stored).all()
    assert not c.contains_many(others).any()
    assert type(Filter.from_bytes(bytes(c))) is Cascade
    with pytest.raises(ValueError):
        c.add("x")
    with pytest.raises(TypeError, match="all integers or all bytes"):
        Cascade(["a", 1], ["b"])


def test_advice_and_formats() -> None:
    advice = bloomery.advise(items=100_000_000, rate=0.01, remove=True)
    assert advice["recommended"]["kind"]
    assert advice["reasons"]
    with pytest.raises(ValueError):
        bloomery.advise(nonsense=1)
    assert {"native", "guava", "redisson"} <= {each.name for each in bloomery.formats()}
