"""Filters over Spark DataFrames, in a real Spark with several worker processes."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, Iterator

import pytest

from bloomery import Filter

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

KEYS = int(os.environ.get("BLOOMERY_SPARK_KEYS", "1000000"))


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    made = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("ERROR")
    yield made
    made.stop()


def test_a_filter_built_in_parts_is_the_one_built_at_once(session: Any) -> None:
    from bloomery import spark

    numbers = session.range(0, KEYS, 1, 8)
    made = spark.build(numbers, "id", KEYS, 0.01)
    whole = Filter(KEYS, 0.01)
    whole.update(range(KEYS))
    assert bytes(made) == bytes(whole)


def test_texts_with_nulls(session: Any) -> None:
    from bloomery import spark

    texts = session.range(0, 5000, 1, 20).selectExpr("if(id % 10 = 0, null, concat('key ', id)) as name")
    whole = Filter(5000, 0.001)
    whole.update(f"key {i}" for i in range(5000) if i % 10)
    assert spark.build(texts, "name", 5000, 0.001) == whole


def test_a_join_is_prefiltered(session: Any) -> None:
    from bloomery import spark

    customers = session.range(0, 1000).selectExpr("id * 7 as id")
    orders = session.range(0, 100_000, 1, 4).selectExpr("id as number", "id % 50000 as customer")
    known = spark.build(customers, "id", 1000, 0.001)
    kept = spark.prefilter(orders, "customer", known)
    assert kept.schema == orders.schema
    matching = orders.join(customers, orders.customer == customers.id).count()
    assert matching == 2000
    assert matching <= kept.count() < matching + 300  # 98,000 others at 0.1 %: 98 are due
    assert kept.join(customers, kept.customer == customers.id).count() == matching
    assert spark.prefilter(orders, "customer", known, absent=True).count() == 100_000 - kept.count()


def test_spark_reads_it_as_its_own(session: Any) -> None:
    from bloomery import spark

    sketch = session._jvm.org.apache.spark.util.sketch.BloomFilter
    numbers = session.range(0, 2000, 1, 3)
    made = spark.build(numbers, "id", 2000, 0.01, format="spark", encoding="java-long")
    theirs = sketch.readFrom(made.to_bytes("spark"))
    assert all(theirs.mightContainLong(i) for i in range(0, 2000, 37))
    assert sum(theirs.mightContainLong(i) for i in range(10**6, 10**6 + 500)) < 30
    texts = numbers.selectExpr("concat('key ', id) as name")
    named = spark.build(texts, "name", 2000, 0.01, format="spark")
    theirs = sketch.readFrom(named.to_bytes("spark"))
    assert all(theirs.mightContainString(f"key {i}") for i in range(0, 2000, 37))
    assert "key 7" in named


def test_what_cannot_work_is_refused_before_it_starts(session: Any) -> None:
    from bloomery import spark

    floats = session.range(3).selectExpr("cast(id as double) as x")
    with pytest.raises(TypeError, match="double, which is not a key"):
        spark.build(floats, "x", 10)
    with pytest.raises(ValueError, match="no column 'y'"):
        spark.build(floats, "y", 10)
    with pytest.raises(ValueError, match="p must be"):
        spark.build(session.range(3), "id", 10, 2.0)


def test_no_rows(session: Any) -> None:
    from bloomery import spark

    assert spark.build(session.range(0), "id", 100) == Filter(100, 0.01)
