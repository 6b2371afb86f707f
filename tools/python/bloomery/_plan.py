"""Sizes, rates and advice, without making a filter."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional, Union

from . import _core, _filters


@dataclass(frozen=True)
class Plan:
    """The numbers of a filter that has not been made yet: see `plan`."""

    layout: str
    bits: int
    nbytes: int
    hashes: int
    meets_rate: bool  #: False only if n, p and a size were given, and the size is too small
    n: int  #: the number of distinct keys
    p: float  #: the rate asked for, or the rate reached if none was given
    fpp: float  #: the exact false-positive rate with n keys
    bits_per_key: float
    capacity: int  #: the most keys at that rate


def plan(
    n: Optional[int] = None,
    p: Optional[float] = None,
    *,
    nbytes: Optional[int] = None,
    bits: Optional[int] = None,
    hashes: Optional[int] = None,
    layout: Optional[str] = None,
    foldable: bool = False,
) -> Plan:
    """Compute the filter that `Filter` would make from the same arguments.

    >>> plan(1_000_000, 0.01).layout
    'split-8x64'
    >>> plan(nbytes=64, n=10).fpp < 1e-9
    True
    """
    _filters._check_numbers(n=n, nbytes=nbytes, bits=bits, hashes=hashes)
    return Plan(**_core.plan(n or 0, p or 0.0, nbytes or 0, bits or 0, hashes or 0, foldable, layout))


def expected_fpp(layout: str, *, bits: int, hashes: int, n: int) -> float:
    """Compute the exact false-positive rate of a layout with n distinct keys.

    >>> round(expected_fpp("classic", bits=9_585_058, hashes=7, n=1_000_000), 4)
    0.01
    """
    return _core.expected_rate(layout, bits, hashes, n)


def advise(**situation: Union[int, float, bool, str]) -> dict[str, Any]:
    """Recommend a structure for a situation, with the numbers that decide.

    The arguments are those of `bloomery advise`, with underscores for hyphens.

    >>> advise(items=1000, rate=0.01)["recommended"]["kind"]
    'hash-set'
    """
    parts = []
    for name, value in situation.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        parts.append(f"{name.replace('_', '-')}={value}")
    advice: dict[str, Any] = json.loads(_core.advise(",".join(parts)))
    return advice


@dataclass(frozen=True)
class Format:
    """A format of filters: ours, or another system's."""

    name: str
    what: str
    keys: str  #: the usual key encoding of its users
    needs: str  #: what must be given because the bytes do not contain it
    writable: bool
    makeable: bool  #: whether Filter(..., format=name) makes one


def formats() -> list[Format]:
    """List all formats, the native one first.

    >>> formats()[0].name
    'native'
    """
    return [Format(*row) for row in _core.formats()]


def detect(data: Any) -> str:
    """Return the name of the format of a whole file. Raises DataError if the bytes do not tell."""
    return _core.detect(data)


def kernel() -> str:
    """Return the name of the instructions that bulk calls use, such as 'avx2'."""
    return _core.kernel()


def random_secret() -> bytes:
    """Return a new secret for `Filter(..., secret=...)`."""
    return _core.random_secret()
