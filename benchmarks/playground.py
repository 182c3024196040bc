"""Seconds until the page that tags in the browser is ready, and seconds a sentence.

    sh docs/playground/prepare.sh && mkdocs build --site-dir site
    python -m http.server --directory site 8000 &
    python benchmarks/playground.py http://localhost:8000/

The time of a sentence is from its text to the page that shows all its layers. Processor
time is that of all processes of the browser.
"""

import argparse
import re
import shutil
import statistics
import time
from urllib.parse import urljoin

TEXT = """\
The company that makes the engines paid its workers in Ohio three million dollars for
  the shares that they sold.
When the rain stopped, the children who had been waiting inside since noon ran out to
  play in the yard.
Marie Curie won the Nobel Prize in Physics in 1903 and the Nobel Prize in Chemistry
  eight years later, alone.
The judge ordered the bank in Geneva to return the money that it had taken from its
  customers without permission.
Last Tuesday, Maria Silva flew from Lisbon to Boston, where she met the editors of a
  small newspaper.
Prices rose by 3.2% in July because the drought had ruined the harvest in the south of
  the country.
He said that he would send the documents to the office in Vienna before the end of the
  week.
NASA launched the telescope from French Guiana on December 25, 2021, and it reached its
  orbit within a month.
Alice gave Bob the book that her brother had written in Lisbon, but he never found time
  to read it.
If the committee approves the plan, the city will build two new bridges across the river
  by next spring.
"""
SENTENCES = [" ".join(each.split()) for each in re.split(r"\n(?! )", TEXT.strip())]

# Gives a text to the page as its address does; returns the seconds until its result is shown.
TAG = """text => new Promise((resolve, reject) => {
  const status = document.getElementById("playground-status");
  const begin = performance.now();
  new MutationObserver(() => {
    if (status.textContent.includes("tagged in"))
      resolve((performance.now() - begin) / 1000);
  }).observe(status, { childList: true });
  setTimeout(() => reject(new Error(status.textContent)), 600_000);
  location.hash = new URLSearchParams({ text });
})"""


def measure(address):
    """Yield what was measured at the address of a site: a name, and seconds by the clock
    and of processors.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.set_default_timeout(900_000)
        processes = browser.new_browser_cdp_session()

        def used():
            found = processes.send("SystemInfo.getProcessInfo")["processInfo"]
            return sum(process["cpuTime"] for process in found)

        begin, before = time.perf_counter(), used()
        page.goto(urljoin(address, "playground/"))
        page.get_by_text("tagged in").wait_for()
        loaded = time.perf_counter() - begin, used() - before
        yield "loading, until the text of the page is tagged", *loaded

        before = used()
        seconds = [page.evaluate(TAG, sentence) for sentence in SENTENCES]
        processor = (used() - before) / len(SENTENCES)
        yield "a sentence, median", statistics.median(seconds), processor
        yield "the slowest sentence", max(seconds), None
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("address", help="of the site, such as http://localhost:8000/")
    options = parser.parse_args()
    words = statistics.mean(len(sentence.split()) for sentence in SENTENCES)
    print(f"{len(SENTENCES)} sentences of {words:.0f} words")
    print("| | seconds | processor seconds |")
    print("|---|---|---|")
    for name, seconds, processor in measure(options.address):
        used = "" if processor is None else f"{processor:.2f}"
        print(f"| {name} | {seconds:.2f} | {used} |", flush=True)


if __name__ == "__main__":
    main()
