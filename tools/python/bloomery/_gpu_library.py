"""The library behind bloomery.gpu, which is called through ctypes, and its errors."""

from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Any

from . import _core


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


library = _load_library()
TAKE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)  # a piece of bytes


def check(status: int) -> None:
    if status == 0:
        return
    sentence = os.fsdecode(library.bpg_error())
    if status == _IO_ERROR:
        raise OSError(library.bpg_system_error(), sentence)
    raise _ERRORS[status](sentence)
