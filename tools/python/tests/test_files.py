"""Files, bytes and pickles."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable

import pytest

import bloomery
from bloomery import Filter

LAYOUTS = ["classic", "blocked", "split-8x32", "split-8x64", "split-16x32"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_are_those_of_the_command(layout: str, tmp_path: Path, command: Callable[..., bytes]) -> None:
    texts, numbers, given = tmp_path / "texts.bloom", tmp_path / "numbers.bloom", tmp_path / "keys"
    keys = [f"https://example.com/{i}" for i in range(2000)]
    given.write_text("".join(f"{key}\n" for key in keys))
    command("create", "-n", 2000, "-p", "1%", "--layout", layout, texts, given)
    f = Filter(2000, 0.01, layout=layout)
    f.update(keys)
    f.save(tmp_path / "ours.bloom")
    assert (tmp_path / "ours.bloom").read_bytes() == texts.read_bytes() == bytes(f)

    given.write_text("".join(f"{i}\n" for i in range(-1000, 1000)))
    command("create", "-n", 2000, "-p", "1%", "--layout", layout, "--key", "int", numbers, given)
    g = Filter(2000, 0.01, layout=layout)
    g.update(range(-1000, 1000))
    assert bytes(g) == numbers.read_bytes()


@pytest.mark.parametrize("kind", ["counting", "spectral", "dynamic-count", "dleft", "accurate", "scalable", "window"])
def test_kinds_are_those_of_the_command(kind: str, tmp_path: Path, command: Callable[..., bytes]) -> None:
    path = tmp_path / "kind.bloom"
    command("create", "-n", 500, "-p", "1%", "--kind", kind, path)
    command("add", path, keys="".join(f"{i}\n" for i in range(400)).encode())
    theirs = bloomery.load(path)
    ours = type(theirs)(500, 0.01)
    assert type(ours) is not Filter
    ours.update(map(str, range(400)))
    assert ours == theirs
    assert bytes(ours) == path.read_bytes()


def test_save_and_load(full: Filter, tmp_path: Path) -> None:
    path = tmp_path / "a.bloom"
    full.save(path, comment="a note")
    assert bloomery.load(path) == full
    assert bloomery.load(str(path)) == full
    assert bloomery.load(os.fsencode(path)) == full
    with pytest.raises(FileExistsError):
        full.save(path, overwrite=False)
    with pytest.raises(FileNotFoundError) as raised:
        bloomery.load(tmp_path / "none")
    assert raised.value.filename == str(tmp_path / "none")
    with pytest.raises(OSError):
        full.save(tmp_path / "no folder" / "a.bloom")
    with pytest.raises(FileNotFoundError):
        bloomery.load(b"/no\xffwhere")
    with pytest.raises(OSError):
        full.save(b"/no\xffwhere/a.bloom")
    with pytest.raises(ValueError, match="null"):
        bloomery.load("a\0b")


def test_an_open_file_is_used_in_place(full: Filter, tmp_path: Path) -> None:
    path = tmp_path / "a.bloom"
    full.save(path)
    with bloomery.open(path) as reader:
        assert "7" in reader
        with pytest.raises(ValueError, match="opened for reading"):
            reader.add("new")
        with pytest.raises(ValueError, match="opened for reading"):
            reader.update(["new"])
        with pytest.raises(ValueError, match="opened for reading"):
            reader |= full
        reader.sync()
        with bloomery.open(path, "r+") as writer:
            assert writer.add("new")
            assert "new" in reader  # the same pages
            writer.update(range(10_000))
            writer.sync()
        assert writer.closed
    assert "new" in bloomery.load(path)
    assert bloomery.load(path).contains_many(range(10_000)).all()
    with pytest.raises(ValueError, match="mode must be"):
        bloomery.open(path, "w")


def test_a_second_writer_in_this_process_is_refused(full: Filter, tmp_path: Path) -> None:
    path, link = tmp_path / "a.bloom", tmp_path / "link.bloom"
    full.save(path)
    link.symlink_to(path)
    with bloomery.open(path, "r+") as writer:
        for other in (path, link):
            with pytest.raises(BlockingIOError, match="open with mode 'r\\+' itself: use that filter") as raised:
                bloomery.open(other, "r+")
            assert raised.value.filename == str(other)
            with pytest.raises(BlockingIOError, match="close that filter before you save over its file"):
                full.save(other)
        with pytest.raises(BlockingIOError):
            writer.save(path)
        writer.save(tmp_path / "b.bloom")
    full.save(path)
    bloomery.open(path, "r+")  # not kept, so closed again
    with bloomery.open(path, "r+"):
        pass


def test_saving_waits_for_a_writer_in_another_process(full: Filter, tmp_path: Path) -> None:
    path = tmp_path / "a.bloom"
    Filter(10).save(path)
    program = "import bloomery, sys; f = bloomery.open(sys.argv[1], 'r+'); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdin is not None and writer.stdout is not None
        writer.stdout.readline()
        with pytest.raises(BlockingIOError, match="another process is writing"):
            bloomery.open(path, "r+")
        saved = threading.Thread(target=full.save, args=(path,))
        saved.start()
        saved.join(0.3)
        assert saved.is_alive()  # and this thread still runs
        writer.stdin.close()
        saved.join(60)
        assert not saved.is_alive()
    assert bloomery.load(path) == full


def test_a_closed_filter_refuses_everything(full: Filter) -> None:
    other = full.copy()
    full.close()
    full.close()
    assert full.closed
    assert repr(full) == "<Filter: closed>"
    for call in (
        lambda: full.add("a"),
        lambda: "a" in full,
        lambda: full.update(["a"]),
        lambda: full.contains_many([1]),
        lambda: bytes(full),
        lambda: full.copy(),
        lambda: full | other,
        lambda: other | full,
        lambda: other == full,
        lambda: full.rate,
        lambda: full.kind,
        lambda: pickle.dumps(full),
    ):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.bloom"
    f = Filter(nbytes=1 << 28, n=200_000_000)
    f.add("a")
    f.save(path)
    del f

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = resident()
    with bloomery.open(path) as opened:
        assert "a" in opened
        assert "b" not in opened
        assert resident() - before < 20 << 20


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(full: Filter, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(full, protocol))
    assert again == full
    assert type(again) is Filter


def test_pickles_out_of_band(full: Filter) -> None:
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(full, 5, buffer_callback=buffers.append)
    assert len(head) < 200
    assert pickle.loads(head, buffers=buffers) == full


def test_pickles_of_kinds_keys_and_hashes() -> None:
    for cls in (bloomery.Counting, bloomery.Scalable, bloomery.Window, bloomery.DLeft):
        f = cls(100)
        f.add("a")
        again = pickle.loads(pickle.dumps(f))
        assert type(again) is cls
        assert again == f
    keyed = Filter(100, secret=bloomery.random_secret())
    keyed.add("a")
    again = pickle.loads(pickle.dumps(keyed))
    assert "a" in again
    hashed = Filter(100, hash=len)
    hashed.add("abc")
    again = pickle.loads(pickle.dumps(hashed))
    assert "xyz" in again


def test_a_keyed_filter_needs_its_secret(tmp_path: Path) -> None:
    secret = bloomery.random_secret()
    f = Filter(100, secret=secret)
    f.add("a")
    f.save(tmp_path / "a.bloom")
    with pytest.raises(bloomery.Error):
        bloomery.load(tmp_path / "a.bloom")
    assert "a" in bloomery.load(tmp_path / "a.bloom", secret=secret)
    assert "a" in Filter.from_bytes(bytes(f), secret=secret)


def test_damaged_bytes_are_refused(full: Filter) -> None:
    whole = bytes(full)
    assert Filter.from_bytes(bytearray(whole)) == full
    assert Filter.from_bytes(memoryview(whole)) == full
    for size in range(0, len(whole), 97):
        with pytest.raises(bloomery.Error):
            Filter.from_bytes(whole[:size])
    with pytest.raises(bloomery.DataError, match="not a filter"):
        Filter.from_bytes(b"junk")
    damaged = bytearray(whole)
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(bloomery.DataError):
        Filter.from_bytes(damaged)
    with pytest.raises(TypeError):
        Filter.from_bytes("text")  # type: ignore[arg-type]


def test_the_class_is_that_of_the_kind() -> None:
    counting = bytes(bloomery.Counting(100))
    assert type(Filter.from_bytes(counting)) is bloomery.Counting
    assert type(bloomery.Counting.from_bytes(counting)) is bloomery.Counting
    with pytest.raises(TypeError, match="counting"):
        bloomery.Window.from_bytes(counting)
    with pytest.raises(TypeError, match="bloom"):
        bloomery.Counting.from_bytes(bytes(Filter(100)))

    class Mine(Filter):
        pass

    assert type(Mine.from_bytes(bytes(Mine(100)))) is Mine


def test_every_v1_file_still_reads() -> None:
    from conftest import ROOT

    for path in sorted((ROOT / "tests/data/native").glob("v1-*.bloom")):
        if path.name == "v1-keyed.bloom":
            continue
        f: Any = bloomery.load(path)
        assert f.nbytes > 0, path
        assert Filter.from_bytes(f.to_bytes(keep_secret=True)) == f, path
