"""Records of files and pipes as keys, for `python -m bloomery`."""

from __future__ import annotations

import argparse
import gzip
import sys
from typing import Any, Iterator

from . import _core

#: How much is read before its records are used.
_PIECE = 1 << 20
#: The encodings of keys that are numbers, not text.
_INTEGERS = ("i32le", "i64le", "i32be", "i64be", "u32be", "kryo5-int", "kryo5-long", "java-int", "java-long")
_FLOATS = ("f32le", "f64le", "f64le-canonical")


def key_arguments(of: argparse.ArgumentParser, files: bool = True) -> None:
    of.add_argument("--key", metavar="KIND", help="what the text of a key represents: bytes, int, hex, utf16le, ...")
    if files:
        of.add_argument("files", nargs="*", metavar="FILE", help="files with keys; standard input if none")
        of.add_argument("-0", "--null", action="store_true", help="records end with a NUL byte")
        of.add_argument("-f", "--field", type=int, metavar="N", help="the key is field N, counting from 1")
        of.add_argument("-t", "--separator", default="\t", metavar="C", help="the separator of fields (default: tab)")


class KeyOptions:
    """How records become keys."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.kind: str | None = getattr(options, "key", None)
        if self.kind not in (None, "int", "hex") and self.kind not in _core.encodings():
            known = ", ".join(["int", "hex", *_core.encodings()])
            raise _core.ArgumentError(f"'{self.kind}' is not a kind of keys: choose one of {known}")
        self.end = b"\0" if getattr(options, "null", False) else b"\n"
        self.field: int | None = getattr(options, "field", None)
        if self.field is not None and self.field < 1:
            raise _core.ArgumentError("fields are counted from 1")
        self.separator = getattr(options, "separator", "\t").encode()

    @property
    def encoding(self) -> str | None:
        """The library's name of how keys become bytes; None if the filter's usual one is meant."""
        return "bytes" if self.kind in ("int", "hex") else self.kind

    def key(self, record: bytes) -> Any:
        if self.field is not None:
            fields = record.split(self.separator, self.field)
            record = fields[self.field - 1] if self.field <= len(fields) else b""
        if self.kind == "int" or self.kind in _INTEGERS:
            digits = record[1:] if record[:1] == b"-" else record
            value = int(record) if digits.isdigit() else 1 << 64
            if not -(1 << 63) <= value < 1 << 64:
                raise _core.ArgumentError(f"'{record.decode(errors='replace')}' is not an integer of 64 bits")
            return value
        if self.kind == "hex":
            try:
                return bytes.fromhex(record.decode("ascii"))
            except ValueError:
                said = record.decode(errors="replace")
                raise _core.ArgumentError(f"'{said}' is not pairs of hexadecimal digits") from None
        if self.kind in _FLOATS:
            try:
                return float(record)
            except ValueError:
                raise _core.ArgumentError(f"'{record.decode(errors='replace')}' is not a number") from None
        return record

    def keys(self, records: list[bytes]) -> list[Any]:
        plain = self.field is None and self.kind not in ("int", "hex", *_INTEGERS, *_FLOATS)
        return records if plain else [self.key(each) for each in records]


def batches(files: list[str], reading: KeyOptions) -> Iterator[tuple[list[bytes], list[Any]]]:
    """The records of all files, some at a time, and their keys."""
    for name in files or ["-"]:
        if name == "-":
            yield from _of_file(sys.stdin.buffer, name, reading)
        else:
            with open(name, "rb") as file:
                yield from _of_file(file, name, reading)


def _of_file(file: Any, name: str, reading: KeyOptions) -> Iterator[tuple[list[bytes], list[Any]]]:
    start = file.peek(4)[:4]
    if start[:2] == b"\x1f\x8b":
        file = gzip.GzipFile(fileobj=file)
    elif start == b"\x28\xb5\x2f\xfd":
        raise _core.UnsupportedError(f"{name} is compressed with zstd: decompress it first, or use the bloomery command")
    rest = b""
    while piece := file.read1(_PIECE) if hasattr(file, "read1") else file.read(_PIECE):
        *records, rest = (rest + piece).split(reading.end)
        if records:
            yield records, reading.keys(records)
    if rest:
        yield [rest], reading.keys([rest])


def write_records(records: list[bytes], end: bytes) -> None:
    if records:
        sys.stdout.buffer.write(end.join(records) + end)
