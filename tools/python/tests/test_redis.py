"""Filters in a real Redis server that these tests start."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

import bloomery
from bloomery import Filter

if not hasattr(bloomery._core, "redis_make"):
    pytest.skip("built without hiredis", allow_module_level=True)
# Debian packs the server as redis-check-rdb too: it is what it is called.
SERVER = shutil.which("redis-server") or shutil.which("redis-check-rdb")
if SERVER is None:
    pytest.skip("there is no redis-server", allow_module_level=True)

from bloomery.redis import RedisError, RedisFilter  # noqa: E402


@pytest.fixture(scope="module")
def url(tmp_path_factory: Any) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("redis")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    server = subprocess.Popen(
        ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", str(folder)],
        executable=SERVER,
        stdout=subprocess.DEVNULL,
    )
    try:
        for _ in range(400):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture
def seen(url: str, request: Any) -> Iterator[RedisFilter]:
    made = RedisFilter.create(url, request.node.name, 10_000, 0.001)
    yield made
    made.delete()
    made.close()


def test_keys_are_shared_by_all_handles(url: str, seen: RedisFilter) -> None:
    assert seen.add("a")
    assert not seen.add("a")
    other = RedisFilter.open(url, seen.name)
    assert "a" in other
    assert "b" not in other
    other.update(range(1000), ["x", b"y", ("t", 1)])
    assert seen.contains_many([5, 999, "y", ("t", 1), 10**6]).tolist() == [True] * 4 + [False]
    assert seen.add_many(["p", "q", "p"]).tolist() == [True, True, False]
    assert seen.filter_absent(["p", "none"]) == ["none"]


def test_arrays(seen: RedisFilter) -> None:
    np = pytest.importorskip("numpy")
    keys = np.arange(20_000)
    seen.update(keys[:10_000])
    answers = seen.contains_many(keys)
    assert answers[:10_000].all()
    assert answers[10_000:].sum() < 60  # 10 are due
    pa = pytest.importorskip("pyarrow")
    seen.update(pa.array(["one", None, "two"]))
    assert seen.contains_many(pa.array(["two", None, "three"])).tolist() == [True, False, False]


def test_what_it_says_about_itself(url: str, seen: RedisFilter) -> None:
    seen.update(range(5000))
    assert (seen.capacity, seen.target_rate) == (10_000, 0.001)
    assert 4800 < seen.approx_items < 5200
    assert 0 < seen.rate < 0.001
    assert 0.0001 < seen.fpp_at(10_000) <= 0.001
    assert seen.info()["scheme"] == "redisson-split"
    assert repr(seen) == f"<RedisFilter '{seen.name}' for 10,000 keys at 0.001: {seen.nbytes:,} bytes>"
    assert RedisFilter.exists(url, seen.name)
    assert not RedisFilter.exists(url, "nobody")
    seen.clear()
    assert seen.approx_items == 0


def test_copies_to_memory_and_back(url: str, seen: RedisFilter, tmp_path: Path) -> None:
    seen.update(["a", "b"])
    here = seen.pull()
    assert isinstance(here, Filter)
    assert "a" in here and "c" not in here
    here.add("c")
    here.save(tmp_path / "here.bloom")
    there = RedisFilter.push(url, "pushed", bloomery.load(tmp_path / "here.bloom"))
    assert there.contains_many(["a", "b", "c", "d"]).tolist() == [True, True, True, False]
    with pytest.raises(RedisError, match="already"):
        RedisFilter.push(url, "pushed", here)
    there.delete()

    local = RedisFilter.local(10_000, 0.001)
    local.update(["a", "b"])
    assert local == seen.pull()
    with pytest.raises(ValueError, match="split|scheme|Redis"):
        RedisFilter.push(url, "other", Filter(100))


def test_redissons_own(url: str) -> None:
    theirs = RedisFilter.create(url, "theirs", 1000, 0.03, redisson=True)
    assert theirs.encoding == "kryo5"
    assert theirs.add("abc")
    assert "abc" in RedisFilter.open(url, "theirs")
    assert "abc" in RedisFilter.push(url, "again", theirs.pull())
    assert "abc" not in RedisFilter.open(url, "theirs", encoding="bytes")
    theirs.delete()


def test_names_and_expiry(url: str, seen: RedisFilter) -> None:
    seen.add("a")
    copy = seen.copy("the copy")
    assert copy.name == "the copy"
    copy.rename("another")
    assert "a" in RedisFilter.open(url, "another")
    assert copy.expires_in is None
    copy.expire(1000)
    assert 990 <= (copy.expires_in or 0) <= 1000
    copy.expire(None)
    assert copy.expires_in is None
    copy.delete()
    copy.delete()
    assert not RedisFilter.exists(url, "another")


def test_errors_say_what_is_wrong(url: str, seen: RedisFilter) -> None:
    with pytest.raises(RedisError, match="nobody"):
        RedisFilter.open(url, "nobody")
    with pytest.raises(RedisError, match=seen.name):
        RedisFilter.create(url, seen.name, 10)
    with pytest.raises(bloomery.Error):
        RedisFilter.open("redis://127.0.0.1:1", "x")
    with pytest.raises(ValueError):
        RedisFilter.open("http://127.0.0.1", "x")
    with pytest.raises(ValueError):
        RedisFilter.create(url, "{braces}", 10)
    with pytest.raises(TypeError, match="open_or_create"):
        RedisFilter(url)
    with pytest.raises(TypeError, match="None is not a key"):
        seen.add(None)
    gone = RedisFilter.create(url, "gone", 100)
    gone.delete()
    for call in (lambda: gone.add("a"), lambda: "a" in gone, lambda: gone.update(["a"]), lambda: gone.rate):
        with pytest.raises(RedisError, match="gone"):
            call()
    gone.close()
    with pytest.raises(ValueError, match="closed"):
        gone.add("a")


def test_other_threads_run_meanwhile_and_lose_no_key(seen: RedisFilter) -> None:
    new: list[int] = []

    def work(first: int) -> None:
        new.append(sum(seen.add(i % 500) for i in range(first, first + 500)))

    threads = [threading.Thread(target=work, args=(i * 77,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    assert seen.contains_many(range(500)).all()
    assert 490 <= sum(new) <= 500  # each is new to one of them


def test_several_make_it_at_once(url: str) -> None:
    program = "import sys; from bloomery.redis import RedisFilter as F; F.open_or_create(sys.argv[1], 'one', 1000).add(sys.argv[2])"
    made = [subprocess.Popen([sys.executable, "-c", program, url, name]) for name in ("a", "b", "c")]
    assert [each.wait(120) for each in made] == [0, 0, 0]
    one = RedisFilter.open(url, "one")
    assert one.contains_many(["a", "b", "c", "d"]).tolist() == [True, True, True, False]
    one.delete()
