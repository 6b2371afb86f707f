"""The examples of the page that need more than the page's own test has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from bloomery import Filter


def block_with(word: str) -> str:
    """The one Python block of the page with a word in it."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.DOTALL)
    (found,) = [block for block in blocks if word in block]
    return str(found)


def test_duckdb() -> None:
    pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    known = Filter(1000, 0.001)
    known.update([1, 2])
    names: dict[str, Any] = {
        "known": known,
        "orders": pa.table({"id": [2, 7, 8, 2, None], "item": ["pen", "ink", "cup", "map", "hat"]}),
        "customers": pa.table({"id": [1, 2], "name": ["Ada", "Bob"]}),
    }
    exec(block_with("duckdb"), names)
    assert names.pop("rows") == [("map", "Bob"), ("pen", "Bob")]
    names.pop("database").close()


def test_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    np = pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    exec(block_with("savefig"), {"Filter": Filter, "np": np})
    drawn = (tmp_path / "rate.svg").read_text()
    assert "<svg" in drawn
