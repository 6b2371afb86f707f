"""Milvus's side of the live test: milvus.py int|utf8 FILE N P adds the keys on standard input, one a line, to FILE."""

import os
import sys

from pymilvus.client.bloom_filter import BloomFilterBuilder

kind, path, n, p = sys.argv[1:]
lines = sys.stdin.buffer.read().decode().split("\n")[:-1]
builder = BloomFilterBuilder(int(n), float(p))
if os.path.exists(path):  # the client does not go on with a filter; the bits are or-ed here
    with open(path, "rb") as file:
        before = file.read()
else:
    before = b""
builder.add_int64_batch(map(int, lines)) if kind == "int" else builder.add_string_batch(lines)
made = bytearray(builder.build())
for i, byte in enumerate(before[28:], 28):
    made[i] |= byte
with open(path, "wb") as file:
    file.write(made)
