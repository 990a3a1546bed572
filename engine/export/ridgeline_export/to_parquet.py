"""Writes JSON lines as a parquet file whose columns have the types that the program says.

    python3 -c THIS SCHEMA LINES OUT

SCHEMA is JSON (engine/export/schema.hpp): "string", "int64", "float64?", [type], {"column": type}. Ends with 3 and one
line of reason where pyarrow is missing.
"""

import json
import sys

ROWS_AT_ONCE = 256  # verdicts with raw samples take a megabyte a row

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    print(f"{sys.executable} cannot import pyarrow ({error})", file=sys.stderr)
    sys.exit(3)

SCALARS = {"string": pa.string(), "bool": pa.bool_(), "int64": pa.int64(), "float64": pa.float64()}


def arrow_type(kind):
    if isinstance(kind, str):
        return SCALARS[kind.rstrip("?")]
    if isinstance(kind, list):
        return pa.list_(arrow_type(kind[0]))
    return pa.struct([pa.field(name, arrow_type(part)) for name, part in kind.items()])


def batches(path):
    rows = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            rows.append(json.loads(line))
            if len(rows) == ROWS_AT_ONCE:
                yield rows
                rows = []
    if rows:
        yield rows


def main(schema_text, source, target):
    schema = pa.schema([pa.field(name, arrow_type(kind)) for name, kind in json.loads(schema_text).items()])
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for rows in batches(source):
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


main(*sys.argv[1:])
