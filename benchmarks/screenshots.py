"""Make the pictures of docs/display.md and docs/senna-eval.md, in the browser of the system.

    python benchmarks/screenshots.py docs

It needs Chromium and the extras `browser` and `plot`. Without a model it takes that of senna-tag.
It fails if a page logs anything, if axe finds fault with it, or if a picture is too large.
"""

import argparse
import sys
import tempfile
import threading
from pathlib import Path

from browser import open_browser, open_page, violations, why_none
from PIL import Image  # which matplotlib has with it

from senna_py import load
from senna_py.cli.tag_server import Server
from senna_py.display import render
from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.html_report import html_report
from senna_py.evaluation.mistakes import worst_sentences
from senna_py.evaluation.report import chunk_report

SENTENCES = [
    "The Bank of England raised interest rates in London on Thursday, and shares fell.",
    "Angela Merkel, who grew up in Templin, led Germany from 2005 to 2021.",
    "Rolls-Royce said that it would move its head office from London to Derby.",
]
LARGEST, LARGEST_OF_ALL = 60_000, 150_000  # bytes


def report(nlp):
    """A page of senna-eval: chunks of the sentences, of which some labels are changed."""
    words, pairs = [], []
    for number, sentence in enumerate(nlp.pipe(SENTENCES * 2)):
        gold = list(sentence.tags["chk"])
        changed = [tag.replace("PP", "ADVP") if i % 3 == 2 else tag for i, tag in enumerate(gold)]
        if number % 2:
            changed[2:5] = ["O", "B-NP", "E-NP"]
        words.append([token.text for token in sentence])
        pairs.append((gold, changed))
    scores = score_chunks(pairs)
    worst = worst_sentences("segments", [(w, *p) for w, p in zip(words, pairs, strict=True)], 1)
    return html_report("chunks.txt", chunk_report(scores)[:2], scores, worst)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path, help="where the pictures go")
    parser.add_argument("--model")
    options = parser.parse_args()
    if problem := why_none():
        parser.exit(2, f"{problem}\n")
    nlp = load(options.model)
    first, second, third = nlp.pipe(SENTENCES)
    with tempfile.TemporaryDirectory() as directory, open_browser() as browser:

        def show(name, html, width, height, scheme="light"):
            path = Path(directory) / f"{name}.html"
            path.write_text(html, "utf-8")
            return open_page(browser, path.as_uri(), width, height, scheme)

        def keep(name, page):
            faults = page.messages + violations(page)
            if faults:
                sys.exit(f"{name}: {faults}")
            path = options.directory / f"{name}.png"
            page.screenshot(path=path)
            page.close()
            with Image.open(path) as picture:  # fewer colours: half the size
                picture.convert("RGB").quantize(64).save(path, optimize=True)

        keep("display-page", show("page", render(first, page=True, title="News"), 860, 540))
        page = show("roles", render(third, "roles", page=True, title="Roles"), 860, 200, "dark")
        page.locator("tr[tabindex]").nth(0).focus()
        keep("display-roles", page)
        keep("display-entities", show(
            "entities", render([first, second, third], "entities", page=True, title="Entities"),
            860, 210,
        ))  # fmt: skip
        keep("display-report", show("report", report(nlp), 860, 920))
        with Server("127.0.0.1", 0, nlp) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            page = open_page(browser, server.address, 860, 420, "dark")
            page.get_by_label("Text").fill(SENTENCES[1])
            page.get_by_role("button").click()
            page.wait_for_selector("table")
            keep("display-serve", page)
            server.shutdown()
    sizes = [path.stat().st_size for path in sorted(options.directory.glob("display-*.png"))]
    print(f"{len(sizes)} pictures, {sum(sizes):,} bytes, the largest {max(sizes):,}")
    if max(sizes) > LARGEST or sum(sizes) > LARGEST_OF_ALL:
        sys.exit("too large")


if __name__ == "__main__":
    main()
