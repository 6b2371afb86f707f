"""Filters of other systems: the files that the originals wrote give the answers that the originals gave."""

from __future__ import annotations

import json
import pickle
from typing import Any, Iterator

import pytest
from conftest import ROOT

import bloomery
from bloomery import Filter

FOREIGN = ROOT / "tests/data/foreign"

# The folder, the name of a sort of keys there, our encoding, and how the manifest writes such a key.
SORTS: dict[tuple[str, str], tuple[str, Any]] = {
    ("guava-31.1", "byteArray"): ("bytes", bytes.fromhex),
    ("guava-31.1", "integer"): ("i32le", int),
    ("guava-31.1", "long"): ("i64le", int),
    ("guava-31.1", "string_utf8"): ("utf8", str),
    ("guava-31.1", "string_utf16le"): ("utf16le-text", str),
    ("guava-31.1", "string_latin1"): ("latin1", str),
    ("guava-31.1", "unencodedChars"): ("utf16le", str),
    ("guava-33.4plus", "string_utf8"): ("utf8", str),
    ("spark", "string"): ("utf8", str),
    ("spark", "binary"): ("bytes", bytes.fromhex),
    ("go-bloom-v3", "None"): ("bytes", bytes.fromhex),
    ("cassandra", "None"): ("bytes", bytes.fromhex),
    ("datasketches", "None"): ("bytes", bytes.fromhex),
    ("rocksdb", "None"): ("bytes", bytes.fromhex),
    ("leveldb", "None"): ("bytes", bytes.fromhex),
    ("hadoop", "None"): ("bytes", bytes.fromhex),
}
# What the bytes do not tell.
NAMES = {"guava-31.1": "guava", "guava-33.4plus": "guava", "go-bloom-v3": "go", "leveldb": "leveldb",
         "cassandra": "cassandra", "rocksdb": "rocksdb-5"}


def cases() -> Iterator[Any]:
    for (folder, sort), (encoding, read) in SORTS.items():
        for case in json.loads((FOREIGN / folder / "manifest.json").read_text())["cases"]:
            named = str(case.get("funnel") or case.get("key_type") or case.get("type"))
            if named == sort and "file" in case and "probes" in case and "answers" in case:
                yield pytest.param(folder, encoding, read, case, id=f"{folder}-{case['id']}")


def can_be_text(key: Any) -> bool:
    """Strings of Java may have half a character, which no str of Python that is text has."""
    try:
        return not isinstance(key, str) or key.encode() is not None
    except UnicodeEncodeError:
        return False


@pytest.mark.parametrize(("folder", "encoding", "read", "case"), list(cases()))
def test_answers_are_those_of_the_original(folder: str, encoding: str, read: Any, case: dict[str, Any]) -> None:
    data = (FOREIGN / folder / case["file"]).read_bytes()
    try:
        f = Filter.from_bytes(data, encoding=encoding)
    except bloomery.DataError:
        f = Filter.from_bytes(data, NAMES.get(folder), encoding=encoding)
    known = [(read(key), answer == "1") for key, answer in zip(case["probes"], case["answers"]) if answer in "01"]
    known = [(key, answer) for key, answer in known if can_be_text(key)]
    assert known
    assert [key in f for key, _ in known] == [answer for _, answer in known]
    assert f.contains_many([key for key, _ in known]).tolist() == [answer for _, answer in known]


def test_a_format_can_be_written_and_read() -> None:
    tried = 0
    for each in bloomery.formats():
        if not (each.makeable and each.writable) or each.needs or each.name == "native":
            continue
        keys = [f"key {i}" for i in range(500)]
        try:
            f = Filter(1000, 0.01, format=each.name)
            f.update(keys)
        except bloomery.Error:
            continue  # made from other numbers, or for other keys
        if each.name == "guava-java":
            with pytest.raises(bloomery.ArgumentError, match="funnel"):
                f.to_bytes(each.name)
            continue
        again = Filter.from_bytes(f.to_bytes(each.name), each.name)
        assert again.contains_many(keys).all(), each.name
        tried += 1
    assert tried >= 10


@pytest.mark.parametrize("case", [c for c in json.loads((FOREIGN / "milvus/manifest.json").read_text())["cases"]
                                  if "file" in c], ids=lambda case: str(case["id"]))
def test_milvus_tells_integers_from_texts(case: dict[str, Any]) -> None:
    data = (FOREIGN / "milvus" / case["file"]).read_bytes()
    f = Filter.from_bytes(data)
    ints, texts = [int(key) for key in case["int_probes"]], [bytes.fromhex(key) for key in case["text_probes"]]
    assert [key in f for key in ints] == [answer == "1" for answer in case["int_answers"]]
    assert [key in f for key in texts] == [answer == "1" for answer in case["text_answers"]]
    for encoding in (None, "i64le") if case["n"] != "0" else ():
        made = Filter(int(case["n"]), case["p"], format="milvus", encoding=encoding)
        made.update([int(key) for key in case["ints"]])
        if not case["texts"] or encoding is None:
            made.update([bytes.fromhex(key) for key in case["texts"]])
            assert made.to_bytes("milvus") == data
    with pytest.raises(bloomery.ArgumentError, match="are int or utf8"):
        Filter(10, 0.01, format="milvus", encoding="i32le").add(7)


def test_guava_reads_what_we_write() -> None:
    case = next(c for f, e, r, c in (p.values for p in cases()) if f == "guava-31.1" and e == "utf8")
    original = (FOREIGN / "guava-31.1" / case["file"]).read_bytes()
    f = Filter.from_bytes(original, encoding="utf8").empty_copy()
    assert f.encoding == "utf8"
    f.update([key for key in case["keys"] if can_be_text(key)])
    if all(map(can_be_text, case["keys"])):
        assert f.to_bytes("guava") == original


def test_floats_are_keys_where_a_system_says_how() -> None:
    f = Filter(100, 0.01, format="guava", encoding="f64le")
    assert f.add(1.5)
    assert 1.5 in f
    np = pytest.importorskip("numpy")
    assert f.contains_many(np.array([1.5, 2.5])).tolist() == [True, False]


def test_a_native_file_keeps_the_bits_of_a_redisbloom_filter_but_not_its_growth() -> None:
    f = Filter(1000, 0.01, format="redisbloom")
    f.update(map(str, range(500)))
    native = Filter.from_bytes(bytes(f), encoding=f.encoding)
    asked = [str(i) for i in range(5000)]
    assert list(native.contains_many(asked)) == list(f.contains_many(asked))
    assert native != f  # it does not count its keys, and does not grow
    same = Filter.from_bytes(f.to_bytes("redisbloom"))
    again = pickle.loads(pickle.dumps(f))
    assert same == f and again == f
    for each in (f, same, again, native):
        each.update(asked)
    assert same == f and again == f
    assert f.fill < 0.5 < native.fill
    assert pickle.loads(pickle.dumps(f)) == f  # with several layers
    with pytest.raises(bloomery.UnsupportedError, match="scalable filter of another system"):
        bytes(f)
