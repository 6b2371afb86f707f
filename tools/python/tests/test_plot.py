"""Pictures show the numbers of the filter."""

from __future__ import annotations

import io
from typing import Any

import pytest

import bloomery
from bloomery import Filter

pytest.importorskip("matplotlib")
np = pytest.importorskip("numpy")

from bloomery import plot  # noqa: E402


def svg(axes: Any) -> str:
    written = io.StringIO()
    axes.figure.savefig(written, format="svg")
    return written.getvalue()


def line(axes: Any, label: str) -> Any:
    return next(each for each in axes.lines if each.get_label().startswith(label))


def test_the_rate_over_keys() -> None:
    f = Filter(1000, 0.01)
    f.update(range(1500))
    axes = plot.rate(f)
    keys, rates = line(axes, "split-8x64").get_data()
    assert keys[-1] == 2000
    assert list(rates) == [f.fpp_at(int(n)) for n in keys]
    dot = next(each for each in axes.lines if each.get_marker() == "o")
    assert dot.get_xdata()[0] == pytest.approx(f.approx_items)
    assert dot.get_ydata()[0] == pytest.approx(f.rate)
    assert "overfilled" in [text.get_text() for text in axes.texts]
    assert "<svg" in svg(axes)


def test_plans_beside_filters() -> None:
    plans = [bloomery.plan(10_000, 0.01, layout=layout) for layout in ("classic", "split-8x64")]
    axes = plot.rate(*plans, Filter(5000, 0.01), most=30_000)
    assert len(axes.get_legend().get_texts()) == 3
    keys, rates = line(axes, "classic").get_data()
    assert keys[-1] == 30_000
    at = list(keys).index(10_050)
    assert rates[at] == pytest.approx(0.01, rel=0.05)


def test_the_fill_is_the_share_of_bits() -> None:
    f = Filter(100_000, 0.01)
    f.update(range(100_000))
    axes = plot.fill(f, cells=256)
    shown = axes.images[0].get_array()
    assert np.nanmean(shown) == pytest.approx(f.fill, abs=0.01)
    assert np.nanmin(shown) > 0.3 and np.nanmax(shown) < 0.7
    empty = Filter(3000, nbytes=4096)
    assert float(np.nanmax(plot.fill(empty).images[0].get_array())) == 0.0
    assert "<svg" in svg(axes)


def test_layouts_need_more_than_the_bound() -> None:
    axes = plot.layouts(100_000)
    bound = dict(zip(*line(axes, "lower bound").get_data()))
    for layout in ("classic", "blocked", "split-8x32", "split-8x64", "split-16x32"):
        rates, bits = line(axes, layout).get_data()
        assert len(rates) > 5
        assert all(b > bound[p] for p, b in zip(rates, bits))
    assert "<svg" in svg(axes)


def test_axes_of_the_caller_are_used() -> None:
    from matplotlib.figure import Figure

    left, right = Figure().subplots(1, 2)
    assert plot.rate(bloomery.plan(1000, 0.01), ax=left) is left
    assert plot.layouts(1000, ax=right) is right


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="kind counting"):
        plot.fill(bloomery.Counting(100))
    with pytest.raises(ValueError, match="cells"):
        plot.fill(Filter(100), cells=0)
    with pytest.raises(ValueError, match="lowest first"):
        plot.layouts(1000, lowest=0.5, highest=0.1)
    axes = plot.rate(bloomery.Counting(100))
    assert axes.get_legend() is not None
