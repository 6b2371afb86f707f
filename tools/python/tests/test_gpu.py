"""Filters on GPUs: on the processor as a stand-in, and on a GPU if there is one."""

from __future__ import annotations

import doctest
import os
from pathlib import Path
from typing import Any

import pytest

import bloomery
from bloomery import Filter

numpy = pytest.importorskip("numpy")
if not (Path(bloomery.__file__).parent / "_gpu.so").exists():
    pytest.skip("built without bloomery.gpu", allow_module_level=True)

import bloomery.gpu  # noqa: E402
from bloomery.gpu import DeviceError, GpuFilter, NoDeviceError, device_count, device_name  # noqa: E402

DEVICES: list[Any] = ["processor", *range(device_count())]
KEYS = numpy.arange(50_000, dtype=numpy.int64) * 7919
OTHERS = -1 - KEYS


@pytest.fixture(params=DEVICES, ids=lambda device: device_name(device).replace(" ", "_"))
def device(request: Any) -> Any:
    return request.param


class OnDevice:
    """An array with the interface that libraries for GPUs share; on the processor, memory is memory."""

    def __init__(self, values: Any) -> None:
        self.values = values

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.values.shape,
            "typestr": self.values.dtype.str,
            "data": (self.values.ctypes.data, False),
            "strides": None if self.values.flags.c_contiguous else self.values.strides,
            "version": 3,
        }


def on(device: Any, values: Any) -> Any:
    if device == "processor":
        return OnDevice(values)
    for library in ("cupy", "torch"):
        try:
            module = __import__(library)
        except ImportError:
            continue
        return module.asarray(values) if library == "cupy" else module.from_numpy(values).cuda()
    pytest.skip("there is no library for arrays on a GPU")


def test_has_the_bits_of_a_filter(device: Any) -> None:
    there = GpuFilter(50_000, 0.001, device=device)
    there.update(KEYS)
    here = Filter(50_000, 0.001)
    here.update(KEYS)
    assert there.to_host() == here
    assert numpy.array_equal(there.contains_many(OTHERS), here.contains_many(OTHERS))
    assert there.contains_many(KEYS).all()
    assert Filter(50_000, 0.001).to_gpu(device).to_host() == Filter(50_000, 0.001)
    assert there.bit_count == here.bit_count and there.fill == pytest.approx(here.fill)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "uint32", "int16", "uint8"])
def test_integers_of_every_width(device: Any, dtype: str) -> None:
    keys = (KEYS % 250).astype(dtype)
    there = GpuFilter(1000, device=device)
    there.update(keys)
    here = Filter(1000)
    here.update(keys)
    assert there.to_host() == here
    if keys.dtype.itemsize >= 4:
        again = GpuFilter(1000, device=device)
        again.update(on(device, keys))
        assert again.to_host() == here


def test_answers_stay_on_the_device(device: Any) -> None:
    there = GpuFilter(50_000, device=device)
    there.update(on(device, KEYS))
    both = numpy.concatenate([KEYS, OTHERS])
    answers = numpy.zeros(len(both), dtype=bool)
    out = on(device, answers)
    assert there.contains_many(on(device, both), out=out) is out
    found = answers if device == "processor" else numpy.asarray(out.cpu() if hasattr(out, "cpu") else out.get())
    assert numpy.array_equal(found, there.contains_many(both))
    here = numpy.empty(len(both), dtype=numpy.uint8)
    there.contains_many(both, out=here)
    assert numpy.array_equal(here.astype(bool), found)


def test_dlpack(device: Any) -> None:
    if device == "processor":
        pytest.skip("only arrays on a GPU come this way")
    torch = pytest.importorskip("torch")

    class OnlyDlpack:
        def __init__(self, tensor: Any) -> None:
            self.tensor = tensor

        def __dlpack__(self, **options: Any) -> Any:
            return self.tensor.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.tensor.__dlpack_device__()

    there = GpuFilter(50_000, device=device)
    there.update(OnlyDlpack(torch.from_numpy(KEYS).cuda()[1000:]))
    here = Filter(50_000)
    here.update(KEYS[1000:])
    assert there.to_host() == here


def test_strings(device: Any) -> None:
    texts = [f"https://example.com/{i}/é" for i in range(20_000)] + ["", "x" * 5000]
    here = Filter(20_000)
    here.update(texts)
    there = GpuFilter(20_000, device=device)
    there.update(texts)
    assert there.to_host() == here
    assert there.contains_many(texts).all()
    as_bytes = GpuFilter(20_000, device=device)
    as_bytes.update(text.encode() for text in texts)
    assert as_bytes.to_host() == here


