"""What is a key, and which keys are the same."""

from __future__ import annotations

import datetime
import struct
import uuid

import pytest

from bloomery import Filter

UTC = datetime.timezone.utc


@pytest.mark.parametrize(
    "key",
    [
        "", "a", "ä", "日本", "x" * 1000, b"", b"\0", b"bytes", 0, 1, -1, 2**63 - 1, -(2**63), 2**64 - 1, 2**64, -(2**100),
        10**100, True, uuid.UUID(int=7), datetime.datetime(2026, 1, 1, tzinfo=UTC), (), ("a", 1), ("a", ("b", 2**70)),
        bytearray(b"changes"), memoryview(b"view"),
    ],
)  # fmt: skip
def test_every_sort_of_key_is_found_alone_and_in_bulk(key: object) -> None:
    alone, many = Filter(100, 1e-6), Filter(100, 1e-6)
    assert key not in alone
    assert alone.add(key) is True
    assert alone.add(key) is False
    assert key in alone
    many.update([key])
    assert many == alone
    assert many.contains_many((key,)).tolist() == [True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", b"a"),
        ("日本", "日本".encode()),
        (b"a", bytearray(b"a")),
        (1, True),
        (-1, 2**64 - 1),  # the same 64 bits, as in C++
        (uuid.UUID(int=7), uuid.UUID(int=7).bytes),
        (datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), 1_000_000),
        (datetime.datetime(2026, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
         datetime.datetime(2026, 1, 1, tzinfo=UTC)),
        # As std::tuple: integers are 8 bytes, texts are 8 bytes of length and their bytes.
        (("a", 1), struct.pack("<Q1sq", 1, b"a", 1)),
        ((("a", 1), b"b"), ("a", 1, "b")),
        (2**64, (2**64).to_bytes(9, "little", signed=True)),
    ],
)  # fmt: skip
def test_these_are_the_same_key(one: object, other: object) -> None:
    f = Filter(100, 1e-6)
    f.add(one)
    assert other in f


def test_an_integer_is_not_its_digits() -> None:
    f = Filter(100, 1e-6)
    f.add(1)
    assert "1" not in f


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (1.5, "a float is not a key"),
        (None, "None is not a key"),
        ([1], "list is not a key"),
        ({"a"}, "set is not a key"),
        (object(), "object is not a key"),
        (("a", 1.5), "a float is not a key"),
        (datetime.datetime(2026, 1, 1), "without a time zone"),
    ],
)
def test_what_is_not_a_key_is_refused_with_a_sentence(key: object, says: str) -> None:
    f = Filter(100)
    for call in (f.add, f.__contains__, lambda k: f.update([k]), lambda k: f.contains_many([k])):
        with pytest.raises(TypeError, match=says):
            call(key)
    assert f == Filter(100)


def test_a_text_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        Filter(100).add("\ud800")


def test_the_keys_before_one_that_is_refused_are_in() -> None:
    f = Filter(100)
    with pytest.raises(TypeError):
        f.update(["a", 7, 1.5, "b"])
    assert "a" in f
    assert 7 in f
    assert "b" not in f


def test_a_hash_function_of_ones_own() -> None:
    f = Filter(100, hash=lambda key: 1 if key == "a" else 2**64 + 2)
    assert f.add("a")
    assert "a" in f
    assert 1.5 not in f
    f.update([1.5, 2.5])
    assert f.contains_many([1.5, "other"]).tolist() == [True, True]
    with pytest.raises(TypeError, match="must return an int"):
        Filter(100, hash=lambda key: "text").add("a")  # type: ignore[arg-type, return-value]
    with pytest.raises(ZeroDivisionError):
        Filter(100, hash=lambda key: 1 // 0).update(["a"])
