"""Filters on GPUs: the same bits and files as Filter, for arrays that are on the GPU already.

    from bloomery import Filter
    from bloomery.gpu import GpuFilter

    seen = GpuFilter(100_000_000, 0.01)        # on the first GPU
    seen.update(keys)                          # a CuPy, PyTorch, Numba or JAX array of integers
    maybe = cupy.empty(len(others), bool)
    seen.contains_many(others, out=maybe)      # the answers stay on the GPU
    seen.save("seen.bloom")                    # a file like any other
    there = Filter.load("seen.bloom").to_gpu() # and back

Arrays in the memory of the program (numpy, Arrow, lists) work too, but are copied to the GPU first: then a filter on the
processor is often as fast. device='processor' needs no GPU, for tests.
"""

from __future__ import annotations

import ctypes
import operator
import os
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._common import _numpy
from ._filters import Filter, _check_numbers
from ._gpu_keys import Array, check_place, device_array, is_numpy, keys_of, pieces_of
from ._gpu_library import TAKE, DeviceError, NoDeviceError, check, library

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["DeviceError", "GpuFilter", "NoDeviceError", "device_count", "device_name"]


def device_count() -> int:
    """How many GPUs there are that this build of bloomery can use."""
    return int(library.bpg_count())


def _number(device: Union[int, str, None]) -> int:
    if device is None:
        return 0
    if device == "processor":
        return -1
    try:
        number = operator.index(device)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < 1 << 16:
        raise _core.ArgumentError(f"device must be the number of a GPU, from 0, or 'processor', and {device!r} is neither")
    return number


def _path(path: Union[str, "os.PathLike[str]"]) -> bytes:
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("embedded null byte")  # as open() says
    return encoded


def device_name(device: Union[int, str, None] = None) -> str:
    """The name of a device, such as 'NVIDIA H200' or 'processor'."""
    name = ctypes.create_string_buffer(256)
    check(library.bpg_name(_number(device), name, ctypes.c_uint64(len(name))))
    return name.value.decode()


