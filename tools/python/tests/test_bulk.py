"""Arrays, columns and iterables give the same keys as one after another."""

from __future__ import annotations

import array
import datetime
from typing import Any

import pytest

import bloomery
from bloomery import Filter

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

TEXTS = [f"key {i} " + "ä日" * (i % 3) + "x" * (i % 40) for i in range(5000)]
NUMBERS = list(range(-2500, 2500))


def made_one_by_one(keys: Any) -> Filter:
    f = Filter(10_000, 1e-3)
    for key in keys:
        f.add(key)
    return f


TEXT_ARRAYS = {
    "list": list,
    "tuple": tuple,
    "iterator": iter,
    "generator": lambda keys: (key for key in keys),
    "dict": dict.fromkeys,
    "numpy U": np.array,
    "numpy S": lambda keys: np.array([key.encode() for key in keys]),
    "numpy object": lambda keys: np.array(keys, dtype=object),
    "numpy every second": lambda keys: np.array([key for key in keys for _ in "12"])[::2],
    "numpy backwards": lambda keys: np.array(keys[::-1])[::-1],
    "pandas": pd.Series,
    "pandas index": pd.Index,
    "pandas category": lambda keys: pd.Series(keys, dtype="category"),
    "pandas arrow": lambda keys: pd.Series(keys, dtype="string[pyarrow]"),
    "polars": pl.Series,
    "polars categorical": lambda keys: pl.Series(keys, dtype=pl.Categorical),
    "arrow": pa.array,
    "arrow large": lambda keys: pa.array(keys, pa.large_string()),
    "arrow view": lambda keys: pa.array(keys, pa.string_view()),
    "arrow binary": lambda keys: pa.array([key.encode() for key in keys], pa.binary()),
    "arrow sliced": lambda keys: pa.array(["before", *keys, "after"])[1:-1],
    "arrow view sliced": lambda keys: pa.array(["before", *keys, "after"], pa.string_view())[1:-1],
    "arrow chunks": lambda keys: pa.chunked_array([keys[:1], [], keys[1:777], keys[777:]], pa.string()),
    "arrow dictionary": lambda keys: pa.array(keys).dictionary_encode(),
    "arrow dictionary sliced": lambda keys: pa.array(["before", *keys]).dictionary_encode()[1:],
}

NUMBER_ARRAYS = {
    "list": list,
    "range": lambda keys: range(keys[0], keys[-1] + 1),
    "array": lambda keys: array.array("q", keys),
    "memoryview": lambda keys: memoryview(array.array("q", keys)),
    **{f"numpy {t}": lambda keys, t=t: np.array(keys, dtype=t) for t in ("int16", "int32", "int64")},
    "numpy every third": lambda keys: np.repeat(np.array(keys), 3)[::3],
    "numpy read-only": lambda keys: np.frombuffer(np.array(keys).tobytes(), dtype="int64"),
    "pandas": pd.Series,
    "polars": pl.Series,
    **{f"arrow {t}": lambda keys, t=t: pa.array(keys, t) for t in (pa.int16(), pa.int32(), pa.int64())},
    "arrow sliced": lambda keys: pa.array([0, *keys, 0])[1:-1],
    "arrow dictionary": lambda keys: pa.array(keys).dictionary_encode(),
}


@pytest.mark.parametrize("form", TEXT_ARRAYS)
def test_texts(form: str) -> None:
    check(TEXTS, TEXT_ARRAYS[form])


@pytest.mark.parametrize("form", NUMBER_ARRAYS)
def test_numbers(form: str) -> None:
    check(NUMBERS, NUMBER_ARRAYS[form])


def check(keys: list[Any], form: Any) -> None:
    expected = made_one_by_one(keys)
    f = Filter(10_000, 1e-3)
    f.update(form(keys))
    assert f == expected
    g = Filter(10_000, 1e-3)
    g.update(form(keys), threads=3)
    assert g == expected
    half = made_one_by_one(keys[::2])
    answers = half.contains_many(form(keys))
    assert answers.dtype == bool
    assert answers.tolist() == [key in half for key in keys]
    assert half.contains_many(form(keys), threads=3).tolist() == answers.tolist()
    packed = half.contains_many(form(keys), packed=True)
    assert np.unpackbits(packed, bitorder="little")[: len(keys)].tolist() == answers.tolist()
    assert half.add_many(form(keys)).tolist() == [
        fresh for twin in [made_one_by_one(keys[::2])] for fresh in [twin.add(key) for key in keys]
    ]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "bool"])
def test_unsigned_numbers(dtype: str) -> None:
    keys = np.array([0, 1, 255, 1, 0]).astype(dtype)
    f = Filter(100, 1e-6)
    f.update(keys)
    assert f == made_of([int(key) for key in keys])
    assert f.contains_many(keys).all()


def made_of(keys: list[Any]) -> Filter:
    f = Filter(100, 1e-6)
    f.update(keys)
    return f


def test_large_arrays_in_threads() -> None:
    keys = np.random.default_rng(1).integers(0, 2**63, 1_000_000)
    one, many = Filter(1_000_000), Filter(1_000_000)
    one.update(keys)
    many.update(keys, threads=4)
    assert one == many
    asked = np.concatenate([keys[::2], keys + 1])
    assert (one.contains_many(asked) == one.contains_many(asked, threads=4)).all()
    column = pa.array(np.char.mod("%d", keys[:200_000]))
    assert one.contains_many(column).sum() == one.contains_many(column, threads=4).sum()


