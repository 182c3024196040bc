"""Size of the page of many sentences, and how soon the browser of the system shows it.

    head -500 sentences.txt > some.txt && python benchmarks/page.py some.txt

The times are those of the browser itself, from the beginning of the navigation: the first paint,
and the end of the loading of the page. The median of `--times` is printed, and the largest.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

from browser import open_browser, open_page, why_none

from senna_py.cli.tag_files import tag_files

TIMES = """() => [
    performance.getEntriesByName('first-contentful-paint')[0].startTime,
    performance.getEntriesByType('navigation')[0].loadEventEnd,
]"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", help="a sentence a line")
    parser.add_argument("--model")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    if problem := why_none():
        parser.exit(2, f"{problem}\n")
    with tempfile.TemporaryDirectory() as directory, open_browser() as browser:
        path = Path(directory) / "page.html"
        tag_files([options.text], path=options.model, output_format="html", output=str(path))
        n_sentences = n_tokens = 0
        found = []
        for _ in range(options.times):
            page = open_page(browser, path.as_uri())
            page.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
            found.append(page.evaluate(TIMES))
            n_sentences = page.locator("li").count()
            n_tokens = page.locator("tr:first-child th").count()
            page.close()
        size = path.stat().st_size
    print(f"{n_sentences:,} sentences, {n_tokens:,} tokens, {size:,} bytes")
    for name, times in zip(("first paint", "loaded"), zip(*found, strict=True), strict=True):
        print(f"{name}: {statistics.median(times):.0f} ms, at most {max(times):.0f} ms")


if __name__ == "__main__":
    main()