class GpuFilter:
    """A filter in the memory of a GPU, for batches of keys.

    n is the number of distinct keys, p the false-positive rate with that many. device is the number of a GPU, or
    'processor'. Keys are arrays of integers on the GPU (anything with __cuda_array_interface__ or __dlpack__), numpy
    arrays, Arrow arrays of strings or binary, or lists of int, or of str and bytes.

    >>> f = GpuFilter(1000, 0.01, device="processor")
    >>> f.update([1, 2, 3])
    >>> f.contains_many([3, 4]).tolist()
    [True, False]
    >>> 3 in f.to_host()
    True
    """

    __slots__ = ("_device", "_handle")

    def __init__(self, n: int, p: float = 0.01, *, seed: int = 0, device: Union[int, str, None] = None) -> None:
        self._handle: Any = ctypes.c_void_p()
        self._device = _number(device)
        _check_numbers(n=n, seed=seed)
        check(
            library.bpg_new(
                ctypes.c_uint64(n), ctypes.c_double(p), ctypes.c_uint64(seed), self._device, ctypes.byref(self._handle)
            )
        )

    @classmethod
    def _empty(cls, device: Union[int, str, None]) -> Self:
        made = cls.__new__(cls)
        made._handle = ctypes.c_void_p()
        made._device = _number(device)
        return made

    @classmethod
    def from_host(cls, other: Filter, device: Union[int, str, None] = None) -> Self:
        """Copy a filter to a GPU. Only the split layouts, without a secret, can be there."""
        made = cls._empty(device)
        content = other.to_bytes(keep_secret=True)  # refused, but for the right reason
        check(library.bpg_decode(content, ctypes.c_uint64(len(content)), made._device, ctypes.byref(made._handle)))
        return made

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], device: Union[int, str, None] = None) -> Self:
        """Copy the filter in a native file to a GPU."""
        made = cls._empty(device)
        check(library.bpg_load(_path(path), made._device, ctypes.byref(made._handle)))
        return made

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            library.bpg_close(handle)

    def to_host(self) -> Filter:
        """Copy the filter to the memory of the program."""
        pieces: list[bytes] = []
        failures: list[BaseException] = []

        def keep(data: int, size: int) -> None:
            try:
                pieces.append(ctypes.string_at(data, size))
            except BaseException as failure:  # ctypes would drop it
                failures.append(failure)

        check(library.bpg_encode(self._handle, TAKE(keep)))
        if failures:
            raise failures[0]
        return Filter.from_bytes(b"".join(pieces))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write a native file. A reader sees either the old file or the new one."""
        check(library.bpg_save(self._handle, _path(path)))

    def update(self, *keys: Any) -> None:
        """Add all keys of arrays and iterables."""
        for each in keys:
            for piece in pieces_of(each):
                some, owner = keys_of(piece, self._device)
                check(library.bpg_insert(self._handle, ctypes.byref(some)))
                del owner

    def add_many(self, keys: Any) -> Any:
        """Add keys, and return which of them were certainly new: a numpy array of bool.

        Of a new key that occurs several times in a batch, at least one is new.
        """
        return self._answers(library.bpg_try_insert_bits, keys)

    def contains_many(self, keys: Any, *, out: Any = None) -> Any:
        """Return which keys may be in: a numpy array of bool, False for those that certainly are not.

        With out, an array of bool or uint8 with as many elements as there are keys, on the GPU or a numpy array, the
        answers go there, and it is returned.
        """
        if out is None:
            return self._answers(library.bpg_contains_bits, keys)
        some, owner = keys_of(keys, self._device)
        to = device_array(out)
        if to is None and is_numpy(out) and out.flags.c_contiguous and out.flags.writeable:
            to = Array(out, out.ctypes.data, out.size, out.dtype.kind, out.dtype.itemsize, False)
        if to is None or to.width != 1 or to.kind not in "bu" or to.count != some.count:
            raise _core.ArgumentError(f"out must be an array of bool or uint8 with {some.count} elements and no gaps")
        check_place(to, self._device)
        stream = ctypes.c_void_p(to.stream)
        check(library.bpg_contains(self._handle, ctypes.byref(some), ctypes.c_void_p(to.data), int(to.on_device), stream))
        del owner
        return out

    def _answers(self, call: Any, keys: Any) -> Any:
        numpy = _numpy()
        if numpy is None:
            raise ImportError("bloomery.gpu needs numpy for answers; or pass out=, an array on the GPU")
        answers = []
        for piece in pieces_of(keys):
            some, owner = keys_of(piece, self._device)
            words = numpy.zeros((some.count + 63) // 64, dtype="<u8")
            check(call(self._handle, ctypes.byref(some), ctypes.c_void_p(words.ctypes.data)))
            del owner
            bits = numpy.unpackbits(words.view(numpy.uint8), count=some.count, bitorder="little")
            answers.append(bits.view(numpy.bool_))
        return answers[0] if len(answers) == 1 else numpy.concatenate([numpy.zeros(0, bool), *answers])

    def __ior__(self, other: GpuFilter) -> Self:
        check(library.bpg_merge(self._handle, other._handle))
        return self

    def __iand__(self, other: GpuFilter) -> Self:
        check(library.bpg_intersect(self._handle, other._handle))
        return self

    def clear(self) -> None:
        """Remove all keys."""
        check(library.bpg_clear(self._handle))

    @property
    def bit_count(self) -> int:
        """The number of bits."""
        return int(library.bpg_bit_count(self._handle))

    @property
    def fill(self) -> float:
        """How many of the bits are set, from 0 to 1."""
        count = ctypes.c_uint64()
        check(library.bpg_bits_set(self._handle, ctypes.byref(count)))
        return count.value / self.bit_count

    @property
    def device(self) -> str:
        """The name of the device."""
        return device_name("processor" if self._device < 0 else self._device)

    def __repr__(self) -> str:
        return f"<GpuFilter of {self.bit_count:,} bits on {self.device}>"
