"""Filters in Redis and Redis Cluster, which any number of processes and machines share. No module is needed.

    from bloomery.redis import RedisFilter

    seen = RedisFilter.open_or_create("redis://127.0.0.1", "seen", n=10_000_000, p=0.001)
    if seen.add("https://example.com/"):        # one round trip
        ...                                     # certainly new, to everybody
    seen.update(keys)                           # many keys per round trip

The keys of the filter in Redis are described in docs/redis.md; `bloomery --redis` uses the same filters.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _core
from ._common import Common
from ._core import RedisError
from ._filters import Filter, _check_hash

if not hasattr(_core, "redis_make"):
    raise ImportError(
        "this build of bloomery has no support for Redis: install libhiredis-dev and pkg-config (Debian), and build the "
        "package again with pip install --no-cache-dir --force-reinstall"
    )

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["RedisError", "RedisFilter"]

_SHARD = 8 << 20


class RedisFilter(Common):
    """A filter in Redis: a handle, of which there can be any number in any number of processes.

    url is redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] or unix://[[USER]:PASSWORD@]PATH[?db=N]. With cluster=True it
    is one URL of a cluster, or several separated by commas. The password may also be in the environment, in
    REDISCLI_AUTH.

    All calls release the global interpreter lock, and threads may share a handle. What goes wrong raises RedisError; keys
    of a call that failed can be added again. Open the filter after a fork, not before.
    """

    __slots__ = ()

    def __new__(cls, *unused: Any, **also_unused: Any) -> Self:
        raise TypeError("use RedisFilter.create, RedisFilter.open or RedisFilter.open_or_create")

    @classmethod
    def create(
        cls, url: str, name: str, n: int, p: float = 0.01, *, cluster: bool = False, largest_shard: int = _SHARD,
        redisson: bool = False, encoding: Optional[str] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        """Make a filter for n keys at the rate p. Raises RedisError if there is one of that name.

        It is split into shards of at most `largest_shard` bytes, which a cluster spreads over its servers. With
        redisson=True it is one RBloomFilter of Redisson instead.
        """
        verb = "create_redisson" if redisson else "create"
        return cls._made(url, name, verb, cluster, encoding, hash, n, p, largest_shard)

    @classmethod
    def open(
        cls, url: str, name: str, *, cluster: bool = False, encoding: Optional[str] = None,
        hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        """Open a filter that exists, split or Redisson's.

        encoding says how keys become bytes: 'bytes' if not given; 'kryo5', Redisson's default, for one that is not split.
        """
        return cls._made(url, name, "open", cluster, encoding, hash)

    @classmethod
    def open_or_create(
        cls, url: str, name: str, n: int, p: float = 0.01, *, cluster: bool = False, largest_shard: int = _SHARD,
        encoding: Optional[str] = None, hash: Optional[Callable[[Any], int]] = None,
    ) -> Self:
        """Open the filter, or make it. If several processes do this at once, one makes it and the others wait."""
        return cls._made(url, name, "open_or_create", cluster, encoding, hash, n, p, largest_shard)

    @classmethod
    def push(
        cls, url: str, name: str, local: Filter, *, cluster: bool = False, hash: Optional[Callable[[Any], int]] = None
    ) -> Self:
        """Send a filter from memory: one of `local`, of `pull`, or of Filter(..., format='redisson').

        Others see it when it is complete.
        """
        return cls._made(url, name, "push", cluster, local.encoding, hash, local=local)

    @staticmethod
    def local(n: int, p: float = 0.01, *, largest_shard: int = _SHARD) -> Filter:
        """Make a filter in memory with the bits that `create` would make in Redis: to be filled here, and pushed."""
        made: Filter = _core.redis_local(n, p, largest_shard)
        return made

    @staticmethod
    def exists(url: str, name: str, *, cluster: bool = False) -> bool:
        """Whether there is a filter of that name."""
        return _core.redis_exists(url, cluster, os.environ.get("REDISCLI_AUTH"), name)

    @classmethod
    def _made(
        cls, url: str, name: str, verb: str, cluster: bool, encoding: Optional[str], hash: Optional[Callable[[Any], int]],
        n: int = 0, p: float = 0.0, largest_shard: int = 0, local: Optional[Filter] = None,
    ) -> Self:
        _check_hash(hash)
        password = os.environ.get("REDISCLI_AUTH")
        made: Self = _core.redis_make(cls, url, cluster, password, name, verb, n, p, largest_shard, local, encoding, hash)
        return made

    @property
    def name(self) -> str:
        """Its name in Redis."""
        name: str = _core.redis_do(self, "name", None, 0)
        return name

    def pull(self) -> Filter:
        """Copy it into memory. The result can be saved, queried and pushed."""
        made: Filter = _core.redis_do(self, "pull", None, 0)
        return made

    def copy(self, name: str) -> Self:  # type: ignore[override] # a copy in Redis needs a name
        """Copy it to another name in Redis, and return that filter."""
        made: Self = _core.redis_do(self, "copy", name, 0)
        return made

    def rename(self, name: str) -> None:
        """Give it another name. On one server this is one step."""
        _core.redis_do(self, "rename", name, 0)

    def delete(self) -> None:
        """Remove it from Redis. Does nothing if it is gone already."""
        _core.redis_do(self, "drop", None, 0)

    def expire(self, seconds: Optional[int]) -> None:
        """Let Redis remove it after that time; None: never."""
        if seconds is None:
            _core.redis_do(self, "persist", None, 0)
        else:
            _core.redis_do(self, "expire", None, seconds)

    @property
    def expires_in(self) -> Optional[int]:
        """The seconds until Redis removes it; None if it stays."""
        left: Optional[int] = _core.redis_do(self, "ttl", None, 0)
        return left

    def wait_for_replicas(self, count: int) -> None:
        """From now on, keys that this handle adds count as added only when that many replicas have them."""
        if not 0 <= count < 1 << 16:
            raise _core.ArgumentError(f"count must be from 0 to 65535, and {count} is not")
        _core.redis_do(self, "replicas", None, count)

    def __repr__(self) -> str:
        if self.closed:
            return "<RedisFilter: closed>"
        about = self._info()
        made_for = f" for {about['item_capacity']:,} keys at {about['target_rate']:.4g}" if about["target_rate"] else ""
        return f"<RedisFilter {self.name!r}{made_for}: {about['byte_count']:,} bytes>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a filter in Redis cannot be pickled: pass on its URL and name, and open it there")
