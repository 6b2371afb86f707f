"""Bloom filters: definitely not, or maybe, at memory speed.

>>> from bloomery import Filter
>>> seen = Filter(1_000_000, 0.01)
>>> seen.add("https://example.com/")
True
>>> "https://example.com/" in seen
True
>>> "https://example.com/other" in seen
False

The same keys give the same bits in every process, on every machine, and in the
C++ library, the C library and the bloomery command: files can be exchanged.
"""

from ._core import (
    ArgumentError,
    DataError,
    Error,
    FullError,
    IncompatibleError,
    MemoryRefusedError,
    RedisError,
    UnsupportedError,
    version as __version__,
)
from ._filters import (
    Accurate,
    Cascade,
    Counting,
    DLeft,
    DynamicCount,
    Excepted,
    Filter,
    Scalable,
    Spectral,
    Window,
    load,
    open,
)
from ._plan import Format, Plan, advise, detect, expected_fpp, formats, kernel, plan, random_secret

# Not load and open: `from bloomery import *` would hide the open of Python.
__all__ = [
    "Accurate",
    "ArgumentError",
    "Cascade",
    "Counting",
    "DLeft",
    "DataError",
    "DynamicCount",
    "Error",
    "Excepted",
    "Filter",
    "Format",
    "FullError",
    "IncompatibleError",
    "MemoryRefusedError",
    "Plan",
    "RedisError",
    "Scalable",
    "Spectral",
    "UnsupportedError",
    "Window",
    "advise",
    "detect",
    "expected_fpp",
    "formats",
    "kernel",
    "plan",
    "random_secret",
]
