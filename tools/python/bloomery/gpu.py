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

import array
import ctypes
import operator
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from ._common import _numpy
from ._filters import Filter, _check_numbers

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["DeviceError", "GpuFilter", "NoDeviceError", "device_count", "device_name"]


class DeviceError(_core.Error, RuntimeError):
    """The GPU reported an error."""


class NoDeviceError(DeviceError):
    """There is no GPU, or this build of bloomery has no support for it."""


# The numbers of src/gpu.cpp.
_ERRORS: dict[int, type[Exception]] = {
    1: _core.ArgumentError,
    2: _core.IncompatibleError,
    3: _core.DataError,
    4: _core.UnsupportedError,
    5: _core.MemoryRefusedError,
    7: NoDeviceError,
    8: DeviceError,
    9: _core.Error,
}
_IO_ERROR = 6
# The kinds of gpu::keys.
_INTEGERS = {("u", 8): 0, ("i", 8): 0, ("u", 4): 1, ("i", 4): 2}
_STRING32, _STRING64 = 5, 6


class _Keys(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("offsets", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("width", ctypes.c_uint64),
        ("kind", ctypes.c_uint32),
        ("on_device", ctypes.c_uint32),
        ("stream", ctypes.c_void_p),
    ]


def _load_library() -> Any:
    path = pathlib.Path(__file__).parent / "_gpu.so"
    if not path.exists():
        raise ImportError(
            "this build of bloomery has no support for GPUs: build it where CUDA's compiler, nvcc, is installed, with "
            "pip install --no-cache-dir --force-reinstall"
        )
    library = ctypes.CDLL(os.fspath(path))
    library.bpg_error.restype = ctypes.c_char_p
    for name in ("bpg_count", "bpg_bit_count"):
        getattr(library, name).restype = ctypes.c_uint64
    library.bpg_close.restype = None
    return library


_library = _load_library()
_TAKE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)


def _check(status: int) -> None:
    if status == 0:
        return
    sentence = os.fsdecode(_library.bpg_error())
    if status == _IO_ERROR:
        raise OSError(_library.bpg_system_error(), sentence)
    raise _ERRORS[status](sentence)


def device_count() -> int:
    """How many GPUs there are that this build of bloomery can use."""
    return int(_library.bpg_count())


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
    _check(_library.bpg_name(_number(device), name, ctypes.c_uint64(len(name))))
    return name.value.decode()


class _Array:
    """An array of one dimension, on the GPU or in the memory of the program."""

    def __init__(self, owner: Any, data: int, count: int, kind: str, width: int, on_device: bool, stream: Any = None):
        self.owner = owner
        self.data = data
        self.count = count
        self.kind = kind  # 'i', 'u', 'b'
        self.width = width
        self.on_device = on_device
        self.stream = stream


def _from_cuda_interface(given: Any) -> _Array:
    # Version 3 names the stream that the array is made on. What has only an older one has no streams of its own.
    facts = given.__cuda_array_interface__
    shape, strides = facts["shape"], facts.get("strides")
    kind, width = facts["typestr"][1], int(facts["typestr"][2:])
    if len(shape) != 1 or (strides is not None and strides[0] != width and shape[0] > 1):
        raise _core.ArgumentError("an array on a GPU must have one dimension and no gaps: make a copy of it first")
    return _Array(given, facts["data"][0] or 0, shape[0], kind, width, True, facts.get("stream"))


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_CUDA, _CUDA_MANAGED = 2, 13  # kDLCUDA, kDLCUDAManaged
_DL_KINDS = {0: "i", 1: "u", 6: "b"}


