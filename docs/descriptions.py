"""What search engines and chats show of each page.

`descriptions.tsv` has a line for each page. The pages of commands begin with a sentence
that describes them.
"""

from pathlib import Path

PAGES = Path(__file__).resolve().parent
COMMANDS = "reference/cli/"


def read_descriptions() -> dict[str, str]:
    """Return the description of each page by its path below this folder."""
    lines = (PAGES / "descriptions.tsv").read_text(encoding="utf-8").splitlines()
    found = dict(line.split("\t") for line in lines)
    for page in (PAGES / COMMANDS).glob("*.md"):
        title, sentence, *_ = page.read_text(encoding="utf-8").split("\n\n")
        words = " ".join(sentence.replace("`", "").split())
        found[COMMANDS + page.name] = f"{title.removeprefix('# ')}: {words}"
    return found