def test_arrow_strings(device: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    texts = [f"key {i}" for i in range(10_000)]
    here = Filter(10_000)
    here.update(texts[100:])
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.binary()):
        column = pyarrow.array([text.encode() for text in texts] if kind == pyarrow.binary() else texts, kind)
        there = GpuFilter(10_000, device=device)
        there.update(column[100:])
        assert there.to_host() == here
        chunked = GpuFilter(10_000, device=device)
        both = pyarrow.chunked_array([column[100:200], column[200:]])
        chunked.update(both)
        assert chunked.to_host() == here
        assert chunked.contains_many(both).all() and len(chunked.contains_many(both)) == len(both)
        assert len(chunked.contains_many(pyarrow.chunked_array([], kind))) == 0
    with pytest.raises(bloomery.ArgumentError, match="drop_null"):
        there.update(pyarrow.array(["a", None]))


def test_sets_files_and_new_keys(device: Any, tmp_path: Path) -> None:
    a, b = GpuFilter(50_000, device=device), GpuFilter(50_000, device=device)
    assert a.add_many(KEYS[:100]).sum() >= 99
    assert not a.add_many(KEYS[:100]).any()
    b.update(KEYS[50:200])
    common = GpuFilter.from_host(a.to_host(), device)
    common &= b
    a |= b
    assert a.contains_many(KEYS[:200]).all() and common.contains_many(KEYS[50:100]).all()
    assert common.fill < a.fill
    a.save(tmp_path / "a.bloom")
    assert Filter.load(tmp_path / "a.bloom") == a.to_host()
    assert GpuFilter.load(tmp_path / "a.bloom", device).to_host() == a.to_host()
    a.clear()
    assert a.fill == 0
    assert "GpuFilter of" in repr(a)


def test_refusals(device: Any, tmp_path: Path) -> None:
    there = GpuFilter(1000, device=device)
    with pytest.raises(bloomery.UnsupportedError, match="split"):
        Filter(1000, layout="classic").to_gpu(device)
    with pytest.raises(bloomery.UnsupportedError, match="secret"):
        Filter(1000, secret=bytes(16)).to_gpu(device)
    with pytest.raises(bloomery.ArgumentError, match="float64"):
        there.update(numpy.zeros(3))
    with pytest.raises(TypeError, match="byte order"):
        there.update(KEYS.astype(">i8"))
    with pytest.raises(bloomery.ArgumentError, match="all texts"):
        there.update(["a", 1])
    with pytest.raises(bloomery.ArgumentError, match="one dimension"):
        there.update(on(device, numpy.zeros((2, 2), dtype=numpy.int64)))
    with pytest.raises(bloomery.ArgumentError, match="no gaps"):
        there.update(OnDevice(KEYS[::2]))
    with pytest.raises(bloomery.ArgumentError, match="32 or 64 bits"):
        there.update(OnDevice(numpy.zeros(3, dtype=numpy.float32)))
    with pytest.raises(bloomery.ArgumentError, match="3 elements"):
        there.contains_many([1, 2, 3], out=numpy.zeros(4, dtype=bool))
    with pytest.raises(bloomery.ArgumentError):
        GpuFilter(0, device=device)
    with pytest.raises(bloomery.ArgumentError, match="number of a GPU"):
        GpuFilter(1, device="gpu")
    with pytest.raises(bloomery.IncompatibleError):
        there |= GpuFilter(2000, device=device)
    with pytest.raises(FileNotFoundError):
        GpuFilter.load(tmp_path / "none", device)
    with pytest.raises(FileNotFoundError):
        GpuFilter.load(os.fsdecode(b"/nowhere/\xff"), device)
    with pytest.raises(ValueError, match="null byte"):
        there.save("a\0b")
    for number in (-1, 1 << 32, 1.5):
        with pytest.raises(bloomery.ArgumentError, match="number of a GPU"):
            GpuFilter(1, device=number)  # type: ignore[arg-type]
    with pytest.raises(bloomery.MemoryRefusedError):
        GpuFilter(1 << 50, device=device)
    assert there.fill == 0


def test_docstrings() -> None:
    result = doctest.testmod(bloomery.gpu)
    assert result.attempted > 0
    assert result.failed == 0


def test_no_gpu() -> None:
    if device_count():
        pytest.skip("there is a GPU")
    with pytest.raises(NoDeviceError, match="processor"):
        GpuFilter(1000)
    assert issubclass(NoDeviceError, DeviceError)
    assert device_name("processor") == "processor"
