"""The classes of filters."""

from __future__ import annotations

import builtins
import copy
import os
import pickle
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, TypeVar, Union

from . import _core
from ._common import Common, _array, _bools

if TYPE_CHECKING:
    from typing_extensions import Self

    from .gpu import GpuFilter

    Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

AnyFilter = TypeVar("AnyFilter", bound="Filter")

def _yes_or_no(flag: Optional[bool]) -> Optional[str]:
    return None if flag is None else "yes" if flag else "no"


def _check_numbers(**numbers: Optional[int]) -> None:
    """Refuse what the library would take for another number."""
    for name, value in numbers.items():
        most = 32 if name == "hashes" else 64
        if value is not None and not 0 <= value < 1 << most:
            raise _core.ArgumentError(f"{name} must be from 0 to 2**{most} - 1, and {value} is not")


def _check_hash(hash: Optional[Callable[[Any], int]]) -> None:
    if hash is not None and not callable(hash):
        raise TypeError("hash must be a function that returns an int for a key")


def _usual_encoding(format: Optional[str]) -> Optional[str]:
    """How the users of a system usually encode keys, as the command does if it is not told otherwise."""
    name = (format or "native").partition(",")[0]
    for row in _core.formats():
        if row[0] == name:
            return row[2]
    return None


def _kind(name: str, **parameters: Any) -> str:
    """A kind with its parameters, as the library reads them: "counting,bits=4"."""
    given = [f"{key.replace('_', '-')}={value}" for key, value in parameters.items() if value is not None]
    return ",".join([name, *given])


