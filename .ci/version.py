"""Set or check the version, which stands in `senna_py/__init__.py` and is repeated elsewhere.

python .ci/version.py               # print the version, if all files agree on it
python .ci/version.py 0.2.0         # set it, with today's date, in all of them
python .ci/version.py --tag v0.2.0  # check that a release of it can be made
"""

import argparse
import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NUMBER = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"
DATE = r"\d{4}-\d\d-\d\d"
# Each file, and a line of it: what the version, and the date if there is one, stand between.
PACKAGE = "senna_py/__init__.py", rf'^(__version__ = ")({NUMBER})(")$'
CITATION = "CITATION.cff", rf"^(version: )({NUMBER})(\n(?:date-released: ({DATE})\n)?)"
CHANGES = "CHANGELOG.md", rf"^(## )({NUMBER})( \((unreleased|{DATE})\))$"


def found(place: tuple[str, str]) -> re.Match[str]:
    """Return the first match of a line in its file."""
    name, pattern = place
    match = re.search(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
    if not match:
        sys.exit(f"{name}: no line like {pattern}")
    return match


def replace(place: tuple[str, str], line: str) -> None:
    """Put a text in the place of the first match."""
    match, path = found(place), ROOT / place[0]
    text = match.string[: match.start()] + line + match.string[match.end() :]
    path.write_text(text, "utf-8", newline="\n")


def set_version(version: str) -> None:
    """Write a version and today's date into all files."""
    if not re.fullmatch(NUMBER, version):
        sys.exit(f"{version}: not a version such as 0.2.0 or 0.2.0rc1")
    if found(CHANGES)[4] != "unreleased":
        sys.exit("CHANGELOG.md: the first heading is not one of an unreleased version")
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    replace(PACKAGE, f'__version__ = "{version}"')
    replace(CITATION, f"version: {version}\ndate-released: {today}\n")
    replace(CHANGES, f"## {version} ({today})")


def checked_version() -> str:
    """Return the version of the package; exits if a file has another one.

    What the changelog calls unreleased may be the next version.
    """
    version = found(PACKAGE)[2]
    for place in (CITATION, CHANGES):
        if found(place)[2] != version and "(unreleased)" not in found(place)[0]:
            sys.exit(f"{place[0]}: {found(place)[2]}, but the package has {version}")
    return version


def check_tag(tag: str) -> None:
    """Exit unless the tag is that of the version, and two files have one date of it."""
    if tag != f"v{checked_version()}":
        sys.exit(f"the tag is {tag}, but the version {checked_version()}")
    dates = found(CHANGES)[4], found(CITATION)[4]
    if dates[0] != dates[1]:
        sys.exit("CHANGELOG.md and CITATION.cff: two dates: {}, {}".format(*dates))


def main() -> None:
    """Set, check or print the version."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("version", nargs="?", help="the new version")
    parser.add_argument("--tag", help="the tag of a release")
    options = parser.parse_args()
    if options.version:
        set_version(options.version)
    if options.tag:
        check_tag(options.tag)
    print(checked_version())


if __name__ == "__main__":
    main()
