"""Counts, sizes and rates as the bloomery command reads and prints them."""

from __future__ import annotations

import re
from fractions import Fraction

from . import _core

_DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
_BINARY = {f"{letter}i": 1024**power for power, letter in enumerate("KMGTP", 1)}
_NUMBER = r"(\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)"


def _whole(text: str, what: str, units: dict[str, int], ending: str) -> int:
    found = re.fullmatch(_NUMBER + "([A-Za-z]*?)" + ending, text)
    unit = units.get(found.group(2)) if found else None
    value = Fraction(found.group(1).replace("_", "")) * unit if found and unit else None
    if value is None or value.denominator != 1 or not 0 < value < 1 << 64:
        raise _core.ArgumentError(f"'{text}' is not {what}")
    return int(value)


def count(text: str) -> int:
    """'10M', '1_000_000', '1e9': k, M, G, T and P are powers of 1000.

    >>> count("1.5k"), count("10M")
    (1500, 10000000)
    """
    return _whole(text, "a number of keys: write it like 1000000, 10M or 1.5k", _DECIMAL, "")


def size(text: str) -> int:
    """'64MiB', '64Mi', '10MB', '10M' or '4096': a number of bytes.

    >>> size("64MiB"), size("10MB"), size("4096")
    (67108864, 10000000, 4096)
    """
    units = {**_DECIMAL, **_BINARY, "K": 1000}
    return _whole(text, "a number of bytes: write it like 4096, 64MiB or 10MB", units, "B?")


def rate(text: str) -> float:
    """'1%', '0.01', '1e-3', '1in1000' or '1/1000'.

    >>> rate("1%"), rate("1in1000"), rate("0.5")
    (0.01, 0.001, 0.5)
    """
    found = re.fullmatch(f"{_NUMBER}(%)?|{_NUMBER}(?:in|/){_NUMBER}", text)
    value = Fraction(0)
    if found and found.group(1):
        value = Fraction(found.group(1).replace("_", "")) / (100 if found.group(2) else 1)
    elif found:
        value = Fraction(found.group(3).replace("_", "")) / (Fraction(found.group(4).replace("_", "")) or 1)
    if not 0 < value < 1:
        raise _core.ArgumentError(f"'{text}' is not a rate between 0 and 1: write it like 1%, 0.01 or 1in1000")
    return float(value)


def show_bytes(number: int) -> str:
    """'128 B', '1.19 MiB'."""
    names, rank, value = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"), 0, float(number)
    while rank + 1 < len(names) and value >= (1024 if rank == 0 else 1023.995):
        value /= 1024
        rank += 1
    unit = 1024**rank
    return f"{number // unit} {names[rank]}" if number % unit == 0 else f"{value:.2f} {names[rank]}"


def show_rate(rate: float) -> str:
    """'1.000 %', '30.67 %', '2.0e-07'."""
    if rate == 0:
        return "0 %"
    for least, digits in ((0.1, 2), (0.001, 3), (0.0001, 4), (0.00001, 5)):
        if rate >= least:
            return f"{rate * 100:.{digits}f} %"
    return f"{rate:.1e}"


def show_one_in(rate: float) -> str:
    """'1 in 3.3', '1 in 1,000'."""
    if rate == 0:
        return "never"
    number = 1 / rate
    if number >= 1e15:
        return f"1 in {number:.1e}"
    return f"1 in {round(number):,}" if number >= 10 else f"1 in {round(number * 10) / 10:.3g}"


def counted(number: int, noun: str) -> str:
    """'1 key', '1,000 keys', '8 hashes'."""
    plural = f"{noun}es" if noun.endswith("sh") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
