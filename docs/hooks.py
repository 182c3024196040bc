"""What MkDocs adds to the pages: help of commands, and pages outside of docs/."""

import posixpath
import re
from pathlib import Path

import click
from mkdocs.structure.files import File

from senna_py.cli.root import command as root
from senna_py.cli.tag import command as tag

ROOT = Path(__file__).resolve().parent.parent
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


def on_files(files, config):
    """Add the pages that are kept elsewhere."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Fill in the help; let links lead to pages, or to the repository."""
    here = page.file.src_uri
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

    markdown = re.sub(
        r"\[([^\]]*)\]\((?![\w+]+:|#)([^)\s#]+)(#[^)]*)?\)", link, markdown
    )
    return markdown.replace(
        "::: commands",
        "".join((*help_of("senna-py", root), *help_of("senna-tag", tag))),
    )


def help_of(name, command):
    """Yield a section for a command, and for each below it: its help as --help prints
    it.
    """
    names = ["-h", "--help"]
    context = click.Context(
        command, info_name=name, terminal_width=100, help_option_names=names
    )
    yield f"{'#' * (1 + len(name.split()))} {name}\n\n```text\n{command.get_help(context)}\n```\n\n"
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            yield from help_of(f"{name} {part}", command.get_command(context, part))
