"""What MkDocs adds to the pages: pages outside of docs/, descriptions, and links."""

import posixpath
import re
import sys
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))
import descriptions  # noqa: E402 - MkDocs does not import hooks from their folder

PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "develop/contributing.md",
    "SECURITY.md": "reference/security.md",
    "models/characters/MODEL_CARD.md": "models/characters.md",
    "models/embeddings/MODEL_CARD.md": "models/embeddings.md",
    "models/en/MODEL_CARD.md": "models/english.md",
    "models/pt/MODEL_CARD.md": "models/portuguese.md",
    "recipes/README.md": "train/recipes.md",
}
_LINK = re.compile(r"\[([^\]]*)\]\((?![\w+]+:|#)([^)\s#]+)(#[^)]*)?\)")
# GitHub does not show comments; the site need not have them.
_MARKS = re.compile(r"^<!-- .* -->\n", re.MULTILINE)


def on_config(config):
    """Read the descriptions, and list the pages of the commands in the navigation."""
    config.extra["descriptions"] = descriptions.read_descriptions()
    table = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    names = re.findall(r"\(cli/([\w-]+)\.md\)", table)
    for section in config.nav:
        for item in section.get("Reference", ()):
            if isinstance(item, dict) and "Command line" in item:
                item["Command line"] += _commands(names)
    return config


def _commands(names):
    """Return the navigation of the pages of commands; groups are sections."""
    entries, groups = [], {}
    for name in names:
        page, first = f"reference/cli/{name}.md", name.split("-")[0]
        if name == first and sum(each.startswith(f"{name}-") for each in names):
            groups[name] = [page]
            entries.append({f"senna-py {name}": groups[name]})
        else:
            groups.get(first, entries).append(page)
    return entries


def on_files(files, config):
    """Add the pages that are kept elsewhere."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Describe the page, and let its links lead to pages, or to the repository."""
    here = page.file.src_uri
    page.meta["description"] = config.extra["descriptions"][here]
    if here == "index.md":
        page.meta["hide"] = ["navigation", "toc"]
    source = next((k for k, v in PAGES.items() if v == here), f"docs/{here}")

    def link(found):
        text, target, anchor = found.groups(default="")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        to = PAGES.get(path) or (
            path.removeprefix("docs/") if path.startswith("docs/") else None
        )
        if to:
            return f"[{text}]({posixpath.relpath(to, posixpath.dirname(here) or '.')}{anchor})"
        return f"[{text}]({config.extra['repository']}/blob/main/{path}{anchor})"

    # What a session prints is not Python.
    markdown = markdown.replace("```python\n>>> ", "```pycon\n>>> ")
    return _MARKS.sub("", _LINK.sub(link, markdown))


def on_page_content(html, page, config, files):
    """Turn empty cells in the heads of tables into cells that name nothing."""
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)


def on_post_page(output, page, config):
    """Give the dialog of the search a name, which screen readers need."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">', 1)