def _from_dlpack(given: Any) -> _Array:
    capsule = given.__dlpack__(stream=1)  # the default stream, which bloomery uses: the producer makes it wait
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _DLTensor.from_address(pointer(capsule, b"dltensor"))
    gaps = bool(tensor.strides) and tensor.ndim == 1 and tensor.strides[0] != 1 and tensor.shape[0] > 1
    if tensor.ndim != 1 or gaps or tensor.lanes != 1:
        raise _core.ArgumentError("an array on a GPU must have one dimension and no gaps: make a copy of it first")
    if tensor.code not in _DL_KINDS:
        raise _core.ArgumentError("keys on a GPU must be integers of 32 or 64 bits")
    # The capsule is not renamed, so its owner frees the tensor when the capsule is gone.
    data = (tensor.data or 0) + tensor.byte_offset
    return _Array((given, capsule), data, tensor.shape[0], _DL_KINDS[tensor.code], tensor.bits // 8, True)


def _on_device(given: Any) -> Optional[_Array]:
    if type(given).__module__.partition(".")[0] in ("numpy", "pyarrow"):  # never on a GPU as numbers; may refuse to say so
        return None
    # First, because its producer makes our stream wait for what fills the array.
    if hasattr(given, "__dlpack_device__") and given.__dlpack_device__()[0] in (_CUDA, _CUDA_MANAGED):
        return _from_dlpack(given)
    if hasattr(given, "__cuda_array_interface__"):
        return _from_cuda_interface(given)
    return None


def _is_numpy(given: Any) -> bool:
    numpy = _numpy()
    return numpy is not None and isinstance(given, numpy.ndarray)


def _check_place(found: _Array, device: int) -> None:
    """Refuse an array on another GPU than the filter, which would end all work on the GPU with an error."""
    if not found.on_device or found.count == 0:
        return
    if found.data % found.width != 0:
        raise _core.ArgumentError("an array on a GPU must be aligned to its elements: make a copy of it first")
    place = _library.bpg_number_of(ctypes.c_void_p(found.data))
    if place >= 0 and place != device:
        where = "the processor" if device < 0 else f"GPU {device}"
        raise _core.ArgumentError(f"the array is on GPU {place}, and the filter on {where}: copy one of them")


def _integers(found: _Array) -> tuple[_Keys, Any]:
    kind = _INTEGERS.get((found.kind, found.width))
    if kind is None:
        raise _core.ArgumentError(
            f"keys in an array must be integers of 32 or 64 bits, not of type {found.kind}{8 * found.width}: convert them"
        )
    stream = found.stream if found.on_device else None
    return _Keys(found.data, None, found.count, found.width, kind, found.on_device, stream), found


def _strings(texts: list[bytes]) -> tuple[_Keys, Any]:
    content = b"".join(texts)
    offsets = array.array("q", [0])
    at = 0
    for each in texts:
        at += len(each)
        offsets.append(at)
    owner = (content, offsets)
    data = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p)
    return _Keys(data, offsets.buffer_info()[0], len(texts), len(content), _STRING64, 0, None), owner


def _arrow_strings(given: Any) -> Optional[tuple[_Keys, Any]]:
    arrow = sys.modules.get("pyarrow")
    if arrow is None or not isinstance(given, (arrow.Array, arrow.ChunkedArray)):
        return None
    if isinstance(given, arrow.ChunkedArray):
        if given.num_chunks > 1:
            raise _core.ArgumentError("with out, an Arrow column must have one chunk: call combine_chunks() first")
        given = given.chunk(0) if given.num_chunks else arrow.array([], given.type)
    types = arrow.types
    wide = types.is_large_string(given.type) or types.is_large_binary(given.type)
    if not wide and not types.is_string(given.type) and not types.is_binary(given.type):
        return None
    if given.null_count:
        raise _core.ArgumentError("an Arrow array with nulls cannot go to a GPU: drop them first, with drop_null()")
    if len(given) == 0:
        return _strings([])
    _, offsets, content = given.buffers()
    size = 8 if wide else 4
    kind = _STRING64 if wide else _STRING32
    data = content.address if content is not None else None
    return (
        _Keys(data, offsets.address + given.offset * size, len(given), content.size if content is not None else 0, kind, 0, None),
        given,
    )


def _pieces(given: Any) -> list[Any]:
    """The chunks of an Arrow column, each of which has offsets of its own; anything else as it is."""
    arrow = sys.modules.get("pyarrow")
    return list(given.chunks) if arrow is not None and isinstance(given, arrow.ChunkedArray) else [given]


