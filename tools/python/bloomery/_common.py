"""What filters in memory, in files and in Redis have in common: many keys at once, and how full they are."""

from __future__ import annotations

import functools
import json
import sys
from typing import Any, Optional

from . import _core


@functools.lru_cache(maxsize=None)
def _numpy() -> Any:
    """numpy, or None if it is not installed. Imported when it is first needed, because that takes longer than all else."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _bools(raw: bytearray) -> Any:
    """Bytes of 0 and 1 as a numpy array of bool, or as a memoryview without numpy."""
    numpy = _numpy()
    return memoryview(raw).cast("?") if numpy is None else numpy.frombuffer(raw, dtype=numpy.bool_)


def _array(raw: bytearray, dtype: str, letter: Any) -> Any:
    numpy = _numpy()
    return memoryview(raw).cast(letter) if numpy is None else numpy.frombuffer(raw, dtype=dtype)


class Common(_core.Base):
    """The base class of all filters."""

    __slots__ = ()

    # Keys

    def update(self, *keys: Any, threads: int = 1) -> None:
        """Add all keys of iterables, numpy arrays, or Arrow arrays and columns; or of other filters.

        Arrays of integers and Arrow arrays are read in place, without the global interpreter lock. Nulls of Arrow arrays
        are skipped. With several threads, arrays of at least 65,536 keys are shared among them.
        """
        for each in keys:
            if isinstance(each, _core.Base):
                self._merge(each)
            else:
                self._insert_many(each, threads)

    def add_many(self, keys: Any, *, packed: bool = False) -> Any:
        """Add keys in order, and return which of them were certainly new: a numpy array of bool.

        A key that occurs twice is new only once. With packed=True, the result is an array of bytes with one bit for
        each key, low bits first, as in Arrow and numpy.packbits(..., bitorder="little").
        """
        raw = self._add_many(keys, packed, 1)
        return _array(raw, "uint8", "B") if packed else _bools(raw)

    def contains_many(self, keys: Any, *, packed: bool = False, threads: int = 1) -> Any:
        """Return which keys may be in: a numpy array of bool, False for those that certainly are not.

        With packed=True, the result is an array of bytes with one bit for each key: see `add_many`. Nulls of Arrow
        arrays are False.

        >>> f = Filter(1000); f.update(range(10))
        >>> f.contains_many([5, 50]).tolist()
        [True, False]
        """
        raw = self._contains_many(keys, packed, threads)
        return _array(raw, "uint8", "B") if packed else _bools(raw)

    def filter_possible(self, keys: Any, *, threads: int = 1) -> Any:
        """Return those keys that may be in, as a list, or as an array or column of the same type.

        >>> f = Filter(1000); f.update(["a", "b"])
        >>> f.filter_possible(["b", "c"])
        ['b']
        """
        return self._chosen(keys, True, threads)

    def filter_absent(self, keys: Any, *, threads: int = 1) -> Any:
        """Return those keys that certainly are not in, as a list, or as an array or column of the same type."""
        return self._chosen(keys, False, threads)

    def _chosen(self, keys: Any, wanted: bool, threads: int) -> Any:
        module = type(keys).__module__.partition(".")[0]
        if module not in ("numpy", "pandas", "polars", "pyarrow"):
            if isinstance(keys, (str, bytes, bytearray, memoryview)):
                raise TypeError(f"{type(keys).__name__} is one key, not a collection of keys: put it into a list")
            keys = list(keys)
            raw = self._contains_many(keys, False, threads)
            return [key for key, maybe in zip(keys, raw) if maybe == wanted]
        mask: Any = self.contains_many(keys, threads=threads)
        mask = [maybe == wanted for maybe in mask] if _numpy() is None else mask == wanted
        if module == "pyarrow":
            return keys.filter(sys.modules["pyarrow"].array(mask))
        if module == "polars":
            return keys.filter(sys.modules["polars"].Series(mask))
        return keys[mask]

    # What it is, and how full it is

    @property
    def kind(self) -> str:
        """The kind, such as 'bloom' or 'counting'."""
        return self._info()["kind"]

    @property
    def layout(self) -> str:
        """The layout, such as 'split-8x64'."""
        return self._info()["layout"]

    @property
    def capacity(self) -> int:
        """The number of keys that it was made for; 0 if unknown."""
        return self._info()["item_capacity"]

    @property
    def target_rate(self) -> float:
        """The false-positive rate that it was made for; 0 if unknown."""
        return self._info()["target_rate"]

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        return self._info()["byte_count"]

    @property
    def bit_count(self) -> int:
        """The number of bits, counters or cells."""
        return self._info()["bit_count"]

    @property
    def hash_count(self) -> int:
        """The number of bits or counters of a key."""
        return self._info()["hash_count"]

    @property
    def fill(self) -> float:
        """The share of bits that are set. Reads the whole filter."""
        return self._statistics()["fill_ratio"]

    @property
    def approx_items(self) -> float:
        """The number of distinct keys in it, estimated from its bits. Reads the whole filter.

        >>> f = Filter(1000); f.update(range(500))
        >>> 450 < f.approx_items < 550
        True
        """
        return self._statistics()["items"]

    @property
    def rate(self) -> float:
        """The false-positive rate that it has now, computed from its bits. Reads the whole filter."""
        return self._statistics()["expected_rate"]

    def stats(self) -> dict[str, Any]:
        """Return all statistics of one pass over the bits, as a dict."""
        return dict(self._statistics())

    def info(self, format: Optional[str] = None) -> dict[str, Any]:
        """Return what `bloomery info --json` prints: description, statistics, and facts of the kind."""
        made: dict[str, Any] = json.loads(self._describe(format))
        return made
