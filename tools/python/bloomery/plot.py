"""Pictures of filters, with matplotlib.

    from bloomery import plot

    plot.rate(seen)                                 # the false-positive rate over the number of keys, and where it is now
    plot.fill(seen)                                 # how densely each part of the memory is set
    plot.layouts(1_000_000)                         # the memory that each layout needs, over the rate

Each draws into `ax`, or into a new figure, and returns the axes: `plot.rate(seen).figure.savefig("rate.svg")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from ._filters import Filter
from ._plan import Plan, expected_fpp, plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Distinguishable with every kind of colour vision, and in grey.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
_POINTS = 200


def _axes(ax: Optional[Axes], width: float = 6.4, height: float = 3.8) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("bloomery.plot draws with matplotlib: install it with pip install matplotlib") from None
    made: Axes = Figure(figsize=(width, height), layout="constrained").add_subplot()
    return made


def rate(
    of: Union[Filter, Plan], *more: Union[Filter, Plan], most: Optional[int] = None, ax: Optional[Axes] = None
) -> Axes:
    """Draw the false-positive rate over the number of keys, for filters or plans.

    A dashed line marks how many keys each was made for: to the right of it, in the shaded part, it is overfilled. A dot
    marks how many a filter holds now. `most` is where the picture ends: twice what they were made for if not given.
    """
    axes = _axes(ax)
    all_of = (of, *more)
    end = most or 2 * max(_made_for(each) or round(_held(each)[0]) or 1000 for each in all_of)
    numbers = sorted({max(1, round(end * i / _POINTS)) for i in range(1, _POINTS + 1)})
    for colour, each in zip(_COLOURS * len(all_of), all_of):
        axes.plot(numbers, [_rate_at(each, n) for n in numbers], color=colour, label=_name(each))
        if _made_for(each):
            axes.axvline(_made_for(each), color=colour, linestyle="--", linewidth=0.8)
            if len(all_of) == 1:
                axes.axvspan(_made_for(each), end, color=colour, alpha=0.08, linewidth=0)
                axes.annotate("overfilled", (0.99, 0.02), xycoords="axes fraction", ha="right", color="0.4")
        held, now = _held(each)
        if 0 < held <= end:
            axes.plot([held], [now], "o", color=colour)
            axes.annotate(f"now: {now:.2%}", (held, now), textcoords="offset points", xytext=(6, -10), color=colour)
    axes.set_yscale("log")
    axes.set_xlim(0, end)
    axes.set_ylim(bottom=max(1e-12, _rate_at(of, numbers[len(numbers) // 20])))
    axes.set_xlabel("distinct keys")
    axes.set_ylabel("false-positive rate")
    axes.xaxis.set_major_formatter(lambda value, _: _short(value))
    axes.legend(frameon=False, loc="lower left" if len(all_of) > 1 else "best")
    axes.grid(True, which="major", alpha=0.25)
    return axes


def fill(of: Filter, *, cells: int = 4096, ax: Optional[Axes] = None) -> Axes:
    """Draw the memory of a filter row by row: the share of bits that are set in each part of it.

    An even picture is what a good hash gives. The memory is divided into at most `cells` parts.
    """
    axes = _axes(ax, 6.4, 4.2)
    try:
        import numpy
    except ImportError:
        raise ImportError("bloomery.plot needs numpy: install it with pip install numpy") from None

    if of.kind != "bloom":
        raise _core.UnsupportedError(f"only the bits of a plain filter can be drawn, and this one is of the kind {of.kind}")
    if cells < 1:
        raise _core.ArgumentError("cells must be at least 1")
    header = 4096  # docs/format.md
    words = numpy.frombuffer(of.to_bytes(), dtype=numpy.uint8)[header : header + of.nbytes]
    count = min(cells, len(words))
    columns = max(1, round((1.6 * count) ** 0.5))
    rows = max(1, count // columns)
    count = rows * columns if rows > 1 else count  # whole rows
    columns = count // rows
    edges = numpy.linspace(0, len(words), count + 1).astype(numpy.int64)
    ones = numpy.array([bin(byte).count("1") for byte in range(256)], dtype=numpy.uint8)[words]
    share = numpy.add.reduceat(ones.astype(numpy.uint32), edges[:-1]) / (8.0 * numpy.diff(edges))
    image = axes.imshow(share.reshape(rows, columns), vmin=0, vmax=1, cmap="viridis", aspect="auto", interpolation="nearest")
    axes.figure.colorbar(image, ax=axes, label="share of bits set")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlabel(f"{len(words) / count:,.0f} bytes per cell, row by row")
    now = of.stats()
    axes.set_title(f"{of.layout}, {of.nbytes:,} bytes: {now['fill_ratio']:.1%} set, rate {now['expected_rate']:.2%}")
    return axes


def layouts(n: int = 1_000_000, *, lowest: float = 1e-6, highest: float = 0.1, ax: Optional[Axes] = None) -> Axes:
    """Draw the bits per key that each layout needs for n keys, over the false-positive rate.

    The dotted line is the least that any structure can need.
    """
    from math import log, log2

    if not 0 < lowest < highest < 1:
        raise _core.ArgumentError("the rates must be between 0 and 1, the lowest first")
    axes = _axes(ax)
    step = (log(highest) - log(lowest)) / 40
    rates = [lowest * 2.718281828459045 ** (i * step) for i in range(41)]
    for colour, layout in zip(_COLOURS, _core.layouts()):
        points = []
        for p in rates:
            try:
                points.append((p, plan(n, p, layout=layout).bits_per_key))
            except _core.Error:  # a layout with a fixed number of hashes does not reach every rate
                continue
        axes.plot([p for p, _ in points], [bits for _, bits in points], color=colour, label=layout)
    axes.plot(rates, [-log2(p) for p in rates], color="0.5", linestyle=":", label="lower bound")
    axes.set_xscale("log")
    axes.set_xlim(highest, lowest)
    axes.set_ylim(0, 60)
    axes.set_xlabel("false-positive rate")
    axes.set_ylabel("bits per key")
    axes.legend(frameon=False)
    axes.grid(True, which="major", alpha=0.25)
    return axes


def _short(number: float) -> str:
    """'250k', '1.5M': as the command reads them."""
    for unit, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:g}{letter}"
    return f"{number:g}"


def _made_for(of: Union[Filter, Plan]) -> int:
    return of.capacity if isinstance(of, Filter) else of.n


def _rate_at(of: Union[Filter, Plan], n: int) -> float:
    return of.fpp_at(n) if isinstance(of, Filter) else expected_fpp(of.layout, bits=of.bits, hashes=of.hashes, n=n)


def _held(of: Union[Filter, Plan]) -> tuple[float, float]:
    """How many keys are in it, and its rate now."""
    if isinstance(of, Plan):
        return 0.0, 0.0
    now: dict[str, Any] = of.stats()
    return (0.0 if now["saturated"] else now["items"]), now["expected_rate"]


def _name(of: Union[Filter, Plan]) -> str:
    return f"{of.layout if isinstance(of, Plan) or of.kind == 'bloom' else of.kind}, {of.nbytes:,} bytes"
