"""Filters over the columns of Spark DataFrames.

The filter is built where the rows are: each task makes one of its partition, and they are merged in several rounds, so
that the driver only receives the result. It is the same filter, bit for bit, as one built at once.

    from bloomery import spark

    known = spark.build(customers, "id", n=10_000_000, p=0.001)
    orders = spark.prefilter(orders, "customer_id", known)     # drops what cannot match, then
    orders.join(customers, ...)                                # the join shuffles less

Spark's Python workers need bloomery and pyarrow too. A row of Spark holds at most 2 GB, and so does such a filter.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Iterator

from ._filters import Filter

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: How many filters one task merges.
FAN_IN = 8

_COLUMN = "filter"
_SCHEMA = f"{_COLUMN} binary"

# The filter that this worker process made of broadcast bytes last, by its token: workers serve many tasks.
_received: dict[str, Filter] = {}


def _require_keys(df: DataFrame, column: str) -> None:
    """Refuse a column that is missing, or that does not hold keys, before any task runs."""
    types = dict(df.dtypes)
    if column not in types:
        raise ValueError(f"there is no column {column!r}; the columns are {', '.join(map(repr, types))}")
    if types[column] not in ("string", "binary", "tinyint", "smallint", "int", "bigint", "boolean", "timestamp"):
        raise TypeError(
            f"the column {column!r} is of type {types[column]}, which is not a key: cast it to a string or an integer"
        )


def build(df: DataFrame, column: str, n: int, p: float = 0.01, **options: Any) -> Filter:
    """Build a filter of a column: of `n` distinct values, with a false-positive rate of `p`. Nulls are skipped.

    The options are those of `Filter`. With format='spark' or 'spark-2', the result's `to_bytes(format)` is what Spark's own
    BloomFilter.readFrom reads; give encoding='java-long' for a column of integers then.
    """
    _require_keys(df, column)
    Filter(n, p, **options).close()  # an option that cannot be used is refused here, not in a task

    def of_partition(batches: Iterator[Any]) -> Iterator[Any]:
        made = Filter(n, p, **options)
        for batch in batches:
            made.update(batch.column(0))
        yield _row(made)

    def merged(batches: Iterator[Any]) -> Iterator[Any]:
        whole = Filter(n, p, **options)
        for batch in batches:
            for each in batch.column(0):
                whole.update(_from_row(each, options))
        yield _row(whole)

    filters = df.select(column).mapInArrow(of_partition, _SCHEMA)
    count = df.rdd.getNumPartitions()
    while count > 1:
        count = -(-count // FAN_IN)
        filters = filters.repartition(count).mapInArrow(merged, _SCHEMA)
    rows = filters.collect()
    return _from_bytes(bytes(rows[0][0]), options) if rows else Filter(n, p, **options)


def prefilter(df: DataFrame, column: str, known: Filter, *, absent: bool = False) -> DataFrame:
    """Keep the rows whose value may be in a filter; with absent=True, those whose value certainly is not.

    Rows with a null are dropped in both cases.
    """
    _require_keys(df, column)
    content = df.sparkSession.sparkContext.broadcast(known.to_bytes(keep_secret=True))
    at = df.columns.index(column)
    encoding, function, token = known.encoding, known.hash, uuid.uuid4().hex

    def kept(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow
        import pyarrow.compute

        if token not in _received:
            _received.clear()
            _received[token] = Filter.from_bytes(content.value, encoding=encoding, hash=function)
        f = _received[token]
        for batch in batches:
            values = batch.column(at)
            mask = pyarrow.array(f.contains_many(values))
            if absent:
                mask = pyarrow.compute.and_(pyarrow.compute.invert(mask), values.is_valid())
            yield batch.filter(mask)

    return df.mapInArrow(kept, df.schema)


def _row(made: Filter) -> Any:
    import pyarrow

    return pyarrow.RecordBatch.from_arrays([pyarrow.array([made.to_bytes(keep_secret=True)], pyarrow.binary())], [_COLUMN])


def _from_row(scalar: Any, options: dict[str, Any]) -> Filter:
    return _from_bytes(scalar.as_buffer(), options)


def _from_bytes(content: Any, options: dict[str, Any]) -> Filter:
    """A filter from its native bytes, which do not say how keys are made."""
    from ._filters import _usual_encoding

    encoding = options.get("encoding") or (_usual_encoding(options["format"]) if options.get("format") else None)
    return Filter.from_bytes(content, encoding=encoding or "bytes", hash=options.get("hash"))
