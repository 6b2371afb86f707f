"""Every example in the docstrings and on the page works."""

from __future__ import annotations

import doctest

import pytest
from conftest import ROOT

import bloomery
import bloomery._common
import bloomery._filters
import bloomery._numbers
import bloomery._plan


@pytest.mark.parametrize("module", [bloomery, bloomery._common, bloomery._filters, bloomery._numbers, bloomery._plan])
def test_docstrings(module: object) -> None:
    result = doctest.testmod(module, extraglobs={name: getattr(bloomery, name) for name in bloomery.__all__})  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0


def test_the_page() -> None:
    for needed in ("numpy", "pandas", "polars", "pyarrow"):
        pytest.importorskip(needed)
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0


def test_everything_public_is_documented() -> None:
    for name in bloomery.__all__:
        thing = getattr(bloomery, name)
        assert thing.__doc__, name
        if isinstance(thing, type) and issubclass(thing, bloomery.Filter):
            for member in dir(thing):
                if not member.startswith("_"):
                    assert getattr(thing, member).__doc__, f"{name}.{member}"
