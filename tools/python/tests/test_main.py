"""python -m bloomery does what the command does."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bloomery.__main__

COMMAND = os.environ.get("BLOOMERY")
if not COMMAND:
    pytest.skip("BLOOMERY does not name the command", allow_module_level=True)

OURS = [sys.executable, "-m", "bloomery"]


def main_in(folder: Path, *arguments: Any, keys: bytes = b"") -> tuple[int, bytes, bytes]:
    """What a process of its own would do, in this one: starting Python takes longer than all else."""
    before = os.getcwd(), sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(keys)))  # type: ignore[arg-type]
    sys.stdout, sys.stderr = io.TextIOWrapper(out, write_through=True), io.TextIOWrapper(err, write_through=True)
    try:
        status = bloomery.__main__.main([str(each) for each in arguments])
    except SystemExit as ended:
        status = int(ended.code or 0)
    finally:
        written = out.getvalue(), err.getvalue()  # before the streams close them
        os.chdir(before[0])
        sys.stdin, sys.stdout, sys.stderr = before[1:]
    return (status, *written)


def run(program: list[str], folder: Path, *arguments: Any, keys: bytes = b"") -> tuple[int, bytes, bytes]:
    done = subprocess.run([*program, *map(str, arguments)], cwd=folder, input=keys, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def both(tmp_path: Path) -> Any:
    """Runs a verb with both programs, each in a folder of its own, and returns the one result that they must have."""
    folders = [tmp_path / "theirs", tmp_path / "ours"]
    for folder in folders:
        folder.mkdir()
        (folder / "fruit").write_bytes(b"apple\nbanana\ncherry\n")
        (folder / "numbers").write_bytes(b"".join(b"%d\n" % i for i in range(-500, 500)))

    def compare(*arguments: Any, keys: bytes = b"", same_error: bool = True) -> tuple[int, str]:
        theirs = run([str(COMMAND)], folders[0], *arguments, keys=keys)
        ours = main_in(folders[1], *arguments, keys=keys)
        assert ours[:2] == theirs[:2], (ours, theirs)
        assert not same_error or ours[2] == theirs[2]
        assert bool(ours[2]) == bool(theirs[2])
        for made in folders[0].iterdir():
            assert (folders[1] / made.name).read_bytes() == made.read_bytes(), made.name
        return ours[0], ours[1].decode(errors="replace")

    return compare


def test_the_first_example_of_the_page(both: Any) -> None:
    both("create", "-n", 1000, "-p", "1%", "fruit.bloom")
    both("add", "-v", "fruit.bloom", "fruit")
    assert both("test", "fruit.bloom", "apple", "mango") == (0, "maybe  apple\nno     mango\n")
    assert both("test", "fruit.bloom", "mango") == (1, "no     mango\n")
    assert both("test", "-q", "fruit.bloom", "mango", "apple") == (0, "")
    assert both("grep", "fruit.bloom", keys=b"apple\nmango\ncherry") == (0, "apple\ncherry\n")
    assert both("info", "fruit.bloom")[0] == 0


def test_grep_and_uniq(both: Any) -> None:
    both("create", "-n", "1k", "words.bloom", "fruit")
    lines = b"apple\nmango\nbanana\n"
    for option, status in (("-n", 0), ("-c", 0), ("-v", 0), ("-q", 0)):
        assert both("grep", option, "words.bloom", keys=lines)[0] == status
    assert both("grep", "words.bloom", keys=b"mango\n") == (1, "")
    assert both("grep", "-t", ",", "-f", 2, "words.bloom", keys=b"1,apple\n2,mango\n3\n") == (0, "1,apple\n")
    assert both("grep", "-0", "words.bloom", keys=b"apple\0two words\0") == (0, "apple\0")
    assert both("uniq", keys=b"b\na\nb\nc\na\n") == (0, "b\na\nc\n")
    assert both("uniq", "-v", keys=b"b\na\nb\nc\na\n") == (0, "b\na\n")


def test_kinds_of_keys_and_of_filters(both: Any) -> None:
    both("create", "-n", 1000, "--key", "int", "ints.bloom", "numbers")
    assert both("test", "--key", "int", "ints.bloom", "007", "18446744073709551615", "800")[1].split()[::2] == ["maybe", "maybe", "no"]
    both("create", "-n", 100, "hex.bloom")
    both("add", "--key", "hex", "hex.bloom", keys=b"07000000\n")
    assert both("test", "--key", "i32le", "hex.bloom", "7", "8") == (0, "maybe  7\nno     8\n")
    both("create", "--kind", "counting,bits=8", "-n", 1000, "counting.bloom")
    both("add", "counting.bloom", "fruit")
    both("create", "--format", "guava", "-n", 1000, "-p", "1%", "fruit.guava")
    both("add", "fruit.guava", "fruit")
    assert both("test", "fruit.guava", "apple", "mango") == (0, "maybe  apple\nno     mango\n")
    both("convert", "--to", "native", "fruit.guava", "from-java.bloom")
    both("add", "--key", "utf8", "from-java.bloom", keys=b"plum\n")
    both("convert", "--to", "guava", "from-java.bloom", "back.guava")


def test_sizes_and_layouts(both: Any) -> None:
    both("create", "-n", "10k", "--bytes", "16KiB", "a.bloom")
    both("create", "-n", "10k", "--layout", "classic", "-p", "1in1000", "--seed", 7, "b.bloom")
    both("create", "--bits", 9585, "-k", 7, "--comment", "a note", "c.bloom")
    both("info", "a.bloom", "b.bloom")
    both("create", "-n", 1000, "d.bloom", "numbers")
    both("create", "-n", 1000, "e.bloom", "fruit")
    both("merge", "d.bloom", "e.bloom", "-o", "all.bloom")
    both("merge", "e.bloom", "d.bloom", "-o", "all.bloom", "--force")
    assert both("merge", "d.bloom", "a.bloom", "-o", "no.bloom", same_error=False)[0] == 2


def test_overfilled_filters(both: Any) -> None:
    both("create", "-n", 100, "-p", "1%", "small.bloom")
    many = b"".join(b"%d\n" % i for i in range(250))
    assert both("add", "--strict", "small.bloom", keys=many, same_error=False)[0] == 3
    assert both("add", "small.bloom", keys=many, same_error=False)[0] == 0
    assert both("info", "small.bloom")[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("test", "none.bloom", "a"), ("test", "fruit", "a"), ("create", "-n", "1.5", "x.bloom"), ("create", "x.bloom"),
        ("create", "-n", "10", "-p", "2", "x.bloom"), ("create", "-n", "10", "--bytes", "64Mb", "x.bloom"),
        ("create", "-n", "10", "fruit"), ("nothing",), ("add", "--key", "int", "n.bloom", "fruit"), ("test", "fruit.bloom"),
    ],
)
def test_errors_are_one_sentence_and_status_2(both: Any, arguments: Any) -> None:
    both("create", "-n", 10, "n.bloom")
    assert both(*arguments, same_error=False)[0] == 2


def test_compressed_input(both: Any) -> None:
    both("create", "-n", 100, "zip.bloom")
    both("add", "zip.bloom", keys=gzip.compress(b"apple\nplum\n"))
    assert both("test", "zip.bloom", "plum")[0] == 0


def test_json(tmp_path: Path) -> None:
    main_in(tmp_path, "create", "-n", 10, "a.bloom")
    status, out, _ = main_in(tmp_path, "info", "--json", "a.bloom")
    assert status == 0
    assert json.loads(out)["item_capacity"] == 10
    for arguments in (["-n", "1M", "-p", "1%"], ["-n", "1M", "--bytes", "1MiB"], ["-p", "1e-4", "--bytes", "10MB"], ["-n", "5k"]):
        theirs = json.loads(run([str(COMMAND)], tmp_path, "plan", "--json", *arguments)[1])
        ours = json.loads(main_in(tmp_path, "plan", "--json", *arguments)[1])
        assert ours == {name: theirs[name] for name in ours}
    _, out, _ = main_in(tmp_path, "plan", "-n", "1M", "-p", "1%")
    assert out.startswith(b"layout    split-8x64, 10,099,712 bits (1.20 MiB), 8 hashes per key\n")
    status, out, _ = main_in(tmp_path, "test", "--json", "a.bloom", "x")
    assert (status, json.loads(out)) == (1, {"key": "x", "maybe": False})


def test_as_a_process(tmp_path: Path) -> None:
    assert run(OURS, tmp_path, "uniq", keys=b"b\na\nb\n") == (0, b"b\na\n", b"")
    assert run(OURS, tmp_path, "test", "none.bloom", "a")[0] == 2
