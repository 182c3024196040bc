"""Tag a Parquet file with a column of sentences, and write another: time and memory.

    python benchmarks/parquet_rows.py TEXT --rows 1000000 --tasks ner

TEXT has a paragraph on each line, and may end in .xz. Its sentences become the rows.
"""

import argparse
import lzma
import re
import resource
import tempfile
import time
from itertools import chain, islice
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from senna_py.dataframe import annotate, schema

BATCH = 10_000


def write_rows(text: str, path: Path, n_rows: int) -> int:
    """Write the first sentences of a text as rows; return their number."""
    opened = lzma.open if text.endswith(".xz") else open
    with opened(text, "rt", encoding="utf-8") as lines:
        sentences = chain.from_iterable(
            re.split(r"(?<=[.!?]) (?=[A-Z])", line.strip()) for line in lines
        )
        rows = list(islice(filter(None, sentences), n_rows))
    pq.write_table(pa.table({"id": range(len(rows)), "text": rows}), path)
    return len(rows)


def main() -> None:
    """Print the rows, the tokens, the processor time and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--tasks", default="ner", help="names, with commas between")
    options = parser.parse_args()
    tasks = options.tasks.split(",")
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place, "reviews.parquet"), Path(place, "tagged")
        n_rows = write_rows(options.text, source, options.rows)
        reviews = ds.dataset(source)
        began, cpu = time.perf_counter(), time.process_time()
        ds.write_dataset(
            (
                annotate(batch, tasks=tasks, document="id")
                for batch in reviews.to_batches(batch_size=BATCH)
            ),
            target,
            schema=schema(reviews.schema, tasks=tasks, document="id"),
            format="parquet",
        )
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        tagged = ds.dataset(target)
        n_tokens = sum(
            len(batch["tokens"].flatten())
            for batch in tagged.to_batches(columns=["tokens"])
        )
        n_bytes = sum(path.stat().st_size for path in target.glob("*"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{n_rows:,} rows, {n_tokens:,} tokens: {cpu:,.0f} s of processor time "
        f"({seconds:,.0f} s), {n_tokens / cpu:,.0f} tokens/s, {n_bytes / 1e6:,.0f} MB "
        f"written, {peak:,.0f} MB of memory"
    )


if __name__ == "__main__":
    main()
