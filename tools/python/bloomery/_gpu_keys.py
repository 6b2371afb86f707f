"""Keys for filters on GPUs: arrays on a GPU of any library, numpy and Arrow arrays, and lists."""

from __future__ import annotations

import array
import ctypes
import sys
from typing import Any, Optional

from . import _core
from ._common import _numpy
from ._gpu_library import library

# The kinds of gpu::keys.
_INTEGERS = {("u", 8): 0, ("i", 8): 0, ("u", 4): 1, ("i", 4): 2}
_STRING32, _STRING64 = 5, 6


class Keys(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("offsets", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("width", ctypes.c_uint64),
        ("kind", ctypes.c_uint32),
        ("on_device", ctypes.c_uint32),
        ("stream", ctypes.c_void_p),
    ]


class Array:
    """An array of one dimension, on the GPU or in the memory of the program."""

    def __init__(self, owner: Any, data: int, count: int, kind: str, width: int, on_device: bool, stream: Any = None):
        self.owner = owner
        self.data = data
        self.count = count
        self.kind = kind  # 'i', 'u', 'b'
        self.width = width
        self.on_device = on_device
        self.stream = stream


def _from_cuda_interface(given: Any) -> Array:
    # Version 3 names the stream that the array is made on. What has only an older one has no streams of its own.
    facts = given.__cuda_array_interface__
    shape, strides = facts["shape"], facts.get("strides")
    kind, width = facts["typestr"][1], int(facts["typestr"][2:])
    if len(shape) != 1 or (strides is not None and strides[0] != width and shape[0] > 1):
        raise _core.ArgumentError("an array on a GPU must have one dimension and no gaps: make a copy of it first")
    return Array(given, facts["data"][0] or 0, shape[0], kind, width, True, facts.get("stream"))


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


def _from_dlpack(given: Any) -> Array:
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
    return Array((given, capsule), data, tensor.shape[0], _DL_KINDS[tensor.code], tensor.bits // 8, True)


def device_array(given: Any) -> Optional[Array]:
    """An array on a GPU, whichever library it is from; None for anything else."""
    if type(given).__module__.partition(".")[0] in ("numpy", "pyarrow"):  # never on a GPU as numbers; may refuse to say so
        return None
    # First, because its producer makes our stream wait for what fills the array.
    if hasattr(given, "__dlpack_device__") and given.__dlpack_device__()[0] in (_CUDA, _CUDA_MANAGED):
        return _from_dlpack(given)
    if hasattr(given, "__cuda_array_interface__"):
        return _from_cuda_interface(given)
    return None


def is_numpy(given: Any) -> bool:
    numpy = _numpy()
    return numpy is not None and isinstance(given, numpy.ndarray)


def check_place(found: Array, device: int) -> None:
    """Refuse an array on another GPU than the filter, which would end all work on the GPU with an error."""
    if not found.on_device or found.count == 0:
        return
    if found.data % found.width != 0:
        raise _core.ArgumentError("an array on a GPU must be aligned to its elements: make a copy of it first")
    place = library.bpg_number_of(ctypes.c_void_p(found.data))
    if place >= 0 and place != device:
        where = "the processor" if device < 0 else f"GPU {device}"
        raise _core.ArgumentError(f"the array is on GPU {place}, and the filter on {where}: copy one of them")


def _integers(found: Array) -> tuple[Keys, Any]:
    kind = _INTEGERS.get((found.kind, found.width))
    if kind is None:
        raise _core.ArgumentError(
            f"keys in an array must be integers of 32 or 64 bits, not of type {found.kind}{8 * found.width}: convert them"
        )
    stream = found.stream if found.on_device else None
    return Keys(found.data, None, found.count, found.width, kind, found.on_device, stream), found


def _strings(texts: list[bytes]) -> tuple[Keys, Any]:
    content = b"".join(texts)
    offsets = array.array("q", [0])
    at = 0
    for each in texts:
        at += len(each)
        offsets.append(at)
    owner = (content, offsets)
    data = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p)
    return Keys(data, offsets.buffer_info()[0], len(texts), len(content), _STRING64, 0, None), owner


def _arrow_strings(given: Any) -> Optional[tuple[Keys, Any]]:
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
        Keys(data, offsets.address + given.offset * size, len(given), content.size if content is not None else 0, kind, 0, None),
        given,
    )


def pieces_of(given: Any) -> list[Any]:
    """The chunks of an Arrow column, each of which has offsets of its own; anything else as it is."""
    arrow = sys.modules.get("pyarrow")
    return list(given.chunks) if arrow is not None and isinstance(given, arrow.ChunkedArray) else [given]


def keys_of(given: Any, device: int) -> tuple[Keys, Any]:
    """The keys as the library takes them, and what must live until it has."""
    of_arrow = _arrow_strings(given)
    if of_arrow is not None:
        return of_arrow
    found = device_array(given)
    if found is not None:
        check_place(found, device)
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
    return _integers(Array(values, values.ctypes.data, len(values), values.dtype.kind, values.dtype.itemsize, False))