def test_numpy_strings_end_before_their_zeros() -> None:
    f = Filter(100, 1e-6)
    f.update(np.array([b"a", b"abc\0\0"]))
    assert b"abc" in f
    f.update(np.array(["ä"], dtype="U10"))
    assert "ä" in f
    f.update(np.array([b"a\0"], dtype="V2"))
    assert b"a\0" in f


def test_nulls_are_skipped() -> None:
    column = pa.array(["a", None, "b"])
    f = Filter(100, 1e-6)
    f.update(column)
    assert f == made_of(["a", "b"])
    assert f.contains_many(column).tolist() == [True, False, True]
    assert f.contains_many(pa.array([None, None], pa.int64())).tolist() == [False, False]
    assert f.contains_many(pa.array(["a", None, "x"]).dictionary_encode()).tolist() == [True, False, False]
    assert f.contains_many(pl.Series(["a", None])).tolist() == [True, False]


def test_booleans_and_nothing_but_nulls() -> None:
    f = Filter(100, 1e-6)
    f.update(pa.array([True, None, True]))
    assert f.contains_many(pa.array([False, True, None])[1:]).tolist() == [True, False]
    assert 1 in f
    assert np.bool_(True) in f
    assert 0 not in f
    f.update(pa.nulls(100_000))
    assert f == made_of([1])
    assert not f.contains_many(pa.nulls(10)).any()


@pytest.mark.parametrize("width", [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()])
def test_dictionaries_of_every_width(width: Any) -> None:
    f = Filter(100, 1e-6)
    f.update(pa.array([1, 2, 100], width).dictionary_encode())
    assert f == made_of([1, 2, 100])


def test_instants() -> None:
    now = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    f = Filter(100, 1e-6)
    f.update(pa.array([now], pa.timestamp("us", "UTC")))
    assert now in f
    f.clear()
    f.update(np.array(["2026-01-02T03:04:05.678901"], dtype="M8[us]").view("int64"))
    assert now in f


@pytest.mark.parametrize("nothing", [[], (), iter([]), np.array([], int), np.array([], "S1"), pa.array([], pa.string()), pl.Series([], dtype=pl.String)])
def test_no_keys(nothing: Any) -> None:
    f = Filter(100)
    f.update(nothing)
    assert f == Filter(100)
    assert f.contains_many(nothing).tolist() == []
    assert f.contains_many(nothing, packed=True).tolist() == []


def test_one_value_many_times() -> None:
    f = Filter(100, 1e-6)
    assert f.add_many(np.broadcast_to(np.array(7), 3000)).tolist() == [True] + [False] * 2999
    assert f == made_of([7])


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("text", "is one key"),
        (b"bytes", "is one key"),
        (5, "is not a collection"),
        (np.array([1.5]), "floating-point"),
        (np.array([[1, 2]]), "one dimension"),
        (np.array(5), "one dimension"),
        (np.array([1]).astype(">i8"), "byte order"),
        (np.array([1j]), "are not keys"),
        (np.array(["2026"], dtype="M8[s]"), "datetime64"),
        (pa.array([1.5]), "floating-point"),
        (pa.array([[1]]), "are not keys"),
        (pa.table({"a": [1]}), "one of its columns"),
        (pa.array([0], pa.timestamp("s")), "timestamps"),
    ],
)
def test_what_is_not_an_array_of_keys(keys: Any, says: str) -> None:
    f = Filter(100)
    for call in (f.update, f.contains_many, f.add_many):
        with pytest.raises(TypeError, match=says):
            call(keys)
    assert f == Filter(100)


def test_choosing_keys() -> None:
    f = made_of(["a", "b"])
    assert f.filter_possible(["a", "x", "b"]) == ["a", "b"]
    assert f.filter_absent(iter(["a", "x"])) == ["x"]
    for form in (np.array, pa.array, pd.Series, pl.Series):
        kept = f.filter_absent(form(["a", "x", "y"]))
        assert type(kept) is type(form(["a"]))
        assert list(map(str, kept)) == ["x", "y"]


def test_a_list_may_change_while_its_keys_are_made() -> None:
    keys: list[Any] = []

    class Clears:
        def __index__(self) -> int:
            keys.clear()
            return 1

    f = Filter(1000)
    for _ in range(200):
        keys.extend([(Clears(), "a" * 100, "b" * 100), "c"])
        f.update(keys)
    assert (1, "a" * 100, "b" * 100) in f


def test_errors_inside_an_iterator_pass_through() -> None:
    def keys() -> Any:
        yield "a"
        raise KeyError("from the iterator")

    f = Filter(100)
    with pytest.raises(KeyError, match="from the iterator"):
        f.update(keys())
    assert "a" in f


def test_an_iterator_may_use_the_filter_itself() -> None:
    f = Filter(10_000)
    f.update(key for key in range(5000) if key not in f or f.add(key))
    assert f.contains_many(range(5000)).all()


@pytest.mark.parametrize("threads", [0, -1, 5000])
def test_a_number_of_threads_that_makes_no_sense(threads: int) -> None:
    with pytest.raises(ValueError, match="threads must be"):
        Filter(100).update([1], threads=threads)


def test_the_numbers_of_a_plan() -> None:
    made = bloomery.plan(1_000_000, 0.01)
    f = Filter(1_000_000, 0.01)
    assert (made.layout, made.bits, made.hashes) == (f.layout, f.bit_count, f.hash_count)
    exact = bloomery.expected_fpp(made.layout, bits=made.bits, hashes=made.hashes, n=1_000_000)
    assert made.fpp == pytest.approx(exact, rel=1e-9)