def _keys(given: Any, device: int) -> tuple[_Keys, Any]:
    """The keys as the library takes them, and what must live until it has."""
    of_arrow = _arrow_strings(given)
    if of_arrow is not None:
        return of_arrow
    found = _on_device(given)
    if found is not None:
        _check_place(found, device)
        return _integers(found)
    numpy = _numpy()
    if numpy is None:
        raise ImportError("bloomery.gpu needs numpy for keys that are not on the GPU")
    if hasattr(given, "__array__"):
        values = numpy.ascontiguousarray(given)
    else:
        listed = given if isinstance(given, (list, tuple)) else list(given)
        if any(isinstance(each, (str, bytes)) for each in listed):
            if not all(isinstance(each, (str, bytes)) for each in listed):
                raise _core.ArgumentError("keys for a GPU must be all texts and bytes, or all integers")
            return _strings([each.encode() if isinstance(each, str) else each for each in listed])
        values = numpy.array(listed, dtype=None if listed else numpy.int64)
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise _core.ArgumentError(
            f"keys for a GPU must be integers, texts or bytes in one dimension, not {values.dtype} of shape {values.shape}"
        )
    if not values.dtype.isnative:
        raise TypeError("the array has the byte order of another machine: use array.astype(array.dtype.newbyteorder('='))")
    if values.dtype.itemsize < 4:
        values = values.astype(numpy.int64)
    return _integers(_Array(values, values.ctypes.data, len(values), values.dtype.kind, values.dtype.itemsize, False))


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
        _check(
            _library.bpg_new(
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
        _check(_library.bpg_decode(content, ctypes.c_uint64(len(content)), made._device, ctypes.byref(made._handle)))
        return made

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], device: Union[int, str, None] = None) -> Self:
        """Copy the filter in a native file to a GPU."""
        made = cls._empty(device)
        _check(_library.bpg_load(_path(path), made._device, ctypes.byref(made._handle)))
        return made

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            _library.bpg_close(handle)

    def to_host(self) -> Filter:
        """Copy the filter to the memory of the program."""
        pieces: list[bytes] = []
        failures: list[BaseException] = []

        def keep(data: int, size: int) -> None:
            try:
                pieces.append(ctypes.string_at(data, size))
            except BaseException as failure:  # ctypes would drop it
                failures.append(failure)

        _check(_library.bpg_encode(self._handle, _TAKE(keep)))
        if failures:
            raise failures[0]
        return Filter.from_bytes(b"".join(pieces))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write a native file. A reader sees either the old file or the new one."""
        _check(_library.bpg_save(self._handle, _path(path)))

    def update(self, *keys: Any) -> None:
        """Add all keys of arrays and iterables."""
        for each in keys:
            for piece in _pieces(each):
                some, owner = _keys(piece, self._device)
                _check(_library.bpg_insert(self._handle, ctypes.byref(some)))
                del owner

    def add_many(self, keys: Any) -> Any:
        """Add keys, and return which of them were certainly new: a numpy array of bool.

        Of a new key that occurs several times in a batch, at least one is new.
        """
        return self._answers(_library.bpg_try_insert_bits, keys)

    def contains_many(self, keys: Any, *, out: Any = None) -> Any:
        """Return which keys may be in: a numpy array of bool, False for those that certainly are not.

        With out, an array of bool or uint8 with as many elements as there are keys, on the GPU or a numpy array, the
        answers go there, and it is returned.
        """
        if out is None:
            return self._answers(_library.bpg_contains_bits, keys)
        some, owner = _keys(keys, self._device)
        to = _on_device(out)
        if to is None and _is_numpy(out) and out.flags.c_contiguous and out.flags.writeable:
            to = _Array(out, out.ctypes.data, out.size, out.dtype.kind, out.dtype.itemsize, False)
        if to is None or to.width != 1 or to.kind not in "bu" or to.count != some.count:
            raise _core.ArgumentError(f"out must be an array of bool or uint8 with {some.count} elements and no gaps")
        _check_place(to, self._device)
        stream = ctypes.c_void_p(to.stream)
        _check(_library.bpg_contains(self._handle, ctypes.byref(some), ctypes.c_void_p(to.data), int(to.on_device), stream))
        del owner
        return out

    def _answers(self, call: Any, keys: Any) -> Any:
        numpy = _numpy()
        if numpy is None:
            raise ImportError("bloomery.gpu needs numpy for answers; or pass out=, an array on the GPU")
        answers = []
        for piece in _pieces(keys):
            some, owner = _keys(piece, self._device)
            words = numpy.zeros((some.count + 63) // 64, dtype="<u8")
            _check(call(self._handle, ctypes.byref(some), ctypes.c_void_p(words.ctypes.data)))
            del owner
            bits = numpy.unpackbits(words.view(numpy.uint8), count=some.count, bitorder="little")
            answers.append(bits.view(numpy.bool_))
        return answers[0] if len(answers) == 1 else numpy.concatenate([numpy.zeros(0, bool), *answers])

    def __ior__(self, other: GpuFilter) -> Self:
        _check(_library.bpg_merge(self._handle, other._handle))
        return self

    def __iand__(self, other: GpuFilter) -> Self:
        _check(_library.bpg_intersect(self._handle, other._handle))
        return self

    def clear(self) -> None:
        """Remove all keys."""
        _check(_library.bpg_clear(self._handle))

    @property
    def bit_count(self) -> int:
        """The number of bits."""
        return int(_library.bpg_bit_count(self._handle))

    @property
    def fill(self) -> float:
        """How many of the bits are set, from 0 to 1."""
        count = ctypes.c_uint64()
        _check(_library.bpg_bits_set(self._handle, ctypes.byref(count)))
        return count.value / self.bit_count

    @property
    def device(self) -> str:
        """The name of the device."""
        return device_name("processor" if self._device < 0 else self._device)

    def __repr__(self) -> str:
        return f"<GpuFilter of {self.bit_count:,} bits on {self.device}>"
