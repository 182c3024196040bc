"""Build the site with a folder for each version: what is published.

    python docs/versions.py SITE

`dev/` is this checkout, `v0.2/` the newest release 0.2.x, by its tag, and `latest/` the
newest release or, before the first, `dev/`. `versions.json` lists them for the selector
of the theme. Each site is built by a process of its own, from the files of its tag.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = """
import sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
folder, target = sys.argv[1:]
config = load_config("mkdocs.yml", site_dir=target, strict=True)
config.site_url += folder + "/"
config.extra["version"] = {"provider": "mike", "default": "latest"}
config.plugins.on_startup(command="build", dirty=False)
build(config)
config.plugins.on_shutdown()
"""
REDIRECT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>senna-py</title>
<meta http-equiv="refresh" content="0; url=latest/"><link rel="canonical" href="latest/"></head>
<body><a href="latest/">The documentation of senna-py</a></body></html>
"""


def newest_releases(tags: list[str]) -> dict[str, str]:
    """Return the tag of the newest release of each minor version, newest first.

    Tags of other things, and of candidates such as `v0.2.0rc1`, are left out.
    """
    matches = [re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)", tag) for tag in tags]
    numbers = sorted(tuple(map(int, match.groups())) for match in matches if match)
    found = {f"v{a}.{b}": f"v{a}.{b}.{c}" for a, b, c in numbers}
    return dict(reversed(found.items()))


def listed(folders: list[str]) -> list[dict[str, object]]:
    """Return what `versions.json` says of the folders of releases, newest first."""
    entries: list[dict[str, object]] = [
        {"version": folder, "title": folder, "aliases": []} for folder in folders
    ]
    entries.append({"version": "dev", "title": "main", "aliases": []})
    entries[0]["aliases"] = ["latest"]
    return entries


def build(checkout: Path, folder: str, target: Path) -> None:
    """Build the site of a checkout; `folder` is where it is published."""
    variables = {**os.environ, "PYTHONPATH": str(checkout)}
    command = [sys.executable, "-c", BUILD, folder, str(target)]
    subprocess.run(command, cwd=checkout, env=variables, check=True)


def build_release(tag: str, folder: str, target: Path, with_playground: bool) -> None:
    """Build the site of a tag in a worktree, which is removed again."""
    with tempfile.TemporaryDirectory() as place:
        checkout = Path(place, "checkout")
        git("worktree", "add", "--detach", str(checkout), tag)
        try:
            if with_playground:
                prepare = ["sh", "docs/playground/prepare.sh"]
                subprocess.run(prepare, cwd=checkout, check=True)
            build(checkout, folder, target)
        finally:
            git("worktree", "remove", "--force", str(checkout))


def git(*arguments: str) -> str:
    """Return what a command of git prints."""
    command = ["git", *arguments]
    return subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout


def main() -> None:
    """Build all versions."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", type=Path, help="a directory, which is made anew")
    parser.add_argument(
        "--playground",
        action="store_true",
        help="also prepare the page to type into of the newest release",
    )
    options = parser.parse_args()
    site = options.site.resolve()
    shutil.rmtree(site, ignore_errors=True)
    releases = newest_releases(git("tag").split())
    newest = next(iter(releases), "dev")
    build(ROOT, "dev" if releases else "latest", site / "dev")
    for folder, tag in releases.items():
        is_newest = folder == newest
        where = "latest" if is_newest else folder
        build_release(tag, where, site / folder, options.playground and is_newest)
    shutil.copytree(site / newest, site / "latest")
    shutil.copy(site / "latest/404.html", site)  # the only one that GitHub Pages shows
    (site / "index.html").write_text(REDIRECT, "utf-8")
    (site / "versions.json").write_text(json.dumps(listed([*releases])), "utf-8")


if __name__ == "__main__":
    main()
