"""Filters as sets."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bloomery
from bloomery import Filter

KEYS = st.one_of(st.text(st.characters(exclude_categories=("Cs",))), st.binary(), st.integers())


@given(st.sets(KEYS), st.sets(KEYS))
@settings(deadline=None)
def test_it_has_every_key_that_a_set_has(a: set[object], b: set[object]) -> None:
    f, g = Filter(1000, 1e-3), Filter(1000, 1e-3)
    f.update(a)
    for key in b:
        g.add(key)
    assert all(key in f for key in a)
    assert f.contains_many(list(a)).all()
    union, both = f | g, f & g
    assert all(key in union for key in a | b)
    assert all(key in both for key in a & b)
    assert f <= union
    assert both <= f
    f |= g
    assert f == union
    g &= both
    assert g == both


def test_copies_are_independent(full: Filter) -> None:
    for made in (full.copy(), copy.copy(full), copy.deepcopy(full)):
        assert made == full
        made.add("new")
        assert made != full
    assert "new" not in full
    assert full.empty_copy() != full
    assert full.empty_copy().is_compatible(full)


def test_clear_removes_all(full: Filter) -> None:
    full.clear()
    assert full.fill == 0
    assert full == Filter(1000, 0.01)


def test_filters_of_other_sizes_cannot_be_combined(full: Filter) -> None:
    other = Filter(5000, 0.01)
    for call in (lambda: full | other, lambda: full & other, lambda: full <= other, lambda: full.update(other)):
        with pytest.raises(bloomery.IncompatibleError):
            call()
    assert full != other
    assert not full.is_compatible(other)
    with pytest.raises(TypeError):
        full | {"a"}
    assert full != {"a"}


def test_update_takes_several_collections_and_filters(full: Filter) -> None:
    f = Filter(1000, 0.01)
    f.update(["a"], ("b",), {"c": 1}, full, (str(i) for i in range(3)))
    assert all(key in f for key in ["a", "b", "c", "999"])


def test_it_tells_how_full_it_is(full: Filter) -> None:
    assert full.capacity == 1000
    assert full.target_rate == 0.01
    assert 900 < full.approx_items < 1100
    assert 0.005 < full.rate < 0.02
    assert full.fpp_at(1000) <= 0.01 < full.fpp_at(2000)
    assert full.nbytes * 8 == full.bit_count
    assert full.stats()["fill_ratio"] == full.fill
    assert full.info()["kind"] == full.kind == "bloom"
    assert repr(full) == f"<Filter for 1,000 keys at 0.01: split-8x64, {full.nbytes:,} bytes>"
    with pytest.raises(TypeError):
        len(full)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        hash(full)


@pytest.mark.parametrize("layout", ["classic", "blocked", "split-8x32", "split-8x64", "split-16x32"])
def test_the_rate_holds(layout: str) -> None:
    f = Filter(20_000, 0.01, layout=layout)
    f.update(range(20_000))
    # Three binomial standard deviations of 100,000 questions are 0.1 %; six are far beyond chance.
    assert f.contains_many(range(10**9, 10**9 + 100_000)).mean() < 0.01 + 0.002
    assert f.contains_many(range(20_000)).all()


def test_fold_shrinks_to_what_is_in() -> None:
    f = Filter(1_000_000, 0.01, foldable=True)
    f.update(range(1000))
    before = f.nbytes
    f.fold()
    assert f.nbytes < before / 100
    assert f.rate <= 0.01
    assert f.contains_many(range(1000)).all()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "."),
        ({"n": 0}, "n must be at least 1"),
        ({"n": -1}, "n must be from 0"),
        ({"n": 10, "p": 0}, "p must be between"),
        ({"n": 10, "p": 1.5}, "p must be between"),
        ({"n": 10, "layout": "nonsense"}, "nonsense"),
        ({"n": 10, "secret": b"short"}, "a secret has 16 bytes"),
        ({"n": 10, "format": "nonsense"}, "nonsense"),
        ({"n": 10, "encoding": "nonsense"}, "nonsense"),
    ],
)
def test_arguments_that_cannot_be_used(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Filter(**arguments)  # type: ignore[arg-type]


def test_more_memory_than_there_is() -> None:
    with pytest.raises((bloomery.Error, MemoryError)):
        Filter(10**18, 1e-9)


def test_filters_that_make_other_keys_cannot_be_combined() -> None:
    plain, hashed, encoded = Filter(100), Filter(100, hash=len), Filter(100, encoding="utf16le")
    for other in (hashed, encoded, Filter(100, hash=str.__len__)):
        with pytest.raises(bloomery.IncompatibleError, match="make keys in different ways"):
            plain | other
        assert plain != other
        assert not plain.is_compatible(other)
    assert hashed.is_compatible(Filter(100, hash=len))


def test_subclasses_stay_what_they_are() -> None:
    f = Mine(100)
    f.tag = "a"
    for made in (copy.copy(f), copy.deepcopy(f), pickle.loads(pickle.dumps(f))):
        assert type(made) is Mine
        assert made.tag == "a"
        assert made == f


class Mine(Filter):
    tag: str
