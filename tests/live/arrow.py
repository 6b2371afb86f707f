"""The side of pyarrow and DuckDB in the live test; keys are lines of standard input.

arrow.py write TYPE FILE P ROWS   a file with a column `key` and a filter for each ROWS rows
arrow.py ask TYPE FILE            prints the keys that some row group may have
"""

import sys

verb, kind, path = sys.argv[1:4]
lines = sys.stdin.buffer.read().decode().split("\n")[:-1]
if verb == "write":
    import pyarrow
    import pyarrow.parquet

    rate, rows = float(sys.argv[4]), int(sys.argv[5])
    values = lines if kind == "string" else [int(line) for line in lines]
    table = pyarrow.table({"key": pyarrow.array(values, getattr(pyarrow, kind)())})
    pyarrow.parquet.write_table(table, path, row_group_size=rows,
                                bloom_filter_options={"key": {"ndv": rows, "fpp": rate}})
else:
    import duckdb

    sql = {"string": "VARCHAR", "int64": "BIGINT", "int32": "INTEGER"}[kind]
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    for line in lines:
        text = line.replace("'", "''")
        found = connection.execute(
            f"SELECT bool_or(NOT bloom_filter_excludes) FROM parquet_bloom_probe('{path}', 'key', '{text}'::{sql})")
        if found.fetchone()[0]:
            print(line)