class Filter(Common):
    """A set of keys that answers "certainly not" or "maybe", in about ten bits per key.

    n is the number of distinct keys, p the false-positive rate with that many
    (1 % if not given; for a format of another system, its own). Instead of one of them, nbytes or bits can be given, or
    bits and hashes alone.

    Keys are str (as UTF-8), bytes and other buffers, int, uuid.UUID, datetime with
    a time zone, and tuples of these. "a" and b"a" are the same key; 1 and "1" are
    not. A tuple is its parts one after another, so that (1, (2, 3)) is (1, 2, 3).

    layout   one of 'classic', 'blocked', 'split-8x32', 'split-8x64', 'split-16x32'
    seed     different seeds give different false positives
    secret   16 bytes: a keyed hash, for keys that an adversary chooses
    foldable choose a size that `fold` can shrink
    format   make a filter of another system, such as 'guava': see `formats`
    encoding how keys become bytes in that system, such as 'utf16le' or 'i64be'
    hash     a function of your own that returns an int for a key; 64 bits of it are used

    >>> f = Filter(1000, 0.01)
    >>> f.add("one")
    True
    >>> f.update(["two", "three"])
    >>> "two" in f, "four" in f
    (True, False)
    """

    __slots__ = ()

    def __new__(
        cls,
        n: Optional[int] = None,
        p: Optional[float] = None,
        *,
        nbytes: Optional[int] = None,
        bits: Optional[int] = None,
        hashes: Optional[int] = None,
        layout: Optional[str] = None,
        seed: int = 0,
        secret: Optional[bytes] = None,
        foldable: bool = False,
        format: Optional[str] = None,
        encoding: Optional[str] = None,
        hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        return cls._make(None, n, p, nbytes, bits, hashes, layout, seed, secret, foldable, format, encoding, hash)

    @classmethod
    def _make(
        cls,
        kind: Optional[str],
        n: Optional[int],
        p: Optional[float],
        nbytes: Optional[int] = None,
        bits: Optional[int] = None,
        hashes: Optional[int] = None,
        layout: Optional[str] = None,
        seed: int = 0,
        secret: Optional[bytes] = None,
        foldable: bool = False,
        format: Optional[str] = None,
        encoding: Optional[str] = None,
        hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        _check_numbers(n=n, nbytes=nbytes, bits=bits, hashes=hashes, seed=seed)
        _check_hash(hash)
        if n == 0:
            raise _core.ArgumentError("n must be at least 1")
        if n is None and nbytes is None and bits is None:
            raise _core.ArgumentError("give n, the number of keys, or a size: nbytes or bits")
        if p is not None and not 0 < p < 1:
            raise _core.ArgumentError(f"p must be between 0 and 1, and {p} is not")
        if encoding is None and format is not None:
            encoding = _usual_encoding(format)
        return _core.Base.__new__(
            cls, n or 0, p or 0.0, nbytes or 0, bits or 0, hashes or 0, seed, secret, foldable, layout, kind,
            format, encoding, hash,
        )

    # Sets

    def __or__(self, other: Any) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        made = self.copy()
        made._merge(other)
        return made

    def __and__(self, other: Any) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        made = self.copy()
        made._intersect(other)
        return made

    def __ior__(self, other: Any) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        self._merge(other)
        return self

    def __iand__(self, other: Any) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        self._intersect(other)
        return self

    def __eq__(self, other: object) -> bool:
        """Whether two filters are made alike and have the same bits."""
        return self._equal(other) if isinstance(other, Filter) else NotImplemented

    __hash__ = None  # type: ignore[assignment] # it changes, like a set

    def __le__(self, other: Any) -> bool:
        """Whether every bit of this filter is set in the other: if not, it certainly has a key that the other lacks.

        Raises IncompatibleError for filters that are not made alike.
        """
        if not isinstance(other, Filter):
            return NotImplemented
        if self.kind != "bloom" or other.kind != "bloom":
            raise _core.UnsupportedError("only filters of the kind bloom can be compared like this")
        union = other.copy()
        union._merge(self)
        return union._equal(other)

    def __ge__(self, other: Any) -> bool:
        return other <= self if isinstance(other, Filter) else NotImplemented

    def union(self, *others: Filter) -> Self:
        """Return a filter with the keys of all."""
        made = self.copy()
        for each in others:
            made._merge(each)
        return made

    def intersection(self, *others: Filter) -> Self:
        """Return a filter of what may be in all."""
        made = self.copy()
        for each in others:
            made._intersect(each)
        return made

    def issubset(self, other: Filter) -> bool:
        """Whether every bit of this filter is set in the other: see `<=`."""
        return self <= other

    def is_compatible(self, other: Filter) -> bool:
        """Whether the two can be merged."""
        try:
            self._require_compatible(other)
        except _core.IncompatibleError:
            return False
        return True

    def __copy__(self) -> Self:
        made = self.copy()
        if hasattr(self, "__dict__"):  # of a class of the caller's own
            made.__dict__.update(self.__dict__)
        return made

    def __deepcopy__(self, memo: Any) -> Self:
        made = self.copy()
        if hasattr(self, "__dict__"):
            made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return made

    # Other forms

    def __repr__(self) -> str:
        name = type(self).__name__
        if self.closed:
            return f"<{name}: closed>"
        about = self._info()
        made_for = f" for {about['item_capacity']:,} keys at {about['target_rate']:.4g}" if about["target_rate"] else ""
        return f"<{name}{made_for}: {about['layout']}, {about['byte_count']:,} bytes>"

    def fold(self, rate: Optional[float] = None) -> None:
        """Shrink to the smallest size at which the keys in it still have at most this false-positive rate.

        Without a rate, it is the one that the filter was made for.
        """
        self._fold(self.target_rate if rate is None else rate)

    def with_exceptions(self, most: int = 65_536, *, evict_oldest: bool = False, fingerprints: bool = False) -> Excepted:
        """Return a copy that keeps a list of known false positives, which it denies."""
        _check_numbers(most=most)
        made: Excepted = self._with_exceptions(most, evict_oldest, fingerprints)
        return made

    # Files and bytes

    def save(
        self,
        path: Path,
        *,
        format: Optional[str] = None,
        comment: Optional[str] = None,
        overwrite: bool = True,
        keep_secret: bool = False,
    ) -> None:
        """Write a file. Others see the old file or the new one, even after a crash.

        format is 'native' or the name of another system's format: see `formats`.
        """
        self._save(path, format, comment, overwrite, keep_secret)

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        format: Optional[str] = None,
        secret: Optional[bytes] = None,
        encoding: Optional[str] = None,
        hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        """Read a file of any format into memory. Returns the class for its kind.

        Give the format, with what the file does not contain, if its bytes do not tell it:
        'redisson,bits=9585058,hashes=7'. encoding says how that system makes bytes of keys; if not given, it is how its
        users usually do: see `formats`.
        """
        _check_hash(hash)
        with builtins.open(path, "rb") as file:
            is_native = file.read(4) == b"\x89BLM"
            if not is_native:
                file.seek(0)
                content = file.read()
        if is_native:
            return cls._load(path, format, secret, encoding, hash, False)
        return cls.from_bytes(content, format, secret=secret, encoding=encoding, hash=hash)

    @classmethod
    def open(
        cls,
        path: Path,
        mode: str = "r",
        *,
        secret: Optional[bytes] = None,
        encoding: Optional[str] = None,
        hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        """Use a native file in place, without reading it: at once, however large it is.

        Files of the kind bloom are mapped; those of other kinds are read, and cannot be opened with 'r+'.

        With mode 'r', any number of processes can use it. With 'r+', keys that are added go to the file; one process
        at a time can do that, while others read. Use it in a with statement, or call `close`.
        """
        _check_hash(hash)
        if mode not in ("r", "r+"):
            raise _core.ArgumentError(f"mode must be 'r' or 'r+', and {mode!r} is neither")
        return cls._map(path, None, secret, encoding, hash, mode == "r+")

    def to_bytes(self, format: Optional[str] = None, *, comment: Optional[str] = None, keep_secret: bool = False) -> bytes:
        """Return the bytes that `save` would write."""
        return self._to_bytes(format, comment, keep_secret)

    def to_gpu(self, device: Union[int, str, None] = None) -> GpuFilter:
        """Copy the filter to a GPU: see bloomery.gpu."""
        from .gpu import GpuFilter

        return GpuFilter.from_host(self, device)

    @classmethod
    def from_bytes(
        cls,
        data: Any,
        format: Optional[str] = None,
        *,
        secret: Optional[bytes] = None,
        encoding: Optional[str] = None,
        hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        """Make a filter of the bytes of a file of any format: see `load`.

        >>> f = Filter(100); f.update(["a", "b"])
        >>> Filter.from_bytes(bytes(f)) == f
        True
        """
        _check_hash(hash)
        if encoding is None and hash is None:
            if format is None and bytes(memoryview(data)[:4]) != b"\x89BLM":
                format = _core.detect(data)
            encoding = _usual_encoding(format)
        return cls._from_bytes(data, format, secret, encoding, hash, False)

    def __bytes__(self) -> bytes:
        return self._to_bytes(None, None, False)

    def __reduce_ex__(self, protocol: Any) -> Any:
        # A pickle goes to one's own processes, so the secret of a keyed filter goes with it.
        about = self._info()
        if about["scheme"] == "redisbloom" and not about["can_share"]:
            content: Any = self._to_bytes("redisbloom", None, False)  # it grows, which a native file cannot express
        else:
            content = self._to_bytes(None, None, True)
        if protocol >= 5:
            content = pickle.PickleBuffer(content)
        arguments = (type(self), content, self.encoding, self.hash)
        return _unpickled, arguments, getattr(self, "__dict__", None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()


def _unpickled(cls: type[Filter], content: Any, encoding: str, hash: Optional[Callable[[Any], int]]) -> Filter:
    return cls._from_bytes(content, None, None, encoding, hash, False)


class _Removable(Filter):
    """What kinds have from which keys can be removed."""

    __slots__ = ()

    discard = _core.Base._discard
    remove = _core.Base._remove

    def discard_many(self, keys: Any, *, packed: bool = False) -> Any:
        """Remove keys in order, and return which may have been in: a numpy array of bool, as `add_many` does."""
        raw = self._discard_many(keys, packed, 1)
        return _array(raw, "uint8", "B") if packed else _bools(raw)


class _Countable(Filter):
    """What kinds have that count."""

    __slots__ = ()

    count = _core.Base._count

    def count_many(self, keys: Any) -> Any:
        """Return about how often each key is in: a numpy array of uint64."""
        return _array(self._count_many(keys), "uint64", "Q")


class Counting(_Removable, _Countable):
    """A filter from which keys can be removed: small counters instead of bits.

    counter_bits is the width of a counter: 2 to 32, or 2, 4, 8 or 16 with blocked=True, which keeps the counters of a
    key in one cache line.

    >>> f = Counting(1000, 0.01)
    >>> f.add("a"); f.remove("a"); "a" in f
    True
    False
    """

    __slots__ = ()

    def __new__(
        cls, n: int, p: float = 0.01, *, counter_bits: int = 4, blocked: bool = False, seed: int = 0,
        secret: Optional[bytes] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        kind = _kind("counting", bits=counter_bits, layout="blocked" if blocked else None)
        return cls._make(kind, n, p, seed=seed, secret=secret, hash=hash)


class Spectral(_Removable, _Countable):
    """A filter that counts how often each key was added.

    policy is 'minimum-selection', 'minimal-increase' (more exact, but nothing can be removed) or 'recurring-minimum'.
    """

    __slots__ = ()

    def __new__(
        cls, n: int, p: float = 0.01, *, policy: Optional[str] = None, counter_bits: Optional[int] = None, seed: int = 0,
        secret: Optional[bytes] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        return cls._make(_kind("spectral", policy=policy, bits=counter_bits), n, p, seed=seed, secret=secret, hash=hash)


class DynamicCount(_Removable, _Countable):
    """A filter whose counters have no limit: it adds bits to them when they need more."""

    __slots__ = ()

    def __new__(
        cls, n: int, p: float = 0.01, *, mean_count: Optional[float] = None, seed: int = 0,
        secret: Optional[bytes] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        return cls._make(_kind("dynamic-count", mean_count=mean_count), n, p, seed=seed, secret=secret, hash=hash)


class DLeft(_Removable, _Countable):
    """A filter from which keys can be removed, in half the memory of `Counting`: fingerprints in a d-left table."""

    __slots__ = ()

    def __new__(
        cls, n: int, p: float = 0.01, *, counter_bits: Optional[int] = None, stash: Optional[int] = None, seed: int = 0,
        secret: Optional[bytes] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        return cls._make(_kind("dleft", bits=counter_bits, stash=stash), n, p, seed=seed, secret=secret, hash=hash)


class Accurate(_Removable, _Countable):
    """An accurate counting filter: fewer false positives for the memory of `Counting`."""

    __slots__ = ()

    def __new__(
        cls, n: int, p: float = 0.01, *, block_bits: Optional[int] = None, freeze: Optional[float] = None, seed: int = 0,
        secret: Optional[bytes] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        kind = _kind("accurate", block_bits=block_bits, freeze=freeze)
        return cls._make(kind, n, p, seed=seed, secret=secret, hash=hash)


class Scalable(Filter):
    """A filter that grows: n is the size to begin with, and the rate holds for any number of keys."""

    __slots__ = ()

    def __new__(
        cls, n: int, p: float = 0.01, *, growth: Optional[int] = None, tightening: Optional[float] = None,
        most_layers: Optional[int] = None, most_bytes: Optional[int] = None, fast: bool = False, seed: int = 0,
        secret: Optional[bytes] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        kind = _kind("scalable", growth=growth, tightening=tightening, most_layers=most_layers, most_bytes=most_bytes,
                     fast=_yes_or_no(fast or None))
        return cls._make(kind, n, p, seed=seed, secret=secret, hash=hash)

    reserve = _core.Base._reserve


class Window(Filter):
    """A filter that forgets: it keeps the last n keys, or, with a span, those of that time.

    span is '90s', '15m', '24h' or '7d', or a number of seconds; call `advance` with the time in seconds.
    """

    __slots__ = ()

    def __new__(
        cls, n: int, p: float = 0.01, *, span: Union[str, int, None] = None, generations: Optional[int] = None,
        refresh: Optional[bool] = None, overfill: Optional[bool] = None, seed: int = 0,
        secret: Optional[bytes] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        seconds = f"{span}s" if isinstance(span, int) else span
        kind = _kind("window", span=seconds, generations=generations, refresh=_yes_or_no(refresh),
                     overfill=_yes_or_no(overfill))
        return cls._make(kind, n, p, seed=seed, secret=secret, hash=hash)

    advance = _core.Base._advance


class Excepted(Filter):
    """A filter with a list of known false positives, which it denies: see `Filter.with_exceptions`."""

    __slots__ = ()

    def __new__(cls, *unused: Any, **also_unused: Any) -> Self:
        raise TypeError("make a Filter, and call its with_exceptions()")

    report_false_positive = _core.Base._report_false_positive
    withdraw = _core.Base._withdraw


class Cascade(Filter):
    """Filters in a row that separate stored keys from others without errors.

    Of a key that was in neither collection, the answer means nothing. It cannot be changed.

    >>> c = Cascade(stored=range(100), others=range(100, 1000))
    >>> 7 in c, 700 in c
    (True, False)
    """

    __slots__ = ()

    def __new__(
        cls, stored: Iterable[Any], others: Iterable[Any], *, seed: int = 0, secret: Optional[bytes] = None
    ) -> Self:
        _check_numbers(seed=seed)
        made: Self = _core.cascade(stored, others, seed, secret)
        return made if type(made) is cls else cls._from_bytes(made._to_bytes(None, None, True), None, None, None, None, False)


_core.Base._register(
    {
        "": Filter,
        "bloom": Filter,
        "counting": Counting,
        "spectral": Spectral,
        "dynamic-count": DynamicCount,
        "dleft": DLeft,
        "accurate": Accurate,
        "scalable": Scalable,
        "window": Window,
        "excepted": Excepted,
        "cascade": Cascade,
    }
)

load = Filter.load
open = Filter.open
